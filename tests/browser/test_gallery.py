"""The gallery in a real browser: a scene is chosen and exchanged without a restart; a file that changes is taken over."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import COMPILING, SHARED, running
from tabs import Tab, until

from taut.scenes import catalogue
from taut.view.live import LivePlayer

pytestmark = pytest.mark.browser

#: pixels cost the software renderer most of its time [px]
SMALL = {"width": 700, "height": 420}
SCENE = """taut: 1
name: Falling ball
bodies:
  ball: {mass: 1 kg, shape: {type: sphere, radius: 0.5}, position: [0, 0, HEIGHT]}
  ground: {kind: static, shape: {type: plane}}
"""


def test_scenes_are_chosen_and_exchanged_without_a_restart(tab: Tab, pictures: Path) -> None:
    page, shown = SHARED.page, tab.tab
    if not shown.locator("#taut-gallery").is_visible():
        shown.locator("#taut-scenes").click()
    shown.locator(".taut-card").first.wait_for()
    cards = shown.evaluate(
        """() => [...document.querySelectorAll(".taut-card")].map((card) => [card.dataset.scene,
        card.querySelector("b").innerText, card.querySelector(".taut-text > span").innerText,
        card.querySelector(".taut-picture").style.backgroundImage])"""
    )
    assert {card[0] for card in cards} == set(catalogue())
    for scene, title, sentence, picture in cards:
        assert title and sentence
        assert "scenes/" in picture, f"no picture of {scene}: run tools/pictures.py"
    shown.screenshot(path=str(pictures / "gallery.png"))
    for scene, title in (("tumbling_box", "Tumbling box"), ("pendulum", "Pendulum")):
        shown.locator(f".taut-card[data-scene={scene}]").click()
        until(lambda scene=scene: running(page, scene), f"{scene} runs", COMPILING)
        assert not shown.locator("#taut-gallery").is_visible()
        until(lambda title=title: tab.shows(page) and tab.text("title") == title, "the tab shows it")
        before = tab.time
        until(lambda before=before: tab.time > before, "its clock runs")
        wide = shown.evaluate(
            """() => { const camera = window.__viserMutable.cameraControl.camera;
            return 2 * Math.atan(Math.tan(camera.fov * Math.PI / 360) * camera.aspect) * 180 / Math.PI; }"""
        )
        assert wide > 50.0, "a narrow window sees as much from side to side as others [deg]"
        shown.locator("#taut-scenes").click()
    # the nodes of the first scene are gone
    nodes = shown.evaluate("() => Object.keys(window.__viserSceneTree.getState())")
    assert not [node for node in nodes if "/bodies/box" in node], nodes
    shown.locator(".taut-back").click()


def test_a_file_that_changes_is_taken_over_and_the_camera_stays(tab: Tab, tmp_path: Path) -> None:
    file, page = tmp_path / "ball.yaml", SHARED.page
    file.write_text(SCENE.replace("HEIGHT", "3"))
    SHARED.show(str(file))
    tab.tab.evaluate("() => window.__viserMutable.cameraControl.setLookAt(9, 8, 7, 0, 1, 0, false)")
    file.write_text(SCENE.replace("HEIGHT", "30"))
    until(lambda: page.scene.bodies["ball"].start_position[2] == 30.0, "the new scene is shown")
    until(lambda: running(page, str(file)) and tab.shows(page), "it runs")
    stood = tab.tab.evaluate("() => window.__viserMutable.cameraControl.camera.position.toArray()")
    assert stood == pytest.approx([9, 8, 7], abs=0.1), "the camera stays where it was"
    file.write_text(SCENE.replace("HEIGHT", "thirty"))
    error = tab.tab.locator("[data-taut=error]:visible")
    error.wait_for()
    assert "ball.yaml" in error.inner_text() and "thirty" in error.inner_text()
    assert running(page, str(file)), "what runs goes on"
    file.write_text(SCENE.replace("HEIGHT", "4"))
    until(lambda: page.scene.bodies["ball"].start_position[2] == 4.0, "the correction is taken over")
    error.wait_for(state="hidden")
    tab.tab.get_by_text("Not taken over").wait_for(state="detached")


def test_a_tab_that_is_opened_while_the_solver_is_prepared_shows_it_and_then_the_clock(
    tab: Tab, monkeypatch: pytest.MonkeyPatch
) -> None:
    page, go_on, make = SHARED.page, threading.Event(), LivePlayer.__init__

    def slowly(self: LivePlayer, source: Any, progress: Any = None, made: Any = None) -> None:
        progress(3, 16, "")
        assert go_on.wait(COMPILING)
        make(self, source, progress, made)

    monkeypatch.setattr(LivePlayer, "__init__", slowly)
    try:
        before = page.runner
        page.open("pendulum")
        until(lambda: page.runner is not None and page.runner is not before, "it is opened")
        tab.reload()
        tab.tab.locator("[data-taut=status]", has_text="Preparing the solver: 3 of 16 parts").wait_for()
        assert tab.text("title") == "Pendulum" and not tab.tab.locator("[data-taut=time]:visible").count()
        told = tab.text("status")
        until(lambda: tab.text("status") != told, "it tells how long it has taken")
        # without a graphics card the processor is the compiler's meanwhile: at most a picture a second
        tab.tab.evaluate("() => { window.tautRest = 0; }")
        begun, drawn = time.monotonic(), tab.pictures
        time.sleep(3.0)
        assert tab.pictures - drawn <= time.monotonic() - begun + 1.0
    finally:
        go_on.set()
    until(lambda: running(page, "pendulum") and tab.shows(page), "the tab shows it")
    until(lambda: tab.time > 0.0, "its clock runs")
    # as fast as it can now, which no test should ask a number of
    begun, drawn = time.monotonic(), tab.pictures
    until(lambda: tab.pictures - drawn > 1.5 * (time.monotonic() - begun) + 2.0, "it is drawn often again")
    tab.tab.evaluate("() => { window.tautRest = 500; }")
    assert not tab.tab.locator("[data-taut=status]:visible").count()


def test_every_scene_of_the_library_runs_on_the_page(tab: Tab, pictures: Path) -> None:
    import imageio.v3 as iio
    import numpy as np

    tab.resize(SMALL)
    for scene in catalogue():
        SHARED.show(scene)
        until(lambda: tab.time > 0.0, f"the clock of {scene} runs")

        def seen(scene: str = scene) -> bool:
            shot = iio.imread(tab.tab.screenshot(path=str(pictures / f"scene_{scene}.png")))[..., :3]
            return len(np.unique((shot[:, : shot.shape[1] // 2] // 16).reshape(-1, 3), axis=0)) > 8

        until(seen, f"{scene} is to be seen")
        assert not tab.tab.locator("[data-taut=error]:visible").count(), scene
    tab.resize()
