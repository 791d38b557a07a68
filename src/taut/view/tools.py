"""What a person works with beside the picture and the buttons: plots, changes, arrows, a cursor, the pointer's spring."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import viser

from taut.scene import Scene
from taut.view import cutouts, instructor, partings, shares
from taut.view.arrows import Arrows
from taut.view.changes import Changes, Reopen
from taut.view.course import Exercise
from taut.view.cursor import Cursor
from taut.view.frame import Frame
from taut.view.instructor import Instructor
from taut.view.keys import PLAY
from taut.view.made import Made
from taut.view.mirror import Mirror
from taut.view.panel import Panel
from taut.view.plots import Plots
from taut.view.pull import Pull
from taut.view.recording import Kept, TakeAway
from taut.view.runner import Runner
from taut.view.tries import Tries
from taut.view.windsock import words

#: how long it is said that a lever does nothing now [s]
SAID = 3.0


class Tools:
    """All tools of a scene that runs, or of a recording. Clicks and drags come in from the server's threads, the rest
    from the thread that pushes frames."""

    def __init__(
        self,
        server: viser.ViserServer,
        scene: Scene,
        runner: Runner,
        mirror: Mirror,
        file: Path | None,
        warn: Callable[[str], None],
        reopen: Reopen,
        made: Made | None = None,
        source: str = "",
        kept: list[Kept] | None = None,
        quantities: tuple[str, ...] = (),
        tries: Tries | None = None,
    ) -> None:
        self._runner, self._mirror = runner, mirror
        self._refused = -SAID
        self._may_part = partings.may_part(scene)
        self._guarded = cutouts.guarded(scene)
        live = runner.player.duration is None
        self._exercise = Exercise(server, scene, runner, tries) if live and scene.view.course is not None else None
        driven = instructor.is_wanted(scene, runner)
        # before the plots, where it is seen; what it holds needs the changes
        folder = server.gui.add_folder("Instructor", expand_by_default=False) if driven else None
        self._plots = Plots(server, runner, quantities) if runner.player.quantities else None
        self._changes = Changes(server, scene, runner, file, warn, reopen, made) if live else None
        self._instructor = (
            Instructor(server.gui, folder, runner, self._changes) if self._changes and folder is not None else None
        )
        self._take_away = TakeAway(server, scene, runner, source, kept) if live else None
        changes = self._changes
        if changes is not None:
            known: Changes = changes
            if self._exercise is not None:
                self._exercise.conditions = lambda: ", ".join(f"{row.what} {row.now}" for row in known.rows())
            known.heard.append(lambda: setattr(mirror, "breaking", shares.breaking_loads(known.now)))
            mirror.breaking = shares.breaking_loads(known.now)
        self._arrows = Arrows(server, scene)
        self._cursor = Cursor(server, scene, mirror, None if changes is None else lambda: changes.now)
        self._pull = Pull(server, scene, runner, mirror, self._cursor.picker) if live else None
        self._cursor.marked = self._pull.hold_by if self._pull is not None else None
        server.scene.on_click()(self._click)

    def show(self, frame: Frame) -> None:
        """Marks in the scene, with every pose."""
        self._arrows.show(frame, self._runner.show_forces)
        self._cursor.show(frame)
        if self._exercise is not None:
            self._exercise.show()
        if self._pull is not None:
            self._pull.show(frame)

    def write(self, frame: Frame, panel: Panel) -> None:
        """What the colours and the arrows stand for, and what is read."""
        if self._exercise is not None:
            self._exercise.write()
        if self._instructor is not None:
            self._instructor.show()
        if self._take_away is not None:
            self._take_away.write()
        pulled = self._pull.words() if self._pull is not None else ""
        read = "" if pulled else self._cursor.write(frame)
        panel.show_forces(self._mirror, self._arrows.highest, read, pulled, self._cursor.can_be_pulled(frame))

    @property
    def note(self) -> str:
        """What is to be seen beside the picture by who looks from where the scene is first seen."""
        return self.note_for(None)

    def note_for(self, heading: float | None) -> str:
        """What is to be seen beside a picture that looks there [rad], wherever the panel is scrolled to: a recording, ropes that have
        parted or have no way left, winches that are cut out, the wind, an exercise."""
        exercise = self._exercise
        told = "" if exercise is None else exercise.note if heading is None else exercise.note_for(heading)
        on = self._take_away is not None and self._take_away.keeper.on
        parted = partings.words(self._runner.frame, self._may_part)
        cut = cutouts.words(self._runner.frame, self._guarded)
        frame = self._runner.frame
        wind = "" if frame is None or frame.wind is None else words(frame.wind)
        late = self._runner.replays and time.perf_counter() - self._refused < SAID
        parts = [
            f"the replay ends first ({PLAY.cap})" if late else "",
            "● recording" if on else "",
            parted,
            partings.run_together(self._runner.frame),
            cut,
            f"wind {wind}" if wind else "",
            told,
        ]
        return " · ".join(part for part in parts if part)

    def drive(self, name: str, value: float) -> None:
        """A lever sets a control. While something is shown again nothing is driven, and that is said."""
        if value and self._runner.replays:
            self._refused = time.perf_counter()
        else:
            self._runner.set_control(name, value)

    @property
    def quantities(self) -> tuple[str, ...]:
        """What is plotted; empty where nothing can be."""
        return () if self._plots is None else self._plots.chosen

    @property
    def exercise(self) -> str:
        """What the operator's button for the exercise says; empty: there is none."""
        return self._exercise.button if self._exercise is not None else ""

    @property
    def exercise_more(self) -> list[tuple[str, str, str]]:
        """Other buttons of the exercise: what each presses, what it says, and what it is for."""
        return self._exercise.more if self._exercise is not None else []

    def press(self, what: str) -> bool:
        """A button of the operator; whether it is one of those of the exercise."""
        return self._exercise is not None and self._exercise.press(what)

    def close(self) -> None:
        """The run has ended: what is being recorded is kept, and what exercises cost."""
        if self._take_away is not None:
            self._take_away.keeper.finish()
        if self._exercise is not None:
            self._exercise.close()

    def begin_again(self) -> None:
        """The run went back: what was largest before does not count any more."""
        self._mirror.scales.clear()
        self._arrows.clear()
        if self._changes is not None:
            self._changes.begin_again()

    def draw(self) -> None:
        """The plots."""
        if self._plots is not None:
            self._plots.show()

    def _click(self, event: Any) -> None:
        if self._runner.frame is None:
            return
        picked = self._cursor.click(event.ray_origin, event.ray_direction, self._runner.frame)
        if picked is not None and self._plots is not None:
            self._plots.choose(self._cursor.quantity(picked, self._runner.frame, self._runner.player.unit_of))
        if picked is not None and self._changes is not None:
            self._changes.choose(picked.name)
