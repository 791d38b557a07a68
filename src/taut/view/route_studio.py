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
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.chain import CLAMPED
from taut.cables.rod.ends import rotate
from taut.cables.rod.harness import Cable
from taut.cables.rod.limits import Limits, findings
from taut.cables.rod.route import Route
from taut.cables.rod.routing import CARDS
from taut.cables.rod.targets import CLIPS
from taut.cables.rod.touch import solid_mesh
from taut.cables.rod.values import RodError
from taut.view.route_question import Question
from taut.view.route_scene import RouteScene, hit
from taut.view.route_tools import (
    clip_in_hand,
    free_name,
    lay,
    let_go,
    made_of,
    nearest_share,
    new_cable,
    remove_clip,
    set_diameter,
    set_length,
    set_limit,
    take,
    upload,
)
from taut.view.server import LOOPBACK, start, stop, tell

#: a number that is typed counts when nothing was typed for so long: browsers tell every key [s]
TYPING = 0.8
#: most steps that can be undone
UNDO = 100
#: a rest after which the same thing dragged on is another step [s]
PAUSE = 1.0
#: what is left beyond the straight line when a cable is stretched
STRETCHED = 0.01
#: a cable with less twist lies without any, and is cut longer or shorter without [rad]
UNTWISTED = 0.01
#: what a click on a face may set, beside one end
BOTH, NEW = "both ends", "new cable"
CLICK_START = "click on the face where the cable begins, then on the one where it ends"
NO_CLIP, AS_IT_IS = "none", "as it is"
CLICK_END = "now click where it ends"


def serve(
    route: Route, folder: Path, *, host: str, port: int, open_browser: bool, fresh: bool = False,
    ask: Callable[[str, str], Route] | None = None,
) -> None:  # fmt: skip
    """Show the studio until interrupted. fresh: its one cable has no places yet; ask: the route for a unit and an up axis."""
    studio = Studio(route, folder, host, port, fresh=fresh, ask=ask)
    print(f"{route.name}: {studio.url}  (Ctrl+C ends)", flush=True)
    if host not in LOOPBACK:
        print("Careful: whoever reaches this port can change and save the route.", file=sys.stderr, flush=True)
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


