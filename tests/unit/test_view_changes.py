"""The world changed while it runs: from the present pose, undone, saved with only the changed lines differing."""

import difflib
from pathlib import Path

import numpy as np
import pytest
import yaml

from taut import Body, Box, Cable, End, Scene, Simulation
from taut.cables.rod.route import Route
from taut.measure.overloads import overloaded
from taut.scene import SceneError
from taut.scene.edits import edited
from taut.scene.models import why_not
from taut.scene.spec import labelled, summary
from taut.scenes import library, open_scene, routes
from taut.view import partings
from taut.view.changeable import (
    centre,
    elements,
    explained,
    kind_of,
    load_of,
    mass,
    nothing_typed,
    quantity,
    tie_changes,
    value_of,
)
from taut.view.changes import _changes, no_route, saved
from taut.view.live import LivePlayer
from taut.view.made import Made


@pytest.mark.parametrize(
    ("scene", "changes", "lines"),
    [
        ("gantry", ["hook.mass=900 kg"], 1),
        ("gantry", ["load.mass=2 t"], 1),  # written as a density
        ("gantry", ["sling_2.length=1.9 m"], 1),  # written elsewhere, merged
        ("gantry", ["sling_1.length=1.9 m"], 4),  # three others are merged from it, and keep their length
        ("gantry", ["sling_1.model=layered"], 4),
        ("gantry", ["left.model=layered"], 1),
        ("heavy_pendulum", ["rope.model=massless", "rope.segments=null"], 2),
        (
            "four_leg_sling",
            [
                "leg_1.model=massless",
                *(f"leg_1.{key}=null" for key in ("segments", "group", "meets", "bending_damping_time")),
                "leg_1.collide=false",
            ],
            9,
        ),
        ("gantry", ["wind.speed=8"], 1),  # not written at all
        ("gantry", ["hook.mass=900 kg", "left.damping_time=50 ms", "hook.mass=1 t"], 2),
        ("pendulum", ["duration=3 s"], 1),
        ("tower_crane", ["hoist.wave_damping=0.5 Hz", "trolley.position[0]=20"], 2),
    ],
)
def test_only_the_changed_lines_differ_and_they_mean_the_change(scene: str, changes: list[str], lines: int) -> None:
    text = library()[scene].read_text(encoding="utf-8")
    after = edited(text, changes, Scene.model_fields)
    new = [line for line in difflib.ndiff(text.splitlines(), after.splitlines()) if line.startswith("+ ")]
    assert len(new) == lines
    assert Scene.from_yaml(after) == open_scene(scene).with_overrides(changes)


def test_what_was_changed_of_a_route_is_saved_as_a_route() -> None:
    scene, file = open_scene("harness"), routes()["harness"]
    text = saved(scene, ["hose.length=0.8 m", "trunk.bending_stiffness=0.2 N m^2"], file)
    new = [line.strip() for line in difflib.ndiff(file.read_text().splitlines(), text.splitlines()) if line[0] in "+-"]
    told = [line[1:].strip().partition(":")[0] for line in new if line.startswith("+")]
    assert sorted(told) == ["EI", "GJ", "length"], "limits, comments and all else stay"
    made = Route.of(yaml.safe_load(text), file.parent)
    assert made.harness["hose"].length == 0.8
    trunk, before = made.harness["trunk"]._chain.properties, Route.load(file).harness["trunk"]._chain.properties
    assert trunk.stiffness[0] == pytest.approx([0.2, 0.2, before.stiffness[0, 2]], rel=1e-5)
    assert trunk.mass[0] == pytest.approx(before.mass[0])


def test_what_no_route_can_hold_makes_a_scene_of_it() -> None:
    scene, file = open_scene("harness"), routes()["harness"]
    changes = ["hose.length=0.8 m", "wind.speed=8"]
    assert no_route(scene, changes, file) == ["wind.speed=8"] and not no_route(scene, changes[:1], file)
    after = Scene.from_yaml(saved(scene, changes, file))
    assert after.cables["hose"].length == 0.8 and after.wind is not None and after.wind.speed == 8.0


