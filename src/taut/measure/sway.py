"""What a body hangs on, for its sway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.compile import frames
from taut.compile.reeving import point_of, turn_of
from taut.measure import poses
from taut.scene import WORLD, Scene
from taut.scene.parts import End, Wheel

Array = np.ndarray
#: who hangs beside what it hangs on by less than this share of the height between them hangs below it: it began at rest [-]
BELOW = 0.02
UP = np.array([0.0, 0.0, 1.0])


def carrier_of(scene: Scene, name: str) -> str:
    """The body, or the world, that the ropes of a body lead up to: load, sling, block, hoisting rope, trolley."""
    seen = {name}
    while name != WORLD:
        above = _next_above(scene, name)
        if above is None or above in seen:
            return name if len(seen) > 1 else WORLD
        seen.add(above)
        name = above
    return WORLD


def _next_above(scene: Scene, name: str) -> str | None:
    """The highest other part of the ropes of a body that lies above the body's own part; None without any."""
    best: tuple[float, str] | None = None
    for cable in scene.cables.values():
        parts = [(part.on, float(point_of(part, scene.bodies)[2])) for part in cable.parts() if hasattr(part, "on")]
        here = [height for on, height in parts if on == name]
        for on, height in parts:
            if here and on != name and height > max(here) and (best is None or height > best[0]):
                best = (height, on)
    return best[1] if best is not None else None


def rope_above(scene: Scene, name: str) -> tuple[str, Array] | None:
    """What carries the upper end of the one span that a body hangs on by its own tied end, and where the rope leaves that when it hangs
    straight down, at the start [m]. None where several spans hold it, or none, or where it began below that place: then that is
    where it hung."""
    tied = [
        (parts, k)
        for cable in scene.cables.values()
        if not cable.obstacles  # it may hang over an edge
        for parts in [cable.parts()]
        for k, part in enumerate(parts)
        if part.on == name
    ]
    if len(tied) != 1 or not isinstance(tied[0][0][tied[0][1]], End):
        return None
    parts, k = tied[0]
    j = k - 1 if k else 1
    places = [point_of(part, scene.bodies) for part in parts]
    above, part = places[j].copy(), parts[j]
    if isinstance(part, Wheel):
        axis = np.asarray(part.axis, float) / np.linalg.norm(part.axis)
        # rope that goes down from a wheel that it goes round to the left touches it at down x axis; the other way it comes up
        way = turn_of(part, places, j) * (1.0 if j < k else -1.0)
        out = way * np.cross(-UP, axis)
        size = float(np.linalg.norm(out))
        above += part.radius * out / size if size > 0.0 else 0.0
    apart = above - np.asarray(scene.bodies[name].start_position, float)
    if apart[2] <= 0.0 or float(np.hypot(apart[0], apart[1])) < BELOW * apart[2]:
        return None
    return part.on, above


def hung_place(sim: Any, name: str) -> Callable[[Any], Array]:
    """Where a body hangs at rest, carried along by what it hangs on: below the upper end of its rope, or, where it began at rest
    or on several ropes, where it hung at the start. A function of the simulation [m]."""
    found = rope_above(sim.scene, name)
    if found is not None:
        return carried(sim, found[1], found[0])
    return carried(sim, np.asarray(sim.scene.bodies[name].start_position, float), carrier_of(sim.scene, name))


def carried(sim: Any, start: Array, carrier: str) -> Callable[[Any], Array]:
    """Where a point of the start is, carried along by a body: a function of the simulation [m]."""
    if carrier == WORLD:
        return lambda _sim: start
    i = sim.compiled.bodies.index[carrier]
    body = sim.scene.bodies[carrier]
    turn = np.asarray(body.start_orientation, float)
    arm = frames.rotate(frames.conjugate(turn), start - np.asarray(body.start_position, float))
    return lambda s: poses.position(s, i) + frames.rotate(poses.orientation(s, i), arm)
