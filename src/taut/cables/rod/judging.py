"""Every measure of a route beside its limit: as it stands, the worst of a motion, the worst within tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from taut.cables.rod.limits import Finding, findings
from taut.cables.rod.motion import Cycle
from taut.cables.rod.route import Route
from taut.cables.rod.tolerance import Spread


class Row(NamedTuple):
    """A finding, and when or with what off it is so; empty: as it stands."""

    finding: Finding
    when: str


def rows(route: Route, cycle: Cycle | None = None, spread: Spread | None = None) -> list[Row]:
    """All findings; of a motion the worst ones with their times. Within tolerances those that have a limit follow."""
    if cycle is not None:
        out = [Row(worst.finding, f"at {worst.time:g} s") for worst in cycle.worst.values()]
    else:
        out = [
            Row(one, "")
            for name in route.harness.cables
            for one in findings(route.harness, name, route.limits[name], route.clips[name])
        ]
    return out if spread is None else out + rows_off(spread)


def rows_off(spread: Spread) -> list[Row]:
    """The worst findings within tolerances that have a limit, with what is off."""
    return [Row(one, off) for one, off in spread.worst.values() if one.limit is not None]


def notes(route: Route) -> list[str]:
    """What is left out where a clearance is asked for, in words: one line for each cable that stands on a part."""
    asked = [cable for name, cable in route.harness.cables.items() if "clearance" in route.limits[name].values]
    told = {cable.name: [str(mount) for mount in route.harness.mounts_of(cable)] for cable in asked}
    return [
        f"{name}: clearance leaves out {' and '.join(words)}, on which it stands"
        for name, words in told.items()
        if words
    ]


def kept(found: list[Row]) -> bool:
    """Whether no limit is broken."""
    return all(row.finding.passed is not False for row in found)


def table(found: list[Row], plugs: Sequence[tuple[str, str, str]] = ()) -> list[str]:
    """Findings as lines of text, in columns; plugs: connector, its clearance and to what."""
    cells = [(one.cable, one.what, *one.shown()[:1], one.where, when, *one.shown()[1:]) for one, when in found]
    cells += [(name, "clearance", value, where, "", "", "") for name, value, where in plugs]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths) if width).rstrip() for line in cells]
