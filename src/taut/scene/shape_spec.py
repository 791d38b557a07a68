"""What every shape answers."""

from typing import ClassVar, TypeAlias

from taut.scene.mesh_file import MeshContent
from taut.scene.quantity import Vec3
from taut.scene.spec import Spec

Six: TypeAlias = tuple[float, float, float, float, float, float]


class ShapeSpec(Spec):
    """What every shape answers. Lengths in m, areas in m^2, inertia per kg in m^2."""

    drag_coefficient: ClassVar[float] = 1.0

    def volume(self) -> float:
        """Volume [m^3]."""
        raise NotImplementedError

    def unit_inertia(self) -> Vec3:
        """Moments of inertia per kg about the local axes through the centroid, uniform density [m^2]."""
        raise NotImplementedError

    def unit_inertia_tensor(self) -> Six:
        """The whole tensor per kg, xx, yy, zz, xy, xz, yz, about the centroid [m^2]."""
        return (*self.unit_inertia(), 0.0, 0.0, 0.0)

    def centre(self) -> Vec3:
        """The centroid in the shape's own frame [m]."""
        return (0.0, 0.0, 0.0)

    def projected_areas(self) -> Vec3:
        """Area seen along the local x, y and z axis [m^2]."""
        raise NotImplementedError


class Triangles(ShapeSpec):
    """A shape whose closed surface of triangles tells its mass properties."""

    def content(self) -> "MeshContent":
        """Vertices, triangles and mass properties in m, z up."""
        raise NotImplementedError

    def volume(self) -> float:
        """Enclosed volume, from the triangles [m^3]."""
        return self.content().volume

    def unit_inertia(self) -> Vec3:
        """Diagonal of the tensor; `unit_inertia_tensor` has the rest."""
        return self.content().unit_inertia[:3]

    def unit_inertia_tensor(self) -> Six:
        return self.content().unit_inertia

    def centre(self) -> Vec3:
        return self.content().centre

    def projected_areas(self) -> Vec3:
        """Half the sum of the triangles' own shadows: exact for a convex body, too large for one with hollows."""
        return self.content().projected_areas
