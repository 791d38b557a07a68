"""taut serve: a scene inside another engine."""

from __future__ import annotations

from typing import Annotated

import typer

from taut.cli.options import Changes


def serve(
    scene: Annotated[
        str | None, typer.Argument(metavar="SCENE", help="A scene file, or the name of a library scene.")
    ] = None,
    port: Annotated[int, typer.Option(min=0, max=65535, metavar="N", help="On 127.0.0.1; 0 takes a free one.")] = 7345,
    mode: Annotated[
        str, typer.Option(metavar="MODE", help="plain, coupled (impulses out) or forces (poses in, forces out).")
    ] = "plain",
    couple: Annotated[
        list[str] | None, typer.Option(metavar="BODY", help="A body that the host moves. May be repeated.")
    ] = None,
    measure: Annotated[
        int, typer.Option(min=0, metavar="N", help="Make N steps as a host, print the round trip, and end.")
    ] = 0,
    header: Annotated[bool, typer.Option("--header", help="Print the C header of the host's side, and end.")] = False,
    changes: Changes = None,
) -> None:
    """Serve a scene to another engine, step by step.

    A host (Unity, Unreal, any program) sends controls and gets poses, rope points and tensions, over a documented binary
    message on the loopback interface. Ctrl-C ends it.
    """
    from taut.serve import HEADER, MODES, Client, Server

    if header:
        typer.echo(HEADER.read_text(encoding="utf-8"), nl=False)
        return
    if scene is None:
        raise typer.BadParameter("name a scene, e.g. taut serve gantry", param_hint="SCENE")
    if mode not in MODES:
        raise typer.BadParameter(f"{mode!r}; expected {', '.join(MODES)}", param_hint="--mode")
    from taut.scenes import open_scene

    described = open_scene(scene, changes or ())
    with Server(described, MODES.index(mode), tuple(couple or ()), port, typer.echo) as server:
        typer.echo(
            f"{described.name or scene}: serving on 127.0.0.1:{server.port}, mode {mode}, dt {described.dt:.6g} s"
        )
        if server.limit < float("inf"):
            fits = "stable" if described.dt < server.limit else "a host with these masses is refused"
            typer.echo(
                f"forces are stable below {1e3 * server.limit:.3g} ms with the masses of the scene; dt is {1e3 * described.dt:.3g} ms: {fits}"
            )
        if not measure:
            server.run()
            return
        if mode != "plain":
            raise typer.BadParameter("the round trip is measured with --mode plain", param_hint="--measure")
        server.start()
        with Client(server.port) as host:
            for _ in range(measure):
                host.step()
            trip = host.round_trip()
        typer.echo(
            f"round trip of {measure} steps: p50 {1e6 * trip.p50:.0f} us, p99 {1e6 * trip.p99:.0f} us, "
            f"max {1e6 * trip.most:.0f} us"
        )
