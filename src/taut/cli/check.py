"""taut check: is this scene sound? Nothing is run."""

from __future__ import annotations

from pathlib import Path

import typer

from taut.cli.options import Changes, SceneArgument


def check(scene: SceneArgument, changes: Changes = None) -> None:
    """Check a scene without running it.

    It is read and compiled; what it holds and what may surprise is printed. Exit code 0 or 2.
    """
    from taut.cli.asked import refuse_empty, scene_measures
    from taut.cli.inspection import counts, hints, numbers
    from taut.scenes import open_scene
    from taut.simulation import Simulation

    described = open_scene(scene, changes or ())
    refuse_empty(described, scene)
    sim = Simulation(described)
    scene_measures(sim, scene)
    typer.echo(f"{sim.scene.name or scene}: sound")
    for label, text in (*counts(sim), *numbers(sim)):
        typer.echo(f"  {label:<16}{text}")
    for text in (*hints(sim), *_of_route(scene)):
        typer.echo(f"  {'note':<16}{text}")


def _of_route(source: str) -> list[str]:
    """What may surprise in a route file, beside what may in its scene."""
    from taut.scenes import is_route

    path = Path(source)
    if not is_route(path):
        return []
    from taut.cables.rod.proportion import odd
    from taut.cables.rod.route import Route

    return odd(Route.load(path))
