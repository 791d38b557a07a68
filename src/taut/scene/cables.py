"""Cables: a material, a route over parts, and a model that simulates it.

Points and axes of parts are given in the world, as things stand at the start; the bodies then carry them along.
"""

import math
from typing import Annotated, Literal

from pydantic import Field

from taut.scene import units
from taut.scene.forms import Color
from taut.scene.joints import WORLD
from taut.scene.lattices import Lattice
from taut.scene.quantity import (
    Acceleration,
    Angle,
    Count,
    Direction,
    Force,
    LinearDensity,
    Mass,
    NotNegative,
    Point,
    PositiveLength,
    Quantity,
    Speed,
    Time,
    Vector,
)
from taut.scene.ropes import RopeChoice
from taut.scene.sections import Moments, RoundSection, Section
from taut.scene.spec import Spec

Modulus = Annotated[float, Quantity(units.PRESSURE, positive=True)]
BendingStiffness = Annotated[float, Quantity(units.BENDING_STIFFNESS, least=0.0)]
MOST_SEGMENTS = 200_000
Inertia = Annotated[float, Quantity(units.INERTIA, least=0.0)]
Efficiency = Annotated[float, Quantity(units.NUMBER, least=0.05, most=1.0)]
Turn = Literal["auto", "left", "right"]


class RoutePart(Spec):
    """What every part of a route has."""

    on: str = WORLD
    """Body that carries it, or world."""
    at: Point | None = None
    """Where it is, in the world at the start; None is the position of its body [m]."""
    name: str = ""
    """A name of its own, for messages and read-outs."""


class PayOut(Spec):
    """Cable that comes out of an end of a segmented cable and goes back in, as from a winch. Its control is NAME.pay."""

    stored: PositiveLength
    """How much is in there at the start [m]."""
    speed: Speed = 0.0
    """Speed at the start; paying out is positive [m/s]."""
    acceleration: Acceleration = 0.5
    """Largest change of speed per time, also before all is out or in [m/s^2]."""


class End(RoutePart):
    """Where the rope is tied: the first or the last part of a route."""

    type: Literal["end"] = "end"
    """What it is: end."""
    hold: Literal["point", "pose"] = "point"
    """What is held: point lets the cable turn there, pose clamps its direction and twist as well (not massless or layered)."""
    direction: Direction | None = None
    """Of a clamped cable, along the route, in the world at the start; None is as it is laid [-]."""
    roll: Angle = 0.0
    """Turn of a clamped end of a rod about its direction, away from where the rod is without twist [rad]."""
    pay_out: PayOut | None = None
    """Cable that is paid out and reeled in here, segmented only; None is a fixed length."""


class Free(RoutePart):
    """An end that hangs free, of a segmented or honeycomb cable or a rod; `at` is where it is at the start, which a rod finds
    itself."""

    type: Literal["free"] = "free"
    """What it is: free."""


class Via(RoutePart):
    """A place that a segmented or honeycomb cable is laid through at the start; it holds nothing."""

    type: Literal["via"] = "via"
    """What it is: via."""


class Ring(RoutePart):
    """A point that the rope slides through without friction."""

    type: Literal["ring"] = "ring"
    """What it is: ring."""


class Wheel(RoutePart):
    """What sheaves and drums have in common."""

    axis: Direction
    """Axis, in the world at the start [-]."""
    radius: PositiveLength
    """Radius at which the rope lies [m]."""
    turn: Turn = "auto"
    """How the rope goes round: left is by the right-hand rule about the axis; auto looks at the parts beside it."""


