"""taut validate: the papers and the theory against what is computed here."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def validate(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="One set of items; all if none.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller cases, in less time.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the items as JSON.")] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Write the report, one page, into this folder; what `taut bench --out DIR` and `taut soak --out DIR/soak` left there is taken into it.",
        ),
    ] = None,
    jobs: Annotated[
        int | None, typer.Option("--jobs", "-j", min=1, help="Processes; as many as there are cores if not given.")
    ] = None,
) -> None:
    """Compare results with theory and papers."""
    from taut.sweep.processes import cores
    from taut.validate import main

    raise typer.Exit(main(name, quick, json_file, out, jobs or cores()))
