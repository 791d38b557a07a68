"""What a cable must satisfy beyond its single fields."""

from collections.abc import Iterator

from taut.scene import mesh_file
from taut.scene.auto_checks import check_auto
from taut.scene.cables import Cable
from taut.scene.joints import WORLD
from taut.scene.known import BROKEN, Known
from taut.scene.lattice_checks import check_honeycomb
from taut.scene.parts import Clip, End, Falls, Free, Ring, Sheave, Traction, Via, Winch, bodies_beside
from taut.scene.problems import Problem, shown
from taut.scene.rod_checks import check_rod
from taut.scene.segment_checks import check_segmented
from taut.scene.shapes import Box, Capsule, Cylinder, Hull, Mesh, Sphere

#: mass per length beyond which a density is taken for a slip [kg/m]
HEAVIEST = 6000.0


def check_cable(cable: Cable, known: Known) -> Iterator[Problem]:
    """Every mistake of a cable whose fields are all valid, short of its geometry."""
    route = cable.route
    if cable.scheme == "explicit" and cable.model != "layered":
        yield Problem("only a layered cable has this scheme: set model: layered", ("scheme",), cable.scheme)
    if len(route) < 2:
        yield Problem("a route needs at least two parts: where the rope begins and where it ends", ("route",))
    elif cable.model == "segmented":
        yield from check_segmented(cable, known)
        if cable.obstacles:
            reason = "only massless and layered cables wrap round things: a segmented one meets them with collide: true"
            yield Problem(reason, ("obstacles",))
        if cable.lifted:
            yield from _lifted(cable)
        yield from _honeycomb_only(cable)
        return
    elif cable.model == "auto":
        found = list(check_auto(cable, known))
        yield from found
        yield from _honeycomb_only(cable)
        if cable.bare or found:
            return
    elif cable.model == "honeycomb":
        yield from check_honeycomb(cable, known)
        return
    elif cable.model == "rod":
        yield from check_rod(cable, known)
        return
    yield from _honeycomb_only(cable)
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
        if isinstance(part, Winch):
            yield from _watched(part, k, {part.on for part in cable.parts()}, known)
        if isinstance(part, Traction) and part.lifts is not None:
            yield from _lifts(part, k, cable, known)
    yield from _obstacles(cable, known)
    if cable.length is not None and cable.tension is not None:
        yield Problem("give the length or the tension at the start, not both", ("tension",), shown(cable.tension))
    if cable.lifted:
        yield from _lifted(cable)
    if cable.modulus is not None and cable.diameter is None:
        yield Problem("a modulus needs the diameter of the rope", ("modulus",), shown(cable.modulus))
    if cable.tension and cable.stiffness() == float("inf"):
        yield Problem("a rigid rope has no length that gives this tension; give its stiffness", ("tension",))
    if cable.model in ("layered", "auto"):
        yield from _layered(cable)
    if cable.weight:
        yield from _weighs(cable)


def _hollow(shape: Mesh) -> bool:
    """Whether a mesh is not its own convex hull; a file that cannot be read is reported with its body."""
    try:
        return not shape.content().convex
    except mesh_file.MeshError:
        return False


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
            if not isinstance(shape, Box | Sphere | Capsule | Cylinder | Mesh | Hull):
                what = "a body without a shape" if shape is None else f"a {shape.type}"
                yield Problem(f"a cable cannot wrap round {what}", ("obstacles", k), name)
            elif isinstance(shape, Mesh) and shape.contact != "hull" and _hollow(shape):
                reason = (
                    "a mesh with hollows or holes: a cable can only wrap round its convex hull. Set contact: hull on its shape to have "
                    "that, or build it of convex bodies and name each of them"
                )
                yield Problem(reason, ("obstacles", k), name)
        elif not found and known.kinds.get(name) != BROKEN:
            yield Problem("a cable can only wrap round a body that is written under bodies", ("obstacles", k), name)
    if len(set(cable.obstacles)) < len(cable.obstacles):
        yield Problem("a body is named twice", ("obstacles",))
    wraps = bool(cable.obstacles) or any(isinstance(part, Sheave) and not part.groove for part in cable.route)
    if wraps and cable.model not in ("massless", "layered"):
        yield Problem("only massless and layered cables wrap round things: set model: massless", ("obstacles",))
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


def _honeycomb_only(cable: Cable) -> Iterator[Problem]:
    """Fields that mean nothing to a cable without a lattice."""
    if cable.lattice is not None:
        yield Problem("only a honeycomb cable has a lattice: set model: honeycomb", ("lattice",))
    if cable.scheme in ("verlet", "predictor_corrector", "implicit"):
        yield Problem("only a honeycomb cable has this scheme: set model: honeycomb", ("scheme",), cable.scheme)