class Sheave(Wheel):
    """A grooved wheel that the rope runs over. Without loss, inertia or friction the tension is the same on both sides."""

    type: Literal["sheave"] = "sheave"
    """What it is: sheave."""
    wraps: Annotated[int, Count(0, 100)] = 0
    """Full turns of rope beyond the first contact [-]."""
    inertia: Inertia = 0.0
    """About its axis [kg m^2]."""
    efficiency: Efficiency = 1.0
    """Smaller tension over the larger while it turns [-]."""
    bearing_loss: Force = 0.0
    """Difference of tension that its bearing takes, whatever the tension [N]."""
    bending_loss: Annotated[float, Quantity(units.NUMBER, least=0.0, most=0.9)] = 0.0
    """Part of the larger tension that bending of the rope takes [-]."""
    friction: NotNegative | None = None
    """Of the rope in its groove: beyond exp(friction times wrap angle) it slips; None never slips [-]."""
    fixed: bool = False
    """Whether it does not turn at all, as a bollard: the rope can only slip."""
    groove: bool = True
    """Whether it has a groove; without one the rope slides along the axis to the shortest path."""


class DriveCurve(Spec):
    """One point of a torque-speed curve."""

    speed: Annotated[float, Quantity(units.SPEED, least=0.0)]
    """Speed of the rope [m/s]."""
    force: Force
    """Largest pull at that speed [N]."""


class Traction(Wheel):
    """A driven sheave: friction in its groove moves the rope, as in a lift; the rope slips when that is not enough.

    Its controls are NAME.speed (towards the end of the route is positive), NAME.emergency and NAME.brake_fault.
    """

    type: Literal["traction"] = "traction"
    """What it is: traction."""
    wraps: Annotated[int, Count(0, 100)] = 0
    """Full turns of rope beyond the first contact [-]."""
    friction: NotNegative
    """Of the rope in its groove: beyond exp(friction times wrap angle) it slips [-]."""
    speed: Speed = 0.0
    """Speed at the start, towards the end of the route [m/s]."""
    most_speed: Annotated[float, Quantity(units.SPEED, positive=True)] = 2.0
    """Largest speed, either way [m/s]."""
    acceleration: Acceleration = 0.5
    """Largest change of speed per time [m/s^2]."""
    force: Force | None = None
    """Largest difference of tension that the motor makes; None is unlimited [N]."""
    curve: tuple[DriveCurve, ...] = ()
    """Largest difference of tension by speed, in place of `force`."""
    brake: Force | None = None
    """What the closed brake holds; None is unlimited [N]."""
    brake_delay: Time = 0.0
    """Time until the brake has closed [s]."""
    inertia: Inertia = 0.0
    """Of sheave and drive about its axis; matters while the drive gives way [kg m^2]."""


class TwoBlock(Spec):
    """A switch that stops hoisting before the hook block runs into the sheaves above it."""

    block: str
    """Body of the hook block."""
    clearance: PositiveLength
    """Shortest straight run of the rope at the block at which it stops [m]."""


class RatedLoad(Spec):
    """One point of a load-moment table."""

    radius: Annotated[float, Quantity(units.LENGTH, least=0.0)]
    """Horizontal distance of the load [m]."""
    load: Mass
    """What may hang there, hook block included [kg]."""


class LoadMoment(Spec):
    """What may be lifted at which radius: it warns before, and above it neither hoists nor lets a guarded boom out."""

    block: str
    """Body of the hook block, from which the load hangs."""
    on: str = WORLD
    """Body that carries the point from which the radius is measured: what slews, or world."""
    at: Point | None = None
    """That point, in the world at the start; None is the position of its body [m]."""
    table: tuple[RatedLoad, ...]
    """Rated loads by rising radius; straight lines between them, nothing is rated beyond the last."""
    warning: Annotated[float, Quantity(units.NUMBER, least=0.0, most=1.0)] = 0.9
    """Share of the rated load from which it warns [-]."""


