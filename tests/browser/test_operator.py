"""The operator in a real browser: keys, sticks and a gamepad move the machine while they are held, and only then."""

from __future__ import annotations

import threading
import time
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tabs import Tab, control, place, until

from taut.view import Page
from taut.view.cameras import LOWER

pytestmark = pytest.mark.browser


def still(page: Page, what: str) -> None:
    """Wait until the control of travelling is zero and the trolley stands."""
    until(lambda: control(page, "travel.speed") == 0.0, what)
    until(lambda: _rests(page), "the trolley comes to rest")


def _rests(page: Page) -> bool:
    before = place(page, "trolley")
    time.sleep(0.2)
    return bool(np.abs(place(page, "trolley") - before).max() < 1e-4)


def camera(tab: Tab) -> list[float]:
    """Where the camera stands [m]."""
    found: list[float] = tab.tab.evaluate("() => window.__viserMutable.cameraControl.camera.position.toArray()")
    return found


def test_a_key_moves_the_trolley_while_it_is_held_and_not_the_camera(tab: Tab, gantry: Page) -> None:
    start, stood = place(gantry, "trolley")[0], camera(tab)
    assert not tab.tab.locator(".taut-legend").count(), "in a small window the words are folded away"
    tab.tab.locator(".taut-fold").click()
    tab.tab.keyboard.down("ArrowRight")
    until(lambda: control(gantry, "travel.speed") > 0.0, "the control is set")
    until(lambda: place(gantry, "trolley")[0] > start + 0.1, "the trolley travels to the right")
    assert tab.tab.locator("kbd.taut-on").count() == 1
    knobs = "() => [...document.querySelectorAll('.taut-knob')].map((knob) => knob.style.transform).filter(Boolean)"
    assert len(tab.tab.evaluate(knobs)) == 1, "its stick shows it too"
    tab.tab.keyboard.up("ArrowRight")
    until(lambda: not tab.tab.evaluate(knobs), "and comes back")
    tab.tab.locator(".taut-fold").click()
    still(gantry, "release brings the lever to the middle")
    until(lambda: float(tab.slider("travel [m/s]").input_value()) == 0.0, "its slider shows it")
    for key in ("ArrowUp", "a", "q"):  # the gantry has no lever for them
        tab.tab.keyboard.down(key)
        time.sleep(1.2)
        tab.tab.keyboard.up(key)
    assert camera(tab) == pytest.approx(stood, abs=1e-6)


def test_keys_work_after_a_tick_box_was_clicked_and_who_uses_tab_keeps_the_focus(tab: Tab, gantry: Page) -> None:
    box = tab.tab.get_by_role("checkbox", name="arrows").first
    focus = "() => document.activeElement.type || document.activeElement.tagName"
    for _ in range(2):
        box.click()
    until(lambda: tab.tab.evaluate(focus) != "checkbox", "the focus is given back")
    tab.tab.keyboard.press("p")
    until(lambda: tab.has_button("Play"), "it pauses")
    tab.tab.keyboard.press("p")
    until(lambda: tab.has_button("Pause"), "it goes on")
    box.focus()
    for _ in range(2):
        tab.tab.evaluate("() => document.activeElement.click()")  # as the browser does for a key
    time.sleep(0.3)
    assert tab.tab.evaluate(focus) == "checkbox"
    tab.tab.evaluate("() => document.activeElement.blur()")


def test_the_bar_fits_a_window_that_is_made_narrow_and_wide_again(tab: Tab, gantry: Page) -> None:
    stop = tab.tab.locator(".taut-stop")
    panel = tab.tab.locator('.mantine-Paper-root[style*="max-height: 60%"]').first
    assert stop.inner_text() == "EMERGENCY STOP"
    try:
        for _ in range(2):
            tab.resize({"width": 390, "height": 844})
            until(lambda: stop.inner_text() == "E-STOP", "short words in a narrow window")
            until(lambda: 0.0 < panel.bounding_box()["height"] < 84.0, "the panel is closed")
            tab.resize()
            until(lambda: stop.inner_text() == "EMERGENCY STOP", "and long ones in a wide one")
    finally:
        tab.resize()
    until(lambda: tab.has_button("Pause"), "the panel is back")


