"""taut run: simulate a scene, record it, and say what came out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from taut.cli.failures import FAILED, INTERRUPTED
from taut.cli.options import Changes, SceneArgument, Seconds, steps_for

if TYPE_CHECKING:
    from taut.record import Measure, Recorder, Report
    from taut.scene import Scene


def run(
    scene: SceneArgument,
    seconds: Seconds = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Record the run, e.g. run.h5.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an older recording of that name.")] = False,
    changes: Changes = None,
    control: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE", help="Set a control for the whole run, e.g. hoist.speed=0.5. May be repeated."
        ),
    ] = None,
    controls: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Controls over time: CSV with a column time [s] and one for each control."),
    ] = None,
    measure: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Report a quantity, or max(NAME), min, mean, rms, final. May be repeated."),
    ] = None,
    every: Annotated[int, typer.Option(min=1, metavar="N", help="Steps from frame to frame of the recording.")] = 1,
    error: Annotated[
        bool, typer.Option("--error", help="Error bars: run again at half the step; twice what changes.")
    ] = False,
    json_file: Annotated[
        str | None, typer.Option("--json", metavar="FILE", help="Write the report as JSON; - prints it.")
    ] = None,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no summary.")] = False,
) -> None:
    """Simulate a scene, record it, report on it.

    The report has the energy balance, residuals, and measures, with error bars if asked for.
    """
    _check_json(json_file)
    _check_out(out)
    from taut.cli.asked import refuse_empty
    from taut.cli.driving import drive_of
    from taut.cli.summary import summary, wheels
    from taut.record import add_error_bars
    from taut.scenes import open_scene
    from taut.simulation import Simulation

    described = open_scene(scene, changes or ())
    refuse_empty(described, scene)
    sim = Simulation(described)
    drive = drive_of(sim, control or (), controls)
    measures = _measures(sim, described, scene, measure or ())
    if error and not measures:
        raise typer.BadParameter("name at least one quantity with --measure for an error bar", param_hint="--error")
    recorder = _recorder(out, sim, measures, every, overwrite)
    report = _run(sim, steps_for(seconds, described.duration, sim.dt), measures, recorder, "running", quiet, drive)
    if error and not report.interrupted and not report.stopped:
        half = Simulation(described.model_copy(update={"dt": 0.5 * described.dt}))
        again = _run(half, 2 * report.steps_asked, measures, None, "again at half the step", quiet, drive)
        if again.stopped or again.interrupted:
            typer.echo(f"no error bars: {again.stopped or 'the run at half the step was stopped'}", err=True)
            report.interrupted = again.interrupted
        else:
            add_error_bars(report, again)
    if not quiet:
        to_stderr = json_file == "-"
        for line in (*summary(report, out if recorder is not None else None), *wheels(described)):
            typer.echo(line, err=to_stderr)
    for figure in report.figures:
        if figure.measure.name.endswith(".safety") and figure.value < 1.0:
            rope = figure.measure.name.removesuffix(".safety")
            typer.echo(f"warning: {rope} was pulled beyond its breaking load at {figure.time:.4g} s", err=True)
    from taut.measure import waves
    from taut.measure.crossings import crossed

    for text in (*crossed(sim), *report.reached, *waves.warnings(sim)):
        typer.echo(f"warning: {text}", err=True)
    for name, cable in described.cables.items():
        missed = sim.read(f"{name}.unsolved") if cable.model == "rod" else 0.0
        if missed:
            typer.echo(
                f"warning: in {missed:.0f} steps no shape of {name} was found; the last one stood there, with its forces "
                f"(counted in {name}.unsolved)",
                err=True,
            )
    _write_json(json_file, report, scene, changes or (), out)
    _leave(report)


def _measures(sim: Any, described: Scene, source: str, asked: Sequence[str]) -> list[Measure]:
    from taut.cli.asked import scene_measures
    from taut.record import measures_of

    found = scene_measures(sim, source)
    found += [measure for many in asked for text in many.split(",") for measure in measures_of(text, sim)]
    # of every rope whose breaking load is known
    safety = [f"min({name}.safety)" for name in described.cables if f"{name}.safety" in sim.names]
    found += [measure for text in safety for measure in measures_of(text, sim)]
    return list(dict.fromkeys(found))


def _recorder(out: Path | None, sim: Any, measures: Sequence[Measure], every: int, overwrite: bool) -> Recorder | None:
    if out is None:
        return None
    from taut.record import Recorder
    from taut.record.defaults import default_names

    names = [*default_names(sim), *(measure.name for measure in measures)]
    return Recorder(out, sim, names, every, overwrite=overwrite)


def _run(
    sim: Any, steps: int, measures: Sequence[Measure], recorder: Recorder | None, label: str, quiet: bool, drive: Any
) -> Report:
    from taut.cli.terminal import RunProgress
    from taut.record import RecordError
    from taut.record import run as make_run

    with RunProgress(label, steps, sim.dt, quiet=quiet) as progress:
        report = make_run(sim, steps, measures, recorder, progress, drive)
    if recorder is not None:
        try:
            recorder.close()
        except RecordError as failure:
            report.recording_error = report.recording_error or str(failure)
        report.frames = recorder.flushed
    return report


def _check_out(out: Path | None) -> None:
    """A recording is HDF5, whatever it is called: one that is called otherwise would surprise whoever opens it."""
    from taut.cli.source import RECORDING_SUFFIXES

    if out is not None and out.suffix.lower() not in RECORDING_SUFFIXES and not out.is_dir():
        reason = f"{out}: a recording is HDF5 and ends in {' or '.join(RECORDING_SUFFIXES)}; `taut export RUN.h5 --to {out.stem}.csv` makes a table of it"
        raise typer.BadParameter(reason, param_hint="--out")


def _check_json(target: str | None) -> None:
    """Before the run, not after it."""
    if target is None or target == "-":
        return
    path = Path(target)
    if path.is_dir() or not path.parent.is_dir():
        raise typer.BadParameter(f"{target}: cannot be written; is there such a folder?", param_hint="--json")


def _write_json(target: str | None, report: Report, source: str, changes: Sequence[str], out: Path | None) -> None:
    if target is None:
        return
    from taut import __version__

    recording = None if out is None else str(out)
    head = {"taut": __version__, "source": source, "changes": list(changes), "recording": recording}
    text = json.dumps({**head, **report.as_data()}, indent=2, allow_nan=False)
    if target == "-":
        typer.echo(text)
    else:
        Path(target).write_text(text + "\n", encoding="utf-8")


def _leave(report: Report) -> None:
    for text in (report.recording_error, report.stopped):
        if text:
            typer.echo(text, err=True)
    if report.interrupted:
        raise typer.Exit(INTERRUPTED)
    if report.stopped or report.recording_error:
        raise typer.Exit(FAILED)
