"""taut scenes: what is in the library, and a copy of it to begin with."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def scenes(
    name: Annotated[str | None, typer.Argument(metavar="SCENE", help="One scene: its file is written out.")] = None,
    to: Annotated[Path | None, typer.Option("--to", metavar="FILE", help="Where to, as a file of your own.")] = None,
) -> None:
    """List the library scenes, routes among them; write one out, to begin a file of your own with."""
    from taut.cli.terminal import print_table
    from taut.scenes import about, catalogue, find, routes

    if name is None:
        if to is not None:
            raise typer.BadParameter("which scene is to be written there?", param_hint="SCENE")
        print_table(("scene", "what it shows"), [(one, about(file)["sentence"]) for one, file in catalogue().items()])
        return
    if to is not None and to.suffix not in (".yaml", ".yml"):
        raise typer.BadParameter(f"{to}: a scene ends in .yaml", param_hint="--to")
    text = find(name).read_text(encoding="utf-8")
    if to is None:
        typer.echo(text, nl=False)
        return
    try:
        # never over somebody's work
        with to.open("x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        raise typer.BadParameter(f"{to} is there already; choose another name", param_hint="--to") from None
    except OSError as error:
        raise typer.BadParameter(f"{to} cannot be written: {error.strerror}", param_hint="--to") from None
    typer.echo(f"{name} is written to {to}: open it with taut {'route' if name in routes() else 'view'} {to}")