@pytest.mark.parametrize(
    ("wide", "high", "share", "small"),
    [(1280, 713, 0.13, False), (1000, 640, 0.11, True), (760, 480, 0.2, True), (640, 420, 0.35, True)],
)
def test_the_levers_leave_the_picture_to_the_machine(
    tab: Tab, gantry: Page, wide: int, high: int, share: float, small: bool
) -> None:
    tab.tab.evaluate("() => localStorage.removeItem('taut-keys')")
    tab.reload()
    box = tab.tab.locator("#taut-operator")
    try:
        tab.resize({"width": wide, "height": high})
        until(
            lambda: ("taut-small" in (box.get_attribute("class") or "")) is small,
            "small where the words would cover too much",
        )
        found, scenes = box.bounding_box(), tab.tab.locator("#taut-scenes").bounding_box()
        assert found["width"] * found["height"] < share * (wide - 380) * high, found
        assert scenes["y"] + scenes["height"] < found["y"], "nothing lies on it"
    finally:
        tab.resize()


def test_left_and_right_are_those_of_the_picture(tab: Tab, gantry: Page) -> None:
    """What the page says of its camera is what the camera of viser's client is."""
    (client,) = gantry.server.get_clients().values()

    def apart() -> float:
        way = np.asarray(client.camera.look_at) - np.asarray(client.camera.position)
        known = [heading for heading in gantry.seat.headings if heading is not None]
        turns = [abs((heading - np.arctan2(way[1], way[0]) + np.pi) % (2.0 * np.pi) - np.pi) for heading in known]
        return min(turns, default=np.pi)

    seen = set()
    for preset in ("side", "cabin", "hook"):
        tab.press(preset)
        time.sleep(1.0)
        until(lambda: apart() < 0.06, f"the heading of {preset} is known")
        seen |= gantry.seat.headings
    tab.press("free")
    assert len(seen) > 2


def test_both_winches_hoist_and_shift_goes_slowly(tab: Tab, gantry: Page) -> None:
    start = place(gantry, "hook")[2]
    tab.tab.keyboard.down("w")
    until(lambda: control(gantry, "left.speed") == control(gantry, "right.speed") == 0.8, "both haul")
    until(lambda: float(tab.slider("left + right [m/s]").input_value()) == 0.8, "the slider of both shows it")
    until(lambda: place(gantry, "hook")[2] > start + 0.05, "the hook rises")
    tab.tab.keyboard.down("Shift")
    until(lambda: control(gantry, "left.speed") == pytest.approx(0.24), "slowly")
    tab.tab.keyboard.up("Shift")
    tab.tab.keyboard.up("w")
    until(lambda: control(gantry, "left.speed") == 0.0, "they stop")


@pytest.mark.parametrize("event", ["blur", "pagehide"])
def test_a_window_that_loses_its_focus_lets_go(tab: Tab, gantry: Page, event: str) -> None:
    tab.tab.keyboard.down("ArrowLeft")
    until(lambda: control(gantry, "travel.speed") < 0.0, "it travels")
    tab.tab.evaluate("name => window.dispatchEvent(new Event(name))", event)
    still(gantry, "the lever is let go")
    tab.tab.keyboard.up("ArrowLeft")


def test_a_tab_that_stalls_lets_go(tab: Tab, gantry: Page) -> None:
    tab.tab.keyboard.down("ArrowRight")
    until(lambda: control(gantry, "travel.speed") > 0.0, "it travels")
    tab.stall(2.0)
    until(lambda: control(gantry, "travel.speed") == 0.0, "it stops")
    stopped = time.time()
    assert stopped < tab.woke(), "the machine does not wait for a tab"
    tab.tab.keyboard.up("ArrowRight")
    still(gantry, "nothing starts by itself")


def test_two_browsers_see_the_same_and_one_that_is_gone_lets_go(tab: Tab, chromium: Any, gantry: Page) -> None:
    other = Tab(chromium, gantry)
    try:
        slider = tab.slider("travel [m/s]")
        slider.fill("0.1")
        slider.press("Enter")
        until(lambda: other.slider("travel [m/s]").input_value() == "0.1", "the other sees the slider move")
        other.press("Pause")
        until(lambda: tab.has_button("Play"), "the first sees the pause")
        until(lambda: tab.time == other.time, "both show the same moment")
        other.press("Play")
        # the panel has a row less then, and Stop another place
        until(lambda: tab.has_button("Pause"), "the first sees it go on")
        tab.press("Slow to a stop")
        still(gantry, "one stops what the other sees")
        other.tab.locator(".taut-stick").first.wait_for()
        other.tab.bring_to_front()  # a page without the focus does not drive
        other.tab.keyboard.down("ArrowRight")
        until(lambda: control(gantry, "travel.speed") > 0.0, "it travels")
    finally:
        other.close()
    still(gantry, "the machine stops with the page that held its lever")
    before = tab.time
    until(lambda: tab.time > before + 0.3, "it goes on for the one that stays")


