"""The operator's seat and the door it sits behind, without a browser: a socket plays the page."""

import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from taut.scenes import open_scene
from taut.view import server as web
from taut.view.bounds import bounds
from taut.view.cameras import LOWER, Cameras, cab_of, ceiling, load_of
from taut.view.frame import Control
from taut.view.levers import KEYS, LEFT_X, LEFT_Y, RIGHT_Y, Lever, of_scene
from taut.view.mirror import start_frame
from taut.view.operator import Seat
from taut.view.stage import FIELD_OF_VIEW

LEVERS = [
    Lever("hoist", RIGHT_Y, ("lower", "raise"), {"left.speed": 0.8, "right.speed": 0.8}),
    Lever("left", LEFT_Y, ("lower", "raise"), {"left.speed": 0.8}),
    Lever("slew", LEFT_X, ("left", "right"), {"slew.speed": -0.2}),
]


class Machine:
    """A server with a seat, and what was asked of the machine."""

    def __init__(self, secret: str = "") -> None:
        self.values: dict[str, float] = {}
        self.pressed: list[str] = []
        self.seat = Seat()
        self.server = web.start("127.0.0.1", 0, secret)
        self.server.door.sockets["/seat"] = self.seat.serve
        self.seat.take(LEVERS, self.values.__setitem__, self.pressed.append)
        self.address = f"127.0.0.1:{self.server.get_port()}"

    def page(self) -> ClientConnection:
        made = connect(f"ws://{self.address}/seat")
        assert [lever["name"] for lever in json.loads(made.recv())["levers"]] == ["hoist", "left", "slew"]
        return made


@pytest.fixture
def machine() -> Iterator[Machine]:
    made = Machine()
    yield made
    web.stop(made.server)


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60.0
    while not condition():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.002)


def say(page: ClientConnection, *levers: float) -> None:
    page.send(json.dumps({"levers": levers}))


def test_levers_move_controls_and_add_up_to_no_more_than_full(machine: Machine) -> None:
    with machine.page() as page:
        say(page, 0.5, 0.0, 1.0)
        until(lambda: machine.values == {"left.speed": 0.4, "right.speed": 0.4, "slew.speed": -0.2})
        say(page, 1.0, 1.0, 0.0)
        until(lambda: machine.values["left.speed"] == 0.8 and machine.values["slew.speed"] == 0.0)
        say(page, 0.0, 0.0, 0.0)
        until(lambda: not any(machine.values.values()))


def test_every_page_is_told_left_and_right_as_it_looks(machine: Machine) -> None:
    with machine.page() as one, machine.page() as other:
        one.send(json.dumps({"heading": 3.1}))
        until(lambda: len(machine.seat.headings) == 2)
        (heading,) = machine.seat.headings - {None}
        assert heading == pytest.approx(3.1, abs=0.05)
        machine.seat.tell(note={None: "left", heading: "right"})
        assert json.loads(one.recv())["note"] == "right" and json.loads(other.recv())["note"] == "left"
    until(lambda: machine.seat.headings == {None})


def test_what_a_lever_moves_stands_still_in_the_machine_that_takes_its_place(machine: Machine) -> None:
    with machine.page() as page:
        say(page, 0.0, 0.0, 1.0)
        until(lambda: machine.values.get("slew.speed") == -0.2)
        # the same machine built anew, which goes on with all controls as they were
        after = {"slew.speed": -0.2, "left.speed": 0.3}
        machine.seat.leave()
        machine.seat.take(LEVERS, after.__setitem__, machine.pressed.append)
        assert after == {"slew.speed": 0.0, "left.speed": 0.3}, "what a slider set stays"


def test_silence_and_a_lost_page_bring_all_levers_to_the_middle(machine: Machine) -> None:
    with machine.page() as page:
        say(page, 1.0, 0.0, 0.0)
        until(lambda: machine.values.get("left.speed") == 0.8)
        # nothing more is said
        until(lambda: machine.values["left.speed"] == 0.0)
        say(page, -1.0, 0.0, 0.0)
        until(lambda: machine.values["left.speed"] == -0.8)
    until(lambda: machine.values["left.speed"] == 0.0)


def test_a_lever_falls_back_by_a_ramp_and_reverses_through_zero(machine: Machine) -> None:
    seen: list[float] = []
    machine.seat.take(LEVERS, lambda name, value: seen.append(value) if name == "slew.speed" else None, print)
    with machine.page() as page:
        say(page, 0.0, 0.0, -1.0)
        until(lambda: seen == [0.2])
        say(page, 0.0, 0.0, 0.0)
        until(lambda: seen[-1] == 0.0)
        assert len(seen) > 3 and seen == sorted(seen, reverse=True)


