"""Text of the panel: the title, the clock and the health of the run, as HTML.

Everything that comes from a scene is escaped. `data-taut` names the values for whoever reads the page by script.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

import numpy as np

from taut.measure.waves import MOST_SAG
from taut.scene import Scene
from taut.view.axes import NOTHING
from taut.view.colours import HOT, SLACK, WARM, as_bytes
from taut.view.curves import STRAIGHT
from taut.view.frame import SAG, Frame, Progress, Sides
from taut.view.runner import Status
from taut.view.tries import Try

#: from then on it is said that something is compiled [s]
COMPILING = 3.0
#: share of the wanted speed below which it is said that the machine is too slow
LATE = 0.85
_SMALL = "font-size:0.72rem;opacity:0.65"
_AMBER = ("upper_limit", "lower_limit", "slack", "load_warning")
#: marks of Markdown within a text; a star with a space behind it is a star
_CODE, _STRONG = re.compile(r"`([^`\n]+)`"), re.compile(r"\*\*(\S(?:[^*]*\S)?)\*\*")
_STRESSED, _PARTED = re.compile(r"(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])"), re.compile(r"\n\s*\n")
_WORDS = {
    "starting": "starting",
    "running": "real time",
    "paused": "paused",
    "ended": "at the end",
    "failed": "stopped",
}


def title(scene: Scene, source: str) -> str:
    """Name and first sentence of the scene, and its file if it is one's own; what to do in it unfolds."""
    name = escape(scene.name or source)
    first, _, rest = (part.strip() for part in scene.description.strip().partition("\n"))
    look = f"{_SMALL};line-height:1.35;margin-top:0.15rem"
    # the rest says what to do: a summary that unfolds, so that the controls stay within reach
    about = f'<div style="{look}">{marked(first)}</div>' if first else ""
    if rest:
        told = f'<summary style="cursor:pointer">what to do here</summary>{marked(rest)}'
        about += f'<details data-taut="task" style="{look}">{told}</details>'
    if not scene.all_bodies() and not scene.cables:
        about += f'<div style="{look}">There is nothing in this scene: give it bodies and cables, or choose another one with <i>Scenes</i>.</div>'
    head = f'<div data-taut="title" style="font-size:1.05rem;font-weight:600">{name}</div>'
    if scene.name and Path(source).suffix:
        head += f'<div data-taut="source" style="{_SMALL}">{escape(Path(source).name)}</div>'
    return f'<div style="padding:0.2rem 0.9rem 0.5rem 0.7rem">{head}{about}</div>'


def marked(text: str) -> str:
    """Words of a scene as HTML: `code`, **strong** and *stressed* as in Markdown, a line that is left empty parts them."""
    found = _CODE.sub(r"<code>\1</code>", escape(text, quote=False))
    found = _STRONG.sub(r"<b>\1</b>", found)
    return _PARTED.sub("<br>", _STRESSED.sub(r"<i>\1</i>", found))


def clock(frame: Frame, status: Status) -> str:
    """Simulated time and real-time factor."""
    if status.phase == "running" and status.factor is not None:
        pace = f'<span data-taut="factor">{status.factor:.2f}</span>&thinsp;× real time'
        if status.factor < LATE * status.speed:
            pace += '<div data-taut="late" style="color:#7a4b00;font-size:0.72rem">this machine cannot keep up</div>'
    else:
        pace = f'<span data-taut="phase">{"replay" if status.replays else _WORDS[status.phase]}</span>'
    return (
        '<div style="padding:0 0.9rem 0.5rem 0.7rem;font-variant-numeric:tabular-nums">'
        '<div style="display:flex;justify-content:space-between;align-items:baseline">'
        f'<div style="font-size:1.5rem;font-weight:600"><span data-taut="time" data-run="{status.run}">{fixed(frame.time, 2)}</span>'
        f'<span style="font-size:0.9rem;font-weight:400"> s</span></div>'
        f'<div style="font-size:0.85rem">{pace}</div></div></div>'
    )


