"""The page of the yard in a real browser: it moves, obeys, draws, and goes on whatever happens."""

from __future__ import annotations

import io
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import SHARED
from tabs import Tab, control, let_run, place, until

from taut import SimulationError
from taut.view import Page

pytestmark = pytest.mark.browser


@pytest.fixture
def tab(yard: Page) -> Iterator[Tab]:
    """The tab, the run set back to its start and running; nothing may go wrong in it meanwhile."""
    found = SHARED.tab
    found.complaints.clear()
    assert yard.runner is not None
    yard.runner.set_speed(1.0)
    yard.runner.pause()
    yard.runner.reset()
    until(lambda: found.time == 0.0 and found.has_button("Play"), "the tab shows the start")
    yard.runner.play()
    until(lambda: found.has_button("Pause"), "and that it runs")
    yield found
    assert not found.complaints, found.complaints


def test_the_page_is_up_before_the_solver(record_property: Any) -> None:
    started = time.perf_counter()
    page = Page("yard", port=0)
    try:
        with urllib.request.urlopen(page.url, timeout=30) as answer:
            assert answer.status == 200
        # reported, not judged: the time is the machine's
        record_property("page_up_seconds", round(time.perf_counter() - started, 3))
    finally:
        page.stop()


def test_the_clock_runs_in_real_time(tab: Tab) -> None:
    until(lambda: tab.time > 0.5, "the clock moves")
    before, steps = tab.time, tab.text("steps")
    until(lambda: tab.time > before + 1.0, "the clock goes on")
    assert tab.text("steps") != steps
    factor = until(lambda: tab.tab.locator("[data-taut=factor]").count() and tab.text("factor"), "the factor is shown")
    assert 0.0 < float(factor) < 3.0


def test_pause_step_reset_and_play(tab: Tab, yard: Page) -> None:
    until(lambda: tab.time > 0.3, "it runs")
    tab.press("Pause")
    until(lambda: tab.has_button("Play"), "the button turns to Play")
    until(lambda: tab.text("phase") == "paused", "the panel says so")
    assert yard.runner is not None and yard.runner.frame is not None
    still = yard.runner.frame.step
    time.sleep(0.3)
    assert yard.runner.frame.step == still
    tab.press("Step")
    until(lambda: yard.runner is not None and yard.runner.frame.step == still + 1, "one step is made")
    tab.reset(yard)
    until(lambda: tab.time == 0.0, "the clock is at the start")
    tab.press("Play")
    until(lambda: tab.time > 0.3, "it runs again")


def test_a_slider_drives_the_trolley_and_stop_stops_it(tab: Tab, yard: Page) -> None:
    start = place(yard, "trolley")[0]
    slider = tab.slider("trolley x [m/s]")
    slider.fill("1")
    slider.press("Enter")
    until(lambda: control(yard, "trolley.velocity[0]") == 1.0, "the control follows the slider")
    until(lambda: place(yard, "trolley")[0] > start + 0.4, "the trolley moves to the right")
    until(lambda: place(yard, "load")[0] > start + 0.1, "the load follows on its rope")
    tab.press("Slow to a stop")
    until(lambda: control(yard, "trolley.velocity[0]") == 0.0, "the control is zero")
    until(lambda: float(slider.input_value()) == 0.0, "the slider shows it")

    def rests() -> bool:
        before = place(yard, "trolley")[0]
        time.sleep(0.3)
        return bool(abs(place(yard, "trolley")[0] - before) < 1e-6)

    until(rests, "the trolley comes to rest")
    tab.reset(yard)
    until(lambda: abs(place(yard, "trolley")[0] - start) < 0.01, "reset brings it back")


def test_the_load_lands_goes_slack_and_is_lifted_again(tab: Tab, yard: Page) -> None:
    runner = yard.runner
    assert runner is not None
    runner.set_speed(4.0)
    runner.set_control("hoist.speed", 0.5)
    until(lambda: runner.frame is not None and runner.frame.slack["hoist"] > 0.3, "the rope goes slack")
    assert place(yard, "load")[2] == pytest.approx(0.45, abs=0.02)
    assert place(yard, "hook")[2] == pytest.approx(1.1, abs=0.05)
    runner.set_control("hoist.speed", -0.5)
    until(lambda: place(yard, "load")[2] > 1.0, "the load is lifted")
    assert runner.frame is not None and runner.frame.slack["hoist"] == 0.0
    assert runner.status.phase == "running"