def test_one_has_the_seat_and_everybody_may_stop(machine: Machine) -> None:
    with machine.page() as first, machine.page() as second:
        say(first, 1.0, 0.0, 0.0)
        until(lambda: machine.values.get("left.speed") == 0.8)
        assert json.loads(second.recv())["driver"] == "other"
        say(second, -1.0, 0.0, 0.0)
        second.send('{"press": "emergency"}')
        until(lambda: machine.pressed == ["emergency"])
        assert machine.values["left.speed"] >= 0.0, "the second one is not listened to"


def test_during_an_emergency_stop_no_lever_moves_anything_and_a_held_one_starts_nothing_afterwards(
    machine: Machine,
) -> None:
    with machine.page() as page:
        say(page, 0.0, 0.0, 1.0)
        until(lambda: machine.values.get("slew.speed") == -0.2)
        page.send('{"press": "emergency"}')
        until(lambda: machine.values["slew.speed"] == 0.0)
        machine.seat.tell(emergency=True)
        for hoist in (0.0, 1.0, 0.5):  # the slew is held all the while, the hoist is tried
            say(page, hoist, 0.0, 1.0)
        time.sleep(0.3)  # longer than a silence that is noticed
        machine.seat.tell(emergency=False)
        say(page, 0.5, 0.0, 1.0)
        say(page, 0.5, 1.0, 1.0)
        until(lambda: machine.values.get("left.speed") == 0.8)
        assert machine.values["slew.speed"] == 0.0 and machine.values.get("right.speed", 0.0) == 0.0
        say(page, 0.0, 0.0, 0.0)
        say(page, 0.0, 0.0, 1.0)
        until(lambda: machine.values["slew.speed"] == -0.2)


def test_a_stop_from_the_panel_shuts_levers_off_too(machine: Machine) -> None:
    with machine.page() as page:
        say(page, 1.0, 0.0, 0.0)
        until(lambda: machine.values.get("left.speed") == 0.8)
        machine.seat.tell(emergency=True)
        until(lambda: machine.values["left.speed"] == machine.values["right.speed"] == 0.0)


def test_the_camera_of_a_crane_with_a_cab_stands_in_front_of_it() -> None:
    scene = open_scene("mobile_crane")
    cameras = Cameras(None, scene)  # type: ignore[arg-type]
    position, target = cameras.view("cabin", start_frame(scene))
    cab = scene.bodies["cab"]
    assert position is not None and position[0] > cab.start_position[0] + 0.65, "nothing of it is in the way"
    assert target[0] > position[0]
    scene = open_scene("ropeway")
    assert cab_of(scene, load_of(scene), 30.0) is None, "it hangs under what is looked at"


@pytest.mark.parametrize(
    ("crane", "cab", "places"),
    [
        ("gantry", "cabin", [(0, 0, 1.6), (-4.8, 0, 1.6), (4.8, 0, 2.5), (4.8, 0, 6), (0, 0, 7)]),
        ("tower_crane", "cab", [(24, 0, 5), (10, 0, 5), (36, 0, 30), (14, 0, 36)]),
        ("mobile_crane", "cab", [(8.25, 0, 1.3), (6, 0, 0.6), (10, 0, 1), (8, 0, 10)]),
    ],
)
def test_nothing_of_ones_own_cab_is_in_sight(crane: str, cab: str, places: list[tuple[float, float, float]]) -> None:
    """Wherever the load is, the box of the cab lies outside the picture, also outside its corners."""
    scene = open_scene(crane)
    cameras, frame = Cameras(None, scene), start_frame(scene)  # type: ignore[arg-type]
    low, high = bounds({cab: scene.bodies[cab]})
    box = np.stack(np.meshgrid(*np.linspace(low, high, 9).T), axis=-1).reshape(-1, 3)
    up = np.tan(0.5 * FIELD_OF_VIEW)
    corner = np.arctan(np.hypot(up, 2.0 * up))  # of a wide window
    for place in places:
        for name in ("hook", "load"):
            frame.positions[list(scene.all_bodies()).index(name)] = place
        eye, target = cameras.view("cabin", frame)
        assert eye is not None
        to = box - eye
        ahead = (target - eye) / np.linalg.norm(target - eye)
        assert (to @ ahead < np.cos(corner) * np.linalg.norm(to, axis=1)).all(), place


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"levers": 3}',
        '{"levers": ["x"]}',
        '{"levers": [null, 0, 0]}',
        '{"levers": [NaN, 0, 0]}',
        "9" * 5000,
        "[" * 1500,
    ],
)
def test_what_makes_no_sense_ends_the_connection_and_nothing_else(machine: Machine, text: str) -> None:
    with machine.page() as bad, machine.page() as good:
        bad.send(text)
        with pytest.raises(ConnectionClosed):
            while True:
                bad.recv(timeout=60.0)
        say(good, 0.0, 1.0, 0.0)
        until(lambda: machine.values.get("left.speed") == 0.8)


