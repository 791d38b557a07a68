"""What a cable must satisfy beyond its single fields."""

from collections.abc import Iterator

from taut.scene.cables import Cable, End, Falls, Ring, Sheave, Traction, Winch
from taut.scene.known import Known
from taut.scene.problems import Problem, shown


def check_cable(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a cable whose fields are all valid, short of its geometry."""
    route = cable.route
    if len(route) < 2:
        yield Problem("a route needs at least two parts: where the rope begins and where it ends", ("route",))
    for k, part in enumerate(route):
        bodies = (("upper", part.upper), ("lower", part.lower)) if isinstance(part, Falls) else (("on", part.on),)
        for field, name in bodies:
            for problem in known.check_body_name(name, field):
                yield Problem(problem.message, ("route", k, *problem.parts), problem.value)
        first, last = k == 0, k == len(route) - 1
        if isinstance(part, End | Winch) and not (first or last):
            what = "an end" if isinstance(part, End) else "a winch"
            yield Problem(f"{what} can only be the first or the last part of a route", ("route", k, "type"), part.type)
        if isinstance(part, Ring | Sheave | Traction) and (first or last):
            reason = f"a rope cannot begin or end on a {part.type}; put an end or a winch there"
            yield Problem(reason, ("route", k, "type"), part.type)
        if isinstance(part, Falls) and not last:
            yield Problem(
                "falls tie off the rope: they can only be the last part of a route", ("route", k, "type"), "falls"
            )
        if isinstance(part, Sheave) and part.fixed and part.friction is None:
            yield Problem("a wheel that does not turn needs the friction of the rope on it", ("route", k, "friction"))
        if isinstance(part, Winch | Traction):
            yield from _winch(part, k)
    if cable.length is not None and cable.tension is not None:
        yield Problem("give the length or the tension at the start, not both", ("tension",), shown(cable.tension))
    if cable.modulus is not None and cable.diameter is None:
        yield Problem("a modulus needs the diameter of the rope", ("modulus",), shown(cable.modulus))
    if cable.tension and cable.stiffness() == float("inf"):
        yield Problem("a rigid rope has no length that gives this tension; give its stiffness", ("tension",))
    if cable.tension is not None and cable.tension > cable.strength():
        reason = f"expected at most the breaking load, {cable.strength():.4g} N"
        yield Problem(reason, ("tension",), shown(cable.tension))


def _winch(part: Winch | Traction, k: int) -> Iterator[Problem]:
    speeds = [point.speed for point in part.curve]
    if speeds != sorted(set(speeds)):
        yield Problem("speeds of a torque-speed curve must rise from point to point", ("route", k, "curve"))
    if part.curve and part.force is not None:
        yield Problem("give the force or a curve, not both", ("route", k, "force"), shown(part.force))
    if isinstance(part, Traction):
        return
    if part.upper_limit is not None and part.lower_limit is not None and part.upper_limit >= part.lower_limit:
        reason = f"expected less rope out than at the lower limit, {part.lower_limit:g} m"
        yield Problem(reason, ("route", k, "upper_limit"), shown(part.upper_limit))
    if bool(part.layer_turns) != bool(part.layer_rise):
        yield Problem("layers need both layer_turns and layer_rise", ("route", k, "layer_turns"))