class Studio:
    """A route, its page, and the thread that solves."""

    def __init__(
        self, route: Route, folder: Path, host: str = "127.0.0.1", port: int = 8080, *, fresh: bool = False,
        ask: Callable[[str, str], Route] | None = None,
    ) -> None:  # fmt: skip
        self.route, self.folder, self._fresh = route, folder, fresh
        route.solve()
        self._unplaced = copy.deepcopy(route.data) if fresh else None
        self.ended, self._wake, self._lock = threading.Event(), threading.Event(), threading.RLock()
        self._dragged: dict[str, tuple[np.ndarray, np.ndarray]] = {}
        self._history: list[dict[str, Any]] = []
        self._drag_of: frozenset[str] = frozenset()  # what is being dragged, and when it last moved
        self._drag_at = 0.0
        self._saved = copy.deepcopy(route.data)
        self._typed: dict[int, threading.Timer] = {}  # numbers that are being typed
        self._first: tuple[np.ndarray, np.ndarray] | None = None  # where a cable begins that has no end yet
        self.message = self._said = CLICK_START if fresh else ""
        self.solves = 0
        self.server = start(host, port)
        self.scene = RouteScene(self.server, self._drag, self._grab, self._take)
        self.scene.look(route)
        self.question = None
        if ask is not None:
            self.question = Question(self.server.gui, route, lambda unit, up: self._answer(ask(unit, up)))
        self._panel()
        self.redraw()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    @property
    def url(self) -> str:
        """Address of the page."""
        return f"http://{self.server.get_host()}:{self.server.get_port()}"

    def stop(self) -> None:
        """End the page and the thread."""
        self.ended.set()
        self._wake.set()
        self._thread.join(timeout=5.0)
        stop(self.server)

    # -- what a person does ---------------------------------------------------------------------------------------

    def _drag(self, name: str, point: np.ndarray, quaternion: np.ndarray) -> None:
        """A control was moved: the thread takes the last pose of each."""
        with self._lock:
            self._dragged[name] = (point, quaternion)
        self._wake.set()

    def _grab(self, part: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A face was clicked: the chosen end goes there, along its outward normal, or a new cable from or to there."""
        if self._picks.value == "nothing":
            return
        with self._lock:
            shape, target = self.route.shapes[part], self.route.harness._obstacle(part)
            found = hit(*solid_mesh(shape), target.point, target.frame, origin, way)
            if found is None:
                return
            point, normal = found
            if self._picks.value in (BOTH, NEW):
                self._begin_or_end(point, normal)
                return
            end = self._data()["start" if self._picks.value == "start" else "end"]
            # out of the first end, into the last
            direction = normal if self._picks.value == "start" else -normal
            self._edit(lambda: end.clear() or end.update(point=_plain(point), direction=_plain(direction)))

    def _begin_or_end(self, point: np.ndarray, normal: np.ndarray) -> None:
        """The first click says where a cable begins, the second where it ends."""
        if self._first is None:
            self._first, self.message = (point, normal), CLICK_END
            self._show()
            return
        first, self._first = self._first, None
        name = self._cable.value
        if self._picks.value == BOTH:
            fresh, self._fresh = self._fresh, False
            self._edit(lambda: lay(self._data(), first, (point, normal)))
            if self.message:
                self._fresh = fresh
                self.redraw()
            else:
                self._picks.value = "nothing"
                self._listen()
        else:
            card = self._card.value if self._card.value in CARDS else next(iter(CARDS))
            name = free_name(self.route.data)
            self._edit(lambda: new_cable(self.route.data, name, card, first, (point, normal)))
            if not self.message:
                self._cable.value = name
        if not self.message:
            self._untwist(name)
        self._fill()

    def _untwist(self, name: str) -> None:
        """Nobody mounts a hose twisted: the roll of its last end is the one without twist."""
        cable, key = self.route.harness[name], f"body/{name}.end"
        target = self.scene.target(self.route, key)
        if target is None or cable._chain.held != [CLAMPED, CLAMPED]:
            return
        # strain is not quite an angle: what a turn leaves is taken out by the next
        for _ in range(3):
            along = rotate(target.frame, np.array([0.0, 0.0, 1.0]))
            target.turn(-_turned(cable) * along)
            try:
                self.route.harness.solve()
            except RodError:
                # it stays as it lies
                target = self.scene.target(self.route, key) or target
                break
        self.scene.remember(self.route, key, target.point, target.frame)
        self.redraw()

    def _answer(self, made: Route) -> Route:
        """The mesh files are of another size than was assumed: all begins anew."""
        with self._lock:
            made.solve()
            self.route, self._history, self._first = made, [], None
            self._unplaced = copy.deepcopy(made.data) if self._fresh else None
            self.scene.clear()
            self.scene.look(made)
            self._fill()
            self.redraw()
        return made

    def _take(self, cable: str, origin: np.ndarray, way: np.ndarray) -> None:
        """A cable was clicked: it is taken in hand there, and can be dragged."""
        with self._lock:
            try:
                take(self.route, cable, nearest_share(self.route.harness[cable].points, origin, way))
                self.route.harness.solve()
                self.message = f"{cable} is in hand: drag it by its arrows, set a clip there, or let go"
            except RodError as error:
                self.message = str(error)
            self.redraw()

    def let_go(self) -> None:
        """Nothing is held by hand any more."""
        with self._lock:
            if let_go(self.route):
                self.route.harness.solve()
                self.message = ""
                self.redraw()

    def set_clip(self) -> None:
        """A clip where the cable is in hand."""
        with self._lock:
            try:
                name, clip = clip_in_hand(self.route, self._release.value)
            except RodError as error:
                self.message = str(error)
                self._show()
                return
            self._edit(lambda: self.route.data["route"]["cables"][name].setdefault("clips", []).append(clip))
            self._cable.value = name
            self._fill()

    def remove_clip(self) -> None:
        """The chosen clip of the chosen cable is taken away."""
        word = self._clip.value
        with self._lock:
            if word in self.route.clips[self._cable.value]:
                self._edit(lambda: remove_clip(self._data(), word))
                self._fill()

    def upload(self, name: str, content: bytes) -> None:
        """A mesh file becomes a part, in the unit and with the up axis that are chosen."""
        unit, up = self._unit.value, self._up.value
        self._edit(lambda: upload(self.route.data, self.folder, name, content, unit, up))

    def _edit(self, change: Callable[[], Any]) -> None:
        """Change the data, build the route anew; on failure all stays as it was."""
        with self._lock:
            before = copy.deepcopy(self.route.data)
            try:
                change()
                made = Route.of(self.route.data, self.folder, self.route.name)
                made.solve()
            except RodError as error:
                self.route.data.clear()
                self.route.data.update(before)
                self.message = str(error)
                self.redraw()
                return
            self._remember(before)
            self.route, self.message = made, ""
            self._clip_controls()
            self.redraw()

    def _remember(self, before: dict[str, Any]) -> None:
        """A step that can be undone."""
        self._history = [*self._history[-UNDO:], before]
        self._drag_of = frozenset()

    def undo(self) -> None:
        """Back to before the last change."""
        with self._lock:
            if not self._history:
                return
            data = self._history.pop()
            self._drag_of = frozenset()
            self.route = Route.of(data, self.folder, self.route.name)
            self.route.solve()
            self._fresh = data == self._unplaced
            self.message, self._first = CLICK_START if self._fresh else "", None
            if self._fresh:
                self._picks.value = BOTH
                self._listen()
            self._clip_controls()
            self._fill()
            self.redraw()

    def save(self, file: str) -> None:
        """Write the route."""
        with self._lock:
            try:
                self.route.save(file)
                self._saved = copy.deepcopy(self.route.data)
                self.message = f"saved as {file}"
            except OSError as error:
                self.message = f"{file}: {error.strerror}"
            self._show()

    def keep(self) -> Path | None:
        """Write what nobody has saved to a file of its own; returns it, or None where there is nothing."""
        with self._lock:
            if self._fresh or self.route.data == self._saved:
                return None
            file, count = Path(f"{self.route.name}.unsaved.yaml"), 1
            while file.exists():
                count += 1
                file = Path(f"{self.route.name}.unsaved-{count}.yaml")
            self.route.save(file)
            return file

    # -- solving --------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self.ended.is_set():
            self._wake.wait()
            self._wake.clear()
            with self._lock:
                if self._frozen.value:
                    continue  # what is dragged meanwhile is followed when it thaws
                dragged, self._dragged = self._dragged, {}
                if dragged:
                    self._follow(dragged)

    def _follow(self, dragged: dict[str, tuple[np.ndarray, np.ndarray]]) -> None:
        """Solve for the poses of what is dragged, and keep them in the data."""
        before = copy.deepcopy(self.route.data)
        for name, (point, quaternion) in dragged.items():
            target = self.scene.target(self.route, name)
            if target is not None:
                target.point = point
                target.turn_to(quaternion)
        try:
            self.route.harness.solve()
        except RodError as error:
            self.message = str(error)
            self.redraw()
            return
        for name, (point, quaternion) in dragged.items():
            self.scene.remember(self.route, name, point, quaternion)
        drag, now = frozenset(dragged), time.monotonic()
        # one drag is one step, of however many frames
        if drag != self._drag_of or now - self._drag_at > PAUSE:
            self._remember(before)
        self._drag_of, self._drag_at = drag, now
        self.message = ""
        self.solves += 1
        self.redraw(controls=False)

    # -- the page -------------------------------------------------------------------------------------------------

    def redraw(self, controls: bool = True) -> None:
        """Everything as it stands."""
        self.scene.draw(self.route, controls, cables=not self._fresh)
        self._show()

    def _panel(self) -> None:
        gui = self.server.gui
        names = list(self.route.harness.cables)
        self._state = gui.add_markdown("")
        with gui.add_folder("Cable"):
            self._cable: Any = gui.add_dropdown("cable", names, initial_value=names[0])
            self._length: Any = gui.add_number("length [mm]", 1.0, min=1.0, step=1.0)
            self._pull: Any = gui.add_number("at a pull of [N]", 0.5, min=0.001, step=0.1)
            auto = gui.add_button(
                "automatic length",
                hint="as long as it makes itself where each metre costs this pull: short, but not taut",
            )
            stretch = gui.add_button("stretch", hint="as short as it goes between what holds it")
            self._diameter: Any = gui.add_number("diameter [mm]", 1.0, min=0.01, step=0.1)
            self._card: Any = gui.add_dropdown("material", [AS_IT_IS, *CARDS])
            self._picks: Any = gui.add_dropdown(
                "click on a face sets", ["nothing", "start", "end", BOTH, NEW],
                initial_value=BOTH if self._fresh else "nothing",
            )  # fmt: skip
            self._frozen = gui.add_checkbox("freeze", initial_value=False)
            undo = gui.add_button("undo")
            go = gui.add_button("let go")
        with gui.add_folder("Clips"):
            self._release: Any = gui.add_dropdown(
                "kind",
                list(CLIPS),
                hint="what it lets go: nothing, twist, sliding, both, turning (ball), sliding and turning (duct)",
            )
            clip = gui.add_button("set a clip where the cable is in hand")
            self._clip: Any = gui.add_dropdown("clip", [NO_CLIP])
            unclip = gui.add_button("remove this clip")
        with gui.add_folder("Limits"):
            self._limits: dict[str, Any] = {
                what: gui.add_number(f"least {what.replace('_', ' ')} [mm]", 0.0, min=0.0, step=1.0)
                for what in ("bend_radius", "clearance")
            }
        with gui.add_folder("Parts"):
            self._unit = gui.add_dropdown("unit", ["mm", "cm", "m", "in"])
            self._up = gui.add_dropdown("up axis", ["z", "y"])
            mesh = gui.add_upload_button("add a mesh file")
        with gui.add_folder("File"):
            self._file = gui.add_text("file", self._opened())
            save = gui.add_button("save")
        self._fill()
        self._cable.on_update(lambda _: self._fill())
        self._when_typed(self._length, self._set_length)
        self._when_typed(self._diameter, self._set_diameter)
        self._picks.on_update(lambda _: self._listen())
        self._listen()
        self._card.on_update(lambda _: self._set_card())
        auto.on_click(lambda _: self.automatic_length())
        stretch.on_click(lambda _: self.stretch())
        self._frozen.on_update(lambda _: self._wake.set())
        undo.on_click(lambda _: self.undo())
        go.on_click(lambda _: self.let_go())
        clip.on_click(lambda _: self.set_clip())
        unclip.on_click(lambda _: self.remove_clip())
        for what, box in self._limits.items():
            self._when_typed(box, partial(self._set_limit, what))
        mesh.on_upload(lambda _: self.upload(mesh.value.name, mesh.value.content))
        save.on_click(lambda _: self.save(self._file.value))

    def _opened(self) -> str:
        """The file it came from, or one for a new route where the command was given."""
        file = self.folder / f"{self.route.name}.yaml"
        other = file.with_suffix(".yml")
        file = other if other.exists() and not file.exists() else file
        return file.name if self.folder.resolve() == Path.cwd() else str(file)

    def _when_typed(self, box: Any, act: Callable[[], None]) -> None:
        """Act once a person has typed a number, not at each of its digits."""

        def complete() -> None:
            self._typed.pop(id(box), None)
            act()

        def typed(event: Any) -> None:
            if event.client_id is None:
                return  # set by ourselves
            if (waiting := self._typed.pop(id(box), None)) is not None:
                waiting.cancel()
            self._typed[id(box)] = threading.Timer(TYPING, complete)
            self._typed[id(box)].daemon = True
            self._typed[id(box)].start()

        box.on_update(typed)

    def _put(self, box: Any, value: float) -> None:
        """Show a number, unless somebody types another one there."""
        if id(box) not in self._typed:
            box.value = value

    def _listen(self) -> None:
        self.scene.listen(self._picks.value != "nothing")

    def _clip_controls(self) -> None:
        """Names of cables may have changed."""
        names = list(self.route.harness.cables)
        if list(self._cable.options) != names:
            self._cable.options = tuple(names)
        if self._cable.value not in names:
            self._cable.value = names[0]

    def _data(self) -> dict[str, Any]:
        found: dict[str, Any] = self.route.data["route"]["cables"][self._cable.value]
        return found

    def _fill(self) -> None:
        """Show the values of the chosen cable."""
        with self._lock:
            cable = self.route.harness[self._cable.value]
            self._put(self._length, round(1e3 * cable.length, 3))
            self._put(self._diameter, round(2e3 * cable.radius, 3))
            card = next((word for word, one in CARDS.items() if made_of(self._data(), one)), AS_IT_IS)
            if self._card.value != card:
                self._card.value = card
            clips = tuple(self.route.clips[self._cable.value]) or (NO_CLIP,)
            if tuple(self._clip.options) != clips:
                self._clip.options = clips
            for what, box in self._limits.items():
                self._put(box, round(1e3 * self.route.limits[self._cable.value].values.get(what, 0.0), 3))

    def _fill_unless_refused(self) -> None:
        """What was typed and refused stands there to be corrected."""
        if not self.message:
            self._fill()

    def _set_length(self) -> None:
        with self._lock:
            now = 1e3 * self.route.harness[self._cable.value].length
            if abs(self._length.value - now) > 1e-3:
                self._change_length(lambda cable: 1e-3 * self._length.value)

    def automatic_length(self) -> None:
        """As long as the chosen cable makes itself for a pull."""
        self._change_length(lambda cable: cable.automatic_length(float(self._pull.value)))

    def stretch(self) -> None:
        """As short as the chosen cable can be."""
        self._change_length(lambda cable: cable.stretched_length(STRETCHED))

    def _change_length(self, find: Callable[[Cable], float]) -> None:
        """Change a length from the shape that stands: a cable that is cut longer does not jump into another shape."""
        with self._lock:
            name = self._cable.value
            cable, before = self.route.harness[name], copy.deepcopy(self.route.data)
            old, lay_flat = cable.length, bool(abs(_turned(cable)) < UNTWISTED)
            try:
                cable.set_length(find(cable))
                self.route.harness.solve()
            except RodError as error:
                if cable.length != old:
                    cable.set_length(old)
                    self.route.harness.solve()
                self.message = str(error)
                self.redraw()
                return
            set_length(self._data(), cable.length, [one.share for one in cable._chain.clips.values()])
            self.route.tensions.pop(name, None)
            if lay_flat:
                self._untwist(name)
            self._remember(before)
            self.message = ""
            self.redraw()
            self._fill()

    def _set_diameter(self) -> None:
        with self._lock:
            now = 2e3 * self.route.harness[self._cable.value].radius
            if abs(self._diameter.value - now) > 1e-3:
                self._edit(lambda: set_diameter(self._data(), 1e-3 * self._diameter.value))
                self._fill_unless_refused()

    def _set_limit(self, what: str) -> None:
        """A limit was typed; zero asks for nothing."""
        with self._lock:
            now = 1e3 * self.route.limits[self._cable.value].values.get(what, 0.0)
            if abs(self._limits[what].value - now) > 1e-3:
                # nothing moves: the shape stands
                self._remember(copy.deepcopy(self.route.data))
                set_limit(self._data(), what, 1e-3 * self._limits[what].value)
                name = self._cable.value
                self.route.limits[name] = Limits.read(f"cables.{name}.limits", self._data()["limits"])
                self.message = ""
                self.redraw(controls=False)

    def _set_card(self) -> None:
        if self._card.value in CARDS:
            card = copy.deepcopy(CARDS[self._card.value])
            gone = ("EI", "GJ", "G", "mass_per_length", "radius")
            with self._lock:
                if made_of(self._data(), card):
                    return
                self._edit(lambda: ([self._data().pop(key, None) for key in gone], self._data().update(card)))
                self._fill()

    def _show(self) -> None:
        lines = [f"**{self.message}**", ""] if self.message else []
        for name in () if self._fresh else self.route.harness.cables:
            lines += [f"**{name}**", "", "| | | limit | |", "|---|---|---|---|"]
            for one in findings(self.route.harness, name, self.route.limits[name], self.route.clips[name]):
                value, limit, verdict = one.shown()
                verdict = {"pass": "✅ pass", "FAIL": "❌ FAIL"}.get(verdict, verdict)
                lines.append(f"| {one.what.replace('_', ' ')} | {value} {one.where} | {limit} | {verdict} |")
            lines.append("")
        self._state.content = "\n".join(lines)
        if self.message != self._said:
            self._said = self.message
            if self.message and self.message not in (CLICK_START, CLICK_END):
                tell(self.server, self.route.name, self.message)


def _turned(cable: Cable) -> float:
    """Twist from one end of a cable to the other [rad]."""
    return float(0.5 * (cable.twist[1:] + cable.twist[:-1]) @ np.diff(cable.arc_length))


def _plain(values: np.ndarray) -> list[float]:
    return [float(value) for value in values]
