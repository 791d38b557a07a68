"""All commands, one file each."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from taut import __version__
from taut.cli import (
    bench,
    bring,
    check,
    export,
    fit,
    names,
    plot,
    render,
    route,
    run,
    scenes,
    schema,
    serve,
    soak,
    sweep,
    validate,
    view,
)
from taut.cli.failures import explained


class Commands(TyperGroup):
    """The commands in the order they are used, and one place where failures become words and exit codes."""

    def list_commands(self, ctx: Any) -> list[str]:
        """In the order they were added."""
        return list(self.commands)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; what went wrong is said in words, without a traceback."""
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            typer.echo("stopped", err=True)
            raise typer.Exit(130) from None
        except Exception as error:
            said = explained(error)
            if said is None:
                raise
            text, code = said
            typer.echo(text, err=True)
            raise typer.Exit(code) from None


app = typer.Typer(
    cls=Commands,
    help="Taut: real-time simulation of cables and what hangs on them.",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"taut {__version__}")
        raise typer.Exit()


@app.callback()
def _start(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Taut: real-time simulation of cables and what hangs on them."""


app.command("view")(view.view)
app.command("run")(run.run)
app.command("sweep")(sweep.sweep)
app.command("cases")(sweep.cases)
app.command("serve")(serve.serve)
app.command("route")(route.route)
app.command("fit")(fit.fit)
app.command("plot")(plot.plot)
app.command("render")(render.render)
app.command("export", epilog=f"\b\nExamples:\n{export.examples()}")(export.export)
app.command("import")(bring.bring)
app.command("scenes")(scenes.scenes)
app.command("check")(check.check)
app.command("names")(names.names)
app.command("schema")(schema.schema)
app.command("validate")(validate.validate)
app.command("bench")(bench.bench)
app.command("soak")(soak.soak)
