"""A body that is hauled right into its sheave: nothing jams there, so it is said. Nothing is said of what is sound."""

import math
import textwrap

import pytest

from taut import Simulation
from taut.measure import rims
from taut.record import run
from taut.scene import Scene
from taut.scenes import library, open_scene
from taut.view import partings
from taut.view.live import LivePlayer


def atwood(heavy: float) -> Scene:
    """Two weights over a sheave, 3 m below it; the light one is at the sheave when the heavy one has gone down 2.85 m."""
    text = f"""
        taut: 1
        bodies:
          heavy: {{mass: {heavy} kg, shape: {{type: box, size: [0.3, 0.3, 0.3]}}, position: [-0.25, 0, 3]}}
          light: {{mass: 10 kg, shape: {{type: box, size: [0.3, 0.3, 0.3]}}, position: [0.25, 0, 3]}}
        cables:
          string:
            axial_stiffness: 100 kN
            damping_time: 20 ms
            route:
              - {{type: end, on: heavy, at: [-0.25, 0, 3.15]}}
              - {{type: sheave, at: [0, 0, 6], axis: [0, 1, 0], radius: 0.25}}
              - {{type: end, on: light, at: [0.25, 0, 3.15]}}
    """
    return Scene.from_yaml(textwrap.dedent(text))


def test_an_end_in_its_sheave_is_told_when_it_comes_there() -> None:
    """The light box rises 2.85 m with a = g (m1 - m2) / (m1 + m2)."""
    sim = Simulation(atwood(12.0))
    arrives = math.sqrt(2.0 * 2.85 / (9.81 * 2.0 / 22.0))
    report = run(sim, round((arrives - 0.2) / sim.dt))
    assert report.reached == [] and rims.reached(sim, "string") == ""
    assert abs(report.energy.remainder) < 1e-9
    (told,) = run(sim, round(0.4 / sim.dt)).reached
    assert told.startswith("string: the sheave (part 1) and the end on light have run into each other at ")
    assert float(told.split(" at ")[1].split()[0]) == pytest.approx(arrives, abs=0.1)


def test_it_is_said_beside_the_picture_as_long_as_it_is_so() -> None:
    player = LivePlayer(atwood(12.0))
    player.advance(60)
    assert partings.run_together(player.frame((), False)) == ""
    until = 0
    while not (said := partings.run_together(player.frame((), False))) and until < 600:
        player.advance(1)
        until += 1
    assert said == "string: the sheave (part 1) and the end on light have run into each other"


@pytest.mark.parametrize("name", [name for name in sorted(library()) if open_scene(name).ropes()])
def test_scenes_of_the_library_are_sound(name: str) -> None:
    assert run(Simulation(open_scene(name)), 60).reached == []
