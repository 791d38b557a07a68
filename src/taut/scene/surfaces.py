"""Shapes made of triangles that stand in the scene itself: convex hulls of points, and height fields."""

import functools
from typing import Annotated, Literal

from pydantic import field_validator

from taut.scene import mesh_file, units
from taut.scene.quantity import Point, PositiveLength, Quantity, Vec3, refuse
from taut.scene.shape_spec import ShapeSpec, Triangles

#: points of a hull, and of a height field along one side
MOST_POINTS, MOST_SIDE = 10_000, 1000


class Hull(Triangles):
    """The convex hull of some points: a wedge, a stone, a gem."""

    type: Literal["hull"] = "hull"
    """What it is: hull."""
    points: tuple[Point, ...]
    """At least four points that do not lie in one plane, in the body's frame [m]."""

    @field_validator("points")
    @classmethod
    def _solid(cls, points: tuple[Vec3, ...]) -> tuple[Vec3, ...]:
        if not 4 <= len(points) <= MOST_POINTS:
            raise refuse(f"expected 4 to {MOST_POINTS} points")
        if mesh_file.flat(points):
            raise refuse("the points lie in one plane, on one line or on top of each other: their hull has no volume")
        return points

    def content(self) -> "mesh_file.MeshContent":
        """Vertices, triangles and mass properties [m]."""
        return _hull(self.points)


@functools.lru_cache(maxsize=256)
def _hull(points: tuple[Vec3, ...]) -> "mesh_file.MeshContent":
    return mesh_file.hull(points)


class HeightField(ShapeSpec):
    """Ground with hills: heights over a rectangle, two triangles to each cell. It belongs to a static body."""

    type: Literal["height_field"] = "height_field"
    """What it is: height_field."""
    width: PositiveLength
    """Size along local x, between the first and the last column [m]."""
    depth: PositiveLength
    """Size along local y, between the first and the last row [m]."""
    heights: tuple[tuple[Annotated[float, Quantity(units.LENGTH)], ...], ...]
    """Rows along y, each with its heights along x; the middle of the rectangle is the body's origin [m]."""

    drag_coefficient = 0.0

    @field_validator("heights")
    @classmethod
    def _grid(cls, heights: tuple[tuple[float, ...], ...]) -> tuple[tuple[float, ...], ...]:
        sizes = {len(row) for row in heights}
        if len(sizes) != 1 or not 2 <= len(heights) <= MOST_SIDE or not 2 <= min(sizes) <= MOST_SIDE:
            raise refuse(f"expected 2 to {MOST_SIDE} rows of 2 to {MOST_SIDE} heights, all equally long")
        return heights

    def content(self) -> "mesh_file.MeshContent":
        """Vertices and triangles, which look up [m]."""
        return _field(self.width, self.depth, self.heights)

    def volume(self) -> float:
        """None: a surface cannot be weighed."""
        return 0.0

    def unit_inertia(self) -> Vec3:
        """None: a surface cannot be weighed."""
        return (0.0, 0.0, 0.0)

    def projected_areas(self) -> Vec3:
        return (0.0, 0.0, 0.0)


@functools.lru_cache(maxsize=16)
def _field(width: float, depth: float, heights: tuple[tuple[float, ...], ...]) -> "mesh_file.MeshContent":
    return mesh_file.grid(width, depth, heights)
