"""taut sweep: many runs of one scene; taut cases: what came of them."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from taut.cli.failures import FAILED, INTERRUPTED
from taut.cli.options import Changes, SceneArgument, Seconds

#: where no bar can be drawn, a line is printed this often [s]
_EVERY = 10.0


def sweep(
    scene: SceneArgument,
    out: Annotated[Path, typer.Option(metavar="FILE", help="Where the results go, e.g. sweep.h5.")],
    vary: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUES", help="load.mass=500:2000:10 or wind.speed=0,5,10. May be repeated."),
    ] = None,
    sample: Annotated[
        str | None, typer.Option(metavar="lhs:N", help="Draw N cases (Latin hypercube), not every combination.")
    ] = None,
    table: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A CSV of cases: names in its heading, a row for each case.")
    ] = None,
    cases: Annotated[
        str | None, typer.Option(metavar="A:B", help="Only cases A to B of the table, e.g. 0:100 for a job array.")
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAMES", help="max(hoist.tension),load.sway; those of the scene if none."),
    ] = None,
    seconds: Seconds = None,
    seed: Annotated[int, typer.Option(min=0, metavar="N", help="Of the sample.")] = 0,
    workers: Annotated[
        int | None, typer.Option(min=1, metavar="N", help="Processes here; as many as cores if not given.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Run on a Dask cluster, e.g. tcp://10.0.0.5:8786.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a sweep that was stopped.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="With --resume: run failed cases again.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an older sweep of that name.")] = False,
    plot: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the results, e.g. sweep.png.")] = None,
    changes: Changes = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Run a scene many times and keep what is measured.

    Every result is on disk as soon as it is there. A sweep that was stopped, or killed, goes on with --resume.
    """
    from taut.record.picture import check_picture
    from taut.scenes import open_scene
    from taut.sweep import Cluster, Processes, Results, make_plan
    from taut.sweep import sweep as run
    from taut.sweep.summary import summary

    if plot is not None:
        check_picture(plot)
    plan = make_plan(
        open_scene(scene, changes or ()), vary or (), sample=sample, table=table, cases=cases, measures=measure or (),
        seconds=seconds, seed=seed,
    )  # fmt: skip
    where: Any = Cluster(scheduler) if scheduler else Processes(workers)
    with _Progress(quiet) as progress:
        progress.say(f"{len(plan.cases)} {'case' if len(plan.cases) == 1 else 'cases'}, {where.about}")
        told = run(plan, out, where, resume=resume, overwrite=overwrite, retry=retry, progress=progress)
    if not quiet:
        for line in summary(Results(out)):
            typer.echo(line)
        if told.made:
            typer.echo(
                f"  {told.made} cases in {told.wall:.3g} s, {told.wall / told.made:.3g} s each; results in {out}"
            )
    if plot is not None:
        from taut.sweep.picture import draw

        draw(Results(out), plot)
    if told.interrupted:
        typer.echo(f"stopped with {told.left} cases open; the same command with --resume goes on", err=True)
        raise typer.Exit(INTERRUPTED)
    if told.failed:
        typer.echo(f"{told.failed} cases failed; `taut cases {out} --to table.csv` lists why", err=True)
        raise typer.Exit(FAILED)


def cases(
    files: Annotated[list[Path], typer.Argument(metavar="FILES", help="The file of a sweep, or all parts of one.")],
    to: Annotated[
        list[Path] | None, typer.Option(metavar="FILE", help="Write a table (.csv) or a picture (.png, .svg, .pdf).")
    ] = None,
) -> None:
    """Look at the results of a sweep.

    Several files, as the jobs of an array write them, are read as one table.
    """
    from taut.sweep.picture import draw
    from taut.sweep.results import read, write_csv
    from taut.sweep.summary import summary

    results = read(files)
    for line in summary(results):
        typer.echo(line)
    for path in to or ():
        if path.suffix.lower() == ".csv":
            write_csv(results, path)
        else:
            draw(results, path)
        typer.echo(f"  {path} written")
    if not results.done.any():
        raise typer.Exit(FAILED)


class _Progress:
    """A bar on a terminal, a line now and then in a pipe; both with the time left."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._bar: Any = None
        self._task: Any = None
        self._last = time.monotonic()

    def __enter__(self) -> _Progress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def say(self, text: str) -> None:
        """A line before it begins."""
        if not self._quiet:
            typer.echo(text, err=True)

    def __call__(self, finished: int, total: int, failed: int, left: float) -> None:
        """After each case."""
        if self._quiet:
            return
        told = f"{finished} of {total} cases" + (f", {failed} failed" if failed else "")
        if sys.stderr.isatty():
            self._draw(told, finished, total, left)
        elif time.monotonic() - self._last > _EVERY:
            self._last = time.monotonic()
            typer.echo(f"{told}, {duration(left)} left", err=True)

    def _draw(self, told: str, finished: int, total: int, left: float) -> None:
        if self._bar is None:
            from rich import progress
            from rich.console import Console

            columns = (progress.BarColumn(), progress.TextColumn("{task.description}"))
            self._bar = progress.Progress(*columns, console=Console(stderr=True), transient=True)
            self._task = self._bar.add_task("", total=total)
            self._bar.start()
        self._bar.update(self._task, completed=finished, description=f"{told}, {duration(left)} left")


def duration(seconds: float) -> str:
    """A time in words: 40 s, 12 min, 3.5 h."""
    if seconds < 90.0:
        return f"{seconds:.0f} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
