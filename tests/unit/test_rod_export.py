"""Files for other programs, read back by readers that share no code with the writers."""

import itertools
import re

import numpy as np
import pytest

from taut.cables.rod import Clamp, Rod, RodError
from taut.cables.rod.envelope import envelope
from taut.cables.rod.export import export, tube
from taut.cables.rod.tube_import import read_tube


@pytest.fixture(scope="module")
def hose() -> Rod:
    rod = Rod(
        0.6, 60, start=Clamp((0, 0, 0)), end=Clamp((0.35, 0.08, 0.04), (0, 1, 0.3)), EI=0.01, GJ=0.008,
        mass_per_length=0.1, radius=0.006,
    )  # fmt: skip
    rod.solve()
    return rod


def de_boor(t, c, x, k=3):
    """A point of a B-spline (de Boor 1972)."""
    j = int(np.clip(np.searchsorted(t, x, side="right") - 1, k, len(t) - k - 2))
    d = [np.array(c[j - k + i]) for i in range(k + 1)]
    for r in range(1, k + 1):
        for i in range(k, r - 1, -1):
            a = (x - t[j - k + i]) / (t[j + 1 + i - r] - t[j - k + i])
            d[i] = (1 - a) * d[i - 1] + a * d[i]
    return d[k]


def test_step_curve_passes_through_the_nodes(hose, tmp_path) -> None:
    file = tmp_path / "hose.step"
    export(hose, file, "hose")
    text = file.read_text()
    points = {int(n): eval(p) for n, p in re.findall(r"#(\d+)=CARTESIAN_POINT\('',(\([^)]*\))\)", text)}
    found = re.search(r"B_SPLINE_CURVE_WITH_KNOTS\('hose',3,\(([^)]*)\),[^(]*\(([^)]*)\),\(([^)]*)\)", text)
    control = [points[int(n)] for n in found[1].replace("#", "").split(",")]
    knots = np.repeat([float(x) for x in found[3].split(",")], [int(x) for x in found[2].split(",")])
    assert len(knots) == len(control) + 4
    assert "SI_UNIT(.MILLI.,.METRE.)" in text
    for s, point in zip(1e3 * hose.arc_length, 1e3 * hose.points):
        assert de_boor(knots, control, min(s, knots[-1] * (1 - 1e-12))) == pytest.approx(point, abs=1e-4)


def test_step_curve_in_an_independent_reader(hose, tmp_path) -> None:
    reader = pytest.importorskip("OCP.STEPControl", reason="needs cadquery-ocp", exc_type=ImportError)
    from OCP.BRepAdaptor import BRepAdaptor_Curve
    from OCP.TopAbs import TopAbs_EDGE
    from OCP.TopExp import TopExp_Explorer
    from OCP.TopoDS import TopoDS

    file = tmp_path / "hose.step"
    export(hose, file, "hose")
    steps = reader.STEPControl_Reader()
    assert int(steps.ReadFile(str(file))) == 1
    steps.TransferRoots()
    edges = TopExp_Explorer(steps.OneShape(), TopAbs_EDGE)
    assert edges.More()
    cast = getattr(TopoDS, "Edge_s", None) or TopoDS.Edge
    curve = BRepAdaptor_Curve(cast(edges.Current()))
    low, high = curve.FirstParameter(), curve.LastParameter()
    assert high - low == pytest.approx(600.0, abs=1e-6)
    for s, point in zip(1e3 * hose.arc_length, 1e3 * hose.points):
        there = curve.Value(low + s)
        assert [there.X(), there.Y(), there.Z()] == pytest.approx(point, abs=0.01)


def test_vda_pieces_join(hose, tmp_path) -> None:
    file = tmp_path / "hose.vda"
    export(hose, file, "hose")
    lines = file.read_text().splitlines()
    assert all(len(line) == 80 for line in lines)
    text = "".join(line[:72].strip() + " " for line in lines)
    body = re.search(r"HOSE = CURVE / (.*?) TAUTSET = ENDSET", text)[1]
    words = [float(word) for word in body.split(",")]
    pieces = int(words[0])
    at = 1 + pieces + 1
    ends = []
    for _ in range(pieces):
        assert words[at] == 4
        powers = np.array(words[at + 1 : at + 13]).reshape(3, 4)
        ends.append((powers[:, 0], powers.sum(axis=1)))
        at += 13
    assert at == len(words)
    for (_, end), (begin, _) in itertools.pairwise(ends):
        assert end == pytest.approx(begin, abs=1e-5)
    assert ends[0][0] == pytest.approx(1e3 * hose.points[0], abs=1e-5)
    assert ends[-1][1] == pytest.approx(1e3 * hose.points[-1], abs=1e-5)


