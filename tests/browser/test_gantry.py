"""The gantry in a real browser: ropes, wheels and levers are there, the load is lifted, the emergency stop holds it."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from tabs import Tab, control, let_run, until

from taut.view import Page
from taut.view.frame import Frame

pytestmark = pytest.mark.browser


def height(page: Page) -> float:
    """Of the load [m]."""
    assert page.runner is not None and page.runner.frame is not None
    return float(page.runner.frame.positions[list(page.scene.bodies).index("load"), 2])


def test_one_lever_drives_both_winches_and_the_emergency_stop_holds(tab: Tab, gantry: Page) -> None:
    assert gantry.runner is not None
    gantry.runner.set_speed(4.0)
    both = tab.slider("left + right [m/s]")
    both.fill("0.8")
    both.press("Enter")
    until(lambda: control(gantry, "left.speed") == control(gantry, "right.speed") == 0.8, "both winches haul")
    until(lambda: tab.slider("right [m/s]").input_value() == "0.8", "their own levers show it")
    until(lambda: height(gantry) > 1.5, "the load is lifted")
    tab.tab.get_by_label("emergency stop").click()
    until(lambda: control(gantry, "left.emergency") == 1.0 and control(gantry, "left.speed") == 0.0, "it stops")
    let_run(gantry, 2.0)
    held = height(gantry)
    let_run(gantry, 2.0)
    assert height(gantry) == pytest.approx(held, abs=0.05)
    tab.tab.get_by_label("emergency stop").click()
    until(lambda: control(gantry, "left.emergency") == 0.0, "it is released")
    let_run(gantry, 2.0)
    assert height(gantry) == pytest.approx(held, abs=0.05), "nothing starts by itself"


def test_an_exercise_is_driven_scored_and_shown_again(tab: Tab, gantry: Page) -> None:
    runner = gantry.runner
    assert runner is not None
    begin = tab.tab.locator(".taut-exercise")
    assert begin.inner_text() == "Exercise", "it need not be looked for in the panel"
    begin.click()
    until(lambda: begin.inner_text() == "Begin again", "it has begun")
    tab.tab.locator(".taut-exercise-stop").click()
    until(lambda: begin.inner_text() == "Exercise", "it can be broken off")
    tab.tab.locator(".mantine-Paper-root").get_by_text(
        "Exercise", exact=True
    ).last.click()  # the first may be a word of the scene's text
    tab.press("Start")
    until(lambda: tab.text("course-gates") == "0 of 4", "the clock runs")
    gates = """() => Object.entries(window.__viserSceneTree.getState()).filter(([name, node]) =>
        name.startsWith("/course/gate") && node.visibility !== false).length"""
    until(lambda: tab.tab.evaluate(gates) == 4, "the gates are seen")
    note = tab.tab.locator(".taut-note")
    until(lambda: "gate 1 of 4" in note.inner_text(), "it is told beside the picture too")
    runner.set_speed(4.0)
    hand = Hand(gantry)
    runner.heard.append(hand)
    until(lambda: tab.tab.locator("[data-taut=points]").count(), "it is scored")
    time_, sway = float(tab.text("course-time").split()[0]), float(tab.text("course-sway").split()[0])
    touches = int(tab.text("course-touches"))
    assert float(tab.text("points")) == pytest.approx(time_ + 10.0 * touches + 5.0 * sway, abs=0.15)
    assert touches == 0, "it hit nothing"
    until(
        lambda: note.inner_text() == f"exercise done: {tab.text('points')} points, fewer are better",
        "the score as well",
    )
    runner.heard.remove(hand)
    end = height(gantry)
    runner.set_speed(1.0)
    tab.tab.locator(".taut-exercise-watch").click()
    until(lambda: height(gantry) < 1.0, "it stands on the ground again")
    until(lambda: note.inner_text().startswith("Replay 0:"), "it is said that this is a replay")
    until(lambda: tab.has_button("Back to the crane") and tab.text("phase") == "replay", "in the panel too")
    tab.tab.keyboard.down("ArrowRight")
    until(lambda: "the replay ends first (P)" in note.inner_text(), "nothing is driven meanwhile")
    tab.tab.keyboard.up("ArrowRight")
    assert control(gantry, "travel.speed") < 1.0
    runner.set_speed(4.0)
    until(lambda: height(gantry) == pytest.approx(end, abs=0.1), "and is led to the end again")
    runner.set_speed(4.0)
    tab.press("Play")
    until(lambda: tab.has_button("Pause"), "it goes on")
    tab.reset(gantry)
    until(lambda: not note.is_visible() and tab.tab.evaluate(gates) == 0, "a reset takes the gates away")
    assert tab.has_button("Watch again"), "what was driven is still there"


class Hand:
    """Drives through the course as one would who sees where the load swings; at every moment of the run, whatever the
    pace of the tab."""

    def __init__(self, page: Page) -> None:
        assert page.scene.view.course is not None and page.runner is not None
        self.gates = list(page.scene.view.course.gates)
        self.set_control = page.runner.player.set_control
        names = list(page.scene.all_bodies())
        self.trolley, self.load = names.index("trolley"), names.index("load")

    def __call__(self, frame: Frame) -> None:
        """A new moment."""
        trolley, load = frame.positions[self.trolley].astype(float), frame.positions[self.load].astype(float)
        goal = self.gates[0]
        if len(self.gates) > 1 and np.linalg.norm(load - goal.position) < 0.9 * goal.radius:
            self.gates.pop(0)
        x, _, z = goal.position
        # to above the gate, slower the nearer it is, and after the load where it swings
        self.set_control("travel.speed", float(np.clip(0.3 * (x - load[0]) + 0.8 * (load[0] - trolley[0]), -1.0, 1.0)))
        for side in ("left", "right"):
            self.set_control(f"{side}.speed", float(np.clip(1.2 * (z - load[2]), -0.8, 0.8)))


def test_ropes_are_seen_and_turn_red_with_tension(tab: Tab, gantry: Page, pictures: Path) -> None:
    from PIL import Image

    assert gantry.runner is not None
    gantry.runner.reset()
    until(lambda: height(gantry) < 0.6, "the load stands on the ground")
    gantry.runner.set_control("left.speed", 0.8)
    gantry.runner.set_control("right.speed", 0.8)
    until(lambda: height(gantry) > 2.0, "the load hangs high")
    gantry.runner.pause()

    def reds(name: str) -> int:
        shot = tab.tab.screenshot(path=str(pictures / name))
        picture = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
        scene = picture[:, : picture.shape[1] // 2]
        return int((scene[..., 0] - scene[..., 1:].max(axis=2) > 40).sum())

    plain = reds("gantry.png")
    tab.tab.get_by_label("colour ropes by tension").click()
    until(lambda: reds("gantry_tension.png") > plain + 50, "the ropes turn red")
