"""A kinematic body that is driven stops at the ends of its way, as gently as its ramp, and comes back from there."""

import textwrap

import numpy as np
import pytest

from taut import Simulation
from taut.scene import Scene, SceneError


def trolley(stops: str, ramp: str = "acceleration: 0.5 m/s^2") -> Scene:
    """A trolley at x = 1 m."""
    text = f"""
        taut: 1
        bodies:
          trolley:
            kind: kinematic
            position: [1, 0, 2]
            motion: {{type: control, {ramp}, {stops}}}
    """
    return Scene.from_yaml(textwrap.dedent(text))


@pytest.mark.parametrize("speed, end", [(2.0, 4.0), (-1.0, -3.0)])
def test_it_stops_at_the_end_as_gently_as_its_ramp(speed: float, end: float) -> None:
    sim = Simulation(trolley("stops_x: [-3 m, 4 m]"))
    sim.controls["trolley.velocity[0]"] = speed
    places, speeds = [], [0.0]
    for _ in range(1200):
        sim.step()
        places.append(float(sim.read("trolley.position[0]")))
        speeds.append(float(sim.read("trolley.velocity[0]")))
    assert places[-1] == pytest.approx(end, abs=1e-6)
    assert max(abs(x - 0.5) for x in places) <= 3.5 + 1e-9, "never beyond"
    assert np.abs(np.diff(speeds)).max() <= 0.5 * sim.dt * 1.1, (
        "as its ramp lets it; the last step ends at the stop, not on the ramp"
    )
    sim.controls["trolley.velocity[0]"] = -speed
    sim.run(60)
    assert abs(sim.read("trolley.position[0]") - end) > 0.1, "the way back is open"
    assert sim.read("trolley.velocity[0]") == pytest.approx(-0.5 * np.sign(speed), rel=1e-6), "and its ramp begins anew"


def test_without_a_ramp_it_stops_exactly_there() -> None:
    sim = Simulation(trolley("stops_x: [-3 m, 4 m]", "angular_acceleration: 1"))
    sim.controls["trolley.velocity[0]"], sim.controls["trolley.velocity[1]"] = 1.7, 1.0
    sim.run(240)
    assert sim.read("trolley.position[0]") == pytest.approx(4.0, abs=1e-9)
    assert sim.read("trolley.position[1]") == pytest.approx(4.0, rel=1e-9), "no stop, no end"


@pytest.mark.parametrize(
    "stops, said",
    [
        ("stops_x: [4 m, -3 m]", "the smaller place first"),
        ("stops_x: [2 m, 4 m]", "around the place where it starts, x = 1 m"),
    ],
)
def test_stops_that_make_no_sense(stops: str, said: str) -> None:
    with pytest.raises(SceneError, match=said):
        trolley(stops)
