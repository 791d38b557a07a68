"""Hooks: what parts, is cut or is tied stays so, and a frame of the page tells whether they hold."""

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import taut
from taut.measure import ropes
from taut.scenes import open_scene
from taut.view import switches
from taut.view.frame import Frame, Hook
from taut.view.live import LivePlayer

SLINGS = [f"sling_{k}" for k in (1, 2, 3, 4)]


def off(sim: taut.Simulation) -> list[bool]:
    """Which slings do not hold."""
    return [ropes.is_parted(sim, sling) for sling in SLINGS]


def test_slings_that_part_do_not_tie_themselves_again() -> None:
    """Ten tonnes on four slings of 20 kN: they part, and the load stays on the ground while the beam goes up."""
    sim = taut.Simulation(open_scene("gantry", [f"{sling}.breaking_load=20 kN" for sling in SLINGS]))
    for winch in ("left", "right"):
        sim.controls[f"{winch}.speed"] = 0.4
    sim.run(600)
    assert off(sim) == [True] * 4 and [sim.controls[f"{sling}.hook"] for sling in SLINGS] == [0.0] * 4
    assert sim.read("load.position[2]") == pytest.approx(0.55, abs=1e-3)
    assert all(sim.read(f"{sling}.tension") == 0.0 for sling in SLINGS)


def test_a_hook_that_is_cut_stays_off_and_one_that_is_tied_stays_on() -> None:
    sim = taut.Simulation(open_scene("gantry"))
    sim.run(5)
    sim.cut("sling_1")
    sim.run(5)
    assert off(sim) == [True, False, False, False] and sim.controls["sling_1.hook"] == 0.0
    sim.tie("sling_1")
    sim.run(5)
    assert off(sim) == [False] * 4 and sim.controls["sling_1.hook"] == 1.0


def test_a_frame_tells_whether_hooks_hold_and_how_far_they_are_out_of_reach() -> None:
    player = LivePlayer(open_scene("gantry"))
    assert all(hook.on for hook in player.frame((), False).hooks.values())
    for sling in SLINGS:
        player.set_control(f"{sling}.hook", 0.0)
    player.advance(2)
    within = player.frame((), False).hooks["sling_1.hook"]
    assert not within.on and within.within_reach and within.reach == 0.6
    for winch in ("left", "right"):
        player.set_control(f"{winch}.speed", 0.8)
    player.advance(300)
    for winch in ("left", "right"):
        player.set_control(f"{winch}.speed", 0.0)
    player.advance(240)
    hook = player.frame((), False).hooks["sling_1.hook"]
    beam, load = (np.asarray(player.sim.read(f"{name}.position")) for name in ("hook", "load"))
    # from the eye of the beam to that of the load, both level, less sling and reach
    apart = np.linalg.norm((beam + [-0.9, 0.0, -0.15]) - (load + [-1.15, -0.6, 0.55]))
    assert hook.short == pytest.approx(apart - 1.66 - 0.6, abs=5e-3) and not hook.within_reach
    player.set_control("sling_1.hook", 1.0)
    player.advance(5)
    assert not player.frame((), False).hooks["sling_1.hook"].on


def test_a_frame_tells_what_hooks_carry() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.advance(5)
    assert not any(hook.carries for hook in player.frame((), False).hooks.values()), "the load stands on the ground"
    for winch in ("left", "right"):
        player.set_control(f"{winch}.speed", 0.4)
    player.advance(240)
    hooks = player.frame((), False).hooks
    assert all(hook.carries for hook in hooks.values())
    # four slings at an angle carry ten tonnes
    assert sum(hook.pull for hook in hooks.values()) > 1e4 * 9.81


class Panel:
    """A page with one hook that carries, without a browser."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.told: list[str] = []
        self.set: list[tuple[str, float]] = []
        self.clock = 100.0
        self.taken_back = 0
        self.stands = 0.0
        monkeypatch.setattr(switches, "tell", self._tell)
        monkeypatch.setattr(switches.time, "monotonic", lambda: self.clock)
        frame = Frame(
            0.0, 0, np.zeros((0, 3)), np.zeros((0, 4)), hooks={"sling.hook": Hook(True, 0.0, 0.5, 12e3, True)}
        )
        runner: Any = SimpleNamespace(
            frame=frame, status=SimpleNamespace(phase="running"), set_control=lambda *given: self.set.append(given)
        )
        self.runner = runner
        self.switches = switches.Switches(SimpleNamespace(), runner, lambda: None)  # type: ignore[arg-type]
        self.box = SimpleNamespace(value=True)
        self.switches._boxes["sling.hook"] = self.box

    def _tell(self, server: object, title: str, text: str, seconds: float = 8.0) -> list[Any]:
        self.told.append(f"{title}: {text}")
        self.stands = seconds
        return [SimpleNamespace(remove=self._take_back)]

    def _take_back(self) -> None:
        self.taken_back += 1


def test_a_load_is_let_fall_only_when_it_is_asked_for_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = Panel(monkeypatch)
    panel.switches.press("hook")
    assert panel.set == [] and panel.box.value is True and "12 kN" in panel.told[0]
    panel.clock += 3.0
    panel.switches.press("hook")
    assert panel.set == [("sling.hook", 0.0)] and len(panel.told) == 1
    assert panel.taken_back == 1, "the question is answered"


def test_a_second_wish_that_comes_late_is_a_first_one(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = Panel(monkeypatch)
    panel.switches.press("hook")
    assert panel.stands == switches.SURE, "the note stands as long as it holds"
    panel.clock += 6.0
    panel.switches.press("hook")
    assert panel.set == [] and len(panel.told) == 2


def test_it_is_told_what_a_hook_has_done(monkeypatch: pytest.MonkeyPatch) -> None:
    panel = Panel(monkeypatch)
    for _ in range(2):
        panel.switches.press("hook")
    assert panel.switches.said == "", "not before it has happened"
    gone = replace(panel.runner.frame, hooks={"sling.hook": Hook(False, 0.0, 0.5)})
    panel.switches.show(gone)
    assert panel.switches.said == "let go: sling"
    panel.clock += switches.TOLD + 1.0
    assert panel.switches.said == ""
    panel.runner.frame = gone
    panel.switches.press("hook")
    panel.switches.show(replace(gone, step=1, hooks={"sling.hook": Hook(True, 0.0, 0.5)}))
    assert panel.switches.said == "hooked on: sling"
    four = switches.several([f"sling_{k}.hook" for k in range(1, 5)])
    assert four == "sling 1 … sling 4 (4 of them)"
