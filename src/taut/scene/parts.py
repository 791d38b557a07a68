"""Parts of a route: ends, rings, sheaves, winches and falls. Points and axes are given in the world, as things stand at the start."""

import math
from typing import Annotated, Literal

from taut.scene import units
from taut.scene.joints import WORLD
from taut.scene.quantity import (
    Acceleration,
    Angle,
    Count,
    Direction,
    Force,
    Mass,
    NotNegative,
    Point,
    PositiveLength,
    Quantity,
    Speed,
    Time,
)
from taut.scene.spec import Spec

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
    up: Direction | None = None
    """First axis of the section of a clamped rod there, in the world at the start: how it is rolled; None is z at its start and
    without twist at its end [-]."""
    roll: Angle = 0.0
    """Turn of a clamped end of a rod about its direction, away from where the rod is without twist [rad]."""
    pay_out: PayOut | None = None
    """Cable that is paid out and reeled in here, segmented only; None is a fixed length."""


class Clip(RoutePart):
    """What holds a rod between its ends, at an arc length, but for what it releases. Read NAME_force and NAME_moment of the cable,
    NAME that of the clip, or clip_1, clip_2, ... from its start."""

    type: Literal["clip"] = "clip"
    """What it is: clip."""
    s: PositiveLength
    """Arc length of the rod at which it sits [m]."""
    direction: Direction | None = None
    """Of the rod in the clip, along the route, in the world at the start; a ball needs none [-]."""
    up: Direction | None = None
    """First axis of the section there, in the world at the start: how it is rolled; None is without twist [-]."""
    release: Literal["fixed", "twist", "ball", "slide", "both", "duct"] = "fixed"
    """What it lets go: fixed nothing, twist the spin about its direction, ball all turning; slide, both and duct the same, and
    the rod slides through: `s` is then where it begins to look."""


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

    Its controls are NAME.speed (towards the end of the route is positive), NAME.emergency and NAME.brake_fault. The lever of
    the page raises what hangs on it, see `lifts`.
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
    lifts: str | None = None
    """Body that the lever of the page raises when it is pushed up, such as the car of a lift, on either side of the sheave;
    None is what hangs on the side of the start of the route, else of its end."""


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

    The part before is their first upper wheel: a sheave of its own, or a winch above the lower block. From there the rope
    goes straight down to the lower block, up to the upper one and so on, `count` times, and is tied off: to the upper block
    for an even number of falls, to the lower one for an odd number. From a winch on the ground it needs a sheave in between.
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


def bodies_beside(part: RoutePart, parts: list[RoutePart]) -> tuple[list[str], list[str]]:
    """Bodies, or the world, that a rope runs to before and after one of its parts, the nearest first."""
    k = next(k for k, other in enumerate(parts) if other is part)
    return [other.on for other in parts[:k][::-1]], [other.on for other in parts[k + 1 :]]


def _cross(a: tuple[float, ...], b: tuple[float, ...]) -> tuple[float, float, float]:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _unit(v: tuple[float, float, float]) -> tuple[float, float, float]:
    size = math.hypot(*v)
    return (v[0] / size, v[1] / size, v[2] / size) if size > 0.0 else (1.0, 0.0, 0.0)
