"""A saved route read as a scene: the same hose, by the solver of scenes."""

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.cables.rod.route import Route
from taut.cables.rod.routing import LIBRARY
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
    assert list(scene.bodies) == ["housing", "pump"] and scene.cables["hose"].model == "rod"
    sim = taut.Simulation(scene)
    sim.run(2)
    turned = float(0.5 * (hose.twist[1:] + hose.twist[:-1]) @ np.diff(hose.arc_length))
    assert abs(turned) > 0.1, "there is a twist to be carried over"
    # residuals of 1e-8 on both sides; the roll is found to a part in a million
    assert sim.read("hose.twist") == pytest.approx(turned, rel=1e-3)
    assert sim.read("hose.bend_radius") == pytest.approx(hose.bend_radius[0], rel=1e-3)
    assert sim.read("hose.start_force") == pytest.approx(hose.end_force("start"), rel=1e-3, abs=1e-4)


HARNESS = """
taut: 1
route:
  connectors: {pump: {point: [0, 0, 0]}, weight: {point: [700 mm, 0, -200 mm], held: free, mass: 50 g, centre: [20 mm, 0, 0]}}
  branches: {fork: {point: [500 mm, 0, 0]}}
  cables:
    hose 1:
      length: 700 mm
      segments: 60
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {at: pump, direction: [1, 0, 0]}
      end: {at: fork, direction: [1, 0.3, 0]}
      clips:
      - {s: 200 mm, point: [150 mm, 20 mm, 10 mm], direction: [1, 0.2, 0]}
      - {s: 400 mm, point: [300 mm, 40 mm, -10 mm], direction: [1, 0.2, 0], release: twist, name: middle clip}
      - {s: 550 mm, point: [400 mm, 0 mm, -10 mm], release: ball}
    strip:
      length: 300 mm
      segments: 40
      section: {width: 12 mm, height: 3 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3
      rest_curvature: 2
      start: {at: fork, direction: [1, 0, 0]}
      end: {at: weight, direction: [0, 0, -1]}
"""


def test_clips_branches_strips_and_free_connectors_are_the_same_in_both(tmp_path: Path) -> None:
    file = saved(tmp_path, HARNESS)
    route = Route.load(file)
    route.solve()
    sim = taut.Simulation(open_scene(file))
    for steps in (0, 60):
        sim.run(steps)
        for name, called in (("hose 1", "hose_1"), ("strip", "strip")):
            cable = route.harness[name]
            shape = sim.read(f"{called}.shape").reshape(-1, 3)
            # residuals of 1e-8, and a branch of 1e-7 of the mass of its cables
            assert np.abs(shape - cable.points).max() < 1e-6 * cable.length
            assert sim.read(f"{called}.unsolved") == 0.0
    clip = route.harness["hose 1"].clip_force(2)
    assert sim.read("hose_1.middle_clip_force") == pytest.approx(clip, abs=1e-5)
    assert sim.read("weight.speed") < 1e-6


def test_a_harness_follows_a_connector_that_moves(tmp_path: Path) -> None:
    """The branch is where its cables balance at every step, not further behind than one step of the connector, 1 mm."""
    text = (LIBRARY / "harness.yaml").read_text(encoding="utf-8").replace("-120 mm]", "-320 mm]")
    file = saved(tmp_path, text.replace("-105 mm]", "-305 mm]"))
    route = Route.load(file)
    route.solve()
    sim = taut.Simulation(open_scene(file, ["sensor.kind=kinematic", "sensor.velocity=[0.03, 0.02, 0.05]"]))
    point, begun = (
        np.array([0.65, 0.14, 0.04]),
        sim.read("sensor.position").copy(),
    )  # its socket has its centre elsewhere
    for _ in range(3):
        sim.run(20)
        route.harness.move("sensor", list(point + sim.read("sensor.position") - begun))
        route.harness.solve()
        for name in ("trunk", "lead_a", "lead_b"):
            shape = sim.read(f"{name}.shape").reshape(-1, 3)
            assert np.abs(shape - route.harness[name].points).max() < 1e-3
            assert sim.read(f"{name}.unsolved") == 0.0


