"""What a person changes in a route: each change a step that can be undone, nothing of it lost."""

from __future__ import annotations

import copy
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.clearance import sunk
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError

#: most steps that can be undone
UNDO = 100
CLICK_START = "click on the face where the cable begins, then on the one where it ends"


class Edits(ABC):
    """A route and the steps that led to it."""

    def __init__(self, route: Route, folder: Path, fresh: bool) -> None:
        """fresh: its one cable has no places yet."""
        self.route, self.folder, self.fresh = route, folder, fresh
        route.solve()
        self._unplaced = copy.deepcopy(route.data) if fresh else None
        self.lock = threading.RLock()
        self._history: list[Route] = []
        self._undone: list[Route] = []  # the last one undone last
        self._drag_of: frozenset[str] = frozenset()  # what is being dragged
        self._saved = copy.deepcopy(route.data)
        self._first: tuple[np.ndarray, np.ndarray] | None = None  # where a cable begins that has no end yet
        self.message = CLICK_START if fresh else "; ".join(sunk(route.harness._net))

    @abstractmethod
    def redraw(self, held: frozenset[str] = frozenset()) -> None:
        """Everything as it stands, but for arrows that a person holds."""

    @abstractmethod
    def drag(self, key: str, point: np.ndarray, quaternion: np.ndarray) -> None:
        """Something goes to another pose."""

    @abstractmethod
    def let_go(self) -> None:
        """Nothing is held by hand any more."""

    @abstractmethod
    def _show(self) -> None:
        """The words as they stand."""

    @abstractmethod
    def _renamed(self) -> None:
        """Names of cables may have changed."""

    @abstractmethod
    def _went_back(self) -> None:
        """A step was undone or made again."""

    def edit(self, change: Callable[[], Any]) -> None:
        """Change the data, build the route anew; on failure all stays as it was."""
        with self.lock:
            before = self._as_it_stands()
            try:
                change()
                made = Route.of(self.route.data, self.folder, self.route.name)
                made.solve()
            except RodError as error:
                self.route.data.clear()
                self.route.data.update(before.data)
                self.message = str(error)
                self.redraw()
                return
            self._remember(before)
            self.route, self.message = made, "; ".join(sunk(made.harness._net))
            self._renamed()
            self.redraw()

    def alter(self, change: Callable[[], Any], said: str = "") -> bool:
        """Change the route as it stands, and solve from its shape; on failure all stays as it was. Whether it was done."""
        with self.lock:
            before = self._as_it_stands()
            try:
                change()
                self.route.harness.solve()
            except RodError as error:
                self.route, self.message = before, str(error)
                self.redraw()
                return False
            self.route.keep_slid()
            self._remember(before)
            self.message = said or "; ".join(sunk(self.route.harness._net))
            self._renamed()
            self.redraw()
            return True

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

    def _remember(self, before: Route) -> None:
        """A step that can be undone."""
        self._history = [*self._history[-UNDO:], before]
        self._undone, self._drag_of = [], frozenset()

    def next_step(self) -> None:
        """What comes is no part of the last drag."""
        with self.lock:
            self._drag_of = frozenset()

    def undo(self) -> None:
        """Back to before the last change."""
        with self.lock:
            if not self._history:
                return
            self._undone.append(self.route)
            self._go_to(self._history.pop())

    def redo(self) -> None:
        """The change that was undone last once more."""
        with self.lock:
            if not self._undone:
                return
            self._history.append(self.route)
            self._go_to(self._undone.pop())

    def _go_to(self, route: Route) -> None:
        """The route as it was or will be."""
        self._drag_of = frozenset()
        self.route = route
        self.fresh = self._unplaced is not None and _cables(route.data) == _cables(self._unplaced)
        self.message, self._first = CLICK_START if self.fresh else "", None
        self._renamed()
        self._went_back()
        self.redraw()

    def save(self, file: str) -> None:
        """Write the route."""
        with self.lock:
            try:
                self.route.save(file)
                self._saved = copy.deepcopy(self.route.data)
                self.message = f"saved as {file}"
            except OSError as error:
                self.message = f"{file}: {error.strerror}"
            self._show()

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


def _cables(data: dict[str, Any]) -> Any:
    return data["route"]["cables"]
