"""Read-outs of cables whose model is chosen while running: the same names whichever it is just now."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.massless.columns import W_ARRIVES, W_LEAVES
from taut.compile.choices import MODELS, SEGMENTED
from taut.compile.choosing import end_points, nodes_of
from taut.compile.switching import bent_rope, directions_to_turns
from taut.measure import courses, ropes, strands, waves

Array = np.ndarray


def model_of(sim: Any, name: str) -> str:
    """Model of an auto cable now: massless, layered or segmented."""
    return str(sim.compiled.choices[name])


def number_of(sim: Any, name: str) -> float:
    """The same as a number: 0 massless, 1 layered, 2 segmented."""
    return float(MODELS.index(model_of(sim, name)))


def pool_of(sim: Any, name: str) -> Any:
    """What the segments of a cable between two ends are made of."""
    return next(pool for pool in sim.compiled.pools if pool.name == name)


def nodes(sim: Any, name: str) -> tuple[Array, Array]:
    """Part of its length before the ends of all segments of a cable between two ends, and where they are [-, m]."""
    pool = pool_of(sim, name)
    x = np.concatenate([[0.0], np.cumsum(pool.lengths)]) / float(pool.lengths.sum())
    bent = bent_rope(sim.compiled, sim.state, pool)
    return x, np.outer(1.0 - x, bent.ends[0]) + np.outer(x, bent.ends[1]) + bent.at(x)[0]


def place_segments(sim: Any) -> None:
    """Put the segments of cables that are ropes now along them: where pages and recordings look for them."""
    for name, choice in sim.compiled.choices.items():
        if choice == SEGMENTED or not sim.scene.cables[name].bare:
            continue
        slots, (_, place) = pool_of(sim, name).slots, nodes(sim, name)
        step = np.diff(place, axis=0)
        size = np.linalg.norm(step, axis=1)
        sim.state.body_pos[slots] = 0.5 * (place[1:] + place[:-1])
        sim.state.body_quat[slots] = directions_to_turns(step / size[:, None])
        sim.state.body_vel[slots], sim.state.body_momentum[slots] = 0.0, 0.0


def end_forces(sim: Any, name: str) -> Array:
    """Pull of a cable between two ends on what holds it, at its start and at its end [N], shape (2, 3)."""
    if model_of(sim, name) == SEGMENTED:
        along = strands.forces(sim, strands.joints_of(sim, name))
        return np.array([-along[0], along[-1]])
    if waves.is_layered(sim, name):
        return waves.end_forces(sim, name)
    place = end_points(sim.compiled, sim.state, pool_of(sim, name))[0]
    u = (place[1] - place[0]) / max(float(np.linalg.norm(place[1] - place[0])), 1e-12)
    weight = 0.5 * mass(sim, name) * np.asarray(sim.scene.gravity, float)
    pull = float(ropes.tensions(sim, name)[0])
    if ropes.is_parted(sim, name):
        return np.zeros((2, 3))
    return np.array([pull * u + weight, -pull * u + weight])


def tensions(sim: Any, name: str) -> Array:
    """Pull along a cable between two ends at the ends of its segments [N], shape (segments + 1,)."""
    if model_of(sim, name) == SEGMENTED:
        return strands.tensions(sim, strands.joints_of(sim, name))
    ends = np.linalg.norm(end_forces(sim, name), axis=1)
    slack = float(ropes.tensions(sim, name)[0]) <= 0.0
    # what its weight adds is proportional to the height
    height = nodes(sim, name)[1] @ -np.asarray(sim.scene.gravity, float)
    density = sim.scene.cables[name].line_mass()
    pull = 0.5 * float(ends.sum()) + density * (height - 0.5 * (height[0] + height[-1]))
    return np.zeros(len(height)) if slack else np.maximum(pull, 0.0)


def sag_ratio(sim: Any, name: str) -> float:
    """Largest distance from the chord over the chord, of all spans [-]; without waves that of a rope at rest."""
    if not sim.scene.cables[name].bare:
        return waves.sag_ratio(sim, name) if waves.is_layered(sim, name) else _at_rest(sim, name)
    if model_of(sim, name) == SEGMENTED:
        x, place, _, _, _ = nodes_of(sim.compiled, sim.state, pool_of(sim, name))
    else:
        x, place = nodes(sim, name)
    chord = place[-1] - place[0]
    away = place - place[0] - np.outer(x, chord)
    length = max(float(np.linalg.norm(chord)), 1e-12)
    away = away - np.outer(away @ chord, chord) / length**2
    return float(np.linalg.norm(away, axis=1).max()) / length


def _at_rest(sim: Any, name: str) -> float:
    """m g/(8 T) of the span with the largest."""
    spans, runs = ropes.spans(sim, name)
    weight = sim.scene.cables[name].line_mass() * float(np.linalg.norm(sim.scene.gravity)) * spans
    pull = ropes.tensions(sim, name)[runs]
    return float(np.where(pull > 0.0, weight / (8.0 * np.maximum(pull, 1e-12)), 0.0).max())


def shape(sim: Any, name: str) -> Array:
    """Points along the spans of a rope over wheels [m], shape (points, 3)."""
    if waves.is_layered(sim, name):
        return waves.shape(sim, name).reshape(-1, 3)
    live = courses.order(sim, name)
    place = sim.work.part_place[live]
    a, b = place[:-1, W_LEAVES : W_LEAVES + 3], place[1:, W_ARRIVES : W_ARRIVES + 3]
    x = np.linspace(0.0, 1.0, waves.SHAPE_POINTS)
    return np.asarray(a[:, None] + x[None, :, None] * (b - a)[:, None]).reshape(-1, 3)


def lowest(sim: Any, name: str) -> float:
    """Height of its lowest segment [m]."""
    if model_of(sim, name) == SEGMENTED:
        return float(strands.points(sim, strands.joints_of(sim, name))[:, 2].min())
    return float(nodes(sim, name)[1][:, 2].min())


def length(sim: Any, name: str) -> float:
    """Unstretched length of a cable between two ends [m]."""
    return float(pool_of(sim, name).lengths.sum())


def mass(sim: Any, name: str) -> float:
    """Its mass [kg]."""
    return sim.scene.cables[name].line_mass() * length(sim, name)


def twist(sim: Any, name: str) -> float:
    """Twist from end to end over full turns [rad]; none while it is a rope."""
    return strands.twist(sim, strands.joints_of(sim, name)) if model_of(sim, name) == SEGMENTED else 0.0


def moving_segments(sim: Any, name: str) -> float:
    """Segments that move by themselves; none while it is a rope."""
    return float(strands.joints_of(sim, name).moving) if model_of(sim, name) == SEGMENTED else 0.0


def spans_or_none(sim: Any, name: str, read: Any, size: int) -> Array:
    """What waves tell of each span; zeros while there are none."""
    return np.asarray(read(sim, name)) if waves.is_layered(sim, name) else np.zeros(size)


def side_tensions(sim: Any, name: str, upper: bool) -> Array:
    """Tension at the upper or lower end of each span of a rope over wheels [N], shape (spans,)."""
    if waves.is_layered(sim, name):
        return waves.upper_tension(sim, name) if upper else waves.lower_tension(sim, name)
    sides = ropes.sides(sim, name)
    both = np.stack([sides[:-1, 1], sides[1:, 0]], axis=1)
    return np.asarray(both.max(axis=1) if upper else both.min(axis=1))


def frequency(sim: Any, name: str) -> Array:
    """First natural frequency of each span of a rope over wheels across its chord [Hz], shape (spans,)."""
    if waves.is_layered(sim, name):
        return waves.frequency(sim, name)
    spans, runs = ropes.spans(sim, name)
    pull = np.maximum(ropes.tensions(sim, name)[runs], 0.0)
    return np.sqrt(pull / sim.scene.cables[name].line_mass()) / (2.0 * np.maximum(spans, 1e-12))
