"""What a joint must satisfy beyond its single fields."""

import math
from collections.abc import Iterator

from taut.scene.joints import WORLD, AnchoredJoint, Ball, Distance, Hinge, Joint, PointOnLine, Slider
from taut.scene.known import BROKEN, Known
from taut.scene.motors import AngularLimits, LinearLimits
from taut.scene.problems import Problem, shown
from taut.scene.quantity import Vec3


def check_joint(joint: Joint, known: Known) -> Iterator[Problem]:
    """Every mistake of a joint whose fields are all valid."""
    yield from known.check_body_name(joint.a, "a")
    yield from known.check_body_name(joint.b, "b")
    yield from _motor(joint)
    if joint.a == joint.b:
        yield Problem("expected another body than a: a joint holds two", ("b",), shown(joint.b))
        return
    if joint.a not in known.kinds or joint.b not in known.kinds:
        return
    if not known.moved_by_forces(joint.a) and not known.moved_by_forces(joint.b):
        kinds = " and ".join(f"{name} ({known.kinds[name]})" for name in (joint.a, joint.b) if name != WORLD)
        yield Problem(
            f"no force moves {kinds}{' or the world' if WORLD in (joint.a, joint.b) else ''}: nothing to hold", ()
        )
        return
    yield from _particles(joint, known)
    if BROKEN in (known.kinds[joint.a], known.kinds[joint.b]):
        return
    if isinstance(joint, Distance):
        yield from _distance(joint, known)
    elif isinstance(joint, Hinge | Slider):
        yield from check_limits(joint.limits, 0.0, "rad" if isinstance(joint, Hinge) else "m")


def _particles(joint: Joint, known: Known) -> Iterator[Problem]:
    for field in ("a", "b"):
        name = getattr(joint, field)
        if not known.is_particle(name):
            continue
        allowed = isinstance(joint, Ball | Distance) or (isinstance(joint, PointOnLine) and field == "b")
        if not allowed:
            reason = f"a particle has no orientation, so a {joint.type} cannot hold it; use ball or distance"
            yield Problem(reason, (field,), shown(name))
        elif isinstance(joint, AnchoredJoint):
            yield from check_on_particle(joint.at, name, "at", known)
        else:
            yield from check_on_particle(getattr(joint, f"point_{field}"), name, f"point_{field}", known)


def check_on_particle(point: Vec3 | None, name: str, field: str, known: Known) -> Iterator[Problem]:
    """A particle has no extent: it can be held only where it is."""
    start = known.start_of(name)
    if point is not None and start is not None and math.dist(point, start) > 1e-6 * (1.0 + math.hypot(*start)):
        yield Problem(
            f"expected {shown(start)}: the particle {name} can be held only where it is", (field,), shown(point)
        )


def _distance(joint: Distance, known: Known) -> Iterator[Problem]:
    ends: list[Vec3 | None] = []
    for field, point in (("a", joint.point_a), ("b", joint.point_b)):
        name = getattr(joint, field)
        if point is None and name == WORLD:
            yield Problem(f"missing: where in the world, as {field} is no body", (f"point_{field}",))
        ends.append(point if point is not None or name == WORLD else known.start_of(name))
    first, second = ends
    if first is None or second is None:
        return
    apart = math.dist(first, second)
    if apart <= joint.least(first):
        yield Problem(
            "both points are at the same place, so there is no direction to hold; use ball", ("point_b",), shown(second)
        )
        return
    length = joint.length if joint.length is not None else apart
    wrong = apart > 1.001 * length or (apart < 0.999 * length and not joint.rope)
    if joint.stiffness is None and wrong:
        reason = f"the points are {apart:.6g} m apart at the start; expected that length, or a stiffness"
        yield Problem(reason, ("length",), shown(joint.length))
    yield from check_limits(joint.limits, length, "m")


def check_limits(limits: LinearLimits | AngularLimits | None, start: float, unit: str) -> Iterator[Problem]:
    """The lower limit lies below the upper one, and the start between them."""
    if limits is None:
        return
    lower = limits.lower if limits.lower is not None else -math.inf
    upper = limits.upper if limits.upper is not None else math.inf
    room = 1e-9 * (1.0 + abs(start))
    if lower >= upper:
        yield Problem(f"expected more than the lower limit, {lower:g} {unit}", ("limits", "upper"), shown(upper))
    elif start < lower - room:
        yield Problem(
            f"the joint starts at {start:.6g} {unit}; expected no more than that", ("limits", "lower"), shown(lower)
        )
    elif start > upper + room:
        yield Problem(
            f"the joint starts at {start:.6g} {unit}; expected no less than that", ("limits", "upper"), shown(upper)
        )


def _motor(joint: Joint) -> Iterator[Problem]:
    motor = joint.motor if isinstance(joint, Hinge | Slider | Distance) else None
    if motor is None:
        return
    if motor.mode == "speed" and motor.stiffness is not None:
        reason = "only a motor with mode: position has a stiffness; for a speed, limit the force"
        yield Problem(reason, ("motor", "stiffness"), shown(motor.stiffness))
    if isinstance(joint, Distance) and motor.mode == "position" and motor.target <= 0.0:
        yield Problem("expected a length greater than 0", ("motor", "target"), shown(motor.target))