class Winch(Wheel):
    """A drum that hauls rope in and pays it out: the first or the last part of a route.

    Its controls are NAME.speed (hauling is positive) or, by its mode, NAME.position (rope out), then NAME.emergency and
    NAME.brake_fault, NAME the cable's, or its own.
    """

    type: Literal["winch"] = "winch"
    """What it is: winch."""
    mode: Literal["speed", "position"] = "speed"
    """Whether it is told a speed or a length of rope out, to which it goes along its ramps."""
    speed: Speed = 0.0
    """Speed at the start, in speed mode; hauling is positive [m/s]."""
    position: Annotated[float, Quantity(units.LENGTH, least=0.0)] | None = None
    """Rope out that it goes to from the start, in position mode; None stays as laid [m]."""
    most_speed: Annotated[float, Quantity(units.SPEED, positive=True)] = 2.0
    """Largest speed, either way [m/s]."""
    acceleration: Acceleration = 0.5
    """Largest change of speed per time, also before its limits [m/s^2]."""
    force: Force | None = None
    """Largest pull of the motor on the first layer; None is unlimited [N]."""
    curve: tuple[DriveCurve, ...] = ()
    """Largest pull by speed, in place of `force`."""
    brake: Force | None = None
    """What the closed brake holds on the first layer; None is unlimited [N]."""
    brake_delay: Time = 0.0
    """Time until the brake has closed [s]."""
    stored: Annotated[float, Quantity(units.LENGTH, least=0.0)] | None = None
    """Rope on the drum at the start, without the turns that always stay on it; None is plenty [m]."""
    layer_turns: Annotated[float, Quantity(units.NUMBER, least=0.0, most=1e4)] = 0.0
    """Turns in a layer; 0 is a single layer of any width [-]."""
    layer_rise: Annotated[float, Quantity(units.LENGTH, least=0.0)] = 0.0
    """How much further out each layer lies [m]."""
    pitch: Annotated[float, Quantity(units.LENGTH)] = 0.0
    """How far along its axis the rope moves per turn hauled in, back and forth with the layers; `at` is where it leads off
    at the start, negative begins against the axis, 0 is no traverse [m]."""
    upper_limit: Annotated[float, Quantity(units.LENGTH, least=0.0)] | None = None
    """Hoisting stops at this length of rope out; None is a radius of its drum [m]."""
    lower_limit: PositiveLength | None = None
    """Lowering stops at this length of rope out; None is what is stored [m]."""
    overload: Force | None = None
    """Above this pull it does not hoist any more; None is no cut-out [N]."""
    slack_stop: bool = False
    """Whether it stops paying out when the rope is slack."""
    two_block: TwoBlock | None = None
    """Stops hoisting when the hook block comes too near; None is no such switch."""
    load_moment: LoadMoment | None = None
    """Rated loads by radius; None is no such table."""
    guard: str | None = None
    """Winch whose two-block and load moment stop this one from paying out: the one that hoists, for a boom; None is none."""
    stall: Force | None = None
    """Tension at which a drum at its largest speed stands still, giving way in proportion (the velocity row of paper 0);
    None does not give way [N]."""
    inertia: Inertia = 0.0
    """Of drum and drive, about the drum's axis; matters while the brake slips [kg m^2]."""


class Falls(Spec):
    """Several falls between an upper and a lower block, written in one line and expanded into sheaves.

    The rope comes to the upper block, goes down to the lower one and back, `count` times, and is tied off: to the upper
    block for an even number of falls, to the lower one for an odd number.
    """

    type: Literal["falls"] = "falls"
    """What it is: falls."""
    count: Annotated[int, Count(1, 64)]
    """Number of falls that carry the lower block [-]."""
    upper: str = WORLD
    """Body of the upper block, or world."""
    lower: str
    """Body of the lower block, or world."""
    upper_at: Point
    """Middle of the upper block, in the world at the start [m]."""
    lower_at: Point
    """Middle of the lower block, in the world at the start [m]."""
    axis: Direction
    """Axis of all sheaves, in the world at the start [-]."""
    radius: PositiveLength
    """Radius of all sheaves [m]."""
    spacing: Annotated[float, Quantity(units.LENGTH, least=0.0)] = 0.0
    """Distance of neighbouring sheaves of a block along the axis [m]."""
    efficiency: Efficiency = 1.0
    """Of each sheave [-]."""
    inertia: Inertia = 0.0
    """Of each sheave about its axis [kg m^2]."""