def test_a_route_file_that_was_spoiled_meanwhile_is_told(tmp_path: Path) -> None:
    scene, file = open_scene("harness"), tmp_path / "harness.yaml"
    file.write_text(routes()["harness"].read_text(encoding="utf-8").replace("length: 360 mm", "length: -1 mm"))
    with pytest.raises(SceneError, match=r"harness\.yaml.*length"):
        saved(scene, ["hose.length=0.8 m"], file)


def test_a_round_hose_stays_round_when_its_stiffness_is_changed() -> None:
    scene = open_scene("harness").with_overrides(["hose.bending_stiffness=1.2"])
    assert scene.cables["hose"].bending() == (1.2, 1.2)


@pytest.mark.parametrize("change", ["hose.length=0.76 m", "hose.bending_stiffness=0.0654"])
def test_a_hose_that_is_changed_while_it_runs_lies_as_one_that_was_so_from_the_start(change: str) -> None:
    """Also where it snaps through: nothing of the roll of its ends is left over as twist."""
    scene = open_scene("harness")
    player, anew = LivePlayer(scene), LivePlayer(scene.with_overrides([change]))
    player.advance(20)
    before = player.sim.read("hose.bend_radius")
    player.change([change])
    for run in (player, anew):
        run.advance(20)
    radius, wanted = (run.sim.read("hose.bend_radius") for run in (player, anew))
    assert radius == pytest.approx(wanted, rel=1e-4) and abs(radius - before) > 0.1 * before
    assert player.sim.read("hose.twist") == pytest.approx(0.0, abs=1e-5)
    player.change([])
    player.advance(20)
    nodes = player.sim.read("hose.shape").reshape(-1, 3)
    assert np.linalg.norm(np.diff(nodes, axis=0), axis=1).sum() == pytest.approx(scene.cables["hose"].length)


def test_what_was_changed_back_leaves_no_trace() -> None:
    scene, file = open_scene("gantry"), library()["gantry"]
    text = file.read_text(encoding="utf-8")
    there = ["wind.speed=20", "load.mass=5 t", "load.centre=[0.5, 0, 0]", "hook.mass=900 kg"]
    back = ["wind.speed=0", "load.mass=10296 kg", "load.centre=[0, 0, 0]", "hook.mass=600 kg"]
    assert saved(scene, [*there, *back], file) == text
    lines = [*difflib.ndiff(text.splitlines(), saved(scene, [*there, *back[1:]], file).splitlines())]
    assert [line for line in lines if line.startswith(("+ ", "- "))] == ["+ wind: {speed: 20}"]
    assert not lines[0].startswith("+ "), "what the file is comes first"
    # two that only go together stay together
    rope = ["rope.model=massless", "rope.segments=null"]
    assert (
        Scene.from_yaml(saved(open_scene("heavy_pendulum"), rope, library()["heavy_pendulum"])).cables["rope"].model
        == "massless"
    )


def test_what_cannot_be_written_is_told() -> None:
    text = library()["gantry"].read_text(encoding="utf-8")
    with pytest.raises(SceneError, match="nothing of that name"):
        edited(text, ["nothing.mass=1"], Scene.model_fields)
    with pytest.raises(SceneError, match="alias"):
        edited(text, ["leg_2.shape.type=sphere"], Scene.model_fields)


def test_a_heavier_load_goes_on_from_the_present_pose_and_back() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.set_control("left.speed", 0.8)
    player.set_control("right.speed", 0.8)
    player.advance(300)
    before = player.frame((), False)
    tension = player.sim.read("left.tension")
    player.change(["load.mass=2 t"])
    after = player.frame((), False)
    assert np.array_equal(before.positions, after.positions) and player.sim.steps == 300
    assert player.sim.controls["left.speed"] == 0.8
    player.advance(120)
    # two tonnes and 600 kg instead of ten and 600 kg, on four falls
    assert player.sim.read("left.tension") < 0.4 * tension
    player.change([])
    player.advance(1)
    assert player.scene.bodies["load"].density is not None
    player.reset()
    assert player.sim.steps == 0


