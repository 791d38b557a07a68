"""Bodies: what moves, what stands still, and what each weighs."""

from dataclasses import dataclass
from typing import Literal

from taut.scene.forms import Color, Inertia, Orientation, Quaternion
from taut.scene.motions import Motion, PoseMotion
from taut.scene.quantity import Density, Mass, NotNegative, Point, Spin, Vec3, Velocity
from taut.scene.shape_spec import Six
from taut.scene.shapes import Mesh, Shape
from taut.scene.spec import Spec

ORIGIN: Vec3 = (0.0, 0.0, 0.0)
UPRIGHT: Quaternion = (1.0, 0.0, 0.0, 0.0)

Look = Literal[
    "solid", "lattice", "girder", "frame", "hook", "ring", "container", "crate", "slabs", "cabin", "tracks", "trailer"
]


@dataclass(frozen=True)
class MassProperties:
    """What a body weighs, in its own frame."""

    mass: float
    """Mass [kg]; 0 for what is not moved by forces and has none given."""
    inertia: Six
    """Inertia about the centre of mass along the body's axes, xx, yy, zz, xy, xz, yz [kg m^2]; 0 for a particle."""
    centre: Vec3
    """Centre of mass in the body's frame [m]; the origin for every shape but a mesh."""


class Body(Spec):
    """A rigid body or a particle."""

    kind: Literal["dynamic", "static", "kinematic", "particle"] = "dynamic"
    """dynamic: moved by forces; static: stands still; kinematic: moves as told; particle: a point with mass."""
    shape: Shape | None = None
    """What it looks like, collides with and weighs; None is nothing to see."""
    mass: Mass | None = None
    """Mass; give this or the density [kg]."""
    density: Density | None = None
    """Density, from which shape and volume give the mass; give this or the mass [kg/m^3]."""
    inertia: Inertia | None = None
    """Inertia about the centre of mass along the body's axes: 3 principal moments, or xx, yy, zz, xy, xz, yz;
    None takes it from the shape [kg m^2]."""
    centre: Point | None = None
    """Centre of mass in the body's frame, for a load that hangs askew; None takes it from the shape [m]."""
    position: Point = ORIGIN
    """Start position of the body's origin in the world [m]."""
    orientation: Orientation = UPRIGHT
    """Start orientation, body to world: quaternion (w, x, y, z), or {axis: [0, 0, 1], angle: 30 deg} [-]."""
    velocity: Velocity = ORIGIN
    """Start velocity of the body's origin in the world [m/s]; a kinematic body without a motion keeps it."""
    spin: Spin = ORIGIN
    """Start angular velocity in the world [rad/s]; a kinematic body without a motion keeps it."""
    motion: Motion | None = None
    """How a kinematic body moves."""
    collide: bool = True
    """Whether it takes part in contacts."""
    group: str | None = None
    """Name of the group of bodies that it belongs to, for `meets` of others; any name will do."""
    meets: tuple[str, ...] | None = None
    """Groups whose bodies it may touch; None is all. Two bodies touch when each may touch the other."""
    material: str | None = None
    """Name of a material of the scene; None takes the default material."""
    color: Color | None = None
    """Colour, '#rrggbb' or red, green and blue from 0 to 1; None lets the viewer choose [-]."""
    look: Look = "solid"
    """How a box is drawn, within its size: solid, as it is; lattice and girder: steelwork along its longest side; frame: an
    open one on wheels, as of a trolley; hook: a hook block; ring: one of round bar, across its shortest side; container,
    crate, slabs (of concrete); cabin, tracks (of a crawler), trailer, all but the ring with local z up. Mass, contacts and
    clicks are those of the box."""
    drag: NotNegative | None = None
    """Drag coefficient in wind and still air; None takes the usual one of the shape [-]."""
    visible: bool = True
    """Whether it is drawn."""

    @property
    def moved_by_forces(self) -> bool:
        """Whether forces act on it (dynamic or particle), rather than a script or nothing."""
        return self.kind in ("dynamic", "particle")

    @property
    def touches_as_hull(self) -> bool:
        """Whether a mesh touches others by its convex hull, as told or because it moves and is convex or open; False for all else."""
        if not isinstance(self.shape, Mesh):
            return False
        if self.shape.contact != "auto":
            return self.shape.contact == "hull"
        content = self.shape.content()
        return self.moved_by_forces and (not content.closed or content.convex)

    @property
    def start_position(self) -> Vec3:
        """Position of the origin at time 0 [m]: that of a scripted path if there is one."""
        return self.motion.positions[0] if isinstance(self.motion, PoseMotion) else self.position

    @property
    def start_orientation(self) -> Quaternion:
        """Orientation at time 0, quaternion (w, x, y, z): that of a scripted path if there is one."""
        path = self.motion.orientations if isinstance(self.motion, PoseMotion) else None
        return path[0] if path else self.orientation

    @property
    def drag_coefficient(self) -> float:
        """The given drag coefficient, or the usual one of the shape [-]."""
        if self.drag is not None:
            return self.drag
        return self.shape.drag_coefficient if self.shape is not None else 0.0

    def mass_properties(self) -> MassProperties:
        """Mass, inertia and centre of mass, from what is given or from the shape."""
        centre = self.shape.centre() if self.shape is not None and self.moved_by_forces else ORIGIN
        centre = centre if self.centre is None else self.centre
        if self.mass is not None:
            mass = self.mass
        else:
            mass = self.density * self.shape.volume() if self.density is not None and self.shape is not None else 0.0
        if self.kind == "particle" or mass == 0.0:
            return MassProperties(mass, (0.0,) * 6, centre)
        if self.inertia is not None:
            x, y, z, *products = (*self.inertia, 0.0, 0.0, 0.0)
            return MassProperties(mass, (x, y, z, products[0], products[1], products[2]), centre)
        unit = self.shape.unit_inertia_tensor() if self.shape is not None else (0.0,) * 6
        xx, yy, zz, xy, xz, yz = (mass * moment for moment in unit)
        return MassProperties(mass, (xx, yy, zz, xy, xz, yz), centre)
