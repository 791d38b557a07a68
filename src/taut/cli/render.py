"""taut render: a picture or a film of a run, without a display."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from taut.cli.options import Changes, Seconds, SourceArgument


def render(
    source: SourceArgument,
    to: Annotated[
        Path, typer.Option(metavar="FILE", help="What to write, by its ending: .mp4, .webm, .gif, .png, .jpg")
    ],
    at: Annotated[
        float | None, typer.Option(min=0.0, help="Of a picture: its moment [s]; the end if not given.")
    ] = None,
    size: Annotated[str, typer.Option(metavar="WxH", help="Width and height [pixels].")] = "1280x720",
    fps: Annotated[float, typer.Option(min=1.0, max=120.0, help="Of a film: pictures a second.")] = 30.0,
    tension: Annotated[
        bool, typer.Option("--tension", help="Colour ropes by their tension, with the scale in a corner.")
    ] = False,
    seconds: Seconds = None,
    changes: Changes = None,
) -> None:
    """Draw a run as a picture or a film, with no display and no open page.

    From a recording, or from a scene that is run for it. A Chromium without windows draws what the page would show.
    """
    from taut.view import render as drawing

    drawing.check(to)
    width, height = _size(size)
    if at is not None and to.suffix.lower() not in drawing.PICTURES:
        raise typer.BadParameter("only a picture has a moment", param_hint="--at")
    from taut.cli.source import is_recording, opened
    from taut.view.replay import ReplayPlayer

    drawing.browser()
    # a scene is run up to the moment; a recording has it
    until = seconds if at is None or is_recording(source) else max(at, 1e-9)
    with opened(source, None, changes or (), until) as recording:
        player = ReplayPlayer(recording)
        end = float(player.duration or 0.0)
        still = to.suffix.lower() in drawing.PICTURES
        if at is not None and is_recording(source) and not player.begins <= at <= end:
            raise typer.BadParameter(
                f"{at:g} s: the recording goes from {player.begins:g} to {end:g} s", param_hint="--at"
            )
        moments = [end if at is None else at] if still else drawing.times_of(end, fps, player.begins).tolist()
        with _progress(len(moments)) as tell:
            for done in drawing.render(player, to, moments, (width, height), fps, tension):
                tell(done)
    typer.echo(f"{to}: {len(moments)} picture{'s' if len(moments) > 1 else ''} of {width} x {height}")


@contextmanager
def _progress(total: int) -> Iterator[Callable[[int], None]]:
    """A bar in a terminal, a line now and then in a pipe; told how many pictures are done."""
    if not sys.stderr.isatty():
        from taut.cli.waiting import waiting

        with waiting(f"drawing, 0 of {total} pictures") as say:
            yield lambda done: say(f"drawing, {done} of {total} pictures")
        return
    with typer.progressbar(length=total, label="drawing", file=sys.stderr) as bar:
        yield lambda done: bar.update(done - bar.pos)


def _size(text: str) -> tuple[int, int]:
    try:
        width, height = (int(part) for part in text.lower().split("x"))
    except ValueError:
        raise typer.BadParameter(f"{text!r}: expected two numbers such as 1280x720", param_hint="--size") from None
    if not (16 <= width <= 7680 and 16 <= height <= 4320):
        raise typer.BadParameter(f"{text!r}: expected 16x16 to 7680x4320", param_hint="--size")
    # films want even numbers
    return width - width % 2, height - height % 2
