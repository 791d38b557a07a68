"""What a person changes in a route: each change a step that can be undone, nothing of it lost."""

from __future__ import annotations

import copy
import functools
import sys
import threading
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from taut.cables.rod.clearance import sunk
from taut.cables.rod.leading import lead
from taut.cables.rod.proportion import odd, unlike_sizes
from taut.cables.rod.reach import METRES_MEANT
from taut.cables.rod.route import Route
from taut.cables.rod.stopping import StoppedError
from taut.cables.rod.values import RodError
from taut.view.route_busy import Busy
from taut.view.route_twist import twist_told

#: most steps that can be undone
UNDO = 100
#: what a step is called that nobody has a name for
CHANGE = "the last change"
CLICK_START = "click on the face where the cable begins, then on the one where it ends"
ADD_PARTS = "add the parts around the cable in the folder Parts: mesh files, or shapes of the sizes you type. Then"
OR_TYPE = "or type two points in the folder New cable"
NO_CABLE = f"there is no cable yet: click on the face where it begins, then on the one where it ends, {OR_TYPE}"


class Step(NamedTuple):
    """A change that can be undone, or made again."""

    route: Route
    """As it stood on the other side of it."""
    name: str


class Edits(ABC):
    """A route and the steps that led to it."""

    def __init__(self, route: Route, folder: Path, fresh: bool) -> None:
        """fresh: its one cable has no places yet."""
        self.route, self.folder, self.fresh = route, folder, fresh
        route.solve()
        self._unplaced = copy.deepcopy(route.data) if fresh else None
        self.lock = threading.RLock()
        self._history: list[Step] = []
        self._undone: list[Step] = []  # the last one undone last
        self._drag_of = 0  # the move whose step was the last one
        self._saved = copy.deepcopy(route.data)
        self._first: tuple[np.ndarray, np.ndarray] | None = None  # where a cable begins that has no end yet
        self._guarded = False  # an action is under way
        self.busy: Busy | None = None  # tells so where it takes long
        self._asking = ""  # what was typed for it
        self.message = self._usual()

    @abstractmethod
    def redraw(self, held: frozenset[str] = frozenset()) -> None:
        """Everything as it stands, but for arrows that a person holds."""

    @abstractmethod
    def drag(self, key: str, point: np.ndarray, quaternion: np.ndarray, asked: str = "") -> None:
        """Something goes to another pose. asked: what was typed, if it was."""

    @abstractmethod
    def next_step(self) -> None:
        """What goes to another pose from now on is no part of the last drag."""

    @abstractmethod
    def let_go(self) -> None:
        """Nothing is held by hand any more."""

    @abstractmethod
    def look(self) -> None:
        """All of it is seen."""

    @abstractmethod
    def chose(self, key: str) -> None:
        """Something is chosen."""

    @property
    @abstractmethod
    def seen(self) -> Route:
        """The route as the picture shows it: the present one, or a frame of its motion."""

    @property
    def watching(self) -> bool:
        """Whether a frame of a motion is seen, and not the present shape."""
        return self.seen is not self.route

    @abstractmethod
    def _show(self) -> None:
        """The words as they stand."""

    @abstractmethod
    def _renamed(self) -> None:
        """Names of cables may have changed."""

    @abstractmethod
    def _went_back(self) -> None:
        """A step was undone or made again."""

    def _usual(self) -> str:
        """What is said where nothing else is: what to do first, what lies inside of a part, lengths that may be in another unit."""
        if self.fresh:
            return f"{CLICK_START}, {OR_TYPE}" if self.route.shapes else f"{ADD_PARTS} {CLICK_START}, {OR_TYPE}"
        return "; ".join([*sunk(self.route.harness._net), *odd(self.route)])

    def _after(self, before: Route) -> str:
        """What is said after a change: the usual, and a twist that came with it."""
        return "; ".join(filter(None, (self._usual(), "" if self.fresh else twist_told(before, self.route))))

    @contextmanager
    def guard(self) -> Iterator[None]:
        """Around whatever a person sets off: when it fails all stays as it was, the page says so, the terminal says where."""
        with self.lock:
            if self._guarded:
                yield  # the outermost one takes all of it back
                return
            before = self._as_it_stands()
            steps = self._history, list(self._undone), self._first, self.fresh
            self._guarded, self._asking = True, ""
            try:
                with self.busy.during(self._under_way) if self.busy is not None else nullcontext():
                    yield
            except Exception as error:
                if not isinstance(error, RodError | StoppedError):
                    traceback.print_exc(file=sys.stderr)
                self.route, (self._history, self._undone, self._first, self.fresh) = before, steps
                self._drag_of = 0
                self.message = _failure(self._asking or "this", error)
                self._took_back()
            finally:
                self._guarded = False

    def guarded(self, act: Callable[..., Any]) -> Callable[..., None]:
        """An action of a person, with the guard around it."""

        @functools.wraps(act)
        def run(*given: Any) -> None:
            with self.guard():
                act(*given)

        run.guarded = True  # type: ignore[attr-defined]
        return run

    def _took_back(self) -> None:
        """Show the route as it was before an action that failed; what cannot be shown either is said in the terminal."""
        try:
            self._renamed()
            self._went_back()
            self.redraw()
        except Exception:
            traceback.print_exc(file=sys.stderr)
            self._show()

    def edit(self, change: Callable[[], Any], asked: str = "", places: bool = False) -> bool:
        """Change the data, build the route anew; on failure all stays as it was. asked: what was typed; places: the one cable that has no
        places yet gets them. Whether it was done."""
        with self.lock:
            before, made, fresh = self._as_it_stands(), None, self.fresh
            self._asking, self.fresh = asked, fresh and not places
            try:
                change()
                made = self.route.made_of(self.route.data, self.folder)
                if not self.fresh:
                    # from the shape that stands: it is the one that is meant, and near
                    made.solve(self.route)
            except RodError as error:
                self.route, self.fresh = before, fresh
                self.message = refusal(asked, error, made)
                self._took_back()
                return False
            self._remember(before, asked)
            self.route = made
            self.message = self._after(before)
            self._renamed()
            self.redraw()
            return True

    def alter(self, change: Callable[[], Any], said: str = "", asked: str = "") -> bool:
        """Change the route as it stands, and solve from its shape; on failure all stays as it was. said: what is said when it is
        done; asked: what was typed. Whether it was done."""
        with self.lock:
            before, self._asking = self._as_it_stands(), asked
            try:
                change()
                if not self.fresh:
                    self.route.harness.solve()
            except RodError as error:
                self.message = refusal(asked, error, self.route)
                self.route = before
                self._took_back()
                return False
            self.route.keep_slid()
            self._remember(before, asked)
            self.message = said or self._after(before)
            self._renamed()
            self.redraw()
            return True

    def label(self, change: Callable[[], Any]) -> None:
        """Change what something is called: a step, but nothing moves, and nothing is solved."""
        with self.lock:
            before = self._as_it_stands()
            change()
            self._remember(before, "another name")
            self.message = self._usual()
            self._renamed()
            self.redraw()

    def refuse(self, asked: str, why: str) -> None:
        """Say what is not done; every field shows what holds."""
        with self.lock:
            self.message = f"{asked} is refused: {why}"
            self._took_back()

    def _under_way(self) -> str:
        """What takes long, in words: where there is no cable nothing is solved."""
        doing = "under way" if self.fresh else "being solved"
        return f"{self._asking} is {doing}" if self._asking else doing

    def asking(self, what: str) -> None:
        """What is under way, as it is told while it takes long."""
        self._asking = what

    def say(self, message: str) -> None:
        """Tell a person something."""
        with self.lock:
            self.message = message
            self._show()

    def _as_it_stands(self) -> Route:
        """The route with its shape, to go back to: one that was reached by dragging need not be found again from its data alone.
        Meshes, which nothing changes, are shared."""
        obstacles = self.route.harness._net.obstacles
        shared = (*self.route.shapes.values(), *self.route.plugs.values(), obstacles.triangle, obstacles.tree)
        return copy.deepcopy(self.route, {id(one): one for one in shared})

    def _remember(self, before: Route, name: str) -> None:
        """A step that can be undone. name: of what was done."""
        self._history = [*self._history[-UNDO:], Step(before, name or CHANGE)]
        self._undone, self._drag_of = [], 0

    def undo(self) -> None:
        """Back to before the last change."""
        with self.lock:
            if not self._history:
                self.say("there is nothing left to undo")
                return
            step = self._history.pop()
            self._undone.append(Step(self.route, step.name))
            self._go_to(step.route, f"undone: {step.name}")

    def redo(self) -> None:
        """The change that was undone last once more."""
        with self.lock:
            if not self._undone:
                self.say("there is nothing to make again")
                return
            step = self._undone.pop()
            self._history.append(Step(self.route, step.name))
            self._go_to(step.route, f"made again: {step.name}")

    def _go_to(self, route: Route, said: str) -> None:
        """The route as it was or will be. said: which way that is."""
        self._drag_of = 0
        route.file = self.route.file  # it is still the file that was saved last
        self.route = route
        self.fresh = self._unplaced is not None and _cables(route.data) == _cables(self._unplaced)
        self._first, self.message = None, "; ".join(filter(None, (said, self._usual() if self.fresh else "")))
        self._renamed()
        self._went_back()
        self.redraw()

    def save(self, file: str) -> None:
        """Write the route."""
        with self.lock:
            if self.fresh:
                self.say(NO_CABLE)
                return
            changed = self.route.data != self._saved
            try:
                self.route.save(file)
                self._saved = copy.deepcopy(self.route.data)
                self.route.file = Path(file).name
                # what is written from now on is called like it; steps that are undone too
                for one in (self.route, *(step.route for step in [*self._history, *self._undone])):
                    one.name = Path(file).stem
                self.message = f"saved as {file}"
                if changed:
                    self.message += self._lead(file)
            except OSError as error:
                self.message = f"{file}: {error.strerror}"
            self._show()

    def _lead(self, file: str) -> str:
        """Look whether a file that was saved opens with this shape, and save it with what leads there where it does not; what is to be said of
        it."""
        self.asking(f"{file} as it opens")
        try:
            left = lead(self.route)
        except StoppedError:
            self.route.data = copy.deepcopy(self._saved)
            return "; whether it opens with this shape was not looked at"
        led = self.route.data != self._saved
        if led or self.route.lean is not None:
            self.route.save(file)
            self._saved = copy.deepcopy(self.route.data)
        if not left:
            return ", with points that lead to this shape (through)" if led else ""
        told = ", ".join(name if apart == np.inf else f"{name} by {1e3 * apart:.0f} mm" for name, apart in left.items())
        return f". Opened again it may take another shape ({told}): this one was reached by a way that the file does not tell; clips would hold it"

    def keep(self) -> Path | None:
        """Write what nobody has saved to a file of its own; returns it, or None where there is nothing."""
        with self.lock:
            if self.fresh or self.route.data == self._saved:
                return None
            file, count = Path(f"{self.route.name}.unsaved.yaml"), 1
            while file.exists():
                count += 1
                file = Path(f"{self.route.name}.unsaved-{count}.yaml")
            self.route.save(file)
            return file


def _failure(asked: str, error: Exception) -> str:
    """Why something was not done, in words."""
    if isinstance(error, StoppedError):
        return f"{asked} was stopped: all is as it was before"
    if isinstance(error, RodError):
        return str(error)
    return f"{asked} failed, and nothing was changed ({type(error).__name__}: {error}); the terminal says more"


def refusal(asked: str, error: Exception, route: Route | None) -> str:
    """Why something is not done, in words: what was typed, what lies in a part where it was asked to be, and the error."""
    # what lies in a part comes first, in lines of its own
    said = str(error).replace("\n", "; ").replace(METRES_MEANT, "")  # the studio asks for mm, not a file for metres
    inside = [] if route is None else [one for one in sunk(route.harness._net) if one not in said]
    unlike = [] if route is None else unlike_sizes(route)
    return (f"{asked} is refused: " if asked else "") + "; ".join([*inside, said, *unlike])


def _cables(data: dict[str, Any]) -> Any:
    return data["route"]["cables"]
