"""What a route makes of its limits, as the panel of the studio shows it: the chosen cable in full, the others in a line each."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from taut.cables.rod.judging import Row, notes, touches
from taut.cables.rod.limits import LIMITS, NOT_JUDGED, UNITS, Finding, findings, unjudged
from taut.cables.rod.proportion import folds, odd
from taut.cables.rod.route import Route
from taut.cables.rod.routing import plug_clearance
from taut.cables.rod.values import plain
from taut.view.route_colours import scale

PASS, FAIL = "pass", "FAIL"
GO_TO = "see this frame"
BUTTON = "white-space:nowrap;border:1px solid #228be6;border-radius:4px;padding:0 0.4em;background:#fff;color:#1971c2;font:inherit;cursor:pointer"
#: colours that are told apart on white, and words beside them for who cannot
COLOURS = {PASS: "#1b7f3b", FAIL: "#c92a2a", NOT_JUDGED: "#b35c00"}
#: of words about what is touched
TOUCH = "#b0006a"
CELL = "padding:0.05em 0.6em 0.05em 0;vertical-align:top"


def of(route: Route, cable: str) -> list[Finding]:
    """All measures of a cable, as it stands."""
    found = findings(route.harness, cable, route.limits[cable], route.clips[cable])
    return found + unjudged(cable, route.limits[cable], {one.what for one in found})


def failing(route: Route, cable: str) -> dict[str, Finding]:
    """Limits that a cable breaks, by name."""
    return {one.what: one for one in of(route, cable) if one.passed is False}


def limit_label(what: str) -> str:
    """Name of a limit with its unit, as it stands beside a field."""
    return f"{'least' if LIMITS[what][1] else 'most'} {what.replace('_', ' ')} [{UNITS[what][0]}]"


def page(route: Route, cable: str, message: str, cables: bool, motion: Sequence[Row] = ()) -> str:
    """The results as HTML. cables: false as long as nobody has said where they go; motion: what the last motion showed."""
    lines = [f'<div data-taut="said" style="font-weight:700;margin-bottom:0.4em">{escape(message)}</div>'] * bool(
        message
    )
    found = {name: of(route, name) for name in route.harness.cables} if cables else {}
    if cables:
        lines += [_table(cable, found[cable], _pulls(route, cable)), _others(cable, found)]
        lines += [f'<div data-taut="scale" style="opacity:0.75">{escape(scale(route, cable))}</div>']
        # a length in the wrong unit is a mistake that nobody sees in the picture: it is told as long as it stands there
        folded = folds([Row(one, "") for each in found.values() for one in each], route)
        warned = [line for line in (*odd(route), *folded) if line not in message]
        lines += [f'<div data-taut="warned" style="color:#b35c00">{escape(line)}</div>' for line in warned]
        lines += [f'<div data-taut="touches" style="color:{TOUCH}">{escape(line)}</div>' for line in touches(route)]
        told = list(notes(route))
        told += [f"{name} clearance {near}" for name in route.plugs if (near := plug_clearance(route, name))]
        lines += [f'<div style="opacity:0.75">{escape(line)}</div>' for line in told]
    lines += [
        f'<div data-taut="broken" hidden>{escape(_broken(one))}</div>'
        for each in found.values()
        for one in each
        if one.passed is False
    ]
    worst = [row for row in motion if row.finding.passed is False]
    lines += [f'<div data-taut="moved" hidden>{escape(_broken(one))} {escape(when)}</div>' for one, when in worst]
    judged = [one.passed for each in found.values() for one in each if one.passed is not None]
    open_ = sum(one.shown()[2] == NOT_JUDGED for each in found.values() for one in each)
    # read by bar.js, too
    counts = f'data-taut="studio" data-asked="{len(judged)}" data-broken="{judged.count(False)}" data-open="{open_}" data-moved="{len(worst)}"'
    return f'<div {counts} style="padding:0.2em 1em;font-size:0.8em;line-height:1.35">{"".join(lines)}</div>'


def _pulls(route: Route, cable: str) -> list[tuple[str, str]]:
    """The smallest and the largest tension along a cable, and where."""
    tension, arc = route.harness[cable].tension, route.harness[cable].arc_length
    middle = 0.5 * (arc[1:] + arc[:-1])
    places = {"smallest tension": int(tension.argmin()), "largest tension": int(tension.argmax())}
    return [(word, f"{plain(float(tension[k]), 4)} N at {1e3 * middle[k]:.0f} mm") for word, k in places.items()]


def _table(cable: str, found: list[Finding], more: list[tuple[str, str]]) -> str:
    """more: what has no limit, by name."""
    lines = "".join(_line(one, "") for one in found)
    lines += "".join(
        f'<tr data-taut="{word.replace(" ", "_")}"><td style="{CELL}">{word}</td><td style="{CELL}">{escape(told)}</td></tr>'
        for word, told in more
    )
    return f'<b>{escape(cable)}</b><table data-taut="results" style="border-spacing:0">{lines}</table>'


def _broken(one: Finding) -> str:
    """A limit that is broken, in words."""
    value, limit, _ = one.shown()
    return f"{one.cable}: {one.what.replace('_', ' ')} {' '.join(filter(None, (value, one.where)))}, allowed {limit}"


def _line(one: Finding, when: str, frame: int | None = None) -> str:
    """A measure beside its limit, and when it is so; frame: of a motion, to be gone to by a click."""
    value, limit, verdict = one.shown()
    limit = limit.replace("at least", "≥").replace("at most", "≤")
    cells = (one.what.replace("_", " "), " ".join(word for word in (value, one.where, when) if word), limit)
    row = "".join(f'<td style="{CELL}">{escape(cell)}</td>' for cell in cells)
    # heard by goto.js
    go = (
        ""
        if frame is None
        else f'<td style="{CELL}"><button data-frame="{frame + 1}" style="{BUTTON}" title="{GO_TO}">▶ {frame + 1}</button></td>'
    )
    return f'<tr data-taut="{one.what}">{row}<td style="{CELL}">{_verdict(verdict)}</td>{go}</tr>'


def worst_of(rows: list[Row], frames: dict[tuple[str, str], int]) -> str:
    """The worst of a motion as HTML: a table for each cable. frames: index of the one in which each measure is so, by cable and measure."""
    cables = dict.fromkeys(one.cable for one, _ in rows)
    tables = [
        f'<b>{escape(cable)}</b><table data-taut="worst" style="border-spacing:0">'
        f"{''.join(_line(one, when, frames.get((cable, one.what))) for one, when in rows if one.cable == cable)}</table>"
        for cable in cables
    ]
    return f'<div style="padding:0.2em 1em;font-size:0.8em;line-height:1.35">{"".join(tables)}</div>'


def _others(cable: str, found: dict[str, list[Finding]]) -> str:
    """One line for each of the other cables."""
    lines = []
    for name, each in found.items():
        if name == cable:
            continue
        broken = ", ".join(one.what.replace("_", " ") for one in each if one.passed is False)
        asked = any(one.passed is not None for one in each)
        open_ = any(one.limit is not None for one in each)
        verdict = FAIL if broken else PASS if asked else NOT_JUDGED if open_ else ""
        lines.append(f'<div data-taut="other">{escape(name)} {_verdict(verdict) or "no limits"} {escape(broken)}</div>')
    return "".join(lines)


def _verdict(verdict: str) -> str:
    return f'<b style="color:{COLOURS[verdict]}">{verdict}</b>' if verdict else ""
