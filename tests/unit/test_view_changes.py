"""The world changed while it runs: from the present pose, undone, saved with only the changed lines differing."""

import difflib

import numpy as np
import pytest

from taut import Scene
from taut.scene import SceneError
from taut.scene.edits import edited
from taut.scenes import library, open_scene
from taut.view.changes import elements, mass
from taut.view.live import LivePlayer


@pytest.mark.parametrize(
    ("scene", "changes", "lines"),
    [
        ("gantry", ["hook.mass=900 kg"], 1),
        ("gantry", ["load.mass=2 t"], 1),  # written as a density
        ("gantry", ["sling_2.length=1.9 m"], 1),  # written elsewhere, merged
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
    before = player.frame("", False)
    tension = player.sim.read("left.tension")
    player.change(["load.mass=2 t"])
    after = player.frame("", False)
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


def test_a_longer_sling_and_wind_act_at_once_and_nonsense_changes_nothing() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.advance(30)
    player.change(["sling_1.length=2.5 m"])
    assert player.sim.read("sling_1.rope_out") == pytest.approx(2.5)
    assert player.sim.read("sling_2.rope_out") == pytest.approx(1.66, abs=0.01)
    player.change(["sling_1.length=2.5 m", "wind.speed=20"])
    player.advance(30)
    assert "wind.speed" in player.sim.controls
    before = player.sim
    with pytest.raises(SceneError):
        player.change(["load.mass=-3"])
    assert player.sim is before
    player.advance(1)


def test_a_pull_moves_a_body_to_the_pointer_and_lets_go() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.advance(10)
    hook = list(player.scene.bodies).index("hook")
    start = player.frame("", False).positions[hook].astype(float)
    player.pull("hook", np.zeros(3), start + [0.5, 0.0, 0.0])
    player.advance(60)
    moved = player.frame("", False).positions[hook].astype(float)
    assert moved[0] > start[0] + 0.05 and np.linalg.norm(player.pulling) > 100.0
    player.pull("hook", None, None)
    player.advance(1)
    assert not player.sim.state.body_push.any()


def test_what_can_be_changed_is_offered() -> None:
    scene = open_scene("gantry")
    found = elements(scene)
    assert found["load"] == ("mass",) and "length" in found["sling_1"] and "length" not in found["left"]
    assert "leg_1" not in found
    assert mass(scene, "load") == pytest.approx(2400 * 2.6 * 1.5 * 1.1)
