"""What a route makes of its limits, as the panel of the studio shows it: the chosen cable in full, the others in a line each."""

from __future__ import annotations

from html import escape

from taut.cables.rod.judging import Row, notes
from taut.cables.rod.limits import LIMITS, UNITS, Finding, findings
from taut.cables.rod.route import Route
from taut.cables.rod.routing import plug_clearance

PASS, FAIL = "pass", "FAIL"
#: colours that are told apart on white, and words beside them for who cannot
COLOURS = {PASS: "#1b7f3b", FAIL: "#c92a2a"}
CELL = "padding:0.05em 0.6em 0.05em 0;vertical-align:top"


def of(route: Route, cable: str) -> list[Finding]:
    """All measures of a cable, as it stands."""
    return findings(route.harness, cable, route.limits[cable], route.clips[cable])


def failing(route: Route, cable: str) -> dict[str, Finding]:
    """Limits that a cable breaks, by name."""
    return {one.what: one for one in of(route, cable) if one.passed is False}


def limit_label(what: str) -> str:
    """Name of a limit with its unit, as it stands beside a field."""
    return f"{'least' if LIMITS[what][1] else 'most'} {what.replace('_', ' ')} [{UNITS[what][0]}]"


def page(route: Route, cable: str, message: str, cables: bool) -> str:
    """The results as HTML. cables: false as long as nobody has said where they go."""
    lines = [f'<div data-taut="said" style="font-weight:700;margin-bottom:0.4em">{escape(message)}</div>'] * bool(
        message
    )
    found = {name: of(route, name) for name in route.harness.cables} if cables else {}
    if cables:
        lines += [_table(cable, found[cable]), _others(cable, found)]
        told = list(notes(route))
        told += [f"{name} clearance {near}" for name in route.plugs if (near := plug_clearance(route, name))]
        lines += [f'<div style="opacity:0.75">{escape(line)}</div>' for line in told]
    judged = [one.passed for each in found.values() for one in each if one.passed is not None]
    # read by bar.js, too
    counts = f'data-taut="studio" data-asked="{len(judged)}" data-broken="{judged.count(False)}"'
    return f'<div {counts} style="padding:0.2em 1em;font-size:0.8em;line-height:1.35">{"".join(lines)}</div>'


def _table(cable: str, found: list[Finding]) -> str:
    lines = "".join(_line(one, "") for one in found)
    return f'<b>{escape(cable)}</b><table data-taut="results" style="border-spacing:0">{lines}</table>'


def _line(one: Finding, when: str) -> str:
    """A measure beside its limit, and when it is so."""
    value, limit, verdict = one.shown()
    limit = limit.replace("at least", "≥").replace("at most", "≤")
    cells = (one.what.replace("_", " "), " ".join(word for word in (value, one.where, when) if word), limit)
    row = "".join(f'<td style="{CELL}">{escape(cell)}</td>' for cell in cells)
    return f'<tr data-taut="{one.what}">{row}<td style="{CELL}">{_verdict(verdict)}</td></tr>'


def worst_of(rows: list[Row]) -> str:
    """The worst of a motion as HTML: a table for each cable."""
    cables = dict.fromkeys(one.cable for one, _ in rows)
    tables = [
        f'<b>{escape(cable)}</b><table data-taut="worst" style="border-spacing:0">'
        f"{''.join(_line(one, when) for one, when in rows if one.cable == cable)}</table>"
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
        verdict = FAIL if broken else PASS if asked else ""
        lines.append(f'<div data-taut="other">{escape(name)} {_verdict(verdict) or "no limits"} {escape(broken)}</div>')
    return "".join(lines)


def _verdict(verdict: str) -> str:
    return f'<b style="color:{COLOURS[verdict]}">{verdict}</b>' if verdict else ""
