"""Lengths and points as a route file writes them: in the unit that stood there, or in that of the file, with few digits."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from taut.scene import units
from taut.scene.problems import item

#: what a new file is written in; metres need no unit
MILLIMETRES, METRES = "mm", ""
#: decimals of a length in metres that are kept: a nanometre
DIGITS = 9
#: lengths that differ by less are the same one [m]
SAME = 0.5e-9
_UNIT = re.compile(r"[A-Za-zµμ]+\s*$")


def length_like(before: Any, value: float, unit: str = MILLIMETRES, digits: int = DIGITS) -> Any:
    """A length [m] written as the one that stood there, which stays if it is the same; else in a unit. digits: decimals of metres
    that are kept."""
    then = _length(before)
    if then is not None and abs(then - value) < SAME:
        return before
    stood = unit_of(before)
    return _written(value, unit if stood is None else stood, digits)


def point_like(before: Any, point: Iterable[float], unit: str = MILLIMETRES) -> Any:
    """A point [m] written as the one that stood there: with a unit at each number, one for all, or plain; else in a unit."""
    values = [float(value) for value in point]
    if isinstance(before, str) and (one := unit_of(before)) is not None:
        then = units.parse_vector(before, units.LENGTH)
        if all(abs(a - b) < SAME for a, b in zip(then, values)):
            return before
        return f"[{', '.join(_number(value, one) for value in values)}]{f' {one}' if one else ''}"
    stood = list(before) if isinstance(before, list | tuple) and len(before) == 3 else [None] * 3
    found = _of_point(stood)
    one = unit if found is None else found
    return [
        was if (then_ := _length(was)) is not None and abs(then_ - value) < SAME else _written(value, one, DIGITS)
        for was, value in zip(stood, values)
    ]


def unit_of_route(data: Mapping[str, Any]) -> str:
    """The unit in which the points of a route are written: that of the first one that says it."""
    route = data.get("route") or {}
    places: list[Any] = []
    for word in ("cables", "parts", "connectors", "branches", "ties"):
        for one in (route.get(word) or {}).values():
            clips = item(one, "clips")
            held = [item(one, side) for side in ("start", "end")] + list(clips if isinstance(clips, list) else ())
            places += [item(held_by, "point") for held_by in (one, *held)]
    units_ = (unit_of(place) if isinstance(place, str) else _of_point(place) for place in places)
    return next((unit for unit in units_ if unit is not None), MILLIMETRES)


def unit_of(written: Any) -> str | None:
    """The unit of a length or a point of one text; none for a zero, which is the same in all of them."""
    found = _UNIT.search(written) if isinstance(written, str) else None
    if found is not None:
        return found[0].strip() if _length(f"1 {found[0]}") is not None else None
    if isinstance(written, str) and written.strip().startswith("["):
        return METRES
    return METRES if _length(written) else None


def _of_point(written: Any) -> str | None:
    """The unit of three numbers: of the first that is not zero."""
    if not isinstance(written, Sequence) or isinstance(written, str):
        return None
    return next((unit for unit in map(unit_of, written) if unit is not None), None)


def _length(written: Any) -> float | None:
    try:
        return None if written is None else units.parse(written, units.LENGTH)
    except units.UnitError:
        return None


def _written(value: float, unit: str | None, digits: int) -> Any:
    """A length [m] in a unit; zero needs none, metres are plain numbers."""
    if round(value, digits) == 0.0:
        return 0
    if not unit:
        return _plain(round(value, digits))
    return f"{_number(value, unit, digits)} {unit}"


def _number(value: float, unit: str | None, digits: int = DIGITS) -> str:
    """A length [m] as a number of units."""
    size = units.parse(f"1 {unit}", units.LENGTH) if unit else 1.0
    # so many decimals of metres are fewer of what is smaller: 6 of mm for 9 of m
    fewer = max(0, round(-math.log10(size)))
    return f"{round(value / size, max(0, digits - fewer)) + 0.0:.12g}"


def _plain(value: float) -> float | int:
    """A number without a point where it needs none."""
    return int(value) if value == int(value) else value


def numbers(values: Iterable[float], digits: int) -> list[float | int]:
    """Plain numbers, as of a direction, with so many decimals."""
    return [_plain(round(float(value), digits) + 0.0) for value in values]
