"""The closing words of a run."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from taut.record import Figure, Report
from taut.record.statistics import STATISTICS
from taut.record.wording import number, percent, size, with_error
from taut.scene import Scene
from taut.scene.parts import Wheel

_WIDTH = 16
#: parts of the energy that are named, and that are told from zero [-]
_VISIBLE, _ROUND_OFF = 1e-6, 1e-12
#: what moves beside what is there, below which nothing does: the rest is round-off [-]
_AT_REST = 1e-9


def summary(report: Report, recording: Path | None = None) -> list[str]:
    """The run in lines that a person can read."""
    lines = [_headline(report), _steps(report), *_energy(report), *_residuals(report)]
    lines += measure_lines(report.figures)
    if recording is not None and recording.exists():
        lines.append(_line("recording", f"{recording}, {report.frames} frames, {size(recording.stat().st_size)}"))
    return lines


def _line(label: str, text: str) -> str:
    return f"  {label:<{_WIDTH}}{text}".rstrip()


def _headline(report: Report) -> str:
    name = report.scene or "scene"
    text = f"{name}: {number(report.simulated, 's')} simulated"
    if math.isfinite(report.real_time_factor):
        text += f" in {number(report.wall, 's', 3)}, {report.real_time_factor:.3g} x real time"
    if report.first_step > 1.0:
        text += f" (and {number(report.first_step, 's', 3)} to prepare kernels)"
    if report.interrupted:
        text += f"; stopped by Ctrl-C after {report.steps} of {report.steps_asked} steps"
    elif report.stopped:
        text += f"; failed after {report.steps} of {report.steps_asked} steps"
    return text


def _steps(report: Report) -> str:
    made = f"{report.steps} of {number(report.dt, 's')}"
    parts = [made, f"{report.redone} redone", f"{report.second_passes} solved twice"]
    if report.redundant_rows:
        parts.append(f"{report.redundant_rows} rows whose force is not determined")
    if report.mean_step:
        parts.append(f"{number(report.mean_step, 's', 2)} each, worst {number(report.worst_step, 's', 2)}")
    return _line("steps", ", ".join(parts))


def _energy(report: Report) -> list[str]:
    e = report.energy
    parts = {"start": e.start, "supplied": e.supplied, "dissipated": e.dissipated}
    if abs(e.geometric) > _VISIBLE * e.scale:
        parts["taken by geometric stiffness"] = e.geometric
    if abs(e.carried) > _VISIBLE * e.scale:
        parts["brought along by rope handed on"] = e.carried
    parts["end"] = e.end
    account = [
        f"{name} {number(part if abs(part) > _ROUND_OFF * e.scale else 0.0, 'J')}" for name, part in parts.items()
    ]
    if e.scale <= _AT_REST * abs(e.start):
        return [_line("energy", f"{number(e.end, 'J')}, nothing moved")]
    share = f" ({percent(abs(e.remainder), e.scale)} of {number(e.scale, 'J', 3)} moved)" if e.scale else ""
    return [
        _line("energy", ", ".join(account)),
        _line("", f"not accounted for {number(e.remainder, 'J', 2)}{share}"),
    ]


def _residuals(report: Report) -> list[str]:
    cone = f", friction cone {number(report.cone, '-', 2)}" if report.cone else ""
    miss = f"{number(report.residual, '-', 2)} relative, {number(report.residual_speed, 'm/s', 2)}"
    return [
        _line("constraints", f"largest error {number(report.constraint_error, 'm', 2)}"),
        _line("solver", f"largest residual {miss}{cone}"),
    ]


def measure_lines(figures: Sequence[Figure]) -> list[str]:
    """Each measure in words, those of one name together: 'max hoist.tension 14.2 kN +- 0.1, at 3.2 s'."""
    lines: list[str] = []
    steady: dict[str, list[str]] = {}
    together = groupby(figures, key=lambda figure: figure.measure.name)
    groups = [(name, _without_round_off(list(group))) for name, group in together]
    moved = {name.partition("[")[0] for name, members in groups if not _is_steady(members)}
    for name, members in groups:
        if len(members) < len(STATISTICS) - 1:
            lines += [_line("measure", f"{figure.measure.statistic} {name} {_value(figure)}") for figure in members]
        elif _is_steady(members):
            # components of one quantity beside each other, if none of them moved
            whole = name.partition("[")[0]
            steady.setdefault(name if whole in moved else whole, []).append(number(members[-1].value, members[-1].unit))
        else:
            lines.append(_line("measure", name))
            lines += [_line("", f"{figure.measure.statistic:<6}{_value(figure)}") for figure in members]
    width = max((len(name) for name in steady), default=0)
    told = [f"{name:<{width}}  {', '.join(values)}" for name, values in steady.items()]
    return lines + [_line("did not change" if k == 0 else "", text) for k, text in enumerate(told)]


def _is_steady(figures: Sequence[Figure]) -> bool:
    """Whether all that is known of a quantity, its largest, smallest and last value, is one and the same number to the digits
    that are shown. Without error bars: those tell more."""
    values = [figure.value for figure in figures]
    if not all(map(math.isfinite, values)) or any(figure.error is not None for figure in figures):
        return False
    known = {figure.measure.statistic: figure.value for figure in figures}
    same = {number(known[name], figures[0].unit) for name in ("max", "min", "final") if name in known}
    return {"max", "min"} <= known.keys() and len(same) == 1


def _without_round_off(figures: Sequence[Figure]) -> list[Figure]:
    """Figures of one name; what is nothing but round-off, by itself or beside the largest of them, is zero."""
    sizes = [abs(figure.value) for figure in figures if math.isfinite(figure.value)]
    most = max(sizes, default=0.0)
    least = max(_ROUND_OFF, _ROUND_OFF * most)
    return [replace(figure, value=0.0) if abs(figure.value) < least else figure for figure in figures]


def _value(figure: Figure) -> str:
    error = figure.error
    text = number(figure.value, figure.unit) if error is None else with_error(figure.value, error, figure.unit)
    moment = figure.measure.statistic in ("max", "min") and math.isfinite(figure.time)
    return f"{text}, at {figure.time:.4g} s" if moment else text


def wheels(scene: Scene) -> list[str]:
    """Diameter of every wheel over that of its rope, D/d, beside the least that is advised for the rope."""
    lines: list[str] = []
    for name, cable in scene.cables.items():
        found = [
            (part.name or f"part {k}", 2.0 * part.radius / cable.thickness())
            for k, part in enumerate(cable.parts())
            if isinstance(part, Wheel)
        ]
        if not found or (cable.diameter is None and cable.rope is None):
            continue
        advised = cable.rope.data().minimum_sheave_ratio if cable.rope is not None else None
        ratios = ", ".join(f"{part} {ratio:.3g}" for part, ratio in found)
        low = "" if advised is None else f"; advised at least {advised:g}"
        if advised is not None and min(ratio for _, ratio in found) < advised:
            low += ": too small"
        lines.append(f"  D/d of {name}: {ratios}{low}")
    return lines