def test_forces_stay_in_sight_when_something_is_changed_while_it_stands() -> None:
    """Before the next step nobody knows others than those of the last one."""
    player = LivePlayer(open_scene("pendulum"))
    player.advance(30)
    before = player.frame((), False, True)
    player.change(["load.mass=10 t"])
    after = player.frame((), False, True)
    assert before.cables["rope"].tension[0] > 4e4
    assert after.cables["rope"].tension == pytest.approx(before.cables["rope"].tension)
    assert after.forces["joint"].vector == pytest.approx(before.forces["joint"].vector)
    player.advance(1)
    assert player.frame((), False).cables["rope"].tension[0] == pytest.approx(
        2.0 * before.cables["rope"].tension[0], rel=0.02
    )


def test_a_longer_sling_is_paid_out_wind_acts_at_once_and_nonsense_changes_nothing() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.advance(30)
    player.change(["sling_1.length=2.5 m"])
    player.advance(30)
    assert 1.7 < player.sim.read("sling_1.rope_out") < 2.4, "not at once: half a second at most at 1 m/s^2"
    player.change(["sling_1.length=2.5 m", "wind.speed=20"])
    player.advance(120)
    assert player.sim.read("sling_1.rope_out") == pytest.approx(2.5)
    assert player.sim.read("sling_2.rope_out") == pytest.approx(1.66, abs=0.01)
    assert "wind.speed" in player.sim.controls
    before = player.sim
    with pytest.raises(SceneError):
        player.change(["load.mass=-3"])
    assert player.sim is before
    player.advance(1)


def test_a_tie_has_an_arrow_too() -> None:
    player = LivePlayer(open_scene("pendulum"))
    player.advance(60)
    forces = player.frame((), False, forces=True).forces["joint"]
    pull = player.sim.read("rope.tension")
    assert np.linalg.norm(forces.vector, axis=1) == pytest.approx([pull], rel=1e-3)
    assert forces.vector[0, 2] > 0.9 * pull, "it holds the load up"


def test_a_load_whose_centre_of_gravity_moves_stays_where_it_is_and_then_hangs_askew() -> None:
    """On one rope it turns until the centre hangs beneath the eye: atan of the shift over the depth."""
    player = LivePlayer(
        Scene(
            bodies={"load": Body(mass=100.0, shape=Box(size=(2.0, 1.0, 1.0)), position=(0.0, 0.0, 0.0))},
            cables={"rope": Cable(route=(End(at=(0.0, 0.0, 8.0)), End(on="load", at=(0.0, 0.0, 1.0))))},
        )
    )
    player.advance(30)
    before = player.frame((), False)
    player.change(["load.centre=[0.2, 0, 0]"])
    after = player.frame((), False)
    assert after.positions == pytest.approx(before.positions, abs=1e-6)
    assert after.orientations == pytest.approx(before.orientations, abs=1e-6)
    turns = []
    for _ in range(900):
        player.advance(1)
        w, _, y, _ = player.frame((), False).orientations[0]
        turns.append(2.0 * np.arctan2(y, w))
    # it swings about the angle at which it would hang
    assert np.mean(turns) == pytest.approx(np.arctan(0.2 / 1.0), abs=0.03)


def test_a_spin_stays_when_the_mass_changes() -> None:
    spin = (0.0, 0.0, 2.0)
    player = LivePlayer(
        Scene(gravity=(0, 0, 0), bodies={"load": Body(mass=10.0, spin=spin, shape=Box(size=(2.0, 1.0, 1.0)))})
    )
    player.advance(10)
    player.change(["load.mass=40 kg"])
    player.advance(1)
    assert player.sim.read("load.spin") == pytest.approx(spin, abs=1e-6)


def test_the_instructor_makes_the_load_heavier_not_the_hook() -> None:
    assert load_of(open_scene("gantry")) == "load" and load_of(open_scene("elevator")) == "car"
    assert load_of(open_scene("loop")) is None
    assert centre(open_scene("gantry"), "load") == (0.0, 0.0, 0.0)


def test_what_can_be_changed_is_offered() -> None:
    scene = open_scene("gantry")
    found = elements(scene)
    assert (
        found["load"] == ("mass", "centre")
        and found["wind"] == ("speed", "direction")
        and "length" in found["sling_1"]
        and "length" not in found["left"]
    )
    assert "leg_1" not in found
    assert mass(scene, "load") == pytest.approx(2400 * 2.6 * 1.5 * 1.1)


