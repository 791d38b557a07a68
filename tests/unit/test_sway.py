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
