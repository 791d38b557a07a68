"""Other names for what a route holds: whatever refers to them in its data goes along."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from taut.cables.rod.clip_names import clip_names, unfit_name
from taut.view.route_places import BODY, CABLE, CLIP, HAND, PART

#: tables whose names are those of bodies, which cables may end on
BODIES = ("connectors", "branches", "ties")


def unfit(name: str, known: Iterable[str]) -> str:
    """Why a name cannot be given, in words; empty where it can."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_ -]*", name):
        return "a name is of letters, digits, blanks, - and _"
    return f"there is a {name} already" if name in known else ""


def name_of(data: dict[str, Any], key: str) -> str:
    """The name that can be given anew of what a key stands for; none for an end, which is called by its cable, and a hand."""
    kind, _, rest = key.partition("/")
    if kind == CLIP:
        return rest.partition("/")[2]
    if kind == BODY:
        return rest if any(rest in (data["route"].get(word) or {}) for word in BODIES) else ""
    return "" if kind == HAND else rest


def renamed(data: dict[str, Any], key: str, new: str) -> tuple[str, str]:
    """The key under the other name, and why the name cannot be given, in words; empty where it can."""
    kind, _, rest = key.partition("/")
    if kind == CLIP:
        cable = rest.partition("/")[0]
        names = clip_names(data["route"]["cables"][cable].get("clips"))
        why = unfit_name(new) or (f"{cable} has a clip {new!r} already" if new in names else "")
        return f"{CLIP}/{cable}/{new}", why
    return f"{kind}/{new}", unfit(new, _known(data, kind))


def rename(data: dict[str, Any], key: str, new: str) -> None:
    """Give another name to what a key stands for."""
    kind, _, rest = key.partition("/")
    if kind == CABLE:
        rename_cable(data, rest, new)
    elif kind == CLIP:
        cable, _, old = rest.partition("/")
        clips = data["route"]["cables"][cable]["clips"]
        clips[clip_names(clips).index(old)]["name"] = new
    elif kind == PART:
        _rename(data["route"]["parts"], rest, new)
    elif kind == BODY:
        rename_body(data, rest, new)


def rename_cable(data: dict[str, Any], old: str, new: str) -> None:
    """Give a cable another name, in its place of the list and in the ties that bundle it."""
    route = data["route"]
    _rename(route["cables"], old, new)
    for tie in (route.get("ties") or {}).values():
        _rename(tie["cables"], old, new)


def rename_body(data: dict[str, Any], old: str, new: str) -> None:
    """Give a connector, a branch or a tie another name, and the ends that sit on it go along."""
    route = data["route"]
    for word in BODIES:
        _rename(route.get(word) or {}, old, new)
    for cable in route["cables"].values():
        for side in ("start", "end"):
            if isinstance(cable[side], dict) and str(cable[side].get("at")) == old:
                cable[side]["at"] = new


def _known(data: dict[str, Any], kind: str) -> list[str]:
    """Names that are taken."""
    tables = {CABLE: ("cables",), PART: ("parts",), BODY: BODIES}.get(kind, ())
    return [name for word in tables for name in data["route"].get(word) or {}]


def _rename(table: dict[str, Any], old: str, new: str) -> None:
    if old in table:
        items = [(new if name == old else name, value) for name, value in table.items()]
        table.clear()
        table.update(items)
