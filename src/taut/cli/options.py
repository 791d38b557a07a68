"""Arguments and options that several commands share."""

from __future__ import annotations

import math
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


def steps_for(seconds: float | None, duration: float, dt: float) -> int:
    """Number of steps of a run [-]."""
    return round((duration if seconds is None else seconds) / dt)
