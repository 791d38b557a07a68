"""taut import: a robot or crane of another tool as a scene."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def bring(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A URDF or MJCF file (.urdf, .xml).")],
    to: Annotated[Path, typer.Option(metavar="FILE", help="The scene to write, e.g. crane.yaml.")],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an older scene of that name.")] = False,
) -> None:
    """Write a scene from a URDF or MJCF file.

    Bodies, shapes, joints, limits, tendons and motors are taken over; what is not is said.
    """
    from taut.exchange.robots import read_robot

    if to.suffix.lower() not in (".yaml", ".yml"):
        raise typer.BadParameter(f"{to}: a scene ends in .yaml", param_hint="--to")
    if to.exists() and not overwrite:
        raise typer.BadParameter(f"{to}: exists; choose another name or --overwrite", param_hint="--to")
    read = read_robot(file)
    read.scene.save(to)
    scene = read.scene
    typer.echo(f"{to}: {len(scene.bodies)} bodies, {len(scene.joints)} joints, {len(scene.cables)} cables")
    for note in read.notes:
        typer.echo(f"  note: {note}")
