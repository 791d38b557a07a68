"""A rope laid over its parts: which way it goes round, where it touches, how long it is between, how its ends stand."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from taut.compile import frames
from taut.compile.reeving import Placed, carry, direction_across, sense, wrap_angle
from taut.compile.rope_table import Threading
from taut.scene import WORLD
from taut.scene.parts import Sheave, Traction, Wheel, Winch

#: smallest bend of a route at a wheel from which its sense is taken
CLEAR_BEND = 1e-3
#: largest angle between a rope and the plane of its groove [rad]
FLEET = math.radians(15.0)


def _place(point: np.ndarray) -> str:
    """A point for a message."""
    return "(" + ", ".join(f"{x:.4g}" for x in point) + ") m"


def point_of(rope: Threading, part, i):  # type: ignore[no-untyped-def]
    """Where a part is at the start [m]."""
    if part.at is not None:
        return np.asarray(part.at, float)
    if part.on == WORLD:
        return np.zeros(3)
    return np.asarray(rope.bodies.specs[i].start_position, float)


def place_parts(rope: Threading, points):  # type: ignore[no-untyped-def]
    """Parts as points and wheels, each with the sense in which the rope goes round; None where it cannot be laid."""
    placed: list[Placed] = []
    ok = True
    for k, (part, point) in enumerate(zip(rope.parts, points)):
        if not isinstance(part, Wheel):
            placed.append(Placed(point))
            continue
        axis = np.asarray(part.axis, float)
        turn = {"left": 1, "right": -1}.get(part.turn, 0)
        if turn == 0:
            before = points[k - 1] if k > 0 else points[k] + direction_across(axis)
            after = points[k + 1] if k + 1 < len(points) else points[k] + direction_across(axis)
            bend = sense(before, point, after, axis)
            if isinstance(part, Winch):
                turn = 1
            elif abs(bend) < CLEAR_BEND:
                rope.part_problem(
                    k, "turn", f"the route runs straight through this wheel at {_place(point)}, so that one cannot tell "
                    "how the rope goes round; set turn: left or turn: right", "auto",
                )  # fmt: skip
                ok = False
                turn = 1
            else:
                turn = 1 if bend > 0.0 else -1
        placed.append(Placed(point, axis, direction_across(axis), part.radius, turn))
    for k, (a, b) in enumerate(pairwise(placed)):
        gap = float(np.linalg.norm(b.centre - a.centre))
        if gap <= abs(a.radius) + abs(b.radius) and (a.radius > 0.0 or b.radius > 0.0):
            rope.part_problem(
                k + 1, "at", f"it is {gap:.4g} m from the part before, less than their radii {a.radius:.4g} m and "
                f"{b.radius:.4g} m need: the rope cannot be laid between them",
            )  # fmt: skip
            ok = False
        elif gap < 1e-9:
            rope.part_problem(k + 1, "at", f"it is at the same place as the part before, {_place(b.centre)}")
            ok = False
    return placed if ok else None


def check_fleet(rope: Threading, placed, spans):  # type: ignore[no-untyped-def]
    """Tell of wheels to which the rope runs too much aslant to stay in the groove."""
    for k, ((a, b), (leaves, arrives, length)) in enumerate(zip(pairwise(placed), spans)):
        d = b.at(arrives) - a.at(leaves)
        for wheel, place in ((a, k), (b, k + 1)):
            if wheel.axis is None or length == 0.0:
                continue
            fleet = math.asin(min(1.0, abs(float(d @ wheel.axis)) / length))
            if fleet > FLEET and getattr(rope.parts[place], "groove", True):
                rope.part_problem(
                    place, "axis", f"the rope would run at {math.degrees(fleet):.1f} degrees to its groove; at most 15 "
                    "degrees stay in it",
                )  # fmt: skip


def holds_back(part: object) -> bool:
    """Whether tension may differ on the two sides of a part."""
    if isinstance(part, Winch | Traction):
        return True
    return isinstance(part, Sheave) and (
        part.inertia > 0.0 or part.efficiency < 1.0 or part.bearing_loss > 0.0 or part.bending_loss > 0.0
        or part.friction is not None or part.fixed
    )  # fmt: skip


def laid_lengths(rope: Threading, placed, spans, holds):  # type: ignore[no-untyped-def]
    """Length along the path of each segment; the arc of a part that holds back is shared by its two segments."""
    lengths = [0.0]
    for k, (leaves, arrives, length) in enumerate(spans):
        lengths[-1] += length
        if k + 1 == len(placed) - 1:
            break
        wheel = placed[k + 1]
        if wheel.axis is not None:
            wraps = getattr(rope.parts[k + 1], "wraps", 0)
            arc = wheel.radius * wrap_angle(arrives, spans[k + 1][0], wheel.turn, wraps)
            lengths[-1] += 0.5 * arc if holds[k + 1] else arc
            if holds[k + 1]:
                lengths.append(0.5 * arc)
        elif holds[k + 1]:
            lengths.append(0.0)
        del leaves
    return lengths


def add_ends(rope: Threading, of, placed, spans):  # type: ignore[no-untyped-def]
    """Tangent and section vector of both ends in their bodies; at the start the rope is not twisted."""
    tangents = [(b.at(span[1]) - a.at(span[0])) / span[2] for (a, b), span in zip(pairwise(placed), spans)]
    section = direction_across(tangents[0])
    carried = section
    for k, (p, q) in enumerate(pairwise(tangents)):
        wheel = placed[k + 1]
        if wheel.axis is not None:
            angle = spans[k][1] + 0.5 * wheel.turn * wrap_angle(spans[k][1], spans[k + 1][0], wheel.turn, 0)
            middle = wheel.turn * np.cross(wheel.axis, (wheel.at(angle) - wheel.centre) / wheel.radius)
            carried = carry(carry(carried, p, middle), middle, q)
        else:
            carried = carry(carried, p, q)
    first, last = (frames.conjugate(rope.bodies.start_quat[i]) for i in (of[0], of[-1]))
    rope.table.ends.append([
        *frames.rotate(first, tangents[0]), *frames.rotate(first, section),
        *frames.rotate(last, tangents[-1]), *frames.rotate(last, carried),
    ])  # fmt: skip