def test_every_field_that_is_offered_has_words_a_unit_and_a_value_that_can_be_read_back() -> None:
    for name in ("gantry", "tower_crane", "pendulum", "yard", "four_leg_sling", "robot_hose", "heavy_chain", "mooring"):
        scene = open_scene(name)
        for element, fields in elements(scene).items():
            for field in fields:
                kind = kind_of(scene, element)
                assert "_" not in labelled(kind, field) and summary(kind, field)
                if field == "model":
                    continue  # chosen from a list
                assert field == "direction" or labelled(kind, field).endswith("]"), field
                text = value_of(scene, element, field)
                if text:
                    again = scene.with_overrides([f"{element}.{field}={text}"])
                    assert value_of(again, element, field) == text
    assert labelled(Body, "mass") == "mass [kg]" and labelled(Cable, "breaking_load") == "breaking load [N]"
    assert value_of(open_scene("gantry"), "load", "mass") == "10.296 t"
    assert (quantity(0.02, "s"), quantity(0.0, "N"), quantity(1.2e7, "N")) == ("20 ms", "0 N", "12 MN")


def test_wind_that_blows_already_is_changed_too() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.change(["wind.speed=8"])
    player.set_control("travel.speed", 0.5)
    player.advance(2)
    player.change(["wind.speed=8", "wind.speed=20"])
    player.advance(2)
    assert player.sim.controls["wind.speed"] == 20.0, "not that of before"
    assert player.sim.controls["travel.speed"] == 0.5, "which is nobody's change"
    player.change(["wind.speed=8"])
    assert player.sim.controls["wind.speed"] == 8.0


def test_the_energy_of_height_counts_from_the_start_for_a_heavier_load_too() -> None:
    """Three times the mass has three times the energy at the same height: nothing jumps by the height of the scene."""
    player = LivePlayer(open_scene("pendulum"))
    player.advance(60)
    before = player.frame((), True).account
    mass_before = mass(player.scene, "load")
    player.change([f"load.mass={3.0 * mass_before} kg"])
    player.advance(1)
    after = player.frame((), True).account
    assert before is not None and after is not None and before.potential < -1000.0
    assert after.potential == pytest.approx(3.0 * before.potential, rel=0.1)


def test_a_tie_is_hauled_in_gently_and_the_last_minute_knows_how_far() -> None:
    """A pendulum of ten metres is made one of eight: the pull stays near the weight, as at most 1 m/s^2 allows."""
    scene = open_scene("pendulum")
    changes = tie_changes(scene, "rope", "8 m")
    assert changes[0] == "rope.length=8 m" and changes[1].startswith("load.position=")
    shorter = scene.with_overrides(changes)
    start = np.array(shorter.bodies["load"].position)
    # on the same line to the same point, eight metres away
    assert np.linalg.norm(start - [0.0, 0.0, 11.3]) == pytest.approx(8.0)
    assert np.cross(start - [0.0, 0.0, 11.3], np.array([5.0, 0.0, 2.6397]) - [0.0, 0.0, 11.3]) == pytest.approx(
        0.0, abs=1e-6
    )
    player = LivePlayer(scene)
    player.advance(60)
    before = player.frame((), False).positions.copy()
    player.change(changes)
    assert np.array_equal(player.frame((), False).positions, before)
    tip = np.array([0.0, 0.0, 11.3])
    pulls, kept = [], None
    for k in range(300):
        player.advance(1)
        pulls.append(player.sim.read("rope.tension"))
        if k == 100:
            kept, then = player.keep(), np.linalg.norm(player.sim.read("load.position") - tip)
    assert np.linalg.norm(player.sim.read("load.position") - tip) == pytest.approx(8.0, abs=1e-3)
    # the work of hauling, some 5 t g 2 m, is no loss
    account = player.frame((), True).account
    assert account is not None and abs(account.lost) < 0.01 * 5000.0 * 9.81 * 2.0
    assert abs(player.sim.read("energy.remainder")) < 1.0
    # five tonnes, at most 30 degrees and the speed of that pendulum, which is faster as it gets shorter: 3 m g at the most
    assert min(pulls) > 0.0 and max(pulls) < 3.0 * 5000.0 * 9.81, "never slack, no kick"
    assert kept is not None and 8.2 < then < 9.8
    player.recall(kept)
    player.advance(1)
    assert np.linalg.norm(player.sim.read("load.position") - tip) == pytest.approx(then, abs=0.05)
    player.advance(300)
    assert np.linalg.norm(player.sim.read("load.position") - tip) == pytest.approx(8.0, abs=1e-3)
    player.change([])
    player.reset()
    assert player.sim.read("load.position") == pytest.approx([5.0, 0.0, 2.6397])
    player.advance(10)
    assert np.linalg.norm(player.sim.read("load.position") - tip) == pytest.approx(10.0, abs=1e-3)


