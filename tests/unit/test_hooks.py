"""Hooks: what parts, is cut or is tied stays so, and a frame of the page tells whether they hold."""

import numpy as np
import pytest

import taut
from taut.measure import ropes
from taut.scenes import open_scene
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
    assert all(hook.on for hook in player.frame("", False).hooks.values())
    for sling in SLINGS:
        player.set_control(f"{sling}.hook", 0.0)
    player.advance(2)
    within = player.frame("", False).hooks["sling_1.hook"]
    assert not within.on and within.within_reach and within.reach == 0.6
    for winch in ("left", "right"):
        player.set_control(f"{winch}.speed", 0.8)
    player.advance(300)
    for winch in ("left", "right"):
        player.set_control(f"{winch}.speed", 0.0)
    player.advance(240)
    hook = player.frame("", False).hooks["sling_1.hook"]
    beam, load = (np.asarray(player.sim.read(f"{name}.position")) for name in ("hook", "load"))
    # from the eye of the beam to that of the load, both level, less sling and reach
    apart = np.linalg.norm((beam + [-0.9, 0.0, -0.15]) - (load + [-1.15, -0.6, 0.55]))
    assert hook.short == pytest.approx(apart - 1.66 - 0.6, abs=5e-3) and not hook.within_reach
    player.set_control("sling_1.hook", 1.0)
    player.advance(5)
    assert not player.frame("", False).hooks["sling_1.hook"].on
