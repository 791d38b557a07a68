"""Nobody mounts a hose twisted: where a route does not say how an end or a clip is rolled, it is rolled so that the cable has
no twist."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import from_vector, multiply, rotate
from taut.cables.rod.found_rolls import Found
from taut.cables.rod.harness import Cable
from taut.cables.rod.targets import Target
from taut.cables.rod.values import RodError

if TYPE_CHECKING:
    from taut.cables.rod.route import Route

#: how often twist is turned back at most, by how much at once, and down to what [rad]
ROUNDS, FARTHEST, UNTWISTED = 12, 1.0, 1e-4
ALONG, ACROSS = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])


def untwist(route: Route) -> None:
    """Roll what is not told how; solved already. The rolls found are written into its data as `up`, so that they last."""
    given = route.data["route"]["cables"]
    loose = [name for name, one in given.items() if _round(route.harness[name]) and _loose(one)]
    if not loose:
        return
    try:
        for _ in range(ROUNDS):
            turned = max(_turn(route, name, given[name]) for name in loose)
            if turned < UNTWISTED:
                break
            route.harness.solve()
    except RodError:
        route.harness.solve()  # what was found so far stands
    for name in loose:
        _write(route, name, given[name])


def _round(cable: Cable) -> bool:
    """Whether its roll is not seen in its shape: as stiff about all axes across, and straight."""
    kind = cable._chain.properties
    return bool((kind.stiffness[:, 0] == kind.stiffness[:, 1]).all()) and not kind.rest.any()


def _untold(one: Any) -> bool:
    return isinstance(one, dict) and "up" not in one and "quaternion" not in one


def _loose(given: dict[str, Any]) -> bool:
    return _untold(given["end"]) or any(_untold(clip) for clip in given.get("clips", []))


def _turn(route: Route, name: str, given: dict[str, Any]) -> float:
    """Turn clips and the end back by the twist since what is held before; returns the largest of it [rad]."""
    cable = route.harness[name]
    chain = cable._chain
    if chain.held[0] != CLAMPED:
        return 0.0
    arc, twist = cable.arc_length, cable.twist
    summed = np.concatenate([[0.0], np.cumsum(0.5 * (twist[1:] + twist[:-1]) * np.diff(arc))])
    before, worst = 0.0, 0.0
    rolled = [
        (chain.clips[number].share * cable.length, chain.clips[number], one)
        for number, one in zip(route.clips[name].values(), given.get("clips", []))
        if chain.clips[number].locked[2]
    ]
    for s, clip, one in sorted(rolled, key=lambda each: each[0]):
        here = float(np.interp(s, arc, summed))
        if _untold(one):
            angle = float(np.clip(here - before, -FARTHEST, FARTHEST))
            worst = max(worst, abs(angle))
            clip.turn(-angle * rotate(clip.frame, ALONG))
        else:
            before = here
    if chain.held[1] == CLAMPED and _untold(given["end"]):
        angle = float(np.clip(summed[-1] - before, -FARTHEST, FARTHEST))
        worst = max(worst, abs(angle))
        if "at" in given["end"]:
            chain.frames = [chain.frames[0], multiply(chain.frames[1], from_vector(-angle * ALONG))]
            route.harness._net.changed = True
        else:
            target: Target = route.harness._net.asked.bodies[chain.bodies[1]]
            target.turn(-angle * rotate(target.frame, ALONG))
    return worst


def _write(route: Route, name: str, given: dict[str, Any]) -> None:
    """Say how ends and clips are rolled."""
    chain = route.harness[name]._chain
    if chain.held[0] != CLAMPED:
        return
    for number, one in zip(route.clips[name].values(), given.get("clips", [])):
        if chain.clips[number].locked[2] and _untold(one):
            one["up"] = _plain(rotate(chain.clips[number].frame, ACROSS))
    if chain.held[1] == CLAMPED and _untold(given["end"]):
        on = "at" in given["end"]
        frame = chain.frames[1] if on else route.harness._net.asked.bodies[chain.bodies[1]].frame
        given["end"]["up"] = _plain(rotate(frame, ACROSS))


def _plain(values: Array) -> Found:
    return Found(round(float(value), 9) for value in values)
