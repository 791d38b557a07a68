"""Where a body takes hold of a cable or of another body: the geometry of `Simulation.attach`."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.compile import frames
from taut.measure import poses
from taut.measure.strands import lengths_out
from taut.scene.grips import Grip, GripKind

Array = np.ndarray


def make_grip(sim: Any, element: str, body: str, s: float | None, kind: GripKind) -> Grip:
    """A grip of `body` on an element as both are just now. Raises KeyError and ValueError in words."""
    index = sim.compiled.bodies.index
    strands = sim.scene.strands()
    if body not in index:
        raise KeyError(f"no body {body!r} to attach to; bodies: {', '.join(list(sim.scene.bodies)[:20])}")
    if kind not in ("pose", "ball", "slide"):
        raise ValueError(f"kind: {kind!r} - expected pose, ball or slide")
    if element in strands:
        held, local = _on_cable(strands[element], s, lengths_out(sim, element))
    elif element in index and element != "world":
        if s is not None:
            raise ValueError(f"s: {s!r} - {element} is a body; only a cable is held at a length")
        if kind == "slide":
            raise ValueError(f"kind: 'slide' - {element} is a body; only a cable slides through a grip")
        held, local = element, np.zeros(3)
    else:
        raise KeyError(f"no segmented cable or body {element!r}; cables: {', '.join(strands) or 'none'}")
    a, b = index[held], index[body]
    if a == b:
        raise ValueError(f"body: {body!r} - it cannot hold itself")
    if not (sim.compiled.bodies.dynamic[a] or sim.compiled.bodies.dynamic[b]):
        raise ValueError(f"{element} and {body} are both moved by others: nothing can be held")
    place, turn = poses.position(sim, a), poses.orientation(sim, a)
    point = place + frames.rotate(turn, local)
    other_place, other_turn = poses.position(sim, b), poses.orientation(sim, b)
    back = frames.conjugate(other_turn)
    # both frames lie along the z axis of what is held: that of a cable, which it slides along
    return Grip(
        a=held, b=body, kind=kind, point_a=tuple(local.tolist()),
        point_b=tuple(frames.rotate(back, point - other_place).tolist()),
        frame_b=tuple(frames.multiply(back, turn).tolist()),
    )  # fmt: skip


def _on_cable(strand: Any, s: float | None, lengths: Array) -> tuple[str, Array]:
    """Segment at a length from the start of what is out, and the place in its frame."""
    total = float(lengths.sum())
    if s is None or not 0.0 <= s <= total:
        raise ValueError(f"s: {s!r} - expected a length along {strand.name} from 0 to {total:.6g} m")
    starts = np.concatenate([[0.0], np.cumsum(lengths)])
    last = int(np.flatnonzero(lengths)[-1])
    k = min(int(np.searchsorted(starts, s, side="right")) - 1, last)
    return strand.link_names()[k], np.array([0.0, 0.0, s - starts[k] - 0.5 * lengths[k]])
