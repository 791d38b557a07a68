"""The gantry in a real browser: ropes, wheels and levers are there, the load is lifted, the emergency stop holds it."""

from __future__ import annotations

import io
import time
from pathlib import Path

import numpy as np
import pytest
from tabs import Tab, control, until

from taut.view import Page

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
    time.sleep(1.0)
    held = height(gantry)
    time.sleep(1.0)
    assert height(gantry) == pytest.approx(held, abs=0.05)
    tab.tab.get_by_label("emergency stop").click()
    until(lambda: control(gantry, "left.emergency") == 0.0, "it is released")
    time.sleep(1.0)
    assert height(gantry) == pytest.approx(held, abs=0.05), "nothing starts by itself"


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
