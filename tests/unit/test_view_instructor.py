"""What an instructor sets, and takes back."""

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from types import SimpleNamespace
from typing import Any

import pytest
import viser

from taut.scene import Scene, SceneError
from taut.scenes import open_scene
from taut.view import server as web
from taut.view.cameras import Cameras
from taut.view.changes import Changes
from taut.view.door import STATIC
from taut.view.entries import Entry
from taut.view.instructor import Instructor, direction, is_wanted
from taut.view.live import LivePlayer
from taut.view.made import Row
from taut.view.panel import Panel
from taut.view.runner import Runner


class Hands:
    """A runner without a thread; `busy`, it keeps what it is asked for until it goes on."""

    resets = 0

    def __init__(self, player: LivePlayer) -> None:
        self.player, self.busy = player, False
        self._asked: list[Callable[[], None]] = []

    def controls(self) -> Any:
        return self.player.controls

    def change(self, changes: Sequence[str], told: Callable[[str], None]) -> None:
        self.between_steps(lambda: self._change(changes, told))

    def set_control(self, name: str, value: float) -> None:
        self.between_steps(lambda: self.player.set_control(name, value))

    def between_steps(self, act: Callable[[], None]) -> None:
        self._asked.append(act)
        if not self.busy:
            self.go_on()

    def go_on(self) -> None:
        while self._asked:
            self._asked.pop(0)()

    def _change(self, changes: Sequence[str], told: Callable[[str], None]) -> None:
        try:
            self.player.change(changes)
        except (SceneError, ValueError) as error:
            told(str(error))
        else:
            told("")


class Made:
    """Both folders of a scene, and what was complained of."""

    def __init__(self, server: viser.ViserServer, scene: Any) -> None:
        self.player = LivePlayer(scene)
        self.hands: Any = Hands(self.player)
        self.warned: list[str] = []
        self.changes = Changes(server, scene, self.hands, None, self.warned.append, lambda *given: None)
        self.folder = Instructor(server.gui, server.gui.add_folder("Instructor"), self.hands, self.changes)

    def change(self, element: str, field: str, text: str) -> None:
        """As a person does it in the folder Change."""
        self.changes.choose(element)
        self.changes._field.value, self.changes._value.value = field, text
        self.changes._apply()

    def listed(self) -> list[tuple[str, str, str]]:
        return [tuple(row[1:]) for row in self.changes.made.rows()]  # type: ignore[misc]


@pytest.fixture
def server() -> Iterator[viser.ViserServer]:
    found = web.start("127.0.0.1", 0)
    yield found
    web.stop(found)


@pytest.mark.parametrize(("given", "way"), [([], 0.0), (["wind.speed=5", "wind.direction=[0, 1, 0]"], 90.0)])
def test_as_at_the_start_takes_back_where_the_wind_blows_to(
    server: viser.ViserServer, given: list[str], way: float
) -> None:
    made = Made(server, open_scene("gantry").with_overrides(given))
    folder = made.folder
    folder._wind.value, folder._way.value = 12.0, -45.0
    folder.set()
    now = made.player.scene
    assert now.wind is not None and now.wind.speed == 12.0 and direction(now) == -45.0
    folder._mass.value = "never set"
    folder.calm()
    assert direction(made.player.scene) == way and folder._way.value == way
    assert folder._wind.value == (5.0 if given else 0.0)
    folder._mass.value = "never set"
    folder.calm()
    assert folder._mass.value == "10.296 t", "what was typed and never set goes too"
    assert not made.warned or not any(made.warned)


def test_what_was_refused_is_said_until_something_is_accepted_or_the_run_goes_back(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))

    def refused() -> None:
        made.change("hook", "mass [kg]", "heavy")
        assert "heavy" in made.warned[-1]

    made.change("hook", "mass [kg]", "700 kg")
    refused()
    made.changes.begin_again()
    assert made.warned[-1], "it did not go back since then"
    made.hands.resets += 1
    made.changes.begin_again()
    assert not made.warned[-1]
    refused()
    made.change("hook", "mass [kg]", "800 kg")
    assert not made.warned[-1]
    refused()
    made.changes.undo()
    assert not made.warned[-1]
    told = len(made.warned)
    made.hands.resets += 1
    made.changes.begin_again()
    assert len(made.warned) == told, "what others have said stays"


