"""Segmented cables that are paid out and reeled in: limits, both ends, momentum of what pays out, snapshots, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from taut import Scene, SceneError, Simulation, SimulationError
from taut.sweep import Batch

TEXT = """
taut: 1
gravity: {gravity}
bodies:
  ship: {{kind: {kind}, shape: {{type: box, size: [1, 1, 1]}}, mass: 200, position: [0, 0, 0.5], collide: false}}
  load: {{shape: {{type: sphere, radius: 0.3}}, mass: 50, position: [0, 0, -4.3], collide: false}}
cables:
  rope:
    model: segmented
    segments: 8
    diameter: 20 mm
    modulus: 10 GPa
    density: 2000
    tension: 10 N
    damping_time: 0.1
    route: [{start}, {end}]
"""
LOAD = "{type: end, on: load, at: [0, 0, -4]}"
SHIP = "{type: end, on: ship, at: [0, 0, 0], pay_out: {stored: 5, acceleration: 0.5}}"


def made(kind: str = "dynamic", gravity: float = 0.0, at_start: bool = True) -> Simulation:
    start, end = (SHIP, LOAD) if at_start else (LOAD, SHIP)
    return Simulation(Scene.from_yaml(TEXT.format(kind=kind, gravity=gravity, start=start, end=end)))


@pytest.mark.parametrize("at_start", [True, False])
def test_all_out_then_all_in(at_start: bool) -> None:
    sim = made(at_start=at_start)
    line = sim.scene.cables["rope"].line_mass()
    sim.controls["rope.pay"] = 0.7
    sim.run(600)
    assert sim.read("rope.length") == pytest.approx(
        9.0, abs=1e-3
    )  # 4 m and what is stored, the first half less stretch
    assert sim.read("rope.segments") == 18
    sim.controls["rope.pay"] = -1.0
    for _ in range(14):
        sim.run(60)
        assert sim.read("rope.mass") == pytest.approx(line * sim.read("rope.length"), rel=1e-12)
    assert sim.read("rope.segments") == 1
    assert sim.read("rope.length") == pytest.approx(0.25, rel=1e-3)  # half of the last segment stays out


def test_the_ship_recoils_from_what_it_pays_out() -> None:
    # d(m v) = u dm, u the speed of the ship, in which what comes out has been at rest: no force from outside acts
    sim = made()
    sim.controls["rope.pay"] = 0.7
    line, expected = sim.scene.cables["rope"].line_mass(), np.zeros(3)
    for _ in range(240):
        before = sim.read("rope.length")
        sim.run(1)
        expected += line * (sim.read("rope.length") - before) * sim.read("ship.velocity")
    # the speed of the ship is that at the end of a step; it changes by 1e-3 of itself in one
    assert sim.read("momentum.linear") == pytest.approx(expected, abs=2e-3 * np.abs(expected).max())
    assert abs(expected[2]) > 0.1


def test_a_snapshot_goes_back_across_segments() -> None:
    sim = made("static", -9.81)
    sim.controls["rope.pay"] = 0.5
    sim.run(100)
    then = sim.snapshot()
    sim.run(200)
    once = sim.snapshot()
    count = sim.read("rope.segments")
    sim.restore(then)
    assert sim.read("rope.segments") < count
    sim.run(200)
    again = sim.snapshot()
    assert np.array_equal(once.floats, again.floats)
    sim.reset()
    assert sim.read("rope.length") == pytest.approx(4.0, rel=1e-4)


def test_stored_segments_lie_where_the_cable_comes_out() -> None:
    sim = made("static")
    sim.run(1)
    assert sim.read("rope.tensions").shape == (sim.scene.strands()["rope"].links + 1,)
    assert sim.state.body_pos[sim.compiled.bodies.index["rope_3"]] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ("model: massless", "winch"),
        ("rest_twist: 1", "straight"),
        ("scheme: paper", "standard"),
    ],
)
def test_what_cannot_be_is_said(change: str, word: str) -> None:
    text = TEXT.format(kind="static", gravity=0, start=SHIP, end=LOAD)
    key = change.split(":")[0]
    text = text.replace("    model: segmented", f"    {change}" + ("" if key == "model" else "\n    model: segmented"))
    with pytest.raises(SceneError, match=word):
        Scene.from_yaml(text)


def test_a_batch_says_that_it_cannot() -> None:
    with pytest.raises(ValueError, match="paid out"):
        Batch(made("static").scene, 2)


def test_what_is_held_is_not_reeled_in() -> None:
    sim = made("static")
    sim.run(10)
    sim.attach("rope", s=0.6, body="load", kind="ball")
    sim.controls["rope.pay"] = -0.5
    with pytest.raises(SimulationError, match="detach"):
        sim.run(600)