@pytest.mark.parametrize("data", [b"", b"\xff\x00 nonsense", "text", b"\x81\xa4type\xa7Nothing", b"\x80"])
def test_nonsense_on_the_socket_of_the_page_harms_nobody_else(machine: Machine, data: bytes | str) -> None:
    import viser

    protocol = [Subprotocol(f"viser-v{viser.__version__}")]
    with connect(f"ws://{machine.address}", subprotocols=protocol, max_size=None) as bad:
        bad.send(data)
        with pytest.raises(ConnectionClosed):
            while True:
                bad.recv(timeout=60.0)
    # the next browser is served as before
    with connect(f"ws://{machine.address}", subprotocols=protocol, max_size=None) as good:
        assert good.recv(timeout=60.0)


def test_many_pages_come_and_vanish(machine: Machine) -> None:
    for _ in range(5):
        pages = [machine.page() for _ in range(20)]
        say(pages[3], 1.0, 0.0, 0.0)
        until(lambda: machine.values.get("left.speed") == 0.8)
        for page in pages:
            page.socket.shutdown(socket.SHUT_RDWR)  # without a word; close() alone waits for the thread that reads
        until(lambda: machine.values["left.speed"] == 0.0)
    until(lambda: not machine.seat._pages)


def test_a_page_of_another_site_drives_nothing(machine: Machine) -> None:
    for path in ("/seat", "/"):
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{machine.address}{path}", origin="http://elsewhere.example")  # type: ignore[arg-type]
    connect(f"ws://{machine.address}/seat", origin=f"http://{machine.address}").close()  # type: ignore[arg-type]


def test_a_secret_opens_the_page_and_its_cookie_the_sockets() -> None:
    made = Machine(secret="open-sesame")
    try:
        for address in ("/", "/?key=wrong", "/taut/operator.js"):
            with pytest.raises(urllib.error.HTTPError, match="403"):
                urllib.request.urlopen(f"http://{made.address}{address}", timeout=60)
        with urllib.request.urlopen(f"http://{made.address}/?key=open-sesame", timeout=60) as answer:
            cookie = answer.headers["Set-Cookie"].partition(";")[0]
            assert b"operator.js" in answer.read()
        with pytest.raises(InvalidStatus, match="403"):
            connect(f"ws://{made.address}/seat")
        connect(f"ws://{made.address}/seat", additional_headers={"Cookie": cookie}).close()
    finally:
        web.stop(made.server)


def test_only_our_own_files_are_served(machine: Machine) -> None:
    with urllib.request.urlopen(f"http://{machine.address}/taut/operator.css", timeout=60) as answer:
        assert answer.headers["Content-Type"] == "text/css"
    for path in ("/taut/../page.py", "/taut/%2e%2e/page.py", "/taut/", "/taut/nothing"):
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(f"http://{machine.address}{path}", timeout=60)


@pytest.mark.parametrize(
    ("scene", "names", "slots"),
    [
        ("gantry", ["travel.speed", "left.speed", "right.speed"], {"hoist": RIGHT_Y, "travel": LEFT_X}),
        (
            "tower_crane",
            ["slew.speed", "traverse.speed", "hoist.speed"],
            {"slew": LEFT_X, "traverse": LEFT_Y, "hoist": RIGHT_Y},
        ),
        (
            "mobile_crane",
            ["slew.speed", "luff.speed", "hoist.speed"],
            {"slew": LEFT_X, "luff": LEFT_Y, "hoist": RIGHT_Y},
        ),
    ],
)
def test_cranes_have_the_levers_that_everyone_looks_for(scene: str, names: list[str], slots: dict[str, str]) -> None:
    units = {"slew.speed": "rad/s"}
    made = of_scene(open_scene(scene), [Control(name, units.get(name, "m/s"), 0.0) for name in names])
    found = {lever.name: lever.slot for lever in made}
    assert slots.items() <= found.items()
    assert len(set(found.values())) == len(found) and set(found.values()) <= set(KEYS)
    # what pulls rope in raises; a lever to the right slews clockwise, seen from above
    full = {name: value for lever in made for name, value in lever.full.items()}
    assert full.get("hoist.speed", 1.0) > 0.0 and full.get("slew.speed", -1.0) < 0.0


