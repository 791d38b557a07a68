"""Other names for the cables and parts of a route: whatever refers to them in its data goes along."""

from __future__ import annotations

import re
from typing import Any


def unfit(name: str, known: dict[str, Any]) -> str:
    """Why a name cannot be given, in words; empty where it can."""
    if not re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_ -]*", name):
        return "a name is of letters, digits, blanks, - and _"
    return f"there is a {name} already" if name in known else ""


def rename_cable(data: dict[str, Any], old: str, new: str) -> None:
    """Give a cable another name, in its place of the list and in the ties that bundle it."""
    route = data["route"]
    _rename(route["cables"], old, new)
    for tie in (route.get("ties") or {}).values():
        _rename(tie["cables"], old, new)


def rename_part(data: dict[str, Any], old: str, new: str) -> None:
    """Give a part another name, in its place of the list."""
    _rename(data["route"]["parts"], old, new)


def _rename(table: dict[str, Any], old: str, new: str) -> None:
    items = [(new if name == old else name, value) for name, value in table.items()]
    table.clear()
    table.update(items)
