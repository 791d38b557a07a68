"""The world changed in a real browser: a value, undo, a saved file, wind, and a body pulled by the pointer."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import COMPILING
from tabs import Tab, until

from taut.scenes import library
from taut.view import Page

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def gantry(chromium: Any) -> Iterator[Page]:
    """The page of the gantry, running."""
    page = Page("gantry", port=0)
    page.start()
    until(lambda: page.runner is not None and page.runner.ready.is_set(), "the solver is ready", COMPILING)
    yield page
    page.stop()


@pytest.fixture(scope="module")
def tab(chromium: Any, gantry: Page) -> Iterator[Tab]:
    """A tab on the gantry, the folder of changes open."""
    made = Tab(chromium, gantry)
    made.tab.add_style_tag(content=".mantine-Notification-root{display:none!important}")
    made.tab.get_by_text("Change", exact=True).click()
    made.tab.get_by_role("button", name="Apply", exact=True).wait_for()
    yield made
    made.close()


def mass(page: Page, body: str) -> float:
    """Of a body as it runs [kg]."""
    assert page.runner is not None
    sim = page.runner.player.sim  # type: ignore[attr-defined]
    return float(sim.model.body_mass[sim.compiled.bodies.index[body]])


def place(page: Page, body: str) -> np.ndarray:
    """Where a body is now [m]."""
    assert page.runner is not None and page.runner.frame is not None
    return page.runner.frame.positions[list(page.scene.bodies).index(body)].astype(float)


def test_a_mass_is_changed_saved_and_undone(tab: Tab, gantry: Page, tmp_path: Path) -> None:
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
    tab.tab.mouse.up()
    tab.tab.keyboard.up("Control")
    until(lambda: not tab.tab.locator("[data-taut=pull]").count(), "it is let go")
    assert gantry.runner is not None
    until(lambda: not gantry.runner.player.sim.state.body_push.any(), "nothing pulls any more")  # type: ignore[union-attr, attr-defined]
