"""Rolls that were found are not written where a file without them finds them again.

That is so in cables that nobody has changed. A cable is changed with whatever decides its shape: its own fields but for limits, the connectors
it ends on, parts, gravity, and the cables that it meets at branches, ties and loose connectors. A changed one is rolled anew
when it is opened without them, and what it was twisted by on the way is gone: whether that makes another shape of it is only known when the file
is opened (`leading.py`); until then all its rolls are written.
"""

from __future__ import annotations

import copy
from collections.abc import Collection
from typing import Any

import yaml

from taut.scene.problems import NOTHING, item


class Found(list[float]):
    """A roll (`up`) that nobody has told: of an end or a clip that was rolled so that nothing is twisted. It stands in the data of a route like any
    other, and what a person turns takes its place."""


# it is written as any list
yaml.SafeDumper.add_representer(Found, lambda dumper, roll: dumper.represent_list(roll))

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


def without_rolls(data: dict[str, Any], but: Collection[str] = ()) -> dict[str, Any]:
    """Data without the rolls that were found; but: cables that keep theirs."""
    made = copy.deepcopy(data)
    for name, one in made["route"]["cables"].items():
        for held in (one["end"], *(one.get("clips") or [])) if name not in but else ():
            if isinstance(held, dict) and isinstance(held.get("up"), Found):
                del held["up"]
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