RouteItem = Annotated[End | Ring | Sheave | Traction | Winch | Falls | Free | Via, Field(discriminator="type")]


class Cable(Spec):
    """A cable. Its stiffness comes from a rope of the catalogue, from modulus and diameter, or is given."""

    model: Literal["massless", "layered", "segmented", "auto", "rod", "honeycomb"] = "massless"
    """How it is simulated: massless is one tension per run of rope between the parts that hold it back; layered adds the
    rope's mass, with sag and waves on every span; segmented is rigid segments that stretch, bend and twist against each
    other, with weight; auto is massless, layered or, between two ends, segmented, as taut or slack as it is just now; rod is
    a hose in equilibrium at every step, with bend, twist and weight but no inertia; honeycomb is
    a lattice of masses and springs with a cross-section."""
    route: tuple[RouteItem, ...]
    """What it runs over, from its start to its end."""
    rope: RopeChoice | None = None
    """A rope of the catalogue; fills stiffness, mass and breaking load."""
    axial_stiffness: Force | None = None
    """EA, the tension that would double its length; None with nothing else given is rigid [N]."""
    modulus: Modulus | None = None
    """Young's modulus, with `diameter` [Pa]."""
    diameter: PositiveLength | None = None
    """Of a round section; also how thick it is drawn [m]."""
    section: Section | None = None
    """Another section than a round one of `diameter`: hollow or rectangular."""
    poisson: Annotated[float, Quantity(units.NUMBER, least=-0.99, most=0.5)] = 0.3
    """Poisson's ratio, for the shear modulus where none is given [-]."""
    shear_modulus: Modulus | None = None
    """Of a section; None is modulus / (2 (1 + poisson)) [Pa]."""
    mass_per_length: LinearDensity | None = None
    """Mass of a metre of rope; the massless model leaves it out, or has its `weight` [kg/m]."""
    density: Annotated[float, Quantity(units.DENSITY, positive=True)] | None = None
    """Mass of a cubic metre, with a section, in place of `mass_per_length` [kg/m^3]."""
    bending_stiffness: BendingStiffness | None = None
    """EI: moment per curvature; None is what the section gives, or none with `axial_stiffness` alone [N m^2]."""
    bending_stiffness_across: BendingStiffness | None = None
    """EI about the other axis of the section, for straps; None is the same [N m^2]."""
    rest_curvature: Annotated[tuple[float, float], Vector(units.CURVATURE, count=2)] = (0.0, 0.0)
    """Curvature without load about both axes of the section [1/m]."""
    rest_twist: Annotated[float, Quantity(units.CURVATURE)] = 0.0
    """Twist per length without load, in radians [1/m]."""
    segments: Annotated[int, Count(1, MOST_SEGMENTS)] | None = None
    """Number of segments of a segmented cable or a rod; None follows from `segment_length` [-]."""
    segment_length: PositiveLength | None = None
    """Longest segment of a segmented cable or a rod; None with no `segments` is a thirtieth of its length, of a rod a
    fiftieth [m]."""
    detail: Literal["fixed", "auto"] = "fixed"
    """Segments of a segmented cable: fixed keeps all of them, auto merges neighbours where the cable is straight and taut
    and splits them again where it bends or goes slack; `segments` is then the most there are."""
    scheme: Literal[
        "standard", "explicit", "paper", "paper_alternative", "verlet", "predictor_corrector", "implicit"
    ] = "standard"
    """Joints of a segmented cable: standard holds both directions of bend and the twist; paper and paper_alternative
    are the five rows printed in paper 1. Steps of a honeycomb cable: verlet and predictor_corrector are explicit, implicit
    carries bodies, paper is the one printed in paper 4; standard is implicit where it carries bodies or explicit steps would
    be very short, else verlet. Waves of a layered cable: explicit is paper 2's, a baseline that stands for short steps only."""
    lattice: Lattice | None = None
    """Of a honeycomb cable: its layers, springs, substeps and contacts; None is all defaults."""
    places: tuple[Point, ...] | None = None
    """Where the joints of a segmented cable lie at the start, both ends included, one more than its segments; None lays it
    smoothly through its route [m]."""
    loop: bool = False
    """Whether the end of a segmented cable is joined to its start; its route is then via points only."""
    collide: bool = False
    """Whether a segmented or honeycomb cable touches other bodies."""
    group: str | None = None
    """Group of bodies that its segments belong to, for `meets` of others; segmented only."""
    meets: tuple[str, ...] | None = None
    """Groups whose bodies its segments may touch; None is all; segmented only."""
    material: str | None = None
    """Name of a material of the scene for contacts; None takes the default material."""
    obstacles: tuple[str, ...] = ()
    """Bodies that a massless cable wraps round where it meets them: boxes, balls, cylinders, capsules, and meshes by their
    convex hull. Friction is that of both materials."""
    wrap_room: Annotated[int, Count(1, 16)] | None = None
    """Wraps that there is room for on each obstacle; None is 2 on round ones and 6 on others [-]."""
    modes: Annotated[int, Count(1, 200)] = 12
    """Sine waves of each span in each of two directions, layered only [-]."""
    wave_damping: Annotated[float, Quantity(units.FREQUENCY, least=0.0)] = 0.0
    """Damping of the waves of a layered cable: their amplitude falls by exp(-wave_damping t/2) [Hz]."""
    prewarp: bool = True
    """Whether waves that the step resolves keep their true frequency; layered only."""
    breaking_load: Force | None = None
    """Tension at which it parts; None is that of the rope of the catalogue, or never [N]."""
    torsional_stiffness: Annotated[float, Quantity(units.BENDING_STIFFNESS, positive=True)] | None = None
    """GJ: torque per twist per length; None does not resist twist [N m^2]."""
    twist: bool = False
    """Whether a rope of the catalogue resists twist with its own torsional stiffness and lay torque."""
    lay_torque: Annotated[float, Quantity(units.LENGTH)] = 0.0
    """Torque of a laid rope per tension, with its sign; needs both stiffnesses [m]."""
    attached: bool = True
    """Whether it is tied at the start; a hook may be off."""
    reach: PositiveLength | None = None
    """Makes it a hook: the control NAME.hook ties it within this distance and unties it [m]."""
    damping_time: Time = 0.0
    """Damping as the time tau in force = k (x + tau dx/dt); the solver's floor acts below it [s]."""
    length: PositiveLength | None = None
    """Unstretched length from its first to its last part, without what is on drums; None is as laid [m]."""
    tension: Force | None = None
    """Tension at the start; None and no length: as laid, without stretch [N]."""
    weight: bool = False
    """Whether the weight of a massless cable acts on its parts, from its mass per length; it has no inertia all the same."""
    lifted: bool = False
    """Whether its load is just lifted at the start: it has the tension that carries it, and the length that goes with it."""
    color: Color | None = None
    """Colour; None lets the viewer choose [-]."""

    @property
    def bare(self) -> bool:
        """Whether it runs from one end to another and over nothing else: an auto cable can then be segmented."""
        return len(self.route) == 2 and all(isinstance(part, End) for part in self.route)

    def moments(self) -> Moments | None:
        """Area [m^2], second moments and torsion constant [m^4] of its section; None when it is not known."""
        if self.section is not None:
            return self.section.moments()
        return RoundSection(diameter=self.diameter).moments() if self.diameter is not None else None

    def stiffness(self) -> float:
        """EA [N]; infinite when rigid."""
        if self.axial_stiffness is not None:
            return self.axial_stiffness
        moments = self.moments()
        if self.modulus is not None and moments is not None:
            return self.modulus * moments[0]
        if self.rope is not None:
            return self.rope.data().axial_stiffness
        return math.inf

    def bending(self) -> tuple[float, float]:
        """EI about both axes of the section [N m^2]."""
        first, second = self.bending_stiffness, self.bending_stiffness_across
        moments = self.moments()
        if first is None and self.modulus is not None and moments is not None:
            return self.modulus * moments[1], self.modulus * moments[2] if second is None else second
        first = first or 0.0
        return first, first if second is None else second

    def twisting(self) -> float:
        """GJ [N m^2] of a segmented cable or a rod; zero when it does not resist twist."""
        torsion, moments = self.torsion()[0], self.moments()
        if torsion is not None:
            return torsion
        shear = self.shear_modulus
        if shear is None and self.modulus is not None:
            shear = self.modulus / (2.0 * (1.0 + self.poisson))
        return shear * moments[3] if shear is not None and moments is not None else 0.0

    def line_mass(self) -> float:
        """Mass of a metre [kg/m]; zero when it is not given."""
        moments = self.moments()
        if self.mass_per_length is not None:
            return self.mass_per_length
        if self.density is not None and moments is not None:
            return self.density * moments[0]
        return self.rope.data().mass_per_length if self.rope is not None else 0.0

    def torsion(self) -> tuple[float | None, float]:
        """GJ [N m^2], None when it does not resist twist, and torque per tension [m]."""
        if self.torsional_stiffness is None and self.twist and self.rope is not None:
            return self.rope.data().torsional_stiffness, self.rope.data().lay_torque
        return self.torsional_stiffness, self.lay_torque

    def strength(self) -> float:
        """Breaking load [N]; infinite when not known."""
        if self.breaking_load is not None:
            return self.breaking_load
        return self.rope.data().breaking_load if self.rope is not None else math.inf

    def thickness(self) -> float:
        """Diameter for drawing [m]."""
        if self.section is not None:
            return 2.0 * self.section.radius
        if self.diameter is not None:
            return self.diameter
        return self.rope.diameter if self.rope is not None else 0.02

    def parts(self) -> list[RoutePart]:
        """The route with its falls expanded."""
        found: list[RoutePart] = []
        for item in self.route:
            found += expand_falls(item) if isinstance(item, Falls) else [item]
        return found