def test_on_a_phone_the_sticks_lie_under_the_thumbs_and_the_panel_is_closed(
    chromium: Any, gantry: Page, pictures: Path
) -> None:
    wide, high = 390, 844
    phone = Tab(chromium, gantry, ready=".taut-stick", size={"width": wide, "height": high})
    try:
        panel = phone.tab.locator(".mantine-Paper-root").first
        until(lambda: 0.0 < panel.bounding_box()["height"] < 0.1 * high, "only the handle of the panel is seen")
        boxes = {side: phone.tab.locator(f".taut-stick[data-side={side}]").bounding_box() for side in ("left", "right")}
        assert all(box["y"] > high / 2 and box["width"] >= 100 for box in boxes.values()), (
            "low, and wide enough for thumbs"
        )
        assert boxes["left"]["x"] + boxes["left"]["width"] < wide / 2 < boxes["right"]["x"]
        stop = phone.tab.locator(".taut-stop").bounding_box()
        assert stop["x"] >= 0 and stop["x"] + stop["width"] <= wide
        row = [
            phone.tab.locator("#taut-scenes, .taut-head button:not(.taut-fold)").nth(k).bounding_box() for k in range(5)
        ]
        assert len({box["y"] for box in row}) == 1, "all buttons in one row"
        row.sort(key=lambda box: box["x"])
        assert row[0]["x"] >= 0 and row[-1]["x"] + row[-1]["width"] <= wide
        assert all(one["x"] + one["width"] < two["x"] for one, two in pairwise(row)), "none lies on another"
        for leg in ("leg_1", "leg_4"):
            until(
                lambda leg=leg: 0 < phone.screen(place(gantry, leg))[0] < wide, f"{leg} is seen: the whole machine is"
            )
        phone.tab.screenshot(path=str(pictures / "phone.png"))
        box = boxes["right"]
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        phone.tab.mouse.move(x, y)
        phone.tab.mouse.down()
        phone.tab.mouse.move(x, y - 55)
        until(lambda: control(gantry, "left.speed") > 0.5, "it hoists")
        phone.tab.mouse.up()
        until(lambda: control(gantry, "left.speed") == 0.0, "it springs back")
        more = phone.tab.locator(".taut-exercise-stop")
        for size in ({"width": wide, "height": high}, {"width": 360, "height": 640}):
            phone.resize(size)
            apart(phone, size)
            phone.tab.locator(".taut-exercise").click()
            until(lambda: more.is_visible() and phone.tab.locator(".taut-note").is_visible(), "the exercise has begun")
            for word in ("Release", "E-STOP"):
                phone.tab.locator(".taut-stop").click()
                until(lambda word=word: phone.tab.locator(".taut-stop").inner_text() == word, "the emergency stop")
                apart(phone, size)
            phone.tab.screenshot(path=str(pictures / f"phone_exercise_{size['width']}.png"))
            more.click()
            until(lambda: not more.count(), "it is broken off")
            apart(phone, size)
    finally:
        phone.close()


def apart(tab: Tab, size: dict[str, int]) -> None:
    """Buttons and words are within the window, and none lies on another."""
    seen = tab.tab.locator("#taut-scenes, .taut-head button:not(.taut-fold), .taut-note").all()
    boxes = [box for one in seen if one.is_visible() and (box := one.bounding_box())]
    assert len(boxes) >= 5
    ends = [(b["x"], b["y"], b["x"] + b["width"], b["y"] + b["height"]) for b in boxes]
    assert all(x >= 0 and y >= 0 and right <= size["width"] and low <= size["height"] for x, y, right, low in ends)
    for one, two in combinations(ends, 2):
        gaps = one[0] - two[2], two[0] - one[2], one[1] - two[3], two[1] - one[3]
        assert max(gaps) >= 3.0, (one, two)


