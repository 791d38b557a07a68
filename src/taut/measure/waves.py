"""What a layered cable is asked for: tension at both ends of every span, sag, shape, transverse speed, frequencies."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.layered.columns import (
    C_CHORD,
    C_FIRST,
    C_FLOW_NEW,
    C_FORCE_A,
    C_FORCE_B,
    C_LENGTH,
    C_MASS,
    C_MEAN,
    C_PART_A,
    C_PART_B,
    C_ROW,
    C_SECOND,
    M_P,
    M_Q,
    V_AXIAL,
    V_COUNT,
    V_FIRST,
    Y_DENSITY,
    Y_EXPLICIT,
    Y_SPAN,
    Y_SPAN_END,
)
from taut.cables.layered.thrown import GATE
from taut.cables.massless.columns import A_PARTS, N_BODY, W_ARRIVES, W_LEAVES
from taut.core.model import G_START, R_RATE_NEW

Array = np.ndarray
#: sag over span beyond which another model is better
MOST_SAG = 0.1
#: positions along a span at which its shape is looked at
#: their number
SHAPE_POINTS = 25
_X = np.linspace(0.0, 1.0, SHAPE_POINTS)


def _index(sim: Any, rope: str) -> int:
    return int(sim.compiled.ropes.names.index(rope))


def is_layered(sim: Any, rope: str) -> bool:
    """Whether a rope has waves."""
    return float(sim.model.wave_law[_index(sim, rope), Y_DENSITY]) > 0.0


def spans(sim: Any, rope: str) -> slice:
    """Places of its spans among all layered ones, with those that it has room for."""
    law = sim.model.wave_law[_index(sim, rope)]
    return slice(int(law[Y_SPAN]), int(law[Y_SPAN_END]))


def live(sim: Any, rope: str) -> slice:
    """Places of the spans that there are now; the reading of one that is not there is zero."""
    first = spans(sim, rope).start
    return slice(first, first + int(sim.state.rope_live[_index(sim, rope), A_PARTS]) - 1)


def _tables(sim: Any, rope: str) -> tuple[Array, Array]:
    part = live(sim, rope)
    return sim.model.wave_span[part], sim.work.span_work[part]


def end_forces(sim: Any, rope: str) -> Array:
    """Forces on what holds the first and the last point of a rope [N], shape (2, 3)."""
    work = _tables(sim, rope)[1]
    return np.array([work[0, C_FORCE_A : C_FORCE_A + 3], work[-1, C_FORCE_B : C_FORCE_B + 3]])


def padded(sim: Any, rope: str, values: Array) -> Array:
    """Readings of the spans that are there, with zeros for the others that its table has room for."""
    room = spans(sim, rope)
    found = np.zeros((room.stop - room.start, *values.shape[1:]))
    found[: len(values)] = values
    return found


def end_tensions(sim: Any, rope: str) -> Array:
    """Tension at the first and the last point of every span [N], shape (spans, 2)."""
    work = _tables(sim, rope)[1]
    ends = np.stack([work[:, C_FORCE_A : C_FORCE_A + 3], work[:, C_FORCE_B : C_FORCE_B + 3]], axis=1)
    size = np.linalg.norm(ends, axis=2)
    # a slack rope hands on its weight; what pushes is none of it
    along = (ends * work[:, None, C_CHORD : C_CHORD + 3]).sum(axis=2) * np.array([1.0, -1.0])
    return np.where(along > 0.0, size, 0.0)


def _upper_first(sim: Any, rope: str) -> Array:
    up = -np.asarray(sim.scene.gravity)
    return np.asarray(_tables(sim, rope)[1][:, C_CHORD : C_CHORD + 3] @ up <= 0.0)


def upper_tension(sim: Any, rope: str) -> Array:
    """Tension at the upper end of every span [N], shape (spans,)."""
    both, first = end_tensions(sim, rope), _upper_first(sim, rope)
    return np.where(first, both[:, 0], both[:, 1])


def lower_tension(sim: Any, rope: str) -> Array:
    """Tension at the lower end of every span [N], shape (spans,)."""
    both, first = end_tensions(sim, rope), _upper_first(sim, rope)
    return np.where(first, both[:, 1], both[:, 0])


def displacements(sim: Any, rope: str, x: Array, velocity: bool = False) -> Array:
    """Distance of every span from its chord, or its speed across it, at positions x from 0 to 1, shape (spans, x, 3)."""
    table, work = _tables(sim, rope)
    column = M_P if velocity else M_Q
    found = np.zeros((len(table), len(x), 3))
    for k, span in enumerate(table):
        modes = sim.state.wave_mode[span[V_FIRST] : span[V_FIRST] + span[V_COUNT], column : column + 2]
        wave = np.sin(math.pi * np.outer(x, np.arange(1, span[V_COUNT] + 1))) @ modes
        found[k] = wave @ np.stack([work[k, C_FIRST : C_FIRST + 3], work[k, C_SECOND : C_SECOND + 3]])
    return found


def shape(sim: Any, rope: str, x: Array = _X) -> Array:
    """Points along every span [m], shape (spans, x, 3)."""
    one, two = (_tables(sim, rope)[1][:, c].astype(int) for c in (C_PART_A, C_PART_B))
    place = sim.work.part_place
    a, b = place[one, W_LEAVES : W_LEAVES + 3], place[two, W_ARRIVES : W_ARRIVES + 3]
    return a[:, None] + x[None, :, None] * (b - a)[:, None] + displacements(sim, rope, x)


def bend(sim: Any, rope: str) -> Array:
    """Distance of every span from its chord at nine points between its ends [m], shape (spans, 9, 3)."""
    return displacements(sim, rope, np.linspace(0.1, 0.9, 9))


def sag(sim: Any, rope: str) -> Array:
    """Largest distance of every span from its chord [m], shape (spans,)."""
    return np.asarray(np.linalg.norm(displacements(sim, rope, _X), axis=2).max(axis=1))


def sag_ratio(sim: Any, rope: str) -> float:
    """Largest sag over span [-]; above MOST_SAG another model is better."""
    return float((sag(sim, rope) / _tables(sim, rope)[1][:, C_LENGTH]).max())


def wave_speed(sim: Any, rope: str) -> Array:
    """Speed of waves on every span [m/s], sqrt(H l/m) with the thrust H = T l/lhat, shape (spans,)."""
    work = _tables(sim, rope)[1]
    pull = np.maximum(-sim.state.row_lam[work[:, C_ROW].astype(int)] / sim.dt, 0.0)
    return np.sqrt(pull * work[:, C_LENGTH] / work[:, C_MEAN] * work[:, C_LENGTH] / work[:, C_MASS])


def frequency(sim: Any, rope: str) -> Array:
    """First natural frequency of every span across its chord [Hz]; the others are its multiples, shape (spans,)."""
    return wave_speed(sim, rope) / (2.0 * _tables(sim, rope)[1][:, C_LENGTH])


def of_spans(sim: Any, rope: str) -> Array:
    """Tension at the upper and the lower end [N], sag [m] and first natural frequency [Hz] of every span, shape (spans, 4)."""
    readings = (upper_tension(sim, rope), lower_tension(sim, rope), sag(sim, rope), frequency(sim, rope))
    return np.stack(readings, axis=1)


def whip(sim: Any, rope: str) -> Array:
    """Largest speed of every span across its chord, beyond that of the chord [m/s], shape (spans,)."""
    return np.asarray(np.linalg.norm(displacements(sim, rope, _X, velocity=True), axis=2).max(axis=1))


def rope_speed(sim: Any, rope: str) -> Array:
    """Speed of the rope along every span [m/s], shape (spans,)."""
    table, work = _tables(sim, rope)
    start = int(sim.work.group_int[len(sim.compiled.joints.groups) + _index(sim, rope), G_START])
    return np.asarray(sim.work.row[start + table[:, V_AXIAL], R_RATE_NEW] + work[:, C_FLOW_NEW])


def moving_error(sim: Any, rope: str) -> float:
    """What the motion of the rope along itself would change in its waves, 2 V/c at most; it is left out [-]."""
    speed = wave_speed(sim, rope)
    return (
        float(np.max(2.0 * np.abs(rope_speed(sim, rope)) / np.maximum(speed, 1e-9), initial=0.0))
        if speed.any()
        else 0.0
    )


def _suspended(sim: Any, rope: str) -> bool:
    """Whether the explicit scheme throws waves away at this moment."""
    if sim.model.wave_law[_index(sim, rope), Y_EXPLICIT] == 0.0:
        return False
    count = _tables(sim, rope)[0][:, V_COUNT]
    return bool((math.pi * count * frequency(sim, rope) * sim.dt >= GATE).any())


def force_on(sim: Any, rope: str, body: str) -> Array:
    """Force and torque about its centre of mass that the rope exerts on a body [N, N m], shape (6,)."""
    i, work = sim.compiled.bodies.index[body], _tables(sim, rope)[1]
    place, total = sim.work.part_place, np.zeros(6)
    for out in work:
        for end, at, column in ((C_PART_A, W_LEAVES, C_FORCE_A), (C_PART_B, W_ARRIVES, C_FORCE_B)):
            part = int(out[end])
            if sim.model.part_int[part, N_BODY] == i:
                force = out[column : column + 3]
                total[:3] += force
                total[3:] += np.cross(place[part, at : at + 3] - sim.state.body_pos[i], force)
    return total


def warnings(sim: Any) -> list[str]:
    """What is beyond the model at this moment, in words."""
    found = []
    for rope in () if sim.compiled.ropes is None else sim.compiled.ropes.names:
        if not is_layered(sim, rope):
            continue
        ratio = sag_ratio(sim, rope)
        if ratio > MOST_SAG:
            found.append(
                f"{rope}: sag over span is {ratio:.2f}, beyond {MOST_SAG:g} the layered model's tension is off by percents; "
                "model: segmented is made for slack rope, model: auto takes it where it is"
            )
        if _suspended(sim, rope):
            found.append(
                f"{rope}: beyond the gate of the explicit scheme, so that its waves are thrown away; a shorter dt, fewer modes, or "
                "scheme: standard, which has no such limit"
            )
        error = moving_error(sim, rope)
        if error > 0.1:
            found.append(
                f"{rope}: it runs at {float(np.abs(rope_speed(sim, rope)).max()):.3g} m/s, {50 * error:.0f} % of its waves' speed: "
                "their frequencies and shapes are off by up to the square of that"
            )
    return found
