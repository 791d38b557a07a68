"""The model of a cable changed in a real browser: from the present pose, undone, saved; and the length of a pendulum."""

from __future__ import annotations

import difflib
from pathlib import Path

import numpy as np
import pytest
from conftest import SHARED
from tabs import Tab, control, let_run, place, until

from taut.scenes import library
from taut.view import Page
from taut.view.looks import Look

pytestmark = pytest.mark.browser


def opened(scene: str, element: str, field: str) -> Page:
    """A scene from its start, its folder of changes open at a field."""
    page, tab = SHARED.show(scene), SHARED.tab
    tab.tab.get_by_text("Change", exact=True).last.click()  # the first may be a word of the scene's text
    tab.tab.get_by_role("button", name="Apply", exact=True).wait_for()
    tab.choose("element", element)
    if tab.tab.get_by_label("field", exact=True).input_value() != field:
        tab.choose("field", field)
    return page


def tension(page: Page, cable: str) -> float:
    """Of a cable at its first end [N]."""
    assert page.runner is not None
    return float(np.ravel(page.runner.player.sim.read(f"{cable}.tension"))[0])  # type: ignore[attr-defined]


def anew(tab: Tab, page: Page, button: str) -> None:
    """Press a button that builds the page anew, and wait until it runs again."""
    before = page.runner
    tab.press(button)
    until(lambda: page.runner is not None and page.runner is not before, "it is built anew")
    until(lambda: page.runner.status.phase == "running" and tab.shows(page), "it goes on", 400.0)  # type: ignore[union-attr]


def shown(page: Page) -> Look:
    """What was chosen to be seen."""
    assert page._show is not None
    return page._show.look


def added(file: Path, scene: str) -> list[str]:
    """Lines of a saved file that the scene of the library has not."""
    before = library()[scene].read_text(encoding="utf-8").splitlines()
    after = file.read_text(encoding="utf-8").splitlines()
    return [line[2:].strip() for line in difflib.ndiff(before, after) if line.startswith("+ ")]


def test_a_hoisting_rope_gets_its_weight_and_loses_it(tab: Tab, tmp_path: Path) -> None:
    gantry = opened("gantry", "left", "model")
    runner = gantry.runner
    assert runner is not None
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.5)
    until(lambda: place(gantry, "load")[2] > 0.7, "the load is lifted")
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.0)
    let_run(gantry, 2.0)
    assert "from one end straight to another" in tab.text("models"), "it is said why it cannot be segmented"
    before, where, steps = tension(gantry, "left"), place(gantry, "load"), tab.time
    tab.slider("colour ropes by tension").click()
    until(lambda: shown(gantry).by_tension, "ropes are coloured")  # of two ticks at once viser sends one
    tab.slider("arrows").click()
    until(lambda: runner.show_forces, "forces are shown")
    tab.choose("model of the cable", "layered")
    anew(tab, gantry, "Apply")
    for box in ("colour ropes by tension", "arrows"):
        until(lambda box=box: tab.slider(box).is_checked(), f"{box} as it was chosen")
    assert gantry.runner is not None and gantry.runner.show_forces
    assert gantry.scene.cables["left"].model == "layered" and tab.time >= steps, "it does not begin again"
    let_run(gantry, 1.0)
    assert tension(gantry, "left") == pytest.approx(before, rel=0.02)
    assert place(gantry, "load") == pytest.approx(where, abs=0.01)
    with tab.tab.expect_download() as found:
        tab.press("Save scene")
    found.value.save_as(tmp_path / "saved.yaml")
    assert added(tmp_path / "saved.yaml", "gantry") == ["model: layered"]
    anew(tab, gantry, "Undo")
    assert gantry.scene.cables["left"].model == "massless"
    let_run(gantry, 1.0)
    assert tension(gantry, "left") == pytest.approx(before, rel=0.02)
    # and it can still be driven
    assert gantry.runner is not None
    gantry.runner.set_control("travel.speed", 0.5)
    until(lambda: place(gantry, "load")[0] > where[0] + 0.3, "it travels")


def test_a_pendulum_of_segments_becomes_a_rope_and_segments_again(tab: Tab, tmp_path: Path) -> None:
    page = opened("heavy_pendulum", "rope", "model")
    let_run(page, 0.5)
    tab.choose("model of the cable", "massless")
    anew(tab, page, "Apply")
    assert page.runner is not None and len(page.scene.all_bodies()) == len(page.scene.bodies)
    sim = page.runner.player.sim  # type: ignore[attr-defined]
    # it swings on at the same height: from its start at rest it has what it has lost of it, and a little in the rope
    load = sim.compiled.bodies.index["load"]
    start = page.scene.bodies["load"].start_position[2]
    height, speed = sim.state.body_pos[load, 2], np.linalg.norm(sim.state.body_vel[load, :3])
    assert 0.5 * speed**2 == pytest.approx(9.81 * (start - height), rel=0.05, abs=0.5)
    with tab.tab.expect_download() as found:
        tab.press("Save scene")
    found.value.save_as(tmp_path / "saved.yaml")
    assert added(tmp_path / "saved.yaml", "heavy_pendulum") == ["model: massless", "segments: null"]
    let_run(page, 1.0)
    anew(tab, page, "Undo")
    assert len(page.scene.all_bodies()) == len(page.scene.bodies) + 100
    let_run(page, 0.5)
    assert np.isfinite(tension(page, "rope")) and tension(page, "rope") > 0.0


def test_a_pendulum_is_made_shorter(tab: Tab) -> None:
    page = opened("pendulum", "rope", "length [m]")
    tab.slider("value").fill("8 m")
    tab.press("Apply")
    tip = np.array([0.0, 0.0, 11.3])
    until(lambda: abs(np.linalg.norm(place(page, "load") - tip) - 8.0) < 0.01, "it is hauled in")
    tab.press("Undo")
    until(lambda: abs(np.linalg.norm(place(page, "load") - tip) - 10.0) < 0.01, "and let down again")


def test_a_key_that_is_held_and_a_stop_survive_a_change_of_model(tab: Tab) -> None:
    gantry = opened("gantry", "left", "model")
    tab.choose("model of the cable", "layered")
    tab.tab.mouse.click(200, 250)
    tab.tab.keyboard.down("ArrowRight")
    until(lambda: control(gantry, "travel.speed") > 0.0, "it travels")
    anew(tab, gantry, "Apply")
    tab.tab.keyboard.up("ArrowRight")
    until(lambda: control(gantry, "travel.speed") == 0.0, "it stands still")
    tab.tab.mouse.click(200, 250)
    tab.tab.keyboard.press("Space")
    until(lambda: control(gantry, "left.emergency") == 1.0, "it is stopped")
    anew(tab, gantry, "Undo")
    assert control(gantry, "left.emergency") == 1.0, "it is still stopped"
    tab.tab.mouse.click(200, 250)
    tab.tab.keyboard.press("Space")
    until(lambda: control(gantry, "left.emergency") == 0.0, "the stop is released by one press")