def test_a_trainee_sees_nothing_of_what_the_instructor_clicked(tab: Tab, chromium: Any, gantry: Page) -> None:
    marks = """() => Object.keys(window.__viserSceneTree.getState()).filter((name) => /^.(cursor|pull)/.test(name))"""
    tab.click(place(gantry, "load"))
    until(lambda: "/cursor/label" in tab.tab.evaluate(marks), "the label is in the picture")
    trainee = Tab(chromium, f"{gantry.url}/?trainee", ready="#taut-operator")
    try:
        nodes = "() => Object.keys(window.__viserSceneTree?.getState() ?? {})"
        until(lambda: any("load" in name for name in trainee.tab.evaluate(nodes)), "the scene is there")
        assert not trainee.tab.evaluate(marks)
        tab.click(place(gantry, "trailer"))
        until(lambda: "trailer" in tab.text("reading"), "something else is clicked")
        time.sleep(1.0)
        assert not trainee.tab.evaluate(marks)
        assert not trainee.complaints
    finally:
        trainee.tab.close()
    tab.tab.mouse.click(20, 20)  # the sky
    until(lambda: not tab.tab.locator("[data-taut=reading]").count(), "nothing is marked")


def test_a_trainee_has_levers_and_picture_alone(chromium: Any, gantry: Page, pictures: Path) -> None:
    tab = Tab(chromium, f"{gantry.url}/?trainee", ready="#taut-operator")
    try:
        panel = tab.tab.locator("[data-taut=title]").first
        until(lambda: not panel.is_visible(), "no panel, and with it no instructor")
        until(
            lambda: tab.tab.locator("canvas[data-engine]").bounding_box()["width"] == 960.0,
            "a picture as wide as the window",
        )
        assert not tab.tab.locator("#taut-scenes").is_visible()
        start = place(gantry, "trolley")[0]
        tab.tab.keyboard.down("ArrowRight")
        until(lambda: place(gantry, "trolley")[0] > start + 0.1, "the trolley travels")
        tab.tab.keyboard.up("ArrowRight")
        still(gantry, "and stops")
        tab.tab.screenshot(path=str(pictures / "gantry_trainee.png"))
        assert not tab.complaints
    finally:
        tab.tab.close()


def test_words_beside_the_levers_make_the_box_higher_not_wider(tab: Tab, gantry: Page) -> None:
    box = tab.tab.locator("#taut-operator")
    before = box.bounding_box()
    show = """text => { for (const name of ["note", "driver"]) { const node = document.querySelector(".taut-" + name);
        node.textContent = text; node.hidden = !text; } }"""
    tab.tab.evaluate(show, "it swings by 1.9 m: drive after it, let go when it hangs straight, " * 3)
    after = box.bounding_box()
    tab.tab.evaluate(show, "")
    assert after["width"] == pytest.approx(before["width"], abs=1.0) and after["height"] > before["height"] + 20
    assert before["width"] <= 0.6 * tab.tab.viewport_size["width"] + 1.0


def test_a_stick_is_dragged_and_springs_back(tab: Tab, gantry: Page) -> None:
    stick = tab.tab.locator(".taut-stick[data-side=left]").bounding_box()
    x, y = stick["x"] + stick["width"] / 2, stick["y"] + stick["height"] / 2
    tab.tab.mouse.move(x, y)
    tab.tab.mouse.down()
    tab.tab.mouse.move(x - 20, y)
    until(lambda: control(gantry, "travel.speed") < -0.1, "half a deflection to the left")
    tab.tab.mouse.move(x - 44, y)
    until(lambda: control(gantry, "travel.speed") < -0.9, "full deflection")
    tab.tab.mouse.up()
    still(gantry, "it springs back")


def test_a_gamepad_hoists_with_its_right_stick_and_stops_with_its_button(tab: Tab, gantry: Page) -> None:
    tab.tab.evaluate("() => { window.pad.axes[3] = -1 }")
    until(lambda: control(gantry, "left.speed") == 0.8, "up is up")
    tab.tab.evaluate("() => { window.pad.axes[3] = 0.05 }")
    until(lambda: control(gantry, "left.speed") == 0.0, "its middle is never quite the middle")
    tab.tab.evaluate("() => { window.pad.buttons[1].pressed = true }")
    until(lambda: control(gantry, "left.emergency") == 1.0, "the emergency stop")
    tab.tab.evaluate("() => { window.pad.buttons[1].pressed = false }")
    tab.tab.keyboard.press("Space")
    until(lambda: control(gantry, "left.emergency") == 0.0, "Space releases it")


def lift(gantry: Page) -> None:
    """Haul until the load hangs on its slings."""
    runner = gantry.runner
    assert runner is not None
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.5)
    until(lambda: runner.frame is not None and all(h.carries for h in runner.frame.hooks.values()), "it is lifted")
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.0)


