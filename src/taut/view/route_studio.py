"""The routing studio: drag ends, connectors and clips in the browser and see the cables' true shape.

What a person does changes the data of the route, which is what is saved; the harness follows. One thread solves: it takes
the last pose of whatever is dragged, so that a slow frame never piles up.
"""

from __future__ import annotations

import copy
import signal
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from secrets import token_urlsafe

import numpy as np

from taut.cables.rod.clearance import standing
from taut.cables.rod.ends import conjugate, multiply, rotate
from taut.cables.rod.material_cards import cards
from taut.cables.rod.route import Route
from taut.cables.rod.touch import solid_mesh
from taut.cables.rod.values import RodError
from taut.cables.rod.written import unit_of_route
from taut.view.route_edits import refusal
from taut.view.route_hit import hit, passes
from taut.view.route_marks import point_size
from taut.view.route_moves import Move, Moves
from taut.view.route_new import Place
from taut.view.route_panel import BOTH, CLICK_END, NEW, Panel
from taut.view.route_places import BODY, CABLE, CLIP, HAND, PART, loose, on_cables, remember, words
from taut.view.route_places import target as place
from taut.view.route_question import Question
from taut.view.route_scene import RouteScene
from taut.view.route_tools import SLACK, arc_in_hand, free_name, lay, nearest_share, new_cable, place_at
from taut.view.route_tools import take as take_hold
from taut.view.server import LOOPBACK, start, stop

#: a click so soon after arrows were held is that of the arrows [s]
PRESSED = 0.5
#: a click that passes a cable or a mark within this many of its radii is meant for it, and the ring of a clip
TOUCHED, RINGED = 1.15, 1.8


def serve(
    route: Route, folder: Path, *, host: str, port: int, open_browser: bool, fresh: bool = False,
    ask: Callable[[str, str], Route] | None = None, motion: Path | None = None,
) -> None:  # fmt: skip
    """Show the studio until interrupted. fresh: its one cable has no places yet; ask: the route for a unit and an up axis; motion: one
    that it has gone through when the page opens."""
    open_to_all = host not in LOOPBACK
    studio = Studio(route, folder, host, port, fresh=fresh, ask=ask, secret=token_urlsafe(9) if open_to_all else "")
    if motion is not None:
        print(f"solving the frames of {motion.name}", flush=True)
        with studio.guard():
            studio.motion.run(motion.name, motion.read_bytes())
            studio.motion.folder.expand_by_default = True
        print(studio.message, flush=True)
    if port not in (0, studio.server.get_port()):
        print(f"Port {port} is in use; taking {studio.server.get_port()}.")
    print(f"{route.name}: {studio.url}  (Ctrl+C ends)", flush=True)
    if open_to_all:
        print("Careful: whoever has this address can change and save the route.", file=sys.stderr, flush=True)
    if open_browser:
        from taut.view import _has_display, _open

        if _has_display():
            _open(studio.url)
    for word in ("SIGTERM", "SIGHUP"):
        # a closed terminal ends it as Ctrl+C does
        if hasattr(signal, word) and threading.current_thread() is threading.main_thread():
            signal.signal(getattr(signal, word), lambda *_: studio.ended.set())
    try:
        while not studio.ended.wait(0.5):
            pass
    except KeyboardInterrupt:
        print("Stopped.")
    finally:
        try:
            if (kept := studio.keep()) is not None:
                print(f"What was not saved is in {kept}: taut route {kept}", flush=True)
        except OSError as error:
            print(f"What was not saved is lost: {error}", file=sys.stderr, flush=True)
        studio.stop()


