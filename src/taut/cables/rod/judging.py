"""Every measure of a route beside its limit: as it stands, the worst of a motion, the worst within tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from taut.cables.rod.limits import NOT_JUDGED, Finding, findings, judged, unjudged
from taut.cables.rod.motion import Cycle
from taut.cables.rod.route import Route
from taut.cables.rod.tolerance import Spread
from taut.cables.rod.touching import touched_by

#: share of a cable that is left out of its clearance and told also where it has no limit [-]
MUCH = 0.25
#: share of a cable that is as good as nothing of it [-]
LITTLE = 0.1
#: when something is so that does not change in a motion
EVERY = "in every frame"


class Row(NamedTuple):
    """A finding, and when or with what off it is so; empty: as it stands."""

    finding: Finding
    when: str


def rows(route: Route, cycle: Cycle | None = None, spread: Spread | None = None) -> list[Row]:
    """All findings; of a motion the worst ones with their times. Within tolerances those that have a limit follow."""
    if cycle is not None:
        # a motion may have been run before a limit was set
        worst = [(judged(one.finding, route.limits[one.finding.cable]), key) for key, one in cycle.worst.items()]
        out = [
            Row(one, EVERY if cycle.constant(key) else f"at {cycle.worst[key].time:g} s")
            for one, key in worst
            if one.what != "length" or one.limit is not None or not cycle.constant(key)
        ]
    else:
        out = [
            Row(one, "")
            for name in route.harness.cables
            for one in findings(route.harness, name, route.limits[name], route.clips[name])
        ]
    for name in route.harness.cables:
        measured = {one.what for one, _ in out if one.cable == name}
        if missing := unjudged(name, route.limits[name], {*measured, "length"}):
            # beside the others of its cable
            last = max(k for k, (one, _) in enumerate(out) if one.cable == name)
            out[last + 1 : last + 1] = [Row(one, "") for one in missing]
    return out if spread is None else out + rows_off(spread)


def rows_off(spread: Spread) -> list[Row]:
    """The worst findings within tolerances that have a limit, with what is off."""
    return [Row(one, off) for one, off in spread.worst.values() if one.limit is not None]


def touches(route: Route) -> list[str]:
    """What the cables touch, in words."""
    return [f"{name} {one}" for name, cable in route.harness.cables.items() for one in touched_by(route.harness, cable)]


def notes(route: Route) -> list[str]:
    """What a clearance leaves out, in words: one line for each cable that stands on a part and has a limit to its clearance, or of which so
    much is left out that what is told would be taken for the least distance of all of it."""
    told = []
    for name, cable in route.harness.cables.items():
        mounts = route.harness.mounts_of(cable)
        asked = "clearance" in route.limits[name].values
        if mounts and (asked or any(mount.length > MUCH * cable.length for mount in mounts)):
            words = f"clearance leaves out {' and '.join(map(str, mounts))}, on which it stands"
            # of each part what leads away from it is left out for that part alone
            for part in dict.fromkeys(mount.part for mount in mounts):
                left = cable.length - sum(mount.length for mount in mounts if mount.part == part)
                if left < LITTLE * cable.length:
                    words += f": nearly nothing of it is judged against {part}, {1e3 * max(0.0, left):.0f} mm of {1e3 * cable.length:.0f} mm"
            told.append(f"{name}: {words}")
    return told


def verdict(found: list[Row]) -> str:
    """How it stands with the limits, in words: how many are broken and which, and which cannot be judged."""
    broken = [_short(one) for one, _ in found if one.passed is False]
    open_ = [f"{_short(one)} ({one.shown()[0]})" for one, _ in found if one.shown()[2] == NOT_JUDGED]
    passed = [one for one, _ in found if one.passed]
    if broken:
        count = "One limit is broken" if len(broken) == 1 else f"{len(broken)} limits are broken"
        words = f"{count}{f', {len(passed)} kept' if passed else ''}: {', '.join(broken)}."
    elif open_:
        words = "Every other limit is kept." if passed else ""
    else:
        words = "Every limit is kept." if passed else "No limits are set."
    return " ".join(filter(None, (words, f"Not judged: {', '.join(open_)}." if open_ else "")))


def _short(one: Finding) -> str:
    return f"{one.what.replace('_', ' ')} of {one.cable}"


def kept(found: list[Row]) -> bool:
    """Whether no limit is broken."""
    return all(row.finding.passed is not False for row in found)


def table(found: list[Row], plugs: Sequence[tuple[str, str, str]] = ()) -> list[str]:
    """Findings as lines of text, in columns; plugs: connector, its clearance and to what."""
    cells = [(one.cable, one.what, *one.shown()[:1], one.where, when, *one.shown()[1:]) for one, when in found]
    cells += [(name, "clearance", value, where, "", "", "") for name, value, where in plugs]
    widths = [max(map(len, column)) for column in zip(*cells)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths) if width).rstrip() for line in cells]
