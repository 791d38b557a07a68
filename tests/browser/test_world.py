"""The world changed in a real browser: a value, undo, a saved file, wind, and a body pulled by the pointer."""

from __future__ import annotations

import difflib
import time
from pathlib import Path

import numpy as np
import pytest
from conftest import SHARED
from tabs import Tab, control, place, until

from taut.scenes import library
from taut.view import Page
from taut.view.recording import Keeper

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def changing(gantry: Page) -> Page:
    """The gantry, its folder of changes open."""
    folder = SHARED.tab.tab
    folder.get_by_text("Change", exact=True).last.click()  # the first may be a word of the scene's text
    folder.get_by_role("button", name="Apply", exact=True).wait_for()
    return gantry


def mass(page: Page, body: str) -> float:
    """Of a body as it runs [kg]."""
    assert page.runner is not None
    sim = page.runner.player.sim  # type: ignore[attr-defined]
    return float(sim.model.body_mass[sim.compiled.bodies.index[body]])


def keeper_of(page: Page) -> Keeper:
    """Who records what this page runs."""
    assert page.runner is not None
    return next(hear.__self__ for hear in page.runner.heard if isinstance(getattr(hear, "__self__", None), Keeper))  # type: ignore[attr-defined]


def test_a_mass_is_changed_saved_and_undone(tab: Tab, changing: Page, tmp_path: Path) -> None:
    gantry = changing
    tab.click(place(gantry, "hook"))
    until(lambda: tab.tab.get_by_label("element").input_value() == "hook", "what is clicked is what is changed")
    before = tab.time
    tab.slider("value").fill("1.5 t")
    tab.press("Apply")
    until(lambda: mass(gantry, "hook") == 1500.0, "the hook is heavier")
    assert tab.time >= before, "it goes on, it does not begin again"
    until(lambda: tab.tab.get_by_role("button", name="Save scene").is_enabled(), "it can be saved")
    with tab.tab.expect_download() as found:
        tab.press("Save scene")
    found.value.save_as(tmp_path / "saved.yaml")
    lines = difflib.ndiff(
        library()["gantry"].read_text(encoding="utf-8").splitlines(),
        (tmp_path / "saved.yaml").read_text(encoding="utf-8").splitlines(),
    )
    assert [line for line in lines if line.startswith("+ ") and "1.5 t" not in line] == []
    changed = tab.tab.locator("[data-taut=changed]:visible")
    assert changed.all_inner_texts() == ["hook mass\n600 kg → 1.5 t"], "it is listed"
    tab.press("Undo hook mass")
    until(lambda: mass(gantry, "hook") == 600.0, "it is taken back by itself")
    changed.wait_for(state="hidden")
    tab.press("Undo")
    until(lambda: mass(gantry, "hook") == 1500.0, "which can be undone too")
    changed.wait_for()
    until(lambda: tab.slider("value").input_value() == "1.5 t", "the field tells it")
    tab.slider("value").fill("heavy")
    tab.press("Apply")
    error = tab.tab.locator("[data-taut=error]:visible")
    error.wait_for()
    assert "heavy" in error.inner_text() and mass(gantry, "hook") == 1500.0
    tab.press("Undo")
    until(lambda: mass(gantry, "hook") == 600.0, "it is undone")
    error.wait_for(state="hidden")


def test_a_body_is_pulled_by_the_pointer(tab: Tab, gantry: Page) -> None:
    start = place(gantry, "hook")
    x, y = tab.screen(start)
    tab.tab.keyboard.down("Control")
    tab.tab.mouse.move(x, y)
    tab.tab.mouse.down()
    for k in range(1, 9):
        tab.tab.mouse.move(x + 10 * k, y)
    until(lambda: place(gantry, "hook")[0] > start[0] + 0.05, "it follows")
    until(lambda: tab.tab.locator("[data-taut=pull]").count(), "the force is told")
    # one arrow, ours: that of viser is there, and nothing of it is seen
    others = tab.tab.evaluate(
        "() => window.__viserMutable.scene.children.filter(one => one.type === 'ArrowHelper')"
        ".map(one => one.line.visible || one.cone.visible)"
    )
    assert others == [False]
    tab.tab.mouse.up()
    tab.tab.keyboard.up("Control")
    until(lambda: not tab.tab.locator("[data-taut=pull]").count(), "it is let go")
    assert gantry.runner is not None
    until(lambda: not gantry.runner.player.sim.state.body_push.any(), "nothing pulls any more")  # type: ignore[union-attr, attr-defined]


