"""What a hoisting machine does beside its rope: signals in the recording, restarts, mistakes that are told, cuts and ties."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.cables.massless.columns import SIGNALS
from taut.record import Recorder, Recording
from taut.scene import Body, Cable, End, Scene, SceneError, Sheave, Winch
from taut.scene.parts import LoadMoment, RatedLoad, TwoBlock

Y = (0.0, 1.0, 0.0)
WINCH = {"at": (-0.3, 0, 0), "axis": Y, "radius": 0.3, "turn": "left", "name": "drum"}


def hoist(cable=None, **winch):
    """1.5 t, 20 m under a drum."""
    load = Body(kind="particle", mass=1500.0, position=(0, 0, -20))
    return Scene(
        bodies={"load": load}, cables={"rope": Cable(route=(Winch(**WINCH, **winch), End(on="load")), **(cable or {}))}
    )


def test_signals_are_recorded(tmp_path):
    table = (RatedLoad(radius=1.0, load=1600.0), RatedLoad(radius=5.0, load=500.0))
    scene = hoist(two_block=TwoBlock(block="load", clearance=19.5), load_moment=LoadMoment(block="load", table=table))
    sim = taut.Simulation(scene)
    sim.controls["drum.speed"] = 1.0
    with Recorder(tmp_path / "run.h5", sim) as recorder:
        for _ in range(240):
            sim.step()
            recorder.take()
    with Recording(tmp_path / "run.h5") as recording:
        assert recording["drum.two_block_signal"][-1] == 1.0 and recording["drum.two_block_signal"][1] == 0.0
        assert recording["drum.load_warning_signal"][-1] == 1.0  # 1500 of 1600 kg
        assert recording["drum.load_moment_signal"][-1] == 0.0
        assert recording["drum.load_share"][-1] == pytest.approx(1500.0 / 1600.0, rel=1e-3)
        assert recording["drum.clearance"][-1] == pytest.approx(19.5, abs=1e-2)  # a step late
        assert all(f"drum.{signal}_signal" in recording for signal in SIGNALS)


def test_nothing_is_rated_beyond_the_table():
    table = (RatedLoad(radius=1.0, load=9000.0),)
    moment = LoadMoment(block="load", at=(-30, 0, 0), table=table)
    sim = taut.Simulation(hoist(load_moment=moment))
    sim.run(120)
    assert sim.read("drum.load_share") == pytest.approx(9.99, rel=1e-2)
    assert sim.read("drum.load_moment_signal") == 1.0


@pytest.mark.parametrize(
    ("winch", "expected"),
    [
        ({"two_block": TwoBlock(block="hook", clearance=1.0)}, "two_block.block: 'hook'"),
        ({"load_moment": LoadMoment(block="load", table=())}, "at least one radius"),
        (
            {"load_moment": LoadMoment(block="load", table=(RatedLoad(radius=2, load=5), RatedLoad(radius=1, load=6)))},
            "must rise",
        ),
        ({"guard": "boom"}, "no such winch; there are drum"),
        ({"mode": "position", "speed": 0.5}, "has no speed of its own"),
        ({"position": 12.0}, "only a winch with mode: position"),
        ({"layer_turns": 5.0, "layer_rise": 0.02}, "give stored"),
    ],
)
def test_mistakes_of_winches(winch, expected):
    with pytest.raises(SceneError, match=expected):
        taut.Simulation(hoist(**winch))


@pytest.mark.parametrize(
    ("cable", "expected"),
    [
        ({"weight": True}, "needs mass_per_length"),
        ({"weight": True, "model": "layered", "mass_per_length": 1.0, "axial_stiffness": 1e6}, "has its weight anyway"),
        ({"torsional_stiffness": 1.0, "lay_torque": 1e-3}, "rigid rope has no lay torque"),
        ({"torsional_stiffness": 1.0, "lay_torque": 1e-2, "axial_stiffness": 1e6}, "would unlay by itself"),
    ],
)
def test_mistakes_of_cables(cable, expected):
    with pytest.raises(SceneError, match=expected):
        taut.Simulation(hoist(cable))


def test_a_restored_machine_goes_on_bit_by_bit():
    """Traverse, position, watch and weight: everything they need is in the state."""
    cable = {
        "mass_per_length": 2.0,
        "weight": True,
        "axial_stiffness": 1e6,
        "torsional_stiffness": 5.0,
        "lay_torque": 1e-3,
    }
    scene = hoist(
        cable, mode="position", pitch=0.02, two_block=TwoBlock(block="load", clearance=15.0),
        load_moment=LoadMoment(block="load", table=(RatedLoad(radius=9.0, load=1400.0),)),
    )  # fmt: skip
    sim = taut.Simulation(scene)
    sim.controls["drum.position"] = 10.0
    sim.run(50)
    there = sim.snapshot()
    sim.run(90)
    first = sim.snapshot()
    other = taut.Simulation(scene)
    other.run(7)
    other.restore(taut.simulation.Snapshot(there.floats, there.ints))
    other.run(90)
    assert np.array_equal(first.floats, other.snapshot().floats)


def test_cut_and_tie_say_what_there_is():
    sim = taut.Simulation(hoist())
    with pytest.raises(KeyError, match="there are: rope"):
        sim.cut("hoist")
    with pytest.raises(ValueError, match="runs 0 to 0"):
        sim.cut("rope", run=1)
    sim.tie("rope")  # nothing to do
    sim.run(2)
    assert sim.read("rope.tension") == pytest.approx(1500.0 * 9.81)


def test_the_tension_on_both_sides_of_a_sheave():
    """Two loads over a sheave that takes a tenth: the sides are those of its two runs, nothing beyond the ends."""
    bodies = {
        "a": Body(kind="particle", mass=100.0, position=(-0.3, 0, -5)),
        "b": Body(kind="particle", mass=100.0, position=(0.3, 0, -5)),
    }
    wheel = Sheave(at=(0, 0, 0), axis=Y, radius=0.3, efficiency=0.9)
    sim = taut.Simulation(Scene(bodies=bodies, cables={"rope": Cable(route=(End(on="a"), wheel, End(on="b")))}))
    sim.run(5)
    sides = sim.read("rope.sides").reshape(3, 2)
    one, two = sim.read("rope.tensions")
    assert sides == pytest.approx(np.array([[0.0, one], [one, two], [two, 0.0]]))


def test_a_rope_that_is_off_may_be_shorter_than_the_way_to_its_load():
    load = Body(kind="particle", mass=10.0, position=(0, 0, -5))
    hook = Cable(route=(End(), End(on="load")), length=1.0, attached=False, reach=0.5)
    sim = taut.Simulation(Scene(bodies={"load": load}, cables={"hook": hook}))
    sim.controls["hook.hook"] = 1.0
    sim.run(10)
    assert sim.read("hook.tension") == 0.0


@pytest.mark.parametrize("model", ["massless", "layered"])
@pytest.mark.parametrize("what", ["haul", "pay", "fault"])
def test_a_winch_at_the_end_of_its_rope(model, what):
    """Hauled in to the drum, paid out to the end, and run off by a brake that fails: there is no more and no less rope."""
    rope = Cable(
        model=model, route=(Winch(**WINCH, stored=5.0, acceleration=1.0, brake=30e3), End(on="load")), axial_stiffness=1e6,
        mass_per_length=1.0, tension=1600.0 if model == "layered" else 1471.5, damping_time=0.05,
    )  # fmt: skip
    load = Body(kind="particle", mass=150.0, position=(0, 0, -10))
    sim = taut.Simulation(Scene(bodies={"load": load}, cables={"rope": rope}))
    total = 5.0 + sim.read("rope.rope_out")
    if what == "fault":
        sim.controls["drum.brake_fault"] = 1.0
    else:
        sim.controls["drum.speed"] = 1.0 if what == "haul" else -1.0
    sim.run(60 * 25)
    assert sim.read("rope.rope_out") == pytest.approx(0.3 if what == "haul" else total, abs=1e-4)
    assert np.linalg.norm(sim.read("load.position")) == pytest.approx(sim.read("rope.rope_out"), rel=0.02)
    assert sim.read(f"drum.{'upper' if what == 'haul' else 'lower'}_limit_signal") == 1.0
    assert sim.read("step.redone") == 0
