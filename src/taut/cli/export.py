"""taut export: a run for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Changes, Seconds, SourceArgument


def export(
    source: SourceArgument,
    to: Annotated[Path, typer.Option(metavar="FILE", help="What to write, by its ending: .csv")],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAMES", help="Quantities; all recorded ones if none.")
    ] = None,
    seconds: Seconds = None,
    changes: Changes = None,
) -> None:
    """Write a table for other programs.

    It comes from a recording, or from a scene that is run for it.
    """
    from taut.cli.source import opened
    from taut.record.table import check_export
    from taut.record.table import export as write

    check_export(to)
    with opened(source, names or None, changes or (), seconds) as recording:
        rows = write(recording, names or (), to)
    typer.echo(f"{to}: {rows} rows")
