"""What the studio says: names of steps, limits in the picture and in a motion, tension, what is left out."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from taut.cables.rod.ends import rotate
from taut.cables.rod.judging import notes
from taut.cables.rod.limits import Finding, Limits
from taut.cables.rod.route import Route
from taut.view.route_colours import AMBER, RED, colours_along
from taut.view.route_studio import Studio

ROUTE = """taut: 1
route:
  parts:
    post: {shape: {type: box, size: [40 mm, 40 mm, 40 mm]}, point: [150 mm, 0, 90 mm]}
  cables:
    hose: {length: 380 mm, segments: 40, section: {diameter: 12 mm}, E: 6 MPa, nu: 0.45, density: 1200 kg/m^3, start: {point: [0, 0, 0]}, end: {point: [300 mm, 0, 0]}}
"""


@pytest.fixture
def route(tmp_path: Path) -> Route:
    (tmp_path / "hose.yaml").write_text(ROUTE)
    made = Route.load(tmp_path / "hose.yaml")
    made.solve()
    return made


@pytest.fixture
def studio(tmp_path: Path, route: Route):
    made = Studio(route, tmp_path, "127.0.0.1", 0)
    yield made
    made.stop()


def test_undo_says_what_it_undoes_and_when_nothing_is_left(studio) -> None:
    assert studio._undo.disabled and studio._redo.disabled
    studio._length.value = 400.0
    studio._set_length()
    assert studio._undo.hint == "undo: length 400 mm" and not studio._undo.disabled
    studio.undo()
    assert studio.message == "undone: length 400 mm"
    assert studio._undo.disabled and studio._undo.hint == "nothing is left to undo"
    assert studio._redo.hint == "redo: length 400 mm" and not studio._redo.disabled
    studio.undo()
    assert studio.message == "there is nothing left to undo"
    studio.redo()
    assert studio.message == "made again: length 400 mm" and studio._redo.disabled


def test_a_length_in_another_unit_is_not_answered_with_points_in_metres(studio) -> None:
    studio._length.value = 0.52
    studio._set_length()
    assert "too short" in studio.message and "metres" not in studio.message


def test_red_is_a_broken_limit_and_nothing_else(route) -> None:
    radius = route.harness["hose"].bend_radius[0]
    red = np.array([*RED, 255])

    def reds() -> np.ndarray:
        return (colours_along(route, "hose") == red).all(axis=1)

    for limit in (radius / 1.1, radius / 1.001):
        route.limits["hose"] = Limits({"bend_radius": limit})
        assert not reds().any()
        assert np.abs(colours_along(route, "hose")[:, :3] - np.array(AMBER, float)).sum(axis=1).min() < 60.0
    route.limits["hose"] = Limits({"bend_radius": 1.1 * radius})
    assert reds().any() and not reds().all()
    near = route.harness.clearance_of(route.harness["hose"])
    route.limits["hose"] = Limits({"clearance": near.distance + 0.01})
    there = int(np.argmin(np.abs(route.harness["hose"].arc_length - near.s)))
    assert reds()[there] and not reds().all()


def test_a_motion_that_breaks_a_limit_is_told_at_once(studio) -> None:
    radius = studio.route.harness["hose"].bend_radius[0]
    studio.route.data["route"]["cables"]["hose"]["limits"] = {"bend_radius": f"{1e3 * 0.99 * radius:g} mm"}
    studio.edit(lambda: None)
    assert 'data-broken="0"' in studio._state.content and 'data-moved="0"' in studio._state.content
    studio.motion.run("m.csv", b"time,hose.end.x\n0,0.3\n2,0.25\n4,0.3\n")
    assert 'data-broken="0"' in studio._state.content and 'data-moved="1"' in studio._state.content
    assert "at 2 s</div>" in studio._state.content


def test_tension_is_told_with_where_it_is(studio) -> None:
    tension = studio.route.harness["hose"].tension
    shown = studio._state.content
    assert 'data-taut="smallest_tension"' in shown and 'data-taut="largest_tension"' in shown
    assert f"{float(f'{tension.max():.4g}'):g} N at" in shown


def test_arrows_at_a_start_point_as_its_direction_says(studio) -> None:
    for side in ("start", "end"):
        studio.chosen.choose(f"body/hose.{side}")
        control = studio.scene._controls[f"body/hose.{side}"]
        along = rotate(np.array(control.wxyz), np.array([0.0, 0.0, 1.0]))
        assert along == pytest.approx(np.array(studio.chosen.direction.value), abs=1e-6)


def test_a_clearance_that_judges_nearly_nothing_says_so(tmp_path) -> None:
    (tmp_path / "post.yaml").write_text(
        ROUTE.replace("[150 mm, 0, 90 mm]", "[-20 mm, 0, 0]").replace("length: 380 mm", "length: 304 mm")
    )
    route = Route.load(tmp_path / "post.yaml")
    route.solve()
    route.limits["hose"] = Limits({"clearance": 0.005})
    (told,) = notes(route)
    assert "nearly nothing of it is judged against post" in told and "of 304 mm" in told


def test_twist_is_told_to_a_hundredth_of_a_degree() -> None:
    assert Finding("hose", "twist", np.radians(0.06391), "", None, None).shown()[0] == "0.06 deg"
