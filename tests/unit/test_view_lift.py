"""A driven sheave in the page: which way its lever goes, and what is told of it."""

import math
from pathlib import Path

import pytest

from taut import Simulation
from taut.record import Recorder, Recording, run
from taut.scene import Scene, SceneError
from taut.scenes import library, open_scene
from taut.view.levers import RIGHT_Y, of_scene
from taut.view.live import LivePlayer
from taut.view.replay import ReplayPlayer


def test_the_lever_of_a_lift_raises_its_car() -> None:
    player = LivePlayer(open_scene("elevator"))
    (lever,) = of_scene(player.scene, player.controls)
    assert lever.name == "hoist" and lever.slot == RIGHT_Y
    assert lever.full == {"hoist.speed": 2.5}, "as fast as its drive can"
    before = player.sim.read("car.position[2]")
    for name, value in lever.full.items():
        player.set_control(name, value)
    player.advance(120)
    assert player.sim.read("car.position[2]") > before + 0.5


def lift(turned: bool, lifts: str = "") -> Scene:
    """The elevator, its route written from the car or from the counterweight."""
    text = library()["elevator"].read_text()
    head, ends = text.split("    route:\n")
    car, sheave, weight = ends.rstrip().splitlines()
    if lifts:
        sheave = sheave.replace("friction: 0.12", f"friction: 0.12, lifts: {lifts}")
    if turned:
        car, sheave, weight = weight, sheave.replace("turn: left", "turn: right"), car
    return Scene.from_yaml(f"{head}    route:\n{car}\n{sheave}\n{weight}\n")


@pytest.mark.parametrize(
    ("turned", "lifts", "raised"),
    [(False, "", "car"), (True, "", "counterweight"), (True, "car", "car"), (False, "counterweight", "counterweight")],
)
def test_a_lift_says_which_side_its_lever_raises(turned: bool, lifts: str, raised: str) -> None:
    player = LivePlayer(lift(turned, lifts))
    (lever,) = of_scene(player.scene, player.controls)
    before = player.sim.read(f"{raised}.position[2]")
    player.set_control("hoist.speed", 0.2 * lever.full["hoist.speed"])
    player.advance(85)
    rise = player.sim.read(f"{raised}.position[2]") - before
    sheave = player.frame((), False).machines["hoist"].sheave
    assert rise > 0.05 and sheave is not None and sheave.bodies[0] == raised
    # at the constant speed reached by now each side carries its own weight, but for what its mass still sways on the rope
    weights = [player.scene.bodies[body].mass_properties().mass * 9.81 for body in sheave.bodies]
    assert sheave.tensions == pytest.approx(weights, rel=0.05)
    ratio = max(sheave.tensions) / min(sheave.tensions)
    assert sheave.grip == pytest.approx(math.log(ratio) / (0.12 * math.pi), rel=1e-3)


def test_a_lift_raises_only_what_hangs_on_one_side() -> None:
    with pytest.raises(SceneError, match="not held by this rope; held on one side: car, counterweight"):
        lift(False, "shaft")
    with pytest.raises(SceneError, match="no such body, did you mean"):
        lift(False, "carr")


def test_the_power_of_a_driven_sheave_is_that_of_both_sides() -> None:
    sim = Simulation(open_scene("elevator"))
    sim.controls["hoist.speed"] = 1.0
    sim.run(4 * 60)
    before, after, speed = (float(sim.read(f"hoist.{name}")) for name in ("before", "after", "line_speed"))
    assert speed == pytest.approx(1.0, rel=1e-3) and before < after, "the counterweight is the heavier one"
    assert sim.read("hoist.pull") == pytest.approx(before - after)
    # the drive brakes: what the heavier side gives it
    assert sim.read("hoist.power") == pytest.approx(-300.0 * 9.81, rel=0.02)
    assert sim.read("hoist.drum_torque") == pytest.approx(-300.0 * 9.81 * 0.9, rel=0.02)


def test_a_recording_tells_the_same_of_it(tmp_path: Path) -> None:
    sim = Simulation(open_scene("elevator"))
    with Recorder(tmp_path / "run.h5", sim, None) as recorder:
        run(sim, 30, (), recorder)
    with Recording(tmp_path / "run.h5") as recording:
        player = ReplayPlayer(recording)
        player.seek(sim.time)
        sheave = player.frame((), False).machines["hoist"].sheave
    assert sheave is not None and sheave.bodies == ("car", "counterweight")
    assert sheave.tensions == pytest.approx((sim.read("hoist.before"), sim.read("hoist.after")), rel=1e-5)
    assert sheave.grip == pytest.approx(float(sim.read("hoist.grip")), rel=1e-5)