def test_dxf_and_csv(hose, tmp_path) -> None:
    export(hose, tmp_path / "hose.dxf")
    words = (tmp_path / "hose.dxf").read_text().split("\n")
    codes, values = words[0:-1:2], words[1::2]
    vertex = [k for k, (code, value) in enumerate(zip(codes, values)) if code == "0" and value == "VERTEX"]
    assert len(vertex) == 61
    last = {code: value for code, value in zip(codes[vertex[-1] + 1 : vertex[-1] + 6], values[vertex[-1] + 1 :])}
    assert [float(last[code]) for code in ("10", "20", "30")] == pytest.approx([350, 80, 40], abs=1e-5)
    export(hose, tmp_path / "hose.csv")
    table = np.loadtxt(tmp_path / "hose.csv", delimiter=",", skiprows=1)
    assert table[:, 1:4] == pytest.approx(1e3 * hose.points, abs=1e-5)


@pytest.mark.parametrize(("ending", "scale"), [("stl", 1e3), ("glb", 1.0), ("gltf", 1.0)])
def test_tubes_are_closed_and_as_large_as_they_should_be(hose, tmp_path, ending, scale) -> None:
    import trimesh

    file = tmp_path / f"hose.{ending}"
    export(hose, file)
    mesh = trimesh.load(file, force="mesh")
    mesh.merge_vertices()
    assert mesh.is_watertight
    # a prism of 16 sides has 16/(2 pi) sin(2 pi/16) of the area of the circle
    area = np.pi * (0.006 * scale) ** 2 * 16 / (2 * np.pi) * np.sin(2 * np.pi / 16)
    assert mesh.volume == pytest.approx(area * 0.6 * scale, rel=5e-3)


def test_a_tessellated_hose_becomes_a_cable_again(hose) -> None:
    vertices, faces = tube(hose, sides=24)
    found = read_tube(vertices, faces)
    assert found.length == pytest.approx(0.6, rel=5e-3)
    assert found.radius == pytest.approx(0.006, rel=0.02)
    line = found.centreline if np.linalg.norm(found.centreline[0]) < 0.1 else found.centreline[::-1]
    dense = np.vstack(
        [a + (b - a) * t for a, b in zip(hose.points[:-1], hose.points[1:]) for t in np.linspace(0, 1, 20)]
    )
    off = np.linalg.norm(line[:, None] - dense[None], axis=-1).min(axis=1)
    assert off.max() < 5e-4


def test_a_hose_that_is_bent_up_to_its_end_faces() -> None:
    """A third of a ring, 140 mm across: its ends are where they are and point where they point, not where a straight tip would."""
    bend, radius, sides = 0.07, 0.006, 24
    angle = np.linspace(0.0, 2 * np.pi / 3, 61)
    out = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(61)])
    turn = np.linspace(0.0, 2 * np.pi, sides, endpoint=False)
    rings = (bend + radius * np.cos(turn))[None, :, None] * out[:, None] + radius * np.sin(turn)[:, None] * [0, 0, 1]
    vertices = np.vstack([rings.reshape(-1, 3), bend * out[[0, -1]]])
    here = np.arange(60 * sides)
    beside = here // sides * sides + (here + 1) % sides
    walls = np.vstack(
        [np.column_stack([here, beside, beside + sides]), np.column_stack([here, beside + sides, here + sides])]
    )
    rim = np.arange(sides)
    caps = [
        np.column_stack([rim + k, (rim + 1) % sides + k, np.full(sides, c)]) for k, c in ((0, -2), (60 * sides, -1))
    ]
    found = read_tube(vertices, np.vstack([walls, *caps]) % len(vertices))
    forward = found.centreline[0, 0] > 0
    line = found.centreline if forward else found.centreline[::-1]
    first, last = found.directions if forward else (-found.directions[1], -found.directions[0])
    assert found.length == pytest.approx(bend * angle[-1], rel=2e-3)
    assert line[[0, -1]] == pytest.approx(bend * out[[0, -1]], abs=2e-4)
    for got, at in ((first, angle[0]), (last, angle[-1])):
        assert np.degrees(np.arccos(got @ [-np.sin(at), np.cos(at), 0.0])) < 1.0


def test_the_envelope_of_a_straight_sweep() -> None:
    """A straight cable moved sideways sweeps a plate with round edges: pi r^2 L + 2 r d L, and half balls at the ends."""
    import trimesh

    line = np.column_stack([np.linspace(0, 0.2, 21), np.zeros(21), np.zeros(21)])
    shapes = [line + [0, y, 0] for y in np.linspace(0.0, 0.03, 31)]
    mesh = trimesh.Trimesh(*envelope(shapes, 0.01, 0.002))
    assert mesh.is_watertight
    sausage = np.pi * 0.01**2 * 0.2 + 0.02 * 0.03 * 0.2 + 4 / 3 * np.pi * 0.01**3 + np.pi * 0.01**2 * 0.03
    # interpolation on cells of r/5: second order
    assert mesh.volume == pytest.approx(sausage, rel=0.02)


def test_mistakes_are_named(hose, tmp_path) -> None:
    with pytest.raises(RodError, match=r"hose.igs: expected a file ending in .csv, .dxf"):
        export(hose, tmp_path / "hose.igs")
    vertices, faces = tube(hose)
    two = np.vstack([vertices, vertices + 1.0]), np.vstack([faces, faces + len(vertices)])
    with pytest.raises(RodError, match="holds 2 separate pieces"):
        read_tube(*two, "double.stl")
