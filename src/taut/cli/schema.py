"""taut schema: the JSON Schema of scene files, for editors."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer


def schema(
    to: Annotated[Path | None, typer.Option(metavar="FILE", help="Where to write it; printed if not given.")] = None,
) -> None:
    """Write the JSON Schema of scene files.

    Editors use it for completion and red lines.
    """
    from taut.scene import json_schema

    text = json.dumps(json_schema(), indent=2, ensure_ascii=False)
    if to is None:
        typer.echo(text)
    else:
        to.write_text(text + "\n", encoding="utf-8")
        typer.echo(f"{to}: written")
