"""A recording in the page: its frames, its slider, its quantities."""

from pathlib import Path

import numpy as np
import pytest

from taut import Body, Scene, Sphere
from taut.view.replay import ReplayPlayer, is_recording


class Tape:
    """What the reader of recordings offers, with five frames of one body."""

    path = Path("run.h5")
    scene = Scene(bodies={"ball": Body(mass=1.0, shape=Sphere(radius=0.1))})
    dt = 0.01
    times = np.array([0.0, 0.1, 0.2, 0.3, 0.4])
    body_names = ("ball", "world")
    names = ("energy.kinetic", "energy.potential", "energy.elastic", "energy.dissipated", "chain.tension")

    def pose_block(self, start: int, stop: int) -> tuple[np.ndarray, np.ndarray]:
        frames = range(start, min(stop, len(self.times)))
        turn = np.tile([1.0, 0.0, 0.0, 0.0], (len(frames), 2, 1))
        return np.array([[[float(frame), 0.0, 0.0], [9.0, 9.0, 9.0]] for frame in frames]), turn

    def unit(self, name: str) -> str:
        return "J" if name.startswith("energy") else "N"

    def block(self, name: str, start: int, stop: int) -> np.ndarray:
        return np.zeros((stop - start, 3)) if name == "chain.tension" else np.zeros(stop - start)

    def __contains__(self, name: str) -> bool:
        return name in ("step", "chain.tension[0]", *self.names)

    def __getitem__(self, name: str) -> np.ndarray:
        return np.arange(5.0) + (100.0 if name == "energy.potential" else 0.0)


@pytest.fixture
def player() -> ReplayPlayer:
    return ReplayPlayer(Tape())  # type: ignore[arg-type]


def test_files_are_told_from_scenes_by_their_ending() -> None:
    assert is_recording("run.h5") and is_recording(Path("RUN.HDF5"))
    assert not is_recording("yard") and not is_recording("scene.yaml") and not is_recording(Scene())


def test_it_walks_to_the_last_frame_and_no_further(player: ReplayPlayer) -> None:
    assert player.dt == pytest.approx(0.1) and player.duration == pytest.approx(0.4)
    player.advance(3)
    assert player.time == pytest.approx(0.3)
    player.advance(100)
    assert player.time == player.duration
    player.reset()
    assert player.time == 0.0


def test_it_goes_to_the_nearest_frame(player: ReplayPlayer) -> None:
    player.seek(0.26)
    assert player.time == pytest.approx(0.3)
    player.seek(-5.0)
    assert player.time == 0.0


def test_a_frame_holds_poses_and_what_was_recorded(player: ReplayPlayer) -> None:
    player.advance(2)
    frame = player.frame(("chain.tension[0]",), account=True)
    assert frame.positions.shape == (1, 3) and frame.positions[0, 0] == 2.0
    assert frame.account is not None
    assert (frame.account.kinetic, frame.account.potential) == (2.0, 2.0)
    assert frame.values == {"chain.tension[0]": 2.0} and frame.step == 2
    assert player.quantities["chain.tension[0]"] == "N"


def test_it_has_no_controls(player: ReplayPlayer) -> None:
    assert player.controls == []
    player.set_control("hoist.speed", 1.0)