def test_what_goes_up_and_down_has_keys_that_lie_above_each_other() -> None:
    scene = open_scene("block_and_tackle")
    made = of_scene(scene, [Control(f"{name}.speed", "m/s", 0.0) for name in ("two", "four", "eight")])
    assert {lever.name: lever.slot for lever in made} == {"two": RIGHT_Y, "four": LEFT_Y, "eight": "f"}


def test_a_rope_that_gets_longer_lowers() -> None:
    lever = of_scene(open_scene("yard"), [Control("hoist.speed", "m/s", 0.0)])[0]
    assert lever.slot == RIGHT_Y and lever.full["hoist.speed"] < 0.0


def test_the_load_and_the_cabin_of_a_tower_crane() -> None:
    scene = open_scene("tower_crane")
    names = list(scene.all_bodies())
    assert names[load_of(scene)] == "hook"
    found = cab_of(scene, load_of(scene), 50.0)
    assert found is not None and names[found[0]] == "cab"
    # in front of it, on the side of the load, and at its floor: one looks down
    assert found[1][0] > 0.9 and -1.1 < found[1][2] < -1.0


def test_hook_and_load_are_looked_at_together_while_they_are_near() -> None:
    scene = open_scene("mobile_crane")
    cameras, frame = Cameras(SimpleNamespace(), scene), start_frame(scene)  # type: ignore[arg-type]
    hook, load = (np.array(scene.bodies[name].position) for name in ("hook", "load"))
    for preset, share in LOWER.items():
        assert cameras.view(preset, frame)[1] == pytest.approx(hook + share * (load - hook))
    frame.positions[list(scene.all_bodies()).index("load")] += (0.0, 30.0, 0.0)  # unhooked and left behind
    for preset in ("cabin", "hook"):
        assert cameras.view(preset, frame)[1] == pytest.approx(hook)


def test_a_raised_hook_is_not_looked_at_through_its_trolley() -> None:
    scene = open_scene("gantry")
    cameras, frame = Cameras(SimpleNamespace(), scene), start_frame(scene)  # type: ignore[arg-type]
    top, hook = ceiling(scene), list(scene.all_bodies()).index("hook")
    low = cameras.view("hook", frame)[0]
    assert low is not None and low[2] > frame.positions[hook][2] + 1.0, "from above, where there is room"
    frame.positions[hook][2] = top - 1.0
    high = cameras.view("hook", frame)[0]
    assert high is not None and high[2] < top, "below what its ropes come from"
    assert np.linalg.norm(high - frame.positions[hook]) > 3.0, "and not nearer for that"


def test_a_scene_makes_room_when_every_page_has_shown_the_last_of_it(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taut.view.operator.PATIENCE", 60.0)
    one, two = machine.page(), machine.page()
    waiting = threading.Thread(target=machine.seat.settle)
    waiting.start()
    assert json.loads(one.recv()) == json.loads(two.recv()) == {"settle": True}
    one.send(json.dumps({"settled": True}))
    waiting.join(0.2)
    assert waiting.is_alive(), "the other one has not answered yet"
    two.close()  # who is gone is not waited for
    waiting.join(30.0)
    assert not waiting.is_alive()
    one.close()


def test_free_leads_back_to_where_one_looked_from() -> None:
    class Eye:
        position, look_at = np.array([1.0, 2.0, 3.0]), np.zeros(3)

    class Client:
        client_id, camera = 7, Eye()

        def atomic(self) -> AbstractContextManager[None]:
            return nullcontext()

        def flush(self) -> None:
            pass

    class Hall:
        def get_clients(self) -> dict[int, Client]:
            return {7: client}

    client, scene = Client(), open_scene("gantry")
    cameras, frame = Cameras(Hall(), scene), start_frame(scene)  # type: ignore[arg-type]
    for preset in ("hook", "cabin"):
        cameras.choose(7, preset)
        cameras.show(frame)
        assert not np.allclose(client.camera.position, [1.0, 2.0, 3.0])
    cameras.choose(7, "free")
    assert np.allclose(client.camera.position, [1.0, 2.0, 3.0]) and np.allclose(client.camera.look_at, 0.0)
    cameras.choose(7, "free")
    assert scene.view.camera is not None and np.allclose(client.camera.position, scene.view.camera)
