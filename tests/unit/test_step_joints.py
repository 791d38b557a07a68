"""Rows of every joint: Jacobians against finite differences of the constraint values, in random poses."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import taut
from taut.core.codes import GROUP_DIM
from taut.scene import (
    AngularMotor,
    Ball,
    Body,
    Box,
    Distance,
    Hinge,
    LinearLimits,
    LinearMotor,
    Lock,
    PointOnLine,
    Scene,
    Slider,
)
from taut.step.assemble import joint_geometry

AT, AXIS = (0.3, 0.2, -0.1), (0.3, -0.5, 0.8)
SERVO = LinearMotor(mode="position", target=0.0, force_limit=10.0)

JOINTS = {
    "ball": Ball(a="a", b="b", at=AT),
    "hinge": Hinge(a="a", b="b", at=AT, axis=AXIS),
    "slider": Slider(a="a", b="b", at=AT, axis=AXIS, motor=SERVO, limits=LinearLimits(lower=-1, upper=1)),
    "lock": Lock(a="a", b="b", at=AT),
    "distance": Distance(
        a="a", b="b", point_a=(0.1, 0, 0), point_b=(0.9, 0.2, 0.3), motor=SERVO.model_copy(update={"target": 0.5})
    ),
    "rod": Distance(a="a", b="b", point_a=(0.1, 0, 0), point_b=(0.9, 0.2, 0.3)),
    "point_on_line": PointOnLine(a="a", b="b", at=AT, axis=AXIS),
    "ball_to_world": Ball(b="b", at=AT),
    "hinge_to_world": Hinge(a="a", b="world", at=AT, axis=AXIS),
}


def make(joint, rng):
    def body(position):
        q = Rotation.random(random_state=rng.integers(1 << 30)).as_quat(scalar_first=True)
        return Body(shape=Box(size=(0.3, 0.4, 0.5)), mass=2.0, position=position, orientation=tuple(q), collide=False)

    return taut.Simulation(Scene(bodies={"a": body((0, 0, 0)), "b": body((0.8, 0.1, 0.2))}, joints={"j": joint}))


class Rows:
    """Constraint values and Jacobians of a simulation's groups at any poses."""

    def __init__(self, sim):
        self.sim = sim
        self.table = sim.compiled.joints
        self.dims = [GROUP_DIM[group.kind] for group in self.table.groups]

    def at(self, pos, quat, g):
        dim, state = self.dims[g], self.sim.state
        phi, jac, arm = np.zeros(6), np.zeros(72), np.zeros((len(self.dims), 7))
        joint_geometry(
            g, self.sim.model.joint_int, self.sim.model.joint_frame, self.sim.model.joint_value[g, 0], pos, quat,
            state.joint_turns.copy(), state.joint_angle.copy(), arm, phi, 0, jac, 0, 36,
        )  # fmt: skip
        return phi[:dim], np.hstack([jac[: 6 * dim].reshape(dim, 6), jac[36 : 36 + 6 * dim].reshape(dim, 6)])


def moved(pos, quat, body, direction, amount):
    """Poses with one body moved along, or turned about, a world axis."""
    pos, quat = pos.copy(), quat.copy()
    if direction < 3:
        pos[body, direction] += amount
    else:
        turn = Rotation.from_rotvec(amount * np.eye(3)[direction - 3])
        quat[body] = (turn * Rotation.from_quat(quat[body], scalar_first=True)).as_quat(scalar_first=True)
    return pos, quat


def differences(rows, pos, quat, g, bodies, step=1e-6):
    """Central differences: error step^2 times the third derivative, 1e-11, and round-off 1e-10."""
    columns = []
    for body in bodies:
        for direction in range(6):
            ahead = rows.at(*moved(pos, quat, body, direction, step), g)[0]
            behind = rows.at(*moved(pos, quat, body, direction, -step), g)[0]
            columns.append((ahead - behind) / (2.0 * step))
    return np.array(columns).T


@pytest.mark.parametrize("name", JOINTS)
def test_jacobians_in_random_poses(name):
    rng = np.random.default_rng(len(name))
    sim = make(JOINTS[name], rng)
    rows = Rows(sim)
    for _ in range(10):
        pos = sim.state.body_pos + rng.normal(scale=0.2, size=sim.state.body_pos.shape)
        turn = Rotation.from_rotvec(rng.normal(scale=0.4, size=(len(pos), 3)))
        quat = (turn * Rotation.from_quat(sim.state.body_quat, scalar_first=True)).as_quat(scalar_first=True)
        pos[-1], quat[-1] = sim.state.body_pos[-1], sim.state.body_quat[-1]
        for g in range(len(rows.dims)):
            bodies = rows.table.integers[g, 2:4]
            jacobian = rows.at(pos, quat, g)[1]
            assert np.abs(jacobian - differences(rows, pos, quat, g, bodies)).max() < 1e-8


def test_the_angle_of_a_hinge_on_its_axis():
    """A motor's row e.(w_b - w_a) is the rate of the angle wherever the hinge holds; over full turns too."""
    rng = np.random.default_rng(4)
    sim = make(Hinge(a="a", b="b", at=AT, axis=AXIS, motor=AngularMotor(target=1.0, force_limit=5.0)), rng)
    rows = Rows(sim)
    axis = np.array(AXIS) / np.linalg.norm(AXIS)
    for angle in (-3.0, -1.0, 0.0, 0.5, 2.0, 3.1):
        pos, quat = sim.state.body_pos.copy(), sim.state.body_quat.copy()
        b = sim.compiled.bodies.index["b"]
        turn = Rotation.from_rotvec(angle * axis)
        quat[b] = (turn * Rotation.from_quat(quat[b], scalar_first=True)).as_quat(scalar_first=True)
        pos[b] = np.array(AT) + turn.apply(pos[b] - np.array(AT))
        phi, jacobian = rows.at(pos, quat, 1)
        assert phi[0] == pytest.approx(angle, abs=1e-12)
        assert np.allclose(rows.at(pos, quat, 0)[0], 0.0, atol=1e-12)
        along = differences(rows, pos, quat, 1, rows.table.integers[1, 2:4])
        # rates along the axis only: off the axis the hinge's own rows hold
        assert along[0, 9:] @ axis == pytest.approx(jacobian[0, 9:] @ axis, abs=1e-8)
        assert along[0, 3:6] @ axis == pytest.approx(jacobian[0, 3:6] @ axis, abs=1e-8)


def test_rows_are_zero_at_the_start():
    rng = np.random.default_rng(6)
    for name in JOINTS:
        sim = make(JOINTS[name], rng)
        rows = Rows(sim)
        for g, group in enumerate(rows.table.groups):
            phi = rows.at(sim.state.body_pos, sim.state.body_quat, g)[0]
            # the servo of a length measures the length itself
            assert (
                np.abs(
                    phi - (np.linalg.norm([0.8, 0.2, 0.3]) if name == "distance" and group.drive >= 0 else 0.0)
                ).max()
                < 1e-12
            )


@pytest.mark.parametrize("turns", [1, 3, -2])
def test_angles_count_full_turns(turns):
    motor = AngularMotor(target=2.0 * np.pi * turns / 2.0)
    wheel = Body(shape=Box(size=(0.1, 0.1, 0.1)), mass=1.0)
    sim = taut.Simulation(
        Scene(gravity=0, bodies={"w": wheel}, joints={"shaft": Hinge(b="w", axis=(0, 0, 1), motor=motor)})
    )
    sim.run(121)
    assert sim.read("shaft.angle") == pytest.approx(2.0 * np.pi * turns * 121 / 120, rel=1e-9)
