"""The keys of the page: one list for the script that hears them, for viser's commands, for the page and for the docs."""

import re
import time
from pathlib import Path

import pytest

from taut.scenes import open_scene
from taut.view import Page, keys
from taut.view.levers import KEYS, of_scene
from taut.view.live import LivePlayer

DOCS = Path(__file__).parents[2] / "docs" / "page.md"
SCRIPT = Path(keys.__file__).parent / "static" / "operator.js"


def test_no_key_does_two_things() -> None:
    every = keys.of_scene(True, True)
    codes = [key.code for key in every] + [code for pair in KEYS.values() for code, _ in pair]
    assert len(set(codes)) == len(codes)


def test_the_page_lists_every_key_of_a_scene() -> None:
    told = keys.listed(keys.of_scene(True, True))
    caps = [cap for entry in told for cap in entry["caps"]]  # type: ignore[attr-defined]
    assert caps == ["Shift", "Space", "H", "P", "N", "1–5"]
    assert "follow" in told[-1]["words"]  # type: ignore[operator]
    assert [key.cap for key in keys.of_scene(False, False)] == ["P", "N", "1", "2", "3", "4", "5"]


def test_the_script_knows_no_key_of_its_own() -> None:
    """What it hears comes from the list: a key that is named in it could be missing there."""
    named = set(re.findall(r'"(Key[A-Z]|Digit\d|Space|Arrow\w+)"', SCRIPT.read_text(encoding="utf-8")))
    assert not named


def test_the_docs_have_every_key() -> None:
    table = "\n".join(line for line in DOCS.read_text(encoding="utf-8").splitlines() if line.startswith("|"))
    for cap in [key.cap for key in keys.of_scene(True, True) if key.cap not in "234"]:
        assert re.search(rf"(?<!\w){re.escape(cap)}(?!\w)", table), cap
    for pair in KEYS.values():
        for _, cap in pair:
            assert re.search(rf"(?<!\w){re.escape(cap)}(?!\w)", table), cap


@pytest.mark.parametrize(
    ("scene", "drives", "hooks"), [("gantry", True, True), ("elevator", True, False), ("pendulum", False, False)]
)
def test_scenes_have_the_keys_that_do_something(scene: str, drives: bool, hooks: bool) -> None:
    player = LivePlayer(open_scene(scene))
    moved = of_scene(player.scene, player.controls)
    assert bool(moved) == drives and bool(player.frame((), False).hooks) == hooks


def test_keys_are_shown_as_they_lie_on_the_keyboard_and_one_winch_of_two_is_told_from_a_direction() -> None:
    player = LivePlayer(open_scene("gantry"))
    levers = {lever.name: lever.shown() for lever in of_scene(player.scene, player.controls)}
    assert set(levers) == {"hoist", "travel", "left alone", "right alone"}
    assert levers["travel"]["beside"] and levers["travel"]["caps"] == ["←", "→"]
    assert not levers["hoist"]["beside"] and levers["hoist"]["caps"] == ["S", "W"]
    assert levers["hoist"]["words"] == levers["left alone"]["words"] == ("down", "up")
    assert levers["travel"]["words"] == ("left", "right")


def test_commands_of_the_page_are_those_of_the_list() -> None:
    page = Page("pendulum", port=0)
    try:
        page.start()
        end = time.monotonic() + 300.0
        while page.runner is None or page.runner.status.phase != "running":
            assert time.monotonic() < end
            time.sleep(0.02)
        hotkeys = {handle.hotkey for handle in page.server.gui._command_handle_from_uuid.values()}
        assert {key.cap for key in keys.of_scene(False, False) if key.words != "cabin camera"} <= hotkeys
    finally:
        page.stop()
