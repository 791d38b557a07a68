"""Geometric stiffness against finite differences of the force it stands for."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import taut
from taut.core.model import R_TENSION
from taut.scene import Ball, Body, Box, Distance, Scene, SolverSettings
from taut.step.forces import body_blocks
from taut.step.geometric import add_geometric_stiffness


def blocks_of(sim, geometric):
    """M + a h^2 K as a dense matrix, from the tensions in the scratch."""
    settings = sim.compiled.settings._replace(geometric=geometric)
    body_blocks(sim.compiled.model, sim._work)
    sim.work.pair_block[:] = 0.0
    if geometric:
        add_geometric_stiffness(settings, sim.compiled.model, sim.compiled.state, sim._work, sim.dt)
    n = len(sim.model.node_body)
    M = np.zeros((6 * n, 6 * n))
    for k in range(n):
        lower = np.tril(sim.work.node_block[k].reshape(6, 6))
        M[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = lower + np.tril(lower, -1).T
    for k, (i, j) in enumerate(sim.model.pair_node):
        M[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] += sim.work.pair_block[k].reshape(6, 6)
        M[6 * j : 6 * j + 6, 6 * i : 6 * i + 6] += sim.work.pair_block[k].reshape(6, 6).T
    return M


def rod(rng, world=False, aligned=False):
    """Two bodies, or one and the world, joined by a rod; `aligned`: the points lie on the line of the centres."""

    def body(position):
        q = Rotation.random(random_state=rng.integers(1 << 30)).as_quat(scalar_first=True)
        return Body(
            shape=Box(size=(0.3, 0.4, 0.5)), mass=2.0, position=tuple(position), orientation=tuple(q), collide=False
        )

    first, last = np.zeros(3), np.array([0.8, 0.1, -1.2])
    points = (0.2 * last, 0.7 * last) if aligned else ((0.1, 0.1, -0.2), (0.7, 0.0, -1.0))
    bodies = {"b": body(last)} if world else {"a": body(first), "b": body(last)}
    joint = Distance(a="world" if world else "a", b="b", point_a=tuple(points[0]), point_b=tuple(points[1]))
    return taut.Simulation(Scene(gravity=0, bodies=bodies, joints={"rod": joint}, solver=SolverSettings(passes=1)))


def pulled(sim, tension):
    """K of a tension, at the poses of the start: without gravity a step moves nothing."""
    sim.run(1)
    sim.work.row[0, R_TENSION] = -tension * sim.dt
    return (blocks_of(sim, 1.0) - blocks_of(sim, 0.0)) / sim.dt**2


@pytest.mark.parametrize("world", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_a_distance_row(seed, world):
    """K = -d(force)/d(pose) of a pull of constant size along the line: translations, and translations against rotations.

    The rotations have J^T T/l (1 - t t^T) J, and instead of the symmetric part of [F]x[r]x, which may be negative,
    max(0, F.r)(1 - r r^T / r^2).
    """
    tension = 50.0
    sim = rod(np.random.default_rng(seed), world)
    K, truth = pulled(sim, tension), stiffness_by_differences(sim, tension)
    linear = [i for i in range(len(K)) if i % 6 < 3]
    assert np.allclose(K[linear], truth[linear], atol=1e-5)
    assert np.allclose(K, K.T, atol=1e-9)
    assert np.linalg.eigvalsh(K).min() > -1e-9 * tension


@pytest.mark.parametrize("world", [False, True])
def test_arms_along_the_line(world):
    """Then the force turns the body back by F.r and nothing else: the whole of K is the derivative of the force."""
    tension = 50.0
    sim = rod(np.random.default_rng(8), world, aligned=True)
    assert np.allclose(pulled(sim, tension), stiffness_by_differences(sim, tension), atol=1e-5)


def stiffness_by_differences(sim, tension, step=1e-6):
    """-d(wrench)/d(pose) of a pull of constant size between the two points, about the centres of mass."""
    pos, quat = sim.state.body_pos.copy(), sim.state.body_quat.copy()
    table = sim.compiled.joints

    def wrenches(p, q):
        points = []
        for side in range(2):
            i = table.integers[0, 2 + side]
            arm = Rotation.from_quat(q[i], scalar_first=True).apply(table.frames[0, 3 * side : 3 * side + 3])
            points.append((i, arm, p[i] + arm))
        t = points[1][2] - points[0][2]
        t = t / np.linalg.norm(t)
        out = np.zeros((len(p), 6))
        for (i, arm, _), sign in zip(points, (1.0, -1.0)):
            force = sign * tension * t
            out[i] += [*force, *np.cross(arm, force)]
        return out[sim.model.node_body].ravel()

    columns = []
    for i in sim.model.node_body:
        for c in range(6):
            ends = []
            for amount in (step, -step):
                p, q = pos.copy(), quat.copy()
                if c < 3:
                    p[i, c] += amount
                else:
                    turn = Rotation.from_rotvec(amount * np.eye(3)[c - 3])
                    q[i] = (turn * Rotation.from_quat(q[i], scalar_first=True)).as_quat(scalar_first=True)
                ends.append(wrenches(p, q))
            columns.append((ends[0] - ends[1]) / (2.0 * step))
    return -np.array(columns).T


def test_a_pair_falls_freely():
    """The pair block takes nothing from a motion of both bodies together: K times a translation is zero."""
    K = pulled(rod(np.random.default_rng(1)), 1e6)
    for axis in range(3):
        move = np.zeros(12)
        move[[axis, 6 + axis]] = 1.0
        assert np.abs(K @ move).max() < 1e-9 * np.abs(K).max()


def test_compression_adds_nothing():
    assert np.abs(pulled(rod(np.random.default_rng(2)), -100.0)).max() == 0.0


def test_a_ball_joint():
    """Force F at arm r: max(0, F.r)(1 - r r^T / r^2) on the rotation, nothing on the translation."""
    rng = np.random.default_rng(3)
    q = Rotation.random(random_state=4).as_quat(scalar_first=True)
    box = Body(shape=Box(size=(0.3, 0.4, 0.5)), mass=2.0, orientation=tuple(q))
    at = np.array([0.2, -0.1, 0.3])
    scene = Scene(
        gravity=0, bodies={"b": box}, joints={"pin": Ball(b="b", at=tuple(at))}, solver=SolverSettings(passes=1)
    )
    sim = taut.Simulation(scene)
    sim.run(1)
    for force in (rng.normal(size=3), at, -at):
        sim.work.row[:3, R_TENSION] = force * sim.dt
        K = (blocks_of(sim, 1.0) - blocks_of(sim, 0.0)) / sim.dt**2
        pull = max(0.0, force @ at)
        theory = np.zeros((6, 6))
        theory[3:, 3:] = pull * (np.eye(3) - np.outer(at, at) / (at @ at))
        assert np.allclose(K, theory, atol=1e-9)


def test_statics_stay_exact():
    """Nothing moves, so the fictitious inertia acts on nothing: tension equals weight with and without it."""
    for weight in (0.0, 1.0):
        hook = Body(kind="particle", mass=3.0, position=(0, 0, -1))
        settings = SolverSettings(geometric_stiffness=weight)
        scene = Scene(bodies={"hook": hook}, joints={"rod": Distance(b="hook", point_a=(0, 0, 0))}, solver=settings)
        sim = taut.Simulation(scene)
        sim.run(60)
        assert sim.read("rod.tension") == pytest.approx(3.0 * 9.81, rel=1e-12)
