"""What reaches the person: tables and the progress of a run."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from typing import Any

import typer

#: a first step that takes longer than this is said to be compiled [s]
COMPILING_AFTER = 1.0
#: in a pipe it is told this often how far it is [s]
SELDOM = 10.0
COMPILING = "preparing kernels: compiled once for this kind of scene, then kept ..."


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: with a frame in a terminal, plain columns in a pipe."""
    if not sys.stdout.isatty():
        widths = [max(len(row[k]) for row in (headings, *rows)) for k in range(len(headings))]
        for row in (headings, *rows):
            typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for heading in headings:
        table.add_column(heading, overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))  # as text: [2] is an index, not markup
    Console().print(table)


class RunProgress:
    """The bar of a run, on stderr; in a pipe the word about compiling, and a line now and then."""

    def __init__(self, label: str, steps: int, dt: float, *, quiet: bool = False) -> None:
        self._label, self._steps, self._dt, self._quiet = label, steps, dt, quiet
        self._bar: Any = None
        self._task: Any = None
        self._started = False
        self._told = time.monotonic()
        self._notice = threading.Timer(COMPILING_AFTER, self._say_compiling)
        self._notice.daemon = True

    def __enter__(self) -> RunProgress:
        if not self._quiet and sys.stderr.isatty():
            from rich import progress
            from rich.console import Console

            self._bar = progress.Progress(
                progress.TextColumn("{task.description}"),
                progress.BarColumn(),
                progress.TaskProgressColumn(),
                progress.TextColumn("{task.fields[now]}"),
                progress.TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self._label, total=max(1, self._steps), now="")
            self._bar.start()
        if not self._quiet and self._steps:
            self._notice.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._started = True
        self._notice.cancel()
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, made: int, wall: float) -> None:
        """Steps made so far, and the time that all but the first took [s]."""
        if not self._started:
            self._started = True
            self._notice.cancel()
            if self._bar is not None:
                self._bar.update(self._task, description=self._label)
        if self._bar is not None:
            factor = f", {(made - 1) * self._dt / wall:.3g} x real time" if wall > 0.0 and made > 1 else ""
            self._bar.update(self._task, completed=made, now=f"{made * self._dt:.1f} s{factor}")
        elif not self._quiet and time.monotonic() - self._told > SELDOM:
            self._told = time.monotonic()
            typer.echo(f"{self._label}, {made * self._dt:.1f} of {self._steps * self._dt:g} s", err=True)

    def _say_compiling(self) -> None:
        if self._started:
            return
        if self._bar is not None:
            self._bar.update(self._task, description=COMPILING)
        else:
            typer.echo(COMPILING, err=True)
