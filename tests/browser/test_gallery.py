"""The gallery in a real browser: a scene is chosen and exchanged without a restart; a file that changes is taken over."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import COMPILING
from tabs import PATIENCE, VIEWPORT, until

from taut.scenes import library
from taut.view import Page

pytestmark = pytest.mark.browser

SCENE = """taut: 1
name: Falling ball
bodies:
  ball: {mass: 1 kg, shape: {type: sphere, radius: 0.5}, position: [0, 0, HEIGHT]}
  ground: {kind: static, shape: {type: plane}}
"""


def opened(chromium: Any, page: Page) -> tuple[Any, list[str]]:
    """A tab and its complaints."""
    complaints: list[str] = []
    tab = chromium.new_page(viewport=VIEWPORT)
    tab.set_default_timeout(1000.0 * PATIENCE)

    def note(message: Any) -> None:
        # what is told to a page of the scene before, as it is taken away, is no fault of the next one
        if message.type == "error" and not message.text.startswith("Tried to update non-existent component"):
            complaints.append(message.text)

    tab.on("console", note)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    tab.goto(page.url)
    return tab, complaints


def running(page: Page, scene: str) -> bool:
    """Whether a scene of that name runs."""
    return page.source == scene and page.runner is not None and page.runner.status.phase == "running"


@pytest.fixture
def gallery() -> Iterator[Page]:
    page = Page(port=0)
    page.start()
    yield page
    page.stop()


def test_scenes_are_chosen_and_exchanged_without_a_restart(chromium: Any, gallery: Page, pictures: Path) -> None:
    tab, complaints = opened(chromium, gallery)
    tab.locator(".taut-card").first.wait_for()
    assert {card.get_attribute("data-scene") for card in tab.locator(".taut-card").all()} == set(library())
    for card in tab.locator(".taut-card").all():
        assert card.locator("b").inner_text() and card.locator(".taut-text > span").inner_text()
        shown = card.locator(".taut-picture").evaluate("node => node.style.backgroundImage")
        assert "scenes/" in shown, f"no picture of {card.get_attribute('data-scene')}: run tools/pictures.py"
    tab.screenshot(path=str(pictures / "gallery.png"))
    for scene, title in (("tumbling_box", "Tumbling box"), ("pendulum", "Pendulum")):
        tab.locator(f".taut-card[data-scene={scene}]").click()
        until(lambda scene=scene: running(gallery, scene), f"{scene} runs", COMPILING)
        assert not tab.locator("#taut-gallery").is_visible()
        tab.get_by_text(title, exact=True).first.wait_for()
        tab.wait_for_selector("[data-taut=time]")
        before = float(tab.locator("[data-taut=time]").first.inner_text())
        until(
            lambda before=before: float(tab.locator("[data-taut=time]").first.inner_text()) > before, "its clock runs"
        )
        tab.locator("#taut-scenes").click()
    # the nodes of the first scene are gone
    nodes = tab.evaluate("() => Object.keys(window.__viserSceneTree.getState())")
    assert not [node for node in nodes if "/bodies/box" in node], nodes
    tab.close()
    assert not complaints, complaints


def test_a_file_that_changes_is_taken_over_and_the_camera_stays(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "ball.yaml"
    file.write_text(SCENE.replace("HEIGHT", "3"))
    page = Page(file, port=0)
    page.start()
    try:
        until(lambda: page.runner is not None and page.runner.ready.is_set(), "the solver is ready", COMPILING)
        tab, complaints = opened(chromium, page)
        tab.wait_for_selector("[data-taut=time]")
        tab.evaluate("() => window.__viserMutable.cameraControl.setLookAt(9, 8, 7, 0, 1, 0, false)")
        time.sleep(0.5)
        file.write_text(SCENE.replace("HEIGHT", "30"))
        until(lambda: page.scene.bodies["ball"].start_position[2] == 30.0, "the new scene is shown")
        until(lambda: running(page, str(file)), "it runs")
        tab.wait_for_selector("[data-taut=time]")
        stood = tab.evaluate("() => window.__viserMutable.cameraControl.camera.position.toArray()")
        assert stood == pytest.approx([9, 8, 7], abs=0.1), "the camera stays where it was"
        file.write_text(SCENE.replace("HEIGHT", "thirty"))
        error = tab.locator("[data-taut=error]:visible")
        error.wait_for()
        assert "ball.yaml" in error.inner_text() and "thirty" in error.inner_text()
        assert running(page, str(file)), "what runs goes on"
        file.write_text(SCENE.replace("HEIGHT", "4"))
        until(lambda: page.scene.bodies["ball"].start_position[2] == 4.0, "the correction is taken over")
        error.wait_for(state="hidden")
        tab.close()
        assert not complaints, complaints
    finally:
        page.stop()


def test_every_scene_of_the_library_runs_on_the_page(chromium: Any, gallery: Page, pictures: Path) -> None:
    import imageio.v3 as iio
    import numpy as np

    tab, complaints = opened(chromium, gallery)
    tab.locator(".taut-card").first.wait_for()
    for scene in library():
        gallery.open(scene)
        until(lambda scene=scene: running(gallery, scene), f"{scene} runs", COMPILING)
        tab.wait_for_selector("[data-taut=time]")
        until(lambda: float(tab.locator("[data-taut=time]").first.inner_text()) > 0.2, f"the clock of {scene} runs")
        shot = iio.imread(tab.screenshot(path=str(pictures / f"scene_{scene}.png")))[..., :3]
        seen = np.unique((shot[:, : shot.shape[1] // 2] // 16).reshape(-1, 3), axis=0)
        assert len(seen) > 8, f"{scene} is not to be seen"
        assert not tab.locator("[data-taut=error]:visible").count(), scene
    tab.close()
    assert not complaints, complaints
