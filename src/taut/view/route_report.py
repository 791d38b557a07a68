"""The report of a route: limits passed or failed, what was solved, pictures from three sides and in perspective, the course of a motion; one HTML page."""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterable
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from taut import __version__
from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import multiply, rotate
from taut.cables.rod.judging import Row, kept, notes, rows, touches, verdict
from taut.cables.rod.jumps import told
from taut.cables.rod.limits import LIMITS, NOTHING, UNITS
from taut.cables.rod.motion import Cycle
from taut.cables.rod.proportion import folds, odd
from taut.cables.rod.route import Route
from taut.cables.rod.silhouette import flanks
from taut.cables.rod.tolerance import Spread
from taut.cables.rod.touch import solid_mesh
from taut.cables.rod.values import sized
from taut.view.route_kinds import OTHER, kind_of
from taut.view.route_picture import draw

#: what a route is called that nobody has given a name
UNNAMED = "route"
#: width of a view [inch], free room around what it shows, and how narrow it may be, as shares of it
VIEW, MARGIN, NARROW = 6.3, 0.05, 0.4
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 70em; padding: 0 1em; color: #1c2733 }
table { border-collapse: collapse; font-size: 14px } th, td { text-align: left; padding: .3em .8em }
tr { border-bottom: 1px solid #d8dee4 } .pass { color: #1a7f37 } .not-judged { color: #b35c00 } .FAIL { color: #fff; background: #cf222e } img { max-width: 100% }
"""


def write_report(route: Route, file: str | Path, cycle: Cycle | None = None, spread: Spread | None = None) -> bool:
    """Write the page; returns whether every limit is kept."""
    found = rows(route, cycle, spread)
    parts = [
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{html.escape(title(route))}</title><style>{STYLE}</style>",
        f"<h1>{html.escape(title(route))}</h1><p>{_made(route)}</p><p>{html.escape(verdict(found))}</p>",
        _table(found),
        *(
            f"<p>{html.escape(line)}</p>"
            for line in (*odd(route), *folds(found, route), *_touching(route, cycle), *notes(route))
        ),
        f"<h2>Cables</h2>{_cables(route)}<h2>Ends and clips</h2>{_held(route)}",
        f"<h2>Shape</h2>{_image(_shape_figure(route, cycle, spread))}",
    ]
    if cycle is not None:
        jumps = "".join(f"<p>{html.escape(line)}.</p>" for line in told(cycle.jumps))
        parts.append(
            f"<h2>Motion</h2><p>{html.escape(_frames(cycle))}</p>{jumps}{_image(_motion_figure(route, cycle))}"
        )
    if spread is not None:
        lines = "".join(f"<li>{html.escape(name)}: {1e3 * off:.1f} mm</li>" for name, off in spread.farthest.items())
        lines += "".join(f"<li>no equilibrium: {html.escape(text)}</li>" for text in spread.failed)
        parts.append(f"<h2>Tolerances</h2><p>Farthest from the nominal shape:</p><ul>{lines}</ul>")
    Path(file).write_text("\n".join([*parts, "</html>", ""]), encoding="utf-8")
    return kept(found)


def _touching(route: Route, cycle: Cycle | None) -> list[str]:
    """What is touched; of a motion only in the shape that is drawn thick."""
    where = "" if cycle is None else "In the shape drawn in full below, not over the motion: "
    return [f"{where}{line}" for line in touches(route)]


def _frames(cycle: Cycle) -> str:
    """Which motion it was."""
    return (
        f"{cycle.name}: " * bool(cycle.name)
        + f"{len(cycle.times)} frames, {cycle.times[0]:g} to {cycle.times[-1]:g} s."
    )


def _table(found: list[Row]) -> str:
    asked = any(when for _, when in found)
    head = "".join(
        f"<th>{word}</th>" for word in ("cable", "what", "value", "where", *(["when"] if asked else []), "limit", "")
    )
    lines = []
    for one, when in found:
        value, limit, passed = one.shown()
        cells = [one.cable, one.what.replace("_", " "), value, one.where, *([when] if asked else []), limit]
        cells_html = "".join(f"<td>{html.escape(cell)}</td>" for cell in cells)
        lines.append(f"<tr>{cells_html}<td class='{passed.replace(' ', '-')}'>{passed}</td></tr>")
    return f"<table><tr>{head}</tr>{''.join(lines)}</table>"


def _made(route: Route) -> str:
    """Of what, with what and when."""
    when = datetime.now().astimezone().strftime("%Y-%m-%d %H:%M %Z")
    called = (
        f"Route {route.file or route.name}" if route.file or route.name != UNNAMED else "A route that was not saved"
    )
    return html.escape(f"{called}, taut {__version__}, {when}.")


def title(route: Route) -> str:
    """What a route is called: by its file where it has no name of its own."""
    return route.name if route.name != UNNAMED or not route.file else Path(route.file).stem


def _cells(head: Iterable[str], lines: Iterable[Iterable[str]]) -> str:
    """A table of text."""
    top = "".join(f"<th>{html.escape(word)}</th>" for word in head)
    rest = "".join(f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in line)}</tr>" for line in lines)
    return f"<table><tr>{top}</tr>{rest}</table>"


def _cables(route: Route) -> str:
    """Length, section and material of each cable, as the file gives them."""
    lines = []
    for name, one in route.data["route"]["cables"].items():
        section = ", ".join(f"{key} {_plain(value)}" for key, value in (one.get("section") or {}).items())
        words = ("E", "nu", "G", "EI", "GJ", "density", "mass_per_length", "rest_curvature", "rest_twist")
        called = [str(one["material"])] if one.get("material") else []
        material = ", ".join(
            called + [f"{word.replace('_', ' ')} {_plain(one[word])}" for word in words if word in one]
        )
        length = sized(round(route.harness[name].length, 6)) + (" (found)" if one["length"] == "auto" else "")
        lines.append((name, length, section or f"radius {sized(route.harness[name].radius)}", material))
    return _cells(("cable", "length", "section", "material"), lines)


def _plain(value: Any) -> str:
    """A value as written; long lists are cut."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_plain, value[:4]))}{', ...' if len(value) > 4 else ''}]"
    return f"{value:g}" if isinstance(value, float) else str(value)


def _held(route: Route) -> str:
    """Where each end and clip is, which way it points and what holds it."""
    lines = []
    for name, cable in route.harness.cables.items():
        points, chain = cable.points, cable._chain
        ways = np.diff(points, axis=0)
        for side, (word, k) in enumerate((("start", 0), ("end", -1))):
            body = route.harness._net.asked.bodies[chain.bodies[side]]
            held = rotate(multiply(body.frame, chain.frames[side]), np.array([0.0, 0.0, 1.0]))
            way = held if chain.held[side] == CLAMPED else ways[k]
            lines.append(
                (
                    name,
                    word,
                    sized(0.0 if k == 0 else round(cable.length, 6)),
                    *_pose(points[k], way),
                    _end(route, body.name, chain.held[side]),
                )
            )
        written = route.data["route"]["cables"][name].get("clips") or []
        for (word, number), given in zip(route.clips[name].items(), written):
            clip, s = chain.clips[number], cable.clip_arc(number)
            away = rotate(clip.frame, np.array([0.0, 0.0, 1.0]))
            release = given.get("release", "fixed")
            how = kind_of(release)
            if how == OTHER:
                how = release if isinstance(release, str) else ", ".join(release)
            lines.append((name, word, sized(round(s, 5)), *_pose(clip.point, away), how))
    return _cells(("cable", "what", "s", "x, y, z [mm]", "direction", "held"), lines)


def _end(route: Route, body: str, held: str) -> str:
    """What holds an end, in words: a branch goes where its cables pull it."""
    for word, called in (("branches", "branch"), ("connectors", "connector")):
        if body in (route.data["route"].get(word) or {}):
            return f"on {called} {body}"
    return held


def _pose(point: Any, way: Any) -> tuple[str, str]:
    along = np.asarray(way) / np.linalg.norm(way)
    return (
        ", ".join(f"{round(1e3 * x, 2) + 0.0:g}" for x in np.asarray(point).tolist()),
        ", ".join(f"{round(x, 3) + 0.0:g}" for x in along.tolist()),
    )


def _shape_figure(route: Route, cycle: Cycle | None, spread: Spread | None) -> Any:
    from matplotlib.collections import LineCollection
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    grid = figure.add_gridspec(2, 2)
    views = (("top", 0, 1, 2), ("side", 0, 2, 1), ("front", 1, 2, 0))
    others = cycle.shapes if cycle is not None else spread.shapes if spread is not None else {}
    flat = [figure.add_subplot(grid[place]) for place in ((0, 0), (1, 0), (1, 1))]
    for axis, (title, a, b, depth) in zip(flat, views):
        for name, shape in route.shapes.items():
            target = route.harness._obstacle(name)
            vertices, faces = solid_mesh(shape)
            world = 1e3 * (target.point + rotate(target.frame, vertices))
            lines = [edge[:, (a, b)] for edge in flanks(world, faces, depth)]
            axis.add_collection(LineCollection(lines, colors="#7c8896", linewidths=0.8), autolim=True)
            middle = 0.5 * (world.min(axis=0) + world.max(axis=0))
            axis.text(
                middle[a], middle[b], name, color="#57626e", fontsize="x-small", ha="center", va="center", clip_on=True
            )
        for shapes in others.values():
            for points in shapes[:: max(1, len(shapes) // 40)]:
                axis.plot(1e3 * points[:, a], 1e3 * points[:, b], color="#f0b35a", linewidth=0.4)
        for k, (name, cable) in enumerate(route.harness.cables.items()):
            points, radius = 1e3 * cable.points, 1e3 * cable.radius
            _hose(axis, points[:, (a, b)], radius, f"C{k}", name)
            for word, number in route.clips[name].items():
                clip = 1e3 * cable._chain.clips[number].point
                axis.plot(clip[a], clip[b], marker="s", markersize=5, color="black", markerfacecolor=f"C{k}")
                axis.annotate(word, (clip[a], clip[b]), (4, 4), textcoords="offset points", fontsize="x-small")
        axis.set_title(title)
        axis.set_xlabel(f"{'xyz'[a]} [mm]")
        axis.set_ylabel(f"{'xyz'[b]} [mm]")
        axis.grid(True, alpha=0.3)
    # a length is as long in each of the views: all of them show as much
    wide, high = (
        (1.0 + 2.0 * MARGIN) * max(getattr(axis.dataLim, word) for axis in flat) for word in ("width", "height")
    )
    wide, high = max(wide, NARROW * high), max(high, NARROW * wide)
    for axis in flat:
        x, y = (0.5 * (low + high_end) for low, high_end in zip(axis.dataLim.min, axis.dataLim.max))
        axis.set(xlim=(x - 0.5 * wide, x + 0.5 * wide), ylim=(y - 0.5 * high, y + 0.5 * high), aspect="equal")
    figure.set_size_inches(2.0 * VIEW + 1.5, 2.0 * VIEW * high / wide + 1.5)
    picture = figure.add_subplot(grid[0, 1], projection="3d")
    draw(picture, route, others, {name: f"C{k}" for k, name in enumerate(route.harness.cables)})
    picture.set_title("in perspective")
    flat[0].legend(fontsize="small")
    return figure


def _hose(axis: Any, line: Any, radius: float, colour: str, name: str) -> None:
    """A cable as thick as it is, around its centreline [mm]."""
    from matplotlib.collections import PatchCollection
    from matplotlib.patches import Circle, Polygon

    if radius > 0.0:
        patches: list[Any] = [Circle((x, y), radius) for x, y in line]
        for here, there in pairwise(line):
            way = there - here
            size = float(np.hypot(*way))
            if size > 0.0:
                across = radius / size * np.array([-way[1], way[0]])
                patches.append(Polygon([here + across, there + across, there - across, here - across]))
        # pale instead of transparent: what overlaps would show
        axis.add_collection(
            PatchCollection(patches, facecolors=_pale(colour), edgecolors="none", zorder=2), autolim=True
        )
    axis.plot(line[:, 0], line[:, 1], linewidth=1.2, color=colour, label=name, zorder=3)


def _pale(colour: str) -> tuple[float, ...]:
    """A colour mixed with white."""
    from matplotlib.colors import to_rgb

    return tuple(0.55 + 0.45 * part for part in to_rgb(colour))


def _motion_figure(route: Route, cycle: Cycle) -> Any:
    from matplotlib.figure import Figure

    colours = {name: f"C{k}" for k, name in enumerate(route.harness.cables)}
    whats = [what for what in UNITS if any(key[1] == what for key in cycle.history) and what != "length"]
    figure = Figure(figsize=(12, 2.0 * len(whats)), layout="constrained")
    for axis, what in zip(np.atleast_1d(figure.subplots(len(whats), 1, sharex=True)), whats):
        unit, factor = UNITS[what]
        for (cable, other), values in cycle.history.items():
            if other == what:
                axis.plot(
                    cycle.times, factor * np.minimum(np.array(values), 1e4), label=cable, color=colours.get(cable)
                )
        # numbers as they are: an offset above the axis is overlooked, and round-off of a constant is no course
        axis.ticklabel_format(axis="y", style="plain", useOffset=False)
        low, high = axis.dataLim.intervaly.tolist()
        least = max(1e-3 * max(abs(low), abs(high)), factor * NOTHING[LIMITS[what][0]])
        if high - low < least:
            axis.set_ylim(0.5 * (low + high) - least, 0.5 * (low + high) + least)
        axis.set_ylabel(f"{what.replace('_', ' ')} [{unit}]")
        axis.grid(True, alpha=0.3)
        axis.legend(fontsize="x-small")
    figure.axes[-1].set_xlabel("time [s]")
    return figure


def _image(figure: Any) -> str:
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110)
    return f"<img alt='' src='data:image/png;base64,{base64.b64encode(data.getvalue()).decode()}'>"