def test_a_rope_is_pulled_by_its_mark(tab: Tab, gantry: Page) -> None:
    runner = gantry.runner
    assert runner is not None
    # nothing swings at the start: the mark stays where the pointer takes hold of it
    runner.reset()
    until(lambda: place(gantry, "hook") == pytest.approx([0.0, 0.0, 2.7], abs=0.01), "the hook hangs still")
    point = 0.5 * (place(gantry, "hook") + place(gantry, "trolley")) + np.array([-1.2, 0.0, 0.0])

    def marked() -> bool:
        tab.click(point)
        return bool(tab.tab.locator("[data-taut=reading]").count()) and "bend radius" in tab.text("reading")

    until(marked, "it is marked")  # what was read before may still stand there

    def pulled() -> bool:
        """The mark is taken hold of; a slow tab has to see the pointer over it first, or it is the camera that is turned."""
        tab.tab.mouse.up()
        x, y = tab.screen(point)
        tab.tab.mouse.move(x, y)
        time.sleep(0.5)
        tab.tab.mouse.down()
        for k in range(1, 9):
            tab.tab.mouse.move(x - 10 * k, y)
        end = time.monotonic() + 5.0
        while time.monotonic() < end:
            if tab.tab.locator("[data-taut=pull]").count() and tab.text("pull") != "0 N":
                return True
            time.sleep(0.05)
        return False

    until(pulled, "the force is told")
    assert runner.frame is not None
    until(lambda: runner.frame.cables["left"].bend is not None, "the rope has a kink")
    tab.tab.mouse.up()
    until(lambda: not tab.tab.locator("[data-taut=pull]").count(), "it is let go")
    until(lambda: runner.frame.cables["left"].bend is None, "the rope is straight again")


def test_the_instructor_moves_the_centre_of_gravity(tab: Tab, changing: Page) -> None:
    tab.tab.get_by_text("Instructor", exact=True).last.click()  # the first may be a word of the scene's text
    box = tab.tab.locator("label", has_text="centre of gravity").first.locator(
        "xpath=ancestor::div[contains(@class,'Flex')][1]"
    )
    field = box.locator("input").first
    field.wait_for()
    field.fill("0.4")
    field.press("Enter")
    tab.press("Set wind and load")
    sim = lambda: changing.runner.player.sim  # type: ignore[union-attr, attr-defined] # noqa: E731
    until(lambda: sim().compiled.bodies.centre[sim().compiled.bodies.index["load"], 0] == 0.4, "it has moved")
    tab.press("Undo")


def blows(page: Page) -> float | None:
    """How fast the wind is [m/s]; None while there is none to be set."""
    assert page.runner is not None
    return next((control.value for control in page.runner.controls() if control.name == "wind.speed"), None)


def test_wind_that_blows_is_changed_again_and_brakes_fail(tab: Tab, changing: Page) -> None:
    box = tab.slider("wind [m/s]")
    for speed in ("12", "20"):
        box.fill(speed)
        box.press("Enter")
        tab.press("Set wind and load")
        until(lambda speed=speed: blows(changing) == float(speed), f"{speed} m/s blow")
        # what the tab is told of this change comes later than the change; it is typed over meanwhile
    fault = tab.slider("left: brake does not hold")
    fault.click()
    until(lambda: control(changing, "left.brake_fault") == 1.0, "the brake does not hold")
    until(lambda: tab.tab.get_by_role("button", name="Undo left brake").count(), "it is listed with what was changed")
    tab.press("As at the start")
    until(lambda: control(changing, "left.brake_fault") == 0.0 and not fault.is_checked(), "it holds again")
    until(lambda: not blows(changing), "the air is still")


