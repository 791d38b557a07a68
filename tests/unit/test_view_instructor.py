"""What an instructor sets, and takes back."""

from collections.abc import Iterator
from typing import Any

import pytest
import viser

from taut.scenes import open_scene
from taut.view import server as web
from taut.view.instructor import Instructor, direction
from taut.view.live import LivePlayer


class Heard:
    """The changes of a page, made at once: a live player without a thread."""

    def __init__(self, player: LivePlayer) -> None:
        self.scene, self._player, self.made = player.scene, player, list[str]()
        self.heard: list[Any] = []

    @property
    def now(self) -> Any:
        return self._player.scene

    def make(self, *changes: str) -> None:
        if changes:
            self.made.extend(changes)
            self._player.change(self.made)
            for hear in self.heard:
                hear()


class Hands:
    """What a folder asks of a runner."""

    resets = 0

    def __init__(self, player: LivePlayer) -> None:
        self._player = player
        self.set_control = player.set_control

    def controls(self) -> Any:
        return self._player.controls


@pytest.fixture
def server() -> Iterator[viser.ViserServer]:
    found = web.start("127.0.0.1", 0)
    yield found
    web.stop(found)


@pytest.mark.parametrize(("given", "way"), [([], 0.0), (["wind.speed=5", "wind.direction=[0, 1, 0]"], 90.0)])
def test_as_at_the_start_takes_back_where_the_wind_blows_to(
    server: viser.ViserServer, given: list[str], way: float
) -> None:
    player = LivePlayer(open_scene("gantry").with_overrides(given))
    changes: Any = Heard(player)
    hands: Any = Hands(player)
    folder = Instructor(server.gui, server.gui.add_folder("Instructor"), hands, changes)
    folder._wind.value, folder._way.value = 12.0, -45.0
    folder.set()
    assert changes.now.wind.speed == 12.0 and direction(changes.now) == -45.0
    folder._mass.value = "never set"
    folder.calm()
    assert direction(changes.now) == way and folder._way.value == way
    assert changes.now.wind.speed == (5.0 if given else 0.0)
    folder._mass.value = "never set"
    folder.calm()
    assert folder._mass.value == "10.296 t", "what was typed and never set goes too"