def test_a_tie_that_may_be_longer_moves_nothing_and_one_that_is_held_otherwise_is_refused() -> None:
    scene = open_scene("pendulum")
    assert tie_changes(scene, "rope", "12 m") == ["rope.length=12 m"]
    assert tie_changes(scene, "rope", "long") == ["rope.length=long"]
    yard = open_scene("yard")
    assert tie_changes(yard, "sling_1", "1.2 m") == ["sling_1.length=1.2 m"], "it gives way, and others hold the load"


def test_another_model_is_made_for_a_run_of_its_own() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.advance(120)
    before, old = player.frame((), True), player.sim
    sim, base = player.remade(["left.model=layered"])
    assert player.sim is old, "what runs is untouched"
    other = LivePlayer(sim, made=Made(player.scene, (("left.model=layered",),), ((),), "left", base))
    after = other.frame((), True)
    assert after.positions == pytest.approx(before.positions, abs=1e-4)
    assert before.account is not None and after.account is not None
    assert after.account.potential == pytest.approx(before.account.potential, abs=1.0)
    other.change(["left.model=layered", "load.mass=2 t"])
    other.advance(10)
    again, _ = other.remade([])
    assert again.scene.cables["left"].model == "massless"
    # a lever that is released before the new run has begun counts there too
    other.set_control("travel.speed", 0.4)
    assert again.controls["travel.speed"] == 0.4


def test_a_rope_that_is_made_stiff_again_keeps_its_tension() -> None:
    """With its unstretched length it would pull with its stretch times the new stiffness at once, here with ten times the load's weight."""
    player = LivePlayer(open_scene("gantry"))
    for side in ("left", "right"):
        player.set_control(f"{side}.speed", 0.8)
    player.advance(120)
    for side in ("left", "right"):
        player.set_control(f"{side}.speed", 0.0)
    player.advance(240)
    player.change(["left.axial_stiffness=0.5 MN"])
    player.advance(600)
    stretched, height = float(player.sim.read("left.tension")), float(player.sim.read("load.position[2]"))
    player.change([])
    most = 0.0
    for _ in range(120):
        player.advance(1)
        most = max(most, float(player.sim.read("left.tension")))
    assert most < 1.1 * stretched, "it hangs on as it was"
    assert player.sim.read("load.position[2]") == pytest.approx(height, abs=5e-3)
    assert abs(float(player.sim.read("energy.remainder"))) < 1.0


def test_what_has_parted_is_said_and_what_is_unhooked_is_not() -> None:
    scene = open_scene("gantry")
    player = LivePlayer(scene)
    player.advance(5)
    names = partings.may_part(scene)
    assert set(names) == {"left", "right"} and partings.words(player.frame((), False), names) == ""
    player.set_control("sling_1.hook", 0.0)
    player.advance(5)
    assert partings.words(player.frame((), False), names) == ""
    player.sim.state.rope_broken[:] = 1
    assert partings.words(player.frame((), False), names) == "left, right have parted"


TWO_ROPES = """
taut: 1
bodies:
  load: {shape: {type: sphere, radius: 0.4}, mass: 3 t, position: [1.8, 0, -2.4]}
cables:
  short: &rope
    rope: {construction: 6x36WS-IWRC, diameter: 16 mm, grade: 1960}
    damping_time: 20 ms
    lifted: true
    route: [{type: end, at: [0, 0, 0]}, {type: end, on: load, at: [1.8, 0, -2.4]}]
  long: {<<: *rope, route: [{type: end, at: [5, 0, 0]}, {type: end, on: load, at: [1.8, 0, -2.4]}]}
"""
TENSIONS = TWO_ROPES.replace("    lifted: true\n", "    tension: 23.544 kN\n").replace(
    "*rope,", "*rope, tension: 17.658 kN,"
)


