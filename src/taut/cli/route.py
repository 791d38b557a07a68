"""taut route: where a cable goes, in the browser or as a report."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import check_writable, tell_first_time
from taut.cli.waiting import waiting

#: meshes that an envelope can be written as
SWEPT = (".stl", ".glb", ".ply", ".obj")


def route(
    sources: Annotated[list[str] | None, typer.Argument(metavar="FILE...", help="A route file, the library route 'harness', or mesh files to begin with; without any, an empty studio.")] = None,
    motion: Annotated[Path | None, typer.Option(metavar="CSV", help="Poses of ends, connectors and parts over a cycle: the worst of each measure, and with --view its frames in the studio.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="HTML", help="Write limits, pictures and the motion to a page.")] = None,
    tolerance: Annotated[bool, typer.Option("--tolerance", help="Vary length, stiffness and clip poses.")] = False,
    export: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="csv, dxf, step, vda, stl, glb or gltf; one per cable if there are several. May be repeated.")] = None,
    fit: Annotated[list[str] | None, typer.Option(metavar="NAME", help="Is there cable enough to fit or remove this connector, end or part? May be repeated: they move together.")] = None,
    to: Annotated[str | None, typer.Option(metavar="POINT", help="With --fit: where it goes to, as '[650, 140, 90] mm'.")] = None,
    by: Annotated[str | None, typer.Option(metavar="SHIFT", help="With --fit: how far it goes, as '[0, 0, 50] mm'.")] = None,
    envelope: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the space swept in the motion, or within tolerances, as a mesh.")] = None,
    hose: Annotated[str | None, typer.Option(metavar="MESH", help="Import this mesh as a flexible cable with the same centreline.")] = None,
    unit: Annotated[str | None, typer.Option(help="Unit of mesh files: mm, cm, m or in; the studio asks for it, glTF says it.")] = None,
    up: Annotated[str, typer.Option(help="Up axis of mesh files other than glTF: y or z.")] = "z",
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the route to a file; to a .zip with the meshes of its parts, to be passed on.")] = None,
    view: Annotated[bool | None, typer.Option("--view/--no-view", help="Open the studio, with --motion at the frames of it; by default where only FILE is given, or how to read it. --view opens it after all else that is asked for.")] = None,
    host: Annotated[str, typer.Option(help="Address to serve at; the default is for this machine only.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port to serve at.")] = 8080,
    open_browser: Annotated[bool, typer.Option("--open/--no-open", help="Whether to open a browser.")] = True,
) -> None:  # fmt: skip
    """Route cables: shape, bend radius, clearance, motion."""
    from taut.cables.rod.packing import ENDING, packed
    from taut.cables.rod.proportion import odd
    from taut.cables.rod.routing import begin, extent, has_meshes, lacks_unit, run

    sources = sources or []
    writes = any((motion, report, tolerance, export, envelope, save, fit))
    if not sources and hose is None and (writes or view is False):
        raise typer.BadParameter(
            "give a route file, 'harness', mesh files to begin with, or --hose", param_hint="FILE..."
        )
    if bool(fit) != bool(to or by) or (to and by):
        raise typer.BadParameter("--fit needs --to or --by, one of them", param_hint="--fit")
    _check_files(tuple(export or ()), envelope, report, save)
    if envelope is not None and motion is None and not tolerance:
        raise typer.BadParameter("nothing moves; give --motion or --tolerance", param_hint="--envelope")
    shows = view or (view is None and not writes)
    tell_first_time()
    # a page can ask and show what size follows; a file that is written cannot
    asks = shows and not writes and unit is None and lacks_unit(sources, hose)
    made, folder = begin(sources, hose=hose, unit="mm" if asks else unit, up=up)
    for text in odd(made):
        typer.echo(f"warning: {text}", err=True)
    if unit is not None and lacks_unit(sources, hose):
        typer.echo(f"with --unit {unit} all of it is {extent(made)} large")
    if save is not None:
        if save.suffix.lower() == ENDING:
            save.write_bytes(packed(made))
        else:
            made.save(save)
        typer.echo(f"{save} written")
        if has_meshes(sources) and hose is None:
            typer.echo("its cable is a placeholder above the parts: set its start, end, length and section")
    ways = True
    if fit:
        from taut.cables.rod.fitting import fit as go

        with waiting("solving"):
            made.solve()
        with waiting("fit") as tell:
            way = go(made, tuple(fit), to, by, lambda share: tell(f"fit, {100.0 * share:.0f} % of the way"))
        for line in way.lines():
            typer.echo(line)
        ways = way.fits
        made, folder = begin(sources, hose=hose, unit=unit, up=up)
    if any((report, tolerance, export, envelope)) or not (shows or fit) or (motion and not shows):
        passed = run(made, folder, typer.echo, motion, report, tolerance, tuple(export or ()), envelope, waiting)
        ways = ways and passed
        if shows:  # as it was before the motion
            made, folder = begin(sources, hose=hose, unit=unit, up=up)
    if shows:
        from taut.cables.rod.motion import read_motion
        from taut.view.route_studio import serve

        if motion is not None:
            read_motion(motion, made)  # its mistakes are told before a page opens
        serve(
            made, folder, host=host, port=port, open_browser=open_browser, fresh=(has_meshes(sources) or not sources) and hose is None,
            ask=(lambda unit, up: begin(sources, hose=hose, unit=unit, up=up)[0]) if asks else None, motion=motion,
        )  # fmt: skip
        return
    raise typer.Exit(0 if ways else 1)


def _check_files(exports: tuple[Path, ...], envelope: Path | None, report: Path | None, save: Path | None) -> None:
    """Refuse what cannot be written before any work."""
    from taut.cables.rod.export import check_ending
    from taut.cables.rod.values import RodError

    for file in exports:
        check_writable(file, "--export")
        try:
            check_ending(file)
        except RodError as error:
            raise typer.BadParameter(str(error), param_hint="--export") from None
    if envelope is not None and envelope.suffix.lower() not in SWEPT:
        raise typer.BadParameter(f"{envelope}: expected a file ending in {', '.join(SWEPT)}", param_hint="--envelope")
    for one, option in ((envelope, "--envelope"), (report, "--report"), (save, "--save")):
        check_writable(one, option)
