"""The command line: exit codes, words, files. 0 fine, 1 failed, 2 bad input, 130 stopped."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import taut as package
from taut.cli import export, main
from taut.cli.options import tell_first_time
from taut.cli.summary import measure_lines
from taut.record import Figure, Recorder, Recording
from taut.record.statistics import STATISTICS, Measure
from taut.record.table import WRITERS

PENDULUM = """
taut: 1
name: pendulum
description: A ball on an arm.
duration: 0.5 s
bodies:
  load: {shape: {type: sphere, radius: 10 cm}, mass: 1 t, position: [1, 0, -1], collide: false}
joints:
  pivot: {type: ball, b: load, at: [0, 0, 0]}
"""

#: the package under test, also for processes that start in another folder
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(package.__file__).parents[1])}
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    Path("pendulum.yaml").write_text(PENDULUM, encoding="utf-8")
    return "pendulum.yaml"


def taut(*arguments: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "taut.cli", *arguments],
        capture_output=True,
        timeout=300,
        env={**ENVIRONMENT, **environment},
    )


# ---- help ------------------------------------------------------------------------------------------------------------


def test_help_and_version(capsys: Capture) -> None:
    assert main(["--help"]) == 0
    text = capsys.readouterr().out
    for command in ("run", "view", "plot", "export", "check", "names", "scenes", "schema", "validate", "bench"):
        assert f"\n  {command} " in text
        assert main([command, "--help"]) == 0
    capsys.readouterr()
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("taut ")


def test_help_imports_nothing_heavy() -> None:
    code = "import sys, taut.cli.app; print(*{'numba', 'numpy', 'h5py', 'pydantic', 'matplotlib'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env=ENVIRONMENT)
    assert found.returncode == 0 and found.stdout.strip() == "", found.stdout + found.stderr


# ---- run -------------------------------------------------------------------------------------------------------------


def test_run_tells_what_came_out(scene: str, capsys: Capture) -> None:
    arguments = ["--out", "run.h5", "--measure", "max(pivot.tension)", "--measure", "load.speed", "--json", "run.json"]
    assert main(["run", scene, *arguments, "--set", "load.mass=2 t"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("pendulum: 0.5 s simulated")
    for word in ("x real time", "30 of 16.67 ms", "start -19.62 kJ", "largest error", "residual", "31 frames"):
        assert word in text
    assert "max pivot.tension" in text and " kN, at " in text
    data = json.loads(Path("run.json").read_text())
    assert data["complete"] and data["steps"] == 30 and data["changes"] == ["load.mass=2 t"]
    assert data["measures"]["max(pivot.tension)"]["unit"] == "N"
    speeds = {f"{statistic}(load.speed)" for statistic in STATISTICS}
    assert set(data["measures"]) == {"max(pivot.tension)", *speeds}
    with Recording("run.h5") as recording:
        assert len(recording) == 31
        assert recording.scene.bodies["load"].mass == 2000.0
        # statistics leave out the start, at which no force is known yet
        assert recording["pivot.tension"][1:].max() == data["measures"]["max(pivot.tension)"]["value"]
        assert recording["load.speed"][-1] == data["measures"]["final(load.speed)"]["value"]


def test_error_bars(scene: str, capsys: Capture) -> None:
    assert main(["run", scene, "--measure", "max(load.speed)", "--error", "--json", "-"]) == 0
    shown = capsys.readouterr()
    figure = json.loads(shown.out)["measures"]["max(load.speed)"]
    assert figure["error"] == 2.0 * abs(figure["value"] - figure["half_step_value"]) > 0.0
    assert "max load.speed" in shown.err and " m/s +- 0.0" in shown.err
    assert main(["run", scene, "--error"]) == 2
    assert "--measure" in capsys.readouterr().err


def test_quiet_and_every(scene: str, capsys: Capture) -> None:
    assert main(["run", scene, "--seconds", "1", "--every", "20", "--out", "run.h5", "--quiet"]) == 0
    shown = capsys.readouterr()
    assert shown.out == shown.err == ""
    with Recording("run.h5") as recording:
        assert np.allclose(recording.times, [0.0, 1 / 3, 2 / 3, 1.0])


def test_recordings_are_not_lost(scene: str, capsys: Capture) -> None:
    assert main(["run", scene, "--out", "run.h5", "-q"]) == 0
    assert main(["run", scene, "--out", "run.h5", "-q"]) == 1
    assert "run.h5: exists" in capsys.readouterr().err
    assert main(["run", scene, "--out", "run.h5", "-q", "--overwrite", "--seconds", "0.1"]) == 0
    assert main(["run", scene, "--out", scene, "--overwrite"]) == 2  # not even a name for a recording
    Path("scene.h5").write_text(PENDULUM)
    assert main(["run", scene, "--out", "scene.h5", "--overwrite"]) == 1
    assert Path(scene).read_text() == PENDULUM
    with Recording("run.h5") as recording:
        assert len(recording) == 7


def test_a_step_that_fails_is_said(scene: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from taut.simulation import Simulation, SimulationError

    step = Simulation.step

    def fails_at_ten(self: Simulation) -> None:
        if self.steps == 10:
            raise SimulationError("step 11: load has run away")
        step(self)

    monkeypatch.setattr(Simulation, "step", fails_at_ten)
    assert main(["run", scene, "--out", "run.h5", "--json", "run.json"]) == 1
    shown = capsys.readouterr()
    assert "failed after 10 of 30 steps" in shown.out
    assert shown.err.splitlines()[-1] == "step 11: load has run away"
    assert json.loads(Path("run.json").read_text())["complete"] is False
    with Recording("run.h5") as recording:
        assert len(recording) == 11


def test_a_recording_that_fails_does_not_end_the_run(
    scene: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(self: Recorder) -> None:
        self._fail(OSError(28, "No space left on device"))

    monkeypatch.setattr("taut.record.recorder.BUFFER_FRAMES", 5)
    monkeypatch.setattr(Recorder, "_write", full)
    assert main(["run", scene, "--out", "run.h5"]) == 1
    shown = capsys.readouterr()
    assert "30 of 16.67 ms" in shown.out
    assert "no room left" in shown.err and "Traceback" not in shown.err


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_keeps_what_was_made(scene: str) -> None:
    arguments = ["run", scene, "--seconds", "1e7", "--out", "run.h5", "--json", "run.json"]
    process = subprocess.Popen(
        [sys.executable, "-m", "taut.cli", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        # whoever runs the tests in the background hands down that interrupts are ignored
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    end = time.monotonic() + 240.0
    file = Path("run.h5")
    while not (file.exists() and file.stat().st_size > 600_000) and process.poll() is None and time.monotonic() < end:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "stopped by Ctrl-C" in out and "Traceback" not in err
    data = json.loads(Path("run.json").read_text())
    assert not data["complete"] and data["interrupted"]
    with Recording("run.h5") as recording:
        assert len(recording) == data["frames"] == data["steps"] + 1


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run nowhere.yaml", "nowhere.yaml"),
        ("run nosuchscene", "library scenes:"),
        ("check bad.yaml", "bad.yaml:5: bodies.load.mass"),
        ("run bad.yaml", "bad.yaml:5: bodies.load.mass"),
        ("run pendulum.yaml --set load.mas=3", "override 'load.mas=3'"),
        ("run pendulum.yaml --set load.mass", "expected path=value"),
        ("run pendulum.yaml --measure load.sped", "did you mean load.speed"),
        ("run pendulum.yaml --measure median(load.speed)", "no statistic 'median'"),
        ("run pendulum.yaml --seconds nan", "is not a time; expected seconds"),
        ("run pendulum.yaml --seconds -1", "is not a time; expected seconds"),
        ("run pendulum.yaml --every 0", "--every"),
        ("run pendulum.yaml --out a.csv", "ends in .h5 or .hdf5"),
        ("run pendulum.yaml --control pivot=1", "no control 'pivot'; controls: none"),
        ("run pendulum.yaml --control pivot", "expected NAME=VALUE"),
        ("run pendulum.yaml --controls nowhere.csv", "cannot be read"),
        ("check asks.yaml", "asks.yaml:2: measures[0]: 'load.sped' - no quantity"),
        ("run asks.yaml", "asks.yaml:2: measures[0]"),
        ("check empty.yaml", "nothing in this scene"),
        ("run empty.yaml", "nothing in this scene"),
        ("run pendulum.yaml --json nowhere/a.json", "--json"),
        ("plot pendulum.yaml load.sped --to a.png", "did you mean load.speed"),
        ("names bad.yaml", "bad.yaml:5"),
        ("export pendulum.yaml", "taut export run.h5 --to run.glb"),
        ("export pendulum.yaml --to a.xlsx", "taut export gantry load.position --to gantry.fmu"),
        ("nosuchcommand", "nosuchcommand"),
    ],
)
def test_bad_input_is_2(scene: str, capsys: Capture, arguments: str, said: str) -> None:
    Path("bad.yaml").write_text("taut: 1\nbodies:\n  load:\n    shape: {type: sphere, radius: 1}\n    mass: -3 kg\n")
    asks = PENDULUM.replace("taut: 1\n", "taut: 1\nmeasures: [load.sped]\n", 1).lstrip()
    Path("asks.yaml").write_text(asks)
    Path("empty.yaml").write_text("")
    before = sorted(Path().iterdir())
    assert main(arguments.split()) == 2
    shown = capsys.readouterr()
    assert said in shown.err and "Traceback" not in shown.err
    assert shown.out == ""
    assert sorted(Path().iterdir()) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("run pendulum.yaml --out nowhere/run.h5", "no folder"),
        ("run pendulum.yaml --out .", "is a folder"),
        ("plot none.h5", "no such file"),
        ("plot text.h5", "cannot be read as a recording"),
        ("plot pendulum.yaml --to a.gif", ".png, .svg, .pdf"),
        ("export pendulum.yaml --to nowhere/a.csv", "no folder"),
        ("schema --to nowhere/a.json", "no such file or directory"),
    ],
)
def test_files_that_fail_are_1(scene: str, capsys: Capture, arguments: str, said: str) -> None:
    Path("text.h5").write_text("hello")
    assert main(arguments.split()) == 1
    shown = capsys.readouterr()
    assert said in shown.err and "Traceback" not in shown.err


@pytest.mark.parametrize("encoding", ["ascii", "cp1253"])
def test_a_terminal_without_the_letters(scene: str, encoding: str) -> None:
    Path("umlaut.yaml").write_text(PENDULUM.replace("name: pendulum", "name: Größe ±"), encoding="utf-8")
    found = taut("run", "umlaut.yaml", "--seconds", "0.1", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert found.returncode == 0, found.stderr
    assert found.stdout.startswith(b"Gr") and b": 0.1 s simulated" in found.stdout


# ---- controls ---------------------------------------------------------------------------------------------------------

DRIVEN = """
taut: 1
duration: 2 s
bodies:
  load: {kind: particle, mass: 100 kg, position: [0, 0, -9]}
