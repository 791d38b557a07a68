"""The routing studio in a real browser, as a designer uses it: two parts, a cable between them, dragged and saved."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from tabs import Tab, until

from taut.cables.rod.route import Route
from taut.cli import main
from taut.view.route_arrows import CONTROL

pytestmark = pytest.mark.browser

UP = np.array([0.0, 0.0, 1.0])
COMMAND = "import sys; from taut.cli import main; sys.exit(main())"


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two mesh files, in millimetres, which they do not say."""
    folder = tmp_path_factory.mktemp("bench")
    bracket = trimesh.creation.box((80, 120, 60))
    bracket.apply_translation((0, 0, 30))
    bracket.export(folder / "bracket.stl")
    pump = trimesh.creation.box((60, 60, 140))
    pump.apply_translation((320, 40, 70))
    pump.export(folder / "pump.obj")
    return folder


@pytest.fixture(scope="module")
def studio(bench: Path) -> Iterator[str]:
    """The address of `taut route bracket.stl pump.obj`."""
    words = [sys.executable, "-c", COMMAND, "route", "bracket.stl", "pump.obj", "--no-open", "--port", "0"]
    with subprocess.Popen(words, cwd=bench, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", process.stdout.readline())
        assert found is not None
        yield found[0]
        process.terminate()


@pytest.fixture(scope="module")
def tab(chromium: Any, studio: str) -> Iterator[Tab]:
    """The studio, opened."""
    made = Tab(chromium, studio, ready="text=click on the face where the cable begins")
    yield made
    made.close()


def route_of(file: Path) -> Route:
    """A saved route, solved."""
    made = Route.load(file)
    made.solve()
    return made


def save(tab: Tab, file: Path) -> Route:
    """Save under a name, and read back."""
    tab.slider("file").fill(file.name)
    tab.tab.keyboard.press("Tab")
    tab.press("save")
    tab.tab.get_by_text(f"saved as {file.name}").first.wait_for()
    return route_of(file)


def drag(tab: Tab, begin: np.ndarray, end: np.ndarray, moved: Callable[[], bool]) -> None:
    """Drag an arrow. A slow tab has to see the pointer over it first, or it is the camera that is turned: then once more."""
    mouse = tab.tab.mouse

    def dragged() -> bool:
        (x, y), (far_x, far_y) = tab.screen(begin), tab.screen(end)
        mouse.move(x, y)
        time.sleep(1.0)
        mouse.down()
        for k in range(1, 9):
            mouse.move(x + k / 8 * (far_x - x), y + k / 8 * (far_y - y))
        mouse.up()
        last = time.monotonic() + 5.0
        while not (found := moved()) and time.monotonic() < last:
            time.sleep(0.1)
        return found

    until(dragged, "it was moved")


def test_from_two_meshes_to_a_saved_hose(tab: Tab, bench: Path, pictures: Path, capsys: pytest.CaptureFixture) -> None:
    page = tab.tab
    # meshes do not say their unit: the studio shows what follows from one
    page.get_by_text("80 x 120 x 60 mm").wait_for()
    tab.choose("their unit", "cm")
    page.get_by_text("800 x 1200 x 600 mm").wait_for()
    tab.choose("their unit", "mm")
    page.get_by_text("80 x 120 x 60 mm").wait_for()
    tab.press("Yes")
    # a face for each end, a material, a shape
    tab.click((0.02, 0.0, 0.06))
    said = page.locator("[data-taut=said]", has_text="now click where it ends")
    said.wait_for()
    until(
        lambda: "now click where it ends" in page.locator("#taut-bar").inner_text(), "it is said over the picture, too"
    )
    tab.click((0.32, 0.01, 0.1))
    page.locator("[data-taut=bend_radius]").wait_for()
    said.wait_for(state="detached")
    tab.choose("material", "cable harness")
    page.get_by_text("E 20 MPa, nu 0.4, density 1400 kg/m^3").wait_for()
    assert page.get_by_label("diameter [mm]", exact=True).input_value() == "16", "a material does not change the size"
    page.screenshot(path=str(pictures / "studio.png"))
    made = save(tab, bench / "first.yaml")
    cable = made.harness["cable"]
    assert cable.points[0] == pytest.approx([0.02, 0.0, 0.06], abs=3e-3), "where it was clicked, to a few pixels"
    assert cable.points[-1] == pytest.approx([0.32, 0.01, 0.1], abs=3e-3)
    way = np.diff(cable.points, axis=0) / np.diff(cable.arc_length)[:, None]
    assert way[0] == pytest.approx([0, 0, 1], abs=0.1), "along the outward normal"
    assert way[-1] == pytest.approx([0, 1, 0], abs=0.1), "into the face"
    # the other material hangs a little differently, which twists it by less than a degree
    assert np.abs(cable.twist).max() * cable.length < np.radians(1.0), "a new cable is not twisted"
    # a click on its point chooses an end; it is dragged by the arrow that points as its direction says, along the cable
    start = cable.points[0]
    size = CONTROL * cable.length
    tab.click(start)
    until(lambda: page.get_by_label("chosen", exact=True).input_value() == "cable.start", "a click on it chooses it")
    names = (bench / f"dragged{k}.yaml" for k in range(1000))

    def moved() -> np.ndarray:
        return save(tab, next(names)).harness["cable"].points[0] - start

    drag(tab, start + 0.6 * size * UP, start + 0.9 * size * UP, lambda: moved()[2] > 0.25 * size)
    page.screenshot(path=str(pictures / "studio_dragged.png"))
    assert np.abs(moved()[:2]).max() < 3e-3, "and only up"
    tab.press("undo")
    until(lambda: np.abs(moved()).max() < 1e-6, "one step back is where it was")
    tab.press("redo")
    until(lambda: moved()[2] > 0.25 * size, "and forth again")
    # what is saved is read by the command line too
    assert main(["route", str(bench / "dragged0.yaml"), "--no-view", "--export", str(bench / "cable.csv")]) == 0
    assert "bend_radius" in capsys.readouterr().out
    assert (bench / "cable.csv").exists()
    # digits come one by one, a number counts when it is complete
    tab.slider("length [mm]").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("460", delay=150)
    page.get_by_text("Limits", exact=True).click()
    tab.slider("least bend radius [mm]").click()
    page.keyboard.press("Control+a")
    page.keyboard.type("12", delay=150)
    page.get_by_text("≥ 12 mm").wait_for()
    assert page.get_by_label("length [mm]", exact=True).input_value() == "460"
    until(
        lambda: "limit" in page.locator("#taut-bar [data-bar=limits]").inner_text(), "kept or broken, over the picture"
    )


def kept(tab: Tab, file: Path) -> Route:
    """Save under a name and read back, whatever is said meanwhile."""
    file.unlink(missing_ok=True)
    tab.slider("file").fill(file.name)
    tab.tab.keyboard.press("Tab")
    tab.press("save")
    until(file.exists, f"{file.name} is saved")
    return route_of(file)


def type_into(tab: Tab, label: str, text: str, which: int = 0) -> None:
    """Type a number into a box, or into one of the three of a vector."""
    row = tab.tab.locator("label", has_text=label).first.locator("xpath=ancestor::div[contains(@class,'Flex')][1]")
    row.locator("input").nth(which).click()
    tab.tab.keyboard.press("Control+a")
    tab.tab.keyboard.type(text, delay=50)


def value_of(tab: Tab, label: str, which: int = 0) -> float:
    """The number that stands there."""
    row = tab.tab.locator("label", has_text=label).first.locator("xpath=ancestor::div[contains(@class,'Flex')][1]")
    return float(row.locator("input").nth(which).input_value())


def test_numbers_parts_clips_and_downloads(tab: Tab, bench: Path, pictures: Path) -> None:
    page = tab.tab
    tab.resize({"width": 960, "height": 1500})
    tab.press("look at all of it")
    # an end by numbers
    tab.choose("chosen", "cable.end")
    until(lambda: abs(value_of(tab, "point [mm]") - 320.0) < 5.0, "the end is shown in numbers")
    type_into(tab, "point [mm]", "315", 0)
    until(
        lambda: abs(kept(tab, bench / "typed.yaml").harness["cable"].points[-1][0] - 0.315) < 1e-6, "the end is there"
    )
    # what is no number leaves the field as it was
    type_into(tab, "point [mm]", "abc", 0)
    page.keyboard.press("Tab")
    until(lambda: value_of(tab, "point [mm]") == 315.0, "it shows again what holds")
    # its arrows along the world: the one along x is dragged, which also chooses
    tab.choose("chosen", "cable.start")
    tab.choose("arrows along", "the world")
    tab.choose("chosen", "nothing")
    page.get_by_label("all arrows").click()
    before = kept(tab, bench / "before.yaml").harness["cable"]
    start, size = before.points[0], CONTROL * before.length
    way = np.array([1.0, 0.0, 0.0])
    # between the plane's square and the ring of the arrows
    drag(
        tab,
        start + 0.5 * size * way,
        start + 0.2 * size * way,
        lambda: start[0] - kept(tab, bench / "after.yaml").harness["cable"].points[0][0] > 0.25 * size,
    )
    until(
        lambda: page.get_by_label("chosen", exact=True).input_value() == "cable.start", "arrows choose what they move"
    )
    assert np.abs(kept(tab, bench / "after.yaml").harness["cable"].points[0][1:] - start[1:]).max() < 1e-6, (
        "and only so"
    )
    until(lambda: abs(value_of(tab, "point [mm]") - 1e3 * kept(tab, bench / "after.yaml").harness["cable"].points[0][0]) < 0.01,
          "the numbers follow")  # fmt: skip
    page.screenshot(path=str(pictures / "studio_chosen.png"))
    # a part with the end that stands on it
    page.get_by_text("Parts", exact=True).click()
    tab.choose("chosen", "part pump")
    until(lambda: value_of(tab, "point [mm]") == 0.0, "a mesh stands where its file says")
    type_into(tab, "point [mm]", "10", 2)
    until(
        lambda: abs(kept(tab, bench / "raised.yaml").harness._obstacle("pump").point[2] - 0.01) < 1e-9,
        "the pump is raised",
    )
    raised = (
        kept(tab, bench / "raised.yaml").harness["cable"].points[-1]
        - kept(tab, bench / "after.yaml").harness["cable"].points[-1]
    )
    assert np.abs(raised).max() < 1e-5, "what was typed before was no longer on its face: it stays"
    # a box, and away with it
    tab.press("add this shape")
    until(lambda: page.get_by_label("chosen", exact=True).input_value() == "part box_1", "it is chosen")
    page.screenshot(path=str(pictures / "studio_parts.png"))
    tab.press("remove the part")
    until(lambda: page.get_by_label("chosen", exact=True).input_value() == "nothing", "it is gone")
    # a clip where the cable is in hand, of another kind then
    cable = kept(tab, bench / "raised.yaml").harness["cable"]
    tab.click(cable.points[len(cable.points) // 2])
    page.get_by_text("is in hand").first.wait_for()
    tab.press("set a clip where the cable is in hand")
    until(lambda: page.get_by_label("chosen", exact=True).input_value() == "clip 1 of cable", "the clip is chosen")
    tab.choose("kind of clip", "sliding clip")
    until(
        lambda: "slide" in (kept(tab, bench / "slid.yaml").data["route"]["cables"]["cable"]["clips"][0]["release"]),
        "it slides",
    )
    page.get_by_text("More of this cable", exact=True).click()
    tab.press("automatic length")
    until(lambda: abs(kept(tab, bench / "auto.yaml").harness["cable"].length - cable.length) > 1e-4, "another length")
    page.screenshot(path=str(pictures / "studio_clip.png"))
    # what is taken along
    page.get_by_text("Take it with you", exact=True).click()
    tab.choose("as", "centreline, STEP")
    for button, name, inside in (
        ("download it", "cable.step", "B_SPLINE"),
        ("download the report", "auto.html", "bend radius"),  # called as it was saved last
    ):
        with page.expect_download() as found:
            tab.press(button)
        assert found.value.suggested_filename == name
        assert inside in Path(found.value.path()).read_text()
    assert main(["route", str(bench / "auto.yaml"), "--no-view", "--report", str(bench / "out.html")]) in (0, 1)
    assert "bend radius" in (bench / "out.html").read_text()


def test_a_motion_is_seen_frame_by_frame(tab: Tab, bench: Path, pictures: Path) -> None:
    page = tab.tab
    file = bench / "lift.csv"
    height = route_of(bench / "auto.yaml").harness["cable"].points[-1][2]
    file.write_text("time,cable.end.z\n" + "".join(f"{0.1 * k:g},{height + 0.004 * k:g}\n" for k in range(4)))
    page.get_by_text("Motion", exact=True).click()
    with page.expect_file_chooser() as chooser:
        tab.press("run a motion (CSV)")
    chooser.value.set_files(str(file))
    page.get_by_role("button", name="play", exact=True).wait_for()
    tab.slider("frame").fill("4")
    page.keyboard.press("Tab")
    seen = page.locator("[data-taut=frame]", has_text="frame 4 of 4 of motion lift.csv, at 0.3 s")
    seen.wait_for()
    until(lambda: "frame 4 of 4" in page.locator("#taut-bar").inner_text(), "it is said over the picture, too")
    page.screenshot(path=str(pictures / "studio_frame.png"))
    tab.press("back to the present shape")
    seen.wait_for(state="hidden")
    # a click beside the worst of a measure goes to its frame
    button = page.locator("[data-frame]").last
    frame = button.get_attribute("data-frame")
    button.click()
    page.locator("[data-taut=frame]", has_text=f"frame {frame} of 4").wait_for()
    until(lambda: tab.slider("frame").input_value() == frame, "the slider stands there")
    # a limit changes no shape: the motion stays; which one is broken is said over the picture
    type_into(tab, "least bend radius [mm]", "900")
    until(lambda: "FAIL" in page.locator("[data-taut=worst]").inner_text(), "it is judged anew")
    told = page.locator("#taut-bar [data-bar=limits]")
    until(
        lambda: re.search(r"cable: bend radius .* mm at .*, allowed at least 900 mm", told.inner_text()), "it is named"
    )
    # the axes of the world stay in their corner
    assert page.locator("#taut-tripod line").count() == 3
