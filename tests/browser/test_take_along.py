"""What is taken along, in a real browser: a replay opens from disk, and pictures are drawn without a display."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tabs import PATIENCE, VIEWPORT, until

from taut import Simulation
from taut.cli import main
from taut.record import Recorder, run

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def recording(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Half a second of the gantry."""
    file = tmp_path_factory.mktemp("run") / "gantry.h5"
    sim = Simulation("gantry")
    sim.controls["travel.speed"] = 1.0
    with Recorder(file, sim, None) as recorder:
        run(sim, 30, (), recorder)
    return file


def yellow(picture: np.ndarray) -> float:
    """Share of the picture that the girders take."""
    rgb = picture.astype(int)
    return float(((rgb[..., 0] > 130) & (rgb[..., 1] > 100) & (rgb[..., 2] < 110)).mean())


def test_a_replay_opens_from_disk(chromium: Any, recording: Path, tmp_path: Path, pictures: Path) -> None:
    import imageio.v3 as iio

    assert main(["export", str(recording), "--to", str(tmp_path / "run.html")]) == 0
    complaints: list[str] = []
    tab = chromium.new_page(viewport=VIEWPORT)
    tab.set_default_timeout(1000.0 * PATIENCE)
    tab.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    tab.on("pageerror", lambda error: complaints.append(str(error)))
    # nothing may be asked of a network
    tab.route("http*://**", lambda route: (complaints.append(route.request.url), route.abort()))
    tab.goto((tmp_path / "run.html").as_uri())
    assert tab.title() == "Gantry"

    def drawn() -> bool:
        shot = tab.screenshot(path=str(pictures / "replay.png"))
        return yellow(iio.imread(shot)[..., :3]) > 0.02

    until(drawn, "the crane is seen")
    tab.close()
    assert not complaints, complaints


def test_a_picture_and_a_film_without_a_display(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import imageio.v3 as iio

    monkeypatch.delenv("DISPLAY", raising=False)
    assert main(["render", str(recording), "--to", str(tmp_path / "run.png"), "--size", "320x200"]) == 0
    picture = iio.imread(tmp_path / "run.png")[..., :3]
    assert picture.shape == (200, 320, 3) and yellow(picture) > 0.02
    assert main(["render", str(recording), "--to", str(tmp_path / "run.mp4"), "--size", "320x200", "--fps", "10"]) == 0
    film = iio.imread(tmp_path / "run.mp4")
    assert film.shape == (6, 200, 320, 3)
    assert np.abs(film[0].astype(int) - film[-1].astype(int)).max() > 40, "the trolley has moved"
    assert [file.name for file in tmp_path.iterdir() if "part" in file.name] == []


def test_what_cannot_be_drawn_is_told(
    recording: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["render", str(recording), "--to", str(tmp_path / "run.xyz")]) == 1
    assert ".mp4" in capsys.readouterr().err
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("TAUT_CHROMIUM", raising=False)
    assert main(["render", str(recording), "--to", str(tmp_path / "run.png")]) == 1
    assert "TAUT_CHROMIUM" in capsys.readouterr().err
