"""What a rod must satisfy beyond its single fields."""

import math
from collections.abc import Iterator

from taut.scene.cables import Cable
from taut.scene.known import Known
from taut.scene.parts import End, Free
from taut.scene.problems import Problem, shown
from taut.scene.segment_checks import check_section

#: fewest and most segments of a rod
FEWEST_SEGMENTS, MOST_SEGMENTS = 4, 2000
#: segments of a rod that says nothing of their number
USUAL_SEGMENTS = 50
#: fields that mean nothing to a rod, and what to do about it
_WITHOUT_MEANING = {
    "tension": "a rod does not stretch: give its length",
    "lay_torque": "only a massless cable has a lay torque",
    "reach": "only a massless cable can be a hook",
    "places": "a rod finds its own shape",
    "loop": "a rod has two ends; a loop is a segmented cable",
    "collide": "a rod in a scene touches nothing; a segmented cable does (and `taut route` has rods that touch parts)",
    "lifted": "only a massless cable can start lifted",
}


def check_rod(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a rod whose fields are all valid, short of its shape."""
    yield from check_section(cable)
    for field, reason in _WITHOUT_MEANING.items():
        value = getattr(cable, field)
        if value:
            yield Problem(reason, (field,), shown(value))
    if not cable.attached:
        yield Problem("a rod is always tied", ("attached",), "false")
    if cable.scheme != "standard":
        yield Problem("only a segmented cable has this scheme: set model: segmented", ("scheme",), cable.scheme)
    if len(cable.route) != 2:
        yield Problem("a rod runs from one end to another, without parts between them", ("route",))
        return
    found = list(_route(cable, known))
    yield from found
    yield from _segments(cable)
    if cable.length is None:
        yield Problem("missing: length of the rod [m]", ("length",))
    elif not found:
        yield from _apart(cable, known)


def _route(cable: Cable, known: Known) -> Iterator[Problem]:
    for k, part in enumerate(cable.route):
        place = ("route", k)
        if not isinstance(part, End | Free):
            yield Problem("a rod begins and ends with an end or free", (*place, "type"), part.type)
            continue
        if isinstance(part, Free):
            if k == 0:
                yield Problem("only the last end of a rod may be free", (*place, "type"), "free")
            continue
        for problem in known.check_body_name(part.on, "on"):
            yield Problem(problem.message, (*place, *problem.parts), problem.value)
        clamped = part.hold == "pose"
        if clamped and part.direction is None:
            yield Problem("missing: the direction in which the rod is clamped, along the route", (*place, "direction"))
        if part.direction is not None and not clamped:
            yield Problem("a direction needs hold: pose", (*place, "direction"), shown(part.direction))
        if part.roll and (not clamped or k == 0):
            reason = "a roll needs hold: pose" if not clamped else "the roll of a rod is that of its last end"
            yield Problem(reason, (*place, "roll"), shown(part.roll))
        if clamped and known.is_particle(part.on):
            yield Problem("a particle has no direction to be clamped to", (*place, "hold"), part.hold)


def _segments(cable: Cable) -> Iterator[Problem]:
    if cable.segments is not None and cable.segment_length is not None:
        yield Problem("give segments or segment_length, not both", ("segment_length",), shown(cable.segment_length))
    elif not FEWEST_SEGMENTS <= segments_of(cable) <= MOST_SEGMENTS:
        field = "segments" if cable.segment_length is None else "segment_length"
        reason = f"expected {FEWEST_SEGMENTS} to {MOST_SEGMENTS} segments in a rod"
        yield Problem(reason, (field,), shown(getattr(cable, field)))


def _apart(cable: Cable, known: Known) -> Iterator[Problem]:
    first, last = cable.route
    if isinstance(last, Free) or not isinstance(first, End) or not isinstance(last, End):
        return
    places = [part.at if part.at is not None else known.start_of(part.on) for part in (first, last)]
    if places[0] is None or places[1] is None or cable.length is None:
        return
    apart = math.dist(places[0], places[1])
    if apart > 0.999 * cable.length:
        reason = f"its ends are {apart:.6g} m apart: a rod needs some slack, expected more than {apart / 0.999:.6g} m"
        yield Problem(reason, ("length",), shown(cable.length))


def segments_of(cable: Cable) -> int:
    """Number of segments of a rod."""
    if cable.segments is not None:
        return cable.segments
    if cable.segment_length is not None and cable.length is not None:
        return max(1, math.ceil(cable.length / cable.segment_length - 1e-9))
    return USUAL_SEGMENTS