@pytest.mark.parametrize("model", ["lifted", "massless", "layered", "segmented", "auto"])
def test_a_rope_is_made_weaker_than_its_load_and_parts(model: str) -> None:
    """Also where the file says with which tension it began: 23.5 kN hang on it."""
    text = TENSIONS.replace("damping_time", f"model: {model}\n    damping_time") if model != "lifted" else TWO_ROPES
    player = LivePlayer(Scene.from_yaml(text))
    player.advance(10)
    assert player.sim.read("short.tension") == pytest.approx(0.8 * 3000 * 9.81, rel=0.01)
    player.change(["short.breaking_load=20 kN"])
    player.advance(30)
    assert player.sim.read("short.tension") < 1000.0
    player.reset()
    (told,) = overloaded(player.sim)
    assert told.startswith("short: it begins with 23.5")
    assert told.endswith(" kN, above its breaking load of 20 kN: it parts in the first step")
    player.advance(10)
    assert player.sim.read("short.tension") < 1000.0


@pytest.mark.parametrize("model", ["layered", "segmented", "auto"])
def test_a_rope_that_started_lifted_gets_another_model(model: str, tmp_path: Path) -> None:
    file = tmp_path / "two_ropes.yaml"
    file.write_text(TWO_ROPES)
    scene = Scene.from_yaml(TWO_ROPES)
    assert not why_not(scene, "short", model)
    player = LivePlayer(scene)
    player.advance(10)
    (change,) = _changes(scene, "short", "model", model)
    sim, _ = player.remade(change)
    sim.run(10)
    begun = Simulation(Scene.from_yaml(saved(scene, change, file)))
    begun.run(10)
    for run in (sim, begun):  # it weighs 3 kg now
        assert run.read("short.tension") == pytest.approx(0.8 * 3000 * 9.81, rel=2e-3)
        assert run.read("long.tension") == pytest.approx(0.6 * 3000 * 9.81, rel=2e-3)
    assert Made(scene).make(change).take_back("short.model").now == scene


def test_a_rope_that_started_lifted_gets_another_length() -> None:
    player = LivePlayer(scene := Scene.from_yaml(TWO_ROPES))
    (change,) = _changes(scene, "short", "length", "2.9 m")
    player.change(change)
    player.advance(60)
    assert player.sim.read("short.rope_out") == pytest.approx(2.9, abs=0.01)


def test_what_follows_from_the_catalogue_is_shown_and_said() -> None:
    scene = Scene.from_yaml(TWO_ROPES)
    rope = scene.cables["short"].rope
    assert rope is not None
    assert value_of(scene, "short", "breaking_load") == quantity(rope.data().breaking_load, "N")
    assert "catalogue" in explained(scene, "short", "breaking_load")
    made = Made(scene).make(("short.breaking_load=20 kN",), ("short.axial_stiffness=5 MN",))
    rows = [(row.start, row.now) for row in made.rows()]
    assert rows == [
        (f"{quantity(rope.data().breaking_load, 'N')} (catalogue)", "20 kN"),
        (f"{quantity(rope.data().axial_stiffness, 'N')} (catalogue)", "5 MN"),
    ]
    assert "catalogue" not in explained(made.now, "short", "breaking_load")
    wire = scene.with_overrides(["short.modulus=100 GPa", "short.diameter=16 mm"])
    assert "catalogue" not in explained(wire, "short", "axial_stiffness")


def test_what_is_wrong_with_a_tie_is_said_of_what_was_typed() -> None:
    scene = open_scene("pendulum")
    assert "rope" in explained(scene, "rope", "length")
    with pytest.raises(ValueError, match=r"rope.length: 1e-9 - expected more than 1e-08 m"):
        _changes(scene, "rope", "length", "1e-9")
    assert (
        nothing_typed(scene, "rope", "length")
        == "rope.length: no value is typed; expected a length, e.g. '12 mm', now 10.00004 m"
    )
    assert nothing_typed(scene, "rope", "stiffness").startswith("rope.stiffness: no value is typed; expected a ")
