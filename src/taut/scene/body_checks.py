"""What a body must satisfy beyond its single fields."""

import math
from collections.abc import Iterator
from itertools import pairwise

from taut.scene import mesh_file
from taut.scene.bodies import ORIGIN, Body
from taut.scene.known import Known
from taut.scene.motions import ControlMotion, PoseMotion, VelocityMotion
from taut.scene.problems import Problem, shown
from taut.scene.quantity import LARGEST, SMALLEST
from taut.scene.shapes import Box, HeightField, Mesh, Plane, Sphere


def check_body(body: Body, known: Known) -> Iterator[Problem]:
    """Every mistake of a body whose fields are all valid."""
    yield from known.check_material(body.material)
    yield from known.check_groups(body.meets)
    yield from _kind(body)
    mesh = list(_mesh(body))
    yield from mesh
    if body.kind == "particle":
        yield from _particle(body)
    elif body.kind == "dynamic" and not isinstance(body.shape, Plane | HeightField):
        yield from _weight(body, weighable=not mesh)
    if body.centre is not None and body.kind != "dynamic":
        yield Problem(
            "only a dynamic body has a centre of mass of its own; leave this out", ("centre",), shown(body.centre)
        )
    if body.inertia is not None:
        yield from _inertia(body.inertia)
    if body.motion is not None:
        yield from _motion(body)
    if body.look != "solid" and not isinstance(body.shape, Box):
        what = "a body without a shape" if body.shape is None else f"a {body.shape.type}"
        reason = f"expected 'solid', or a box as its shape: {what} has no other look"
        yield Problem(reason, ("look",), shown(body.look))


def _kind(body: Body) -> Iterator[Problem]:
    if isinstance(body.shape, Plane) and body.kind != "static":
        yield Problem("expected 'static': a plane is infinite and cannot move", ("kind",), shown(body.kind))
    if isinstance(body.shape, HeightField) and body.kind != "static":
        yield Problem("expected 'static': a height field is ground and cannot move", ("kind",), shown(body.kind))
    if body.motion is not None and body.kind != "kinematic":
        yield Problem("expected 'kinematic': only such a body follows a motion", ("kind",), shown(body.kind))
    scripted = body.kind == "kinematic" and isinstance(body.motion, PoseMotion | VelocityMotion)
    for field in ("velocity", "spin"):
        value = getattr(body, field)
        if value != ORIGIN and body.kind == "static":
            yield Problem("a static body does not move; leave this out or make it kinematic", (field,), shown(value))
        elif value != ORIGIN and scripted:
            yield Problem("given by the motion already; leave this out", (field,), shown(value))


def _mesh(body: Body) -> Iterator[Problem]:
    if not isinstance(body.shape, Mesh):
        return
    place = ("shape", "file")
    try:
        content = body.shape.content()
    except mesh_file.MeshError as error:
        yield Problem(str(error), place, shown(body.shape.file))
        return
    weighed = body.kind == "dynamic" and (body.mass is None or body.inertia is None)
    if weighed and not content.closed:
        reason = "its surface is not closed, so it cannot be weighed; give the body a mass and an inertia, or close it"
        yield Problem(reason, place, shown(body.shape.file))
    if body.collide:
        yield from _touching_mesh(body, content)


#: triangles of a mesh that can be touched: more take seconds to sort
MOST_TRIANGLES = 200_000


def _touching_mesh(body: Body, content: mesh_file.MeshContent) -> Iterator[Problem]:
    assert isinstance(body.shape, Mesh)
    place = ("shape", "contact")
    if body.touches_as_hull:
        if mesh_file.flat(content.vertices):
            reason = "it is flat, so it has no hull that could touch; set collide: false"
            yield Problem(reason, ("shape", "file"), shown(body.shape.file))
        return
    if not content.oriented:
        reason = (
            "neighbouring triangles face opposite ways, so it has no outside; turn its normals the same way in the program "
            "that made it, or set contact: hull or collide: false"
        )
        yield Problem(reason, place, shown(body.shape.file))
    if len(content.faces) > MOST_TRIANGLES:
        reason = (
            f"{len(content.faces)} triangles; expected at most {MOST_TRIANGLES} of what can be touched: give a coarser file, "
            "or set contact: hull or collide: false"
        )
        yield Problem(reason, place, shown(body.shape.file))


def _particle(body: Body) -> Iterator[Problem]:
    if body.mass is None:
        yield Problem("missing: a particle needs a mass, e.g. 2.5 or '1.2 t'", ("mass",))
    for field in ("inertia", "density"):
        if getattr(body, field) is not None:
            yield Problem(f"a particle is a point and has no {field}", (field,), shown(getattr(body, field)))
    if body.spin != ORIGIN:
        yield Problem("a particle is a point and has no spin", ("spin",), shown(body.spin))
    if body.shape is not None and not isinstance(body.shape, Sphere):
        yield Problem(
            "expected a sphere, or no shape: a particle has no orientation", ("shape",), shown(body.shape.type)
        )


