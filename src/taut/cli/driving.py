"""Controls of a run from the command line: one value each, or a table over time."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer

Drive = Callable[[Any], None]


class _Row(NamedTuple):
    """From a time on [s], these controls have these values."""

    time: float
    values: dict[str, float]


def drive_of(sim: Any, settings: Sequence[str], table: Path | None) -> Drive | None:
    """What sets the controls of `sim`, or of another simulation of its scene, before every step; None where nothing does."""
    rows = [_Row(-math.inf, dict(_setting(sim, text) for text in settings))] if settings else []
    if table is not None:
        rows += _read(sim, table)
    if not rows:
        return None

    def drive(running: Any) -> None:
        # a value holds until the next row; half a step of grace, as times of steps are sums
        now = running.time + 0.5 * running.dt
        for row in rows:
            if row.time <= now:
                for name, value in row.values.items():
                    running.controls[name] = value

    return drive


def _setting(sim: Any, text: str) -> tuple[str, float]:
    name, equals, value = text.partition("=")
    if not equals:
        raise typer.BadParameter(f"{text!r}: expected NAME=VALUE, e.g. hoist.speed=0.5", param_hint="--control")
    found = _control(sim, name.strip(), "--control")
    return found, _value(sim, found, value, "--control")


def _control(sim: Any, name: str, hint: str) -> str:
    """A control by its name, or by its element where that has one alone for its motion: hoist is hoist.speed."""
    names = list(sim.controls)
    for full in (name, f"{name}.speed", f"{name}.position"):
        if full in names:
            return full
    raise typer.BadParameter(f"no control {name!r}; controls: {', '.join(names) or 'none'}", param_hint=hint)


def _value(sim: Any, name: str, text: str, hint: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise typer.BadParameter(f"{name}: {text!r} is not a number in {sim.controls.unit(name)}", param_hint=hint)
    return value


def _read(sim: Any, path: Path) -> list[_Row]:
    """Rows of a CSV file: a column `time` [s], and a column for each control; an empty cell leaves a control as it is."""
    hint = "--controls"
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            lines = [line for line in csv.reader(file) if any(cell.strip() for cell in line)]
    except (OSError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{path}: cannot be read: {error}", param_hint=hint) from None
    if not lines or lines[0][0].strip().partition(" ")[0] != "time":
        raise typer.BadParameter(f"{path}: expected a first line such as time,hoist.speed", param_hint=hint)
    # a heading may have its unit behind it, as in tables that `taut export` writes
    names = [_control(sim, cell.strip().partition(" ")[0].removeprefix("controls/"), hint) for cell in lines[0][1:]]
    rows: list[_Row] = []
    for number, line in enumerate(lines[1:], 2):
        place = f"{hint} {path}, line {number}"
        if len(line) != len(names) + 1:
            raise typer.BadParameter(f"expected {len(names) + 1} cells, there are {len(line)}", param_hint=place)
        try:
            time = float(line[0])
        except ValueError:
            time = math.nan
        if not math.isfinite(time) or (rows and time <= rows[-1].time):
            raise typer.BadParameter(f"{line[0]!r}: expected times that rise [s]", param_hint=place)
        cells = {name: _value(sim, name, cell, place) for name, cell in zip(names, line[1:]) if cell.strip()}
        rows.append(_Row(time, cells))
    return rows
