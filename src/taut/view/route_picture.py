"""The picture of a route in perspective, as its report shows it: parts and cables as solids, lit from above."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.ends import rotate
from taut.cables.rod.export import tube
from taut.cables.rod.route import Route
from taut.cables.rod.touch import solid_mesh

#: triangles of a part from which on only some of them are drawn: a picture of more takes long, and looks the same
MANY = 6000
#: direction of the light, colour of parts, sides of a cable, and how far its own faces are darkened at most
LIGHT, PART, SIDES, SHADE = np.array([0.3, -0.5, 0.81]), (0.72, 0.76, 0.80), 12, 0.45
#: where it is looked from [deg], and how wide
ELEVATION, AZIMUTH, FOCUS = 24.0, -62.0, 0.6


def draw(axis: Any, route: Route, others: dict[str, list[Any]], colours: dict[str, str]) -> None:
    """Into an axis of three dimensions. others: shapes of cables in other frames; colours: of the cables."""
    from matplotlib.colors import to_rgb
    from mpl_toolkits.mplot3d.art3d import Line3DCollection, Poly3DCollection

    solids: list[Any] = []
    paint: list[Any] = []
    for name, shape in route.shapes.items():
        target = route.harness._obstacle(name)
        vertices, faces = solid_mesh(shape)
        # drawn by the depth of their middles: large faces hide what lies before them
        add(
            solids, paint, 1e3 * (target.point + rotate(target.frame, vertices)), faces[:: 1 + len(faces) // MANY], PART
        )
    for name, cable in route.harness.cables.items():
        if cable.radius > 0.0:
            vertices, faces = tube(cable, sides=SIDES)
            add(solids, paint, 1e3 * vertices, faces, to_rgb(colours[name]))
    for shapes in others.values():
        lines = [1e3 * points for points in shapes[:: max(1, len(shapes) // 40)]]
        axis.add_collection3d(Line3DCollection(lines, colors="#f0b35a", linewidths=0.4))
    low, high = np.zeros(3), np.ones(3)
    if solids:
        faces = np.concatenate(solids)
        colour = np.concatenate(paint)
        # edges of the same colour: between two triangles nothing shines through
        axis.add_collection3d(Poly3DCollection(faces, facecolors=colour, edgecolors=colour, linewidths=0.3))
        low, high = faces.min(axis=(0, 1)), faces.max(axis=(0, 1))
    size = np.maximum(high - low, 0.05 * (high - low).max())
    for word, middle, half in zip("xyz", 0.5 * (low + high), 0.5 * size):
        getattr(axis, f"set_{word}lim")(middle - half, middle + half)
        getattr(axis, f"set_{word}label")(f"{word} [mm]")
        getattr(axis, f"{word}axis").set_major_locator(_few())
    axis.set_box_aspect(size / size.max(), zoom=1.2)
    axis.set_proj_type("persp", focal_length=FOCUS)
    axis.view_init(elev=ELEVATION, azim=AZIMUTH)
    axis.tick_params(labelsize="x-small")


def add(solids: list[Any], paint: list[Any], vertices: Any, faces: Any, colour: tuple[float, ...]) -> None:
    """Triangles, cut until none is larger than a part of the whole, and what each is painted: darker where it looks away from the light."""
    corners = _cut(vertices[faces])
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    bright = 1.0 - SHADE * (0.5 - 0.5 * normals @ LIGHT)
    solids.append(corners)
    paint.append(np.clip(bright[:, None] * np.array(colour), 0.0, 1.0))


def _cut(corners: Any) -> Any:
    """Each large triangle as four, as often as it takes: they are drawn one after the other by their depth, and a large one would be
    drawn before what it hides, or after what hides it."""
    most = max(np.ptp(corners.reshape(-1, 3), axis=0).max() / 8.0, 1e-9)
    for _ in range(5):
        sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        large = corners[sides > most]
        if not len(large) or len(corners) + 3 * len(large) > 2 * MANY:
            break
        a, b, c = large[:, 0], large[:, 1], large[:, 2]
        ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
        small = [np.stack(three, axis=1) for three in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        corners = np.concatenate([corners[sides <= most], *small])
    return corners


def _few() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(4)
