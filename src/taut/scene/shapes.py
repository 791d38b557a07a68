"""Shapes: their volume, their inertia, and the area they show to the wind.

Every shape sits with its centroid at the origin of its own frame, except a mesh, which keeps the origin of its file, and a
hull, which keeps that of its points.
"""

import math
from pathlib import Path
from typing import Annotated, ClassVar, Literal

from pydantic import Field, ValidationInfo, field_validator

from taut.scene import mesh_file
from taut.scene.quantity import PositiveLength, PositiveNumber, Size, Vec3, refuse
from taut.scene.shape_spec import ShapeSpec, Triangles
from taut.scene.surfaces import HeightField, Hull


class Box(ShapeSpec):
    """A box."""

    type: Literal["box"] = "box"
    """What it is: box."""
    size: Size
    """Full edge lengths along local x, y and z [m]."""

    drag_coefficient: ClassVar[float] = 1.05

    def volume(self) -> float:
        """x y z."""
        return math.prod(self.size)

    def unit_inertia(self) -> Vec3:
        """(y^2 + z^2)/12 and so on."""
        x, y, z = (edge * edge / 12.0 for edge in self.size)
        return (y + z, x + z, x + y)

    def projected_areas(self) -> Vec3:
        x, y, z = self.size
        return (y * z, x * z, x * y)


class Sphere(ShapeSpec):
    """A ball."""

    type: Literal["sphere"] = "sphere"
    """What it is: sphere."""
    radius: PositiveLength
    """Radius [m]."""

    drag_coefficient: ClassVar[float] = 0.47

    def volume(self) -> float:
        """4/3 pi r^3."""
        return 4.0 / 3.0 * math.pi * self.radius**3

    def unit_inertia(self) -> Vec3:
        """2/5 r^2."""
        moment = 0.4 * self.radius**2
        return (moment, moment, moment)

    def projected_areas(self) -> Vec3:
        area = math.pi * self.radius**2
        return (area, area, area)


class Capsule(ShapeSpec):
    """A cylinder along local z with a half ball on each end."""

    type: Literal["capsule"] = "capsule"
    """What it is: capsule."""
    radius: PositiveLength
    """Radius of the cylinder and its ends [m]."""
    length: PositiveLength
    """Length of the cylindrical part along local z, without the round ends [m]."""

    def volume(self) -> float:
        """pi r^2 l + 4/3 pi r^3."""
        return math.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    def unit_inertia(self) -> Vec3:
        """Cylinder (share c of the mass) and two half balls (share s), the latter moved out to the ends:

        across: c (l^2/12 + r^2/4) + s (2/5 r^2 + l^2/4 + 3/8 l r);  along: c r^2/2 + s 2/5 r^2
        """
        r, l = self.radius, self.length
        s = 4.0 / 3.0 * r / (l + 4.0 / 3.0 * r)
        c = 1.0 - s
        across = c * (l * l / 12.0 + r * r / 4.0) + s * (0.4 * r * r + l * l / 4.0 + 0.375 * l * r)
        return (across, across, (0.5 * c + 0.4 * s) * r * r)

    def projected_areas(self) -> Vec3:
        end = math.pi * self.radius**2
        side = 2.0 * self.radius * self.length + end
        return (side, side, end)


class Cylinder(ShapeSpec):
    """A cylinder along local z."""

    type: Literal["cylinder"] = "cylinder"
    """What it is: cylinder."""
    radius: PositiveLength
    """Radius [m]."""
    length: PositiveLength
    """Length along local z [m]."""

    def volume(self) -> float:
        """pi r^2 l."""
        return math.pi * self.radius**2 * self.length

    def unit_inertia(self) -> Vec3:
        """Across: l^2/12 + r^2/4; along: r^2/2."""
        across = self.length**2 / 12.0 + self.radius**2 / 4.0
        return (across, across, self.radius**2 / 2.0)

    def projected_areas(self) -> Vec3:
        side = 2.0 * self.radius * self.length
        return (side, side, math.pi * self.radius**2)


class Plane(ShapeSpec):
    """An infinite plane through the body's position; local z is its normal and points to the free side."""

    type: Literal["plane"] = "plane"
    """What it is: plane. It belongs to a static body."""

    drag_coefficient: ClassVar[float] = 0.0

    def volume(self) -> float:
        """None: a plane cannot be weighed."""
        return 0.0

    def unit_inertia(self) -> Vec3:
        """None: a plane cannot be weighed."""
        return (0.0, 0.0, 0.0)

    def projected_areas(self) -> Vec3:
        return (0.0, 0.0, 0.0)


class Mesh(Triangles):
    """Triangles from a file; it must be closed to be weighed."""

    type: Literal["mesh"] = "mesh"
    """What it is: mesh."""
    file: str
    """The file (stl, obj, ply, off, glb or gltf), as seen from the folder of the scene."""
    unit: Literal["mm", "cm", "m", "in"]
    """The unit of length in which the file is written."""
    up: Literal["y", "z"]
    """The axis of the file that points up."""
    scale: PositiveNumber = 1.0
    """Extra factor on the size [-]."""
    contact: Literal["auto", "triangles", "hull"] = "auto"
    """What touches others: its triangles, which have an outside only, or its convex hull. auto: the triangles, but the hull of
    a body that is moved by forces and is convex or not closed."""

    @field_validator("file")
    @classmethod
    def _seen_from_scene(cls, file: str, info: ValidationInfo) -> str:
        if not file or "\0" in file or len(file) > 1000:
            raise refuse("expected the name of a mesh file")
        folder = (info.context or {}).get("folder")
        return file if folder is None else (Path(folder) / file).as_posix()

    def content(self) -> "mesh_file.MeshContent":
        """Vertices, triangles and mass properties in m, z up. Read once per file. Raises MeshError."""
        return mesh_file.read(self.file, self.unit, self.up, self.scale)


Shape = Annotated[Box | Sphere | Capsule | Cylinder | Plane | Mesh | Hull | HeightField, Field(discriminator="type")]
