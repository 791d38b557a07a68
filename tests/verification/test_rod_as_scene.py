"""A saved route read as a scene: the same hose, by the solver of scenes."""

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cables.rod.route import Route
from taut.scenes import open_scene

HOSE = """
taut: 1
route:
  parts: {housing: {shape: {type: box, size: [120 mm, 160 mm, 60 mm]}, point: [300 mm, 0, -500 mm]}}
  connectors: {pump: {point: [0, 0, 0]}}
  cables:
    hose:
      length: 600 mm
      segments: 40
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {at: pump, direction: [1, 0, 0]}
      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0.3, 0], up: [0, 1, 1]}
"""


def saved(folder: Path, text: str) -> Path:
    file = folder / "hose.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_the_hose_of_a_route_is_the_hose_of_its_scene(tmp_path: Path) -> None:
    file = saved(tmp_path, HOSE)
    route = Route.load(file)
    route.solve()
    hose = route.harness["hose"]
    scene = open_scene(file)
    assert list(scene.bodies) == ["housing"] and scene.cables["hose"].model == "rod"
    sim = taut.Simulation(scene)
    sim.run(2)
    turned = float(0.5 * (hose.twist[1:] + hose.twist[:-1]) @ np.diff(hose.arc_length))
    assert abs(turned) > 0.1, "there is a twist to be carried over"
    # residuals of 1e-8 on both sides; the roll is found to a part in a million
    assert sim.read("hose.twist") == pytest.approx(turned, rel=1e-3)
    assert sim.read("hose.bend_radius") == pytest.approx(hose.bend_radius[0], rel=1e-3)
    assert sim.read("hose.start_force") == pytest.approx(hose.end_force("start"), rel=1e-3, abs=1e-4)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{point: [0, 0, 0]}", "{point: [0, 0, 0], held: free}", "connectors.pump: is free"),
        ("section: {outer: 12 mm, inner: 8 mm}", "section: {width: 12 mm, height: 3 mm}", "cables.hose.section"),
        ("      start:", "      clips: [{s: 300 mm, point: [0.2, 0, 0]}]\n      start:", "cables.hose.clips"),
    ],
)
def test_what_a_scene_cannot_hold_is_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = saved(tmp_path, HOSE.replace(old, new))
    with pytest.raises(taut.SceneError, match=r"hose\.yaml") as error:
        open_scene(file)
    assert words in str(error.value)
