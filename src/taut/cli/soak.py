"""taut soak: hours of merciless use, with everything watched that must hold."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.failures import FAILED
from taut.cli.options import Changes


def _positive(value: float | None) -> float | None:
    if value is not None and not (math.isfinite(value) and value > 0.0):
        raise typer.BadParameter(f"{value} is not a time; expected a number above zero")
    return value


def soak(
    scenes: Annotated[
        list[str] | None, typer.Argument(metavar="SCENE", help="Scene files, or names of library scenes.")
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every scene of the library.")] = False,
    hours: Annotated[float, typer.Option(metavar="H", callback=_positive, help="Simulated time [h].")] = 1.0,
    within: Annotated[
        float | None,
        typer.Option(
            metavar="MINUTES",
            callback=_positive,
            help="End a scene when so much time has passed on the clock; its report says how far it came.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of the hand on the controls.")] = 1,
    changes: Changes = None,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Write the report of one scene as JSON.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write a report SCENE.json of every scene there.")
    ] = None,
) -> None:
    """Drive scenes for hours without mercy and watch.

    Slack ropes, snatches, landings, emergency stops, shoves. Watched are the energy account, lengths of rope, residuals,
    limits, memory and bits; the exit code is 1 if anything gives way. Several scenes run one after the other, each in a
    process of its own, so that what one leaves in memory is not counted as another's.
    """
    from taut.scenes import library

    names = [*(scenes or ()), *(library() if every else ())]
    if not names:
        raise typer.BadParameter("no scene; name some, or give --all for every scene of the library")
    if json_file is not None and len(names) > 1:
        raise typer.BadParameter("--json is for one scene; --out DIR writes a file for each of several")
    if out is not None:
        out.mkdir(parents=True, exist_ok=True)
    if len(names) > 1:
        _one_by_one(names, hours, within, seed, changes or [], out)
        return
    targets = [file for file in (json_file, out and out / f"{Path(names[0]).stem}.json") if file]
    _one(names[0], hours, within, seed, changes or [], targets)


def _one(scene: str, hours: float, within: float | None, seed: int, changes: list[str], targets: list[Path]) -> None:
    """Drive one scene, say what came of it and write it to `targets`."""
    from rich.console import Console
    from rich.progress import Progress

    from taut.bench.report import begin
    from taut.record.whole import write_whole
    from taut.scenes import open_scene
    from taut.soak import soak as run

    opened = open_scene(scene, changes)
    seconds = 3600.0 * hours
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"driving {opened.name or scene}", total=seconds)
        limit = None if within is None else 60.0 * within
        report = run(opened, seconds, seed, lambda done: bar.update(task, completed=done), limit)
    for line in report.lines():
        typer.echo(line)
    made = {key: value for key, value in begin().items() if key != "entries"}
    text = json.dumps({**made, **report.plain()}, indent=1) + "\n"
    for target in targets:
        write_whole(target, lambda draft: draft.write_text(text, encoding="utf-8"))
    if not report.passed:
        raise typer.Exit(FAILED)


def _one_by_one(
    names: list[str], hours: float, within: float | None, seed: int, changes: list[str], out: Path | None
) -> None:
    """The same command for each scene in a process of its own; fails at the end if one of them did."""
    options = ["--hours", str(hours), "--seed", str(seed)]
    options += [] if within is None else ["--within", str(within)]
    options += [] if out is None else ["--out", str(out)]
    options += [word for change in changes for word in ("--set", change)]
    lost = []
    for name in names:
        code = subprocess.run([sys.executable, "-m", "taut.cli", "soak", name, *options], check=False).returncode
        if code:
            lost.append(name)
    typer.echo(
        f"{len(names) - len(lost)} of {len(names)} scenes passed" + (f"; not: {', '.join(lost)}" if lost else "")
    )
    if lost:
        raise typer.Exit(FAILED)
