"""taut bench: what a step costs, beside others."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def bench(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One benchmark; all if none.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the numbers as JSON.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="Write numbers, tables and plots there.")
    ] = None,
    long: Annotated[
        bool,
        typer.Option(
            "--long", help="start: every scene with an empty cache; page: ten minutes of the gantry, for its memory."
        ),
    ] = False,
) -> None:
    """Measure what a step costs, beside peers."""
    from taut.bench import main

    raise typer.Exit(main(name, json_file, long, out))
