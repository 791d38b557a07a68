"""An exercise for the operator: a load is led through gates and brought to rest in the last one, against the clock.

Points are seconds, the fewer the better (`taut.view.attempt`). What was driven can be looked at once more.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import viser

from taut.scene import Scene
from taut.view import hoops, readout, stage
from taut.view.attempt import Attempt
from taut.view.colours import as_bytes, from_hex
from taut.view.frame import COURSE_SPEED, COURSE_SWAY, COURSE_TOUCH, Frame
from taut.view.keys import PLAY
from taut.view.runner import Runner
from taut.view.server import in_turn
from taut.view.tries import Tries, Try

#: what helps against sway: nothing but the operator takes it away
CATCH = "drive after it, let go when it hangs straight"
#: and before it swings
GENTLY = "With Shift it begins to swing less."
#: moments kept for looking at it once more: how often [1/s], and how many at most
KEPT_RATE, MOST_KEPT = 20.0, 6000
#: what conditions are called where nothing was changed
AS_IN_THE_SCENE = "as in the scene"
NEXT, PASSED, LATER = from_hex("#ffb000"), from_hex("#2f9e44"), from_hex("#adb5bd")


class Exercise:
    """Gates in the scene and a folder of the panel. Moments come from the runner's thread, buttons from the server's,
    `show` and `write` from the thread that pushes frames."""

    def __init__(self, server: viser.ViserServer, scene: Scene, runner: Runner, tries: Tries | None = None) -> None:
        course = scene.view.course
        assert course is not None
        self._server, self._course, self._runner = server, course, runner
        bodies = scene.all_bodies()
        self._load = list(bodies).index(course.load)
        self._ahead = stage.heading(scene)
        self._hoops = hoops.of_scene(scene)
        self._line = hoops.line_of(self._hoops, np.asarray(bodies[course.load].start_position, float))
        self._attempt: Attempt | None = None
        self._frames: list[Frame] = []
        self._colours: list[int] = []
        self._every = 1.0 / KEPT_RATE
        self._met: list[str] = []  # conditions of the attempt, one after the other
        self._tries = Tries() if tries is None else tries
        self._watched: Try | None = None
        self._shown: int | None = None
        self._away = False
        self._gates = [_gate(server, k, hoop) for k, hoop in enumerate(self._hoops)]
        with server.gui.add_folder("Exercise", expand_by_default=False):
            self._text = server.gui.add_html(self._words())
            self._driver: Any = server.gui.add_text("driver", "", hint="who drives; stands beside the attempts")
            start = server.gui.add_button("Start", icon=viser.Icon.FLAG, hint="from the beginning, against the clock")
            start.on_click(lambda _: self.start())
            self._end = server.gui.add_button(
                "Stop exercise",
                icon=viser.Icon.FLAG_OFF,
                visible=False,
                hint="goes on from here, without gates and clock",
            )
            self._end.on_click(lambda _: self.stop())
            self._again = server.gui.add_button("Watch again", icon=viser.Icon.REPEAT, visible=False)
            self._again.on_click(lambda _: self.watch())
            self._again_best = server.gui.add_button("Watch the best", icon=viser.Icon.REPEAT, visible=False)
            self._again_best.on_click(lambda _: self._watch(self._tries.best))
            self._moment = server.gui.add_slider(
                "replay [s]", 0.0, 1.0, 0.1, 0.0, visible=False, hint="goes on from the moment that is chosen"
            )
            self._moment.on_update(self._choose)
            self._list = server.gui.add_html("", visible=False)
            self._save = server.gui.add_button(
                "Save the attempts",
                icon=viser.Icon.TABLE,
                color="gray",
                visible=False,
                hint="as a table (CSV): when, who, points, time, touches, sway, wind and load",
            )
            self._save.on_click(self._download)
        self.conditions: Callable[[], str] = str
        """What is not as it is in the scene, in words."""
        runner.heard.append(self._hear)

    def start(self) -> None:
        """Back to the start, and the clock runs."""
        self._break_off()
        self._runner.begin_anew(self._begin)

    def _begin(self) -> None:
        self._away = False
        self._frames, self._colours, self._every = [], [], 1.0 / KEPT_RATE
        self._met.clear()
        self._attempt = Attempt(self._course, self._hoops)

    def stop(self) -> None:
        """Break it off: the run goes on from where it is, without gates and clock."""
        self._away = True
        self._break_off()

    def _break_off(self) -> None:
        """What was driven of it is listed."""
        attempt, self._attempt = self._attempt, None
        if attempt is not None and attempt.begun is not None and not attempt.over:
            self._keep(attempt)

    def _keep(self, attempt: Attempt) -> None:
        frames, behind, self._frames, self._colours = self._frames, self._colours, [], []
        # the other thread may be between the two
        both = min(len(frames), len(behind))
        self._tries.add(attempt, frames[:both], behind[:both], self._driver.value, self._driven_in())

    def _note_conditions(self) -> None:
        """What is driven in may change on the way."""
        now = self.conditions()
        if not self._met or self._met[-1] != now:
            self._met.append(now)

    def _driven_in(self) -> str:
        """What was not as it is in the scene during the attempt, one after the other."""
        self._note_conditions()
        return " → ".join(met or AS_IN_THE_SCENE for met in self._met) if any(self._met) else ""

    def _download(self, event: Any) -> None:
        event.client.send_file_download("attempts.csv", self._tries.table().encode(), save_immediately=True)

    def watch(self) -> None:
        """What was driven last, once more."""
        self._watch(self._tries.last)

    def close(self) -> None:
        """The scene goes. Another one with the same exercise may have other bodies."""
        self._tries.forget_moments()

    def press(self, what: str) -> bool:
        """A button beside the levers; whether it is one of these."""
        act = {"exercise": self.start, "exercise_stop": self.stop, "exercise_watch": self.watch}.get(what)
        if act is not None:
            act()
        return act is not None

    def _watch(self, one: Try | None) -> None:
        """What was driven in an attempt, once more."""
        if one is not None and one.frames:
            self._watched = one
            moment: Any = self._moment
            moment.max = max(0.1, math.floor(10.0 * (one.frames[-1].time - one.frames[0].time)) / 10.0)
            self._runner.show_again(one.frames)

    async def _choose(self, event: Any) -> None:
        # a coroutine is called at once, in the thread that heard of it: nobody has written the slider since
        if event.client_id is not None:
            self._runner.replay_from(float(event.target.value))

    def _hear(self, frame: Frame) -> None:
        """A new moment of the run."""
        attempt = self._attempt
        if frame.step == 0 and attempt is not None and attempt.begun is not None:
            # the scene was set back: the gates go, and with them an attempt that was not brought to its end
            self._away = True
            if not attempt.done:
                self._break_off()
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
            frame.orientations[self._load].astype(float),
        )
        if not self._frames or attempt.over or frame.time - self._frames[-1].time >= 0.999 * self._every:
            if len(self._frames) >= MOST_KEPT:  # a long one is kept too, with fewer moments
                self._frames, self._colours, self._every = self._frames[::2], self._colours[::2], 2.0 * self._every
            self._frames.append(frame)
            self._colours.append(attempt.passed)
        if attempt.done and attempt is self._attempt:  # not one that was broken off meanwhile
            self._keep(attempt)

    def show(self) -> None:
        """The gates, once it has begun and until the scene is set back: the next one, those behind, those ahead. In a replay as
        they were."""
        attempt = self._attempt
        passed = None if attempt is None or self._away else attempt.passed
        if (replayed := self._runner.replayed) is not None:
            passed = None if self._watched is None else self._watched.passed_at(replayed[0])
        if passed == self._shown:
            return
        self._shown = passed
        for k, gate in enumerate(self._gates):
            node: Any = gate
            if passed is not None:
                node.color = as_bytes(PASSED if k < passed else NEXT if k == passed else LATER)
            node.visible = passed is not None

    def write(self) -> None:
        """The clock, sway and touches, and how far a replay is."""
        self._text.content = self._words()
        if self._attempt is not None and not self._attempt.over and not self._away:
            self._note_conditions()
        replayed = self._runner.replayed
        moment: Any = self._moment
        last, best = self._tries.last, self._tries.best
        self._again.visible = last is not None and bool(last.frames)
        self._again_best.visible = best is not None and best is not last and bool(best.frames)
        self._end.visible = self._attempt is not None and not self._away
        self._list.content, self._list.visible = readout.tries(self._tries.listed, best), last is not None
        self._save.visible = last is not None
        moment.visible = replayed is not None
        if replayed is not None:
            shown = min(round(replayed[0], 1), float(moment.max))
            in_turn(self._server, lambda: setattr(moment, "value", shown))

    @property
    def note(self) -> str:
        """How it goes for who looks from where the scene is first seen."""
        return self.note_for(self._ahead)

    def note_for(self, heading: float) -> str:
        """How it goes, in a few words over a picture that looks there (see `hoops.beside`) [rad]; empty before it has begun. In a
        replay: how far that is."""
        if (replayed := self._runner.replayed) is not None:
            return f"Replay {_minutes(replayed[0])} / {_minutes(replayed[1])} · {PLAY.cap}: back to the crane"
        attempt = self._attempt
        if attempt is None or self._away:
            return ""
        if attempt.void:
            return "exercise: time went back, start again"
        if attempt.done:
            return f"exercise done: {attempt.points:.1f} points, fewer are better{self._standing(attempt)}"
        told = [f"exercise: {attempt.time:.0f} s", self._where(attempt, heading)]
        if attempt.last:
            rest = f"rest there below {self._course.rest:g} m/s"
            if attempt.inside:
                rest = f"it only has to come to rest: below {self._course.rest:g} m/s for a second"
            told.append(self._help(attempt, heading) or rest)
        if attempt.touches:
            told.append(f"{attempt.touches} touched")
        return ", ".join(told)

    def _where(self, attempt: Attempt, heading: float) -> str:
        """How far the next gate is, and what keeps the load from being inside."""
        gate = f"gate {attempt.passed + 1} of {len(self._course.gates)}"
        if self._stands_beside(attempt):
            return gate  # the rest is told with what to do about it
        if attempt.inside:
            return f"inside {gate}"
        off = hoops.beside(attempt.wanting, heading, self._line)
        return f"{gate}, {hoops.metres(attempt.away)} away{f': {off}' if off else ''}"

    @property
    def button(self) -> str:
        """What the button beside the levers says that begins."""
        return "Exercise" if self._attempt is None or self._away else "Begin again"

    @property
    def more(self) -> list[tuple[str, str, str]]:
        """Other buttons beside it: what each presses, what it says, and what it is for."""
        if self._attempt is None or self._away:
            return []
        if self._attempt.over:
            return [] if self._attempt.void else [("exercise_watch", "Watch again", "what was driven, once more")]
        return [("exercise_stop", "Stop exercise", "goes on from here, without gates and clock")]

    def _standing(self, attempt: Attempt) -> str:
        """How it compares with the others of the session that were brought to their end; empty where there is no other."""
        best = self._tries.best
        if best is None or sum(one.done for one in self._tries.all) < 2:
            return ""
        return ", the best so far" if attempt.points <= best.points else f", best so far {best.points:.1f}"

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
        return readout.exercise(f"At rest in the last gate{self._standing(attempt)}.", told, f"{attempt.points:.1f}")

    def _task(self, attempt: Attempt) -> str:
        """What to do now."""
        if not attempt.last:
            # the panel is the same for all who look, each from another side: to them only up and down are the same
            off = hoops.beside(attempt.miss * (0.0, 0.0, 1.0)) if attempt.near else ""
            return f"Lead the load through the yellow gate.{f' It is {off}.' if off else ''}"
        rest = 100.0 * self._course.rest
        where = "It is inside: let it come to rest" if attempt.inside else "Let it rest in the yellow gate"
        task = f"{where}, below {rest:.3g} cm/s for a second, now {100.0 * attempt.speed:.0f} cm/s."
        told = self._help(attempt)
        if told:
            task += f" {told[0].upper()}{told[1:]}."
        return f"{task} {GENTLY}" if CATCH in told else task

    def _help(self, attempt: Attempt, heading: float | None = None) -> str:
        """What to do about a load that stands beside the last gate, or swings wider than it and would never rest there; empty: nothing."""
        if not attempt.last or attempt.over:
            return ""
        if self._stands_beside(attempt):
            lift = "lift it and " if attempt.touching else ""
            off = "" if heading is None else f", {hoops.beside(attempt.miss, heading, self._line)}"
            return f"it stands beside the last gate{off}: {lift}bring it in"
        wide = attempt.swing > self._course.gates[-1].radius and not attempt.stands
        return f"it swings by {attempt.swing:.1f} m: {CATCH}" if wide else ""

    def _stands_beside(self, attempt: Attempt) -> bool:
        return attempt.last and attempt.stands and bool(attempt.miss.any())


def _minutes(seconds: float) -> str:
    """A time as a clock shows it: 6:13."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def _gate(server: viser.ViserServer, k: int, hoop: hoops.Hoop) -> viser.MeshHandle:
    """A gate in the scene, not seen yet."""
    solid = hoop.solid()
    return server.scene.add_mesh_simple(
        f"/course/gate_{k}",
        solid.vertices.astype(np.float32),
        solid.faces.astype(np.uint32),
        color=as_bytes(LATER),
        cast_shadow=False,
        opacity=0.85,
        position=hoop.middle,
        visible=False,
    )
