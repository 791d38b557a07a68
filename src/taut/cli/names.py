"""taut names: everything that can be read and set in a scene."""

from __future__ import annotations

from typing import Annotated

import typer

from taut.cli.options import Changes, SceneArgument


def names(
    scene: SceneArgument,
    like: Annotated[str, typer.Option(metavar="TEXT", help="Only names that contain this.")] = "",
    changes: Changes = None,
) -> None:
    """List what can be read and set in a scene.

    Quantities with unit, size and meaning; controls with unit and start value.
    """
    from taut.cli.terminal import print_table
    from taut.record.wording import number
    from taut.scenes import open_scene
    from taut.simulation import Simulation

    sim = Simulation(open_scene(scene, changes or ()))
    found = [quantity for name, quantity in sim.names.items() if like in name]
    print_table(
        ("name", "unit", "size", "meaning"),
        [(quantity.name, quantity.unit, str(quantity.size or 1), quantity.meaning) for quantity in found],
    )
    controls = [name for name in sim.controls if like in name]
    if controls:
        typer.echo("")
        rows = [(name, sim.controls.unit(name), number(sim.controls[name])) for name in controls]
        print_table(("control", "unit", "at the start"), rows)
