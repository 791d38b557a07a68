"""Crossed capsules rock on each other: the point of contact runs along them (taut.step.rocking)."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import taut
from taut.core.model import C_GAP, C_NORMAL, C_POINT
from taut.step.rocking import rocking_stiffness

G = 9.81


def _distance(a, u, b, v):
    """Of two lines."""
    n = np.cross(u, v)
    return abs((b - a) @ n) / np.linalg.norm(n)


@pytest.mark.parametrize("angle", [12.0, 40.0, 90.0, 140.0])
@pytest.mark.parametrize("turns", [(1.0, 1.0), (0.0, 1.0), (1.0, 0.0)])
def test_stiffness_is_the_curvature_of_the_gap(angle, turns):
    """-D'' of a turn of one about the point where it touches the other one at rest, by central differences; for both in turn, or for the one that is free."""
    turn = Rotation.random(rng=3)
    theta, radius, half = math.radians(angle), 0.01, 0.5
    pose, geometry = np.zeros((2, 16)), np.zeros(11)
    for k, (axis, at) in enumerate([((1, 0, 0), 0.0), ((math.cos(theta), math.sin(theta), 0), 2.0 * radius)]):
        # the capsule's axis is the third column of its rotation
        pose[k, 2:9:3], pose[k, 9:12] = turn.apply(axis), turn.apply([0.0, 0.0, at])
        pose[k, 14:16] = half, radius
    normal = turn.apply([0.0, 0.0, 1.0])
    geometry[C_POINT : C_POINT + 3], geometry[C_NORMAL : C_NORMAL + 3], geometry[C_GAP] = radius * normal, normal, 0.0
    out, force, step = np.zeros(6), 3.0, 1e-4
    trace = rocking_stiffness.py_func(pose, geometry, 0, 1, force, *turns, out)
    found = np.array([[out[0], out[1], out[2]], [out[1], out[3], out[4]], [out[2], out[4], out[5]]])
    assert np.trace(found) == pytest.approx(trace)
    points, axes = pose[:, 9:12], pose[:, 2:9:3]
    for direction in (axes[0], axes[1], np.cross(axes[0], normal), np.cross(axes[1], normal), normal):
        curvature = 0.0
        for who in range(2):
            if not turns[who]:
                continue
            gaps = []
            for sign in (-1, 0, 1):
                turned = Rotation.from_rotvec(sign * step * direction).apply(axes[who])
                other = 1 - who
                gaps.append(_distance(points[who], turned, points[other], axes[other]))
            curvature += (gaps[0] - 2.0 * gaps[1] + gaps[2]) / step**2
        # differences of order step^2 of D / sin^4
        assert direction @ found @ direction == pytest.approx(-force * curvature, rel=1e-3, abs=1e-6)


def _rod_on_a_bar(angle: float, thick: float, mass: float, length: float, bar: float, **more) -> taut.Scene:
    """A rod that lies across a fixed bar, balanced on it."""
    lie = Rotation.from_euler("y", 90, degrees=True)
    across = Rotation.from_euler("z", angle, degrees=True) * lie
    return taut.Scene(
        materials={"m": taut.Material(friction=1.0)},
        bodies={
            "bar": taut.Body(
                kind="static", shape=taut.Capsule(radius=bar, length=4.0), material="m",
                orientation=tuple(lie.as_quat(scalar_first=True)),
            ),
            "rod": taut.Body(
                mass=mass, shape=taut.Capsule(radius=thick, length=length), material="m", position=(0, 0, bar + thick),
                orientation=tuple(across.as_quat(scalar_first=True)),
            ),
        },
        **more,
    )  # fmt: skip


def test_a_rod_rocks_on_a_round_bar_as_it_should():
    """Small swings of a rod of thickness 2 r on a bar of radius R across it: omega^2 = m g (R - r) / (I + m r^2)."""
    bar, thick, mass, length = 0.4, 0.05, 12.0, 2.0
    sim = taut.Simulation(_rod_on_a_bar(90.0, thick, mass, length, bar, dt=1 / 240))
    inertia = float(np.median(sim.model.body_inertia[sim.compiled.bodies.index["rod"]]))
    sim.run(10)
    sim.push("rod", torque=(0.5, 0.0, 0.0))
    sim.run(24)
    sim.push("rod")
    crossings, before = [], sim.read("rod.spin[0]")
    for _ in range(240 * 12):
        sim.step()
        now = sim.read("rod.spin[0]")
        if before > 0.0 >= now:
            crossings.append(sim.time)
        before = now
    period = 2.0 * math.pi / math.sqrt(mass * G * (bar - thick) / (inertia + mass * thick**2))
    assert len(crossings) >= 3
    # a hundredth: amplitude of some degrees, and two steps in the time of a crossing
    assert np.diff(crossings).mean() == pytest.approx(period, rel=0.01)


def _fastest_turn(angle: float, dt: float) -> float:
    """A light rod with a load under its middle is kicked on its bar, rocks and falls off: how fast it turns after that [rad/s]."""
    thick, bar, top = 0.01, 0.02, 0.03
    scene = _rod_on_a_bar(angle, thick, 0.012, 0.06, bar, dt=dt)
    load = taut.Body(mass=0.3, shape=taut.Sphere(radius=0.03), position=(0, 0, top - 0.5), collide=False)
    line = taut.Distance(a="rod", b="load", point_a=(0, 0, top), point_b=(0, 0, top - 0.5), rope=True)
    sim = taut.Simulation(scene.model_copy(update={"bodies": {**scene.bodies, "load": load}, "joints": {"line": line}}))
    sim.run(round(0.5 / dt))
    sim.push("rod", torque=(1e-4, 1e-4, 0.0))
    sim.run(max(1, round(1 / 60 / dt)))
    sim.push("rod")
    fastest = 0.0
    for _ in range(round(2.0 / dt)):
        sim.step()
        fastest = max(fastest, float(np.linalg.norm(sim.read("rod.spin")[:2])))
    return fastest


@pytest.mark.parametrize("angle", [15.0, 25.0])
def test_a_light_segment_under_load_is_not_spun_up(angle):
    """(omega h)^2 = f D h^2 / (I sin^2) is 40 and 100 here: with a frozen point the rod would leave thirteen times too fast (700 rad/s).

    With a fifth for what a step of 1/60 s sees of a fall that takes a tenth of a second."""
    assert _fastest_turn(angle, 1 / 60) < 1.2 * _fastest_turn(angle, 1 / 1000)


def test_angular_momentum_of_a_pair_that_rocks_is_kept():
    """Two rods thrown against each other in free space: momentum before and after, to round-off; energy does not grow."""
    lie = Rotation.from_euler("y", 90, degrees=True)
    across = Rotation.from_euler("z", 35, degrees=True) * lie
    sim = taut.Simulation(
        taut.Scene(
            gravity=(0, 0, 0),
            bodies={
                "a": taut.Body(
                    mass=1.0, shape=taut.Capsule(radius=0.05, length=1.0), orientation=tuple(lie.as_quat(scalar_first=True)),
                    spin=(0.3, 0.5, 0.2),
                ),
                "b": taut.Body(
                    mass=0.7, shape=taut.Capsule(radius=0.05, length=0.8), position=(0.05, 0.02, 0.11), velocity=(0, 0, -0.5),
                    orientation=tuple(across.as_quat(scalar_first=True)),
                ),
            },
        )
    )  # fmt: skip

    def about_origin() -> np.ndarray:
        total = np.zeros(3)
        for name in ("a", "b"):
            i = sim.compiled.bodies.index[name]
            momentum = sim.model.body_mass[i] * sim.state.body_vel[i, :3]
            total += np.cross(sim.state.body_pos[i], momentum) + sim.state.body_momentum[i]
        return total

    start, energy, touched = about_origin(), float(sim.read("energy.kinetic")), 0.0
    for _ in range(60):
        sim.step()
        touched = max(touched, float(sim.read("contact.force")))
    assert touched > 1.0
    assert float(sim.read("energy.kinetic")) <= energy * (1.0 + 1e-9)
    # forces act at one point of both, stiffness between both: what is left is the gap times the force at that point
    assert about_origin() == pytest.approx(start, abs=2e-4)
