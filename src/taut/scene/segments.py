"""Segmented cables, written in one line and expanded into rigid segments and the joints between them.

Segment i lies between the places i and i + 1. A joint stands for the halves of the two segments beside it: it stretches,
bends and twists as that piece of the continuum would (stiffness EA/l, EI/l, GJ/l, l half the sum of both lengths). A
joint at an end stands for half a segment only, so that the whole cable, from end to end, has the length it should.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

from taut.scene.bodies import ORIGIN, Body
from taut.scene.cables import Cable
from taut.scene.chains import bow_side, half_angle, upright_to
from taut.scene.forms import Quaternion
from taut.scene.joints import WORLD, JointSpec, start_of
from taut.scene.parts import End, Falls, PayOut, RoutePart
from taut.scene.quantity import Time, Vec3
from taut.scene.shapes import Capsule

#: segments of a cable that says nothing of their number
USUAL_SEGMENTS = 30
#: straight pieces of the smooth line between two places of a route
PIECES = 24
#: EI over GJ of a rope of the catalogue, as for a round section with Poisson's ratio 0.3 [-]
BENDING_OF_TORSION = 1.3


class SegmentJoint(JointSpec):
    """Between two segments, or a segment and what the cable is tied to; made by a segmented cable only."""

    type: Literal["segment"] = "segment"
    """What it is: segment."""
    scheme: Literal["point", "standard", "paper", "paper_alternative"] = "standard"
    """Which rows hold bend and twist; point: none does."""
    point_a: Vec3 = ORIGIN
    """Point of a, in the world at the start [m]."""
    point_b: Vec3 = ORIGIN
    """Point of b; in a stretched cable they are apart [m]."""
    frame_a: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Frame on a in the world at the start; its z axis runs along the cable [-]."""
    frame_b: Quaternion = (1.0, 0.0, 0.0, 0.0)
    """Frame on b; without load both are parallel [-]."""
    compliance: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Of stretch [m/N], of bend about x and y and of twist [rad/(N m)]."""
    bending_damping_time: Time | None = None
    """Of bend and twist; None is damping_time [s]."""

    def anchors(self, bodies: Mapping[str, Body]) -> tuple[Vec3, Vec3]:
        """Both points, in the world at the start [m]."""
        return self.point_a, self.point_b


def bending_of(cable: Cable) -> tuple[float, float]:
    """EI about both axes of the section [N m^2]; of a rope of the catalogue by its torsional stiffness."""
    first, second = cable.bending()
    if first == 0.0 and cable.bending_stiffness is None and cable.rope is not None:
        estimate = BENDING_OF_TORSION * cable.rope.data().torsional_stiffness
        return estimate, estimate if cable.bending_stiffness_across is None else second
    return first, second


def twisting_of(cable: Cable) -> float:
    """GJ [N m^2]."""
    torsion = cable.twisting()
    return cable.rope.data().torsional_stiffness if torsion == 0.0 and cable.rope is not None else torsion


@dataclass(frozen=True)
class Strand:
    """A segmented cable with its name: what it becomes. Of a honeycomb cable: how it is laid."""

    name: str
    cable: Cable
    bodies: Mapping[str, Body]

    @property
    def corners(self) -> list[Vec3]:
        """Places of its route, in the world at the start [m]."""
        return [self._place(part) for part in self.parts]

    def _place(self, part: RoutePart) -> Vec3:
        if part.at is not None:
            return part.at
        return start_of(part.on, self.bodies) if part.on == WORLD or part.on in self.bodies else ORIGIN

    @property
    def parts(self) -> tuple[RoutePart, ...]:
        """Its route."""
        return tuple(part for part in self.cable.route if isinstance(part, RoutePart))

    @cached_property
    def laid(self) -> float:
        """Length of the smooth line through its places [m]."""
        return sum(math.dist(p, q) for p, q in pairwise(self.line))

    @cached_property
    def line(self) -> list[Vec3]:
        """A straight line between two places, a smooth one through more."""
        if self.cable.places is not None:
            return list(self.cable.places)
        corners = self.corners
        return smooth_line(corners, self.cable.loop) if len(corners) > 2 else corners

    @property
    def length(self) -> float:
        """Unstretched length [m]."""
        if self.cable.length is not None:
            return self.cable.length
        tension = self.cable.tension or 0.0
        return self.laid / (1.0 + tension / self.cable.stiffness())

    @property
    def links(self) -> int:
        """Number of segments, those that are not paid out yet included."""
        return self.out + sum(self.stored)

    @property
    def pay_outs(self) -> tuple[PayOut | None, PayOut | None]:
        """What is paid out at its start and at its end."""
        ends = () if self.cable.loop else (self.parts[0], self.parts[-1])
        found = [end.pay_out if isinstance(end, End) else None for end in ends]
        return (found[0], found[1]) if found else (None, None)

    @cached_property
    def stored(self) -> tuple[int, int]:
        """Segments that are not paid out yet at its start and at its end."""
        first, last = self.pay_outs
        if first is None and last is None:
            return 0, 0
        own = self.lengths()
        return (
            0 if first is None else math.ceil(first.stored / own[0] - 1e-9),
            0 if last is None else math.ceil(last.stored / own[-1] - 1e-9),
        )

    @property
    def out(self) -> int:
        """Number of segments that are paid out at the start."""
        if self.cable.places is not None:
            return len(self.cable.places) - 1
        if self.cable.segments is not None:
            return self.cable.segments
        if self.cable.segment_length is not None:
            return max(1, math.ceil(self.length / self.cable.segment_length - 1e-9))
        return USUAL_SEGMENTS

    @property
    def held(self) -> tuple[str | None, str | None]:
        """Bodies at both ends, None for a free one."""
        if self.cable.loop:
            return None, None
        first, last = self.parts[0], self.parts[-1]
        return (
            first.on if isinstance(first, End) else None,
            last.on if isinstance(last, End) else None,
        )

    def link_names(self) -> list[str]:
        """Names of the segments, from start to end."""
        return [f"{self.name}_{i}" for i in range(self.links)]

    def joint_names(self) -> list[str]:
        """Names of the joints, from start to end: joint i lies before segment i."""
        first = 0 if self.held[0] is not None else 1
        last = self.links + 1 if self.held[1] is not None or self.cable.loop else self.links
        return [f"{self.name}_joint_{i}" for i in range(first, last)]

    def places(self) -> list[Vec3]:
        """Where the joints are at the start, ends included [m]."""
        line, n = self.line, self.out
        if self.cable.places is not None:
            return line
        if len(line) == 2 and n > 1 and self.length > self.laid * (1.0 + 1e-9):
            return self._bow(line[0], line[1], self.laid)
        return _spread(line, n)

    def lengths(self) -> list[float]:
        """Unstretched length of each segment that is out at the start [m]; a given shape of a given length has equal ones."""
        if self.cable.places is not None and self.cable.length is not None:
            return [self.length / self.out] * self.out
        chords = [math.dist(p, q) for p, q in pairwise(self.places())]
        scale = self.length / sum(chords)
        return [scale * chord for chord in chords]

    def _bow(self, start: Vec3, end: Vec3, chord: float) -> list[Vec3]:
        """Equal segments on an arc that hangs down."""
        n = self.out
        along = tuple((q - p) / chord for p, q in zip(start, end))
        side = bow_side(along, None)  # type: ignore[arg-type]
        phi = half_angle(n, self.length / chord)
        radius = 0.5 * self.length / n / math.sin(phi)
        places: list[Vec3] = []
        for i in range(n + 1):
            turn = (2 * i - n) * phi
            x = radius * (math.sin(turn) + math.sin(n * phi))
            y = radius * (math.cos(turn) - math.cos(n * phi))
            places.append(tuple(p + x * a + y * s for p, a, s in zip(start, along, side)))  # type: ignore[arg-type]
        places[0], places[-1] = start, end
        return places

    def all_lengths(self) -> list[float]:
        """Unstretched length of each segment, those that are not paid out yet included [m]."""
        own, (first, last) = self.lengths(), self.stored
        return [own[0]] * first + own + [own[-1]] * last

    def _all_places(self) -> list[Vec3]:
        """Where the joints are at the start; what is not paid out yet lies in line with the end it comes from."""
        places, own, (first, last) = self.places(), self.lengths(), self.stored
        before = [_mix(places[0], places[1], -k * own[0] / math.dist(*places[:2])) for k in range(first, 0, -1)]
        after = [_mix(places[-1], places[-2], -k * own[-1] / math.dist(*places[-2:])) for k in range(1, last + 1)]
        return before + places + after

    def expand(self) -> tuple[dict[str, Body], dict[str, SegmentJoint]]:
        """Segments NAME_0, NAME_1, ..., and before segment i the joint NAME_joint_i."""
        cable, names, places = self.cable, self.link_names(), self._all_places()
        n = self.links
        lengths = self.all_lengths()
        turns = _transported(places)
        bodies = self._bodies(names, places, lengths, turns)
        stretch = cable.stiffness()
        ei, gj = bending_of(cable), twisting_of(cable)
        joints: dict[str, SegmentJoint] = {}
        ends = [self.held[0], *names, self.held[1]]
        if cable.loop:
            ends[-1] = names[0]
        first, last = (self.parts[0], self.parts[-1]) if not cable.loop else (None, None)
        model = SegmentJoint(
            b=names[0], damping_time=cable.damping_time, bending_damping_time=cable.bending_damping_time
        )
        for i, (a, b) in enumerate(pairwise(ends)):
            if a is None or b is None:
                continue
            before = lengths[i - 1] if i > 0 else 0.0
            after = lengths[i % n] if i < n or cable.loop else 0.0
            span = 0.5 * (before + after)
            tied = first if i == 0 and not cable.loop else last if i == n and not cable.loop else None
            soft = 0.0 if math.isinf(stretch) else span / stretch
            before_turn = i - 1 if i > 0 else n - 1 if cable.loop else 0
            here, there = turns[before_turn], turns[i % n] if i < n or cable.loop else turns[n - 1]
            if isinstance(tied, End) and tied.direction is not None:
                clamp = _turned(turns[0] if i == 0 else turns[n - 1], tied.direction)
                here, there = (clamp, there) if i == 0 else (here, clamp)
            half = _rest_turn(cable, 0.5 * span)
            turns_freely = isinstance(tied, End) and tied.hold == "point"
            # a segment ends where its own length says, its chord may be stretched
            end = places[i] if i == 0 and not cable.loop else _end_of(places, lengths, i - 1 if i > 0 else n - 1, 1.0)
            begin = places[i] if i == n and not cable.loop else _end_of(places, lengths, i % n, -1.0)
            if isinstance(tied, End):  # what is stored comes out where the cable is tied
                end, begin = (self.places()[0], begin) if i == 0 else (end, self.places()[-1])
            joints[f"{self.name}_joint_{i}"] = model.model_copy(
                update={
                    "a": a,
                    "b": b,
                    "scheme": "point" if turns_freely else cable.scheme,
                    "point_a": end,
                    "point_b": begin,
                    "frame_a": _times(here, half),
                    "frame_b": _times(there, _back(half)),
                    "compliance": (soft, span / ei[0], span / ei[1], span / gj),
                }
            )
        return bodies, joints

    def _bodies(
        self, names: list[str], places: list[Vec3], lengths: list[float], turns: list[Quaternion]
    ) -> dict[str, Body]:
        cable = self.cable
        line, radius = cable.line_mass(), 0.5 * cable.thickness()
        bodies: dict[str, Body] = {}
        made: dict[float, Body] = {}
        for i, (p, q) in enumerate(pairwise(places)):
            l = lengths[i]
            if l not in made:
                mass = line * l
                across = mass * (l * l / 12.0 + radius * radius / 4.0)
                thick = min(radius, 0.45 * l)
                made[l] = Body(
                    shape=Capsule(radius=thick, length=l - 2.0 * thick),
                    mass=mass,
                    inertia=(across, across, 0.5 * mass * radius * radius),
                    collide=cable.collide,
                    group=cable.group,
                    meets=cable.meets,
                    material=cable.material,
                    color=cable.color,
                )
            middle = tuple(0.5 * (x + y) for x, y in zip(p, q))
            bodies[names[i]] = made[l].model_copy(update={"position": middle, "orientation": turns[i]})
        return bodies


def strands(cables: Mapping[str, Cable], bodies: Mapping[str, Body]) -> dict[str, Strand]:
    """The segmented cables of a scene by name, and those that can become so, less those whose route cannot be laid at all."""
    return {
        name: Strand(name, cable, bodies)
        for name, cable in cables.items()
        if (cable.model == "segmented" or (cable.model == "auto" and cable.bare))
        and len(cable.route) >= 2
        and not any(isinstance(p, Falls) for p in cable.route)
    }


def smooth_line(corners: Sequence[Vec3], loop: bool) -> list[Vec3]:
    """A centripetal Catmull-Rom curve through the corners in short straight pieces: it does not overshoot."""
    first, last = (corners[-1], corners[0]) if loop else (_beyond(corners[1], corners[0]), _beyond(*corners[-2:]))
    through = [first, *corners, *((corners[0], corners[1]) if loop else (last,))]
    line = [corners[0]]
    for k in range(len(through) - 3):
        p = through[k : k + 4]
        t = [0.0]
        for a, b in pairwise(p):
            t.append(t[-1] + math.sqrt(math.dist(a, b)) + 1e-12)
        for piece in range(1, PIECES + 1):
            s = t[1] + (t[2] - t[1]) * piece / PIECES
            a = [_mix(p[i], p[i + 1], (s - t[i]) / (t[i + 1] - t[i])) for i in range(3)]
            b = [_mix(a[i], a[i + 1], (s - t[i]) / (t[i + 2] - t[i])) for i in range(2)]
            line.append(_mix(b[0], b[1], (s - t[1]) / (t[2] - t[1])))
        line[-1] = p[2]
    return line


def _mix(p: Vec3, q: Vec3, share: float) -> Vec3:
    return (p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]), p[2] + share * (q[2] - p[2]))


def _beyond(p: Vec3, q: Vec3) -> Vec3:
    """As far behind q as p is before it."""
    return _mix(p, q, 2.0)


def _spread(corners: list[Vec3], n: int) -> list[Vec3]:
    """Places at equal steps along a line of straight pieces."""
    lengths = [math.dist(p, q) for p, q in pairwise(corners)]
    total = sum(lengths)
    places: list[Vec3] = []
    k, begun = 0, 0.0
    for i in range(n + 1):
        s = total * i / n
        while k < len(lengths) - 1 and s > begun + lengths[k]:
            begun += lengths[k]
            k += 1
        share = min((s - begun) / lengths[k], 1.0) if lengths[k] > 0.0 else 0.0
        places.append(_mix(corners[k], corners[k + 1], share))
    return places


def _transported(places: Sequence[Vec3]) -> list[Quaternion]:
    """Orientation of every segment: z along it, carried from one to the next without twist."""
    turns: list[Quaternion] = []
    for p, q in pairwise(places):
        along = (q[0] - p[0], q[1] - p[1], q[2] - p[2])
        turns.append(_turned(turns[-1], along) if turns else upright_to(along))
    return turns


def _turned(turn: Quaternion, along: Vec3) -> Quaternion:
    """The frame turned the short way so that its z axis points along a direction."""
    w, x, y, z = turn
    u = (2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y))
    size = math.hypot(*along)
    v = tuple(c / size for c in along)
    cosine = sum(a * b for a, b in zip(u, v))
    if cosine < -1.0 + 1e-12:
        return _times(turn, (0.0, 1.0, 0.0, 0.0))
    cross = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    part = 1.0 + cosine
    norm = math.sqrt(part * part + sum(c * c for c in cross))
    return _times((part / norm, cross[0] / norm, cross[1] / norm, cross[2] / norm), turn)


def _end_of(places: Sequence[Vec3], lengths: Sequence[float], k: int, side: float) -> Vec3:
    """Where segment k of its own length ends (side 1) or begins (-1), laid on the middle of its chord."""
    p, q = places[k], places[k + 1]
    return _mix(p, q, 0.5 + side * 0.5 * lengths[k] / math.dist(p, q))


def _rest_turn(cable: Cable, length: float) -> Quaternion:
    """Turn of the unloaded cable over a length: bend about x and y, twist about z of the section."""
    v = (*cable.rest_curvature, cable.rest_twist)
    angle = math.hypot(*v) * length
    if angle == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    s = math.sin(0.5 * angle) / math.hypot(*v)
    return (math.cos(0.5 * angle), s * v[0], s * v[1], s * v[2])


def _times(a: Quaternion, b: Quaternion) -> Quaternion:
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


def _back(q: Quaternion) -> Quaternion:
    return (q[0], -q[1], -q[2], -q[3])
