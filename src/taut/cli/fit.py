"""taut fit: stiffness and rest curvature of a real hose from measured shapes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import check_writable, tell_first_time
from taut.cli.waiting import waiting


def _noise(text: str | float) -> float:
    """A length [m]; a plain number is in mm, as it was typed before it could have a unit."""
    from taut.scene import units

    try:
        found = units.parse(f"{float(text)} mm", units.LENGTH)
    except ValueError:
        try:
            found = units.parse(text, units.LENGTH)
        except units.UnitError:
            found = 0.0
    if not found > 0.0:
        raise typer.BadParameter(
            f"{text} is not a length above zero; expected mm, or a number with its unit, e.g. 3 or '3 mm'"
        )
    return found


def fit(
    source: Annotated[Path, typer.Argument(metavar="ROUTE", help="A route file with the hose as it is thought to be.")],
    shape: Annotated[list[Path], typer.Option(metavar="CSV", help="A measured shape: points along the hose in columns 'x [mm]', 'y [mm]', 'z [mm]' (or x, y, z in m), and lines such as '# hose.end.x: 350 mm' for where its ends were. Give two or more, in different poses.")],
    noise: Annotated[float, typer.Option(metavar="LENGTH", parser=_noise, help="What a measured point is off by, as '3 mm' or '0.3 cm'; a plain number is in mm.")] = "0.5 mm",  # type: ignore[assignment]
    cable: Annotated[str | None, typer.Option(help="Which cable; the first if not given.")] = None,
    save: Annotated[Path | None, typer.Option(metavar="YAML", help="Write the route with what was found: stiffness, rest curvature, roll of the end.")] = None,
) -> None:  # fmt: skip
    """Fit a hose to measured shapes."""
    from taut.cables.rod.fit import NAMES, UNITS, Model
    from taut.cables.rod.fit import fit as find
    from taut.cables.rod.fitted import fitted
    from taut.cables.rod.measured import read_shape
    from taut.cables.rod.route import Route

    check_writable(save, "--save")
    tell_first_time()
    route = Route.load(source)
    shapes = [read_shape(file) for file in shape]
    model = Model(route.data, source.parent, cable)
    with waiting("fitting") as tell:
        found = find(model, shapes, noise, lambda done, total: tell(f"fitting, {done} of {total} tries"))
    for name, unit, value, half in zip(NAMES, UNITS, found.values, found.interval):
        typer.echo(f"{name:28s} {value:10.4g} +- {half:.2g}{'' if unit == '-' else f' {unit}'}")
    typer.echo(f"{'':28s} (+- is the half width of the 95 % interval)")
    typer.echo(
        f"{'':28s} (roll: about the direction of the end, from its up in the route file; without one from z of the world)"
    )
    typer.echo(f"{'distance of the points':28s} {1e3 * found.noise:10.4g} mm")
    for text in found.warnings:
        typer.echo(f"warning: {text}", err=True)
    if len(shapes) < 2:
        typer.echo("warning: one shape does not settle how other poses look; add a second", err=True)
    if save is not None:
        fitted(route, model.cable, found.values).save(save)
        typer.echo(f"{save} written")
