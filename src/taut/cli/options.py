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


def _not_negative(value: float | None) -> float | None:
    if value is not None and not (math.isfinite(value) and value >= 0.0):
        raise typer.BadParameter(f"{value} is not a time; expected a number of seconds")
    return value


Seconds = Annotated[
    float | None,
    typer.Option(
        metavar="S", callback=_not_negative, help="Simulated time [s]; the duration of the scene if not given."
    ),
]


def steps_for(seconds: float | None, duration: float, dt: float) -> int:
    """Number of steps of a run [-]."""
    return round((duration if seconds is None else seconds) / dt)
