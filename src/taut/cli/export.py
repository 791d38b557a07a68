"""taut export: a run for other programs, or the scene itself as a unit of theirs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Changes, Seconds, SourceArgument

#: what is written, by its ending, with an example of the rest of the command
ENDINGS = {
    ".csv": ("a table, all quantities or some", "run.h5 load.position hoist.tension"),
    ".html": ("a replay in one page that opens by double click", "run.h5"),
    ".glb": ("a moving model for Blender, Unity, Unreal", "run.h5"),
    ".fmu": ("the scene as a unit for co-simulation", "gantry load.position"),
}


def examples() -> str:
    """One command for every ending."""
    lines = [f"taut export {rest} --to {Path(rest.split()[0]).stem}{ending}" for ending, (_, rest) in ENDINGS.items()]
    width = max(map(len, lines)) + 3
    return "\n".join(f"  {line:<{width}}{what}" for line, (what, _) in zip(lines, ENDINGS.values()))


def export(
    source: SourceArgument,
    to: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"What to write, by its ending: {', '.join(ENDINGS)}.  [required]"),
    ] = None,
    names: Annotated[
        list[str] | None, typer.Argument(metavar="NAMES", help="Quantities; all recorded ones if none.")
    ] = None,
    seconds: Seconds = None,
    parameter: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Of an FMU: a field of the scene. May be repeated.")
    ] = None,
    fps: Annotated[float, typer.Option(min=1.0, max=120.0, help="Of a replay or a model: moments a second.")] = 30.0,
    changes: Changes = None,
) -> None:
    """Write a table, a replay, a moving model, or an FMU, for other programs.

    A table, a replay in one HTML file that opens by double click, and a glTF model that moves come from a recording, or
    from a scene that is run for it. An FMU (FMI 2.0, co-simulation) is the scene itself:
    its controls are inputs, the names are outputs; Python with Taut must be on the host that runs it.
    """
    if to is None:
        raise typer.BadParameter(f"say what to write, by its ending:\n\n{examples()}", param_hint="--to")
    if to.suffix.lower() not in ENDINGS:
        raise typer.BadParameter(f"{to}: possible endings are\n\n{examples()}", param_hint="--to")
    if to.suffix.lower() == ".fmu":
        _fmu(source, to, names or [], parameter or [], changes or [])
        return
    if parameter:
        raise typer.BadParameter("only an FMU has parameters", param_hint="--parameter")
    if to.suffix.lower() in (".html", ".glb"):
        _replay(source, to, fps, changes or [], seconds)
        return
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


def _replay(source: str, to: Path, fps: float, changes: list[str], seconds: float | None) -> None:
    from taut.cli.source import opened
    from taut.view.render import times_of
    from taut.view.replay import ReplayPlayer
    from taut.view.takeaway import write_glb, write_html

    with opened(source, None, changes, seconds) as recording:
        player = ReplayPlayer(recording)
        times = times_of(float(player.duration or 0.0), fps, player.begins).tolist()
        size = (write_html if to.suffix.lower() == ".html" else write_glb)(player, to, times)
    typer.echo(f"{to}: {len(times)} moments, {size / 1e6:.1f} MB")
