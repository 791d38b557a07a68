"""Units where a person types them for routes, and a hint where they cannot be meant."""

from pathlib import Path

import numpy as np
import pytest
import typer

from taut.cables.rod.ends import rotate
from taut.cables.rod.fit import Fit, Model
from taut.cables.rod.fit import fit as find
from taut.cables.rod.judging import rows
from taut.cables.rod.measured import Shape, read_shape
from taut.cables.rod.motion import apply, read_motion
from taut.cables.rod.proportion import folds, odd
from taut.cables.rod.route import Route, RouteError
from taut.cables.rod.values import RodError
from taut.cli.fit import _noise

HOSE = """taut: 1
route:
  parts:
    pump: {shape: {type: box, size: [80 mm, 80 mm, 40 mm]}, point: [0.3, 0, -0.5]}
  connectors:
    plug: {point: [0, 0, 0]}
  cables:
    hose:
      length: 400 mm
      segments: 24
      section: {outer: 10 mm, inner: 6 mm}
      E: 6 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {at: plug, direction: [1, 0, 0]}
      end: {point: [250 mm, 0, 0], direction: [1, 0, 0]}
      limits: {bend_radius: 40 mm, clearance: 3 mm}
"""
BOX = "shape: {type: box, size: [80 mm, 80 mm, 40 mm]}"


def written(folder: Path, text: str) -> Route:
    (folder / "hose.yaml").write_text(text)
    return Route.load(folder / "hose.yaml")


def mesh(folder: Path, size: float) -> None:
    import trimesh

    trimesh.creation.box((size, 0.8 * size, 0.6 * size)).export(folder / "pump.stl")


@pytest.mark.parametrize("word", ["bend_radius: 40", "clearance: 3"])
def test_a_limit_of_so_many_metres_is_taken_for_millimetres(tmp_path: Path, word: str) -> None:
    with pytest.raises(RouteError, match=rf":17: route.cables.hose.limits.{word}.* did you mean '\d+ mm'\?"):
        written(tmp_path, HOSE.replace(f"{word} mm", word))
    # who writes the unit means it
    assert written(tmp_path, HOSE.replace(f"{word} mm", f"{word} m")).limits["hose"]


def test_a_mesh_out_of_all_proportion_is_told(tmp_path: Path) -> None:
    mesh(tmp_path, 100.0)
    told = HOSE.replace(BOX, "shape: {type: mesh, file: pump.stl, unit: UNIT, up: z}")
    assert odd(written(tmp_path, told.replace("UNIT", "mm"))) == []
    (line,) = odd(written(tmp_path, told.replace("UNIT", "m")))
    assert line.startswith("pump: pump.stl is 100 m large with unit: m") and "were mm meant" in line
    mesh(tmp_path, 0.1)
    (line,) = odd(written(tmp_path, told.replace("UNIT", "mm")))
    assert line.startswith("pump: pump.stl is 0.1 mm large with unit: mm") and "were m meant" in line


def test_a_mesh_that_is_not_there_is_told_with_what_else_is_wrong_of_it(tmp_path: Path) -> None:
    with pytest.raises(RouteError) as caught:
        written(tmp_path, HOSE.replace(BOX, "shape: {type: mesh, file: nothere.stl, unit: mm}"))
    said = str(caught.value)
    assert "pump.shape.up: missing" in said and "pump.shape.file: 'nothere.stl' - no such file" in said


def test_a_hose_that_would_fold_into_itself_is_told(tmp_path: Path) -> None:
    route = written(tmp_path, HOSE)
    route.solve()
    assert folds(rows(route), route) == []
    route = written(tmp_path, HOSE.replace("outer: 10 mm", "outer: 200 mm"))
    route.solve()
    (line,) = folds(rows(route), route)
    assert line.startswith("hose: its bend radius of ") and "(200 mm): it would fold into itself" in line


def test_a_motion_has_units_in_heads_and_cells_and_turns_by_quaternions(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text(
        "time [ms],hose.end.x [mm],hose.end.y,plug.qw,plug.qx,plug.qy,plug.qz\n"
        "0,250,0,1,0,0,0\n500,24 cm,10 mm,0.965926,0,0,0.258819\n"
    )
    route = written(tmp_path, HOSE)
    frames = read_motion(tmp_path / "m.csv", route)
    assert [time for time, _ in frames] == pytest.approx([0.0, 0.5])
    assert [poses["hose.end"]["x"] for _, poses in frames] == pytest.approx([0.25, 0.24])
    assert frames[1][1]["hose.end"]["y"] == pytest.approx(0.01)
    route.solve()
    apply(route, frames[1][1])
    route.harness.solve()
    turned = rotate(route.harness._body("plug").frame, np.array([1.0, 0.0, 0.0]))
    assert turned == pytest.approx([np.cos(np.pi / 6), 0.5, 0.0], abs=1e-5), "about z by 30 degrees"
    away = np.diff(route.harness["hose"].points, axis=0)[0]
    assert np.degrees(np.arctan2(away[1], away[0])) > 25.0, "and the hose with it"


def test_a_measured_shape_has_units_too(tmp_path: Path) -> None:
    points = "\n".join(f"{k},0,0.1 cm" for k in range(10))
    (tmp_path / "a.csv").write_text(
        f"# measured on Monday\n# hose.end.x: 350 mm\n# hose.end.y [mm]: 20\n# hose.end.z: 0.1\nx [cm],y,z\n{points}\n"
    )
    shape = read_shape(tmp_path / "a.csv")
    assert shape.poses["hose.end"] == pytest.approx({"x": 0.35, "y": 0.02, "z": 0.1})
    assert shape.points[-1] == pytest.approx([0.09, 0.0, 0.001])


def test_noise_has_a_unit() -> None:
    assert _noise("3 mm") == _noise("3") == _noise("0.3 cm") == pytest.approx(3e-3)
    for wrong in ("3 kg", "much", "-1", "0 mm"):
        with pytest.raises(typer.BadParameter, match="is not a length above zero"):
            _noise(wrong)


def test_a_small_misfit_is_told_as_noise(tmp_path: Path) -> None:
    route = written(tmp_path, HOSE)
    route.solve()
    clean = route.harness["hose"].points[1:-1]
    points = clean + np.random.default_rng(2).normal(0, 2e-3, clean.shape)
    model = Model(route.data, tmp_path)
    found: Fit = find(model, [Shape(points, {})], 5e-4)
    (line,) = [one for one in found.warnings if "(--noise)" in one]
    assert "Likely: the points were measured less exactly" in line and "--noise '" in line
    with pytest.raises(RodError):
        find(model, [Shape(1e3 * points, {})])
