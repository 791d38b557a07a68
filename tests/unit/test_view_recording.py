"""Recording what is driven in the page, and what can be made of it."""

from __future__ import annotations

import csv
import io
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from taut.record import Recording
from taut.scenes import open_scene
from taut.view.live import LivePlayer
from taut.view.recording import FORMS, Keeper, Kept, free_file, made_of
from taut.view.runner import Runner


@pytest.fixture
def runner() -> Iterator[Runner]:
    made = Runner(lambda: LivePlayer(open_scene("pendulum")))
    made.start()
    assert made.ready.wait(60.0)
    yield made
    made.close()
    made.join(timeout=60.0)


def until(condition: Callable[[], bool]) -> None:
    for _ in range(3000):
        if condition():
            return
        time.sleep(0.02)
    raise AssertionError("it did not come to that")


def recorded(runner: Runner, folder: Path, kept: list[Kept] | None = None) -> Keeper:
    keeper = Keeper(runner, folder, "swing", kept)
    keeper.begin()
    until(lambda: keeper.on and keeper.length > 0.5)
    keeper.end()
    until(lambda: not keeper.on)
    return keeper


def test_what_runs_is_recorded_from_then_on_until_stopped(runner: Runner, tmp_path: Path) -> None:
    keeper = recorded(runner, tmp_path)
    assert keeper.file == tmp_path / "swing-1.h5" and keeper.trouble == ""
    with Recording(keeper.file) as found:
        times = np.asarray(found.times)
        assert times[0] == pytest.approx(keeper.begun) and times[-1] == pytest.approx(keeper.begun + keeper.length)
        # every frame is there, as it was shown
        assert np.diff(times).min() > 0.0 and np.diff(times).max() < 0.5
    assert free_file(tmp_path, "swing").name == "swing-2.h5"


def test_all_recordings_of_a_session_are_kept_with_their_length(runner: Runner, tmp_path: Path) -> None:
    kept: list[Kept] = []
    for _ in range(2):
        recorded(runner, tmp_path, kept)
    assert [one.file.name for one in kept] == ["swing-1.h5", "swing-2.h5"]
    for one in kept:
        with Recording(one.file) as found:
            assert one.length == pytest.approx(found.times[-1] - found.times[0])
        assert one.file.name in one.words and f"{one.length:.1f} s" in one.words and one.begun in one.words


def test_one_hears_how_much_of_a_replay_is_made(runner: Runner, tmp_path: Path) -> None:
    keeper, shares = recorded(runner, tmp_path), []
    made_of(keeper.kept[-1].file, "moving model", shares.append)
    assert len(shares) > 5 and shares[-1] == 1.0 and (np.diff(shares) > 0.0).all()


def test_going_back_in_time_ends_a_recording_and_keeps_it(runner: Runner, tmp_path: Path) -> None:
    keeper = Keeper(runner, tmp_path, "swing")
    keeper.begin()
    until(lambda: keeper.length > 0.3)
    runner.reset()
    until(lambda: not keeper.on)
    assert "back in time" in keeper.trouble
    with Recording(tmp_path / "swing-1.h5") as found:
        # a busy machine shows fewer moments
        assert len(found) >= 3 and found.times[-1] > 0.3


def test_a_folder_that_cannot_be_written_is_said(runner: Runner, tmp_path: Path) -> None:
    keeper = Keeper(runner, tmp_path / "missing", "swing")
    keeper.begin()
    until(lambda: bool(keeper.trouble))
    assert not keeper.on and "missing" in keeper.trouble


@pytest.mark.parametrize("form", FORMS)
def test_what_is_made_of_a_recording(runner: Runner, tmp_path: Path, form: str) -> None:
    keeper = recorded(runner, tmp_path)
    assert keeper.file is not None
    name, content = made_of(keeper.file, form)
    assert name == f"swing-1{FORMS[form]}"
    if form == "table":
        rows = list(csv.reader(io.StringIO(content.decode())))
        assert rows[0][0].startswith("time") and len(rows) > 3
    elif form == "replay page":
        assert content.lstrip()[:9].lower() == b"<!doctype"
    else:
        assert content[:4] == {"moving model": b"glTF", "recording": b"\x89HDF"}[form]


def test_a_recording_from_the_middle_of_a_run_is_exported_from_there(runner: Runner, tmp_path: Path) -> None:
    from taut.view.render import times_of
    from taut.view.replay import ReplayPlayer

    until(lambda: runner.frame is not None and runner.frame.time > 0.5)
    keeper = recorded(runner, tmp_path)
    with Recording(keeper.file) as found:
        player = ReplayPlayer(found)
        assert player.begins == pytest.approx(keeper.begun) and player.begins > 0.4
        times = times_of(float(player.duration or 0.0), 30.0, player.begins)
        assert len(times) == pytest.approx(30.0 * keeper.length, abs=6)
