"""Centrelines and tubes for other programs: CSV, DXF, STEP, VDA-FS in millimetres; STL and glTF."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.ends import rotate
from taut.cables.rod.results import Results
from taut.cables.rod.values import RodError

MM = 1e3
#: corners of the circle of a tube
SIDES = 16


def export(cable: Results, file: str | Path, name: str = "cable") -> None:
    """Write a cable; the ending decides: csv, dxf, step or stp, vda, stl, glb, gltf."""
    path = Path(file)
    check_ending(path)
    _WRITERS[path.suffix.lower()](cable, path, name)


def check_ending(file: Path) -> None:
    """Raises where no such file can be written."""
    if file.suffix.lower() not in _WRITERS:
        raise RodError(f"{file}: expected a file ending in {', '.join(_WRITERS)}")


def spline(cable: Results) -> Any:
    """Cubic B-spline through all nodes, by arc length; point and first derivative in mm."""
    from scipy.interpolate import make_interp_spline

    return make_interp_spline(MM * cable.arc_length, MM * cable.points, k=3)


def _csv(cable: Results, path: Path, name: str) -> None:
    tension = np.concatenate([cable.tension[:1], 0.5 * (cable.tension[1:] + cable.tension[:-1]), cable.tension[-1:]])
    table = np.column_stack(
        [MM * cable.arc_length, MM * cable.points, cable.curvature / MM, np.degrees(cable.twist), tension]
    )
    head = "s [mm],x [mm],y [mm],z [mm],curvature [1/mm],twist [deg/m],tension [N]"
    np.savetxt(path, table, delimiter=",", header=head, comments="", fmt="%.9g")


def _dxf(cable: Results, path: Path, name: str) -> None:
    """A 3D polyline, DXF R12."""
    lines = ["0", "SECTION", "2", "HEADER", "9", "$ACADVER", "1", "AC1009", "9", "$INSUNITS", "70", "4", "0", "ENDSEC"]
    lines += ["0", "SECTION", "2", "ENTITIES", "0", "POLYLINE", "8", _plain(name), "66", "1", "70", "8"]
    lines += ["10", "0.0", "20", "0.0", "30", "0.0"]
    for x, y, z in MM * cable.points:
        lines += ["0", "VERTEX", "8", _plain(name), "10", f"{x:.9f}", "20", f"{y:.9f}", "30", f"{z:.9f}", "70", "32"]
    lines += ["0", "SEQEND", "8", _plain(name), "0", "ENDSEC", "0", "EOF"]
    path.write_text("\n".join(lines) + "\n", encoding="ascii")


def _plain(name: str) -> str:
    """A name that every format takes."""
    kept = "".join(letter if letter.isascii() and letter.isalnum() else "_" for letter in name)
    return kept or "cable"


def _step(cable: Results, path: Path, name: str) -> None:
    """A B-spline curve in mm (ISO 10303-21, AP214): a geometric curve set."""
    curve = spline(cable)
    knots, points = np.asarray(curve.t), np.asarray(curve.c)
    values, many = np.unique(knots, return_counts=True)
    word, count = _plain(name), len(points)
    first = 40
    control = ",".join(f"#{first + k}" for k in range(count))
    stamp = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")
    lines = [
        "ISO-10303-21;", "HEADER;", "FILE_DESCRIPTION(('centreline of a cable'),'2;1');",
        f"FILE_NAME('{word}','{stamp}',(''),(''),'taut','taut','');",
        "FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));", "ENDSEC;", "DATA;",
        "#1=APPLICATION_CONTEXT('automotive design');",
        "#2=APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#1);",
        "#3=PRODUCT_CONTEXT('',#1,'mechanical');",
        f"#4=PRODUCT('{word}','{word}','',(#3));",
        "#5=PRODUCT_DEFINITION_FORMATION('','',#4);",
        "#6=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design');",
        "#7=PRODUCT_DEFINITION('design','',#5,#6);",
        "#8=PRODUCT_DEFINITION_SHAPE('','',#7);",
        "#9=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));",
        "#10=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));",
        "#11=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());",
        "#12=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-6),#9,'distance_accuracy_value','');",
        "#13=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#12))"
        "GLOBAL_UNIT_ASSIGNED_CONTEXT((#9,#10,#11))REPRESENTATION_CONTEXT('',''));",
        "#14=CARTESIAN_POINT('',(0.,0.,0.));", "#15=DIRECTION('',(0.,0.,1.));", "#16=DIRECTION('',(1.,0.,0.));",
        "#17=AXIS2_PLACEMENT_3D('',#14,#15,#16);",
        f"#18=B_SPLINE_CURVE_WITH_KNOTS('{word}',3,({control}),.UNSPECIFIED.,.F.,.F.,"
        f"({','.join(str(one) for one in many)}),({','.join(_real(one) for one in values)}),.UNSPECIFIED.);",
        f"#19=GEOMETRIC_CURVE_SET('{word}',(#18));",
        f"#20=GEOMETRICALLY_BOUNDED_WIREFRAME_SHAPE_REPRESENTATION('{word}',(#19,#17),#13);",
        "#21=SHAPE_DEFINITION_REPRESENTATION(#8,#20);",
    ]  # fmt: skip
    lines += [
        f"#{first + k}=CARTESIAN_POINT('',({_real(x)},{_real(y)},{_real(z)}));" for k, (x, y, z) in enumerate(points)
    ]
    path.write_text("\n".join([*lines, "ENDSEC;", "END-ISO-10303-21;", ""]), encoding="ascii")


def _real(value: float) -> str:
    """A real number of STEP: always with a point."""
    text = f"{value:.12G}"
    if "E" in text and "." not in text:
        return text.replace("E", ".E")
    return text if "." in text else text + "."


def _vda(cable: Results, path: Path, name: str) -> None:
    """A curve of cubic pieces in powers of the local parameter 0 to 1 (VDA-FS 2.0, DIN 66301), in mm."""
    curve = spline(cable)
    knots = np.unique(curve.t)
    slopes = [curve(knots[:-1], nu=order) / math.factorial(order) for order in range(4)]
    words = [f"{value:.9E}" for value in knots]
    for k, width in enumerate(np.diff(knots)):
        powers = np.array([slope[k] * width**order for order, slope in enumerate(slopes)])
        words.append("4")
        words += [f"{value:.9E}" for axis in range(3) for value in powers[:, axis]]
    body, line = [], f"{_plain(name)[:8].upper()} = CURVE / {len(knots) - 1}"
    for word in words:
        if len(line) + len(word) + 2 > 70:
            body.append(line + ",")
            line = word
        else:
            line += ", " + word
    lines = [
        "TAUT = HEADER / 1",
        "CENTRELINE OF A CABLE, MM",
        "TAUTSET = BEGINSET",
        *body,
        line,
        "TAUTSET = ENDSET",
        "TAUT = END",
    ]
    path.write_text("".join(f"{text:<72}{k:08d}\n" for k, text in enumerate(lines, 1)), encoding="ascii")


def tube(cable: Results, radius: float | None = None, sides: int = SIDES) -> tuple[Array, Array]:
    """Vertices [m] and triangles of the closed surface of a cable."""
    size = cable.radius if radius is None else radius
    if size <= 0.0:
        raise RodError("radius: a tube needs one; give a section or radius='5 mm'")
    points, frames = cable.points, cable.frames
    x, axis = np.eye(3)[0], np.eye(3)[2]
    # rings at the nodes, across the mean of both tangents, turned with the frames
    tangents = rotate(frames, axis)
    mean = np.vstack([tangents[:1], tangents[1:] + tangents[:-1], tangents[-1:]])
    mean /= np.linalg.norm(mean, axis=1, keepdims=True)
    d1 = rotate(frames, x)[np.r_[0, np.arange(len(frames))]]
    d1 = d1 - (d1 * mean).sum(axis=1, keepdims=True) * mean
    d1 /= np.linalg.norm(d1, axis=1, keepdims=True)
    d2 = np.cross(mean, d1)
    angle = 2.0 * math.pi * np.arange(sides) / sides
    ring = np.cos(angle)[None, :, None] * d1[:, None] + np.sin(angle)[None, :, None] * d2[:, None]
    vertices = np.vstack([(points[:, None] + size * ring).reshape(-1, 3), points[0], points[-1]])
    k, j = np.meshgrid(np.arange(len(points) - 1), np.arange(sides), indexing="ij")
    a, b = (k * sides + j).ravel(), (k * sides + (j + 1) % sides).ravel()
    walls = np.vstack([np.column_stack([a, b, b + sides]), np.column_stack([a, b + sides, a + sides])])
    last, turn = (len(points) - 1) * sides, np.arange(sides)
    begin, end = len(vertices) - 2, len(vertices) - 1
    caps = [np.column_stack([np.full(sides, begin), (turn + 1) % sides, turn])]
    caps.append(np.column_stack([np.full(sides, end), last + turn, last + (turn + 1) % sides]))
    return vertices, np.vstack([walls, *caps])


def _mesh(cable: Results, path: Path, name: str) -> None:
    """STL in mm; glTF in m with y up, as its standard asks: binary as glb, text as gltf."""
    import trimesh

    vertices, faces = tube(cable)
    vertices = MM * vertices if path.suffix.lower() == ".stl" else vertices[:, [0, 2, 1]] * (1.0, 1.0, -1.0)
    mesh = trimesh.Trimesh(vertices, faces, process=False)
    if path.suffix.lower() == ".gltf":
        # text, the numbers in the same file: nothing that could be left behind
        path.write_bytes(trimesh.exchange.gltf.export_gltf(trimesh.Scene(mesh), embed_buffers=True)["model.gltf"])
    else:
        mesh.export(path)


_WRITERS: dict[str, Callable[[Results, Path, str], None]] = {
    ".csv": _csv, ".dxf": _dxf, ".step": _step, ".stp": _step, ".vda": _vda, ".stl": _mesh, ".glb": _mesh, ".gltf": _mesh,
}  # fmt: skip
