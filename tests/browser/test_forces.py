"""Forces in a real browser: a legend, arrows, a cursor on a rope, and the last minute once more."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from tabs import Tab, place, until

from taut.view import Page

pytestmark = pytest.mark.browser


def test_a_click_reads_and_plots_a_rope_where_it_is_hit(tab: Tab, gantry: Page) -> None:
    point = 0.5 * (place(gantry, "hook") + place(gantry, "trolley")) + np.array([-1.2, 0.0, 0.0])
    tab.click(point)
    until(lambda: tab.tab.locator("[data-taut=reading]").count(), "something is read")
    assert "left" in tab.text("reading")
    assert gantry.runner is not None
    # two falls carry half of the beam: 600 kg / 4 times 9.81, within what swings
    until(lambda: abs(float(tab.text("reading").split()[1]) - 1471.0) < 60.0, "the tension in N")
    chosen = tab.tab.get_by_label("quantity").input_value()
    assert chosen.startswith("left.tension")


def test_a_click_on_a_body_plots_the_body_and_one_beside_takes_the_mark_away(tab: Tab, gantry: Page) -> None:
    tab.click(place(gantry, "load"))
    until(lambda: "load" in tab.text("reading"), "the load is read")
    assert tab.tab.get_by_label("quantity").input_value().startswith("load.")
    tab.click(np.array([5.0, 60.0, 20.0]))
    until(lambda: not tab.tab.locator("[data-taut=reading]").count(), "nothing is marked")


#: the label of the mark: its text, anchor, place [px], the length of its longest line [px] and the width of the picture [px]
LABEL = """() => { const held = window.__viserMutable, said = window.__viserSceneTree.getState()["/cursor/label"]?.message;
const mark = held.nodeRefFromName["/cursor"], camera = held.cameraControl.camera, pen = document.createElement("canvas").getContext("2d");
if (!said || !mark || !said.props.text) return null;
pen.font = "12px sans-serif"; const wide = held.canvas.clientWidth, lines = said.props.text.split("\\n");
return [said.props.text, said.props.anchor, 0.5 * wide * (1 + camera.position.clone().setFromMatrixPosition(mark.matrixWorld).project(camera).x),
    Math.max(...lines.map((line) => pen.measureText(line).width)), wide]; }"""


def test_a_label_is_not_cut_off_at_the_edge(tab: Tab, gantry: Page) -> None:
    def within(name: str) -> bool:
        found = tab.tab.evaluate(LABEL)
        if not found or not found[0].startswith(f"{name}: "):
            return False
        _, anchor, at, long, wide = found
        return bool(at - long > 0.0 if anchor.endswith("right") else at + long < wide)

    middle = 0.5 * (place(gantry, "hook") + place(gantry, "trolley"))
    for name, point in {
        "leg_1": place(gantry, "leg_1"),
        "leg_3": place(gantry, "leg_3"),
        "right": middle + np.array([1.2, 0.0, 0.0]),
    }.items():
        tab.click(point)
        until(lambda name=name: within(name), f"all of the label of {name} is in the picture")
    assert "\n" in tab.tab.evaluate(LABEL)[0], "a long one has lines"
    tab.click(np.array([5.0, 60.0, 20.0]))
    until(lambda: not tab.tab.locator("[data-taut=reading]").count(), "nothing is marked")


def test_the_legend_tells_what_red_is(tab: Tab, gantry: Page) -> None:
    box = tab.tab.get_by_label("colour ropes by tension")
    box.click()
    until(lambda: tab.tab.locator("[data-taut=highest]").is_visible(), "the legend")
    until(lambda: tab.text("highest").endswith("kN"), "in kN")
    runner = gantry.runner
    assert runner is not None
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.8)
    until(lambda: float(tab.text("highest").split()[0]) > 20.0, "the load is lifted")
    tab.reset(gantry)
    until(lambda: float(tab.text("highest").split()[0]) < 10.0, "what was before does not count")
    box.click()
    until(lambda: not tab.tab.locator("[data-taut=highest]").is_visible(), "it is gone")


def test_arrows_show_contacts_and_joints(tab: Tab, gantry: Page, pictures: Path) -> None:
    from PIL import Image

    def orange() -> int:
        shot = tab.tab.screenshot(path=str(pictures / "gantry_arrows.png"))
        picture = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)[:, :600]
        return int(((picture[..., 0] > 190) & (picture[..., 1] < 150) & (picture[..., 2] < 90)).sum())

    # what the test before has coloured may still be on the screen of a slow tab
    before = orange()
    while (now := orange()) != before:
        before = now
    tab.tab.get_by_label("arrows").click()
    until(lambda: tab.tab.locator("[data-taut=longest]").is_visible(), "what the longest one stands for")
    # the load of 10.3 t stands on four corners, 25 kN each; the rail carries trolley and beam
    until(lambda: tab.text("longest").endswith("kN") and float(tab.text("longest").split()[0]) > 20.0, "tens of kN")
    until(lambda: orange() > before + 30, "arrows are drawn")
    tab.tab.get_by_label("arrows").click()
    until(lambda: not tab.tab.locator("[data-taut=longest]").is_visible(), "they are gone")


def test_the_last_minute_once_more(tab: Tab, gantry: Page) -> None:
    runner = gantry.runner
    assert runner is not None
    start = place(gantry, "trolley")[0]
    runner.set_control("travel.speed", 1.0)
    until(lambda: place(gantry, "trolley")[0] > start + 1.0, "the trolley travels")
    runner.pause()
    until(lambda: tab.has_button("Play"), "it stands")
    stood, now = place(gantry, "trolley")[0], tab.time
    box = tab.slider("moment [s]")
    until(lambda: float(box.input_value()) == pytest.approx(now, abs=0.11), "the present is at its end")
    box.fill(f"{now - 2.0:.1f}")
    box.press("Enter")
    until(lambda: tab.time == pytest.approx(now - 2.0, abs=0.1), "the clock of then")
    until(lambda: place(gantry, "trolley")[0] < stood - 0.3, "and the trolley of then")
    tab.press("Step")
    until(lambda: tab.time == pytest.approx(now - 2.0, abs=0.15) and runner.reach > 0.0, "a step from there")
    until(lambda: runner.player.time == pytest.approx(now - 2.0, abs=0.15), "the run itself has gone back")
    # what is shown is the present now
    until(lambda: float(box.input_value()) == pytest.approx(now - 2.0, abs=0.2), "nothing back")
    tab.press("Play")
    until(lambda: tab.time > now - 1.5, "it goes on")
