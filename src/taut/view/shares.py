"""Tension as a share of what breaks the rope: unlike a tension it tells how near danger is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from taut.scene import Distance, Scene
from taut.view.frame import Frame, Rope

#: what ropes that hoist are usually loaded with at most: a fifth of what breaks them [-]
USUAL = 0.2


def breaking_loads(scene: Scene) -> dict[str, float]:
    """Breaking load of everything that is coloured by tension, by name [N]; empty where one of them is not known."""
    found = {name: cable.strength() for name, cable in scene.cables.items()}
    others = scene.chains or any(isinstance(joint, Distance) and joint.rope for joint in scene.joints.values())
    return {} if others or not all(map(math.isfinite, found.values())) else found


def as_shares(frame: Frame, breaking: Mapping[str, float]) -> Frame:
    """The same moment with tensions as shares of the breaking loads [-]."""
    return replace(frame, cables={name: _share(rope, breaking.get(name)) for name, rope in frame.cables.items()})


def _share(rope: Rope, breaking: float | None) -> Rope:
    if breaking is None:
        return rope
    course = None if rope.course_tension is None else rope.course_tension / breaking
    return replace(rope, tension=rope.tension / breaking, course_tension=course)


def safety(scene: Scene, name: str, pull: float) -> str:
    """How often a rope would bear what it carries now [N], in words; empty where that is not known or nothing is carried."""
    if name not in scene.cables or pull <= 0.0:
        return ""
    factor = scene.cables[name].strength() / pull
    return f"safety factor {factor:.3g}" if factor < 1000.0 else ""
