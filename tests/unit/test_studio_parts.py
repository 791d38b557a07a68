"""Mesh files that are added in the studio, and cables that begin inside of a part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
import yaml
from waiting import wait_for

from taut.cables.rod import routing
from taut.cables.rod.clearance import sunk
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.view.route_studio import Studio

HOSE = {
    "length": 0.4, "segments": 30, "section": {"diameter": "12 mm"}, "E": "6 MPa", "nu": 0.45, "density": "1200 kg/m^3",
    "start": {"point": [0, 0, 0]}, "end": {"point": [0.3, 0, 0]},
}  # fmt: skip


def block(*sizes: float) -> bytes:
    made = trimesh.creation.box(sizes).export(file_type="stl")
    assert isinstance(made, bytes)
    return made


@pytest.fixture
def empty(tmp_path: Path):
    made = Studio(routing.begin([], None, None, "z")[0], tmp_path, "127.0.0.1", 0, fresh=True)
    yield made
    made.stop()


@pytest.fixture
def studio(tmp_path: Path):
    parts = {"block": {"shape": {"type": "box", "size": [0.2, 0.2, 0.1]}, "point": [-0.1, 0, 0]}}
    route = Route.of({"taut": 1, "route": {"parts": parts, "cables": {"hose": HOSE}}}, tmp_path, "hose")
    made = Studio(route, tmp_path, "127.0.0.1", 0)
    yield made
    made.stop()


def test_a_mesh_file_is_never_written_over_another_one(empty, tmp_path) -> None:
    kept = tmp_path / "clamp.stl"
    kept.write_bytes(block(1, 2, 3))
    empty.parts.upload("clamp.stl", block(60, 20, 10))
    assert kept.read_bytes() == block(1, 2, 3)
    assert (tmp_path / "clamp-2.stl").read_bytes() == block(60, 20, 10)
    assert "kept as clamp-2.stl" in empty.message
    assert empty.route.data["route"]["parts"]["clamp"]["shape"]["file"] == "clamp-2.stl"
    # the same once more is the file that is there already
    for _ in range(2):
        empty.parts.upload("clamp.stl", block(1, 2, 3))
    assert {one["shape"]["file"] for one in empty.route.data["route"]["parts"].values()} == {"clamp.stl", "clamp-2.stl"}
    assert sorted(one.name for one in tmp_path.iterdir()) == ["clamp-2.stl", "clamp.stl"]


def test_a_mesh_file_that_is_refused_leaves_nothing_behind(empty, tmp_path) -> None:
    kept = tmp_path / "clamp.stl"
    kept.write_bytes(block(1, 2, 3))
    empty.parts.upload("clamp.stl", b"nothing")
    empty.parts.upload("other.stl", b"nothing")
    assert "other.stl" in empty.message
    assert kept.read_bytes() == block(1, 2, 3) and [one.name for one in tmp_path.iterdir()] == ["clamp.stl"]


@pytest.mark.parametrize("mesh", [True, False])
def test_a_cable_that_begins_inside_of_a_part_is_told_so(empty, capfd, mesh) -> None:
    if mesh:
        empty.parts.upload("block.stl", block(60, 20, 10))
    else:
        empty.parts.size.value = (60.0, 20.0, 10.0)
        empty.parts.add()
    (part,) = empty.route.shapes
    empty.route.data["route"]["parts"][part]["point"] = [0, 0, 0]
    empty.edit(lambda: None)
    empty.new.length.value = "400"
    with empty.guard():
        empty.new.make()
    assert f"its start lies 5 mm inside of {part}; move it out by 30 mm along [1, 0, 0]" in empty.message
    assert "solve()" not in empty.message and "through" not in empty.message
    assert empty.fresh and "Traceback" not in capfd.readouterr().err


def test_an_end_that_is_moved_into_a_part_is_named_as_the_cause(studio) -> None:
    studio.drag("body/hose.start", np.array([-0.04, 0.0, 0.0]), turn_of_start(studio), "point")
    wait_for(lambda: studio.message != "")
    assert "its start lies 40 mm inside of block; move it out by" in studio.message
    assert studio.route.harness["hose"].points[0] == pytest.approx([0, 0, 0])


def turn_of_start(studio: Studio) -> np.ndarray:
    turn: np.ndarray = studio.route.harness.pose("hose.start")[1]
    return turn


@pytest.mark.parametrize("deep", [0.005, 0.02])
def test_a_file_with_a_start_inside_of_a_part_is_told_so(tmp_path, deep) -> None:
    """Also where the start lies less deep than the cable is thick, but leaves the part further on."""
    bed = {"shape": {"type": "box", "size": [0.9, 0.2, 0.05]}, "point": [0.3, 0, -0.025 - 0.05 + deep]}
    hose = HOSE | {"start": {"point": [0, 0, -0.05 - 0.05 + 2 * deep], "direction": [0, 0, 1]}, "length": 0.6}
    file = tmp_path / "hose.yaml"
    file.write_text(yaml.safe_dump({"taut": 1, "route": {"parts": {"bed": bed}, "cables": {"hose": hose}}}))
    route = Route.load(file)
    try:
        route.solve()
        told = "; ".join(sunk(route.harness._net))
    except RodError as error:
        told = str(error)
    assert f"hose: its start lies {1e3 * deep:g} mm inside of bed; move it out by" in told


def test_an_end_that_stands_on_a_part_is_not_told_of(studio) -> None:
    assert sunk(studio.route.harness._net) == [] == sunk(studio.route.harness._net, failed=True)


@pytest.mark.parametrize(("typed", "length"), [("400", 0.4), ("40 cm", 0.4), ("0.4 m", 0.4), ("400mm", 0.4)])
def test_the_length_of_a_new_cable_takes_a_unit(empty, typed, length) -> None:
    empty.new.length.value = typed
    assert empty.new.asked_length == pytest.approx(length)
    empty.new.length.value = "4 furlong"
    with pytest.raises(RodError, match="'4 furlong' is refused"):
        _ = empty.new.asked_length
