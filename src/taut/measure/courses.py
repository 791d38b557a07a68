"""Ropes that wrap round things: where they touch, what holds them there, and the course they take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from taut.cables.massless.columns import (
    A_PARTS,
    DRUM,
    N_ARM,
    N_AXIS,
    N_BODY,
    N_FIRST,
    N_KIND,
    N_RADIUS,
    N_TRANSFER,
    N_WRAP,
    O_BODY,
    O_ROPE,
    O_SLOT,
    O_SLOTS,
    P_FIRST,
    POINT_PART,
    T_WINCH,
    U_AXIS,
    U_CENTRE,
    U_FIRST,
    U_LIVE,
    U_ONE,
    U_RADIUS,
    U_TWO,
    U_Z_ONE,
    U_Z_TWO,
    W_BENT,
)
from taut.cables.massless.drum import V_SHIFT
from taut.compile import frames
from taut.compile.obstacles import EDGE_ROOM, ROUND_ROOM
from taut.measure import waves
from taut.scene import Body, Box, Mesh
from taut.scene.cables import Cable
from taut.scene.parts import Sheave, Wheel

Array = np.ndarray
#: points on each turn of a wheel, on a wrap, and on a point
TURN_POINTS, WRAP_POINTS = 28, 8
#: and between the ends of a layered span
BEND_POINTS = 9


def wraps_round(cable: Cable) -> bool:
    """Whether a cable can wrap round things, or runs over a wheel without a groove."""
    return bool(cable.obstacles) or any(isinstance(part, Sheave) and not part.groove for part in cable.parts())


def order(sim: Any, rope: str) -> Array:
    """Parts on its path now, wraps included, from the first to the last."""
    r = int(sim.compiled.ropes.names.index(rope))
    first = int(sim.model.rope_int[r, P_FIRST])
    return np.array(sim.state.rope_order[first : first + int(sim.state.rope_live[r, A_PARTS])])


def _on(sim: Any, rope: str, body: str) -> list[int]:
    """Wraps of a rope on a body, those on its path, as parts."""
    r, i = int(sim.compiled.ropes.names.index(rope)), sim.compiled.bodies.index[body]
    found: list[int] = []
    for row in sim.model.obstacle_int:
        if row[O_ROPE] == r and row[O_BODY] == i:
            slots = range(int(row[O_SLOT]), int(row[O_SLOTS]))
            found += [k for k in slots if sim.state.wrap_int[sim.model.part_int[k, N_WRAP], U_LIVE] == 1]
    return found


def touches(sim: Any, rope: str, body: str) -> int:
    """Wraps of the rope on a body now: edges it bends over, or 1 for a round body [-]."""
    return len(_on(sim, rope, body))


def wrap_angle(sim: Any, rope: str, body: str) -> float:
    """Angle by which a body turns the rope, all its edges together, as the last step began [rad]."""
    return float(sum(sim.work.part_place[k, W_BENT] for k in _on(sim, rope, body)))


def friction(sim: Any, rope: str, body: str) -> float:
    """Difference of tension that friction on a body holds, towards the end of the rope positive [N]."""
    total = 0.0
    for k in _on(sim, rope, body):
        t = int(sim.model.part_int[k, N_TRANSFER])
        if t >= 0:
            before, after = sim.state.transfer_row[t]
            total += float(sim.state.row_lam[before] - sim.state.row_lam[after]) / sim.dt
    return total


def course_length(cable: Cable, bodies: Mapping[str, Body]) -> int:
    """Number of points that the course of a cable is given in; the same at all times."""
    # an arc may grow by a turn beyond those it starts with
    turns = [TURN_POINTS * (2 + getattr(part, "wraps", 0)) if isinstance(part, Wheel) else 1 for part in cable.parts()]
    rooms = [
        cable.wrap_room or (EDGE_ROOM if isinstance(bodies[name].shape, Box | Mesh) else ROUND_ROOM)
        for name in cable.obstacles
    ]
    bends = BEND_POINTS * (len(turns) - 1 + sum(rooms)) if cable.model == "layered" else 0
    return sum(turns) + WRAP_POINTS * sum(rooms) + bends


def course_size(sim: Any, rope: str) -> int:
    """Number of points that the course of a rope of a simulation is given in."""
    r = int(sim.compiled.ropes.names.index(rope))
    return course_length(sim.compiled.ropes.specs[r], sim.scene.bodies)


def course(sim: Any, rope: str) -> Array:
    """Points along its path as the bodies are now, the last one repeated to fill up [m], shape (course_size, 3)."""
    parts = order(sim, rope)
    pieces = [_points(sim, int(k), i == 0, i == len(parts) - 1) for i, k in enumerate(parts)]
    if waves.is_layered(sim, rope):
        x = np.linspace(0.0, 1.0, BEND_POINTS + 2)[1:-1]
        hangs = [
            one[-1] + x[:, None] * (two[0] - one[-1]) + off
            for one, two, off in zip(pieces, pieces[1:], waves.displacements(sim, rope, x))
        ]
        pieces = [piece for pair in zip(pieces, hangs) for piece in pair] + pieces[-1:]
    points = np.concatenate(pieces)
    size = course_size(sim, rope)
    points = points[:: 1 + len(points) // size] if len(points) > size else points
    return np.concatenate([points, np.repeat(points[-1:], size - len(points), axis=0)])


def course_rows(sim: Any, rope: str) -> Array:
    """Run of rope that each piece of its course belongs to, shape (course_size - 1,)."""
    rows, row = [], 0
    parts, bent = order(sim, rope), BEND_POINTS if waves.is_layered(sim, rope) else 0
    for i, k in enumerate(parts):
        count = len(_points(sim, int(k), i == 0, i == len(parts) - 1))
        rows += [row] * count
        row += 1 if 0 < i < len(parts) - 1 and sim.model.part_int[k, N_TRANSFER] >= 0 else 0
        rows += [row] * (bent if i < len(parts) - 1 else 0)
    size = course_size(sim, rope)
    return np.array((rows + [row] * size)[: size - 1])


def _points(sim: Any, k: int, first: bool, last: bool) -> Array:
    """Points of one part, in the order of the rope."""
    part, frame, angle = sim.model.part_int[k], sim.model.part_frame[k], sim.state.part_angle[k]
    body = int(part[N_BODY])
    pos, quat = sim.state.body_pos[body], sim.state.body_quat[body]
    if part[N_WRAP] >= 0:
        wrap = sim.state.wrap_state[part[N_WRAP]]
        centre, axis, one = (wrap[c : c + 3] for c in (U_CENTRE, U_AXIS, U_FIRST))
        radius, start, stop, low, high = (float(wrap[c]) for c in (U_RADIUS, U_ONE, U_TWO, U_Z_ONE, U_Z_TWO))
        slot = part[N_KIND] != POINT_PART and not frame[N_AXIS : N_AXIS + 3].any()
        count = WRAP_POINTS if slot else _turn_points(start, stop)
    else:
        centre, axis, one = (frame[c : c + 3] for c in (N_ARM, N_AXIS, N_FIRST))
        radius, start, stop, low, high = float(frame[N_RADIUS]), float(angle[0]), float(angle[1]), 0.0, 0.0
        if part[N_KIND] == DRUM:
            # where the rope leads off now
            winch = int(sim.model.transfer_int[part[N_TRANSFER], T_WINCH])
            low = high = float(sim.state.winch_state[winch, V_SHIFT])
        if first or last:
            start = stop = stop if first else start
        count = 1 if start == stop else _turn_points(start, stop)
    a = np.linspace(start, stop, count)[:, None]
    z = np.linspace(low, high, count)[:, None]
    local = centre + radius * (np.cos(a) * one + np.sin(a) * np.cross(axis, one)) + z * axis
    return np.asarray(pos + frames.rotate(np.broadcast_to(quat, (count, 4)), local))


def _turn_points(start: float, stop: float) -> int:
    """Points on an arc, in proportion to its turns."""
    return max(2, int(TURN_POINTS * abs(stop - start) / (2.0 * np.pi)))
