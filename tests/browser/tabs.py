"""A tab of the browser, as the tests use it."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from taut.view import Page

#: how long anything may take on a slow machine without a graphics card [s]
PATIENCE = 60.0
#: small, because the software renderer pays by the pixel [px]
VIEWPORT = {"width": 960, "height": 640}

#: few pictures a second: the software renderer would take a core from the tests that run beside these
SELDOM = """window.tautRest = 500; window.pictures = 0; { const draw = WebGL2RenderingContext.prototype.drawElements;
WebGL2RenderingContext.prototype.drawElements = function (...given) {
  if (window.tautFrame !== document.timeline.currentTime) window.pictures += 1;
  window.tautFrame = document.timeline.currentTime; return draw.apply(this, given); }; }"""


def until(condition: Callable[[], Any], what: str, seconds: float = PATIENCE) -> Any:
    """Wait for something that must come; returns it."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, f"not within {seconds:g} s: {what}"
        time.sleep(0.05)
    return found


def let_run(page: Page, seconds: float) -> None:
    """Wait until so much simulated time has passed [s], at whatever pace the machine has."""
    runner = page.runner
    assert runner is not None and runner.frame is not None
    end = runner.frame.time + seconds
    until(lambda: runner.frame is not None and runner.frame.time >= end, f"{seconds:g} s more are simulated")


def place(page: Page, body: str) -> np.ndarray:
    """Where a body is now [m]."""
    assert page.runner is not None and page.runner.frame is not None
    return page.runner.frame.positions[list(page.scene.all_bodies()).index(body)].astype(float)


def control(page: Page, name: str) -> float:
    """What a control is set to."""
    assert page.runner is not None
    return next(c.value for c in page.runner.controls() if c.name == name)


#: what viser's page says when it is scrolled at a bad moment; it is not ours
PASSIVE = "Unable to preventDefault inside passive event listener"


class Tab:
    """A tab of the browser and what it complains about."""

    def __init__(
        self,
        browser: Any,
        url: str | Page,
        script: str = "",
        ready: str = "[data-taut=time], .taut-card",
        size: dict[str, int] = VIEWPORT,
    ) -> None:
        self.complaints: list[str] = []
        self.tab = browser.new_page(viewport=size)
        self.tab.set_default_timeout(1000.0 * PATIENCE)
        self.tab.on(
            "console", lambda message: self._note(message.type, f"{message.text} {message.location.get('url')}")
        )
        self.tab.on("pageerror", lambda error: self._note("error", str(error)))
        self.tab.add_init_script(SELDOM + script)
        self.tab.goto(url if isinstance(url, str) else url.url)
        self._begin(ready)

    def _begin(self, ready: str) -> None:
        self.tab.wait_for_selector(ready)
        # the note of the browser about its software renderer is not ours
        self.tab.add_style_tag(content=".mantine-Notification-root{display:none!important}")

    def reload(self) -> None:
        """Open the page anew in it."""
        self.tab.reload()
        self._begin("[data-taut=title]")

    def _note(self, kind: str, text: str) -> None:
        if kind == "error" and not (PASSIVE in text and "/taut/" not in text):
            self.complaints.append(text)

    def text(self, key: str) -> str:
        """A value of the panel, by its data-taut."""
        found: str = self.tab.locator(f"[data-taut={key}]").first.inner_text()
        return found

    def number(self, key: str) -> float:
        """A value of the panel as a number; not one while it is not known or not there."""
        found = self.tab.locator(f"[data-taut={key}]")
        text = found.first.inner_text() if found.count() else "–"
        return math.nan if text == "–" else float(text)

    @property
    def time(self) -> float:
        """Simulated time that the panel shows [s]."""
        return float(self.text("time"))

    @property
    def pictures(self) -> int:
        """How many pictures it has drawn."""
        found: int = self.tab.evaluate("() => window.pictures")
        return found

    def shows(self, page: Page) -> bool:
        """Whether it shows the run of the page."""
        clock = self.tab.locator("[data-taut=time]")
        if not clock.count() or page.runner is None:
            return False
        mine = clock.first.get_attribute("data-run") == str(page.runner.status.run)
        return mine and self.text("title") == page.scene.name and self.has_button("Pause")

    def press(self, name: str) -> None:
        """Press a button."""
        self.tab.get_by_role("button", name=name, exact=True).click()

    def reset(self, page: Page) -> None:
        """Press *Reset* and wait until the run is back at its start: what is set before that is set back too."""
        runner = page.runner
        assert runner is not None
        before = runner.resets
        self.press("Reset")
        until(lambda: runner.resets > before, "the run is reset")

    def has_button(self, name: str) -> bool:
        """Whether there is such a button."""
        return bool(self.tab.get_by_role("button", name=name, exact=True).count())

    def choose(self, label: str, option: str) -> None:
        """Choose from a list."""
        self.tab.get_by_label(label, exact=True).click()
        self.tab.get_by_role("option", name=option, exact=True).click()

    def slider(self, label: str) -> Any:
        """The number beside a slider: the same value, typed."""
        row = self.tab.locator("label", has_text=label).first.locator("xpath=ancestor::div[contains(@class,'Flex')][1]")
        return row.locator("input").last

    def click(self, point: Any, **how: Any) -> None:
        """Click where a point of the world is seen [m], once the canvas has found its size."""
        x, y = self.screen(point)
        while (found := self._later(point)) != (x, y):
            x, y = found
        self.tab.mouse.click(x, y, **how)

    def _later(self, point: Any) -> tuple[float, float]:
        time.sleep(0.4)
        return self.screen(point)

    def screen(self, point: Any) -> tuple[float, float]:
        """Where a point of the world is seen [px]; the renderer has other axes."""
        x, y = self.tab.evaluate(
            """([x, y, z]) => { const camera = window.__viserMutable.cameraControl.camera;
            const turn = window.__viserSceneTree.getState()[""].wxyz, q = camera.quaternion.clone();
            q.set(turn[1], turn[2], turn[3], turn[0]);
            const v = camera.position.clone().set(x, y, z).applyQuaternion(q).project(camera);
            const box = window.__viserMutable.canvas.getBoundingClientRect();
            return [box.left + (v.x + 1) / 2 * box.width, box.top + (1 - v.y) / 2 * box.height]; }""",
            [float(part) for part in point],
        )
        return x, y

    def stall(self, seconds: float) -> None:
        """Let it answer nothing for so long [s]; returns at once. `woke` tells when it answered again."""
        self.tab.evaluate(
            """seconds => { window.woke = 0; setTimeout(() => { const end = performance.now() + 1000 * seconds;
            while (performance.now() < end); window.woke = Date.now() / 1000; }) }""",
            seconds,
        )

    def woke(self) -> float:
        """When it came back from its stall, by the clock of time.time [s]; waits for it."""
        found: float = self.tab.wait_for_function("() => window.woke").json_value()
        return found

    def resize(self, size: dict[str, int] = VIEWPORT) -> None:
        """Give the tab another size."""
        self.tab.set_viewport_size(size)

    def close(self) -> None:
        """Close the tab; nothing may have gone wrong in it."""
        self.tab.close()
        assert not self.complaints, self.complaints
