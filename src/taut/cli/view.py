"""taut view: the page in the browser."""

from __future__ import annotations

from typing import Annotated

import typer

from taut.cli.options import Changes


def view(
    source: Annotated[
        str | None,
        typer.Argument(metavar="SOURCE", help="A scene to drive, or a recording to replay; the gallery if none."),
    ] = None,
    host: Annotated[str, typer.Option(help="Address to serve at; the default is for this machine only.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to serve at.")] = 8080,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Whether to open a browser.")] = True,
    changes: Changes = None,
) -> None:
    """Drive a scene in the browser, or replay; a file is read again when it changes. Without a source: the gallery."""
    from taut.view import serve

    if source is None and changes:
        raise typer.BadParameter("--set needs a scene")

    serve(source, host=host, port=port, open_browser=open_browser, changes=tuple(changes or ()))
