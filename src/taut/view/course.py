"""An exercise for the operator: a load is led through gates and brought to rest in the last one, against the clock.

Points are seconds: those of the clock, TOUCH for every time the load hits something, SWAY for every metre that it swung.
The fewer the better. What was driven can be looked at once more.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import viser

from taut.scene import Scene
from taut.scene.view import Course
from taut.view import readout, solids
from taut.view.bounds import half_size
from taut.view.colours import as_bytes, from_hex
from taut.view.frame import COURSE_SPEED, COURSE_SWAY, COURSE_TOUCH, Frame
from taut.view.runner import Runner

#: what a touch costs, and a metre of sway [s]
TOUCH, SWAY = 10.0, 5.0
#: touches that follow each other within this time are one [s]
APART = 0.5
#: how long a load stays slow in the last gate until it has come to rest there, and not to a turning point [s]
RESTED = 1.0
#: a long pendulum goes there and back within this time [s]
SWING = 12.0
#: what helps against sway: nothing but the operator takes it away
CATCH = "drive after it as it swings away, let go when it hangs straight; with Shift it begins to swing less"
#: moments kept for looking at it once more: how often [1/s], and how many at most
KEPT_RATE, MOST_KEPT = 20.0, 6000
#: of a hoop, as a share of its radius [-]
THICK = 0.03
NEXT, PASSED, LATER = from_hex("#ffb000"), from_hex("#2f9e44"), from_hex("#adb5bd")


@dataclass
class Attempt:
    """One try, from its first moment on. Pure arithmetic on what is handed in."""

    course: Course
    begun: float | None = None
    """Simulated time of its first moment [s]."""
    now: float = 0.0
    passed: int = 0
    """Gates behind it."""
    swayed: float = 0.0
    """Largest sway so far [m]."""
    touches: int = 0
    speed: float = 0.0
    """Of the load now [m/s]."""
    swing: float = 0.0
    """Largest sway within the last SWING seconds [m]."""
    away: float = 0.0
    """From the load to the middle of the next gate [m]."""
    void: bool = False
    """Whether time went back: what was driven twice does not count."""
    _touched: float = field(default=-np.inf)
    _touching: bool = False
    _slow: float = field(default=np.inf)
    _sways: deque[tuple[float, float]] = field(default_factory=deque)

    @property
    def done(self) -> bool:
        """Whether the load has come to rest in the last gate."""
        return self.passed == len(self.course.gates)

    @property
    def over(self) -> bool:
        """Whether nothing counts any more."""
        return self.done or self.void

    @property
    def time(self) -> float:
        """Since it began [s]."""
        return 0.0 if self.begun is None else self.now - self.begun

    @property
    def points(self) -> float:
        """Fewer are better [s]."""
        return self.time + TOUCH * self.touches + SWAY * self.swayed

    def note(self, time: float, place: np.ndarray, speed: float, sway: float, touching: bool) -> None:
        """A moment: simulated time [s], the load's place [m], its speed [m/s] and sway [m], and whether it touches."""
        if self.over:
            return
        if self.begun is None:
            # it may stand on something to begin with
            self.begun = self.now = time
            self._touched = time if touching else -np.inf
            self._touching = touching
        self.void = time < self.now
        self.now, self.speed = time, speed
        if touching:
            # moments may lie further apart than touches, where the run is fast
            self.touches += not self._touching and time - self._touched > APART
            self._touched = time
        self._touching = touching
        self.swayed = max(self.swayed, sway)
        self._sways.append((time, sway))
        while self._sways[0][0] < time - SWING:
            self._sways.popleft()
        self.swing = max(known for _, known in self._sways)
        gate = self.course.gates[self.passed]
        last = self.passed == len(self.course.gates) - 1
        self.away = float(np.linalg.norm(place - gate.position))
        inside = self.away <= gate.radius
        # since when it is slow there
        self._slow = min(self._slow, time) if last and inside and speed <= self.course.rest else np.inf
        if time - self._slow >= RESTED if last else inside:
            self.passed += 1


