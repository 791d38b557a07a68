"""Which model an auto cable should have now: the estimate by which it is chosen while running.

The sag over span s = m |g|/(8 T) that a span has across its own weight, or would have at an acceleration of 1 g, says what a model
leaves out. Without waves (massless) a rope is too short by (8/3) s^2 of its length; a parabola of constant mass (layered) has too
much tension by about s^2; so a span is massless below s = 0.001, layered up to 0.05, and segmented beyond or where it is bent more
than that by what moves it. Both ropes leave out the bending stiffness, which takes 8 EI/(T l^2) from the sag: a cable in which that is
more than 0.01 is segmented too. Back again it goes at half of these.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.layered.columns import C_LENGTH, C_MASS, C_ROW, M_P, M_Q, V_COUNT, V_FIRST, Y_SPAN, Y_SPAN_END
from taut.cables.massless.columns import P_FIRST, P_LAST, P_SEGMENT, P_SEGMENTS, W_LENGTH, W_SEGMENT
from taut.compile import frames
from taut.compile.choices import HEAVY, LAYERED, MASSLESS, SEGMENTED, SLACK, STIFF, STRAIGHT, TAUT, flatness, stiffness
from taut.compile.layout import boundaries
from taut.compile.pools import Pool, anchor
from taut.core.codes import GROUP_DIM
from taut.core.model import C_A, C_B, STEPS

if TYPE_CHECKING:
    from taut.compile.system import Compiled

Array = np.ndarray
#: steps from one look to the next [-]
LOOK = 4
#: time after a change in which a cable does not become simpler [s]
REST = 0.5
#: largest change of the tension in a step at which it does [-]
STEADY = 0.02


def wanted(c: Compiled, work: Any) -> dict[str, str]:
    """Models that the auto cables should have now; `work` is the scratch of the last step."""
    found = dict(c.choices)
    s: Any = c.fields
    rested = (int(s.counter[STEPS]) - c.chosen) * float(c.scene.dt) >= REST
    for name, choice in c.choices.items():
        bare = c.scene.cables[name].bare
        if choice == SEGMENTED:
            if rested and _straight(c, s, name):
                found[name] = LAYERED
            continue
        sag, broken, steady = _sags(c, s, work, name)
        if bare and (broken or sag > SLACK or _stiffness(c, s, name) > STIFF):
            found[name] = SEGMENTED
        elif choice == MASSLESS and sag > HEAVY:
            found[name] = LAYERED
        elif choice == LAYERED and rested and steady and sag < TAUT:
            found[name] = MASSLESS
    return found


def _rope(c: Compiled, name: str) -> int:
    return c.ropes.names.index(name)  # type: ignore[union-attr]


def first_row(c: Compiled, rope: int) -> int:
    """Row of the first segment of a rope."""
    joints = sum(GROUP_DIM[group.kind] for group in c.joints.groups)
    return int(joints + sum(c.ropes.dims[:rope]))  # type: ignore[union-attr]


def _sags(c: Compiled, s: Any, work: Any, name: str) -> tuple[float, bool, bool]:
    """Largest sag over span of a rope, by its weight and as it is bent and whips now; whether it is parted, and whether its
    tension is steady."""
    r, model = _rope(c, name), c.constants
    row, gravity = model.rope_int[r], float(np.linalg.norm(c.scene.gravity))
    runs = slice(int(row[P_SEGMENT]), int(row[P_SEGMENT] + row[P_SEGMENTS]))
    if s.rope_broken[runs].any():
        return math.inf, True, False
    start = first_row(c, r)
    rows = slice(start, start + int(row[P_SEGMENTS]))
    change = np.abs(s.row_lam[rows] - s.row_lam_old[rows]).max() / max(float(np.abs(s.row_lam[rows]).max()), 1e-300)
    tension = np.maximum(-s.row_lam[start : start + row[P_SEGMENTS]] / float(c.scene.dt), 0.0)
    if c.choices[name] == MASSLESS:
        place = work.part_place[int(row[P_FIRST]) : int(row[P_LAST]) - 1]
        mass = c.scene.cables[name].line_mass() * place[:, W_LENGTH]
        pulls = tension[place[:, W_SEGMENT].astype(int)]
        return max(flatness(m * gravity, pull) for m, pull in zip(mass.tolist(), pulls.tolist())), False, True
    law, worst = model.wave_law[r], 0.0
    for k in range(int(law[Y_SPAN]), int(law[Y_SPAN_END])):
        span, out = model.wave_span[k], work.span_work[k]
        pull = float(tension[int(out[C_ROW]) - start])
        modes = s.wave_mode[span[V_FIRST] : span[V_FIRST] + span[V_COUNT]]
        length = float(out[C_LENGTH])
        # as it hangs now, and as far as its speed would take it
        bent = float(np.hypot(*modes[:, M_Q : M_Q + 2].T).sum()) / length
        n = np.arange(1, len(modes) + 1)
        speed = math.sqrt(pull * length / float(out[C_MASS])) if pull > 0.0 else math.inf
        whip = float((np.hypot(*modes[:, M_P : M_P + 2].T) / n).sum()) / (math.pi * speed) if speed < math.inf else 0.0
        worst = max(worst, flatness(float(out[C_MASS]) * gravity, pull), math.hypot(bent, whip))
    return worst, False, bool(change < STEADY)


def _straight(c: Compiled, s: Any, name: str) -> bool:
    """Whether a segmented cable is taut and straight, whole, and touched and held by nothing."""
    pool = next(pool for pool in c.pools if pool.name == name)
    layout = c.layouts[c.pools.index(pool)]
    links = {c.bodies.names[i] for i in pool.slots}
    if layout.parted or any(grip.a in links or grip.b in links for grip in c.grips.values()):
        return False
    count = int(s.contact_count[0])
    if count and np.isin(s.contact_int[:count, [C_A, C_B]], pool.slots).any():
        return False
    x, place, speed, force, earlier = nodes_of(c, s, pool)
    chord = place[-1] - place[0]
    length = float(np.linalg.norm(chord))
    u = chord / length
    pull = force @ u
    if pull.min() <= 0.0 or np.abs(pull - earlier @ u).max() > STEADY * pull.max():
        return False
    away = place - place[0] - np.outer(x, chord)
    moving = speed - speed[0] - np.outer(x, speed[-1] - speed[0])
    waves = math.sqrt(float(pull.mean()) * length / float(pool.mass.sum()))
    bent = float(np.linalg.norm(away - np.outer(away @ u, u), axis=1).max()) / length
    whip = float(np.linalg.norm(moving - np.outer(moving @ u, u), axis=1).max()) / (math.pi * waves)
    weight = float(pool.mass.sum()) * float(np.linalg.norm(c.scene.gravity))
    if stiffness(1.0 / min(pool.bend), float(pull.mean()), length) > 0.5 * STIFF:
        return False
    return max(math.hypot(bent, whip), flatness(weight, float(pull.mean()))) < STRAIGHT


def _stiffness(c: Compiled, s: Any, name: str) -> float:
    """What bending stiffness takes from the sag of a cable between two ends [-]."""
    pool = next(pool for pool in c.pools if pool.name == name)
    tension = -float(s.row_lam[first_row(c, _rope(c, name))]) / float(c.scene.dt)
    return stiffness(1.0 / min(pool.bend), tension, float(pool.lengths.sum()))


def end_points(c: Compiled, s: Any, pool: Pool) -> tuple[Array, Array]:
    """Where a cable is tied at both ends, and how these points move [m, m/s], shape (2, 3)."""
    place, speed = [], []
    for end in (0, 1):
        body, (arm, _) = pool.held[end], anchor(pool, c.tables.joints, end)
        r = frames.rotate(s.body_quat[body], np.asarray(arm))
        place.append(s.body_pos[body] + r)
        speed.append(s.body_vel[body, :3] + frames.cross(s.body_vel[body, 3:], r))
    return np.array(place), np.array(speed)


def nodes_of(c: Compiled, s: Any, pool: Pool) -> tuple[Array, Array, Array, Array, Array]:
    """Joints of a segmented cable: part of its length before them, place, velocity, and the pull in them now and a step
    before [-, m, m/s, N, N].

    Ends are where it is tied, all others half-way between the two points of the joint.
    """
    layout, dt = c.layouts[c.pools.index(pool)], float(c.scene.dt)
    ends, ends_speed = end_points(c, s, pool)
    starts = np.cumsum([0, *(GROUP_DIM[group.kind] for group in c.joints.groups)])
    x, rows, sides, local = [0.0], [], [], []
    runs = layout.runs
    total = sum(run.length for run in runs)
    for j, before, after in boundaries(pool, layout):
        rows.append(starts[c.joints.first[f"{pool.name}_joint_{j}"]])
        if before is None or after is None:
            continue
        x.append(x[-1] + runs[before].length / total)
        sides += [pool.slots[runs[before].first], pool.slots[runs[after].first]]
        local += [runs[before].end, runs[after].begin]
    # all points at once: this is done every few steps while running
    r = frames.rotate(s.body_quat[sides], np.reshape(local, (-1, 3)))
    v = s.body_vel[sides]
    points, speeds = s.body_pos[sides] + r, v[:, :3] + frames.cross(v[:, 3:], r)
    place = [ends[0], *(0.5 * (points[::2] + points[1::2])), ends[1]]
    speed = [ends_speed[0], *(0.5 * (speeds[::2] + speeds[1::2])), ends_speed[1]]
    at = np.array(rows)[:, None] + np.arange(3)
    return (
        np.array([*x, 1.0]), np.array(place), np.array(speed), -s.row_lam[at] / dt, -s.row_lam_old[at] / dt,
    )  # fmt: skip