def test_what_is_typed_while_a_change_is_on_its_way_stays_and_counts(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))
    folder, hands = made.folder, made.hands
    hands.busy = True
    folder._wind.value = 12.0
    folder.set()
    folder._wind.value = 20.0  # typed on, before the first is told
    hands.go_on()
    assert made.changes.now.wind.speed == 12.0 and folder._wind.value == 20.0, "it is not written over"  # type: ignore[union-attr]
    folder.set()
    hands.go_on()
    assert made.changes.now.wind.speed == 20.0  # type: ignore[union-attr]
    # two that are both handed over before the first is told
    written = []
    folder._wind.on_update(lambda event: written.append(event.target.value))
    for speed in (5.0, 7.0):
        folder._wind.value = speed
        folder.set()
    hands.go_on()
    assert written == [5.0, 7.0] and made.changes.now.wind.speed == 7.0, "the field never goes back to the first"  # type: ignore[union-attr]
    # an answer that says the same in other words writes nothing either
    folder._mass.value = "12000 kg"
    folder.set()
    hands.go_on()
    assert folder._mass.value == "12000 kg"
    made.changes.undo()
    hands.go_on()
    assert folder._mass.value == "10.296 t" and folder._wind.value == 7.0


def test_changes_that_follow_each_other_before_the_first_is_told_are_all_made(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))
    made.hands.busy = True
    made.folder._wind.value = 12.0
    made.folder.set()
    made.change("hook", "mass [kg]", "900 kg")
    made.change("hook", "mass [kg]", "heavy")
    made.folder._wind.value = 0.0  # back to where it was before all of them: worked out when it is its turn
    made.folder.set()
    made.hands.go_on()
    assert made.player.scene.bodies["hook"].mass == 900.0
    assert made.listed() == [("hook mass", "600 kg", "900 kg")]
    assert sum(map(bool, made.warned)) == 1, "the one that is no mass"


def test_the_list_agrees_with_undo_save_and_as_at_the_start(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))
    changes, folder = made.changes, made.folder
    assert made.listed() == [] and changes._undo.disabled and changes._save.disabled
    assert not changes._list._folder.visible
    made.change("hook", "mass [kg]", "1.5 t")
    made.change("sling_1", "length [m]", "1.9 m")
    folder._wind.value, folder._mass.value = 12.0, "8 t"
    folder.set()
    hook, sling = ("hook mass", "600 kg", "1.5 t"), ("sling 1 length", made.listed()[1][1], "1.9 m")
    wind, load = ("wind speed", "0 m/s", "12 m/s"), ("load mass", "10.296 t", "8 t")
    assert made.listed() == [hook, sling, wind, load]
    lines = [(text.visible, button.label) for text, button in changes._list._lines]
    assert lines == [(True, f"Undo {what}") for what in ("hook mass", "sling 1 length", "wind speed", "load mass")]
    # one of them alone, which is a step like others
    changes._list._pressed(1, None)
    assert made.listed() == [hook, wind, load] and made.player.scene.cables["sling_1"].length != 1.9
    assert "1.9" not in changes.saved() and not changes._list._lines[3][1].visible
    changes.undo()
    assert made.listed() == [hook, sling, wind, load] and made.player.scene.cables["sling_1"].length == 1.9
    folder.calm()
    assert made.listed() == [hook, sling] and made.player.scene.bodies["load"].mass != 8000.0
    changes.undo()
    assert made.listed() == [hook, sling, wind, load]
    for left in ([hook, sling], [hook], []):
        changes.undo()
        assert made.listed() == left
    assert changes._undo.disabled and changes._save.disabled and made.player.scene == changes.scene
    # what was changed and changed back is not listed, but can be undone
    made.change("hook", "mass [kg]", "1 t")
    made.change("hook", "mass [kg]", "600 kg")
    assert made.listed() == [] and changes._save.disabled and not changes._undo.disabled


def test_a_tick_that_comes_while_a_change_is_told_is_not_taken_out(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))
    folder, hands = made.folder, made.hands
    name, entry = next(iter(folder._faults.items()))
    hands.resets += 1  # a change was made
    entry._field._impl.value = True  # ticked in a tab, and not yet heard of
    folder.show()
    hands.busy = True
    folder._fault(name, SimpleNamespace(client_id=0))
    hands.resets += 1
    folder.show()  # heard of, and not yet done
    hands.go_on()
    folder.show()
    assert entry.value and made.player.sim.controls[name] == 1.0
    hands.busy = False
    made.player.reset()
    hands.resets += 1
    folder.show()
    assert not entry.value, "it holds at the start"