def expand_falls(falls: Falls) -> list[RoutePart]:
    """Sheaves and the tied end of some falls. All sheaves turn the same way: down on one side, up on the other."""
    axis, n = falls.axis, falls.count
    # across: horizontal direction in the plane of the sheaves
    up = tuple(u - l for u, l in zip(falls.upper_at, falls.lower_at))
    across = _unit(_cross(axis, up))
    lower, upper = n // 2, (n - 1) // 2
    parts: list[RoutePart] = []

    def sheave(on: str, middle: tuple[float, ...], k: int, of: int) -> Sheave:
        shift = (k - 0.5 * (of - 1)) * falls.spacing
        at = (middle[0] + shift * axis[0], middle[1] + shift * axis[1], middle[2] + shift * axis[2])
        return Sheave(
            on=on, at=at, axis=axis, radius=falls.radius, turn="left", efficiency=falls.efficiency,
            inertia=falls.inertia,
        )  # fmt: skip

    for k in range(max(lower, upper)):
        if k < lower:
            parts.append(sheave(falls.lower, falls.lower_at, k, lower))
        if k < upper:
            parts.append(sheave(falls.upper, falls.upper_at, k, upper))
    # turning left, the rope comes down on the side of `across` and goes up on the other
    side = -1.0 if n % 2 == 0 else 1.0
    on, middle, of = (falls.upper, falls.upper_at, lower) if n % 2 == 0 else (falls.lower, falls.lower_at, upper)
    shift = (0.5 * (of - 1)) * falls.spacing if of else 0.0
    x, y, z = (c + side * falls.radius * d + shift * a for c, d, a in zip(middle, across, axis))
    parts.append(End(on=on, at=(x, y, z)))
    return parts


def _cross(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, float, float]:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(v: tuple[float, float, float]) -> tuple[float, float, float]:
    size = math.hypot(*v)
    return (v[0] / size, v[1] / size, v[2] / size) if size > 0.0 else (1.0, 0.0, 0.0)