def health(frame: Frame, status: Status) -> str:
    """How the solver fares, below what a machine tells."""
    redone = frame.readings.get("step.redone")
    cells = [
        ("steps", f"{frame.step:,}".replace(",", "\u202f"), "steps", ""),
        ("time per step", duration(status.cost), "cost", "what one step costs on this machine"),
    ]
    if redone is not None:
        cells.append(("steps repeated", f"{redone:.0f}", "redone", "steps whose result could not be trusted at first"))
    if "residual.relative" in frame.readings:
        residual = frame.readings["residual.relative"]
        text = f"{residual:.0e}" if residual else "0"
        cells.append(
            (
                "solver error",
                text,
                "residual",
                "largest miss of the solver in this step, relative to the forces: the residual",
            )
        )
    if SAG in frame.readings:
        ratio = frame.readings[SAG]
        mark = " \u26a0" if ratio > MOST_SAG else ""
        cells.append(("sag / span", f"{ratio:.3f}{mark}", "sag", f"beyond {MOST_SAG:g} use model: segmented or auto"))
    table = "".join(_cell(*cell) for cell in cells)
    grid = "display:grid;grid-template-columns:1fr 1fr;gap:0.1rem 1.1rem"
    return f'<div style="padding:0 0.9rem 0.5rem 0.7rem;font-variant-numeric:tabular-nums;{grid}">{table}</div>'


def machines(frame: Frame) -> str:
    """A line for every winch: what it pulls, rope out, the share of what is rated, and its lamps."""
    lines = []
    for name, machine in frame.machines.items():
        lamps = "".join(_lamp(name, signal) for signal in machine.signals)
        share = ""
        if machine.share is not None:
            share = f'<span data-taut="share-{escape(name, quote=True)}">{fixed(100.0 * machine.share, 0)} % of rated load</span>'
        if machine.pull is not None and machine.out is not None:
            key = escape(name, quote=True)
            share = (
                f'<span data-taut="pull-{key}">{newtons(machine.pull)}</span> at the drum, '
                f'<span data-taut="out-{key}">{fixed(machine.out, 2)} m</span> out{", " if share else ""}{share}'
            )
        if machine.load is not None:
            tip = 'title="what the rope carries there, the hook block included"'
            key = escape(name, quote=True)
            share += f', <span data-taut="load-{key}" {tip}>{fixed(1e-3 * machine.load, 2)} t</span> on the hook'
        if machine.sheave is not None:
            share = _sheave(escape(name, quote=True), machine.sheave)
        if lamps or share:
            label = escape(name.replace("_", " "))
            lines.append(f'<div><span style="opacity:0.65">{label}</span> {share} {lamps}</div>')
    look = "padding:0 0.9rem 0.5rem 0.7rem;font-size:0.78rem;line-height:1.6;font-variant-numeric:tabular-nums"
    return f'<div style="{look}">{"".join(lines)}</div>' if lines else ""


def _sheave(key: str, sides: Sides) -> str:
    """Tension on both sides of a driven sheave, and how near the rope is to slipping in its groove."""
    where = [f"to the {body.replace('_', ' ')}" if body else "on the other side" for body in sides.bodies]
    told = [
        f'<span data-taut="side-{key}-{k}">{newtons(pull)}</span> {escape(side)}'
        for k, (side, pull) in enumerate(zip(where, sides.tensions))
    ]
    grip = f"{fixed(100.0 * sides.grip, 0)} %" if sides.grip < 9.995 else "all"
    tip = "the rope slips in the groove when the ratio of both tensions reaches exp(friction × wrap)"
    return f'{", ".join(told)}, <span data-taut="grip-{key}" title="{tip}">{grip}</span> of its grip'


def _lamp(name: str, signal: str) -> str:
    """A signal that is on: amber for what warns, red for what stops or fails."""
    back, ink = ("#fff3d6", "#7a4b00") if signal in _AMBER else ("#fdecea", "#7a1f16")
    look = f"background:{back};color:{ink};border-radius:4px;padding:0.05rem 0.35rem;margin-right:0.2rem;white-space:nowrap"
    key = escape(f"{name}.{signal}", quote=True)
    return f'<span data-taut="signal-{key}" style="{look}">{escape(signal.replace("_", " "))}</span>'


