"""What a rod must satisfy beyond its single fields."""

import math
from collections.abc import Iterator

from taut.scene.cables import Cable
from taut.scene.joints import WORLD
from taut.scene.known import BROKEN, Known
from taut.scene.parts import Clip, End, Free
from taut.scene.problems import Problem, shown
from taut.scene.segment_checks import check_section
from taut.scene.shapes import Box, Capsule, Cylinder, Mesh, Plane, Sphere

#: fewest and most segments of a rod
FEWEST_SEGMENTS, MOST_SEGMENTS = 4, 2000
#: most of its length that what holds a rod may be apart [-]
LONGEST = 0.999
#: segments of a rod that says nothing of their number
USUAL_SEGMENTS = 50
#: fields that mean nothing to a rod, and what to do about it
_WITHOUT_MEANING = {
    "tension": "a rod does not stretch: give its length",
    "lay_torque": "only a massless cable has a lay torque",
    "reach": "only a massless cable can be a hook",
    "loop": "a rod has two ends; a loop is a segmented cable",
    "collide": "a rod touches the bodies that `obstacles` names, not other cables; a segmented cable touches all",
    "bending_damping_time": "a rod has damping_time for all it does",
    "lifted": "only a massless cable can start lifted",
}


def check_rod(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a rod whose fields are all valid, short of its shape."""
    yield from check_section(cable)
    for field, reason in _WITHOUT_MEANING.items():
        value = getattr(cable, field)
        if value:
            yield Problem(reason, (field,), shown(value))
    if cable.places is not None and len(cable.places) < 3:
        yield Problem(f"{len(cable.places)} places; expected three or more, both ends among them", ("places",))
    if not cable.attached:
        yield Problem("a rod is always tied", ("attached",), "false")
    if cable.scheme != "standard":
        yield Problem("only a segmented cable has this scheme: set model: segmented", ("scheme",), cable.scheme)
    yield from _obstacles(cable, known)
    found = list(_route(cable, known))
    yield from found
    yield from _segments(cable)
    if cable.length is None:
        yield Problem("missing: length of the rod [m]", ("length",))
    elif not found:
        yield from _order(cable, cable.length)
        yield from _apart(cable, known)


def _route(cable: Cable, known: Known) -> Iterator[Problem]:
    last = len(cable.route) - 1
    for k, part in enumerate(cable.route):
        place, outer = ("route", k), k in (0, last)
        if not isinstance(part, End | Free | Clip) or isinstance(part, Clip) == outer:
            reason = "a rod begins and ends with an end or free" if outer else "between its ends a rod has clips only"
            yield Problem(reason, (*place, "type"), part.type)
            continue
        if isinstance(part, Free):
            if k == 0:
                yield Problem("only the last end of a rod may be free", (*place, "type"), "free")
            continue
        for problem in known.check_body_name(part.on, "on"):
            yield Problem(problem.message, (*place, *problem.parts), problem.value)
        for problem in _clip(part) if isinstance(part, Clip) else _end(part, k):
            yield Problem(problem.message, (*place, *problem.parts), problem.value)
        if known.is_particle(part.on) and (isinstance(part, Clip) or part.hold == "pose"):
            field = "on" if isinstance(part, Clip) else "hold"
            yield Problem("a particle has no direction to be clamped to", (*place, field), getattr(part, field))


def _obstacles(cable: Cable, known: Known) -> Iterator[Problem]:
    """What a rod can lean on."""
    for k, name in enumerate(cable.obstacles):
        place, found = ("obstacles", k), list(known.check_body_name(name, "obstacles"))
        for problem in found:
            yield Problem(problem.message, place, problem.value)
        if name == WORLD:
            yield Problem("the world has no shape: name the bodies that the rod may lean on", place, name)
        elif not found and name in known.bodies:
            shape = known.bodies[name].shape
            if not isinstance(shape, Plane | Sphere | Box | Capsule | Cylinder | Mesh):
                what = "a body without a shape" if shape is None else f"a {shape.type}"
                reason = f"a rod cannot lean on {what}; expected plane, sphere, box, capsule, cylinder or a closed mesh"
                yield Problem(reason, place, name)
            elif known.bodies[name].kind == "particle":
                yield Problem("a rod cannot lean on a particle", place, name)
        elif not found and known.kinds.get(name) != BROKEN:
            yield Problem("a rod can only lean on a body that is written under bodies", place, name)
    if len(set(cable.obstacles)) < len(cable.obstacles):
        yield Problem("a body is named twice", ("obstacles",))


def _end(part: End, k: int) -> Iterator[Problem]:
    clamped = part.hold == "pose"
    if clamped and part.direction is None:
        yield Problem("missing: the direction in which the rod is clamped, along the route", ("direction",))
    for field in ("direction", "up"):
        if getattr(part, field) is not None and not clamped:
            reason = "a direction needs hold: pose" if field == "direction" else "a roll needs hold: pose"
            yield Problem(reason, (field,), shown(getattr(part, field)))
    if part.roll and (not clamped or k == 0):
        reason = "a roll needs hold: pose" if not clamped else "the roll of a rod is that of its last end"
        yield Problem(reason, ("roll",), shown(part.roll))
    if part.roll and part.up is not None:
        yield Problem("give the roll or up, not both", ("roll",), shown(part.roll))
    yield from _across(part)


def _clip(part: Clip) -> Iterator[Problem]:
    if part.at is None:
        yield Problem("missing: where the clip is at the start [m]", ("at",))
    if part.direction is None and part.release not in ("ball", "duct"):
        yield Problem("missing: the direction of the rod in the clip, along the route", ("direction",))
    if part.up is not None and part.release not in ("fixed", "slide"):
        yield Problem(f"a clip with release: {part.release} does not roll the rod", ("up",), shown(part.up))
    yield from _across(part)


def _across(part: End | Clip) -> Iterator[Problem]:
    """`up` has a part across the direction."""
    if part.up is None or part.direction is None:
        return
    a, b = part.direction, part.up
    across = math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
    if across < 1e-6:
        yield Problem("must not lie along the direction", ("up",), shown(part.up))


def _order(cable: Cable, length: float) -> Iterator[Problem]:
    """Clips come one after the other, two segments apart at least."""
    least, before = 2.0 * length / segments_of(cable), 0.0
    for k, part in enumerate(cable.route):
        s = part.s if isinstance(part, Clip) else None
        if s is not None:
            if not before + least * (1.0 - 1e-9) <= s <= length - least * (1.0 - 1e-9):
                reason = (
                    f"expected {before + least:.4g} to {length - least:.4g} m: clips follow along the rod, two segments "
                    f"({least:.4g} m) from each other and from its ends"
                )
                yield Problem(reason, ("route", k, "s"), shown(s))
            before = max(before, s)


def _segments(cable: Cable) -> Iterator[Problem]:
    if cable.segments is not None and cable.segment_length is not None:
        yield Problem("give segments or segment_length, not both", ("segment_length",), shown(cable.segment_length))
    elif not FEWEST_SEGMENTS <= segments_of(cable) <= MOST_SEGMENTS:
        field = "segments" if cable.segment_length is None else "segment_length"
        reason = f"expected {FEWEST_SEGMENTS} to {MOST_SEGMENTS} segments in a rod"
        yield Problem(reason, (field,), shown(getattr(cable, field)))


def _apart(cable: Cable, known: Known) -> Iterator[Problem]:
    """Between what holds it the rod has some slack."""
    length, before = float(cable.length or 0.0), None
    for k, part in enumerate(cable.route):
        if isinstance(part, Free) or not isinstance(part, End | Clip):
            continue
        s = part.s if isinstance(part, Clip) else length if k else 0.0
        place = part.at if part.at is not None else known.start_of(part.on)
        if place is not None and before is not None:
            apart, span = math.dist(place, before[0]), s - before[1]
            if apart > LONGEST * span:
                bare = len(cable.route) == 2
                what = "its ends are" if bare else f"what holds it at {before[1]:.4g} and {s:.4g} m is"
                reason = (
                    f"{what} {apart:.6g} m apart: a rod needs some slack, expected more than {apart / LONGEST:.6g} m"
                )
                yield Problem(reason, ("length",) if bare else ("route", k, "at"), shown(length if bare else place))
        before = None if place is None else (place, s)


def segments_of(cable: Cable) -> int:
    """Number of segments of a rod."""
    if cable.segments is not None:
        return cable.segments
    if cable.segment_length is not None and cable.length is not None:
        return max(1, math.ceil(cable.length / cable.segment_length - 1e-9))
    return USUAL_SEGMENTS
