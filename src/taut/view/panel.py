"""The panel: clock, play, pause, step, reset, speed, and a slider for every control."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import Any

import viser

from taut.scene import Distance, Scene
from taut.view import instructor, keys, readout, shares, sliders
from taut.view.bounds import extent
from taut.view.cameras import HINTS, Cameras
from taut.view.frame import Control, Frame, Progress
from taut.view.looks import Look
from taut.view.mirror import Mirror
from taut.view.pace import SLOWEST
from taut.view.past import SPAN
from taut.view.reach import points_of
from taut.view.ropes import coloured
from taut.view.runner import Runner, Status
from taut.view.server import in_turn, tell
from taut.view.switches import Switches

SPEEDS = (0.1, 1.0, 2.0, 4.0)
#: step of the slider through the last minute [s]
TENTH = 0.1
#: more sliders than this are folded away, element by element
MOST_OPEN = 12


class Panel:
    """Shows a runner and tells it what to do. Built in two steps: before the solver is ready, and after."""

    def __init__(
        self,
        server: viser.ViserServer,
        scene: Scene,
        runner: Runner,
        source: str,
        cameras: Cameras,
        look: Look | None = None,
    ) -> None:
        """`look`: what was chosen before the same scene was built anew."""
        self._server, self._gui = server, server.gui
        look = self._look_before = Look() if look is None else look
        self._speed = look.speed
        self._cameras = cameras
        self._scene = scene
        ties = any(isinstance(joint, Distance) for joint in scene.joints.values())
        self._has_ropes = bool(scene.cables or scene.chains or ties)
        self._runner = runner
        self._sliders: dict[str, viser.GuiSliderHandle[float]] = {}
        self.by_tension, self.by_share = look.by_tension, look.by_share
        """Whether ropes are to be coloured by their tension."""
        self.by_bend = look.by_bend
        """Whether those that resist it are to be coloured by their bend."""
        self._together: viser.GuiSliderHandle[float] | None = None
        self._switches = Switches(server, runner, self.stop)
        self._ticks: dict[str, viser.GuiCheckboxHandle] = {}
        self._resets = 0
        self._phase = "", False
        self._stood: tuple[str, int, int] = ("", 0, 0)
        self._lamps = ""
        self._time: viser.GuiSliderHandle[float] | None = None
        self._back: viser.GuiSliderHandle[float] | None = None
        self._legend: viser.GuiHtmlHandle | None = None
        self._bends: viser.GuiHtmlHandle | None = None
        self._share: viser.GuiHtmlHandle | None = None
        self._longest: viser.GuiHtmlHandle | None = None
        self._reading: viser.GuiHtmlHandle | None = None
        self._play: viser.GuiButtonHandle | None = None
        self._gui.set_panel_label("Taut")
        self._gui.add_html(readout.title(scene, source))
        self._trouble = self._gui.add_html("", visible=False)
        self._warning = self._gui.add_html("", visible=False)
        self._clock = self._gui.add_html("", visible=False)
        self._machines = self._gui.add_html("", visible=False)
        self._health = self._gui.add_html("", visible=False)
        self._preparing = self._gui.add_html(readout.preparing(0.0, Progress()))
        # not animated: where a processor draws, stripes that wander would take from the compiler what it needs
        self._bar = self._gui.add_progress_bar(2.0)

    # ---- before ----------------------------------------------------------------------------------------------------

    def prepare(self, seconds: float, progress: Progress) -> None:
        """Say how far the solver is."""
        self._preparing.content = readout.preparing(seconds, progress)
        if progress.total:
            bar: Any = self._bar
            bar.value = 100.0 * progress.ready / progress.total

    def fail(self, message: str, advice: str = "Correct the scene: its file is read again when it is saved.") -> None:
        """It cannot be run at all, or not any further."""
        self._preparing.visible = self._bar.visible = False
        self._trouble.content = readout.trouble(message, advice)
        self._trouble.visible = True

    def warn(self, message: str) -> None:
        """Something that was asked for cannot be done; what runs goes on. Nothing takes the message away."""
        self._warning.content = readout.trouble(message, "What runs is what stood there before.", "Not taken over.")
        self._warning.visible = bool(message)

    # ---- after -----------------------------------------------------------------------------------------------------

    def ready(self) -> None:
        """The solver runs: buttons, speed and controls."""
        self._preparing.visible = self._bar.visible = False
        self._clock.visible = self._health.visible = True
        self._add_transport()
        if self._runner.player.duration is not None:
            self._add_time(self._runner.player.duration)
        controls = self._runner.controls()
        if instructor.is_wanted(self._scene, self._runner):
            # two sliders for one wind, of which one acts at once and one with a button, would be one too many
            controls = [control for control in controls if not sliders.is_wind(control)]
        if controls:
            self._add_controls(controls)
            if self._look_before.stopped:
                self._switches.stop_again()
        self._add_cameras()
        live = self._runner.player.duration is None
        with self._gui.add_folder("Forces"):
            if coloured(self._scene):
                box = self._gui.add_checkbox(
                    "colour ropes by tension",
                    self.by_tension,
                    hint="red is the largest tension of the last seconds",
                )
                box.on_update(lambda event: self._colour("by_tension", bool(event.target.value)))
                self._ticks["by_tension"] = box
                self._legend = self._gui.add_html("", visible=False)
                if shares.breaking_loads(self._scene):
                    share = self._gui.add_checkbox(
                        "colour ropes by share of the breaking load",
                        self.by_share,
                        hint="red is what breaks the rope, whatever the others carry",
                    )
                    share.on_update(lambda event: self._colour("by_share", bool(event.target.value)))
                    self._ticks["by_share"] = share
                    self._share = self._gui.add_html(readout.shares(shares.USUAL), visible=self.by_share)
            if any(cable.model in ("segmented", "rod") for cable in self._scene.cables.values()):
                bend = self._gui.add_checkbox(
                    "colour ropes by bend",
                    self.by_bend,
                    hint="red is the sharpest bend of the last seconds",
                )
                bend.on_update(lambda event: self._colour("by_bend", bool(event.target.value)))
                self._ticks["by_bend"] = bend
                self._bends = self._gui.add_html("", visible=False)
            if live:
                self._runner.show_forces = self._look_before.arrows
                arrows = self._gui.add_checkbox(
                    "arrows", self._look_before.arrows, hint="forces of contacts (orange) and joints (blue)"
                )
                arrows.on_update(lambda event: setattr(self._runner, "show_forces", bool(event.target.value)))
                self._longest = self._gui.add_html("", visible=False)
            self._reading = self._gui.add_html(readout.reading("", live, self._has_ropes))

    @property
    def said(self) -> str:
        """What a switch has just done."""
        return self._switches.said

    @property
    def look(self) -> Look:
        """What a person has chosen to see."""
        return Look(
            by_tension=self.by_tension,
            by_share=self.by_share,
            by_bend=self.by_bend,
            arrows=self._runner.show_forces,
            speed=self._speed,
            stopped=bool(self.state["emergency"]),
            presets=self._cameras.presets,
        )

    def _set_speed(self, speed: float) -> None:
        self._speed = speed
        self._runner.set_speed(speed)

    def _colour(self, by: str, on: bool) -> None:
        """Colour ropes by one thing, and not by the other."""
        setattr(self, by, on)
        for other, box in self._ticks.items():
            if on and other != by:
                setattr(self, other, False)
                _put_tick(box, False)

    def _add_transport(self) -> None:
        gui, runner = self._gui, self._runner
        self._play = gui.add_button("Pause", icon=viser.Icon.PLAYER_PAUSE)
        self._play.on_click(lambda _: runner.toggle())
        more = gui.add_button_group(
            "run",
            ("Step", "Reset"),
            hint="Step: one time step; Reset: back to the start, with what was changed of the scene",
        )
        more.on_click(lambda event: runner.step() if event.target.value == "Step" else runner.reset())
        speed = gui.add_slider(
            "speed [×]", SLOWEST * 2, SPEEDS[-1], 0.1, self._speed, marks=SPEEDS, hint="simulated seconds per second"
        )
        runner.set_speed(self._speed)
        speed.on_update(lambda event: self._set_speed(event.target.value))
        if runner.player.duration is None:
            self._back = gui.add_slider(
                "moment [s]",
                0.0,
                SPAN,
                TENTH,
                0.0,
                visible=False,
                hint="back through the last minute, the present is at the right; play and step go on from there",
            )
            _when_moved(self._back, lambda moment: runner.look_back(runner.present - moment))
        self._add_command(keys.PLAY.words.capitalize(), keys.PLAY, lambda _: runner.toggle())
        self._add_command(keys.STEP.words.capitalize(), keys.STEP, lambda _: runner.step())
        # with no key: R lies between those of two winches
        gui.add_command("Reset").on_trigger(lambda _: runner.reset())

    @property
    def cameras(self) -> tuple[str, ...]:
        """Presets that are offered."""
        return self._cameras.offered

    def _add_cameras(self) -> None:
        """Presets for the browser that asks, by button and by number."""
        offered = self._cameras.offered
        group = self._gui.add_button_group("camera", offered, hint="; ".join(f"{k}: {HINTS[k]}" for k in offered))
        group.on_click(lambda event: self._look(event.client_id, event.target.value))
        for preset in offered:
            look = partial(self._look_by_key, preset)
            self._add_command(f"Camera: {preset}", keys.CAMERAS[preset], look, HINTS[preset])

    def _add_command(self, name: str, key: keys.Key, act: Callable[[Any], None], about: str = "") -> None:
        """A command of viser's, by its key."""
        self._gui.add_command(name, hotkey=key.cap, description=about or None).on_trigger(act)  # type: ignore[arg-type]

    def _look_by_key(self, preset: str, event: Any) -> None:
        self._look(event.client_id, preset)

    def _look(self, client: int | None, preset: str) -> None:
        if client is not None:
            self._cameras.choose(client, preset)

    def _add_time(self, duration: float) -> None:
        begins = self._runner.player.begins
        step = sliders.nice(max(duration - begins, 1e-2) / 1000.0)
        first, last = sliders.rounded(begins, step), sliders.rounded(duration, step)
        self._time = self._gui.add_slider("time [s]", first, max(last, first + step), step, first)
        _when_moved(self._time, self._runner.seek)

    def _add_controls(self, controls: list[Control]) -> None:
        gui = self._gui
        size = extent(self._scene.all_bodies(), points_of(self._scene))
        plain = [control for control in controls if not (sliders.is_switch(control) or sliders.is_rare(control))]
        with gui.add_folder("Controls", expand_by_default=len(plain) <= 4 * MOST_OPEN):
            if any(sliders.is_speed(control) for control in controls):
                stop = gui.add_button(
                    "Slow to a stop", color="gray", icon=viser.Icon.HAND_STOP,
                    hint="every drive to rest, as gently as its ramp; the emergency stop cuts the motors and closes the brakes",
                )  # fmt: skip
                stop.on_click(lambda _: self.stop())
            self._switches.add_emergency(controls)
            self._add_together(controls)
            for control in plain:
                self._add_slider(control, size)
            self._switches.add_hooks(controls)
            rare = [control for control in controls if sliders.is_rare(control)]
            if rare:
                with gui.add_folder("Turn", expand_by_default=False):
                    for control in rare:
                        self._add_slider(control, size)

    def _add_together(self, controls: list[Control]) -> None:
        """One slider for winches that work together."""
        reach = sliders.together(controls, self._scene)
        if reach is None:
            return
        slider = self._gui.add_slider(
            " + ".join(sliders.working_together(self._scene)).replace("_", " ") + " [m/s]",
            reach.low,
            reach.high,
            reach.step,
            0.0,
            hint="all at this speed: hauls in above zero, pays out below; one alone tilts",
        )
        _when_moved(slider, self._drive_all)
        self._together = slider

    def _show_together(self) -> None:
        """The speed that they have in common, or none."""
        wanted = {f"{name}.speed" for name in sliders.working_together(self._scene)}
        speeds = {control.value for control in self._runner.controls() if control.name in wanted}
        if self._together is not None:
            self._put(self._together, speeds.pop() if len(speeds) == 1 else 0.0)

    def _drive_all(self, speed: float) -> None:
        if self._is_stopped():
            speed = 0.0
            self._show_together()
        for name in sliders.working_together(self._scene):
            control = f"{name}.speed"
            if control in self._sliders:
                self._runner.set_control(control, speed)
                self._put(self._sliders[control], speed)

    def press(self, what: str) -> None:
        """A button of the operator: 'emergency' or 'hook'."""
        self._switches.press(what)

    @property
    def state(self) -> dict[str, bool | None]:
        """What the operator's buttons show: `emergency`, and `hook` where there is one."""
        return self._switches.state

    def _add_slider(self, control: Control, size: float) -> None:
        reach = sliders.shown_range(control, self._scene, size)
        slider = self._gui.add_slider(
            sliders.label(control.name, control.unit),
            reach.low,
            reach.high,
            reach.step,
            sliders.rounded(sliders.size(control) * control.value, reach.step),
            hint=sliders.hint(control.name, self._scene)
            + (f", {control.unit} in files and Python" if control.unit in sliders.DEGREES else ""),
        )
        _when_moved(slider, lambda value: self._drive(control, value))
        self._sliders[control.name] = slider

    def _drive(self, control: Control, value: float) -> None:
        """A slider was moved."""
        if sliders.is_drive(control.name) and self._is_stopped():
            now = next((known.value for known in self._runner.controls() if known.name == control.name), control.value)
            shown = 0.0 if sliders.is_speed(control) else now * sliders.size(control)
            self._put(self._sliders[control.name], shown)
            return
        self._runner.set_control(control.name, value / sliders.size(control))

    def _is_stopped(self) -> bool:
        """Whether the emergency stop keeps all drives at rest; it is then said."""
        if self.state["emergency"]:
            tell(self._server, "Emergency stop", "Nothing can be driven until it is released.")
        return bool(self.state["emergency"])

    def stop(self) -> None:
        """Bring every speed to zero, as fast as the ramps of the scene allow."""
        for control in self._runner.controls():
            if sliders.is_speed(control):
                self._runner.set_control(control.name, 0.0)
                self._put(self._sliders[control.name], 0.0)
        if self._together is not None:
            self._put(self._together, 0.0)

    def show(self, frame: Frame, status: Status, driven: bool = False) -> None:
        """Clock, buttons and errors as they are now; the sliders too, where an operator has moved what they control."""
        self._clock.content = readout.clock(frame, status)
        self._health.content = readout.health(frame, status)
        lamps = readout.machines(frame)
        if lamps != self._lamps:
            self._lamps = lamps
            self._machines.content, self._machines.visible = lamps, bool(lamps)
        if (status.phase, status.replays) != self._phase:
            self._phase = status.phase, status.replays
            self._show_phase(status)
        # not all the time: a person may be moving it
        stood = status.phase, self._runner.resets, frame.step if status.phase == "paused" else 0
        if stood != self._stood:
            self._stood = stood
            self._show_past(status)
        if self._time is not None:
            self._put(self._time, min(frame.time, float(self._time.max)))
        in_turn(self._server, partial(self._follow, frame, driven))

    def _follow(self, frame: Frame, driven: bool) -> None:
        """Sliders and switches as their controls are, where an operator has moved them or the run went back."""
        back = self._resets != self._runner.resets
        self._resets = self._runner.resets
        if back or driven:
            for control in self._runner.controls():
                if control.name in self._sliders and (back or sliders.is_speed(control)):
                    self._put(self._sliders[control.name], sliders.size(control) * control.value)
            self._show_together()
        if back:
            self._switches.begin_again()
        self._switches.show(frame)

    def _put(self, slider: Any, value: float) -> None:
        """Move a slider ourselves, to a whole step of it."""
        in_turn(self._server, lambda: setattr(slider, "value", sliders.rounded(value, float(slider.step))))

    def show_forces(self, mirror: Mirror, force: float, reading: str, pulled: str = "", pulls: bool = True) -> None:
        """What the colours and the arrows stand for, and what the cursor reads, or how hard something is pulled."""
        if self._legend is not None:
            self._legend.visible = self.by_tension
            if self.by_tension:
                self._legend.content = readout.legend(mirror.scales.highest)
        if self._share is not None:
            self._share.visible = self.by_share
        if self._bends is not None:
            self._bends.visible = self.by_bend
            if self.by_bend:
                self._bends.content = readout.bends(mirror.scales.sharpest)
        if self._longest is not None:
            self._longest.visible = self._runner.show_forces
            if self._runner.show_forces:
                self._longest.content = readout.longest(force)
        if self._reading is not None:
            # who pulls knows how
            live = self._runner.player.duration is None and not pulled and pulls
            self._reading.content = readout.reading(pulled or reading, live, self._has_ropes)

    def _show_phase(self, status: Status) -> None:
        running, failed = status.phase == "running", status.phase == "failed"
        if self._play is not None:
            self._play.label = "Pause" if running else "Back to the crane" if status.replays else "Play"
            self._play.icon = viser.Icon.PLAYER_PAUSE if running else viser.Icon.PLAYER_PLAY
            self._play.disabled = failed
        if failed:
            self._trouble.content = readout.trouble(status.message, "Reset goes back to the start.")
        self._trouble.visible = failed

    def _show_past(self, status: Status) -> None:
        """How far back one can look; what is shown is the present, where nothing past is looked at."""
        if self._back is None:
            return
        back: Any = self._back
        reach, now = self._runner.reach, self._runner.present
        back.visible = status.phase == "paused" and reach > TENTH
        if back.visible and not self._runner.looks_back:
            last = math.ceil(now / TENTH) * TENTH
            first = min(math.ceil((now - reach) / TENTH) * TENTH, last - TENTH)
            in_turn(self._server, lambda: _span(back, round(first, 1), round(last, 1)))


def _span(slider: Any, first: float, last: float) -> None:
    """Let a slider go from one value to another, and stand at the last; it never stands outside of where it goes."""
    if last >= slider.value:
        slider.max, slider.value, slider.min = last, last, first
    else:
        slider.min, slider.value, slider.max = first, last, last


def _when_moved(slider: viser.GuiSliderHandle[float], act: Callable[[float], None]) -> None:
    """Act when a person moves a slider, not when we set it ourselves."""

    @slider.on_update
    async def _(event: viser.GuiEvent[Any]) -> None:
        # a coroutine is called at once, in the thread that heard of it: nobody has written the slider since
        if event.client_id is not None:
            act(float(event.target.value))


def _put_tick(switch: Any, on: bool) -> None:
    """Tick a box ourselves, or take the tick out."""
    switch.value = on
