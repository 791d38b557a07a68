"""What a sweep survives: a killed worker, here and on a real cluster; a killed command; a full disk; a bad case."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import taut
from taut.sweep import Processes, Results, SweepError, make_plan, sweep
from taut.sweep.processes import _Worker
from taut.sweep.store import Store
from taut.sweep.task import Outcome, run_case

SOURCES = str(Path(taut.__file__).parents[1])
ENVIRONMENT = {**os.environ, "PYTHONPATH": SOURCES}
PENDULUM = """
taut: 1
name: pendulum
duration: 20 s
measures: [rope.tension, "load.position[0]"]
bodies:
  load: {shape: {type: sphere, radius: 10 cm}, mass: 1 t, position: [1, 0, -1], collide: false}
joints:
  rope: {type: distance, rope: true, b: load, point_a: [0, 0, 0]}
"""
CASES = 12
VARY = f"load.mass=100:300:{CASES}"

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL")


@pytest.fixture(scope="module")
def plan() -> Any:
    return make_plan(taut.Scene.from_yaml(PENDULUM), [VARY])


@pytest.fixture(scope="module")
def expected(plan: Any) -> np.ndarray:
    """Every case run by itself in this process."""
    return np.array([run_case(plan.task, row).values for row in plan.cases.rows])


def numbers(file: Path) -> np.ndarray:
    results = Results(file)
    return np.array([results.measure(name) for name in results.measures]).T


def test_a_killed_process_costs_only_its_time(plan: Any, expected: np.ndarray, tmp_path: Path) -> None:
    killed = []

    def kill(finished: int, total: int, failed: int, left: float) -> None:
        if finished in (2, 5):
            victim = multiprocessing.active_children()[0]
            killed.append(victim.pid)
            os.kill(victim.pid, signal.SIGKILL)

    told = sweep(plan, tmp_path / "s.h5", Processes(2), progress=kill)
    assert len(set(killed)) == 2 and (told.made, told.failed) == (CASES, 0)
    assert np.array_equal(numbers(tmp_path / "s.h5"), expected)


@pytest.mark.parametrize("which", [0, 4], ids=["the first", "one that waited at its worker"])
def test_a_case_that_kills_its_process_is_given_up_and_the_rest_goes_on(
    plan: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, which: int
) -> None:
    monkeypatch.setattr("taut.sweep.processes.run_case", partial(_deadly, plan.cases.rows[which]))
    told = sweep(plan, tmp_path / "s.h5", Processes(2))
    results = Results(tmp_path / "s.h5")
    assert (told.made, told.failed) == (CASES, 1)
    assert np.flatnonzero(results.failed).tolist() == [which]
    assert "its process died 3 times" in results.reasons[which]


def _deadly(fatal: Any, task: Any, row: Any) -> Outcome:
    """In place of a case: one of them is fatal."""
    if row == fatal:
        os.kill(os.getpid(), signal.SIGKILL)
    return Outcome((1.0,) * len(task.measures), "", 0.0)


def test_a_killed_command_goes_on_where_it_was(plan: Any, expected: np.ndarray, tmp_path: Path) -> None:
    scene, file = tmp_path / "pendulum.yaml", tmp_path / "s.h5"
    scene.write_text(PENDULUM)
    before = _kill_in_the_middle(["sweep", str(scene), "--vary", VARY, "--out", str(file)], file)
    told = sweep(plan, file, Processes(2), resume=True)
    assert told.made == CASES - before
    assert np.array_equal(numbers(file), expected)


def _kill_in_the_middle(command: list[str], file: Path, least: int = 2) -> int:
    """Run a command, kill it when some cases are done; returns how many the file holds."""
    process = subprocess.Popen([sys.executable, "-m", "taut.cli", *command], env=ENVIRONMENT, start_new_session=True)
    try:
        end = time.monotonic() + 300.0
        while process.poll() is None and time.monotonic() < end:
            try:
                if Results(file).done.sum() >= least:
                    break
            except SweepError:
                pass
            time.sleep(0.01)
        assert process.poll() is None, "the sweep ended by itself"
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
    return int(Results(file).done.sum())


def test_a_full_disk_is_said_and_takes_nothing(plan: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import resource

    file = tmp_path / "s.h5"
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    # a file of at most 4 kB stands for a disk without room; the signal that comes with it is not wanted
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, limits[1]))
        with pytest.raises(SweepError, match=r"cannot be written: no room left .* it needs 0.0 MB"):
            sweep(plan, file)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, before)
    assert not list(tmp_path.iterdir())

    class Full:
        def __setitem__(self, row: int, value: Any) -> None:
            raise OSError(28, "No space left on device")

    with Store(file, plan) as store:
        store.put(0, Outcome((1.0, 2.0), "", 0.1))
        monkeypatch.setattr(store, "_others", [Full()])
        with pytest.raises(SweepError, match=r"no room left .* those before it are safe.*--resume"):
            store.put(1, Outcome((3.0, 4.0), "", 0.1))
    results = Results(file)
    assert results.status.tolist() == [1] + [0] * (CASES - 1)
    assert results.measure("max(rope.tension)")[0] == 1.0


def test_a_failed_case_is_kept_with_its_reason_and_can_be_tried_again(tmp_path: Path) -> None:
    scene = taut.Scene.from_yaml(PENDULUM)
    file = tmp_path / "s.h5"
    # the second load is thrown so fast that no step can follow; the third is no load at all
    table = tmp_path / "cases.csv"
    table.write_text("load.mass,load.velocity[0]\n100,0\n100,1e14\n-1,0\n")
    plan = make_plan(scene, table=table, seconds=0.5)
    told = sweep(plan, file, Processes(1))
    results = Results(file)
    assert (told.made, told.failed) == (3, 2)
    assert results.status.tolist() == [1, 2, 2]
    assert "load" in results.reasons[1] and "-1" in results.reasons[2]
    assert sweep(plan, file, Processes(1), resume=True).made == 0
    assert sweep(plan, file, Processes(1), resume=True, retry=True).made == 2


# ---- a cluster -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed", reason="needs dask.distributed: pip install 'taut[cluster]'")
    # workers are processes of their own and find the package by the path that they inherit
    old = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = SOURCES
    try:
        with distributed.LocalCluster(
            n_workers=3, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
        ) as made:
            yield made
    finally:
        if old is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = old


def test_a_cluster_that_loses_a_worker_gives_the_same_numbers(
    cluster: Any, plan: Any, expected: np.ndarray, tmp_path: Path
) -> None:
    from distributed import Client

    from taut.sweep import Cluster

    address = cluster.scheduler_address
    with Client(address, set_as_default=False) as client:
        pids = list(client.run(os.getpid).values())
    killed = []

    def kill(finished: int, total: int, failed: int, left: float) -> None:
        if not killed:
            killed.append(pids[0])
            os.kill(pids[0], signal.SIGKILL)

    told = sweep(plan, tmp_path / "s.h5", Cluster(address), progress=kill)
    assert killed and (told.made, told.failed) == (CASES, 0)
    assert np.array_equal(numbers(tmp_path / "s.h5"), expected)


def test_a_killed_client_of_a_cluster_goes_on_without_it(
    cluster: Any, plan: Any, expected: np.ndarray, tmp_path: Path
) -> None:
    scene, file = tmp_path / "pendulum.yaml", tmp_path / "s.h5"
    scene.write_text(PENDULUM)
    command = ["sweep", str(scene), "--vary", VARY, "--out", str(file), "--scheduler", cluster.scheduler_address]
    before = _kill_in_the_middle(command, file)
    assert sweep(plan, file, Processes(2), resume=True).made == CASES - before
    assert np.array_equal(numbers(file), expected)


def test_a_scheduler_that_is_not_there_says_what_to_do() -> None:
    pytest.importorskip("distributed", reason="needs dask.distributed: pip install 'taut[cluster]'")
    from taut.sweep import Cluster

    with pytest.raises(SweepError, match=r"no Dask scheduler answers there .*`dask scheduler`.*leave --scheduler out"):
        Cluster("tcp://127.0.0.1:9", patience=1.0)


def test_a_scheduler_without_workers_says_what_to_do() -> None:
    distributed = pytest.importorskip("distributed", reason="needs dask.distributed: pip install 'taut[cluster]'")
    from taut.sweep import Cluster

    with (
        distributed.LocalCluster(n_workers=0, dashboard_address=None, host="127.0.0.1") as empty,
        pytest.raises(SweepError, match="has no workers; start some with `dask worker tcp"),
    ):
        Cluster(empty.scheduler_address, patience=1.0)


def test_a_scheduler_that_goes_away_in_the_middle_loses_nothing(
    plan: Any, expected: np.ndarray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed", reason="needs dask.distributed: pip install 'taut[cluster]'")
    from taut.sweep import Cluster

    monkeypatch.setenv("PYTHONPATH", SOURCES)
    made = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=True, dashboard_address=None, host="127.0.0.1"
    )
    try:
        with pytest.raises(SweepError, match=r"connection to the scheduler is lost.*--resume"):
            sweep(plan, tmp_path / "s.h5", Cluster(made.scheduler_address), progress=lambda *_: made.close())
    finally:
        made.close()
    done = Results(tmp_path / "s.h5").done
    assert 1 <= done.sum() < CASES
    assert np.array_equal(numbers(tmp_path / "s.h5")[done], expected[done])


def test_a_worker_that_dies_while_it_is_handed_a_case_keeps_the_case(plan: Any) -> None:
    """With a case of its own that one is told to be lost; without, another process takes its place."""
    worker = _Worker(plan.task)
    waiting = deque([(7, plan.cases.rows[0])])
    try:
        worker._pool._broken = "it died"  # type: ignore[attr-defined]
        worker.given.append((Future(), 3, plan.cases.rows[1]))
        worker.fill(waiting, 2)
        assert list(waiting) == [(7, plan.cases.rows[0])] and len(worker.given) == 1
        worker.given.clear()
        worker.fill(waiting, 1)
        assert not waiting and worker.given[0][1] == 7
        assert worker.given[0][0].result(timeout=300.0).wall >= 0.0
    finally:
        worker.end()