def test_stop_and_hook_are_buttons_too(tab: Tab, gantry: Page) -> None:
    tab.tab.locator(".taut-stop").click()
    until(lambda: control(gantry, "right.emergency") == 1.0, "the button stops")
    until(lambda: tab.tab.locator(".taut-stop").inner_text() == "Release emergency stop", "and says what it does next")
    until(lambda: tab.tab.get_by_label("emergency stop").is_checked(), "the panel shows it")
    tab.tab.keyboard.down("ArrowRight")
    lever = tab.slider("travel [m/s]")
    lever.fill("1")
    lever.press("Enter")
    until(lambda: lever.input_value() == "0", "a slider springs back")
    assert control(gantry, "travel.speed") == 0.0, "nothing is driven meanwhile, not even what has no brake"
    tab.tab.keyboard.up("ArrowRight")
    tab.tab.locator(".taut-stop").click()
    until(lambda: control(gantry, "right.emergency") == 0.0, "it is released")
    lift(gantry)
    tab.tab.keyboard.press("h")
    note = tab.tab.locator(".mantine-Notification-root", has_text="A load hangs on it")
    until(lambda: note.count(), "it is asked whether that is meant")
    assert control(gantry, "sling_1.hook") == 1.0
    tab.tab.keyboard.press("h")
    until(lambda: control(gantry, "sling_1.hook") == 0.0, "the slings are unhooked")
    until(lambda: tab.tab.locator(".taut-hook").inner_text() == "Hook on", "the button says so")
    tab.tab.locator(".taut-hook").click()
    until(lambda: control(gantry, "sling_4.hook") == 1.0, "they are hooked on again")


