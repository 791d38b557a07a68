"""A scene as an FMU: run by FMPy in a process of its own, as a host would, against the same run in Taut."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut

pytest.importorskip("pythonfmu", reason="needs pythonfmu: pip install 'taut[fmi]'")

#: a host: reads what to do from its first argument, prints what came out
HOST = """
import json, sys
import numpy as np
from fmpy import simulate_fmu
asked = json.loads(sys.argv[1])
if "input" in asked:
    names = asked.pop("input_names")
    asked["input"] = np.array([tuple(row) for row in asked["input"]], [(name, float) for name in names])
for k in range(int(sys.argv[2])):
    try:
        result = simulate_fmu(**asked)
        print(json.dumps({name: result[name].tolist() for name in result.dtype.names}))
    except Exception as error:
        print(json.dumps({"error": str(error)}))
"""


def host(file: Path, **asked: Any) -> dict[str, Any]:
    """Run a unit in FMPy; what it put out, or its error and log."""
    *_, found = hosted(file, 1, **asked)
    return found


def hosted(file: Path, times: int, **asked: Any) -> list[dict[str, Any]]:
    """Run a unit in FMPy so many times in one process, which must end well; memory that is freed twice is seen there."""
    pytest.importorskip("fmpy", reason="needs fmpy: pip install fmpy")
    environment = {**os.environ, "PYTHONPATH": str(Path(taut.__file__).parents[1]), "PYTHONMALLOC": "debug"}
    done = subprocess.run(
        [sys.executable, "-c", HOST, json.dumps({"filename": str(file), **asked}), str(times)],
        capture_output=True,
        text=True,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, (done.returncode, done.stdout[-500:], done.stderr[-3000:])
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    assert len(lines) == times, done.stdout[-500:]
    return [{**json.loads(line), "log": done.stderr} for line in lines]


def test_a_unit_makes_the_numbers_of_a_run(tmp_path: Path) -> None:
    from taut.exchange.fmu import write_fmu

    scene = taut.open_scene("gantry")
    file = tmp_path / "crane.fmu"
    names = ["load.position[2]", "left.tension"]
    assert write_fmu(scene, file, ["load.position", "left.tension"]) == [
        "load.position[0]", "load.position[1]", "load.position[2]", "left.tension",
    ]  # fmt: skip
    dt, steps = scene.dt, 120
    speeds = {"left.speed": 0.5, "right.speed": 0.5}
    result = host(file, stop_time=steps * dt, step_size=dt, output_interval=dt, start_values=speeds, output=names)
    sim = taut.Simulation(scene)
    sim.controls.update(speeds)
    expected = [[sim.read(name) for name in names]]
    for _ in range(steps):
        sim.step()
        expected.append([sim.read(name) for name in names])
    assert [list(row) for row in zip(*(result[name] for name in names))] == expected


def test_the_description_is_valid_and_says_units(tmp_path: Path) -> None:
    pytest.importorskip("fmpy", reason="needs fmpy: pip install fmpy")
    from fmpy import read_model_description
    from fmpy.validation import validate_fmu

    from taut.exchange.fmu import write_fmu

    file = tmp_path / "heavy crane.fmu"
    write_fmu(taut.open_scene("gantry", ["load.mass=9000"]), file, ["trolley.position[0]"], ["load.mass"])
    assert validate_fmu(str(file)) == []
    variables = {v.name: v for v in read_model_description(str(file)).modelVariables}
    assert variables["load.mass"].causality == "parameter" and float(variables["load.mass"].start) == 9000.0
    assert variables["travel.speed"].causality == "input" and "[m/s]" in variables["travel.speed"].description
    assert variables["trolley.position[0]"].causality == "output"


def test_inputs_change_while_it_runs_and_parameters_before(tmp_path: Path) -> None:
    from taut.exchange.fmu import write_fmu

    scene = taut.open_scene("gantry", ["load.mass=9000"])
    file = tmp_path / "heavy crane.fmu"
    write_fmu(scene, file, ["trolley.position[0]", "energy.potential"], ["load.mass"])
    result = host(
        file,
        stop_time=1.0,
        step_size=scene.dt,
        output_interval=scene.dt,
        start_values={"load.mass": 5000.0},
        input=[(0.0, 0.5), (0.5, 0.5), (0.5, 0.0), (1.0, 0.0)],
        input_names=["time", "travel.speed"],
        output=["trolley.position[0]", "energy.potential"],
    )
    sim = taut.Simulation(scene.with_overrides(["load.mass=5000.0"]))
    assert result["energy.potential"][0] == sim.read("energy.potential")
    moved = np.array(result["trolley.position[0]"])
    # it rolls for half a second, and brakes with 0.4 m/s^2 afterwards
    assert moved[30] > 0.01 and moved[-1] > moved[30] and np.diff(moved).max() < 0.5 * scene.dt


def test_a_unit_is_made_again_and_again_in_one_process(tmp_path: Path) -> None:
    from taut.exchange.fmu import write_fmu

    file = tmp_path / "p.fmu"
    scene = taut.open_scene("pendulum")
    write_fmu(scene, file)
    first, *others = hosted(file, 5, stop_time=0.2, step_size=scene.dt, output_interval=scene.dt)
    assert "error" not in first and len(others) == 4
    assert all(other == first for other in others), "every instance begins anew"


def test_a_step_that_does_not_fit_is_refused(tmp_path: Path) -> None:
    from taut.exchange.fmu import write_fmu

    file = tmp_path / "p.fmu"
    write_fmu(taut.open_scene("pendulum"), file)
    result = host(file, stop_time=1.0, step_size=0.01, output_interval=0.01)
    assert "error" in result and "0.01 s is no multiple of the scene's dt" in result["log"]


def test_mistakes_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from taut.cli import main

    assert main(["export", "pendulum", "rope.tensio", "--to", str(tmp_path / "p.fmu")]) == 2
    assert "rope.tension" in capsys.readouterr().err
    assert main(["export", "gantry", "--to", str(tmp_path / "p.fmu"), "--parameter", "load.mass"]) == 1
    assert "expected a field of the scene that holds a number" in capsys.readouterr().err
    assert main(["export", "pendulum", "--to", str(tmp_path / "none" / "p.fmu")]) == 1
    assert "there is no folder" in capsys.readouterr().err
    assert main(["export", "pendulum", "--to", str(tmp_path / "p.fmu")]) == 0
    assert "outputs; Python with taut must be on the host" in capsys.readouterr().out
