"""Units in tables that a person fills in: in the head of a column, as 'x [mm]', or in a cell, as '300 mm'."""

from __future__ import annotations

import re

from taut.cables.rod.values import RodError
from taut.scene import units
from taut.scene.units import Kind

_HEAD = re.compile(r"(?P<name>.*?)\s*\[(?P<unit>[^\]]*)\]\s*")


def head(written: str, kind_of_name: dict[str, Kind]) -> tuple[str, str]:
    """Name and unit of a column, the unit empty where none stands there. kind_of_name: what the last word of a name may be. Raises
    RodError where the unit is not one of that kind."""
    match = _HEAD.fullmatch(written.strip())
    if match is None:
        return written.strip(), ""
    name, unit = match["name"], match["unit"].strip()
    kind = kind_of_name.get(name.rpartition(".")[2])
    if kind is None or unit in ("", "-"):
        return name, ""
    if unit != kind.unit:
        try:
            units.parse(f"1 {unit}", kind)
        except units.UnitError as error:
            more = f" ({error.found.removeprefix('this is ')})" if error.found else ""
            raise RodError(
                f"column {written.strip()!r}: [{unit}] is no unit of {kind.name}{more}; allowed: {_examples(kind)}"
            ) from None
    return name, unit


def cell(written: str, kind: Kind, unit: str) -> float:
    """The SI value of a cell: a number in the unit of its column, or with a unit of its own. Raises RodError, which says what is allowed."""
    text = written.strip()
    try:
        float(text)
        text = f"{text} {unit}"
    except ValueError:
        pass
    try:
        return units.parse(text, kind)
    except units.UnitError as error:
        more = f" ({error.found.removeprefix('this is ')})" if error.found else ""
        raise RodError(f"{written.strip()!r} - expected {allowed(kind, unit)}{more}") from None


def allowed(kind: Kind, unit: str) -> str:
    """What may stand in a cell, in words."""
    if kind is units.NUMBER:
        return "a finite number without a unit"
    return (
        f"{kind.name}: a finite number, which is in {unit or kind.unit} here, or one with its unit, as '{kind.example}'"
    )


def _examples(kind: Kind) -> str:
    return {units.LENGTH: "[m], [mm], [cm], [in]", units.TIME: "[s], [ms], [min]"}.get(kind, f"[{kind.unit}]")