def test_what_is_typed_goes_out_before_the_button_that_is_pressed_in_the_same_moment(tab: Tab, changing: Page) -> None:
    """As a tab does that was busy while somebody typed and clicked."""
    tab.slider("wind [m/s]").evaluate(
        """(field) => { const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        for (const text of ["1", "17"]) { set.call(field, text); field.dispatchEvent(new Event("input", { bubbles: true })); }
        [...document.querySelectorAll("button")].find((one) => one.textContent.includes("Set wind and load")).click(); }"""
    )
    until(lambda: blows(changing) == 17.0, "17 m/s blow")
    tab.press("As at the start")
    until(lambda: not blows(changing), "the air is still")


def test_what_is_typed_while_the_scene_writes_there_counts_and_is_shown(tab: Tab, changing: Page) -> None:
    box = tab.slider("wind [m/s]")
    box.fill("9")
    tab.press("Set wind and load")
    until(lambda: blows(changing) == 9.0, "9 m/s blow")
    # the tab sees what the server writes only after it has said what was typed
    box.evaluate(
        """(field) => { const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
        setTimeout(() => { const end = performance.now() + 1500; while (performance.now() < end); set.call(field, "14");
        field.dispatchEvent(new Event("input", { bubbles: true })); }); }"""
    )
    assert changing._show is not None and changing._show._tools is not None
    instructor = changing._show._tools._instructor
    assert instructor is not None
    instructor.calm()
    until(lambda: instructor._wind.value == 14.0 and not blows(changing), "both have come")
    until(lambda: box.input_value() == "14", "what was typed is what is shown")
    tab.press("As at the start")
    until(lambda: box.input_value() == "0", "the air is still")


def test_a_speed_that_was_typed_is_not_said_again_after_a_stop(tab: Tab, changing: Page) -> None:
    box = tab.slider("travel [m/s]")
    box.fill("0.5")
    until(lambda: control(changing, "travel.speed") == 0.5, "it travels")
    assert changing._show is not None and changing._show.panel is not None
    changing._show.panel.stop()  # as somebody else does in another tab
    until(lambda: float(box.input_value()) == 0.0, "the tab is told")
    end = time.monotonic() + 3.0
    while time.monotonic() < end:
        assert control(changing, "travel.speed") == 0.0, "it stays stopped"
        time.sleep(0.05)


def test_what_is_driven_is_recorded_and_downloaded(
    tab: Tab, gantry: Page, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper = keeper_of(gantry)
    monkeypatch.setattr(keeper, "_folder", tmp_path)
    tab.tab.get_by_text("Take it with you", exact=True).click()
    tab.press("Record")
    until(lambda: keeper.length > 0.5, "it records")
    assert "recording" in tab.text("taken")
    tab.press("Stop recording")
    until(lambda: not keeper.on, "it has stopped")
    tab.tab.get_by_role("button", name="Download", exact=True).wait_for()
    tab.choose("as", "table")
    with tab.tab.expect_download() as found:
        tab.press("Download")
    found.value.save_as(tmp_path / "driven.csv")
    rows = (tmp_path / "driven.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0].startswith("time") and len(rows) > 3
    assert found.value.suggested_filename.endswith(".csv")
    # another one: both are there, and the first can still be had
    tab.press("Record")
    until(lambda: keeper.on and keeper.length > 0.3, "it records again")
    tab.press("Stop recording")
    tab.tab.get_by_role("button", name="Download", exact=True).wait_for()
    until(lambda: len(keeper.kept) >= 2, "both are kept")
    first = keeper.kept[-2]
    tab.choose("recording", first.words)
    tab.choose("as", "moving model")
    with tab.tab.expect_download() as found:
        tab.press("Download")
        until(lambda: "is being made" in tab.text("taken"), "it is said that it is being made")
    assert found.value.suggested_filename == f"{first.file.stem}.glb"