class Exercise:
    """Gates in the scene and a folder of the panel. Moments come from the runner's thread, buttons from the server's,
    `show` and `write` from the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene, runner: Runner) -> None:
        course = scene.view.course
        assert course is not None
        self._course, self._runner = course, runner
        bodies = scene.all_bodies()
        self._load = list(bodies).index(course.load)
        # the hoops are as much wider than the gates as the load is large: it is seen to go through them
        self._from = np.asarray(bodies[course.load].start_position, float)
        self._around = float(np.linalg.norm(half_size(bodies[course.load].shape)))
        self._attempt: Attempt | None = None
        self._frames: list[Frame] = []
        self._best: float | None = None
        self._shown: int | None = None
        self._away = False
        self._gates = [self._ring(server, k) for k in range(len(course.gates))]
        with server.gui.add_folder("Exercise", expand_by_default=False):
            self._text = server.gui.add_html(self._words())
            start = server.gui.add_button("Start", icon=viser.Icon.FLAG, hint="from the beginning, against the clock")
            start.on_click(lambda _: self.start())
            self._again = server.gui.add_button("Watch again", icon=viser.Icon.REPEAT, visible=False)
            self._again.on_click(lambda _: runner.show_again(list(self._frames)))
        runner.heard.append(self._hear)

    def start(self) -> None:
        """Back to the start, and the clock runs."""
        self._attempt, self._frames = None, []
        self._runner.begin_anew(self._begin)

    def _begin(self) -> None:
        self._away = False
        self._attempt = Attempt(self._course)

    def _hear(self, frame: Frame) -> None:
        """A new moment of the run."""
        attempt = self._attempt
        if frame.step == 0 and attempt is not None and attempt.begun is not None:
            # the scene was set back: the gates go, and with them an attempt that was not brought to its end
            self._away = True
            self._attempt = attempt if attempt.done else None
        # before the first step nothing is known of what touches
        if attempt is None or attempt.over or frame.step == 0:
            return
        known = frame.readings
        attempt.note(
            frame.time,
            frame.positions[self._load].astype(float),
            known[COURSE_SPEED],
            known[COURSE_SWAY],
            known[COURSE_TOUCH] > 0.0,
        )
        if len(self._frames) < MOST_KEPT and (
            not self._frames or attempt.over or frame.time - self._frames[-1].time >= 0.999 / KEPT_RATE
        ):
            self._frames.append(frame)
        if attempt.done and (self._best is None or attempt.points < self._best):
            self._best = attempt.points

    def show(self) -> None:
        """The gates, once it has begun and until the scene is set back: the next one, those behind, those ahead."""
        attempt = self._attempt
        passed = None if attempt is None or self._away else attempt.passed
        if passed == self._shown:
            return
        self._shown = passed
        for k, gate in enumerate(self._gates):
            node: Any = gate
            if passed is not None:
                node.color = as_bytes(PASSED if k < passed else NEXT if k == passed else LATER)
            node.visible = passed is not None

    def write(self) -> None:
        """The clock, sway and touches."""
        self._text.content = self._words()
        self._again.visible = self._attempt is not None and self._attempt.done

    @property
    def note(self) -> str:
        """How it goes, in a few words over the picture; empty before it has begun."""
        attempt = self._attempt
        if attempt is None or self._away:
            return ""
        if attempt.void:
            return "exercise: time went back, start again"
        if attempt.done:
            return f"exercise done: {attempt.points:.1f} points"
        hits = f", {attempt.touches} touched" if attempt.touches else ""
        rest = f", rest there below {self._course.rest:g} m/s" if attempt.passed + 1 == len(self._course.gates) else ""
        gate = f"gate {attempt.passed + 1} of {len(self._course.gates)}, {attempt.away:.0f} m away"
        swing = f", swings by {attempt.swing:.1f} m: drive after it, let go when it hangs straight"
        return f"exercise: {attempt.time:.0f} s, {gate}{rest}{swing if self._help(attempt) else ''}{hits}"

    @property
    def button(self) -> str:
        """What the button beside the levers says."""
        return "Exercise" if self._attempt is None or self._attempt.over else "Begin again"

    def _words(self) -> str:
        attempt = self._attempt
        if attempt is None:
            return readout.exercise(
                f"Lead the load through {len(self._course.gates)} gates and let it rest in the last one.", (), None
            )
        told = (
            ("time", f"{attempt.time:.1f} s"),
            ("gates", f"{attempt.passed} of {len(self._course.gates)}"),
            ("sway", f"{attempt.swayed:.2f} m"),
            ("touches", str(attempt.touches)),
        )
        if attempt.void:
            return readout.exercise("Time went back: this one does not count. Start again.", told, None)
        if not attempt.done:
            return readout.exercise(self._task(attempt), told, None)
        best = "the best so far" if attempt.points == self._best else f"best so far {self._best:.1f}"
        return readout.exercise(f"At rest in the last gate; {best}.", told, f"{attempt.points:.1f}")

    def _task(self, attempt: Attempt) -> str:
        """What to do now."""
        if attempt.passed < len(self._course.gates) - 1:
            return "Lead the load through the yellow gate."
        rest = 100.0 * self._course.rest
        task = (
            f"Let it rest in the yellow gate: below {rest:.3g} cm/s for a second, now {100.0 * attempt.speed:.0f} cm/s."
        )
        return f"{task} {self._help(attempt)}".strip()

    def _help(self, attempt: Attempt) -> str:
        """What to do about a load that swings wider than the last gate, in which it would never rest; empty: nothing."""
        wide = attempt.passed == len(self._course.gates) - 1 and attempt.swing > self._course.gates[-1].radius
        return f"It swings by {attempt.swing:.1f} m: {CATCH}." if wide and not attempt.over else ""

    def _ring(self, server: viser.ViserServer, k: int) -> viser.MeshHandle:
        """A gate as a hoop that the load goes through, across the way from the gate before it or from the start."""
        gates = [self._from, *(np.asarray(gate.position, float) for gate in self._course.gates)]
        way = gates[k + 1] - gates[k]
        way = way / max(float(np.linalg.norm(way)), 1e-9) if np.linalg.norm(way) > 1e-9 else np.array([1.0, 0.0, 0.0])
        radius = self._course.gates[k].radius + self._around
        round_it = np.linspace(-0.5, 1.5, 11) * np.pi
        solid = solids.turned(
            [[(radius * (1.0 + THICK * np.cos(a)), THICK * radius * np.sin(a)) for a in round_it]], 48
        )
        across = np.cross(way, np.eye(3)[int(np.argmin(np.abs(way)))])
        across /= np.linalg.norm(across)
        turned = np.column_stack([across, np.cross(way, across), way])
        return server.scene.add_mesh_simple(
            f"/course/gate_{k}",
            (solid.vertices @ turned.T).astype(np.float32),
            solid.faces.astype(np.uint32),
            color=as_bytes(LATER),
            cast_shadow=False,
            opacity=0.85,
            position=gates[k + 1],
            visible=False,
        )
