"""What takes long is told on stderr, and what does not is not."""

from __future__ import annotations

import time

import pytest

from taut.cli import render, terminal
from taut.cli import waiting as module
from taut.cli.waiting import waiting


def test_what_takes_long_is_told_in_a_pipe_with_the_seconds(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(module, "SHORT", 0.01)
    monkeypatch.setattr(module, "SELDOM", 0.01)
    with waiting("solving") as tell:
        _until(lambda: "solving, 0 s\n" in capsys.readouterr().err)
        tell("frame 3 of 41")
        _until(lambda: "frame 3 of 41, " in capsys.readouterr().err)
    capsys.readouterr()
    time.sleep(0.05)
    assert capsys.readouterr().err == "", "it has ended"


def test_what_is_short_is_not_told_and_errors_pass(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="no shape"), waiting("solving"):
        raise ValueError("no shape")
    said = capsys.readouterr()
    assert said.err == "" and said.out == ""


def test_a_run_and_a_film_are_told_in_a_pipe(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(terminal, "SELDOM", 0.0)
    with terminal.RunProgress("running", 120, 1 / 60) as progress:
        progress(60, 0.5)
    assert "running, 1.0 of 2 s\n" in capsys.readouterr().err
    with terminal.RunProgress("running", 120, 1 / 60, quiet=True) as progress:
        progress(60, 0.5)
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(module, "SHORT", 0.01)
    monkeypatch.setattr(module, "SELDOM", 0.01)
    with render._progress(570) as tell:
        _until(lambda: "drawing, 0 of 570 pictures, " in capsys.readouterr().err)
        tell(12)
        _until(lambda: "drawing, 12 of 570 pictures, " in capsys.readouterr().err)


def _until(holds: object) -> None:
    end = time.monotonic() + 20.0
    while time.monotonic() < end:
        if holds():  # type: ignore[operator]
            return
        time.sleep(0.005)
    raise AssertionError("not told")
