"""What a designer of hoses runs into: short thick hoses, parts that are moved, lengths that do not reach, other units."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from taut.cables.rod import RodError
from taut.cables.rod.fitting import fit
from taut.cables.rod.limits import findings
from taut.cables.rod.route import Route

COOLANT = """
taut: 1
route:
  parts:
    engine: {shape: {type: box, size: [200 mm, 200 mm, 150 mm]}, point: [0, 0, 0]}
    radiator: {shape: {type: box, size: [40 mm, 400 mm, 300 mm]}, point: [500 mm, 0, 60 mm]}
    post: {shape: {type: cylinder, radius: 15 mm, length: 200 mm}, point: [280 mm, 400 mm, 0]}
  cables:
    coolant:
      length: 520 mm
      segments: 30
      section: {outer: 25 mm, inner: 17 mm}
      E: 8 MPa
      nu: 0.45
      density: 1200 kg/m^3
      start: {point: [100 mm, 40 mm, 30 mm], direction: [1, 0, 0]}
      end: {point: [480 mm, 100 mm, 120 mm], direction: [1, 0, 0]}
      limits: {bend_radius: 75 mm, clearance: 5 mm, end_force: 20 N}
"""


def data(**changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = yaml.safe_load(COOLANT)
    made["route"]["cables"]["coolant"] |= changes
    return made


def coolant(**changes: Any) -> Route:
    return Route.of(data(**changes))


def solved(**changes: Any) -> Route:
    made = coolant(**changes)
    made.solve()
    return made


def written(folder: Path, **changes: Any) -> str:
    file = folder / "coolant.yaml"
    file.write_text(yaml.safe_dump(data(**changes)), encoding="utf-8")
    return str(file)


def test_a_hose_that_is_hardly_longer_than_thick_has_a_clearance() -> None:
    """72 mm between two parts that are 100 mm apart, 50 mm thick: its middle is 38.5 mm from the first."""
    made = data(
        length="72 mm",
        section={"outer": "50 mm", "inner": "42 mm"},
        start={"point": ["100 mm", 0, 0], "direction": [1, 0, 0]},
        end={"point": ["168 mm", "10 mm", 0], "direction": [1, 0, 0]},
    )
    made["route"]["parts"]["radiator"]["point"] = ["220 mm", 0, 0]
    route = Route.of(made)
    route.solve()
    found = next(
        one for one in findings(route.harness, "coolant", route.limits["coolant"], {}) if one.what == "clearance"
    )
    assert found.value == pytest.approx(0.034 - 0.025, abs=0.003)


def test_ends_that_stand_on_a_part_go_with_it() -> None:
    route = solved()
    way = fit(route, ("radiator",), by="[-40, 0, 0] mm")
    assert way.moved == ("radiator", "coolant.end") and way.done == 1.0
    assert route.harness["coolant"].points[-1] == pytest.approx([0.44, 0.1, 0.12], abs=1e-9)
    assert "with radiator goes what stands on it: coolant.end" in way.lines()


def test_a_part_without_an_end_goes_alone_and_says_so() -> None:
    """It is pushed into the hose until there is no shape any more: no cable that grows would help."""
    way = fit(solved(), ("post",), by="[0, -340, 0] mm")
    assert way.moved == ("post",) and not way.needed
    assert "no end stands on post: no cable goes with it" in way.lines()


def test_a_limit_that_is_broken_before_is_told_as_such() -> None:
    way = fit(solved(limits={"bend_radius": "500 mm", "end_force": "20 N"}), ("radiator",), by="[40, 0, 0] mm")
    line = next(one for one in way.lines() if "bend_radius" in one)
    assert line.endswith("FAIL, already broken before it moves")
    assert not any("already" in one for one in way.lines() if "end_force" in one)


def test_a_way_in_another_unit_is_refused() -> None:
    with pytest.raises(RodError, match=r"by: \[-40, 0, 0\] - that moves it by 40 m, .* mm large; .* in metres"):
        fit(solved(), ("radiator",), by="[-40, 0, 0]")


CLIP = {"s": "260 mm", "point": ["290 mm", "60 mm", "150 mm"], "direction": [1, 0, 0], "release": "slide"}


def test_too_short_by_way_of_a_sliding_clip_is_told_before_any_solve() -> None:
    """225.6 mm to the clip and 196.5 mm from it."""
    with pytest.raises(
        RodError,
        match=r"^coolant: from start by way of clip 1 to end it is 422.079 mm, but it is 400 mm long between them: 2\d\.\d* mm too short",
    ):
        coolant(length="400 mm", clips=[CLIP]).solve()
    route = solved(clips=[CLIP])
    route.harness["coolant"].set_length(0.41)
    with pytest.raises(RodError, match=r"by way of clip 1 .* the last shape is kept"):
        route.harness.solve()


def test_an_end_inside_of_a_part_is_said_first_with_the_way_out() -> None:
    with pytest.raises(RodError) as caught:
        solved(start={"point": ["50 mm", "40 mm", "30 mm"], "direction": [1, 0, 0]}, clips=[CLIP])
    first, second = str(caught.value).splitlines()
    assert (
        first
        == "coolant: its start lies 45 mm inside of engine; move it out by 45 mm along [0, 0, 1], to [50, 40, 75] mm"
    )
    assert second.startswith("no equilibrium found")
