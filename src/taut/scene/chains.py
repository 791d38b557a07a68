"""Chains: rigid links joined by ball joints, written in one line and expanded into bodies and joints."""

import math
from itertools import pairwise
from typing import Annotated

from taut.scene import units
from taut.scene.bodies import Body
from taut.scene.forms import Color, Quaternion
from taut.scene.joints import WORLD, Ball
from taut.scene.quantity import (
    Count,
    Direction,
    LinearDensity,
    Point,
    PositiveLength,
    Quantity,
    Stiffness,
    Time,
    Vec3,
)
from taut.scene.shapes import Capsule
from taut.scene.spec import Spec

MOST_LINKS = 200_000


class Chain(Spec):
    """Rigid links from start to end, each a slender rod, joined to each other by ball joints."""

    start: Point
    """Where the chain begins, in the world [m]."""
    end: Point
    """Where the chain ends, in the world [m]."""
    links: Annotated[int, Count(1, MOST_LINKS)]
    """Number of links [-]."""
    mass_per_length: LinearDensity
    """Mass of a metre of chain [kg/m]."""
    radius: PositiveLength | None = None
    """Radius of a link; None is 1 cm, or a quarter of a link's length where that is less [m]."""
    a: str | None = WORLD
    """What the start hangs on: a body, world, or null for a free end."""
    b: str | None = None
    """What the end is tied to: a body, world, or null for a free end."""
    slack: Annotated[float, Quantity(units.NUMBER, least=0.0, most=100.0)] = 0.0
    """Extra length beyond the straight line, relative to it; the chain then starts as a bow [-]."""
    bow: Direction | None = None
    """To which side the bow hangs; None is down, or along x for an upright chain [-]."""
    collide: bool = False
    """Whether its links take part in contacts."""
    material: str | None = None
    """Name of a material of the scene; None takes the default material."""
    color: Color | None = None
    """Colour of the links; None lets the viewer choose [-]."""
    stiffness: Stiffness | None = None
    """Of the ball joints; None is rigid [N/m]."""
    damping_time: Time = 0.0
    """Damping time of the ball joints [s]."""

    @property
    def length(self) -> float:
        """Length along the chain, slack included [m]."""
        return math.dist(self.start, self.end) * (1.0 + self.slack)

    @property
    def link_length(self) -> float:
        """Length of a link, from joint to joint [m]."""
        return self.length / self.links

    @property
    def link_radius(self) -> float:
        """Radius of a link [m]."""
        return self.radius if self.radius is not None else min(0.01, 0.25 * self.link_length)

    def link_names(self, name: str) -> list[str]:
        """Names of the links, from start to end, of the chain of that name."""
        return [f"{name}_{i}" for i in range(self.links)]

    def joint_names(self, name: str) -> list[str]:
        """Names of the joints, from start to end: joint i lies before link i."""
        first = 0 if self.a is not None else 1
        last = self.links + 1 if self.b is not None else self.links
        return [f"{name}_joint_{i}" for i in range(first, last)]

    def points(self) -> list[Vec3]:
        """The places of the joints, ends included, in the world [m]."""
        n = self.links
        if self.slack == 0.0 or n < 2:
            return [_between(self.start, self.end, i / n) for i in range(n + 1)]
        along = _scaled(_minus(self.end, self.start), 1.0 / math.dist(self.start, self.end))
        side = bow_side(along, self.bow)
        # equal links on a circle: half an angle phi per link, chord 2 R sin(n phi), link 2 R sin(phi)
        phi = half_angle(n, 1.0 + self.slack)
        radius = 0.5 * self.link_length / math.sin(phi)
        points = []
        for i in range(n + 1):
            turn = (2 * i - n) * phi
            x = radius * (math.sin(turn) + math.sin(n * phi))
            y = radius * (math.cos(turn) - math.cos(n * phi))
            points.append(_plus(self.start, _plus(_scaled(along, x), _scaled(side, y))))
        points[0], points[-1] = self.start, self.end
        return points

    def expand(self, name: str) -> tuple[dict[str, Body], dict[str, Ball]]:
        """The bodies and joints it stands for: links NAME_0, NAME_1, ..., and before link i the joint NAME_joint_i."""
        points, names = self.points(), self.link_names(name)
        l, r = self.link_length, self.link_radius
        mass = self.mass_per_length * l
        # a slender rod: the round ends of the capsule do not count
        across = mass * (l * l / 12.0 + r * r / 4.0)
        link = Body(
            shape=Capsule(radius=r, length=l - 2.0 * r),
            mass=mass,
            inertia=(across, across, mass * r * r / 2.0),
            collide=self.collide,
            material=self.material,
            color=self.color,
        )
        joint = Ball(b=names[0], stiffness=self.stiffness, damping_time=self.damping_time)
        # copies of one that is validated: there may be a hundred thousand
        bodies = {
            names[i]: link.model_copy(update={"position": _between(p, q, 0.5), "orientation": upright_to(_minus(q, p))})
            for i, (p, q) in enumerate(pairwise(points))
        }
        joints = {
            f"{name}_joint_{i}": joint.model_copy(update={"a": first, "b": second, "at": points[i]})
            for i, (first, second) in enumerate(pairwise([self.a, *names, self.b]))
            if first is not None and second is not None
        }
        return bodies, joints


def half_angle(n: int, ratio: float) -> float:
    """phi with sin(n phi) / (n sin phi) = 1/ratio, between straight (0) and a closed ring (pi/n), by bisection."""
    low, high = 0.0, math.pi / n
    for _ in range(200):
        phi = 0.5 * (low + high)
        if math.sin(n * phi) * ratio > n * math.sin(phi):
            low = phi
        else:
            high = phi
    return 0.5 * (low + high)


def bow_side(along: Vec3, bow: Vec3 | None) -> Vec3:
    """The direction of the bow, at right angles to the chord; zero if the given one lies along it."""
    for wanted in (bow,) if bow is not None else ((0.0, 0.0, -1.0), (1.0, 0.0, 0.0)):
        part = sum(x * y for x, y in zip(wanted, along))
        side = _minus(wanted, _scaled(along, part))
        length = math.hypot(*side)
        if length > 1e-6:
            return _scaled(side, 1.0 / length)
    return (0.0, 0.0, 0.0)


def upright_to(direction: Vec3) -> Quaternion:
    """The shortest turn from z to a direction: q ~ (1 + z.d, z x d); half a turn about x for straight down."""
    length = math.hypot(*direction)
    x, y, z = (c / length for c in direction)
    if z < -1.0 + 1e-12:
        return (0.0, 1.0, 0.0, 0.0)
    w = 1.0 + z
    size = math.sqrt(w * w + x * x + y * y)
    return (w / size, -y / size, x / size, 0.0)


def _minus(p: Vec3, q: Vec3) -> Vec3:
    return (p[0] - q[0], p[1] - q[1], p[2] - q[2])


def _plus(p: Vec3, q: Vec3) -> Vec3:
    return (p[0] + q[0], p[1] + q[1], p[2] + q[2])


def _scaled(p: Vec3, s: float) -> Vec3:
    return (p[0] * s, p[1] * s, p[2] * s)


def _between(p: Vec3, q: Vec3, s: float) -> Vec3:
    return (p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1]), p[2] + s * (q[2] - p[2]))
