"""Sway is measured from what a body hangs on, wherever that has gone."""

import numpy as np
import pytest

import taut
from taut.measure.sway import carrier_of


@pytest.mark.parametrize(
    ("scene", "body", "carrier"),
    [
        ("gantry", "hook", "trolley"),
        ("gantry", "load", "trolley"),
        ("gantry", "trolley", "world"),
        ("elevator", "car", "world"),
        ("gantry_sling", "load", "trolley"),
    ],
)
def test_ropes_lead_up_to_what_carries(scene: str, body: str, carrier: str) -> None:
    assert carrier_of(taut.open_scene(scene), body) == carrier


def test_a_load_that_travels_with_its_trolley_does_not_sway() -> None:
    sim = taut.Simulation("gantry")
    sim.controls["left.speed"] = sim.controls["right.speed"] = 0.8
    sim.run(300)
    sim.controls["left.speed"] = sim.controls["right.speed"] = 0.0
    sim.run(60)
    assert sim.read("load.sway") < 1e-3
    sim.controls["travel.speed"] = 1.0
    sim.run(120)
    apart = sim.read("load.position")[:2] - sim.read("trolley.position")[:2]
    assert sim.read("trolley.position[0]") > 0.3 and sim.read("load.sway") > 0.02
    # load and trolley stood above each other at the start, and the trolley does not turn
    assert sim.read("load.sway") == pytest.approx(float(np.hypot(*apart)), abs=1e-12)


ASIDE = """
taut: 1
bodies:
  post: {kind: static, shape: {type: box, size: [0.2, 0.2, 2]}, position: [5, 0, 4]}
  bob: {shape: {type: sphere, radius: 8 cm}, mass: 10 kg, position: [0.2, 0, 0]}
cables:
  rope: {axial_stiffness: 200 kN, lifted: true, route: [UPPER, {type: end, on: bob, at: [0.2, 0, 0]}]}
"""


@pytest.mark.parametrize(
    "upper",
    [
        "{type: end, at: [0, 0, 1.98997]}",
        "{type: end, on: post, at: [0, 0, 1.98997]}",
        # the rope leaves the drum at x = 0, where it hangs straight down
        "{type: winch, at: [0.05, 0, 1.98997], axis: [0, 1, 0], radius: 0.05, turn: right, stored: 5}",
        "{type: winch, at: [-0.05, 0, 1.98997], axis: [0, 1, 0], radius: 0.05, turn: left, stored: 5}",
    ],
)
def test_a_body_that_begins_aside_sways_about_where_it_would_hang(upper: str) -> None:
    sim = taut.Simulation(taut.Scene.from_yaml(ASIDE.replace("UPPER", upper)))
    assert sim.read("bob.sway") == pytest.approx(0.2, abs=1e-9)
    seen = []
    for _ in range(180):
        sim.run(1)
        seen.append((sim.read("bob.sway"), sim.read("bob.position[0]")))
    sway, x = np.array(seen).T
    # the rope rolls on and off the drum by a little
    assert sway == pytest.approx(np.abs(x), abs=1e-9) and x.min() == pytest.approx(-0.2, abs=0.01)
    assert sway.max() < 0.21