def _cell(name: str, value: str, key: str, tip: str) -> str:
    about = f' title="{escape(tip, quote=True)}"' if tip else ""
    return (
        f'<div{about} style="display:flex;justify-content:space-between;font-size:0.72rem">'
        f'<span style="opacity:0.65">{name}</span><span data-taut="{key}">{value}</span></div>'
    )


def values(told: Sequence[tuple[str, str, str]], colours: Sequence[str]) -> str:
    """Chosen quantities now, each with its name, its value and its unit: the latest choice in figures that can be read from afar."""
    *others, (_, text, unit) = told
    rows = "".join(
        f'<div style="font-size:0.78rem"><span style="color:{colour}">\u25a0</span> {escape(name)} '
        f'<span data-taut="also" style="float:right">{escape(number)} {escape(of)}</span></div>'
        for (name, number, of), colour in zip(others, colours)
    )
    mark = f'<span style="font-size:0.78rem;color:{colours[len(others)]}">\u25a0 </span>' if others else ""
    return (
        '<div style="padding:0 0.9rem 0.2rem 0.7rem;font-variant-numeric:tabular-nums">'
        f'<div style="font-size:1.15rem;font-weight:600">{mark}<span data-taut="value">{escape(text)}</span>'
        f'<span style="font-size:0.85rem;font-weight:400"> {escape(unit)}</span></div>{rows}</div>'
    )


def heading(text: str) -> str:
    """What a chart shows."""
    return f'<div style="padding:0.1rem 0.9rem 0.2rem 0.7rem;font-size:0.8rem">{escape(text)}</div>'


def legend(highest: float) -> str:
    """The scale of tension, from slack to the largest so far."""
    return _scale("0", newtons(highest), "highest")


def bends(sharpest: float) -> str:
    """The scale of bend, from straight to the smallest radius so far."""
    return _scale("straight", f"radius {metres(1.0 / sharpest)}" if sharpest > STRAIGHT else "straight", "sharpest")


def shares(usual: float) -> str:
    """The scale of tension as a share of the breaking load, with a mark at what is usual."""
    return _scale("0", "100 % of the breaking load", "share", (usual, f"{100.0 * usual:.0f} %: usual for hoisting"))


def _scale(low: str, high: str, key: str, mark: tuple[float, str] | None = None) -> str:
    stops = ",".join("#{:02x}{:02x}{:02x}".format(*as_bytes(colour)) for colour in (SLACK, WARM, HOT))
    bar = f"height:0.55rem;border-radius:3px;background:linear-gradient(90deg,{stops})"
    middle, line = "", ""
    if mark is not None:
        at = f"left:{100.0 * mark[0]:.0f}%;width:2px;top:-0.15rem;bottom:-0.15rem;background:#1c2733"
        line, middle = f'<div style="position:absolute;{at}"></div>', f"<span>{escape(mark[1])}</span>"
    ends = f'<span>{escape(low)}</span>{middle}<span data-taut="{key}">{escape(high)}</span>'
    return (
        f'<div style="padding:0 0.9rem 0.4rem 0.7rem"><div style="position:relative;{bar}">{line}</div>'
        f'<div style="display:flex;justify-content:space-between;{_SMALL}">{ends}</div></div>'
    )


def longest(highest: float) -> str:
    """What the longest arrow stands for."""
    if highest <= 0.0:
        return f'<div style="padding:0 0.9rem 0.4rem 0.7rem;{_SMALL}">no contact and no joint bears a force here</div>'
    return (
        f'<div style="padding:0 0.9rem 0.4rem 0.7rem;{_SMALL}">'
        '<span style="color:#e8590c">■</span> contact <span style="color:#1864ab">■</span> joint · '
        f'longest arrow <span data-taut="longest">{escape(newtons(highest))}</span></div>'
    )


