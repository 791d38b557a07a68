"""What a body hangs on, for its sway."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.compile import frames
from taut.measure import poses
from taut.scene import WORLD, Scene

Array = np.ndarray


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
        parts = [(part.on, _height(scene, part)) for part in cable.parts() if hasattr(part, "on")]
        here = [height for on, height in parts if on == name]
        for on, height in parts:
            if here and on != name and height > max(here) and (best is None or height > best[0]):
                best = (height, on)
    return best[1] if best is not None else None


def _height(scene: Scene, part: Any) -> float:
    if part.at is not None:
        return float(part.at[2])
    return 0.0 if part.on == WORLD else float(scene.bodies[part.on].start_position[2])


def carried_place(sim: Any, name: str, carrier: str) -> Callable[[Any], Array]:
    """Where a body hung at the start, carried along by what it hangs on: a function of the simulation [m]."""
    start = np.asarray(sim.scene.bodies[name].start_position, float)
    if carrier == WORLD:
        return lambda _sim: start
    i = sim.compiled.bodies.index[carrier]
    body = sim.scene.bodies[carrier]
    turn = np.asarray(body.start_orientation, float)
    arm = frames.rotate(frames.conjugate(turn), start - np.asarray(body.start_position, float))
    return lambda s: poses.position(s, i) + frames.rotate(poses.orientation(s, i), arm)
