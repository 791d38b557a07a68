"""Arguments and options that several commands share."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated

import typer

SceneArgument = Annotated[str, typer.Argument(metavar="SCENE", help="A scene file, or the name of a library scene.")]
SourceArgument = Annotated[
    str, typer.Argument(metavar="SOURCE", help="A recording, or a scene to run: a file or a library name.")
]
Changes = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="PATH=VALUE", help="Change the scene, e.g. load.mass='2 t'. May be repeated."),
]


def _time(text: str | float) -> float:
    """A time [s]: a number of seconds, or a number with a unit."""
    from taut.scene import units

    try:
        found = units.parse(text, units.TIME)
    except ValueError:
        found = math.nan
    if not (math.isfinite(found) and found >= 0.0):
        raise typer.BadParameter(
            f"{text} is not a time; expected seconds, or a number with its unit, e.g. 30 or '2 min'"
        )
    return found


Seconds = Annotated[
    float | None,
    typer.Option(
        metavar="TIME",
        parser=_time,
        help="Simulated time [s], or with its unit; the duration of the scene if not given.",
    ),
]


def check_writable(file: Path | None, option: str) -> None:
    """Refuse a file that cannot be written before the work is done, not after it."""
    if file is not None and (file.is_dir() or not file.absolute().parent.is_dir()):
        raise typer.BadParameter(f"{file}: cannot be written; is there such a folder?", param_hint=option)


def tell_first_time() -> None:
    """Say why a first route takes long."""
    from taut.core.jit import compiled_before

    if not compiled_before("taut.cables.rod.rod"):
        typer.echo("compiling the solver for rods: half a minute or so, once on this machine", err=True)


def steps_for(seconds: float | None, duration: float, dt: float) -> int:
    """Number of steps of a run [-]."""
    return round((duration if seconds is None else seconds) / dt)