class Studio(Panel):
    """A route, its page, and the thread that solves."""

    def __init__(
        self, route: Route, folder: Path, host: str = "127.0.0.1", port: int = 8080, *, fresh: bool = False,
        ask: Callable[[str, str], Route] | None = None, secret: str = "",
    ) -> None:  # fmt: skip
        """secret: part of the address, where others than this machine can reach it."""
        super().__init__(route, folder, fresh)
        self.ended, self._wake = threading.Event(), threading.Event()
        self.moves = Moves()
        self._to_choose = ""  # what arrows that were taken hold of move, until it is chosen
        self._let_go = False  # some were let go since they were placed
        self._held_at = 0.0  # when arrows were last taken hold of or let go
        self.solves = 0
        self.server = start(host, port, secret)
        self._host, self._secret = host, secret
        self.scene = RouteScene(self.server, self)
        self.scene.look(route, not fresh)
        self.question = None
        if ask is not None:
            self.question = Question(self.server.gui, route, self, lambda unit, up: self._answer(ask(unit, up)))
        self._panel()
        self.redraw()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Address of the page."""
        shown = "localhost" if self._host in ("0.0.0.0", "::") else self._host
        key = f"/?key={self._secret}" if self._secret else ""
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.server.get_port()}{key}"

    def stop(self) -> None:
        """End the page and the thread."""
        self.ended.set()
        self._wake.set()
        self._thread.join(timeout=5.0)
        if self.busy is not None:
            self.busy.close()
        stop(self.server)

    def drag(self, key: str, point: np.ndarray, quaternion: np.ndarray, asked: str = "") -> None:
        """A control was moved, or numbers were typed: the thread takes the last pose of each."""
        self.moves.put(key, (point, quaternion), asked)
        self._wake.set()

    def hold(self, key: str) -> None:
        """Arrows are taken hold of: what they move is chosen, as soon as nothing is solved."""
        self._held_at = time.monotonic()
        self.moves.hold(key)
        self._to_choose = key
        self._wake.set()

    def release(self, key: str) -> None:
        """They are let go: when the last pose is followed they stand where it led."""
        self._held_at = time.monotonic()
        self.moves.release(key)
        self._let_go = True
        self._wake.set()

    def next_step(self) -> None:
        """What comes is no part of the last drag."""
        self.moves.another()

    def undo(self) -> None:
        """Back to before the last change; what of it is not followed yet never will be."""
        with self.lock:
            waiting = self.moves.take()
            if any(move.number != self._drag_of for move in waiting):
                self.redraw(self.moves.held)  # it was not begun: that it is not done is all there is to undo
            else:
                super().undo()

    def pick(self, key: str) -> None:
        """Something was clicked: it is chosen."""
        self._held_at = time.monotonic()
        with self.guard():
            self.chosen.choose(key)

    def click(self, origin: np.ndarray, way: np.ndarray) -> None:
        """The picture was clicked: a part that is there is chosen, unless something on a cable was meant, or arrows."""
        if self._picks.value != "nothing" or self.moves.held or time.monotonic() - self._held_at < PRESSED:
            return
        with self.guard():
            seen = self.seen
            cables = {} if self.fresh else seen.harness.cables
            marks = {} if self.fresh else on_cables(seen) | loose(seen)
            near = [passes(cable.points, origin, way) < TOUCHED * cable.radius for cable in cables.values()]
            near += [
                passes(one.point[None], origin, way)
                < (RINGED if key.startswith(f"{CLIP}/") else TOUCHED) * point_size(seen, key)
                for key, one in marks.items()
            ]
            if any(near):
                return  # it has heard the click itself
            far: dict[str, float] = {}
            for part, shape in seen.shapes.items():
                target = seen.harness._obstacle(part)
                if (found := hit(*solid_mesh(shape), target.point, target.frame, origin, way)) is not None:
                    far[part] = float(np.linalg.norm(found[0] - origin))
            if far:
                self.chosen.choose(f"{PART}/{min(far, key=lambda part: far[part])}")

    def grab(self, part: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A face was clicked: the chosen end goes there, along its outward normal, or a new cable from or to there."""
        if self._picks.value == "nothing":
            return
        self._held_at = time.monotonic()  # the picture hears the same click
        with self.guard():
            if self.watching:
                self.motion.frames.leave()
                self.say("this is the present shape again: click on the face once more")
                return
            shape, target = self.route.shapes[part], self.route.harness._obstacle(part)
            found = hit(*solid_mesh(shape), target.point, target.frame, origin, way)
            if found is None:
                return
            point, normal = found
            if self._picks.value in (BOTH, NEW):
                self._begin_or_end(part, point, normal)
                return
            side, cable = str(self._picks.value), self._data()
            # out of the first end, into the last
            direction = normal if side == "start" else -normal
            there = place_at(point, direction, unit_of_route(self.route.data))
            self.edit(lambda: cable.update({side: there}), f"the {side} of {self._cable.value} on {part}")

    def _begin_or_end(self, part: str, point: np.ndarray, normal: np.ndarray) -> None:
        """The first click says where a cable begins, the second where it ends."""
        if self._first is None:
            self._first, self.message = (point, normal), f"it begins on {part}: {CLICK_END}"
            self.redraw()
            return
        first, self._first = self._first, None
        if self.fresh or self._picks.value == NEW:
            self._new_between(first, (point, normal), f"a cable to {part}{self.new.words}")
            return
        name, unit = self._cable.value, unit_of_route(self.route.data)
        if self.edit(lambda: lay(self._data(), first, (point, normal), unit), f"{name} from there to {part}"):
            self._laid(name)
            length = 1e3 * self.route.harness[name].length
            self.say(f"{name} is {length:.4g} mm long now: {SLACK:g} times as far as its ends are apart")

    def _new_between(self, first: Place, last: Place, asked: str) -> bool:
        """A new cable, or the one that has no places yet; as long and made of what was typed. Whether it was done."""
        with self.lock:
            fresh = self.fresh
            name = self._cable.value if fresh else free_name(self.route.data)
            card, length, data = self.new.card.value, self.new.asked_length, self.route.data

            def change() -> None:
                if fresh:
                    data["route"]["cables"][name].update(cards()[card].given())
                    lay(data["route"]["cables"][name], first, last, unit_of_route(data), length)
                else:
                    new_cable(data, name, card, first, last, length)

            if not self.edit(change, asked, places=True):
                return False
            self._cable.value = name
            self.new.made()
            self._laid(name)
            return True

    def _laid(self, name: str) -> None:
        """A cable has its places: it lies there without twist, and is chosen."""
        self._picks.value = "nothing"
        self._listen()
        self._untwist(name)
        self._fill()
        self.chosen.choose(f"{CABLE}/{name}")

    def _answer(self, made: Route) -> Route:
        """The mesh files are of another size than was assumed: all begins anew."""
        with self.lock:
            made.solve()
            self.route, self._history, self._undone, self._first = made, [], [], None
            self._unplaced = copy.deepcopy(made.data) if self.fresh else None
            self.scene.clear()
            self.scene.look(made, not self.fresh)
            self._fill()
            self.redraw()
        return made

    def take(self, cable: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A cable was clicked: it is taken in hand there, and can be dragged."""
        self._held_at = time.monotonic()
        with self.guard():
            if self.watching:
                self.chosen.choose(f"{CABLE}/{cable}")  # a frame is looked at: nothing of it is taken in hand
                return
            try:
                take_hold(self.route, cable, nearest_share(self.route.harness[cable].points, origin, way))
                self.route.harness.solve()
                self.message = (
                    f"{cable} is in hand at {arc_in_hand(self.route, cable)}: drag it by its arrows, type where it goes, set a clip "
                    "there, or let go"
                )
                self.chosen.choose(f"{HAND}/{cable}")
            except RodError as error:
                self.message = str(error)
            self.redraw()

    def look(self) -> None:
        """All of it is seen."""
        self.scene.look(self.route, not self.fresh)

    def _run(self) -> None:
        while not self.ended.is_set():
            self._wake.wait()
            self._wake.clear()
            with self.lock:
                if chosen := self._to_choose:
                    self._to_choose = ""
                    with self.guard():
                        self.chosen.choose(chosen)
                if self._frozen.value:
                    continue  # what is dragged meanwhile is followed when it thaws
                # before what waits is taken: the last pose came before the letting go
                let_go, self._let_go = self._let_go, False
                for move in self.moves.take():
                    with self.guard():
                        self._follow(move)
                if let_go:
                    with self.guard():
                        self.redraw(self.moves.held)

    def _follow(self, move: Move) -> None:
        """Solve for the poses of what is dragged, and keep them in the data; where there is no shape for them all stays where it
        was, but for arrows that are held."""
        before = self._as_it_stands()
        dragged, asked = move.poses, move.asked
        going = self._going(dragged)
        for key, (point, quaternion) in going.items():
            target = place(self.route, key)
            if target is not None:
                target.point = point
                target.turn_to(quaternion)
        try:
            if not self.fresh:
                self.route.harness.solve()
        except RodError as error:
            self.message = refusal(asked, error, self.route)
            self.route = before
            self.redraw(self.moves.held)
            return
        for key, (point, quaternion) in going.items():
            remember(self.route, key, point, quaternion)
        self.route.keep_slid()
        # one move is one step, of however many frames
        if move.number != self._drag_of:
            moved = " and ".join(words(key) for key in dragged)
            self._remember(before, asked or f"moving {moved}")
        self._drag_of = move.number
        self.message = self._after(before)
        self.redraw(self.moves.held)
        self.solves += 1

    def _going(self, dragged: dict[str, tuple[np.ndarray, np.ndarray]]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """What is dragged, with the ends that stand on a part that is."""
        out = dict(dragged)
        for key, (point, quaternion) in dragged.items():
            kind, _, part = key.partition("/")
            if kind != PART or part not in self.route.shapes or not self.parts.along.value or self.fresh:
                continue
            was = self.route.harness._obstacle(part)
            turn = multiply(quaternion, conjugate(was.frame))
            for name in standing(self.route.harness._net, part):
                body = self.route.harness._body(name)
                there = point + rotate(turn, body.point - was.point)
                out.setdefault(f"{BODY}/{name}", (there, multiply(turn, body.frame)))
        return out
