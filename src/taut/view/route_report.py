"""The report of a route: limits passed or failed, a picture from three sides, the course of a motion; one HTML page."""

from __future__ import annotations

import base64
import html
import io
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.judging import Row, kept, notes, rows
from taut.cables.rod.limits import UNITS
from taut.cables.rod.motion import Cycle
from taut.cables.rod.route import Route
from taut.cables.rod.tolerance import Spread
from taut.cables.rod.touch import outline

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #1c2733 }
table { border-collapse: collapse; font-size: 14px } th, td { text-align: left; padding: .3em .8em }
tr { border-bottom: 1px solid #d8dee4 } .pass { color: #1a7f37 } .FAIL { color: #fff; background: #cf222e } img { max-width: 100% }
"""


def write_report(route: Route, file: str | Path, cycle: Cycle | None = None, spread: Spread | None = None) -> bool:
    """Write the page; returns whether every limit is kept."""
    found = rows(route, cycle, spread)
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(route.name)}</title><style>{STYLE}</style>",
        f"<h1>{html.escape(route.name)}</h1><p>{_verdict(found)}</p>",
        _table(found),
        *(f"<p>{html.escape(line)}</p>" for line in notes(route)),
        f"<h2>Shape</h2>{_image(_shape_figure(route, cycle, spread))}",
    ]
    if cycle is not None:
        parts.append(f"<h2>Motion</h2><p>{len(cycle.times)} frames.</p>{_image(_motion_figure(cycle))}")
    if spread is not None:
        lines = "".join(f"<li>{html.escape(name)}: {1e3 * off:.1f} mm</li>" for name, off in spread.farthest.items())
        lines += "".join(f"<li>no equilibrium: {html.escape(text)}</li>" for text in spread.failed)
        parts.append(f"<h2>Tolerances</h2><p>Farthest from the nominal shape:</p><ul>{lines}</ul>")
    Path(file).write_text("\n".join([*parts, "</html>", ""]), encoding="utf-8")
    return kept(found)


def _verdict(found: list[Row]) -> str:
    """How it stands with the limits, in words."""
    if any(one.passed is False for one, _ in found):
        return "Limits are broken."
    return "Every limit is kept." if any(one.passed for one, _ in found) else "No limits are set."


def _table(found: list[Row]) -> str:
    asked = any(when for _, when in found)
    head = "".join(
        f"<th>{word}</th>" for word in ("cable", "what", "value", "where", *(["when"] if asked else []), "limit", "")
    )
    lines = []
    for one, when in found:
        value, limit, verdict = one.shown()
        cells = [one.cable, one.what.replace("_", " "), value, one.where, *([when] if asked else []), limit]
        cells_html = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        lines.append(f"<tr>{cells_html}<td class='{verdict}'>{verdict}</td></tr>")
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def _shape_figure(route: Route, cycle: Cycle | None, spread: Spread | None) -> Any:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.2), layout="constrained")
    views = (("top", 0, 1), ("side", 0, 2), ("front", 1, 2))
    for axis, (title, a, b) in zip(figure.subplots(1, 3), views):
        for name in route.shapes:
            for edge in outline(route.harness, name):
                axis.plot(1e3 * edge[:, a], 1e3 * edge[:, b], color="#9aa5b1", linewidth=0.6)
        others = cycle.shapes if cycle is not None else spread.shapes if spread is not None else {}
        for shapes in others.values():
            for points in shapes[:: max(1, len(shapes) // 40)]:
                axis.plot(1e3 * points[:, a], 1e3 * points[:, b], color="#f0b35a", linewidth=0.4)
        for name, cable in route.harness.cables.items():
            points = 1e3 * cable.points
            axis.plot(points[:, a], points[:, b], linewidth=2.0, label=name)
        axis.set_title(title)
        axis.set_xlabel(f"{'xyz'[a]} [mm]")
        axis.set_ylabel(f"{'xyz'[b]} [mm]")
        axis.set_aspect("equal", adjustable="datalim")
        axis.grid(True, alpha=0.3)
    figure.axes[0].legend(fontsize="small")
    return figure


def _motion_figure(cycle: Cycle) -> Any:
    from matplotlib.figure import Figure

    whats = [what for what in UNITS if any(key[1] == what for key in cycle.history) and what != "length"]
    figure = Figure(figsize=(12, 2.0 * len(whats)), layout="constrained")
    for axis, what in zip(np.atleast_1d(figure.subplots(len(whats), 1, sharex=True)), whats):
        unit, factor = UNITS[what]
        for (cable, other), values in cycle.history.items():
            if other == what:
                axis.plot(cycle.times, factor * np.minimum(np.array(values), 1e4), label=cable)
        axis.set_ylabel(f"{what.replace('_', ' ')} [{unit}]")
        axis.grid(True, alpha=0.3)
        axis.legend(fontsize="x-small")
    figure.axes[-1].set_xlabel("time [s]")
    return figure


def _image(figure: Any) -> str:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110)
    return f"<img alt='' src='data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}'>"
