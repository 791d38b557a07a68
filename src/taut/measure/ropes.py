"""What a rope is asked for: tension on every segment, rope out, wrap angles, flows, forces on bodies, winch read-outs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.massless.columns import (
    A_ROWS,
    F_FLOW,
    F_LIMIT,
    F_STATUS,
    HELD,
    N_KIND,
    N_MIDDLE,
    N_RADIUS,
    N_TURN,
    N_WRAP,
    O_TWIST,
    P_DENSITY,
    P_FIRST,
    P_LAST,
    P_LAY,
    P_SEGMENT,
    P_SEGMENTS,
    POINT_PART,
    SIGNALS,
    T_AFTER,
    T_BEFORE,
    T_FRICTION,
    T_PART,
    W_AFTER,
    W_ARRIVES,
    W_AXIS,
    W_BEFORE,
    W_LEAVES,
    W_LENGTH,
    W_SEGMENT,
)
from taut.cables.massless.drum import (
    V_ANGLE,
    V_GAP,
    V_LOAD,
    V_MODE,
    V_MORE,
    V_OUT,
    V_REACH,
    V_ROPE,
    V_SHIFT,
    V_SIGNALS,
    V_TOTAL,
    V_TRANSFER,
    V_USED,
    drum_radius,
)
from taut.cables.massless.runs import runs_of
from taut.core.model import B_AT, B_BODY, G_BLOCK, G_DIM, G_START, R_RATE_NEW
from taut.measure import courses, waves

Array = np.ndarray
MODES = ("drives", "stops", "holds", "emergency")


def _index(sim: Any, rope: str) -> int:
    return int(sim.compiled.ropes.names.index(rope))


def segments(sim: Any, rope: str) -> slice:
    """Places of its segments."""
    row = sim.model.rope_int[_index(sim, rope)]
    return slice(int(row[P_SEGMENT]), int(row[P_SEGMENT] + row[P_SEGMENTS]))


def rows(sim: Any, rope: str) -> slice:
    """Rows of its segments."""
    k = _index(sim, rope)
    start = int(sim.work.group_int[len(sim.compiled.joints.groups) + k, G_START])
    return slice(start, start + sim.compiled.ropes.segments[k])


def twist(sim: Any, rope: str) -> float:
    """Twist between its ends over full turns, last step [rad]."""
    return float(sim.state.rope_twist[_index(sim, rope), O_TWIST])


def torque(sim: Any, rope: str) -> float:
    """Torque that resists its twist, that of its lay included [N m]."""
    end, lay = rows(sim, rope).stop, float(sim.model.rope_law[_index(sim, rope), P_LAY])
    own = 0.0 - float(sim.state.row_lam[end]) / sim.dt
    if lay == 0.0:
        return own
    return own + lay * float(np.average(tensions(sim, rope), weights=np.maximum(unstretched(sim, rope), 1e-9)))


def tensions(sim: Any, rope: str) -> Array:
    """Tension of each segment, a step average [N]."""
    return 0.0 - sim.state.row_lam[rows(sim, rope)] / sim.dt


def course_tension(sim: Any, rope: str) -> Array:
    """Tension of each piece of the course of a rope that wraps round things [N], shape (course_size - 1,)."""
    return np.asarray(tensions(sim, rope)[courses.course_rows(sim, rope)])


def live_runs(sim: Any, rope: str) -> int:
    """Runs of rope that there are now; a cable that wraps round things has room for more [-]."""
    return int(sim.state.rope_live[_index(sim, rope), A_ROWS])


def is_parted(sim: Any, rope: str) -> bool:
    """Whether it is unhooked or has parted."""
    return bool(sim.state.rope_broken[segments(sim, rope)].any())


def tension(sim: Any, rope: str) -> float:
    """Largest tension along the rope, at the ends of its spans where it has weight [N]."""
    largest = float(tensions(sim, rope).max())
    if waves.is_layered(sim, rope) or sim.model.rope_law[_index(sim, rope), P_DENSITY] > 0.0:
        return max(largest, float(_all_sides(sim, rope).max()))
    return largest


def sides(sim: Any, rope: str) -> Array:
    """Tension before and after each part, a step average; zero before the first and after the last [N], shape (parts, 2)."""
    return _all_sides(sim, rope)[courses.order(sim, rope) < parts(sim, rope).stop]


def _all_sides(sim: Any, rope: str) -> Array:
    """The same for all parts that are on its path now, wraps included."""
    live = courses.order(sim, rope)
    found = np.zeros((len(live), 2))
    if waves.is_layered(sim, rope):
        ends = waves.end_tensions(sim, rope)
        found[:-1, 1], found[1:, 0] = ends[:, 0], ends[:, 1]
        return found
    segment = sim.work.part_place[live[:-1], W_SEGMENT].astype(int)
    pull = tensions(sim, rope)
    more = _weights(sim, rope, live, segment)
    found[:-1, 1] = np.where(pull[segment] > 0.0, pull[segment] + more[:, 0], 0.0)
    found[1:, 0] = np.where(pull[segment] > 0.0, pull[segment] + more[:, 1], 0.0)
    return found


def _weights(sim: Any, rope: str, live: Array, segment: Array) -> Array:
    """Tension that the weight of a massless rope adds at both ends of each span [N], shape (spans, 2)."""
    density = float(sim.model.rope_law[_index(sim, rope), P_DENSITY])
    if density == 0.0:
        return np.zeros((len(segment), 2))
    place, down = sim.work.part_place[live], np.asarray(sim.scene.gravity, float)
    length, moment = runs_of(
        sim.model.part_int[live], sim.model.part_frame[live], sim.state.part_angle[live], place, sim.state.wrap_state
    )
    mean = np.bincount(segment, -moment @ down) / np.bincount(segment, length)
    ends = np.stack([place[:-1, W_LEAVES : W_LEAVES + 3] @ -down, place[1:, W_ARRIVES : W_ARRIVES + 3] @ -down], axis=1)
    return np.asarray(density * (ends - mean[segment][:, None]))


def spans(sim: Any, rope: str) -> tuple[Array, Array]:
    """Straight runs of its path as the last step began [m], and the segment that each belongs to, shape (spans,)."""
    place = sim.work.part_place[courses.order(sim, rope)[:-1]]
    return place[:, W_LENGTH].copy(), place[:, W_SEGMENT].astype(int)


def unstretched(sim: Any, rope: str) -> Array:
    """Unstretched length of each segment [m]."""
    return np.array(sim.state.rope_length[segments(sim, rope)])


def rope_out(sim: Any, rope: str) -> float:
    """Unstretched rope between its first and its last part [m]."""
    return float(unstretched(sim, rope).sum())


def parts(sim: Any, rope: str) -> slice:
    """Places of its parts."""
    row = sim.model.rope_int[_index(sim, rope)]
    return slice(int(row[P_FIRST]), int(row[P_LAST]))


def wraps(sim: Any, rope: str) -> Array:
    """Angle of contact at each part, zero at points [rad]."""
    part, angle = sim.model.part_int[parts(sim, rope)], sim.state.part_angle[parts(sim, rope)]
    return np.where(part[:, N_KIND] == POINT_PART, 0.0, part[:, N_TURN] * (angle[:, 1] - angle[:, 0]))


def path_length(sim: Any, rope: str) -> float:
    """Length of its path, arcs included [m]."""
    live, every = courses.order(sim, rope), sim.work.part_place
    part = sim.model.part_int[parts(sim, rope)]
    radius = sim.model.part_frame[parts(sim, rope), N_RADIUS]
    middle, angle = sim.model.part_frame[parts(sim, rope), N_MIDDLE], sim.state.part_angle[parts(sim, rope)]
    arcs = radius * wraps(sim, rope)
    # on a drum only what has wound on or off since the start
    for k in (0, -1):
        if part[k, N_KIND] != POINT_PART:
            side = 1 if k == 0 else 0
            sign = 1.0 if k == 0 else -1.0
            arcs[k] = sign * radius[k] * part[k, N_TURN] * (angle[k, side] - middle[k])
    on_wraps = live[sim.model.part_int[live, N_WRAP] >= 0]
    return float(every[live[:-1], W_LENGTH].sum() + arcs.sum() + every[on_wraps, W_BEFORE : W_AFTER + 1].sum())


def run_lengths(sim: Any, rope: str) -> Array:
    """Length of the path of each segment, arcs included, at the present poses [m]."""
    length, k = sim.state.rope_length[segments(sim, rope)], _index(sim, rope)
    path = sim.state.row_phi[rows(sim, rope)] + length + sim.dt * sim.work.row[rows(sim, rope), R_RATE_NEW]
    # of a laid rope the row has its unlaying in it
    return np.asarray(
        path - float(sim.model.rope_law[k, P_LAY] * sim.state.rope_twist[k, O_TWIST]) * length / length.sum()
    )


def force_on(sim: Any, rope: str, body: str) -> Array:
    """Force that the rope exerts on a body [N], world axes, shape (3,)."""
    return wrench_on(sim, rope, body)[:3]


def wrench_on(sim: Any, rope: str, body: str) -> Array:
    """Force and torque about its centre of mass that the rope exerts on a body [N, N m], shape (6,)."""
    if waves.is_layered(sim, rope):
        return waves.force_on(sim, rope, body)
    w, i = sim.work, sim.compiled.bodies.index[body]
    g = len(sim.compiled.joints.groups) + _index(sim, rope)
    start, dim = int(w.group_int[g, G_START]), int(w.group_int[g, G_DIM])
    total = np.zeros(6)
    for e in range(int(w.group_int[g, G_BLOCK]), int(w.group_int[g + 1, G_BLOCK])):
        if w.block_int[e, B_BODY] == i:
            at = int(w.block_int[e, B_AT])
            total += w.jac[at : at + 6 * dim].reshape(dim, 6).T @ sim.state.row_lam[start : start + dim]
    return total / sim.dt


def bodies(sim: Any, rope: str) -> list[str]:
    """Names of the bodies that the rope touches, the world left out."""
    touched = sim.compiled.ropes.blocks[_index(sim, rope)]
    return [name for i in touched if (name := sim.compiled.bodies.names[i]) != "world"]


def flows(sim: Any, rope: str) -> Array:
    """Speed of unstretched rope over each part that holds it back, towards the end of the route [m/s]."""
    part = parts(sim, rope)
    rows_of = [t for t in range(len(sim.model.transfer_int)) if part.start <= sim.model.transfer_int[t, 0] < part.stop]
    return np.array(sim.state.transfer_state[rows_of, F_FLOW])


def safety_factor(sim: Any, rope: str) -> float:
    """Breaking load over the largest tension; infinite when slack or not known [-]."""
    strength = sim.compiled.ropes.specs[_index(sim, rope)].strength()
    pull = tension(sim, rope)
    return strength / pull if pull > 0.0 else math.inf


def winch_of(sim: Any, name: str) -> int:
    """Place of a winch."""
    return int(sim.compiled.ropes.winch_names.index(name))


def is_driven_sheave(sim: Any, name: str) -> bool:
    """Whether a drive is a sheave that rope runs over, and no drum that holds its end."""
    transfer = sim.model.transfer_int[int(sim.model.winch_int[winch_of(sim, name), V_TRANSFER])]
    return bool(transfer[T_BEFORE] >= 0 and transfer[T_AFTER] >= 0)


def drive_sides(sim: Any, name: str) -> tuple[float, float]:
    """Tension before and after a drum or a driven sheave, zero where there is no rope [N]."""
    t = int(sim.model.winch_int[winch_of(sim, name), V_TRANSFER])
    head, row, lam = sim.state.transfer_head[t], sim.state.transfer_row[t], sim.state.row_lam
    before, after = (float(head[k]) - float(lam[row[k]]) / sim.dt if row[k] >= 0 else 0.0 for k in (0, 1))
    return before, after


def winch_pull(sim: Any, name: str) -> float:
    """Tension at the drum; of a driven sheave what it makes, the tension before it less that after it [N]."""
    before, after = drive_sides(sim, name)
    return before - after if is_driven_sheave(sim, name) else before + after


def winch_grip(sim: Any, name: str) -> float:
    """Share of its friction that a driven sheave uses, ln(T1/T2) / (friction times wrap): at 1 the rope slips (Euler,
    Eytelwein); zero where the rope is slack [-]."""
    t = int(sim.model.winch_int[winch_of(sim, name), V_TRANSFER])
    k, (low, high) = int(sim.model.transfer_int[t, T_PART]), sorted(drive_sides(sim, name))
    angle = sim.state.part_angle[k]
    most = float(sim.model.transfer_law[t, T_FRICTION]) * float(sim.model.part_int[k, N_TURN] * (angle[1] - angle[0]))
    if high <= 0.0 or most <= 0.0:
        return 0.0
    return math.log(high / low) / most if low > 0.0 else math.inf


def winch_speed(sim: Any, name: str) -> float:
    """Speed of the rope at the drum; hauling is positive [m/s]."""
    t = int(sim.model.winch_int[winch_of(sim, name), V_TRANSFER])
    flow = float(sim.state.transfer_state[t, F_FLOW])
    return 0.0 - flow if sim.model.transfer_int[t, T_BEFORE] < 0 else flow


def _radius_now(sim: Any, k: int) -> float:
    """Radius at which the rope leaves a drum, as the last step began [m]."""
    state = sim.state.winch_state[k]
    wound = float(sim.model.winch_law[k, V_TOTAL] + state[V_MORE] - state[V_OUT])
    # the kernel's own formula, as plain Python: one number, not worth compiling
    return float(drum_radius.py_func(sim.model.winch_law, k, wound))


def winch_torque(sim: Any, name: str) -> float:
    """Torque of the rope on the drum [N m]."""
    return winch_pull(sim, name) * _radius_now(sim, winch_of(sim, name))


def winch_angle(sim: Any, name: str) -> float:
    """Angle of the drum since the start, hauling positive [rad]: the kept one, which is that of the beginning of the last step,
    and what has been turned in it."""
    k = winch_of(sim, name)
    radius = _radius_now(sim, k)
    last = sim.centred_dt * winch_speed(sim, name) / radius if radius > 0.0 else 0.0
    return float(sim.state.winch_state[k, V_ANGLE]) + last


def winch_watch(sim: Any, name: str) -> dict[str, float]:
    """What a winch watches: clearance [m], radius [m], load [N] and its share of the rated one, way along its drum [m]."""
    state = sim.state.winch_state[winch_of(sim, name)]
    columns = {
        "clearance": V_GAP,
        "load_radius": V_REACH,
        "hook_load": V_LOAD,
        "load_share": V_USED,
        "traverse": V_SHIFT,
    }
    return {key: float(state[at]) for key, at in columns.items()}


def fleet_angle(sim: Any, name: str) -> float:
    """Angle between the rope and the plane of its drum, along the axis positive [rad]."""
    first = int(sim.model.transfer_int[int(sim.model.winch_int[winch_of(sim, name), V_TRANSFER]), 0])
    place, at_start = sim.work.part_place, winch_at_start(sim, name)
    live = courses.order(sim, sim.compiled.ropes.names[int(sim.model.winch_int[winch_of(sim, name), V_ROPE])])
    k, n = live[:2] if at_start else live[-2:]
    run = place[n, W_ARRIVES : W_ARRIVES + 3] - place[k, W_LEAVES : W_LEAVES + 3]
    along = float(run @ place[first, W_AXIS : W_AXIS + 3]) / max(float(np.linalg.norm(run)), 1e-12)
    return math.asin(max(-1.0, min(1.0, along if at_start else -along)))


def winch_at_start(sim: Any, name: str) -> bool:
    """Whether a winch is the first part of its route."""
    return bool(sim.model.transfer_int[int(sim.model.winch_int[winch_of(sim, name), V_TRANSFER]), T_BEFORE] < 0)


def winch_signals(sim: Any, name: str) -> dict[str, bool]:
    """Machine signals of a winch."""
    bits = int(sim.state.winch_state[winch_of(sim, name), V_SIGNALS])
    return {signal: bool(bits >> k & 1) for k, signal in enumerate(SIGNALS)}


def winch_mode(sim: Any, name: str) -> str:
    """What the drive of a winch does: drives, stops, holds or emergency."""
    return MODES[int(sim.state.winch_state[winch_of(sim, name), V_MODE])]


def winch_state(sim: Any, name: str) -> dict[str, Any]:
    """Everything about a winch in words and numbers."""
    k = winch_of(sim, name)
    t = int(sim.model.winch_int[k, V_TRANSFER])
    return {
        "mode": winch_mode(sim, name),
        "pull": winch_pull(sim, name),
        "speed": winch_speed(sim, name),
        "torque": winch_torque(sim, name),
        "power": winch_pull(sim, name) * winch_speed(sim, name),
        "angle": winch_angle(sim, name),
        "limit": float(sim.state.transfer_state[t, F_LIMIT]),
        "held": bool(sim.state.transfer_state[t, F_STATUS] == HELD),
        **winch_signals(sim, name),
    }


def polyline(sim: Any, rope: str, arc_points: int = 12) -> Array:
    """Points along the path, arcs included, for drawing [m], shape (k, 3)."""
    if courses.wraps_round(sim.compiled.ropes.specs[_index(sim, rope)]):
        return courses.course(sim, rope)
    k = parts(sim, rope)
    place, part = sim.work.part_place[k], sim.model.part_int[k]
    frame, angle = sim.model.part_frame[k], sim.state.part_angle[k]
    points: list[Array] = []
    bent = waves.shape(sim, rope) if waves.is_layered(sim, rope) else None
    for i in range(len(part)):
        if bent is not None and i > 0:
            points += list(bent[i - 1, 1:-1])
        first, last = i == 0, i == len(part) - 1
        if part[i, N_KIND] == POINT_PART or first or last:
            points.append(place[i, W_LEAVES : W_LEAVES + 3] if first else place[i, W_ARRIVES : W_ARRIVES + 3])
            continue
        centre, one, two = place[i, 0:3], place[i, 6:9], place[i, 9:12]
        for a in np.linspace(angle[i, 0], angle[i, 1], arc_points):
            points.append(centre + frame[i, N_RADIUS] * (np.cos(a) * one + np.sin(a) * two))
    return np.array(points)
