"""A route that is passed on has its meshes with it."""

import io
import zipfile
from pathlib import Path

from taut.cables.rod.route import Route
from taut.cli import main
from taut.view.route_studio import Studio

ROUTE = """# drawn by hand
taut: 1
route:
  parts:
    pump: {shape: {type: mesh, file: ../cad/pump.stl, unit: mm, up: z}, point: [0, 0, -0.5]}  # bought
    other: {shape: {type: mesh, file: pump.stl, unit: mm, up: z}, point: [0.3, 0, -0.5]}
    again: {shape: {type: mesh, file: pump.stl, unit: mm, up: z}, point: [0.6, 0, -0.5]}
  cables:
    hose: {length: 400 mm, segments: 24, section: {diameter: 10 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, 0, 0]}, end: {point: [250 mm, 0, 0]}}
"""


def written(folder: Path) -> Path:
    import trimesh

    for word, size in (("cad", 100.0), ("routes", 50.0)):
        (folder / word).mkdir()
        trimesh.creation.box((size, size, size)).export(folder / word / "pump.stl")
    file = folder / "routes" / "line.yaml"
    file.write_text(ROUTE)
    return file


def unpacked(content: bytes, folder: Path) -> Route:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert sorted(archive.namelist()) == ["line/line.yaml", "line/meshes/pump.stl", "line/meshes/pump_2.stl"]
        archive.extractall(folder)
    return Route.load(folder / "line" / "line.yaml")


def test_the_command_writes_an_archive_that_opens_elsewhere(tmp_path: Path) -> None:
    file, target = written(tmp_path), tmp_path / "line.zip"
    assert main(["route", str(file), "--no-view", "--save", str(target)]) == 0
    route = unpacked(target.read_bytes(), tmp_path / "elsewhere")
    assert {name: round(float(shape.content().vertices.max()), 6) for name, shape in route.shapes.items()} == {
        "pump": 0.05, "other": 0.025, "again": 0.025,
    }  # fmt: skip
    text = (tmp_path / "elsewhere" / "line" / "line.yaml").read_text()
    assert text.startswith("# drawn by hand\n") and "# bought" in text
    assert file.read_text() == ROUTE, "the file itself stays"


def test_the_studio_offers_it(tmp_path: Path) -> None:
    file = written(tmp_path)
    studio = Studio(Route.load(file), file.parent, "127.0.0.1", 0)
    try:
        name, content = studio.takeaway.pack()
    finally:
        studio.stop()
    assert name == "line.zip"
    unpacked(content, tmp_path / "elsewhere")