def _segmented_only(cable: Cable) -> Iterator[Problem]:
    """Fields and parts that mean nothing to a rope that runs over parts as one."""
    for field in ("segments", "segment_length", "group", "meets", "bending_damping_time"):
        if getattr(cable, field) is not None:
            yield Problem(
                "only a segmented cable has segments: set model: segmented", (field,), shown(getattr(cable, field))
            )
    for field in ("loop", "collide"):
        if getattr(cable, field):
            yield Problem("only a segmented cable can do this: set model: segmented", (field,), "true")
    if cable.detail != "fixed":
        yield Problem("only a segmented cable has segments: set model: segmented", ("detail",), cable.detail)
    if cable.scheme in ("paper", "paper_alternative"):
        yield Problem("only a segmented cable has this scheme: set model: segmented", ("scheme",), cable.scheme)
    for k, part in enumerate(cable.route):
        if isinstance(part, Free | Via):
            reason = f"only a segmented cable can have a {part.type} part: set model: segmented"
            yield Problem(reason, ("route", k, "type"), part.type)
        elif isinstance(part, Clip):
            yield Problem("only a rod is held by clips: set model: rod", ("route", k, "type"), "clip")
        elif isinstance(part, End) and part.hold == "pose":
            yield Problem("only a segmented cable can be clamped: set model: segmented", ("route", k, "hold"), "pose")
        elif isinstance(part, End) and (part.roll or part.up):
            field = "roll" if part.roll else "up"
            yield Problem("only a rod can be rolled: set model: rod", ("route", k, field), shown(getattr(part, field)))
        elif isinstance(part, End) and part.pay_out is not None:
            reason = "only a segmented cable is paid out at an end: set model: segmented, or put a winch there"
            yield Problem(reason, ("route", k, "pay_out"))


def _layered(cable: Cable) -> Iterator[Problem]:
    if cable.line_mass() <= 0.0:
        yield Problem(
            f"{'a layered' if cable.model == 'layered' else 'an auto'} cable needs its mass: give mass_per_length, or a rope of the catalogue",
            ("mass_per_length",),
        )
    elif cable.line_mass() > HEAVIEST:
        reason = f"expected at most {HEAVIEST:g} kg/m: a steel bar of a metre across has no more"
        yield Problem(reason, ("mass_per_length",), shown(cable.line_mass()))
    if cable.stiffness() == float("inf"):
        yield Problem(
            "a layered cable stretches: give axial_stiffness, modulus and diameter, or a rope", ("axial_stiffness",)
        )


def _weighs(cable: Cable) -> Iterator[Problem]:
    if cable.model != "massless":
        yield Problem(f"a {cable.model} cable has its weight anyway: leave this out", ("weight",), "true")
    elif cable.line_mass() <= 0.0:
        yield Problem("its weight needs mass_per_length, or a rope of the catalogue", ("weight",), "true")


def _watched(part: Winch, k: int, bodies: set[str], known: Known) -> Iterator[Problem]:
    """Bodies and tables of the switches of a winch."""
    for field, switch in (("two_block", part.two_block), ("load_moment", part.load_moment)):
        if switch is None:
            continue
        named = list(known.check_body_name(switch.block, "block"))
        for problem in named:
            yield Problem(problem.message, ("route", k, field, *problem.parts), problem.value)
        if not named and switch.block not in bodies:
            reason = f"the rope does not run over this body; it runs over {', '.join(sorted(bodies))}"
            yield Problem(reason, ("route", k, field, "block"), switch.block)
    if part.load_moment is not None:
        moment = part.load_moment
        for problem in known.check_body_name(moment.on, "on"):
            yield Problem(problem.message, ("route", k, "load_moment", *problem.parts), problem.value)
        radii = [point.radius for point in moment.table]
        if not radii:
            yield Problem("a table needs at least one radius with its load", ("route", k, "load_moment", "table"))
        if radii != sorted(set(radii)):
            yield Problem("radii of a load-moment table must rise", ("route", k, "load_moment", "table"))


def _lifts(part: Traction, k: int, cable: Cable, known: Known) -> Iterator[Problem]:
    """What the lever of a driven sheave raises hangs on one side of it."""
    body = part.lifts or ""
    named = list(known.check_body_name(body, "lifts"))
    for problem in named:
        yield Problem(problem.message, ("route", k, *problem.parts), problem.value)
    before, after = (set(bodies) - {WORLD} for bodies in bodies_beside(part, cable.parts()))
    if not named and (body in before) == (body in after):
        what = "is held on both sides of the sheave" if body in before else "is not held by this rope"
        yield Problem(f"it {what}; held on one side: {', '.join(sorted(before ^ after))}", ("route", k, "lifts"), body)


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
    elif part.layer_turns and part.stored is None:
        reason = "layers need to know how much rope lies on the drum at the start: give stored"
        yield Problem(reason, ("route", k, "stored"))
    if part.layer_turns and part.layer_turns < 1.0:
        yield Problem("expected at least one turn in a layer", ("route", k, "layer_turns"), shown(part.layer_turns))
    if part.mode == "position" and part.speed != 0.0:
        yield Problem(
            "a winch that goes to a position has no speed of its own", ("route", k, "speed"), shown(part.speed)
        )
    if part.mode == "speed" and part.position is not None:
        yield Problem("only a winch with mode: position has one", ("route", k, "position"), shown(part.position))
