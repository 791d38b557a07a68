"""Whatever of a route can be chosen: cables, their ends and clips, connectors, branches, ties, parts and the cable in hand, each
under a key."""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED, FREED
from taut.cables.rod.clip_names import clip_name
from taut.cables.rod.ends import Clamp, conjugate, multiply, rotate, to_vector
from taut.cables.rod.route import DIGITS, Route
from taut.cables.rod.targets import Target
from taut.cables.rod.written import numbers, point_like, unit_of_route
from taut.view.route_tools import held

#: kinds of keys: cable/NAME, body/NAME, clip/CABLE/NAME, part/NAME, hand/CABLE
CABLE, BODY, CLIP, PART, HAND = "cable", "body", "clip", "part", "hand"
#: frames that differ by less are the same one [rad]
SAME = 1e-8
ALONG, ACROSS = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def every(route: Route) -> list[str]:
    """All that can be chosen of a route: cables first, each with what holds it alone."""
    keys, rest = [], [*on_cables(route), *loose(route), *idle(route)]
    for cable in route.harness.cables:
        own = [key for key in rest if _own(route, key) == cable]
        keys += [f"{CABLE}/{cable}", *own]
    return [*keys, *(key for key in rest if key not in keys), *parts(route)]


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


def loose(route: Route) -> dict[str, Target]:
    """What goes where the cables pull it, by key: branches, ties and connectors that are let go."""
    named = {name for word in ("connectors", "branches", "ties") for name in route.data["route"].get(word) or {}}
    bodies = route.harness._net.asked.bodies
    return {f"{BODY}/{body.name}": body for body in bodies if body.free.any() and body.name in named}


def idle(route: Route) -> dict[str, Target]:
    """Connectors that hold no cable, by key: plates and sockets that others are bolted to."""
    named, bodies = route.data["route"].get("connectors") or {}, route.harness._net.asked.bodies
    return {
        f"{BODY}/{body.name}": body
        for body in bodies
        if body.name in named and not body.free.any() and not _holds(route, body.name)
    }


def cables_at(route: Route, key: str) -> list[str]:
    """Cables that a key has to do with: those that it stands for, holds or is a part of; none for parts."""
    kind, _, rest = key.partition("/")
    if kind in (CABLE, HAND):
        return [rest] if rest in route.harness.cables else []
    if kind == CLIP:
        return [rest.partition("/")[0]]
    tie = (route.data["route"].get("ties") or {}).get(rest) if kind == BODY else None
    if tie is not None:
        return list(tie["cables"])
    if kind != BODY or rest not in route.harness.connectors:
        return []
    index, chains = route.harness.connectors.index(rest), route.harness._net.asked.chains
    return [chain.name for chain in chains if index in chain.bodies]


def _own(route: Route, key: str) -> str:
    """The cable whose end, clip or hand this is; none for what may hold several."""
    kind, _, rest = key.partition("/")
    if kind == BODY and any(
        rest in (route.data["route"].get(word) or {}) for word in ("connectors", "branches", "ties")
    ):
        return ""
    return next(iter(cables_at(route, key)), "")


def parts(route: Route) -> dict[str, Target]:
    """What stands around, by key."""
    return {f"{PART}/{name}": route.harness._obstacle(name) for name in route.shapes}


def target(route: Route, key: str) -> Target | None:
    """What a key stands for, if it is there."""
    return (on_cables(route) | idle(route) | parts(route)).get(key)


def words(key: str) -> str:
    """A key as a person reads it."""
    kind, _, rest = key.partition("/")
    if kind == CLIP:
        cable, _, word = rest.partition("/")
        return f"{word} of {cable}"
    return {CABLE: f"cable {rest}", PART: f"part {rest}", HAND: f"{rest} in hand"}.get(kind, rest)


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
    """Write a pose into the data of the route: in the unit and the words that stand there; a frame that is the same stays."""
    kind, _, rest = key.partition("/")
    data = route.data["route"]
    unit = unit_of_route(route.data)
    if kind == PART:
        _turned(data["parts"][rest], point, quaternion, unit)
    elif kind == CLIP:
        _pointed(clip_data(route, key), point, quaternion, unit)
    elif kind == BODY and (held_by := end_of(route, rest)) is None:
        _turned(data["connectors"][rest], point, quaternion, unit)
    elif kind == BODY:
        cable, _, side = rest.rpartition(".")
        given = data["cables"][cable][side]
        if held_by == CLAMPED:
            _pointed(given, point, quaternion, unit)
        else:
            given["point"] = point_like(given.get("point"), point, unit)
    # a hand is not part of the route


def clip_data(route: Route, key: str) -> dict[str, Any]:
    """What the route says of a clip."""
    cable, _, word = key.partition("/")[2].partition("/")
    clips: list[dict[str, Any]] = route.data["route"]["cables"][cable]["clips"]
    return next(clip for k, clip in enumerate(clips) if clip_name(clip, k) == word)


def pose_data(point: np.ndarray, quaternion: np.ndarray, unit: str) -> dict[str, Any]:
    """The pose of a clip or an end as it is written: point, direction and which side is up."""
    return {
        "point": point_like(None, point, unit),
        "direction": numbers(rotate(quaternion, ALONG), DIGITS["direction"]),
        "up": numbers(rotate(quaternion, ACROSS), DIGITS["up"]),
    }


def _turned(given: dict[str, Any], point: np.ndarray, quaternion: np.ndarray, unit: str) -> None:
    """Where a part or a connector is, and how it is turned."""
    given["point"] = point_like(given.get("point"), point, unit)
    if not _same(Clamp((0, 0, 0), quaternion=given.get("quaternion", (1.0, 0.0, 0.0, 0.0))), quaternion):
        given["quaternion"] = numbers(quaternion, DIGITS["quaternion"])


def _pointed(given: dict[str, Any], point: np.ndarray, quaternion: np.ndarray, unit: str) -> None:
    """Where an end or a clip is, where it points and how it is rolled."""
    pose = {word: given[word] for word in ("direction", "up", "quaternion") if word in given}
    given["point"] = point_like(given.get("point"), point, unit)
    if _same(Clamp((0, 0, 0), **pose), quaternion):
        return
    if "quaternion" in given:
        given["quaternion"] = numbers(quaternion, DIGITS["quaternion"])
    else:
        given.update({word: one for word, one in pose_data(point, quaternion, unit).items() if word != "point"})


def _same(clamp: Clamp, quaternion: np.ndarray) -> bool:
    """Whether a frame is the one that is written."""
    turn = to_vector(multiply(conjugate(clamp.frame("pose")), quaternion))
    return bool(np.linalg.norm(turn) < SAME)


def _holds(route: Route, name: str) -> bool:
    """Whether a body holds anything: the far side of a free end does not."""
    index = route.harness.connectors.index(name)
    chains = route.harness._net.asked.chains
    return any(
        body == index and chain.held[side] != FREED for chain in chains for side, body in enumerate(chain.bodies)
    )
