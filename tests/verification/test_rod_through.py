"""Of several shapes that are stable the one near given points is found, and a file that is saved opens with the shape that stood."""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np
import pytest

from taut import Simulation
from taut.cables.rod.leading import elsewhere, lead
from taut.cables.rod.route import Route, RouteError
from taut.scenes import open_scene
from taut.view.route_studio import Studio

#: a hose that hangs beside a post: on one side or on the other
HOSE = """
taut: 1
route:
  parts:
    post: {shape: {type: cylinder, radius: 20 mm, length: 1 m}, point: [200 mm, 8 mm, 0]}
  cables:
    hose:
      length: 450 mm
      segments: 60
      section: {diameter: 10 mm}
      E: 20 MPa
      nu: 0.4
      density: 1200 kg/m^3
      start: {point: [0, 0, 0], direction: [1, 0, 0]}
      end: {point: [400 mm, 0, 0], direction: [1, 0, 0]}
"""


def by(side: float) -> str:
    """The hose with a point to begin at, beside the post [m]."""
    return HOSE + f"      through: [{{s: 225 mm, point: [0.2, {side}, -0.05]}}]\n"


def opened(folder: Path, text: str) -> Route:
    file = folder / "hose.yaml"
    file.write_text(text, encoding="utf-8")
    route = Route.load(file)
    route.solve()
    return route


def middle(route: Route) -> np.ndarray:
    """The middle of the hose [m]."""
    nodes: np.ndarray = route.harness._net.nodes(route.harness["hose"]._chain)
    return nodes[len(nodes) // 2]


def test_the_shape_near_the_point_is_found_and_nothing_holds_it_there(tmp_path: Path) -> None:
    for side in (0.06, -0.06):
        route = opened(tmp_path, by(side))
        assert np.sign(middle(route)[1]) == np.sign(side) and abs(middle(route)[1]) >= 0.0169, "beside the post"
        assert route.harness.solve().is_minimum
        weight = 1200.0 * np.pi * 0.005**2 * 0.45 * 9.81
        held = sum(route.harness["hose"].end_force(end)[2] for end in ("start", "end"))
        # an upright post without friction carries nothing of it
        assert abs(held) == pytest.approx(weight, rel=1e-4)


def test_a_shape_that_the_file_would_not_find_is_written_into_it(tmp_path: Path) -> None:
    found = np.sign(middle(opened(tmp_path, HOSE))[1])
    other = opened(tmp_path, by(-0.06 * found))
    other.data = copy.deepcopy(other.data)
    del other.data["route"]["cables"]["hose"]["through"]
    assert elsewhere(other)["hose"] > 0.05, "its file alone leads to the other side"
    assert lead(other) == {}
    other.save(tmp_path / "again.yaml")
    again = Route.load(tmp_path / "again.yaml")
    again.solve()
    assert middle(again) == pytest.approx(middle(other), abs=1e-6)
    assert lead(again) == {}
    again.save(tmp_path / "third.yaml")
    assert (tmp_path / "third.yaml").read_text() == (tmp_path / "again.yaml").read_text(), "nothing more is needed"


def test_what_the_file_finds_by_itself_stays_without(tmp_path: Path) -> None:
    down = opened(tmp_path, HOSE)
    assert lead(down) == {}
    assert "through" not in down.data["route"]["cables"]["hose"]


def test_a_place_beyond_the_end_is_told(tmp_path: Path) -> None:
    with pytest.raises(RouteError, match=r"hose.yaml:\d+.*through.*0 to 450 mm"):
        opened(tmp_path, by(0.06).replace("225 mm", "600 mm"))


def test_the_studio_saves_what_leads_to_the_shape_that_stands(tmp_path: Path) -> None:
    found = np.sign(middle(opened(tmp_path, HOSE))[1])
    studio = Studio(opened(tmp_path, by(-0.06 * found)), tmp_path, "127.0.0.1", 0)
    try:
        del studio.route.data["route"]["cables"]["hose"]["through"]  # as after dragging it there
        studio.save(str(tmp_path / "saved.yaml"))
        assert "points that lead to this shape" in studio.message
        assert middle(opened(tmp_path, (tmp_path / "saved.yaml").read_text())) == pytest.approx(
            middle(studio.route), abs=1e-6
        )
    finally:
        studio.stop()


def test_a_scene_of_it_has_the_same_shape(tmp_path: Path) -> None:
    for side in (0.06, -0.06):
        route = opened(tmp_path, by(side))
        sim = Simulation(open_scene(tmp_path / "hose.yaml"))
        shape = np.reshape(sim.read("hose.shape"), (-1, 3))
        nodes = route.harness._net.nodes(route.harness["hose"]._chain)
        assert shape == pytest.approx(nodes, abs=5e-6)
