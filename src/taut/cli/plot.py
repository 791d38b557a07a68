"""taut plot: curves over time, as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.failures import FAILED
from taut.cli.options import Changes, Seconds, SourceArgument


def plot(
    source: SourceArgument,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAMES", help="Quantities; the energies if none.")
    ] = None,
    to: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Picture: .png, .svg or .pdf. [default: SOURCE.png]")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a picture of that name.")] = False,
    seconds: Seconds = None,
    changes: Changes = None,
) -> None:
    """Draw quantities over time.

    They come from a recording, or from a scene that is run for it.
    """
    from taut.cli.source import opened
    from taut.record.picture import DEFAULT, check_picture, draw

    target = to if to is not None else Path(f"{Path(source).stem}.png")
    check_picture(target)
    if target.exists() and not overwrite:
        typer.echo(f"{target}: exists; choose another name (--to) or overwrite it (--overwrite)", err=True)
        raise typer.Exit(FAILED)
    wanted = list(names or DEFAULT)
    with opened(source, wanted, changes or (), seconds) as recording:
        draw(recording, wanted, target)
        typer.echo(f"{target}: {len(wanted)} quantities, {len(recording)} frames")
