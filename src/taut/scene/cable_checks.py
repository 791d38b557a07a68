"""What a cable must satisfy beyond its single fields."""

from collections.abc import Iterator

from taut.scene.cables import Cable, End, Falls, Free, Ring, Sheave, Traction, Via, Winch
from taut.scene.joints import WORLD
from taut.scene.known import BROKEN, Known
from taut.scene.problems import Problem, shown
from taut.scene.segment_checks import check_segmented
from taut.scene.shapes import Box, Capsule, Cylinder, Mesh, Sphere

#: mass per length beyond which a density is taken for a slip [kg/m]
HEAVIEST = 6000.0


def check_cable(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a cable whose fields are all valid, short of its geometry."""
    route = cable.route
    if len(route) < 2:
        yield Problem("a route needs at least two parts: where the rope begins and where it ends", ("route",))
    elif cable.model == "segmented":
        yield from check_segmented(cable, known)
        if cable.lifted:
            yield from _lifted(cable)
        return
    yield from _segmented_only(cable)
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
    yield from _obstacles(cable, known)
    if cable.length is not None and cable.tension is not None:
        yield Problem("give the length or the tension at the start, not both", ("tension",), shown(cable.tension))
    if cable.lifted:
        yield from _lifted(cable)
    if cable.modulus is not None and cable.diameter is None:
        yield Problem("a modulus needs the diameter of the rope", ("modulus",), shown(cable.modulus))
    if cable.tension and cable.stiffness() == float("inf"):
        yield Problem("a rigid rope has no length that gives this tension; give its stiffness", ("tension",))
    if cable.model == "layered":
        yield from _layered(cable)
    if cable.tension is not None and cable.tension > cable.strength():
        reason = f"expected at most the breaking load, {cable.strength():.4g} N"
        yield Problem(reason, ("tension",), shown(cable.tension))


def _obstacles(cable: Cable, known: Known) -> Iterator[Problem]:
    """What a cable can wrap round, and which cables can."""
    for k, name in enumerate(cable.obstacles):
        found = list(known.check_body_name(name, "obstacles"))
        for problem in found:
            yield Problem(problem.message, ("obstacles", k), problem.value)
        if name == WORLD:
            yield Problem("the world has no shape: name the bodies that stand in the way", ("obstacles", k), name)
        elif not found and name in known.bodies:
            shape = known.bodies[name].shape
            if not isinstance(shape, Box | Sphere | Capsule | Cylinder | Mesh):
                what = "a body without a shape" if shape is None else f"a {shape.type}"
                yield Problem(f"a cable cannot wrap round {what}", ("obstacles", k), name)
        elif not found and known.kinds.get(name) != BROKEN:
            yield Problem("a cable can only wrap round a body that is written under bodies", ("obstacles", k), name)
    if len(set(cable.obstacles)) < len(cable.obstacles):
        yield Problem("a body is named twice", ("obstacles",))
    wraps = bool(cable.obstacles) or any(isinstance(part, Sheave) and not part.groove for part in cable.route)
    if wraps and cable.model != "massless":
        yield Problem("only a massless cable wraps round things yet: set model: massless", ("obstacles",))
    if wraps and cable.torsion()[0] is not None:
        yield Problem("a cable that wraps round things cannot resist twist yet; leave its torsion out", ("obstacles",))


def _lifted(cable: Cable) -> Iterator[Problem]:
    for field in ("length", "tension"):
        if getattr(cable, field) is not None:
            reason = f"a rope that is lifted at the start finds its own {field}: leave one of them out"
            yield Problem(reason, (field,), shown(getattr(cable, field)))
    if cable.model != "massless":
        yield Problem("only a massless cable can start lifted; give the others a tension", ("lifted",), "true")
    if not cable.attached:
        yield Problem("a rope that is not tied at the start carries nothing", ("lifted",), "true")


def _segmented_only(cable: Cable) -> Iterator[Problem]:
    """Fields and parts that mean nothing to a rope that runs over parts as one."""
    for field in ("segments", "segment_length"):
        if getattr(cable, field) is not None:
            yield Problem(
                "only a segmented cable has segments: set model: segmented", (field,), shown(getattr(cable, field))
            )
    for field in ("loop", "collide"):
        if getattr(cable, field):
            yield Problem("only a segmented cable can do this: set model: segmented", (field,), "true")
    if cable.scheme != "standard":
        yield Problem("only a segmented cable has this scheme: set model: segmented", ("scheme",), cable.scheme)
    for k, part in enumerate(cable.route):
        if isinstance(part, Free | Via):
            reason = f"only a segmented cable can have a {part.type} part: set model: segmented"
            yield Problem(reason, ("route", k, "type"), part.type)
        elif isinstance(part, End) and part.hold == "pose":
            yield Problem("only a segmented cable can be clamped: set model: segmented", ("route", k, "hold"), "pose")


def _layered(cable: Cable) -> Iterator[Problem]:
    if cable.line_mass() <= 0.0:
        yield Problem(
            "a layered cable needs its mass: give mass_per_length, or a rope of the catalogue", ("mass_per_length",)
        )
    elif cable.line_mass() > HEAVIEST:
        reason = f"expected at most {HEAVIEST:g} kg/m: a steel bar of a metre across has no more"
        yield Problem(reason, ("mass_per_length",), shown(cable.line_mass()))
    if cable.stiffness() == float("inf"):
        yield Problem(
            "a layered cable stretches: give axial_stiffness, modulus and diameter, or a rope", ("axial_stiffness",)
        )


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
