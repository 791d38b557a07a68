"""Rolls that the first solve has found are not written into cables that nobody has changed: a file without them finds them again.

A cable is changed with whatever decides its shape: its own fields but for limits, the connectors it ends on, parts, gravity, and the cables
that it meets at branches, ties and loose connectors. In a changed one all rolls are written: without them it would be rolled anew
when it is opened, and what it was twisted by on the way would be gone.
"""

from __future__ import annotations

import copy
from typing import Any

from taut.scene.problems import NOTHING, item

#: fields of a route that decide the shape of every cable
OF_ALL = ("gravity", "itself", "parts")


def without_found(data: dict[str, Any], read: dict[str, Any], settled: dict[str, Any]) -> dict[str, Any]:
    """Data as they are to be written; read: the file as it was, settled: the same with what its first solve found."""
    now, then = data["route"], settled["route"]
    if any(now.get(word) != then.get(word) for word in OF_ALL):
        return data
    changed = _changed(now, then)
    made = copy.deepcopy(data)
    for name, one in made["route"]["cables"].items():
        before = item(read["route"]["cables"], name)
        if name in changed or before is NOTHING:
            continue
        clips = zip(one.get("clips") or [], before.get("clips") or [])
        for held, was in ((one["end"], before["end"]), *clips):
            if isinstance(held, dict) and isinstance(was, dict) and "up" not in was:
                held.pop("up", None)
    return made


def _changed(now: dict[str, Any], then: dict[str, Any]) -> set[str]:
    """Names of the cables that may lie otherwise than they did."""
    cables = now["cables"]
    seats = {name: _seats(now, name) for name in cables}
    changed = {
        name
        for name, one in cables.items()
        if _shaped(one) != _shaped(then["cables"].get(name)) or seats[name] != _seats(then, name)
    }
    while True:
        met = {key for name in changed for key, (free, _) in seats[name].items() if free}
        more = {name for name in cables if name not in changed and met & set(seats[name])}
        if not more:
            return changed
        changed |= more


def _shaped(cable: Any) -> Any:
    """What decides the shape of a cable."""
    return {key: value for key, value in cable.items() if key != "limits"} if isinstance(cable, dict) else None


def _seats(route: dict[str, Any], name: str) -> dict[str, tuple[bool, Any]]:
    """What a cable ends on or is tied by: whether it is free, and how it is told."""
    found = {}
    for word in ("connectors", "branches", "ties"):
        for key, one in (route.get(word) or {}).items():
            ends = [item(item(route["cables"].get(name), side), "at") for side in ("start", "end")]
            if key in ends or (word == "ties" and name in one["cables"]):
                found[f"{word}.{key}"] = (word != "connectors" or one.get("held", "fixed") != "fixed", one)
    return found