def reading(text: str, live: bool = True, ropes: bool = True) -> str:
    """What the cursor reads, as markup that is escaped already, and how to use it. `live`: whether it can be pulled, which nothing can in
    a recording; `ropes`: whether there are any."""
    what = "a rope or a body" if ropes else "a body"
    pull = "Drag its mark, or drag with Ctrl, to pull." if live else ""
    if text:
        shown = f'<div data-taut="reading">{text}</div><div style="{_SMALL}">{pull}</div>'
    else:
        shown = f"Click {what} to read and plot it. {pull}"
    return f'<div style="padding:0.1rem 0.9rem 0.4rem 0.7rem;font-size:0.8rem">{shown}</div>'


def places(name: str, more: str, points: Mapping[str, np.ndarray]) -> str:
    """Points of a body with their coordinates, in a table."""
    cell = '<td style="text-align:right;padding-left:0.6rem;font-variant-numeric:tabular-nums">'
    rows = "".join(
        f'<tr data-taut="{key.replace(" ", "-")}"><td>{key}</td>'
        + "".join(f"{cell}{fixed(part, 2)}</td>" for part in point)
        + "</tr>"
        for key, point in points.items()
    )
    head = f'<tr style="{_SMALL}"><td></td>' + "".join(f"{cell}{axis} [m]</td>" for axis in "xyz") + "</tr>"
    return f"<b>{escape(name)}</b> {escape(more)}<table>{head}{rows}</table>"


def about(text: str) -> str:
    """What a field is, beneath it."""
    return f'<div data-taut="about" style="padding:0.1rem 0.9rem 0.4rem 0.7rem;{_SMALL}">{escape(text)}</div>'


def trainee_link() -> str:
    """A link to the page for trainees, with the key of the address where it has one."""
    address = "this.href = '?' + [location.search.slice(1), 'trainee'].filter(Boolean).join('&')"
    return (
        f'<div style="padding:0.2rem 0.9rem 0.5rem 0.7rem;{_SMALL}"><a data-taut="trainee" href="?trainee" target="_blank" '
        f'onpointerenter="{address}" onfocus="{address}">Page for a trainee</a>: picture and levers alone</div>'
    )


def changed(what: str, start: str, now: str) -> str:
    """A field that is not as it was at the start."""
    look = "padding:0.3rem 0.9rem 0.1rem 0.7rem;font-size:0.8rem;line-height:1.35"
    values = f'<span style="opacity:0.65">{escape(start) or "not given"}</span> → {escape(now) or "not given"}'
    return f'<div data-taut="changed" style="{look}"><b>{escape(what)}</b><br>{values}</div>'


def models(others: Sequence[tuple[str, str]]) -> str:
    """What a model of a cable is, and why some are not possible."""
    rows = "".join(f"<div><b>{escape(model)}</b>: {escape(reason)}</div>" for model, reason in others)
    known = (
        "massless: tension alone; layered: with sag and waves; segmented: bends, falls slack, touches; auto: chooses."
    )
    return (
        f'<div data-taut="models" style="padding:0.1rem 0.9rem 0.4rem 0.7rem;{_SMALL}">{known}'
        + (f'<div style="margin-top:0.3rem">Not possible here:</div>{rows}' if rows else "")
        + "</div>"
    )


def taken(text: str) -> str:
    """What is recorded, and where."""
    return f'<div data-taut="taken" style="padding:0.1rem 0.9rem 0.4rem 0.7rem;font-size:0.8rem">{escape(text)}</div>'


def exercise(sentence: str, values: Sequence[tuple[str, str]], points: str | None) -> str:
    """An exercise: what to do or what came of it, what was counted, and the points."""
    cells = "".join(_cell(name, escape(text), f"course-{name}", "") for name, text in values)
    grid = "display:grid;grid-template-columns:1fr 1fr;gap:0.1rem 1.1rem"
    told = f'<div data-taut="course">{escape(sentence)}</div>' if sentence else ""
    total = (
        f'<div style="font-size:1.15rem;font-weight:600"><span data-taut="points">{escape(points)}</span> points'
        f'<span style="{_SMALL};font-weight:400"> fewer are better</span></div>'
        if points
        else ""
    )
    return f'<div style="padding:0.1rem 0.9rem 0.4rem 0.7rem;font-size:0.8rem">{told}{total}<div style="{grid}">{cells}</div></div>'


