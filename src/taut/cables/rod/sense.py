"""What a route file says that cannot be meant: sections thicker than their cable is long, metres in place of millimetres, clips beyond
the end of a cable that is wrong otherwise, two clips of one name, limits that nothing keeps to."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.rod.clip_names import called_twice
from taut.cables.rod.values import outside
from taut.scene import units
from taut.scene.problems import NOTHING, Problem, item, shown

if TYPE_CHECKING:
    from taut.cables.rod.route import Route

#: a cable that is longer than everything in its route is apart by this factor may be in another unit
TOO_LONG = 20.0
#: a length that is meant in millimetres is at least this share of the distance of its ends
REACHES = 0.5
#: segments that are longer than a cable is thick by this factor are told
SLENDER = 100.0
#: a limit without a unit that is larger than cable and route by this factor is in millimetres
TOO_LARGE = 3.0
#: limits that are lengths
ASKED = ("bend_radius", "clearance", "length")
#: fields of shapes and sections that are lengths
SIZES, THICK = ("size", "radius", "length"), ("diameter", "outer", "width", "height")


def nonsense(given: Mapping[str, Any], bad: set[tuple[Any, ...]]) -> Iterator[Problem]:
    """Of the cables of a route as written; bad: the places of those that are not built, whose clips are looked at here."""
    cables = given.get("cables")
    for name, one in cables.items() if isinstance(cables, Mapping) else ():
        yield from called_twice(("route", "cables", name), item(one, "clips"))
        length = _length(item(one, "length"))
        place = ("route", "cables", name)
        yield from _large_limits(given, place, one, length or 0.0)
        if length is None:
            continue
        for word in THICK:
            written = item(item(one, "section"), word)
            size = _length(written)
            if size is not None and size > length:
                words = f"{size:g} m is more than the cable is long ({length:g} m){_millimetres(written)}"
                yield Problem(words, (*place, "section", word), shown(written))
        yield from _too_long(given, place, one, length)
        clips = item(one, "clips")
        for k, clip in enumerate(clips if place in bad and isinstance(clips, list) else ()):
            at = _length(item(clip, "s"))
            if at is not None and not 0.0 <= at <= length:
                yield Problem(outside(clip["s"], length), (*place, "clips", k))


def _too_long(given: Mapping[str, Any], place: tuple[str, ...], one: Any, length: float) -> Iterator[Problem]:
    """A plain number of metres that is very long here, and would fit as millimetres."""
    ends = [_end(given, item(one, side)) for side in ("start", "end")]
    if not _is_plain(one["length"]) or any(end is None for end in ends):
        return
    size = _extent(given)
    apart = math.dist(*[end for end in ends if end is not None])
    if length > TOO_LONG * size > 0.0 and 1e-3 * length >= REACHES * apart:
        words = f"{length:g} m is {length / size:.0f} times as long as all of the route is large ({size:.3g} m)"
        yield Problem(words + _millimetres(one["length"]), (*place, "length"), shown(one["length"]))


def _large_limits(given: Mapping[str, Any], place: tuple[str, ...], one: Any, length: float) -> Iterator[Problem]:
    """Limits as plain numbers of metres that would fit as millimetres."""
    size = max(_extent(given), length)
    for word in ASKED:
        written = item(item(one, "limits"), word)
        asked = _length(written)
        if asked is not None and _is_plain(written) and asked > TOO_LARGE * size > 0.0:
            words = f"{asked:g} m is {asked / size:.0f} times as much as cable and route are large ({size:.3g} m)"
            yield Problem(words + _millimetres(written), (*place, "limits", word), shown(written))


def long_segments(route: Route) -> list[str]:
    """Cables whose segments are far longer than the cable is thick, in words: allowed, but their lengths may be in another unit."""
    found = []
    for name, cable in route.harness.cables.items():
        size, thick = cable.length / cable.segments, 2.0 * cable.radius
        if thick <= 0.0 or size <= SLENDER * thick:
            continue
        written = route.data["route"]["cables"][name]["length"]
        meant = (
            f"are lengths in mm meant? {written} is {cable.length:g} m"
            if _is_metres(written)
            else "shape and contacts are coarse"
        )
        found.append(f"{name}: segments of {size:.3g} m are {size / thick:.0f} times as long as it is thick: {meant}")
    return found


def _is_metres(written: Any) -> bool:
    return written != "auto" and _is_plain(written)


def _extent(given: Mapping[str, Any]) -> float:
    """Diagonal of the box around all points of a route, and the sizes of its solids [m]."""
    points, largest = [], 0.0
    for word in ("parts", "connectors", "branches", "ties", "cables"):
        table = given.get(word)
        for one in table.values() if isinstance(table, Mapping) else ():
            clips = item(one, "clips")
            places = [item(one, "point"), *(item(item(one, side), "point") for side in ("start", "end"))]
            places += [item(clip, "point") for clip in (clips if isinstance(clips, list) else ())]
            points += [point for point in map(_point, places) if point is not None]
            for size in (item(item(one, "shape"), name) for name in SIZES):
                sizes = [_length(edge) or 0.0 for edge in (size if isinstance(size, list) else [size])]
                largest = max(largest, math.hypot(*sizes))
    apart = float(np.linalg.norm(np.ptp(np.array(points), axis=0))) if points else 0.0
    return max(apart, largest)


def _end(given: Mapping[str, Any], end: Any) -> tuple[float, ...] | None:
    """Where an end is, or about where on its connector [m]."""
    if item(end, "at") is NOTHING:
        return _point(item(end, "point"))
    tables = (item(given.get(word) or {}, str(end["at"])) for word in ("connectors", "branches"))
    return next((_point(item(one, "point")) for one in tables if one is not NOTHING), None)


def _length(written: Any) -> float | None:
    try:
        return units.parse(written, units.LENGTH)
    except units.UnitError:
        return None


def _point(written: Any) -> tuple[float, ...] | None:
    try:
        return units.parse_vector(written, units.LENGTH)
    except units.UnitError:
        return None


def _is_plain(written: Any) -> bool:
    """Whether a number stands there without a unit."""
    return not (isinstance(written, str) and any(letter.isalpha() for letter in written.replace("e", "")))


def _millimetres(written: Any) -> str:
    return f"; a number without a unit is in metres, did you mean '{written} mm'?" if _is_plain(written) else ""
