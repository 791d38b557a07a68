"""A recording, or a scene that is run into one: what plot and export read from."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from taut.cli.failures import FAILED, INTERRUPTED
from taut.cli.options import steps_for

if TYPE_CHECKING:
    from taut.record import Recording

RECORDING_SUFFIXES = (".h5", ".hdf5")


def is_recording(source: str) -> bool:
    """Whether a source names a recording rather than a scene to run."""
    from taut.record.recording import looks_like_recording

    return looks_like_recording(source) or Path(source).suffix.lower() in RECORDING_SUFFIXES


@contextmanager
def opened(
    source: str, names: Sequence[str] | None, changes: Sequence[str] = (), seconds: float | None = None
) -> Iterator[Recording]:
    """The recording `source`, or one made for the moment by running the scene `source` with `names` in it."""
    from taut.record.recording import Recording

    if is_recording(source):
        if changes or seconds is not None:
            raise typer.BadParameter("a recording is what it is: --set and --seconds need a scene")
        with Recording(source) as recording:
            yield recording
        return
    with tempfile.TemporaryDirectory(prefix="taut-") as folder:
        file = Path(folder) / "run.h5"
        failure = _run_into(file, source, names, changes, seconds)
        with Recording(file) as recording:
            yield recording
    if failure:
        typer.echo(failure, err=True)
        raise typer.Exit(FAILED)


def _run_into(
    file: Path, source: str, names: Sequence[str] | None, changes: Sequence[str], seconds: float | None
) -> str:
    """Run a scene into a recording; returns why it ended early, if it did."""
    from taut.cli.terminal import RunProgress
    from taut.record import Recorder, run
    from taut.scenes import open_scene
    from taut.simulation import Simulation

    scene = open_scene(source, changes)
    sim = Simulation(scene)
    steps = steps_for(seconds, scene.duration, sim.dt)
    with Recorder(file, sim, names) as recorder, RunProgress("running", steps, sim.dt) as progress:
        report = run(sim, steps, (), recorder, progress)
    if report.interrupted:
        raise typer.Exit(INTERRUPTED)
    return report.stopped or report.recording_error
