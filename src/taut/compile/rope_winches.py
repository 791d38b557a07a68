"""Drums and traction wheels of a rope: what drives and stops them, and the rope they hold at the start."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from taut.cables.massless.columns import (
    N_BODY,
    W_LENGTH,
)
from taut.cables.massless.drum import (
    V_BLOCK,
    V_GAP,
    V_MOST_OUT,
    V_OUT,
    V_ROPE,
    V_SHIFT_START,
    V_SPEED,
    V_TO_POSITION,
    V_TOTAL,
    drum_shift,
)
from taut.compile import frames
from taut.compile.rope_laying import point_of
from taut.compile.rope_table import Threading
from taut.scene.parts import LoadMoment, Traction, Winch


def add_winch(rope: Threading, part: Winch | Traction, transfer: int) -> None:
    """A drum or a traction wheel, with its drive, its limits and its controls."""
    table, controls = rope.table, rope.controls
    drum = part if isinstance(part, Winch) else Winch(axis=part.axis, radius=part.radius)
    name = part.name or rope.name
    if name in table.winch_names:
        name = f"{name}_{len(table.winch_names)}"
    start = len(table.winch_curve)
    if part.curve:
        table.winch_curve += [[point.speed, point.force] for point in part.curve]
    else:
        table.winch_curve.append([0.0, math.inf if part.force is None else part.force])
    end = len(table.winch_curve)
    if drum.mode == "position":
        asked = controls.add(f"{name}.position", "m", -1.0 if drum.position is None else drum.position)
    else:
        asked = controls.add(f"{name}.speed", "m/s", part.speed, part.acceleration)
    moment, index = drum.load_moment, rope.bodies.index
    if moment is not None:
        table.winch_curve += [
            [point.radius, point.load * float(np.linalg.norm(rope.gravity))] for point in moment.table
        ]
    table.winch_int.append([
        transfer, rope.r, asked, controls.add(f"{name}.emergency", "-", 0.0), controls.add(f"{name}.brake_fault", "-", 0.0),
        start, end, int(drum.mode == "position"), -1 if drum.two_block is None else index[drum.two_block.block], end,
        len(table.winch_curve), -1 if moment is None else index[moment.block], -1 if moment is None else index[moment.on], -1,
    ])  # fmt: skip
    table.winch_law.append([
        part.most_speed, math.inf if part.brake is None else part.brake, part.brake_delay,
        # with no limit of its own it stops a radius before its end: the rope cannot be laid any shorter
        (part.radius if drum.upper_limit is None else drum.upper_limit) if isinstance(part, Winch) else -math.inf,
        math.inf if drum.lower_limit is None else drum.lower_limit,
        math.inf if drum.overload is None else drum.overload, float(drum.slack_stop), part.acceleration,
        part.radius, drum.layer_rise, drum.layer_turns, 0.0 if drum.stored is None else drum.stored,
        0.0 if drum.two_block is None else drum.two_block.clearance, 1.0 if moment is None else moment.warning,
        *_arm(rope, moment), drum.pitch, 0.0,
    ])  # fmt: skip
    table.winch_names.append(name)
    table.winch_specs.append(part)
    table.winch_guards.append((drum.guard, ("cables", rope.name, "route", rope.written[rope.k], "guard")))


def _arm(rope: Threading, moment: LoadMoment | None) -> np.ndarray:
    """Point from which the radius of a load is measured, in principal axes of its body."""
    if moment is None:
        return np.zeros(3)
    i = rope.bodies.index[moment.on]
    point = point_of(rope, moment, i) - rope.bodies.start_pos[i]
    return frames.rotate(frames.conjugate(rope.bodies.start_quat[i]), point)


def count_stored(rope: Threading, out: float) -> None:
    """Drums with a given store of rope have that and what is out; what is out is also where they stay or go from."""
    table = rope.table
    for row, numbers in zip(table.winch_law, table.winch_int):
        if numbers[V_ROPE] != rope.r:
            continue
        if row[V_TOTAL] > 0.0:
            row[V_TOTAL] += out
            row[V_MOST_OUT] = min(row[V_MOST_OUT], row[V_TOTAL])
        if numbers[V_TO_POSITION] and rope.controls.start[numbers[V_SPEED]] < 0.0:
            rope.controls.start[numbers[V_SPEED]] = out
        row[V_SHIFT_START] = float(drum_shift.py_func(np.array([row]), 0, row[V_TOTAL] - out))
        start = [0.0] * 14
        start[V_OUT], start[V_GAP] = out, _clearance(rope, numbers[V_BLOCK])
        table.winch_start.append(start)


def _clearance(rope: Threading, block: int) -> float:
    """Shortest straight run of the rope at a body [m]."""
    route = slice(rope.first, rope.first + len(rope.parts))
    parts, places = rope.table.part_int[route], rope.table.part_place[route]
    runs = [
        place[W_LENGTH]
        for (a, b), place in zip(pairwise(parts), places)
        if (a[N_BODY] == block) != (b[N_BODY] == block)
    ]
    return min(runs, default=0.0)
