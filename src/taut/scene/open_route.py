"""The route of a cable that has a body of its own and lies on others by contact: an end, places in between, an end."""

from collections.abc import Iterator

from taut.scene.cables import Cable
from taut.scene.known import Known
from taut.scene.parts import End, Free, Via
from taut.scene.problems import Problem


def check_open_route(cable: Cable, known: Known, lies: str) -> Iterator[Problem]:
    """Mistakes that such a route can have whatever the model; `lies`: what it does instead of running over wheels."""
    last = len(cable.route) - 1
    for k, part in enumerate(cable.route):
        place = ("route", k)
        if not isinstance(part, End | Free | Via):
            reason = f"a {cable.model} cable has no such part: it runs from an end (or free) over via places to an end (or free), and {lies}"
            yield Problem(reason, (*place, "type"), part.type)
            continue
        for problem in known.check_body_name(part.on, "on"):
            yield Problem(problem.message, (*place, *problem.parts), problem.value)
        if isinstance(part, Free | Via) and part.at is None:
            yield Problem("missing: where it is at the start [m]", (*place, "at"))
        yield from _order(cable, part, k in (0, last), (*place, "type"))
        if isinstance(part, End) and part.hold == "pose" and known.is_particle(part.on):
            yield Problem("a particle has no direction to be clamped to", (*place, "hold"), part.hold)


def _order(cable: Cable, part: End | Free | Via, outer: bool, place: tuple[str | int, ...]) -> Iterator[Problem]:
    if cable.loop and not isinstance(part, Via):
        yield Problem("a loop has no ends: its route is via places only", place, part.type)
    elif not cable.loop and outer and isinstance(part, Via):
        yield Problem("a cable begins and ends with an end or free; via lies between", place, part.type)
    elif not outer and not isinstance(part, Via):
        yield Problem(f"{part.type} can only be the first or the last part", place, part.type)
