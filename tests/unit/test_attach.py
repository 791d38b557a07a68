"""Attaching and detaching while running: nothing jumps, and snapshots know what was attached."""

from __future__ import annotations

import numpy as np
import pytest

from taut import Scene, Simulation

TEXT = """
taut: 1
bodies:
  hand: {kind: kinematic, collide: false, position: [0.05, 0, 2], motion: {type: control}, shape: {type: sphere, radius: 0.05}}
  load: {mass: 5, position: [0, 0, 0.5], collide: false, shape: {type: sphere, radius: 0.1}}
  post: {kind: static, position: [3, 0, 0], shape: {type: box, size: [0.1, 0.1, 1]}}
cables:
  rope:
    model: segmented
    segments: 10
    axial_stiffness: 100 kN
    bending_stiffness: 0.5
    torsional_stiffness: 0.4
    mass_per_length: 0.2
    diameter: 10 mm
    damping_time: 50 ms
    tension: 51.5 N
    route: [{type: end, at: [0, 0, 3]}, {type: end, on: load, at: [0, 0, 0.5]}]
"""


@pytest.fixture
def sim() -> Simulation:
    made = Simulation(Scene.from_yaml(TEXT))
    made.run(600)  # at rest
    return made


@pytest.mark.parametrize("kind", ["pose", "ball", "slide"])
def test_nothing_jumps(sim: Simulation, kind: str) -> None:
    before, place = sim.read("rope.tensions"), sim.read("load.position")
    grip = sim.attach("rope", s=1.1, body="hand", kind=kind)  # type: ignore[arg-type]
    sim.run(1)
    assert np.abs(sim.read("rope.tensions") - before).max() < 1e-4
    sim.run(60)
    assert sim.read("load.position") == pytest.approx(place, abs=1e-6)
    sim.detach(grip)
    sim.run(60)
    assert sim.read("load.position") == pytest.approx(place, abs=1e-6)


def test_a_hand_carries_the_rope_and_lets_go(sim: Simulation) -> None:
    grip = sim.attach("rope", s=1.0, body="hand", kind="ball")
    sim.controls["hand.velocity[0]"] = 0.4
    sim.run(30)
    sim.controls["hand.velocity[0]"] = 0.0
    sim.run(120)
    held = sim.state.body_pos[sim.compiled.bodies.index["rope_4"], 0]
    assert held == pytest.approx(0.2, abs=0.03)  # it follows the hand
    weight = (5 + 0.2 * 1.5) * 9.81
    assert sim.read("rope.tensions[9]") == pytest.approx(weight, rel=0.05)
    sim.detach(grip)
    places = []
    for _ in range(300):
        sim.run(1)
        places.append(sim.read("load.position[0]"))
    assert min(places) < 0.0 < max(places)  # it swings about the vertical again


def test_a_slide_lets_the_rope_through(sim: Simulation) -> None:
    before = sim.read("rope.tensions[9]")
    sim.attach("rope", s=1.1, body="hand", kind="slide")
    sim.controls["hand.velocity[2]"] = 0.02  # along the rope
    sim.run(60)
    assert sim.read("rope.tensions[9]") == pytest.approx(before, abs=1e-3)


def test_snapshots_know_what_is_attached(sim: Simulation) -> None:
    free = sim.snapshot()
    sim.attach("rope", s=1.1, body="hand", kind="ball")
    held = sim.snapshot()
    sim.controls["hand.velocity[0]"] = 0.3
    sim.run(20)
    first = sim.snapshot().floats.copy()
    sim.restore(free)
    assert not sim.compiled.grips
    sim.run(3)
    sim.restore(held)
    assert list(sim.compiled.grips) == ["grip_0"]
    sim.controls["hand.velocity[0]"] = 0.3
    sim.run(20)
    assert (sim.snapshot().floats == first).all()
    sim.reset()
    assert sim.time == 0.0 and not sim.compiled.grips


def test_bodies_can_be_attached(sim: Simulation) -> None:
    sim.attach("load", body="hand", kind="pose")
    sim.controls["hand.velocity[0]"] = 0.1
    start = sim.read("load.position[0]")
    sim.run(60)
    assert sim.read("load.position[0]") - start == pytest.approx(0.1, abs=1e-3)


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"element": "rope", "body": "hand"}, "expected a length along rope from 0 to"),
        ({"element": "rope", "body": "hand", "s": 9.0}, "9.0 - expected a length along rope"),
        ({"element": "rope", "body": "foot", "s": 1.0}, "no body 'foot'"),
        ({"element": "string", "body": "hand"}, "no segmented cable or body 'string'"),
        ({"element": "load", "body": "hand", "s": 1.0}, "load is a body"),
        ({"element": "load", "body": "hand", "kind": "slide"}, "only a cable slides"),
        ({"element": "rope", "body": "hand", "s": 1.0, "kind": "glue"}, "expected pose, ball or slide"),
        ({"element": "load", "body": "load"}, "cannot hold itself"),
        ({"element": "post", "body": "hand"}, "both moved by others"),
    ],
)
def test_mistakes_are_told(sim: Simulation, asked: dict, expected: str) -> None:
    with pytest.raises((KeyError, ValueError), match=expected.replace("(", r"\(")):
        sim.attach(**asked)


def test_what_is_not_attached_cannot_be_detached(sim: Simulation) -> None:
    with pytest.raises(KeyError, match="nothing is attached as 'grip_7'; attached now: none"):
        sim.detach("grip_7")


def test_a_cable_slides_through_from_segment_to_segment(sim: Simulation) -> None:
    grip = sim.attach("rope", s=1.1, body="hand", kind="slide")
    place, pull = sim.read("load.position"), sim.read("rope.tension")
    sim.controls["hand.velocity[2]"] = -0.5
    seen = []
    for _ in range(120):
        sim.run(1)
        seen.append(sim.compiled.grips[grip].a)
        # along a straight cable nothing is felt; the hand starts within one step
        assert sim.read("rope.tension") == pytest.approx(pull, rel=1e-3)
    assert seen[0] == "rope_4" and seen[-1] == "rope_8"
    assert sim.read("load.position") == pytest.approx(place, abs=1e-5)
    sim.controls["hand.velocity[2]"] = 0.5
    sim.run(120)
    assert sim.compiled.grips[grip].a == "rope_4"  # and back


def test_a_cable_slips_off_a_free_end() -> None:
    text = TEXT.replace("{type: end, on: load, at: [0, 0, 0.5]}", "{type: free, at: [0, 0, 0.5]}")
    sim = Simulation(Scene.from_yaml(text.replace("    tension: 51.5 N\n", "")))
    sim.run(60)
    grip = sim.attach("rope", s=2.3, body="hand", kind="slide")
    sim.controls["hand.velocity[2]"] = -0.5
    sim.run(60)
    assert grip not in sim.compiled.grips


def test_a_grip_counts_from_where_a_cable_comes_out(sim: Simulation) -> None:
    text = TEXT.replace("{type: end, at: [0, 0, 3]}", "{type: end, at: [0, 0, 3], pay_out: {stored: 1}}")
    paid = Simulation(Scene.from_yaml(text))
    paid.run(60)
    inside = paid.scene.strands()["rope"].stored[0]
    grip = paid.attach("rope", s=1.1, body="hand")
    assert inside >= 4 and paid.compiled.grips[grip].a == f"rope_{inside + 4}"
    grip = sim.attach("rope", s=1.1, body="hand")
    assert sim.compiled.grips[grip].a == "rope_4"
