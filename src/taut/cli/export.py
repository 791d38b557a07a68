"""taut export: a run for other programs, or the scene itself as a unit of theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Changes, Seconds, SourceArgument


def export(
    source: SourceArgument,
    to: Annotated[Path, typer.Option(metavar="FILE", help="What to write, by its ending: .csv or .fmu")],
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAMES", help="Quantities; all recorded ones if none.")
    ] = None,
    seconds: Seconds = None,
    parameter: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Of an FMU: a field of the scene. May be repeated.")
    ] = None,
    changes: Changes = None,
) -> None:
    """Write a table, or an FMU, for other programs.

    A table comes from a recording, or from a scene that is run for it. An FMU (FMI 2.0, co-simulation) is the scene itself:
    its controls are inputs, the names are outputs; Python with Taut must be on the host that runs it.
    """
    if to.suffix.lower() == ".fmu":
        _fmu(source, to, names or [], parameter or [], changes or [])
        return
    if parameter:
        raise typer.BadParameter("only an FMU has parameters", param_hint="--parameter")
    from taut.cli.source import opened
    from taut.record.table import check_export
    from taut.record.table import export as write

    check_export(to)
    with opened(source, names or None, changes or (), seconds) as recording:
        rows = write(recording, names or (), to)
    typer.echo(f"{to}: {rows} rows")


def _fmu(source: str, to: Path, names: list[str], parameters: list[str], changes: list[str]) -> None:
    from taut.exchange.fmu import write_fmu
    from taut.scenes import open_scene

    outputs = write_fmu(open_scene(source, changes), to, names, parameters)
    typer.echo(f"{to}: {len(outputs)} outputs; Python with taut must be on the host that runs it")
