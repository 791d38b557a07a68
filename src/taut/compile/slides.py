"""Grips that a segmented cable slides through, from one segment to the next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from taut.compile import frames
from taut.compile.bodies import BodyTable
from taut.compile.joints import JointTable
from taut.core.model import J_A, J_ARM_A, J_ARM_B, J_B, J_FRAME_A
from taut.scene import Scene
from taut.scene.grips import Grip

Array = np.ndarray

#: part of what a grip lies beside the next segment that it keeps; the rest closes in the next step [-]
KEPT = 0.5


@dataclass(frozen=True)
class Slide:
    """A grip on segment `k` of a cable, and how far it may slide along it from where it took hold [m]."""

    grip: str
    strand: str
    k: int
    low: float
    high: float


def compile_slides(scene: Scene, grips: Mapping[str, Grip]) -> tuple[Slide, ...]:
    """All grips that a cable slides through. At a tied end it stays on the last segment."""
    found = []
    for name, grip in grips.items():
        if grip.kind != "slide":
            continue
        for cable, strand in scene.strands().items():
            links = strand.link_names()
            if grip.a not in links:
                continue
            k, half, place = links.index(grip.a), 0.5 * strand.all_lengths()[links.index(grip.a)], grip.point_a[2]
            tied = (strand.held[0] is not None, strand.held[1] is not None)
            low = -math.inf if k == 0 and tied[0] else -half - place
            high = math.inf if k == len(links) - 1 and tied[1] else half - place
            found.append(Slide(name, cable, k, low, high))
    return tuple(found)


def _way(joints: JointTable, s: Any, g: int) -> float:
    """How far a grip has slid along its segment [m]."""
    a, b, at = joints.integers[g, J_A], joints.integers[g, J_B], joints.frames[g]
    here = s.body_pos[a] + frames.rotate(s.body_quat[a], at[J_ARM_A : J_ARM_A + 3])
    there = s.body_pos[b] + frames.rotate(s.body_quat[b], at[J_ARM_B : J_ARM_B + 3])
    turn = frames.multiply(s.body_quat[a], at[J_FRAME_A : J_FRAME_A + 4])
    return float((there - here) @ frames.rotate(turn, np.array([0.0, 0.0, 1.0])))


def handed_over(compiled: Any) -> dict[str, Grip] | None:
    """The grips, those that have come to the end of their segment on the next one; off a free end they are gone. None
    when none has."""
    s: Any = compiled.fields
    bodies: BodyTable = compiled.bodies
    grips = dict(compiled.grips)
    for slide in compiled.slides:
        way = _way(compiled.joints, s, compiled.joints.first[slide.grip])
        if slide.low <= way <= slide.high:
            continue
        strand = compiled.scene.strands()[slide.strand]
        links, k = strand.link_names(), slide.k + (1 if way > slide.high else -1)
        loop = strand.cable.loop
        if not loop and not 0 <= k < len(links):
            del grips[slide.grip]
            continue
        grip, link = grips[slide.grip], links[k % len(links)]
        i, hand = bodies.index[link], bodies.index[grip.b]
        place, turn = _pose(bodies, s, i)
        other, other_turn = _pose(bodies, s, hand)
        point = other + frames.rotate(other_turn, np.asarray(grip.point_b))
        local = frames.rotate(frames.conjugate(turn), point - place)
        half = 0.5 * strand.all_lengths()[k % len(links)]
        at = (KEPT * float(local[0]), KEPT * float(local[1]), float(np.clip(local[2], -half, half)))
        grips[slide.grip] = grip.model_copy(update={"a": link, "point_a": at})
    return grips if grips != compiled.grips else None


def _pose(bodies: BodyTable, s: Any, i: int) -> tuple[Array, Array]:
    """Place and orientation of a body in the frame that was written down."""
    turn = frames.multiply(s.body_quat[i], frames.conjugate(bodies.frame[i]))
    return s.body_pos[i] - frames.rotate(turn, bodies.centre[i]), turn