def _weight(body: Body, weighable: bool) -> Iterator[Problem]:
    if body.mass is not None and body.density is not None:
        yield Problem("give the mass or the density, not both", ("density",), shown(body.density))
        return
    if body.mass is None and body.density is None:
        yield Problem("missing: a dynamic body needs a mass, e.g. 2.5 or '1.2 t', or a shape and a density", ("mass",))
        return
    if body.shape is None and body.density is not None:
        yield Problem("missing: a density needs a shape; add one, or give a mass", ("shape",))
        return
    if body.shape is None and body.inertia is None:
        yield Problem(
            "missing: without a shape, give 3 moments of inertia in kg m^2, or use kind: particle", ("inertia",)
        )
        return
    if weighable and body.density is not None:
        mass = body.mass_properties().mass
        if not SMALLEST <= mass <= LARGEST:
            yield Problem(
                f"with this density the body weighs {mass:.3g} kg; expected {SMALLEST:g} to {LARGEST:g} kg",
                ("density",),
                shown(body.density),
            )


def _inertia(inertia: tuple[float, ...]) -> Iterator[Problem]:
    """A rigid body has positive moments, none larger than the sum of the other two.

    Both follow from J = tr(I)/2 - I, the second moments of the mass, which must not be negative in any direction.
    """
    xx, yy, zz, xy, xz, yz = (*inertia, 0.0, 0.0, 0.0)[:6]
    half = 0.5 * (xx + yy + zz)
    a, b, c = half - xx, half - yy, half - zz
    slack = 1e-9 * half
    minors = (a * b - xy * xy, a * c - xz * xz, b * c - yz * yz)
    # off-diagonal entries of J are -xy, -xz, -yz
    whole = a * (b * c - yz * yz) - xy * (xy * c + xz * yz) - xz * (xy * yz + xz * b)
    sound = half > 0.0 and min(a, b, c) >= -slack
    sound = sound and min(minors) >= -slack * half and whole >= -slack * half * half
    # at most one direction may have no extent at all, else some moment is zero
    if not sound or sum(minors) <= 1e-15 * half * half:
        reason = "no rigid body has this inertia: moments are positive, and none exceeds the sum of the other two"
        yield Problem(reason, ("inertia",), shown(inertia))


def _motion(body: Body) -> Iterator[Problem]:
    motion = body.motion
    if motion is None:
        return
    if isinstance(motion, ControlMotion):
        yield from _stops(body, motion)
        return
    tables: dict[str, tuple[object, ...] | None]
    if isinstance(motion, PoseMotion):
        tables, least = {"positions": motion.positions, "orientations": motion.orientations}, 2
    else:
        tables, least = {"velocities": motion.velocities, "spins": motion.spins}, 1
    times = motion.times
    if len(times) < least:
        yield Problem(f"expected at least {least} times, increasing", ("motion", "times"), shown(times))
    for i, (before, after) in enumerate(pairwise(times)):
        if not after > before:
            yield Problem(
                f"expected a time later than the one before it, {before:g} s", ("motion", "times", i + 1), shown(after)
            )
            break
    for field, table in tables.items():
        if table is not None and len(table) != len(times):
            reason = f"{len(table)} entries, but {len(times)} times; expected as many"
            yield Problem(reason, ("motion", field))
    if isinstance(motion, PoseMotion) and motion.positions:
        yield from _path(body, motion)


def _stops(body: Body, motion: ControlMotion) -> Iterator[Problem]:
    for axis, stop, at in zip("xyz", motion.stops, body.position):
        if stop is None:
            continue
        if not stop[0] < stop[1]:
            yield Problem(
                "expected the smaller place first, then the larger one", ("motion", f"stops_{axis}"), shown(stop)
            )
        elif not stop[0] <= at <= stop[1]:
            reason = f"expected stops around the place where it starts, {axis} = {at:g} m"
            yield Problem(reason, ("motion", f"stops_{axis}"), shown(stop))


def _path(body: Body, motion: PoseMotion) -> Iterator[Problem]:
    first, last = motion.positions[0], motion.positions[-1]
    if body.position not in (ORIGIN, first):
        yield Problem(f"the motion starts at {shown(first)}; leave this out", ("position",), shown(body.position))
    if motion.repeat and math.dist(first, last) > 1e-9 * (1.0 + math.hypot(*first)):
        reason = f"to repeat, the last position must be the first, {shown(first)}: the body would jump"
        yield Problem(reason, ("motion", "positions", len(motion.positions) - 1), shown(last))
    turns = motion.orientations
    if motion.repeat and turns and abs(sum(p * q for p, q in zip(turns[0], turns[-1]))) < 1.0 - 1e-9:
        reason = "to repeat, the last orientation must be the first: the body would jump"
        yield Problem(reason, ("motion", "orientations", len(turns) - 1), shown(turns[-1]))
