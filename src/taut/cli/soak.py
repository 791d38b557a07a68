"""taut soak: hours of merciless use, with everything watched that must hold."""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.failures import FAILED
from taut.cli.options import Changes, SceneArgument


def _positive(value: float) -> float:
    if not (math.isfinite(value) and value > 0.0):
        raise typer.BadParameter(f"{value} is not a time; expected a number of hours above zero")
    return value


def soak(
    scene: SceneArgument,
    hours: Annotated[float, typer.Option(metavar="H", callback=_positive, help="Simulated time [h].")] = 1.0,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of the hand on the controls.")] = 1,
    changes: Changes = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON.")] = None,
) -> None:
    """Drive a scene for hours without mercy and watch.

    Slack ropes, snatches, landings, emergency stops, shoves. Watched are the energy account, lengths of rope, residuals,
    limits, memory and bits; the exit code is 1 if anything gives way.
    """
    from rich.console import Console
    from rich.progress import Progress

    from taut.bench.report import begin
    from taut.record.whole import write_whole
    from taut.scenes import open_scene
    from taut.soak import soak as run

    opened = open_scene(scene, changes or ())
    seconds = 3600.0 * hours
    with Progress(console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty()) as bar:
        task = bar.add_task(f"driving {opened.name or scene}", total=seconds)
        report = run(opened, seconds, seed, lambda done: bar.update(task, completed=done))
    for line in report.lines():
        typer.echo(line)
    if json_file is not None:
        made = {key: value for key, value in begin().items() if key != "entries"}
        text = json.dumps({**made, **report.plain()}, indent=1) + "\n"
        write_whole(json_file, lambda draft: draft.write_text(text, encoding="utf-8"))
    if not report.passed:
        raise typer.Exit(FAILED)