def test_a_field_that_a_person_typed_in_is_theirs_until_it_is_handed_over() -> None:
    class Field:
        value: Any = "1"

    field = Field()
    entry = Entry(field)
    entry.say("2")
    assert field.value == "2"
    field.value = "3"
    entry.say("4")
    assert field.value == "3" and entry.value == "3"
    assert entry.hand_over() == "3"
    entry.say("3")
    assert field.value == "3"
    entry.say("5")
    assert field.value == "5"
    field.value = "6"
    entry.say("5", anyway=True)
    assert field.value == "5"


def test_the_script_of_the_page_knows_the_fields_that_wait_for_a_button(server: viser.ViserServer) -> None:
    """It tells them by their labels; a speed that acts at once must not be among them."""
    script = (STATIC / "typed.js").read_text(encoding="utf-8")
    waiting = re.compile(re.search(r"WAITING = /(.*)/;", script)[1].replace("\\/", "/"))  # type: ignore[index]
    made = Made(server, open_scene("gantry"))
    fields = [entry._field for entry in made.folder._entries.values()] + [made.changes._value]
    assert len(fields) == 5 and all(waiting.search(field.label) for field in fields)
    assert not any(waiting.search(control.name) for control in made.player.controls)


def test_brakes_that_fail_are_listed_and_all_is_taken_back_at_once(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))
    folder, changes = made.folder, made.changes
    made.change("load", "mass [kg]", "12 t")
    name, entry = next(iter(folder._faults.items()))
    entry._field.value = True
    folder._fault(name, SimpleNamespace(client_id=0))
    assert [row.what for row in changes.rows()] == ["load mass", "left brake"]
    left = "not in the file: left brake does not hold"
    assert changes.saved().rstrip().endswith(f"# {left}"), "no scene file can hold it, and this one says so"
    assert left in changes._left_out.content and changes._left_out.visible
    assert changes._list._all.visible
    changes.take_back(name)
    assert not entry.value and [row.what for row in changes.rows()] == ["load mass"]
    assert not changes._list._all.visible, "one button is enough for one change"
    assert "not in the file" not in changes.saved() and not changes._left_out.visible
    entry._field.value = True
    folder._fault(name, SimpleNamespace(client_id=0))
    changes.take_back_all()
    assert changes.rows() == [] and made.player.sim.controls[name] == 0.0 and not entry.value
    assert made.player.scene.bodies["load"].mass == open_scene("gantry").bodies["load"].mass


def test_the_wind_at_a_right_angle_is_told_in_degrees_and_saved_without_round_off(server: viser.ViserServer) -> None:
    made = Made(server, open_scene("gantry"))
    made.folder._wind.value, made.folder._way.value = 8.0, 90.0
    made.folder.set()
    assert made.listed()[1] == ("wind direction", "0 deg", "90 deg")
    found = Scene.from_yaml(made.changes.saved()).wind
    assert found is not None and found.direction == (0.0, 1.0, 0.0) and "e-17" not in made.changes.saved()
    made.change("wind", "direction", "[0, 1, 0.5]")
    assert made.listed()[1][2].startswith("[0, "), "one that is not level has no angle"


def test_the_list_of_changes_is_filled_by_one_thread_at_a_time(server: viser.ViserServer) -> None:
    """Brakes are told by the page's thread, changes by the runner's: viser refuses a folder that two of them fill."""
    listed = Made(server, open_scene("gantry")).changes._list
    failed: list[Exception] = []

    def fill(first: int) -> None:
        try:
            for k in range(first, 60, 2):
                listed.show([Row(f"load.mass{n}", f"mass {n}", "1", "2") for n in range(k)])
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=fill, args=(first,)) for first in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


@pytest.mark.parametrize(("name", "among_controls"), [("gantry", False), ("pendulum", True)])
def test_the_wind_has_one_slider_that_of_the_instructor_where_there_is_one(name: str, among_controls: bool) -> None:
    scene = open_scene(name).with_overrides(["wind.speed=5"])
    server = web.start("127.0.0.1", 0)
    runner = Runner(lambda: LivePlayer(scene), play=False)
    runner.start()
    try:
        assert runner.ready.wait(300.0) and runner.failure is None
        assert "wind.speed" in [control.name for control in runner.controls()]
        panel = Panel(server, scene, runner, name, Cameras(server, scene))
        panel.ready()
        assert ("wind.speed" in panel._sliders) == among_controls
        assert is_wanted(scene, runner) != among_controls
    finally:
        runner.close()
        runner.join(10.0)
        web.stop(server)