def test_it_draws_something_worth_looking_at(tab: Tab, pictures: Path) -> None:
    from PIL import Image

    def seen() -> bool:
        shot = tab.tab.screenshot(path=str(pictures / "yard.png"))
        picture = np.asarray(Image.open(io.BytesIO(shot)).convert("RGB")).astype(int)
        # the part left of the panel
        scene = picture[:, : picture.shape[1] // 2]
        colours = np.unique((scene // 16).reshape(-1, 3), axis=0)
        yellow = (scene[..., 0] > 140) & (scene[..., 1] > 110) & (scene[..., 2] < 110)
        return len(colours) > 40 and bool(yellow.mean() > 0.01)

    tab.resize({"width": 1440, "height": 900})
    until(seen, "as many colours as a scene has, and the yellow of the gantry")
    tab.resize()


def test_without_a_graphics_card_nothing_is_drawn_that_costs_much(tab: Tab) -> None:
    assert "SwiftShader" in tab.tab.evaluate("() => document.documentElement.dataset.tautRenderer || ''")
    shadows = """() => { let count = 0; window.__viserMutable.scene.traverse((node) => { if (node.isLight) count +=
        node.castShadow ? 1000 : 1; }); return count; }"""
    until(lambda: 0 < tab.tab.evaluate(shadows) < 1000, "there are lights, and none of them casts shadows")
    shining = """() => { const seen = []; window.__viserMutable.scene.traverse((node) => { if (node.isDirectionalLight)
        seen.push([node.visible, node.color.getHexString()]); }); return seen; }"""
    until(
        lambda: all(seen == (colour != "ffffff") for seen, colour in tab.tab.evaluate(shining)), "the sun is ours alone"
    )
    assert any(seen for seen, _ in tab.tab.evaluate(shining))


def test_a_quantity_is_chosen_and_plotted(tab: Tab) -> None:
    # what the scene measures first: the rope carries load and hook
    until(lambda: abs(tab.number("value") - 42.16) < 0.5, "the tension of the hoist in kN")
    chooser = tab.tab.get_by_label("quantity")
    chooser.fill("load.position[2]")
    tab.tab.get_by_role("option", name="load.position[2]").click()
    until(lambda: abs(tab.number("value") - 1.75) < 0.02, "the height of the load in m")
    assert tab.tab.locator(".uplot canvas").count() >= 2
    chooser.fill("hoist.tension")
    tab.tab.get_by_role("option", name="hoist.tension").click()


def test_what_is_typed_into_a_list_replaces_what_was_chosen(tab: Tab, yard: Page) -> None:
    chooser = tab.tab.get_by_label("quantity")
    for name in ("load.speed", "hoist.tension"):  # the first choice leaves the focus in the field
        chooser.click()
        tab.tab.keyboard.type(name)
        assert chooser.input_value() == name
        tab.tab.get_by_role("option", name=name, exact=True).click()
        until(lambda name=name: chooser.input_value() == name, "it is chosen")
    tab.tab.keyboard.type("load.sp")
    assert chooser.input_value() == "load.sp", "without another click, too"
    tab.tab.keyboard.press("Escape")
    chooser.blur()
    until(lambda: chooser.input_value() == "hoist.tension", "what was chosen stays")


def test_the_axis_of_a_chart_has_three_marks_whatever_the_values(tab: Tab, yard: Page) -> None:
    marks = """async (size) => { const { chart } = Object.values(window.__viserTestpoints.uplots)[0];
        chart.setScale("y", { min: -size, max: size }); await new Promise((done) => setTimeout(done));
        return chart.axes[1]._splits.length; }"""
    few = {size: count for size in np.geomspace(1.0, 10.0, 24) if (count := tab.tab.evaluate(marks, size)) < 3}
    assert not few


def test_quantities_of_one_unit_share_a_chart_and_others_have_their_own(tab: Tab, yard: Page) -> None:
    chooser = tab.tab.get_by_label("quantity")
    charts = tab.tab.locator(".uplot canvas")
    alone = charts.count()
    tab.press("Add another")
    until(lambda: tab.tab.locator("[data-taut=also]").count() == 1, "two values are told")
    assert chooser.input_value() != "hoist.tension"
    chooser.fill("contact.force")
    tab.tab.get_by_role("option", name="contact.force", exact=True).click()
    until(lambda: tab.text("also").startswith("42.") and tab.text("also").endswith("kN"), "one beside, in kN")
    assert charts.count() == alone, "in one chart"
    tab.press("Add another")
    # what is chosen sooner than the press is sent takes the place of what is chosen now
    until(lambda: tab.tab.locator("[data-taut=also]").count() == 2, "three values are told")
    chooser.fill("load.position[2]")
    tab.tab.get_by_role("option", name="load.position[2]").click()
    until(lambda: charts.count() == alone + 1, "a height has a chart of its own")
    until(lambda: abs(tab.number("value") - 1.75) < 0.02, "the height of the load in m")
    tab.press("Only this one")
    until(lambda: charts.count() == alone and not tab.has_button("Only this one"), "the others are gone")
    chooser.fill("hoist.tension")
    tab.tab.get_by_role("option", name="hoist.tension").click()
    until(lambda: abs(tab.number("value") - 42.16) < 0.5, "the tension in kN")


def test_a_tab_that_stalls_holds_up_nothing(tab: Tab, yard: Page) -> None:
    runner = yard.runner
    assert runner is not None and runner.frame is not None
    before, clock = runner.frame.time, time.monotonic()
    tab.stall(3.0)
    let_run(yard, 0.5)
    went_on = time.time()
    assert went_on < tab.woke(), "the run does not wait for the tab"
    assert runner.frame.time - before < 1.2 * (time.monotonic() - clock), "nor does it run ahead of the wall"
    runner.pause()
    until(
        lambda: tab.has_button("Play") and tab.text("time") == f"{runner.frame.time:.2f}", "the tab finds the present"
    )


def test_an_error_is_shown_and_reset_leads_out(tab: Tab, yard: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    assert yard.runner is not None

    def runs_away(steps: int) -> None:
        raise SimulationError("step 7, time 0.1 s: <load> has run away; the last good state stands.")

    monkeypatch.setattr(yard.runner.player, "advance", runs_away)
    error = tab.tab.locator("[data-taut=error]")
    error.wait_for()
    assert "<load> has run away" in error.inner_text()
    monkeypatch.undo()
    tab.reset(yard)
    until(lambda: tab.text("phase") == "paused", "reset leads out of the error")
    until(lambda: not error.is_visible(), "and the message goes")
    tab.press("Play")
    until(lambda: tab.time > 0.2, "it runs again")