def tries(listed: Sequence[Try], best: Try | None) -> str:
    """Attempts at an exercise, the best one marked."""
    cell = '<td style="text-align:right;padding-left:0.5rem;white-space:nowrap">'
    head = "".join(f"{cell}{name}</td>" for name in ("points", "time", "touches", "sway"))
    rows = "".join(
        f'<tr data-taut="try-{one.number}"{" style=font-weight:600" if one is best else ""}><td>{one.number}</td>'
        f"{cell}{f'{one.points:.1f}' if one.done else '–'}</td>{cell}{one.time:.1f} s</td>{cell}{one.touches}</td>{cell}{one.sway:.2f} m</td>"
        f"<td>{' ★' if one is best else '' if one.done else _broken_off(one)}</td><td>{escape(one.driver)}</td></tr>"
        for one in listed
    )
    look = "padding:0.1rem 0.9rem 0.4rem 0.7rem;font-size:0.75rem;font-variant-numeric:tabular-nums"
    told = f'<tr style="{_SMALL}"><td></td>{head}<td></td></tr>{rows}'
    return f'<div data-taut="tries" style="{look}">Attempts of this session:<table>{told}</table></div>'


def _broken_off(one: Try) -> str:
    return f" {one.missing} gate{'s' if one.missing > 1 else ''} ahead"


def span(row: np.ndarray) -> str:
    """How a span of a layered cable hangs and waves: tension at the top and at the bottom, sag, first natural frequency."""
    upper, lower, sag, frequency = (float(x) for x in row)
    return f"top {newtons(upper)}, bottom {newtons(lower)}, sag {sag + 0.0:.3g} m, {frequency:.3g} Hz"


def fixed(number: float, digits: int) -> str:
    """A number with so many digits behind the point; what is rounded to zero has no sign."""
    return f"{round(float(number), digits) + 0.0:.{digits}f}"


def newtons(force: float) -> str:
    """A force with a fitting unit; round-off is nothing."""
    if abs(force) < NOTHING["N"]:
        return "0 N"
    if force >= 1e9:
        return f"{force / 1e9:.3g} GN"
    if force >= 1e6:
        return f"{force / 1e6:.3g} MN"
    return f"{force / 1e3:.3g} kN" if force >= 1e3 else f"{force + 0.0:.3g} N"


def metres(length: float) -> str:
    """A length with a fitting unit."""
    if length >= 10.0:
        return f"{length:.0f} m"
    return f"{length:.2f} m" if length >= 1.0 else f"{fixed(1e3 * length, 0)} mm"


def duration(seconds: float) -> str:
    """A short time with a fitting unit."""
    if seconds <= 0.0:
        return "–"
    if seconds < 1e-3:
        return f"{1e6 * seconds:.0f} µs"
    return f"{1e3 * seconds:.1f} ms"


def trouble(message: str, advice: str, what: str = "Stopped.") -> str:
    """An error, in the person's words, and what helps. Several of them begin in a line of their own."""
    gap = "\n" if "\n" in message else " "
    return (
        '<div data-taut="error" style="margin:0.2rem 0.7rem 0.6rem;padding:0.5rem 0.7rem;border-radius:4px;'
        'background:#fdecea;color:#7a1f16;font-size:0.8rem;line-height:1.35;white-space:pre-wrap">'
        f"<b>{escape(what)}</b>{gap}{escape(message)}"
        f'<div style="margin-top:0.3rem;opacity:0.8">{escape(advice)}</div></div>'
    )


def preparing(seconds: float, progress: Progress) -> str:
    """What happens before the first step."""
    count = f": {progress.ready} of {progress.total} parts" if progress.total else ""
    # loading takes a second or two; what takes longer is being compiled
    why = "<br>It is compiled once for this machine, then kept." if seconds > COMPILING else ""
    return (
        '<div data-taut="status" style="padding:0.2rem 0.9rem 0.5rem 0.7rem;font-size:0.8rem;line-height:1.35">'
        f'Preparing the solver{count} <span style="opacity:0.65">· {seconds:.0f} s{why}</span></div>'
    )
