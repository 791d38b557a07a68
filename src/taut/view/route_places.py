"""Whatever of a route can be chosen and moved: ends, connectors, clips, parts and the cable in hand, each under a key."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED, FREED
from taut.cables.rod.route import Route
from taut.cables.rod.targets import Target
from taut.view.route_tools import held

#: kinds of keys: body/NAME, clip/CABLE/NAME, part/NAME, hand/CABLE
BODY, CLIP, PART, HAND = "body", "clip", "part", "hand"


def on_cables(route: Route) -> dict[str, Target]:
    """What holds cables and can be moved, by key."""
    found: dict[str, Target] = {}
    for body in route.harness._net.asked.bodies:
        if not body.free.any() and _holds(route, body.name):
            found[f"{BODY}/{body.name}"] = body
    for cable, clips in route.clips.items():
        for word, number in clips.items():
            found[f"{CLIP}/{cable}/{word}"] = route.harness[cable]._chain.clips[number]
    return found | held(route)


def parts(route: Route) -> dict[str, Target]:
    """What stands around, by key."""
    return {f"{PART}/{name}": route.harness._obstacle(name) for name in route.shapes}


def target(route: Route, key: str) -> Target | None:
    """What a key stands for, if it is there."""
    return (on_cables(route) | parts(route)).get(key)


def words(key: str) -> str:
    """A key as a person reads it."""
    kind, _, rest = key.partition("/")
    if kind == CLIP:
        cable, _, word = rest.partition("/")
        return f"{word} of {cable}"
    return {PART: f"part {rest}", HAND: f"{rest} in hand"}.get(kind, rest)


def has_direction(route: Route, key: str) -> bool:
    """Whether it holds a cable in a direction: clips and clamped ends."""
    kind, _, rest = key.partition("/")
    return kind == CLIP or (kind == BODY and (end := end_of(route, rest)) is not None and end == CLAMPED)


def has_rotation(route: Route, key: str) -> bool:
    """Whether it is turned as a whole: parts and connectors."""
    kind, _, rest = key.partition("/")
    return kind == PART or (kind == BODY and end_of(route, rest) is None)


def end_of(route: Route, name: str) -> str | None:
    """How the end of a cable is held whose own body this is; None for connectors."""
    if name in (route.data["route"].get("connectors") or {}):
        return None
    cable, _, side = name.rpartition(".")
    return route.harness[cable]._chain.held[0 if side == "start" else 1]


def remember(route: Route, key: str, point: np.ndarray, quaternion: np.ndarray) -> None:
    """Write a pose into the data of the route."""
    kind, _, rest = key.partition("/")
    data = route.data["route"]
    pose = {"point": [float(x) for x in point], "quaternion": [float(x) for x in quaternion]}
    if kind == PART:
        data["parts"][rest].update(pose)
    elif kind == CLIP:
        _replace(clip_data(route, key), pose)
    elif kind == BODY and (held_by := end_of(route, rest)) is None:
        data["connectors"][rest].update(pose)
    elif kind == BODY:
        cable, _, side = rest.rpartition(".")
        _replace(data["cables"][cable][side], pose if held_by == CLAMPED else {"point": pose["point"]})
    # a hand is not part of the route


def clip_data(route: Route, key: str) -> dict[str, Any]:
    """What the route says of a clip."""
    cable, _, word = key.partition("/")[2].partition("/")
    clips: list[dict[str, Any]] = route.data["route"]["cables"][cable]["clips"]
    return next(clip for k, clip in enumerate(clips) if str(clip.get("name", f"clip {k + 1}")) == word)


def _replace(given: dict[str, Any], pose: dict[str, Any]) -> None:
    """A pose in the place of an earlier one."""
    given.pop("direction", None)
    given.pop("up", None)
    given.update(pose)


def _holds(route: Route, name: str) -> bool:
    """Whether a body holds anything: the far side of a free end does not."""
    index = route.harness.connectors.index(name)
    chains = route.harness._net.asked.chains
    return any(
        body == index and chain.held[side] != FREED for chain in chains for side, body in enumerate(chain.bodies)
    )