def test_a_refused_value_springs_back_also_where_the_panel_writes_at_that_very_moment(
    tab: Tab, gantry: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    # viser takes a value over, then passes it on to all but the one who moved it; the panel follows the levers in another thread
    show = gantry._show
    assert show is not None and show.panel is not None and show.runner is not None
    panel, runner = show.panel, show.runner
    state = panel._sliders["travel.speed"]._impl
    echo, wrote = state.sync_cb, []

    def meanwhile(*given: Any) -> None:
        other = threading.Thread(target=lambda: panel.show(runner.frame, runner.status, driven=True))  # type: ignore[arg-type]
        other.start()
        other.join()
        wrote.append(given)
        assert echo is not None
        echo(*given)

    monkeypatch.setattr(state, "sync_cb", meanwhile)
    tab.tab.keyboard.press("Space")
    until(lambda: control(gantry, "left.emergency") == 1.0, "it is stopped")
    lever = tab.slider("travel [m/s]")
    lever.fill("1")
    lever.press("Enter")
    until(lambda: wrote, "it is heard")
    until(lambda: lever.input_value() == "0", "it springs back")
    assert control(gantry, "travel.speed") == 0.0
    tab.tab.keyboard.press("Space")
    until(lambda: control(gantry, "left.emergency") == 0.0, "it is released")


def test_typing_a_number_drives_nothing(tab: Tab, gantry: Page) -> None:
    box = tab.slider("travel [m/s]")
    box.click()
    tab.tab.keyboard.down("w")
    time.sleep(0.3)
    assert control(gantry, "left.speed") == 0.0
    tab.tab.keyboard.up("w")
    for stopped in (1.0, 0.0):
        tab.tab.keyboard.press("Space")  # also while a number is being typed
        until(lambda stopped=stopped: control(gantry, "left.emergency") == stopped, "Space stops and lets go")

    def left() -> bool:
        """Enter leaves the field; a tab that is being drawn anew at that moment may take it back, and a person presses once more."""
        tab.tab.keyboard.press("Enter")
        time.sleep(0.5)
        return bool(tab.tab.evaluate("() => document.activeElement.tagName") != "INPUT")

    until(left, "the keys are the machine's again")


def test_switched_off_the_keys_are_the_cameras_again(tab: Tab, gantry: Page) -> None:
    tab.tab.locator(".taut-toggle").click()
    stood = camera(tab)
    tab.tab.keyboard.down("w")
    until(lambda: np.abs(np.array(camera(tab)) - stood).max() > 0.01, "the camera moves")
    tab.tab.keyboard.up("w")
    assert control(gantry, "left.speed") == 0.0
    for stopped in (1.0, 0.0):
        tab.tab.keyboard.press("Space")
        until(lambda stopped=stopped: control(gantry, "left.emergency") == stopped, "the emergency stop is never off")
    tab.tab.locator(".taut-toggle").click()


def test_the_camera_stays_above_the_ground(tab: Tab, gantry: Page) -> None:
    tab.press("side")
    box = tab.tab.evaluate("() => window.__viserMutable.canvas.getBoundingClientRect().toJSON()")
    # above the levers, also where they have something to say
    x, y = box["left"] + 0.4 * box["width"], box["top"] + 0.1 * box["height"]
    before = camera(tab)
    for _ in range(3):  # as far down as a hand goes
        tab.tab.mouse.move(x, y + 0.5 * box["height"])
        tab.tab.mouse.down()
        tab.tab.mouse.move(x, y, steps=8)
        tab.tab.mouse.up()
    until(lambda: camera(tab)[1] < before[1] - 0.1, "it goes down")
    time.sleep(1.0)
    assert camera(tab)[1] > 0.0, "the ground of the gantry is at zero"
    tab.press("free")


@pytest.mark.parametrize("preset", ["side", "hook", "cabin", "follow"])
def test_camera_presets(tab: Tab, gantry: Page, preset: str) -> None:
    before = camera(tab)
    tab.press(preset)
    if preset != "follow":  # it stays where it is and turns
        until(lambda: camera(tab) != before, "the camera goes there")
    if preset != "side":
        # the canvas may have fewer pixels than it takes room
        middle = tab.tab.evaluate(
            """() => { const box = window.__viserMutable.canvas.getBoundingClientRect();
            return [box.left + box.width / 2, box.top + box.height / 2]; }"""
        )
        # from the cabin and at the hook, hook and load are seen together
        share = LOWER.get(preset, 0.0)

        def aim() -> np.ndarray:
            return (1.0 - share) * place(gantry, "hook") + share * place(gantry, "load")

        until(lambda: np.abs(np.array(tab.screen(aim())) - middle).max() < 12.0, "what is looked at is in the middle")
    tab.press("free")


def test_the_page_lists_the_keys_and_a_hook_out_of_reach_says_how_far(tab: Tab, gantry: Page) -> None:
    runner = gantry.runner
    assert runner is not None
    tab.tab.locator(".taut-fold").click()
    listed = tab.tab.locator("#taut-operator kbd").all_inner_texts()
    assert {"H", "P", "N", "1–5", "Space", "Shift", "W", "S"} <= set(listed)
    assert listed.index("W") < listed.index("S") and listed.index("←") < listed.index("→"), "as on the keyboard"
    lines = tab.tab.locator(".taut-line[data-lever]")
    told = [lines.nth(k).get_attribute("title") for k in range(lines.count())]
    assert {"W up, S down", "← left, → right", "R up, F down", "T up, G down"} <= set(told), "which key is which"
    assert {"up/down", "left/right"} <= set(tab.tab.locator(".taut-line small").all_text_contents())
    tab.tab.locator(".taut-fold").click()
    box = tab.tab.locator("#taut-operator").bounding_box()
    assert tab.screen(place(gantry, "load"))[1] < box["y"] + 30.0, (
        "the load is seen above it, also in this small window"
    )
    tab.reset(gantry)
    hook = tab.tab.locator(".taut-hook")
    until(lambda: hook.inner_text() == "Unhook", "the load hangs")
    tab.tab.keyboard.press("h")
    until(lambda: hook.inner_text() == "Hook on", "it is let go")
    start = place(gantry, "hook")[2]
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.8)
    until(lambda: place(gantry, "hook")[2] > start + 1.0, "the hook is out of reach")
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.0)
    tab.tab.keyboard.press("h")
    note = tab.tab.locator(".mantine-Notification-root", has_text="Nothing is hooked on")
    until(lambda: note.count(), "it is said")
    assert "Out of reach by" in (note.first.text_content() or "")
    assert hook.inner_text() == "Hook on" and control(gantry, "sling_1.hook") == 0.0
    tab.reset(gantry)
    until(lambda: hook.inner_text() == "Unhook", "as it was at the start")


def test_a_winch_at_its_limit_says_so_beside_the_picture(tab: Tab, gantry: Page) -> None:
    runner, note = gantry.runner, tab.tab.locator(".taut-note")
    assert runner is not None
    tab.reset(gantry)
    runner.set_speed(4.0)
    for winch in ("left", "right"):
        runner.set_control(f"{winch}.speed", 0.8)
    until(lambda: "left, right: upper limit, may only lower" in note.inner_text(), "it is said")
    runner.set_speed(1.0)
    tab.reset(gantry)
    until(lambda: not note.is_visible(), "it goes with its reason")
