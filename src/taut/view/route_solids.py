"""Parts of a route that are told by their sizes: a box, a cylinder, a ball."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.ends import rotate
from taut.cables.rod.route import Route
from taut.cables.rod.route_build import read_shape
from taut.cables.rod.touch import solid_mesh

#: how far below all else a new part begins, as a share of its own height
BELOW = 0.25
#: what is looked at where there is nothing yet [m]
NOTHING = 0.15


def box(sizes: tuple[float, float, float]) -> dict[str, Any]:
    """Edges along x, y and z [mm]."""
    return {"type": "box", "size": [_mm(size) for size in sizes]}


def cylinder(diameter: float, length: float) -> dict[str, Any]:
    """Diameter and length along z [mm]."""
    return {"type": "cylinder", "radius": _mm(0.5 * diameter), "length": _mm(length)}


def sphere(diameter: float) -> dict[str, Any]:
    """Diameter [mm]."""
    return {"type": "sphere", "radius": _mm(0.5 * diameter)}


def add(route: Route, shape: dict[str, Any], cables: bool = True) -> str:
    """Add a part below everything else, where nothing is in its way; returns its name. cables: false where nobody has said where they
    go. Raises RodError."""
    data = route.data["route"].setdefault("parts", {})
    count = 1
    while (name := f"{shape['type']}_{count}") in data:
        count += 1
    made = read_shape(shape, route.folder)
    low, high = extent(route, cables)
    height = float(np.ptp(solid_mesh(made)[0][:, 2]))
    point = [*(0.5 * (low + high))[:2], low[2] - (0.5 + BELOW) * height] if cables or route.shapes else [0.0] * 3
    written = [_mm(1e3 * value) for value in point]
    route.harness.add_obstacle(name, made, written)
    route.shapes[name] = made
    data[name] = {"shape": shape, "point": written}
    return name


def extent(route: Route, cables: bool = True) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest coordinates of cables and parts [m], shape (3,) each; of a box about the origin where there is nothing."""
    points = [cable.points for cable in route.harness.cables.values()] if cables else []
    for name, shape in route.shapes.items():
        target = route.harness._obstacle(name)
        points.append(target.point + rotate(target.frame, solid_mesh(shape)[0]))
    every = np.vstack(points) if points else np.array([[-NOTHING] * 3, [NOTHING] * 3])
    return every.min(axis=0), every.max(axis=0)


def _mm(value: float) -> str:
    return f"{round(float(value), 3) + 0.0:.10g} mm"
