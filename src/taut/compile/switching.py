"""An auto cable that goes from one model to another between two steps: its shape, motion and tension go over.

Massless to layered and back: the rope gets the shape in which it hangs under its tension, or loses its waves; its unstretched
length follows, so that the stretch is the same. Layered to segmented: segments are laid along the bent rope. Their directions
across the chord are those of the waves, times a factor close to one that makes the stretched segments, each with the tension at its
height, reach from end to end; speeds along the chord follow from those across it, all segments being stretched at one rate.
Segmented to layered: the waves that come closest to the joints, by least squares.

All of it is done in the middle of the last step, x - h v/2, to which stretch and energy belong. What goes over is the stretch and its
rate, not the tension, a part of which is damping: speeds across the chord are changed a little, in proportion to the distance from
it, until the rate is the same.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.layered.columns import M_P, M_Q, V_COUNT, V_FIRST, Y_SPAN, Y_SPAN_END
from taut.cables.layered.strings import static_modes
from taut.cables.massless.columns import P_FIRST, P_SEGMENT, P_SEGMENTS, W_ARRIVES, W_LEAVES, W_SEGMENT
from taut.compile import frames
from taut.compile.carry import carry_over
from taut.compile.choices import LAYERED, MASSLESS, SEGMENTED
from taut.compile.choosing import end_points, first_row, nodes_of
from taut.compile.merging import Moving
from taut.compile.pools import Pool
from taut.compile.rearranging import Strand, rebuilt, state_of
from taut.compile.reeving import carry
from taut.compile.system import compile_scene
from taut.compile.waves import Hanging, frame_of
from taut.core.codes import FREE
from taut.core.model import STEPS
from taut.scene.chains import half_angle

if TYPE_CHECKING:
    from taut.compile.system import Compiled

Array = np.ndarray
#: largest speed by which that is done [m/s]
MOST_CHANGE = 0.05
#: part of the chord by which a slack rope without waves is bent, before its length decides how much
FIRST_BEND = 0.01


@dataclass(frozen=True)
class Bent:
    """A cable between two ends as a chord with waves, at one moment."""

    ends: Array  # [m], shape (2, 3)
    speeds: Array  # of its ends [m/s], shape (2, 3)
    across: Array  # the two directions across its chord, shape (2, 3)
    modes: Array  # displacement and velocity along both directions [m, m/s], shape (count, 4)
    tension: float  # mean, of the last step [N]
    strain: float  # not below zero [-]
    rate: float  # of the strain [1/s]

    def at(self, x: Array) -> tuple[Array, Array]:
        """Distance from the chord and speed across it at parts of its length, beyond those of the chord, shape (x, 3)."""
        wave = np.sin(math.pi * np.outer(x, np.arange(1, len(self.modes) + 1))) @ self.modes
        return wave[:, M_Q : M_Q + 2] @ self.across, wave[:, M_P : M_P + 2] @ self.across


def switched(old: Compiled, work: Any, choices: Mapping[str, str]) -> Compiled:
    """The scene with other models for its auto cables, its state carried over; `work` is the scratch of the last step."""
    s: Any = old.fields
    changed = [name for name in choices if choices[name] != old.choices[name]]
    dt, step = float(old.scene.dt), int(s.counter[STEPS])
    strands, quiet = [], s.strand_quiet.tolist()
    for k, (pool, layout) in enumerate(zip(old.pools, old.layouts)):
        if pool.name in changed and choices[pool.name] == SEGMENTED:
            back = 0.5 * dt if step else 0.0
            strands.append(laid_along(old, pool, bent_rope(old, s, pool, back)))
            quiet[k] = 0
        elif pool.name in changed and old.choices[pool.name] == SEGMENTED:
            strands.append(Strand(pool, pool.asleep(), [], {}, {}, {}, {}, {}))
        else:
            strands.append(state_of(old, pool, layout, dt))
    if old.pools:
        new = rebuilt(old, strands, quiet, choices, step)
    else:
        new = compile_scene(old.scene, old.grips, None, old.tables, choices, step)
        carry_over(old, new)
    new.constants.winch_law[:] = old.constants.winch_law  # which counts the rope from the start
    for name in changed:
        set_rope(old, new, work, name, old.choices[name], choices[name])
    return new


def set_rope(old: Compiled, new: Compiled, work: Any, name: str, previous: str, model: str) -> None:
    """State of the rope of a cable that has changed its model."""
    before: Any = old.fields
    after: Any = new.fields
    r, dt = new.ropes.names.index(name), float(new.scene.dt)  # type: ignore[union-attr]
    row = new.constants.rope_int[r]
    runs = slice(int(row[P_SEGMENT]), int(row[P_SEGMENT] + row[P_SEGMENTS]))
    here, there = first_row(old, r), first_row(new, r)
    rows = slice(there, there + int(row[P_SEGMENTS]))
    if model == SEGMENTED:
        after.rope_broken[runs] = 1
        after.row_lam[rows] = after.row_lam_old[rows] = 0.0
    elif previous == SEGMENTED:
        pool = next(pool for pool in old.pools if pool.name == name)
        tension, length = _waves_of_segments(old, new, before, after, pool, r)
        after.rope_broken[runs] = 0
        after.rope_length[runs] = length
        after.wave_tension[runs] = tension
        after.row_lam[rows] = after.row_lam_old[rows] = -dt * tension
    elif model == LAYERED:
        _hang(new, before, after, work, r, runs, here)
    else:
        _straighten(old, before, after, work, r, runs, here)
    after.row_age[rows], after.row_bound[rows] = 2, FREE


def _spans(c: Compiled, work: Any, r: int) -> list[tuple[Any, int, Array]]:
    """Spans of a layered rope: their row of wave_span, their run, and their chord [m]."""
    model: Any = c.constants
    found = []
    first = int(model.wave_law[r, Y_SPAN])
    for k in range(first, int(model.wave_law[r, Y_SPAN_END])):
        part = int(model.rope_int[r, P_FIRST]) + k - first  # without obstacles, spans follow the route
        chord = work.part_place[part + 1, W_ARRIVES : W_ARRIVES + 3] - work.part_place[part, W_LEAVES : W_LEAVES + 3]
        found.append((model.wave_span[k], int(work.part_place[part, W_SEGMENT]), chord))
    return found


def _hang(new: Compiled, before: Any, after: Any, work: Any, r: int, runs: slice, here: int) -> None:
    """A massless rope gets the waves of a rope at rest under its tension."""
    gravity, dt = np.asarray(new.scene.gravity, float), float(new.scene.dt)
    density = new.ropes.specs[r].line_mass()  # type: ignore[union-attr]
    first = int(new.constants.wave_law[r, Y_SPAN])
    more = np.zeros(runs.stop - runs.start)
    length = before.rope_length[runs]
    path = before.row_phi[here : here + len(more)] + length
    tension = np.maximum(-before.row_lam[here : here + len(more)] / dt, 0.0)
    for k, (span, run, chord) in enumerate(_spans(new, work, r)):
        l, pull = float(np.linalg.norm(chord)), float(tension[run])
        u, up = frame_of(chord, gravity)
        modes = np.zeros((int(span[V_COUNT]), 4))
        if pull > 0.0:
            mass = density * l * float(length[run] / path[run])
            modes = static_modes(len(modes), l, mass, pull, float(gravity @ up), float(gravity @ frames.cross(u, up)))
        more[run] += Hanging.arc_of(modes, l) - l
        after.wave_mode[span[V_FIRST] : span[V_FIRST] + span[V_COUNT]] = modes
        after.wave_frame[first + k] = [*u, *up]
    after.rope_length[runs] = length * (1.0 + more / path)
    after.wave_tension[runs] = tension


def _straighten(old: Compiled, before: Any, after: Any, work: Any, r: int, runs: slice, here: int) -> None:
    """A layered rope loses its waves and what they take of its length."""
    more = np.zeros(runs.stop - runs.start)
    for span, run, chord in _spans(old, work, r):
        l = float(np.linalg.norm(chord))
        more[run] += Hanging.arc_of(before.wave_mode[span[V_FIRST] : span[V_FIRST] + span[V_COUNT]], l) - l
    arc = before.row_phi[here : here + len(more)] + before.rope_length[runs]
    after.rope_length[runs] = before.rope_length[runs] * (1.0 - more / arc)


def bent_rope(c: Compiled, s: Any, pool: Pool, back: float = 0.0) -> Bent:
    """A cable between two ends that is a rope now, or a moment before [s]."""
    r, dt = c.ropes.names.index(pool.name), float(c.scene.dt)  # type: ignore[union-attr]
    ends, speeds = end_points(c, s, pool)
    ends = ends - back * speeds
    unstretched = float(s.rope_length[c.constants.rope_int[r, P_SEGMENT]])
    gravity = np.asarray(c.scene.gravity, float)
    tension = max(0.0, -float(s.row_lam[first_row(c, r)]) / dt)
    chord = ends[1] - ends[0]
    length = float(np.linalg.norm(chord))
    u, up = frame_of(chord, gravity)
    if c.choices[pool.name] == LAYERED:
        k = int(c.constants.wave_law[r, Y_SPAN])
        span, frame = c.constants.wave_span[k], s.wave_frame[k]
        modes = s.wave_mode[span[V_FIRST] : span[V_FIRST] + span[V_COUNT]].copy()
        modes[:, M_Q : M_Q + 2] -= back * modes[:, M_P : M_P + 2]
        strain = Hanging.arc_of(modes, length) / unstretched - 1.0
        up = carry(frame[3:], frame[:3], u)
        up = up - (up @ u) * u
        up = up / np.linalg.norm(up)
    else:
        modes = np.zeros((c.scene.cables[pool.name].modes, 4))
        strain = length / unstretched - 1.0
        if tension > 0.0:
            load = float(gravity @ up), float(gravity @ frames.cross(u, up))
            modes = static_modes(len(modes), length, float(pool.mass.sum()), tension, *load)
    arc = Hanging.arc_of(modes, length)
    rate = (float((speeds[1] - speeds[0]) @ u) * length + float((_slopes(modes) * modes[:, M_P : M_P + 2]).sum())) / arc
    return Bent(ends, speeds, np.array([up, frames.cross(u, up)]), modes, tension, max(strain, 0.0), rate / unstretched)


def _slopes(modes: Array) -> Array:
    """Derivative of half the square of the arc by the modes [m], shape (count, 2)."""
    n = np.arange(1, len(modes) + 1)
    return 0.5 * ((math.pi * n) ** 2)[:, None] * modes[:, M_Q : M_Q + 2]


def laid_along(c: Compiled, pool: Pool, bent: Bent) -> Strand:
    """Segments along a bent rope, with the forces in their joints."""
    layout = pool.as_laid()
    r = c.ropes.names.index(pool.name)  # type: ignore[union-attr]
    if c.fields.rope_broken[c.constants.rope_int[r, P_SEGMENT]]:
        # its weight makes the tension largest at its upper end
        lower = float((bent.ends[1] - bent.ends[0]) @ np.asarray(c.scene.gravity, float)) >= 0.0
        layout = replace(layout, parted=frozenset([0 if lower else pool.count]))
    l = pool.lengths
    x = np.concatenate([[0.0], np.cumsum(l)]) / l.sum()
    gravity = np.asarray(c.scene.gravity, float)
    chord = bent.ends[1] - bent.ends[0]
    u = chord / np.linalg.norm(chord)
    away, moving = bent.at(x)
    # tension at the height of each segment
    middle = 0.5 * (x[1:] + x[:-1])
    head = -pool.line * (np.outer(middle - 0.5, chord) + 0.5 * (away[1:] + away[:-1])) @ gravity
    head = head - float(head @ l) / float(l.sum())
    stretch = np.maximum(bent.strain + pool.stretch * head, 0.0) if bent.strain > 0.0 else 0.0 * l
    pull = np.maximum(bent.tension + head, 0.0) if bent.tension > 0.0 else 0.0 * l
    steps, factor = _reaching(l, stretch, away, chord, bent.across[0])
    away, moving = factor * away, factor * moving
    place = bent.ends[0] + np.concatenate([np.zeros((1, 3)), np.cumsum(steps, axis=0)])
    size = np.linalg.norm(steps, axis=1)
    t = steps / size[:, None]
    speed, rate = _speeds(bent, x, moving, t, size, u)
    if bent.strain > 0.0:
        other = _speeds(bent, x, moving + away, t, size, u)[1]
        most = MOST_CHANGE / max(float(np.abs(away).max()), 1e-12)
        change = (bent.rate - rate) / (other - rate) if other != rate else 0.0
        speed = _speeds(bent, x, moving + max(-most, min(most, change)) * away, t, size, u)[0]
    turns = directions_to_turns(t)
    middles, v = 0.5 * (place[1:] + place[:-1]), 0.5 * (speed[1:] + speed[:-1])
    w = frames.cross(t, speed[1:] - speed[:-1]) / size[:, None]
    made = [Moving(run, middles[k], turns[k], v[k], w[k], run.inertia[0] * w[k]) for k, run in enumerate(layout.runs)]
    ends = np.concatenate([pull[:1], 0.5 * (pull[1:] + pull[:-1]), pull[-1:]])
    along = np.concatenate([t[:1], t[1:] + t[:-1], t[-1:]])
    forces = ends[:, None] * along / np.linalg.norm(along, axis=1)[:, None]
    count = range(pool.count + 1)
    return Strand(pool, layout, made, {}, {}, {}, {j: forces[j] for j in count}, {j: forces[j] for j in count})


def _reaching(l: Array, stretch: Array, away: Array, chord: Array, up: Array) -> tuple[Array, float]:
    """Stretched segments as vectors that reach along the chord, and the factor of what is across it."""
    length = float(np.linalg.norm(chord))
    u = chord / length
    s = l * (1.0 + stretch)
    side = away[1:] - away[:-1]
    side = side - np.outer(side @ u, u)
    if float(s.sum()) <= length:  # taut to the last: straight, and stretched by what is missing
        return np.outer(s + l * (length - float(s.sum())) / float(l.sum()), u), 1.0
    if np.abs(side).max() < 1e-9 * length:
        x = np.concatenate([[0.0], np.cumsum(l)]) / l.sum()
        side = np.outer(np.diff(np.sin(math.pi * x)), FIRST_BEND * length * -up)
    most = 0.999 * float((s / np.maximum(np.linalg.norm(side, axis=1), 1e-300)).min())
    whole, across = s**2, (side**2).sum(axis=1)

    def left(factor: float) -> float:
        return float(np.sqrt(whole - factor**2 * across).sum()) - length

    if left(most) > 0.0:
        return _bow(s, length, u, up), 0.0  # far too long for its waves: an arc
    low, high = 0.0, most
    while low < (middle := 0.5 * (low + high)) < high:  # to the last bit
        low, high = (middle, high) if left(middle) > 0.0 else (low, middle)
    along = np.sqrt(whole - low**2 * across)
    return np.outer(along, u) + low * side, low


def _bow(s: Array, length: float, u: Array, up: Array) -> Array:
    """Segments of equal length on an arc that hangs down."""
    n = len(s)
    phi = half_angle(n, float(s.sum()) / length)
    turn = (2.0 * np.arange(n) + 1.0 - n) * phi
    return s[:, None] * (np.outer(np.cos(turn), u) + np.outer(np.sin(turn), up))


def _speeds(bent: Bent, x: Array, moving: Array, t: Array, size: Array, u: Array) -> tuple[Array, float]:
    """Velocities of the joints: across the chord as given, along it so that all segments are stretched at one rate; and that
    rate [m/s, 1/s]."""
    chord = np.outer(1.0 - x, bent.speeds[0]) + np.outer(x, bent.speeds[1])
    across = chord + moving
    across = across - np.outer(across @ u, u)
    rate = (np.diff(across, axis=0) * t).sum(axis=1)
    along = np.maximum(t @ u, 0.05)
    total = float((bent.speeds[1] - bent.speeds[0]) @ u)
    stretch = (total + float((rate / along).sum())) / float((size / along).sum())
    ahead = np.concatenate([[0.0], np.cumsum((stretch * size - rate) / along)]) + float(bent.speeds[0] @ u)
    return across + np.outer(ahead, u), stretch


def directions_to_turns(t: Array) -> Array:
    """Orientations with z along each direction, carried from one to the next without twist, shape (n, 4)."""
    turns: list[tuple[float, float, float, float]] = []
    w, i, j, k = 1.0, 0.0, 0.0, 0.0
    a, b, c = 0.0, 0.0, 1.0
    # in plain numbers: ten times faster than small arrays, and done after every step while the cable is a rope
    for x, y, z in t.tolist():
        p, l, m, n = 1.0 + a * x + b * y + c * z, b * z - c * y, c * x - a * z, a * y - b * x
        if p < 1e-9:  # straight down
            p, l, m, n = 0.0, 1.0, 0.0, 0.0
        size = math.sqrt(p * p + l * l + m * m + n * n)
        p, l, m, n = p / size, l / size, m / size, n / size
        w, i, j, k = (
            p * w - l * i - m * j - n * k,
            p * i + l * w + m * k - n * j,
            p * j - l * k + m * w + n * i,
            p * k + l * j - m * i + n * w,
        )
        turns.append((w, i, j, k))
        a, b, c = x, y, z
    return np.array(turns)


def _waves_of_segments(
    old: Compiled, new: Compiled, before: Any, after: Any, pool: Pool, r: int
) -> tuple[float, float]:
    """Waves that come closest to the joints of a segmented cable; its tension, and its length as a rope."""
    x, place, speed, force, _ = nodes_of(old, before, pool)
    back = 0.5 * float(old.scene.dt) if before.counter[STEPS] else 0.0
    place = place - back * speed
    stretched = float(np.linalg.norm(np.diff(place, axis=0), axis=1).sum()) / float(pool.lengths.sum())
    chord = place[-1] - place[0]
    length = float(np.linalg.norm(chord))
    u, up = frame_of(chord, np.asarray(old.scene.gravity, float))
    across = np.array([up, frames.cross(u, up)])
    thrust = float((force @ u).mean())
    if new.choices[pool.name] == MASSLESS:
        return thrust, length / stretched
    k = int(new.constants.wave_law[r, Y_SPAN])
    span = new.constants.wave_span[k]
    count = min(int(span[V_COUNT]), len(x) - 2)
    basis = np.sin(math.pi * np.outer(x[1:-1], np.arange(1, count + 1)))
    away = (place - place[0] - np.outer(x, chord)) @ across.T
    moving = (speed - np.outer(1.0 - x, speed[0]) - np.outer(x, speed[-1])) @ across.T
    modes = np.zeros((int(span[V_COUNT]), 4))
    modes[:count] = np.linalg.lstsq(basis, np.concatenate([away, moving], axis=1)[1:-1], rcond=None)[0]
    arc = Hanging.arc_of(modes, length)
    # the rate at which it is stretched
    slopes, lengthens = _slopes(modes), float((speed[-1] - speed[0]) @ u) * length
    along = np.diff(place, axis=0)
    along = along / np.linalg.norm(along, axis=1)[:, None]
    rate = float((along * np.diff(speed, axis=0)).sum()) / (stretched * float(pool.lengths.sum())) * arc
    missing = rate * arc - lengthens - float((slopes * modes[:, M_P : M_P + 2]).sum())
    change = missing / max(float((slopes * modes[:, M_Q : M_Q + 2]).sum()), 1e-12)
    most = MOST_CHANGE / max(float(np.abs(modes[:, M_Q : M_Q + 2]).max()), 1e-12)
    modes[:, M_P : M_P + 2] += max(-most, min(most, change)) * modes[:, M_Q : M_Q + 2]
    modes[:, M_Q : M_Q + 2] += back * modes[:, M_P : M_P + 2]
    after.wave_mode[span[V_FIRST] : span[V_FIRST] + span[V_COUNT]] = modes
    after.wave_frame[k] = [*u, *up]
    return thrust * arc / length, arc / stretched
