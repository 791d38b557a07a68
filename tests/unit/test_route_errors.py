"""A mistake in a route file is told with file, line, place and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from taut.cables.rod.route import Route, RouteError

GOOD = """taut: 1
route:
  parts:
    block: {shape: {type: box, size: [80 mm, 40 mm, 10 mm]}, point: [0, 0, -0.2]}
  connectors:
    pump: {point: [0, 0, 0.1]}
  cables:
    hose:
      length: 600 mm
      segments: 20
      section: {outer: 12 mm, inner: 8 mm}
      E: 6 MPa
      density: 1200 kg/m^3
      start: {at: pump, direction: [1, 0, 0]}
      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0, 0]}
      clips:
        - {s: 300 mm, point: [0.2, 0, 0], direction: [1, 0, 0]}
      limits: {bend_radius: 40 mm}
      nu: 0.45
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line", "said"),
    [
        ("E: 6 MPa", "EE: 6 MPa", 12, "cables.hose.EE: unknown"),
        ("length: 600 mm", "length: 6 kg", 9, "got '6 kg' (a mass)"),
        ("E: 6 MPa", "E: -6 MPa", 12, "hose.E: -6e+06"),
        ("section: {outer: 12 mm, inner: 8 mm}", "section: {outer: 12 mm}", 11, "cables.hose.section"),
        ("at: pump", "at: pomp", 14, "no connector or branch 'pomp'"),
        ("limits: {bend_radius: 40 mm}", "limits: {radius: 40 mm}", 18, "cables.hose.limits.radius: unknown"),
        ("{s: 300 mm, point", "{s: 900 mm, point", 17, "900 mm"),
        ("size: [80 mm, 40 mm, 10 mm]", "size: [80 mm, 40 kg, 10 mm]", 4, "parts.block.shape"),
        ("{point: [0, 0, 0.1]}", "{point: [0, 0]}", 6, "pump.point"),
        ("      E: 6 MPa", "      E: 6 MPa\n      E: 7 MPa", 13, "written twice, first in line 12"),
        ("  cables:", "\tcables:", 7, "indent with spaces, not tabs"),
        ("      end: {point: [350 mm, 80 mm, 40 mm], direction: [1, 0, 0]}\n", "", 8, "cables.hose: end is missing"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, right: str, wrong: str, line: int, said: str) -> None:
    assert GOOD.count(right) == 1
    file = tmp_path / "route.yaml"
    file.write_text(GOOD.replace(right, wrong))
    with pytest.raises(RouteError) as caught:
        Route.load(file)
    message = str(caught.value)
    assert message.startswith(f"{file}:{line}: "), message
    assert said in message


def test_a_route_without_mistakes_is_read(tmp_path: Path) -> None:
    (tmp_path / "route.yaml").write_text(GOOD)
    assert list(Route.load(tmp_path / "route.yaml").harness.connectors) == ["pump", "hose.end"]
