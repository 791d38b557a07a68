"""Segments that are merged and split: on a rope that swings, goes slack and touches; grips, cuts, breaking."""

from __future__ import annotations

import numpy as np
import pytest

from taut import Scene, SceneError, Simulation
from taut.measure import poses

TEXT = """
taut: 1
bodies:
  hand: {kind: kinematic, collide: false, position: [0, 0, -3], motion: {type: control}, shape: {type: sphere, radius: 0.05}}
  load: {mass: 1 t, position: [0, 0, -10], collide: false, shape: {type: sphere, radius: 0.3}}
cables:
  rope:
    model: segmented
    segments: 40
    detail: auto
    diameter: 11 mm
    modulus: 200 GPa
    density: 7850
    tension: 9810 N
    damping_time: 50 ms
    route: [{type: end, at: [0, 0, 0]}, {type: end, on: load, at: [0, 0, -10]}]
"""


def made(*changes: str) -> Simulation:
    return Simulation(Scene.from_yaml(TEXT, changes=changes))


def test_a_straight_rope_is_merged_and_reads_as_before() -> None:
    sim, whole = made(), made("rope.detail=fixed")
    for each in (sim, whole):
        each.push("load", (500.0, 0.0, 0.0))
        each.run(240)
    assert sim.read("rope.segments") <= 8 and whole.read("rope.segments") == 40
    # names, shapes and places of all segments stay; 1e-3 of a tension is the bend of a swing
    assert sim.read("rope.tensions") == pytest.approx(whole.read("rope.tensions"), rel=1e-3)
    places = [poses.positions(each)[each.compiled.bodies.index["rope_0"] :][:40] for each in (sim, whole)]
    assert np.abs(places[0] - places[1]).max() < 0.01
    assert sim.read("rope.mass") == pytest.approx(whole.read("rope.mass"), rel=1e-12)


def test_slack_splits_it() -> None:
    sim = made()
    sim.run(60)
    assert sim.read("rope.segments") < 40
    sim.push("load", (0.0, 0.0, 12e3))  # up: the rope hangs in a bow
    sim.run(60)
    assert sim.read("rope.segments") == 40


def test_a_grip_holds_a_segment_that_is_merged_later() -> None:
    sim = made()
    grip = sim.attach("rope", s=3.0, body="hand", kind="ball")
    sim.run(120)
    assert sim.read("rope.segments") < 40
    sim.controls["hand.velocity[0]"] = 0.2
    sim.run(60)
    place = poses.position(sim, sim.compiled.bodies.index["rope_12"])
    assert place[0] == pytest.approx(0.2, abs=0.02)
    sim.detach(grip)
    sim.run(10)


def test_snapshots_go_back_to_other_segments() -> None:
    sim = made()
    start = sim.snapshot()
    sim.run(60)
    once = sim.snapshot()
    sim.restore(start)
    assert sim.read("rope.segments") == 40
    sim.run(60)
    assert np.array_equal(once.floats, sim.snapshot().floats)


@pytest.mark.parametrize(
    ("change", "word"), [("scheme: paper", "paper 1"), ("model: massless", "segmented"), ("detail: some", "auto")]
)
def test_what_cannot_be_is_said(change: str, word: str) -> None:
    key = change.split(":")[0]
    lines = [line for line in TEXT.splitlines() if line.strip().split(":")[0] != key]
    at = next(k for k, line in enumerate(lines) if line == "  rope:")
    lines.insert(at + 1, f"    {change}")
    with pytest.raises(SceneError, match=word):
        Scene.from_yaml("\n".join(lines))
