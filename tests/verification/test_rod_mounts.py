"""Clearance to the part that a cable is mounted on, and the length that finds itself where clips let the cable slide."""

import numpy as np
import pytest
import yaml

from taut.cables.rod import RodError
from taut.cables.rod.judging import MUCH, notes
from taut.cables.rod.limits import findings
from taut.cables.rod.route import Route

DATA = """
taut: 1
route:
  parts:
    table: {shape: {type: box, size: [1.2, 0.4, 40 mm]}, point: [0.4, 0, -20 mm]}
    wall: {shape: {type: box, size: [40 mm, 400 mm, 400 mm]}, point: [0.42, 0, 0.2]}
  cables:
    hose:
      length: 700 mm
      segments: 70
      section: {outer: 16 mm, inner: 10 mm}
      E: 8 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {point: [0, 0, 0], direction: [0, 0, 1]}
      end: {point: [0.4, 0, 0.15], direction: [1, 0, 0]}
      limits: {clearance: 100 mm}
"""


def hose(parts: tuple[str, ...] = ("table", "wall"), **changes) -> Route:
    data = yaml.safe_load(DATA)
    data["route"]["cables"]["hose"] |= changes
    data["route"]["parts"] = {name: data["route"]["parts"][name] for name in parts}
    made = Route.of(data)
    made.solve()
    return made


def clearance(route: Route):
    return next(one for one in findings(route.harness, "hose", route.limits["hose"], {}) if one.what == "clearance")


def test_what_leads_away_from_where_it_is_mounted_does_not_count() -> None:
    """However large the limit: the hose stands upright on one part, straight in the other, and comes near to none of them between."""
    route = hose()
    found = clearance(route)
    assert found.passed
    start, end = (mount for mount in route.harness.mounts_of(route.harness["hose"]))
    assert (start.end, start.part, end.end, end.part) == ("start", "table", "end", "wall")
    cable = route.harness["hose"]
    # it counts from where it rises at less than 30 degrees
    rise = np.diff(cable.points[:, 2]) / np.diff(cable.arc_length)
    turns = cable.arc_length[int(np.argmax(rise < 0.5))]
    assert start.length == pytest.approx(turns, abs=1.01 * cable.length / cable.segments)
    (line,) = notes(route)
    assert line.startswith("hose: clearance leaves out the first ")
    assert " mm for table and the last " in line and line.endswith(" mm for wall, on which it stands")


def test_a_hose_that_comes_back_to_the_part_it_stands_on_is_told() -> None:
    """It stands upright on the table and is so long that it lies on it further along."""
    route = hose(("table",), length="1 m", end={"point": [0.8, 0, 0.06], "direction": [1, 0, 0]})
    found = clearance(route)
    assert found.passed is False and found.value == pytest.approx(0.0, abs=1e-6)
    (mount,) = route.harness.mounts_of(route.harness["hose"])
    s = route.harness.clearance_of(route.harness["hose"]).s
    assert mount.end == "start" and s > mount.length + 0.1


def test_a_hose_that_runs_along_the_part_it_begins_on_is_told() -> None:
    """Its direction lies in the face: nothing of it leads away."""
    route = hose(("table",), start={"point": [0, 0, 0], "direction": [1, 0, 0]}, length="600 mm",
                 end={"point": [0.5, 0, 9e-3], "direction": [1, 0, 0]})  # fmt: skip
    found = clearance(route)
    assert found.passed is False and found.value < 2e-3


def test_a_part_beside_the_end_of_another_counts() -> None:
    """The end stands on the wall; the table, a hand below it, is not what it is mounted on."""
    route = hose(
        start={"point": [-0.1, 0, 0.4], "direction": [1, 0, 0]}, end={"point": [0.4, 0, 0.02], "direction": [1, 0, 0]}
    )
    found = clearance(route)
    assert found.passed is False and "to table" in found.where


CLIP = {"s": "350 mm", "point": [0.2, 0.03, 0.25], "direction": [1, 0, 0], "release": "slide"}


@pytest.mark.parametrize("release", ["slide", "both", "duct"])
def test_the_automatic_length_with_a_clip_that_the_hose_slides_through(release: str) -> None:
    """E*(L) + T L, with E* the least energy over all places in the clip, is least at the length found."""
    route = hose((), clips=[CLIP | {"release": release}])
    cable = route.harness["hose"]
    length = cable.automatic_length(0.5)
    assert cable.length_force() == pytest.approx(-0.5, rel=1e-3)
    least = cable.energy + 0.5 * length
    for factor in (0.99, 1.01):
        cable.set_length(factor * length)
        route.harness.solve()
        assert cable.energy + 0.5 * cable.length > least


def test_stretched_it_still_passes_through_its_clips() -> None:
    route = hose((), clips=[CLIP])
    apart = np.linalg.norm([0.2, 0.03, 0.25]) + np.linalg.norm([0.2, -0.03, -0.1])
    assert route.harness["hose"].stretched_length() == pytest.approx(apart)


def test_a_shape_that_is_not_found_leaves_all_numbers_as_they_were() -> None:
    """Forces and moments are those of the shape that stands, not of the last one that was tried."""
    route = hose((), clips=[CLIP])
    cable = route.harness["hose"]
    before = [
        cable.end_moment("start"),
        cable.end_moment("end"),
        cable.end_force("start"),
        cable.clip_moment(1),
        cable.tension,
    ]
    # longer than the straight line, but shorter than what its clamps let it be
    cable.set_length(1.0005 * cable.stretched_length())
    with pytest.raises(RodError):
        route.harness.solve()
    after = [
        cable.end_moment("start"),
        cable.end_moment("end"),
        cable.end_force("start"),
        cable.clip_moment(1),
        cable.tension,
    ]
    for old, new in zip(before, after):
        assert new == pytest.approx(old, rel=1e-6, abs=1e-9)


def test_an_end_exactly_on_the_face_of_a_mesh_stands_on_it(tmp_path) -> None:
    """As a click on the face of a mesh puts it: at no distance at all."""
    import trimesh

    from taut.cables.rod.clearance import distance_to, standing

    block = trimesh.creation.box((80, 120, 60))
    block.apply_translation((0, 0, -30))
    block.export(tmp_path / "block.stl")
    data = yaml.safe_load(DATA)
    data["route"]["parts"] = {"block": {"shape": {"type": "mesh", "file": "block.stl", "unit": "mm", "up": "z"}}}
    data["route"]["cables"]["hose"]["start"]["point"] = [0.013, 0.01, 0]
    route = Route.of(data, tmp_path)
    route.solve()
    net = route.harness._net
    assert distance_to(net, "block", np.array([[0.013, 0.01, 0.0]]), np.zeros(1)) == pytest.approx(0.0, abs=1e-12)
    assert standing(net, "block") == ["hose.start"]
    assert clearance(route).passed


def test_much_that_is_left_out_is_told_also_without_a_limit() -> None:
    """What would be read as the least distance of all of it is that of the other half."""
    route = hose(limits={})
    assert "clearance" not in route.limits["hose"].values
    cable = route.harness["hose"]
    (line,) = notes(route)
    assert line.startswith("hose: clearance leaves out the first ")
    assert max(mount.length for mount in route.harness.mounts_of(cable)) > MUCH * cable.length
    # one that lies on what it begins on has nothing left out, and nothing to tell
    lies = hose(("table",), limits={}, start={"point": [0, 0, 0], "direction": [1, 0, 0]}, length="600 mm",
                end={"point": [0.5, 0, 9e-3], "direction": [1, 0, 0]})  # fmt: skip
    assert notes(lies) == []