def test_a_tie_bundles_in_a_scene_too(tmp_path: Path) -> None:
    """The tie of a scene cuts the mesh of its cables, that of a route does not: of second order in the segment."""
    one = "{length: 600 mm, segments: 60, section: {diameter: 8 mm}, E: 20 MPa, nu: 0.4, density: 1400 kg/m^3, %s}"
    a, b = (
        one % f"start: {{point: [0, {y}, 0]}}, end: {{point: [500 mm, {z}, 0]}}" for y, z in ((0.0, 0.0), (0.05, 0.1))
    )
    text = f"taut: 1\nroute:\n  cables:\n    a: {a}\n    b: {b}\n"
    file = saved(tmp_path, text + "  ties: {tie: {point: [250 mm, 40 mm, -100 mm], cables: {a: 300 mm, b: 300 mm}}}\n")
    route = Route.load(file)
    route.solve()
    sim = taut.Simulation(open_scene(file))
    sim.run(60)
    for name in "ab":
        cable = route.harness[name]
        assert np.abs(sim.read(f"{name}.shape").reshape(-1, 3) - cable.points).max() < 1e-3 * cable.length
    assert np.linalg.norm(
        sim.read("a.shape").reshape(-1, 3)[30] - sim.read("b.shape").reshape(-1, 3)[30]
    ) == pytest.approx(8e-3, rel=1e-6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("E: 6 MPa", "E: [" + "5e6, " * 20 + "6e6, " * 19 + "6e6]", "its stiffness changes along it"),
        (
            "      start:",
            "      clips: [{s: 300 mm, point: [0.2, 0, 0], release: [across1]}]\n      start:",
            "clip 1 releases across1",
        ),
    ],
)
def test_what_a_scene_cannot_hold_is_told(tmp_path: Path, old: str, new: str, words: str) -> None:
    file = saved(tmp_path, HOSE.replace(old, new))
    with pytest.raises(taut.SceneError, match=r"hose\.yaml") as error:
        open_scene(file)
    assert words in str(error.value)


def test_all_that_stands_in_the_way_is_told_at_once(tmp_path: Path) -> None:
    """A clip that a scene does not know, stiffness that changes: two lines with what to do. Parts that are leaned on are none."""
    text = (LIBRARY / "harness.yaml").read_text(encoding="utf-8")
    clip = "      clips: [{s: 500 mm, point: [450 mm, 230 mm, 0], direction: [1, 0, 0], release: [across1]}]\n"
    text = text.replace("      start: {point: [0, 170 mm", clip + "      start: {point: [0, 170 mm")
    text = text.replace("      E: 8 MPa", "      E: [" + "8e6, " * 30 + "9e6, " * 29 + "9e6]")
    with pytest.raises(taut.SceneError) as error:
        open_scene(saved(tmp_path, text))
    told = [problem.path for problem in error.value.problems]
    assert sorted(told) == ["cables.hose", "cables.hose.clips"]


def test_a_hose_on_a_housing_is_the_same_in_both(tmp_path: Path) -> None:
    """It leans on the housing: shape and push are those of the route."""
    file = saved(
        tmp_path, HOSE.replace("[300 mm, 0, -500 mm]", "[180 mm, 0, -200 mm]").replace("160 mm, 60 mm", "500 mm, 60 mm")
    )
    route = Route.load(file)
    route.solve()
    pushed = route.harness.contact_force["housing"]
    assert pushed[2] > 0.02
    sim = taut.Simulation(open_scene(file))
    assert sim.scene.cables["hose"].obstacles == ("housing",)
    sim.run(3)
    hose = route.harness["hose"]
    assert np.abs(sim.read("hose.shape").reshape(-1, 3) - hose.points).max() < 1e-6 * hose.length
    assert sim.read("hose.contact_on_housing") == pytest.approx(-pushed, rel=1e-4, abs=1e-6)


def with_plug(point: tuple[float, float, float]) -> str:
    """The hose with a loose plug of 200 g at its end, over a plate that it would hang through."""
    where = ", ".join(f"{x:.4f}" for x in point)
    plug = f"{{point: [{where}], held: free, mass: 200 g, shape: {{type: sphere, radius: 20 mm}}}}"
    text = HOSE.replace(
        "connectors: {pump: {point: [0, 0, 0]}}", f"connectors: {{pump: {{point: [0, 0, 0]}}, plug: {plug}}}"
    )
    text = text.replace(
        "end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0.3, 0], up: [0, 1, 1]}",
        "end: {at: plug, direction: [0, 0, -1]}",
    )
    return text.replace("-500 mm", "-400 mm").replace("size: [120 mm, 160 mm", "size: [900 mm, 900 mm")


def test_a_loose_plug_comes_to_lie_on_a_plate_wherever_it_begins(tmp_path: Path) -> None:
    """It hangs through the plate if it is let go first: then the plate has to be there before."""
    starts = np.random.default_rng(3).uniform((-0.35, -0.3, 0.1), (0.1, 0.3, 0.5), (30, 3))
    for z, y, x in starts:
        route = Route.load(saved(tmp_path, with_plug((x, y, z))))
        route.solve()
        # the plate ends at -370 mm; what touches may give way by the hundredth of a radius that contacts of routes have
        assert route.harness["hose"].points[-1, 2] == pytest.approx(-0.35, abs=2e-4)


def test_a_connector_that_lies_on_a_part_is_told(tmp_path: Path) -> None:
    """Only cables lean on the parts of a route in a scene."""
    with pytest.raises(taut.SceneError, match="a connector that is let go leans on it"):
        open_scene(saved(tmp_path, with_plug((0.35, 0.08, -0.2))))
