"""Layered cables in scenes: mistakes are said, the start hangs at rest, read-outs and drawings agree."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import Simulation
from taut.cables.layered import theory
from taut.measure import ropes, waves
from taut.scene import Body, Cable, End, Ring, Scene, SceneError, Sheave, Winch
from taut.view.frame import SAG
from taut.view.live import LivePlayer
from taut.view.paths import Paths
from taut.view.readout import health, span
from taut.view.runner import Status

EA = 3.7425e6
MASS = {"axial_stiffness": EA, "mass_per_length": 1.2}
#: what a drum was asked for, second by second, until its rope was taut by 1e-15 m at the start of a step [m/s]
SPEEDS = (
    -0.7437727346489083, -0.09922812420886573, -0.25840395153483753,
    0.8535299776972036, 0.2877302401613291, 0.64552322654166,
    -0.11317160234533774, -0.5455225564304462, 0.1091695740316696,
)  # fmt: skip


def level(**rope):
    """A rope between two points at the same height."""
    cable = Cable(model="layered", route=(End(at=(0, 0, 0)), End(at=(30, 0, 0))), **{**MASS, **rope})
    return Scene(cables={"rope": cable})


@pytest.mark.parametrize(
    "rope, said",
    [
        ({"mass_per_length": None}, "needs its mass"),
        ({"mass_per_length": 1e5}, "at most 6000 kg/m"),
        ({"axial_stiffness": None}, "a layered cable stretches"),
        ({"modes": 0}, "whole number from 1 to 200"),
        ({"length": 20.0}, "% of stretch"),
        ({"tension": 5.0}, "too heavy to hang"),
    ],
)
def test_mistakes_are_said_with_what_is_allowed(rope, said):
    with pytest.raises((SceneError, ValueError), match=said):
        Simulation(level(**rope))


def test_two_parts_at_one_place_are_refused():
    with pytest.raises(SceneError, match="same place"):
        Simulation(Scene(cables={"rope": Cable(model="layered", route=(End(), Ring(), End(at=(1, 0, 0))), **MASS)}))


def test_a_sheave_that_the_rope_cannot_pass_is_refused():
    wheel = Sheave(at=(0.1, 0, 0), axis=(0, 1, 0), radius=0.5, turn="left")
    with pytest.raises(SceneError, match="cannot be laid"):
        Simulation(Scene(cables={"rope": Cable(model="layered", route=(End(), wheel, End(at=(1, 0, 0))), **MASS)}))


@pytest.mark.parametrize("rope", [{"tension": 3000.0}, {"length": 30.05}, {}])
def test_the_start_is_at_rest(rope):
    sim = Simulation(level(**rope))
    sag, tension = float(sim.read("rope.sag[0]")), float(sim.read("rope.tension"))
    sim.run(120)
    assert sim.read("rope.sag[0]") == pytest.approx(sag, rel=1e-8)
    assert sim.read("rope.tension") == pytest.approx(tension, rel=1e-6)
    assert sim.read("rope.whip[0]") < 1e-6


def test_read_outs_of_a_level_span():
    sim = Simulation(level(tension=3000.0))
    sim.run(1)
    along = 3000.0 * 30.0 / float(sim.work.span_work[0, 5])
    weight = 1.2 * float(sim.read("rope.rope_out")) * theory.G
    assert sim.read("rope.sag[0]") == pytest.approx(weight * 30.0 / (8.0 * along), rel=2e-3)
    assert sim.read("rope.upper_tension[0]") == pytest.approx(math.hypot(along, 0.5 * weight), rel=1e-9)
    assert sim.read("rope.frequency[0]") == pytest.approx(math.sqrt(along / 1.2) / 60.0, rel=1e-3)
    assert sim.read("rope.moving_error") == pytest.approx(0.0, abs=1e-9)
    shape = waves.shape(sim, "rope", np.array([0.0, 0.5, 1.0]))[0]
    assert shape[0] == pytest.approx([0, 0, 0]) and shape[2] == pytest.approx([30, 0, 0])
    assert shape[1, 2] == pytest.approx(-sim.read("rope.sag[0]"), rel=1e-9)


def test_a_vertical_fall_carries_its_own_weight():
    bob = Body(kind="particle", mass=500.0, position=(0, 0, -20))
    cable = Cable(
        model="layered",
        route=(End(), End(on="load")),
        tension=500 * theory.G + 12 * theory.G,
        damping_time=0.05,
        **MASS,
    )
    sim = Simulation(Scene(bodies={"load": bob}, cables={"rope": cable}))
    sim.run(600)
    assert sim.read("rope.lower_tension[0]") == pytest.approx(500 * theory.G, rel=1e-4)
    assert sim.read("rope.upper_tension[0]") == pytest.approx((500 + 24) * theory.G, rel=1e-3)
    assert sim.read("rope.force_on_load") == pytest.approx([0, 0, 500 * theory.G], abs=1.0)
    assert sim.read("rope.tension") == sim.read("rope.upper_tension[0]")


def test_the_frame_never_flips():
    """A pendulum of 60 degrees swings through its lowest point and round in a cone: the first direction turns with the chord."""
    bob = Body(kind="particle", mass=100.0, position=(8.66, 0, -5.0), velocity=(0, 2.0, 0))
    cable = Cable(model="layered", route=(End(), End(on="load")), tension=600.0, **MASS)
    sim = Simulation(Scene(bodies={"load": bob}, cables={"rope": cable}))
    last = sim.state.wave_frame[0].copy()
    for _ in range(900):
        sim.step()
        now = sim.state.wave_frame[0]
        assert now[:3] @ now[3:] == pytest.approx(0.0, abs=1e-12)
        # no more than the chord itself has turned
        assert np.linalg.norm(now[3:] - last[3:]) <= 1.01 * np.linalg.norm(now[:3] - last[:3]) + 1e-12
        last = now.copy()


def test_a_winch_past_its_limit_stops_where_all_can_see_it():
    drum = Winch(at=(0, 0, 0.3), axis=(0, 1, 0), radius=0.3, turn="left", upper_limit=30.0)
    cable = Cable(
        model="layered", route=(drum, Ring(at=(30, 0, 0)), End(on="load")), tension=1000.0, damping_time=0.02, **MASS
    )
    load = Body(kind="particle", mass=100.0, position=(30, 0, -3))
    sim = Simulation(Scene(bodies={"load": load}, cables={"rope": cable}))
    sim.controls["rope.speed"] = 2.0
    sim.run(600)
    assert sim.read("rope.rope_out") >= 30.0 - 1e-6
    assert sim.read("rope.line_speed") == pytest.approx(0.0, abs=1e-9)
    assert sim.read("rope.upper_limit_signal") == 1.0


def test_a_span_of_no_length_is_straight_and_does_no_harm():
    """The ring is hauled against the drum."""
    load = Body(kind="particle", mass=50.0, position=(0, 0, -1))
    cable = Cable(model="layered", route=(End(), Ring(on="load"), End(at=(0.001, 0, 0))), length=2.2, **MASS)
    sim = Simulation(Scene(bodies={"load": load}, cables={"rope": cable}, gravity=(0, 0, 9.81)))
    for _ in range(400):
        sim.step()
    assert np.isfinite(sim.state.wave_mode).all() and sim.read("step.redone") == 0


def test_a_rope_beyond_the_model_is_named_with_the_one_to_use():
    sim = Simulation(level(length=31.5))
    sim.run(1)
    assert sim.read("rope.sag_ratio") > 0.1
    assert "segmented" in waves.warnings(sim)[0] and waves.warnings(Simulation(level(tension=5000.0))) == []


def test_drawn_as_it_hangs_and_said_beside_the_clock():
    player = LivePlayer(level(length=31.5))
    player.advance(1)
    frame = player.frame((), False)
    laid = Paths(player.scene).at(frame)
    assert laid.bend.shape == (1, 9, 3)
    assert laid.bend[0, 4, 2] == pytest.approx(-float(player.sim.read("rope.sag[0]")), rel=1e-6)
    assert frame.readings[SAG] > 0.1 and "segmented" in health(frame, Status("running"))
    line = ropes.polyline(player.sim, "rope")
    assert line[:, 2].min() == pytest.approx(-float(player.sim.read("rope.sag[0]")), rel=1e-3)


def test_a_run_goes_on_bit_by_bit():
    bob = Body(kind="particle", mass=300.0, position=(20, 0, -9))
    cable = Cable(model="layered", route=(End(), Ring(at=(20, 0, 0)), End(on="load")), tension=2000.0, **MASS)
    sim = Simulation(Scene(bodies={"load": bob}, cables={"rope": cable}))
    sim.state.wave_mode[0, 3] = 1.0
    sim.run(50)
    kept = sim.snapshot()
    sim.run(50)
    after = sim.compiled.state.floats.copy()
    sim.restore(kept)
    sim.run(50)
    assert (sim.compiled.state.floats == after).all()


def test_a_short_heavy_rope_that_goes_slack_by_a_hair_keeps_going():
    """A drum pays out and hauls in a short span between fixed ends: it goes slack and taut, at times within rounding of its length."""
    drum = Winch(
        at=(0, 0, 20), axis=(0, 1, 0), radius=0.3, turn="left", force=2e5, brake=3e5, most_speed=2.0, acceleration=1.0
    )
    cable = Cable(
        model="layered", route=(drum, End(at=(4.130128174651794, 0, 21.044558807961412))), axial_stiffness=5538855.977136818,
        mass_per_length=5.214297905300546, tension=15104.155840779771, damping_time=0.02,
    )  # fmt: skip
    sim = Simulation(Scene(cables={"rope": cable}))
    for speed in SPEEDS:
        sim.controls["rope.speed"] = speed
        sim.run(60)
    assert np.isfinite(sim.state.wave_mode).all() and sim.read("step.redone") == 0


def test_the_page_reads_a_span_at_both_ends():
    player = LivePlayer(level(tension=3000.0))
    player.advance(1)
    rope = player.frame((), False).cables["rope"]
    assert rope.spans.shape == (1, 4)
    upper, lower, sag, frequency = rope.spans[0]
    assert upper == pytest.approx(player.sim.read("rope.upper_tension[0]")) and lower > 3000.0
    text = span(rope.spans[0])
    assert f"sag {sag:.3g} m" in text and f"{frequency:.3g} Hz" in text and "top 3" in text


def test_the_explicit_scheme_is_refused_beyond_its_gate():
    with pytest.raises(SceneError, match=r"stands for steps up to 0\.018 s, and dt is 0\.1 s"):
        Simulation(level(tension=4905.0, scheme="explicit").model_copy(update={"dt": 0.1}))
    # the sag drives the tension: a limit that the gate does not see
    with pytest.raises(SceneError, match="drives its tension"):
        Simulation(level(tension=300.0, scheme="explicit").model_copy(update={"dt": 0.05}))
    with pytest.raises(SceneError, match="only a layered cable has this scheme"):
        Simulation(Scene(cables={"rope": Cable(route=(End(), End(at=(1, 0, 0))), scheme="explicit")}))


def test_the_explicit_scheme_waves_as_the_implicit_one_in_short_steps():
    seen = {}
    for scheme in ("explicit", "standard"):
        sim = Simulation(level(tension=4905.0, scheme=scheme, prewarp=False).model_copy(update={"dt": 1e-3}))
        sim.state.wave_mode[0, 2], sim.state.wave_mode[1, 3] = 0.1, 0.1
        sim.run(700)
        seen[scheme] = np.array([*sim.state.wave_mode[:2].ravel(), float(sim.read("rope.tensions[0]"))])
    # both are of second order: (omega h)^2/12 and /24 of the phase
    assert seen["explicit"][:8] == pytest.approx(seen["standard"][:8], abs=1e-4)
    assert seen["explicit"][8] == pytest.approx(seen["standard"][8], rel=1e-3)


def test_the_explicit_scheme_throws_waves_away_beyond_its_gate_and_says_so():
    drum = Winch(at=(0, 0, 0.3), axis=(0, 1, 0), radius=0.3, turn="left", acceleration=10.0)
    cable = Cable(
        model="layered", route=(drum, End(at=(30, 0, 0))), tension=4500.0, scheme="explicit", damping_time=0.02, **MASS
    )
    sim = Simulation(Scene(cables={"rope": cable}))
    assert waves.warnings(sim) == []
    sim.controls["rope.speed"] = 0.1
    sim.run(120)
    assert sim.read("rope.tension") > 6000.0 and sim.read("rope.sag[0]") < 0.01
    assert "beyond the gate" in waves.warnings(sim)[0]
