"""A recording after SIGKILL at a random moment: it opens, and holds what was flushed.

Required is every step flushed at least one second before. A kill takes nothing from the cache of the operating system,
so more is asked here: every flush that the recorder had finished. The child writes each of them into a side file.

`TAUT_KILLS` sets how often (3), `TAUT_KILL_SEED` the random moments.
"""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import taut
from taut.record import Recording

KILLS = int(os.environ.get("TAUT_KILLS", "3"))
SEED = int(os.environ.get("TAUT_KILL_SEED", "7"))
#: the kill comes between nothing and this long after the recording has begun [s]
LONGEST = 3.0
COMPARED = 600

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(taut.__file__).parents[1])}
PENDULUM = """
taut: 1
name: pendulum
bodies:
  load: {shape: {type: sphere, radius: 10 cm}, mass: 1 t, position: [1, 0, -1], collide: false}
joints:
  pivot: {type: ball, b: load, at: [0, 0, 0]}
"""

CHILD = r"""
import os, sys, time
from taut.record.recorder import Recorder

log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
write = Recorder._write

def logged(self):
    write(self)
    os.write(log, b"%.6f %d\n" % (time.monotonic(), self.flushed))

Recorder._write = logged
from taut.cli import main
sys.exit(main(sys.argv[2:]))
"""


@pytest.fixture(scope="module")
def expected() -> np.ndarray:
    """Where the load is after each step, from a run that nobody kills."""
    sim = taut.Simulation(taut.Scene.from_yaml(PENDULUM))
    places = [sim.read("load.position")]
    for _ in range(COMPARED):
        sim.step()
        places.append(sim.read("load.position"))
    return np.array(places)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")
@pytest.mark.parametrize("kill", range(KILLS))
def test_a_killed_recording_holds_what_was_flushed(tmp_path: Path, expected: np.ndarray, kill: int) -> None:
    scene, file, log = tmp_path / "pendulum.yaml", tmp_path / "run.h5", tmp_path / "flushes"
    scene.write_text(PENDULUM)
    wait = random.Random(1000 * SEED + kill).uniform(0.0, LONGEST)
    command = ["run", str(scene), "--seconds", "1e7", "--out", str(file), "--quiet"]
    process = subprocess.Popen([sys.executable, "-c", CHILD, str(log), *command], env=ENVIRONMENT)
    try:
        # most kills come while frames are written, every fifth one may come while it starts
        begun = 2 if kill % 5 else 1
        end = time.monotonic() + 240.0
        while not (file.exists() and _flushed(log) >= begun) and process.poll() is None and time.monotonic() < end:
            time.sleep(0.001)
        time.sleep(wait)
        assert process.poll() is None, "the run ended by itself"
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
    flushed = _flushed(log)

    with Recording(file) as recording:
        frames = len(recording)
        assert frames >= flushed >= 1
        # every frame is whole: clock, poses and quantities
        assert np.array_equal(recording["step"], np.arange(frames))
        assert np.allclose(recording.times, np.arange(frames) / 60.0, rtol=1e-9)
        assert all(len(recording[name]) == frames for name in recording.names)
        assert all(np.isfinite(recording[name]).all() for name in recording.names)
        assert np.allclose(np.linalg.norm(recording["load.orientation"], axis=1), 1.0, atol=1e-9)
        same = min(frames, COMPARED)
        assert np.array_equal(recording["load.position"][:same], expected[:same])
        assert recording.frame(frames - 1).time == recording.times[-1]
        assert recording.scene.name == "pendulum"
    print(f"killed after {wait:.2f} s: {frames} frames, {flushed} logged")


def _flushed(log: Path) -> int:
    """Frames that the last whole line of the side file speaks of; the first frame is there from the start."""
    text = log.read_text() if log.exists() else ""
    lines = text[: text.rfind("\n") + 1].splitlines()
    return int(lines[-1].split()[1]) if lines else 1
