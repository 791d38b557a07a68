"""A rope that is led round a wheel the wrong way is told; one that is led as it should be is not."""

import textwrap

import pytest

from taut import Simulation
from taut.measure.crossings import crossed
from taut.scene import Scene
from taut.scenes import library, open_scene


def atwood(turn: str, apart: float = 0.5) -> Simulation:
    """Two weights over a sheave, each below the side it hangs on, or nearer together."""
    text = f"""
        taut: 1
        bodies:
          a: {{mass: 10 kg, shape: {{type: sphere, radius: 0.1}}, position: [{-apart}, 0, 2]}}
          b: {{mass: 12 kg, shape: {{type: sphere, radius: 0.1}}, position: [{apart}, 0, 2]}}
        cables:
          line:
            axial_stiffness: 1 MN
            route:
              - {{type: end, on: a}}
              - {{type: sheave, at: [0, 0, 5], axis: [0, 1, 0], radius: 0.5{turn}}}
              - {{type: end, on: b}}
    """
    return Simulation(Scene.from_yaml(textwrap.dedent(text)))


def test_the_wrong_way_round_is_told() -> None:
    (told,) = crossed(atwood(", turn: right"))
    assert told.startswith("line: it crosses itself beside part 1") and "turn: left, or none" in told


@pytest.mark.parametrize("apart", [0.2, 0.5, 2.0])
@pytest.mark.parametrize("turn", [", turn: left", ""])
def test_the_right_way_is_not(turn: str, apart: float) -> None:
    """Also where the falls hang nearer together than the wheel is wide."""
    assert crossed(atwood(turn, apart)) == []


def test_no_scene_of_the_library_crosses_itself() -> None:
    for name in library():
        scene = open_scene(name)
        if scene.cables:
            assert crossed(Simulation(scene)) == [], name