cables:
  hoist:
    route:
      - {type: winch, at: [-0.3, 0, 0], axis: [0, 1, 0], radius: 0.3, turn: left, acceleration: 100 m/s^2}
      - {type: end, on: load}
"""


def test_controls_of_a_run(scene: str, capsys: Capture) -> None:
    Path("hoist.yaml").write_text(DRIVEN)
    final = ["--measure", "final(load.position[2])", "--json", "-", "-q"]
    assert main(["run", "hoist.yaml", "--control", "hoist=0.5", *final]) == 0
    value = json.loads(capsys.readouterr().out)["measures"]["final(load.position[2])"]["value"]
    assert value == pytest.approx(-8.0, abs=1e-6)
    # up for one second, then down at twice the speed; an empty cell changes nothing
    Path("drive.csv").write_text("time,hoist.speed,hoist.emergency\n0,0.5,\n1,-1,0\n")
    assert main(["run", "hoist.yaml", "--controls", "drive.csv", *final]) == 0
    value = json.loads(capsys.readouterr().out)["measures"]["final(load.position[2])"]["value"]
    assert value == pytest.approx(-9.5, abs=0.03)  # the ramp takes a step
    for text, said in (
        ("time,hoist.sped\n0,1\n", "no control 'hoist.sped'"),
        ("time,hoist\n0,fast\n", "'fast' is not a number in m/s"),
        ("time,hoist\n1,1\n0,1\n", "line 3"),
        ("time,hoist\n0\n", "expected 2 cells"),
        ("hoist\n", "expected a first line such as time"),
    ):
        Path("drive.csv").write_text(text)
        assert main(["run", "hoist.yaml", "--controls", "drive.csv"]) == 2
        # the terminal may wrap words in a frame
        assert "".join(said.split()) in "".join(capsys.readouterr().err.replace("│", "").split())


def test_round_off_is_not_a_result(scene: str, capsys: Capture) -> None:
    Path("hoist.yaml").write_text(DRIVEN)
    assert main(["run", "hoist.yaml", "--seconds", "1", "--measure", "load.position"]) == 0
    words = capsys.readouterr().out
    assert words.splitlines()[-1].split("change")[1].split() == ["load.position", "0", "m,", "0", "m,", "-9", "m"]


# ---- plot, export and lists ------------------------------------------------------------------------------------------


def test_plot(scene: str, capsys: Capture) -> None:
    assert main(["plot", scene]) == 0
    assert main(["plot", scene]) == 1 and "--overwrite" in capsys.readouterr().err
    assert main(["plot", scene, "--overwrite"]) == 0
    assert "pendulum.png: 6 quantities, 31 frames" in capsys.readouterr().out
    assert Path("pendulum.png").read_bytes().startswith(b"\x89PNG")
    assert main(["run", scene, "--out", "run.h5", "-q"]) == 0
    assert main(["plot", "run.h5", "load.position", "pivot.tension", "--to", "run.svg"]) == 0
    text = Path("run.svg").read_text()
    assert "<svg" in text
    assert main(["plot", "run.h5", "load.spin"]) == 2
    assert "was not recorded" in capsys.readouterr().err
    assert main(["plot", "run.h5", "--seconds", "3"]) == 2


def test_export_has_an_example_for_every_ending() -> None:
    """What is told when the ending is missing is what the command takes, and what can be typed as it stands."""
    lines = [line.split() for line in export.examples().splitlines()]
    assert [Path(line[line.index("--to") + 1]).suffix for line in lines] == list(export.ENDINGS)
    assert all(line[:2] == ["taut", "export"] for line in lines) and set(WRITERS) <= set(export.ENDINGS)


def test_export(scene: str, capsys: Capture) -> None:
    assert main(["run", scene, "--out", "run.h5", "-q"]) == 0
    assert main(["export", "run.h5", "load.position", "pivot.tension", "--to", "run.csv"]) == 0
    assert "run.csv: 31 rows" in capsys.readouterr().out
    with Path("run.csv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    assert rows[0] == ["time [s]", *(f"load.position[{k}] [m]" for k in range(3)), "pivot.tension [N]"]
    with Recording("run.h5") as recording:
        table = np.array(rows[1:], float)
        assert np.array_equal(table[:, 1:4], recording["load.position"])
        assert np.isnan(table[0, 4]) and np.array_equal(table[1:, 4], recording["pivot.tension"][1:])
    # from the scene, the same numbers
    assert main(["export", scene, "load.position", "pivot.tension", "--to", "again.csv"]) == 0
    assert Path("again.csv").read_bytes() == Path("run.csv").read_bytes()
    assert main(["export", "run.h5", "--to", "all.csv"]) == 0
    assert Path("all.csv").read_text().startswith("time [s],energy.kinetic [J],")


def test_lists(scene: str, capsys: Capture) -> None:
    assert main(["names", scene]) == 0
    text = capsys.readouterr().out
    assert "load.position" in text and "pull, or size of the force" in text and "control" not in text
    motor = PENDULUM.replace("type: ball", "type: hinge, axis: [0, 1, 0], motor: {target: 30 deg/s}")
    Path("motor.yaml").write_text(motor)
    assert main(["names", "motor.yaml", "--like", "pivot"]) == 0
    text = capsys.readouterr().out
    assert "load.position" not in text
    assert text.splitlines()[-1].split() == ["pivot.speed", "rad/s", "0.5236"]
    assert main(["scenes"]) == 0
    listed = capsys.readouterr().out
    assert listed.startswith("scene") and "harness  " in listed and "gantry  " in listed
    assert main(["schema", "--to", "schema.json"]) == 0
    assert json.loads(Path("schema.json").read_text())["title"] == "Taut scene"


def test_a_library_scene_is_copied_and_never_over_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["scenes", "gantry", "--to", "mine.yaml"]) == 0
    assert "taut view mine.yaml" in capsys.readouterr().out
    assert main(["scenes", "gantry"]) == 0
    assert capsys.readouterr().out == Path("mine.yaml").read_text(encoding="utf-8")
    Path("mine.yaml").write_text("taut: 1\n")
    for words, told in (
        (["gantry", "--to", "mine.yaml"], "is there already"),
        (["gantri"], "did you mean 'gantry'"),
        (["--to", "other.yaml"], "which scene"),
        (["gantry", "--to", "mine.txt"], "ends in .yaml"),
    ):
        assert main(["scenes", *words]) == 2
        assert told in capsys.readouterr().err.replace("\n", " ")
    assert Path("mine.yaml").read_text() == "taut: 1\n" and not Path("other.yaml").exists()


def test_check(scene: str, capsys: Capture) -> None:
    Path("stiff.yaml").write_text(
        PENDULUM.replace("at: [0, 0, 0]", "at: [0, 0, 0], stiffness: 1e8 N/m, damping_time: 1 us")
        + "  far: {type: ball, b: pebble}\n"
        + "chains:\n  rope: {start: [5, 0, 0], end: [5, 0, -2], links: 4, mass_per_length: 0.4 kg/m}\n"
    )
    text = Path("stiff.yaml").read_text()
    stone = "  pebble: {shape: {type: sphere, radius: 1 cm}, mass: 1 g, position: [3, 0, 0], collide: false}\n"
    free = stone.replace("pebble", "stray").replace("[3,", "[4,")
    Path("stiff.yaml").write_text(text.replace("joints:", stone + free + "joints:"))
    assert main(["check", "stiff.yaml"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("pendulum: sound")
    assert "7 (7 dynamic)" in text and "6 (6 ball); 18 rows" in text and "rope of 4 links" in text
    assert "1000000 (load 1000 kg, pebble 0.001 kg)" in text or "1e6 (load" in text
    # omega^2 = k (1/m + r^2/I), I = 0.4 m 0.1^2, r^2 = 2: period 0.89 ms
    assert "pivot, period 890 us" in text or "pivot, period 88" in text
    assert "nothing holds or stops: stray" in text
    assert "below the solver's floor of 1.7 ms: pivot" in text
    assert "vibration of pivot is too fast" in text


def figures(name: str, **values: float) -> list[Figure]:
    return [Figure(Measure(statistic, name), "N", value, 1.0) for statistic, value in values.items()]


def test_what_does_not_change_is_told_in_one_line() -> None:
    still = {"max": 0.5000001, "min": 0.5, "mean": 0.5, "rms": 0.5, "final": 0.5}
    other = {key: 3.0 * value for key, value in still.items()}
    moving = {"max": 2.0, "min": 0.5, "mean": 1.0, "rms": 1.1, "final": 0.5}
    lines = measure_lines(
        [*figures("a.force[0]", **still), *figures("b.pull", **moving), *figures("a.force[1]", **other)]
    )
    assert lines[-1].split() == ["did", "not", "change", "a.force", "500", "mN,", "1.5", "N"]
    assert len(lines) == 7 and lines[0].split() == ["measure", "b.pull"]
    lines = measure_lines([*figures("a.force[0]", **moving), *figures("a.force[1]", **still)])
    assert lines[-1].split()[3:] == ["a.force[1]", "500", "mN"], "which component it is, where others moved"
    # one that comes back to where it was has moved
    assert len(measure_lines(figures("b.pull", **{**still, "max": 0.6}))) == 6


def test_a_first_route_says_why_it_takes_long(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    for before in (False, True):
        monkeypatch.setattr("taut.core.jit.compiled_before", lambda module, before=before: before)
        tell_first_time()
        assert ("compiling the solver for rods" in capsys.readouterr().err) is not before
