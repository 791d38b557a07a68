"""Recordings: what is written is what is read, while it is written and after."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest

import taut
from taut.measure import UnknownName, poses
from taut.record import Recorder, RecordError, Recording, is_recording, run
from taut.record.defaults import default_names
from taut.record.storage import open_for_writing

PENDULUM = """
taut: 1
name: pendulum
bodies:
  load: {shape: {type: sphere, radius: 10 cm}, mass: 1 t, position: [1, 0, -1], collide: false}
joints:
  pivot: {type: ball, b: load, at: [0, 0, 0]}
"""


@pytest.fixture
def sim() -> taut.Simulation:
    return taut.Simulation(taut.Scene.from_yaml(PENDULUM))


def record(path: Path, sim: taut.Simulation, steps: int, **options: object) -> None:
    with Recorder(path, sim, **options) as recorder:  # type: ignore[arg-type]
        for _ in range(steps):
            sim.step()
            recorder.take()


def in_another_process(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code), *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(Path(taut.__file__).parents[1])},
    )


def test_what_is_written_is_what_is_read(tmp_path: Path, sim: taut.Simulation) -> None:
    names = ["pivot.tension", "load.velocity", "load.velocity[2]", "energy.mechanical"]
    seen: list[tuple[float, ...]] = []
    with Recorder(tmp_path / "run.h5", sim, names) as recorder:
        for _ in range(30):
            sim.step()
            recorder.take()
            seen.append((sim.time, sim.read("pivot.tension"), *sim.read("load.velocity"), *poses.positions(sim)[0]))
    expected = np.array(seen)
    with Recording(tmp_path / "run.h5") as recording:
        assert len(recording) == 31  # the start, then every step
        assert recording.names == tuple(names)
        # the same bits: nothing is rounded on the way
        assert np.array_equal(recording.times[1:], expected[:, 0])
        assert np.array_equal(recording["pivot.tension"][1:], expected[:, 1])
        assert np.array_equal(recording["load.velocity"][1:], expected[:, 2:5])
        assert np.array_equal(recording["load.velocity[2]"][1:], expected[:, 4])
        assert np.array_equal(recording["load.position[2]"][1:], expected[:, 7])
        positions, orientations = recording.poses(-1)
        assert np.array_equal(positions, poses.positions(sim))
        assert np.array_equal(orientations, poses.orientations(sim))
        assert recording.units["pivot.tension"] == "N"
        assert recording.body_names == ("load", "world")
        assert recording.scene == sim.scene
        assert recording.dt == sim.dt
        assert recording.taut == taut.__version__


def test_frames_are_found_by_time(tmp_path: Path, sim: taut.Simulation) -> None:
    record(tmp_path / "run.h5", sim, 60, every=4)
    with Recording(tmp_path / "run.h5") as recording:
        assert np.allclose(recording.times, np.arange(16) * 4 / 60)
        assert [recording.frame_at(t) for t in (-1.0, 0.0, 0.066, 4 / 60, 0.1, 99.0)] == [0, 0, 0, 1, 1, 15]
        assert [frame.time for frame in recording] == list(recording.times)
        with pytest.raises(IndexError):
            recording.poses(16)


def test_more_frames_than_the_buffer_holds(
    tmp_path: Path, sim: taut.Simulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taut.record.recorder.BUFFER_FRAMES", 7)
    record(tmp_path / "run.h5", sim, 50, names=["time", "step.count"], flush_every=100.0)
    with Recording(tmp_path / "run.h5") as recording:
        assert list(recording["step.count"]) == list(range(51))
        assert list(recording["step"]) == list(range(51))


def test_a_reader_beside_the_writer_sees_frames_arrive(tmp_path: Path, sim: taut.Simulation) -> None:
    path = tmp_path / "run.h5"
    with Recorder(path, sim, flush_every=0.2) as recorder:
        for _ in range(10):
            sim.step()
            recorder.take()
        # no call of flush: the recorder's own thread has to bring them there
        end = time.monotonic() + 120.0
        while recorder.flushed < 11 and time.monotonic() < end:
            time.sleep(0.02)
        code = """
            import sys
            from taut.record import Recording
            with Recording(sys.argv[1]) as recording:
                print(len(recording), recording.times[-1] == recording["time"][10], len(recording["energy.kinetic"]))
        """
        found = in_another_process(code, str(path))
        assert found.stdout.split() == ["11", "True", "11"], found.stderr
        with pytest.raises(RecordError, match="close the recorder first"):
            Recording(path)


def test_a_reader_that_locks_the_new_file_for_a_moment_is_waited_for(tmp_path: Path, sim: taut.Simulation) -> None:
    """Between the move of the whole file to its name and its opening for writing, another program may look at it."""
    path = tmp_path / "run.h5"
    record(path, sim, 2)
    holds = (
        "import h5py, sys, time\nwith h5py.File(sys.argv[1], 'r'):\n    print('open', flush=True)\n    time.sleep(0.5)"
    )
    with subprocess.Popen([sys.executable, "-c", holds, str(path)], stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout is not None and reader.stdout.readline() == "open\n"
        assert reader.poll() is None
        open_for_writing(path).close()
        assert reader.wait(timeout=60) == 0


def test_unwritten_tail_is_not_shown(tmp_path: Path, sim: taut.Simulation) -> None:
    path = tmp_path / "run.h5"
    record(path, sim, 20)
    with h5py.File(path, "r+") as file:
        file["time"].resize(25, axis=0)  # as if killed after the first of many datasets
        file["committed"][()] = 25
    with Recording(path) as recording:
        assert len(recording) == 21
        assert len(recording.times) == 21
    with h5py.File(path, "r+") as file:
        file["committed"][()] = 12
    with Recording(path) as recording:
        assert len(recording) == len(recording["energy.kinetic"]) == 12


def test_names_that_were_not_recorded(tmp_path: Path, sim: taut.Simulation) -> None:
    record(tmp_path / "run.h5", sim, 2)
    with Recording(tmp_path / "run.h5") as recording:
        assert "pivot.tension" in recording
        assert "load.spin" not in recording
        for name in ("pivot.tensoin", "load.position[3]", "pivot.tension[0]", "", "load"):
            with pytest.raises(UnknownName, match="was not recorded"):
                recording[name]
    with pytest.raises(UnknownName, match=r"did you mean .*pivot\.tension"):
        Recorder(tmp_path / "other.h5", sim, ["pivot.tensoin"])
    assert not (tmp_path / "other.h5").exists()


def test_existing_files_are_safe(tmp_path: Path, sim: taut.Simulation) -> None:
    foreign = tmp_path / "thesis.h5"
    foreign.write_text("years of work")
    with pytest.raises(RecordError, match="not a recording of Taut"):
        Recorder(foreign, sim, overwrite=True)
    assert foreign.read_text() == "years of work"
    other = tmp_path / "other.h5"
    with h5py.File(other, "w") as file:
        file["data"] = 1
    with pytest.raises(RecordError, match="not a recording of Taut"):
        Recorder(other, sim, overwrite=True)

    mine = tmp_path / "run.h5"
    record(mine, sim, 5)
    with pytest.raises(RecordError, match="overwrite"):
        Recorder(mine, sim)
    with pytest.raises(UnknownName):
        Recorder(mine, sim, ["nothing.like_it"], overwrite=True)
    with Recording(mine) as recording:
        assert len(recording) == 6  # a start that fails leaves the old one alone
    record(mine, sim, 2, overwrite=True)
    with Recording(mine) as recording:
        assert len(recording) == 3
    assert sorted(file.name for file in tmp_path.iterdir()) == ["other.h5", "run.h5", "thesis.h5"]


@pytest.mark.parametrize("target", [".", "nowhere/run.h5"])
def test_places_that_cannot_be_written(tmp_path: Path, sim: taut.Simulation, target: str) -> None:
    with pytest.raises(RecordError, match="folder"):
        Recorder(tmp_path / target, sim)


def test_files_that_are_no_recordings(tmp_path: Path) -> None:
    text, cut = tmp_path / "text.h5", tmp_path / "cut.h5"
    text.write_text("hello")
    cut.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    for file in (text, cut, tmp_path / "none.h5", tmp_path):
        assert not is_recording(file)
        with pytest.raises(RecordError, match=file.name):
            Recording(file)


def test_a_simulation_that_goes_back_ends_the_recording(tmp_path: Path, sim: taut.Simulation) -> None:
    with Recorder(tmp_path / "run.h5", sim) as recorder:
        sim.run(3)
        assert recorder.take()
        assert not recorder.take()
        sim.reset()
        with pytest.raises(RecordError, match="went back in time"):
            recorder.take()
    with pytest.raises(RecordError, match="closed"):
        recorder.take()


@pytest.mark.skipif(sys.platform == "win32", reason="sets a limit on file sizes")
def test_a_full_disk_ends_the_recording_not_the_run(tmp_path: Path) -> None:
    # a limit on the size of files stands for the full disk: the library meets it in the same call
    path = tmp_path / "run.h5"
    code = """
        import resource, sys
        import taut
        from taut.record import Recorder, RecordError
        sim = taut.Simulation(taut.Scene.from_yaml(sys.argv[2]))
        recorder = Recorder(sys.argv[1], sim, flush_every=0.05)
        resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[3]),) * 2)
        said = ""
        for _ in range(4000):
            sim.step()
            if not said:
                try:
                    recorder.take()
                except RecordError as error:
                    said = str(error)
        recorder.close()
        print(sim.steps, recorder.flushed, said)
    """
    found = in_another_process(code, str(path), PENDULUM, "600000")
    assert found.returncode == 0, found.stderr  # it is the library that likes to crash here
    steps, flushed, said = found.stdout.split(maxsplit=2)
    assert int(steps) == 4000
    assert "no room left" in said and f"the first {flushed} frames" in said
    with Recording(path) as recording:
        assert len(recording) == int(flushed) > 1
        assert np.allclose(recording.times, np.arange(len(recording)) / 60.0)
        assert all(np.isfinite(recording[name]).all() for name in recording.names)


@pytest.mark.skipif(sys.platform == "win32", reason="sets a limit on file sizes")
def test_no_room_at_the_start_keeps_the_old_recording(tmp_path: Path, sim: taut.Simulation) -> None:
    path = tmp_path / "run.h5"
    record(path, sim, 5)
    before = path.read_bytes()
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000, limits[1]))
    try:
        with pytest.raises(RecordError, match="no room left"):
            Recorder(path, sim, overwrite=True)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["run.h5"]


def test_default_names_stay_few_for_many_bodies() -> None:
    ball = {"shape": {"type": "sphere", "radius": 0.1}, "mass": 1.0, "collide": False}
    bodies = {f"b{k}": {**ball, "position": (k, 0, 0)} for k in range(500)}
    joints = {f"j{k}": {"type": "distance", "a": "b0", "b": f"b{k}"} for k in range(1, 500)}
    sim = taut.Simulation(taut.Scene(bodies=bodies, joints=joints, measures=("b3.speed",)))
    names = default_names(sim)
    assert len(names) < 150
    assert {"energy.mechanical", "residual.relative", "b3.speed", "b1.sway"} <= set(names)


def test_controls_are_recorded(tmp_path: Path) -> None:
    scene = taut.Scene.from_yaml(PENDULUM.replace("type: ball", "type: hinge, axis: [0, 1, 0], motor: {target: 0.5}"))
    sim = taut.Simulation(scene)
    with Recorder(tmp_path / "run.h5", sim) as recorder:
        sim.controls["pivot.speed"] = 2.0
        sim.run(1)
        recorder.take()
    with Recording(tmp_path / "run.h5") as recording:
        assert recording.controls == ("pivot.speed",)
        assert list(recording["pivot.speed"]) == [0.5, 2.0]
        assert recording.unit("pivot.speed") == "rad/s"
        assert "pivot.angle" in recording.names


def test_a_control_and_what_it_did(tmp_path: Path) -> None:
    ball = "shape: {type: sphere, radius: 0.1}, collide: false"
    trolley = (
        f"  trolley: {{kind: kinematic, motion: {{type: control, acceleration: 1}}, {ball}, position: [0, 0, 1]}}\n"
    )
    sim = taut.Simulation(taut.Scene.from_yaml(PENDULUM.replace("joints:", trolley + "joints:")))
    with Recorder(tmp_path / "run.h5", sim, ["trolley.velocity"]) as recorder:
        sim.controls["trolley.velocity[0]"] = 2.0
        sim.run(6)
        recorder.take()
    with Recording(tmp_path / "run.h5") as recording:
        assert recording["controls/trolley.velocity[0]"][-1] == 2.0
        assert recording["trolley.velocity[0]"][-1] == sim.read("trolley.velocity[0]") < 0.2
    record(tmp_path / "other.h5", sim, 1, names=[])
    with Recording(tmp_path / "other.h5") as recording:
        assert "trolley.velocity[0]" not in recording


@pytest.fixture
def terminal() -> Iterator[None]:
    """Ctrl-C as in a terminal: a shell that starts the tests in the background has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("asked_at", [1, 3])
def test_ctrl_c_waits_for_the_end_of_a_step_but_not_of_the_first(
    tmp_path: Path, sim: taut.Simulation, asked_at: int
) -> None:
    def drive(sim: taut.Simulation) -> None:
        if sim.steps + 1 == asked_at:
            signal.raise_signal(signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    with Recorder(tmp_path / "run.h5", sim) as recorder:
        report = run(sim, 10, recorder=recorder, drive=drive)
        assert report.interrupted and report.steps == sim.steps == (0 if asked_at == 1 else asked_at)
        assert recorder.frames == report.steps + 1
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.usefixtures("terminal")
def test_a_second_ctrl_c_does_not_wait(sim: taut.Simulation) -> None:
    def drive(sim: taut.Simulation) -> None:
        if sim.steps == 2:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    report = run(sim, 10, drive=drive)
    assert report.interrupted and report.steps == 2
