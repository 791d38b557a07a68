"""State: snapshots, restart, determinism, controls, names, and a run that takes no memory."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from machines import random_machine

import taut
from taut.core.model import PLANS
from taut.measure import UnknownName
from taut.scene import Body, Box, ControlMotion, Distance, LinearMotor, Scene, Slider


def bits(sim):
    """All of the state, but the number of plans built: a restored run builds its plan anew, the same one."""
    counter = sim.state.counter
    plans, counter[PLANS] = int(counter[PLANS]), 0
    both = sim.compiled.state.floats.tobytes() + sim.compiled.state.ints.tobytes()
    counter[PLANS] = plans
    return both


@pytest.mark.parametrize("seed", range(4))
def test_a_snapshot_continues_bit_by_bit(seed):
    sim = taut.Simulation(random_machine(seed, friction=0.4))
    sim.run(37)
    kept = sim.snapshot()
    sim.run(60)
    end = bits(sim)
    sim.restore(kept)
    assert bits(sim) != end
    sim.run(60)
    assert bits(sim) == end
    # and in another object made from the same scene
    other = taut.Simulation(random_machine(seed, friction=0.4))
    other.restore(kept)
    other.run(60)
    assert bits(other) == end


def test_reset_is_the_start():
    sim = taut.Simulation(random_machine(5, friction=0.3))
    first = bits(sim)
    sim.run(50)
    after = bits(sim)
    sim.push("b0", (100.0, 0, 0))
    sim.run(20)
    sim.reset()
    assert bits(sim) == first
    sim.run(50)
    assert bits(sim) == after


def test_many_steps_in_one_call_or_many():
    one, many = (taut.Simulation(random_machine(6, friction=0.3)) for _ in range(2))
    one.run(60)
    for _ in range(60):
        many.step()
    assert bits(one) == bits(many)


SCRIPT = """
import sys
sys.path.insert(0, sys.argv[1])
from test_step_state import fingerprint
print(fingerprint())
"""


def fingerprint():
    sim = taut.Simulation(random_machine(7, friction=0.3))
    sim.run(200)
    return hashlib.sha256(bits(sim)).hexdigest()


def test_the_same_bits_in_a_fresh_process():
    """No part of the result may hang on addresses or on the order of sets."""
    command = [sys.executable, "-c", SCRIPT, str(Path(__file__).parent)]
    for seed in ("1", "2"):
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": seed})
        assert done.stdout.strip() == fingerprint(), done.stderr


def test_a_snapshot_of_another_scene_is_refused():
    sim = taut.Simulation(random_machine(1))
    with pytest.raises(ValueError, match="another scene"):
        sim.restore(taut.Simulation(Scene()).snapshot())


def test_run_takes_no_memory():
    """Neither compiled code (counted by its own runtime) nor Python takes anything per step.

    In a process of its own: pages that other tests left running would be counted too.
    """
    code = """
import tracemalloc
import taut
from machines import random_machine
from numba.core.runtime import _nrt_python, rtsys
sim = taut.Simulation(random_machine(4, friction=0.3))
sim.prepare().complete()
sim.run(10)
_nrt_python.memsys_enable_stats()
before = rtsys.get_allocation_stats().alloc
sim.run(1)
one = rtsys.get_allocation_stats().alloc
tracemalloc.start()
sim.run(1000)
peak = tracemalloc.get_traced_memory()[1]
many = rtsys.get_allocation_stats().alloc
print(one - before, many - one, peak)
"""
    here = str(Path(__file__).resolve().parent)
    path = os.pathsep.join([here, *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path}
    )
    one, many, peak = (int(number) for number in done.stdout.split()[-3:])
    assert many == one  # what a single call takes, whatever the number of steps
    assert peak < 100_000


def hoist():
    box = Box(size=(1, 1, 1))
    motion = ControlMotion(acceleration=2.0)
    return Scene(
        bodies={
            "crane": Body(kind="kinematic", shape=box, motion=motion, position=(0, 0, 5), collide=False),
            "hook": Body(kind="particle", mass=10.0, position=(0, 0, 3)),
            "cart": Body(shape=box, mass=5.0, position=(5, 0, 0)),
        },
        joints={
            "rope": Distance(a="crane", b="hook", rope=True, motor=LinearMotor(target=0.0, acceleration=1.0)),
            "rail": Slider(b="cart", axis=(1, 0, 0), motor=LinearMotor(target=0.0, force_limit=1e4)),
        },
    )


def test_controls_by_name():
    sim = taut.Simulation(hoist())
    crane = {f"crane.{q}[{k}]" for q in ("velocity", "spin") for k in range(3)}
    assert set(sim.controls) == {"rope.speed", "rail.speed"} | crane
    assert sim.controls.unit("rope.speed") == "m/s" and sim.controls.unit("crane.spin[1]") == "rad/s"
    sim.controls["rail.speed"] = 0.5
    sim.run(60)
    assert sim.read("rail.rate") == pytest.approx(0.5, rel=1e-9)
    assert sim.read("rail.travel") == pytest.approx(0.5, rel=1e-6)


def test_controls_follow_their_ramp():
    """Acceleration 1 m/s^2: after n steps the speed is n h, and the length what that sums to."""
    sim = taut.Simulation(hoist())
    sim.controls["rope.speed"] = 0.5
    sim.run(15)
    assert sim.read("rope.rate") == pytest.approx(15 / 60, rel=1e-6)
    sim.run(45)
    assert sim.read("rope.rate") == pytest.approx(0.5, rel=1e-6)
    ramp = sum(min(0.5, n / 60) for n in range(1, 61)) / 60
    assert sim.read("rope.length") == pytest.approx(2.0 + ramp, rel=1e-6)
    sim.controls["crane.velocity[0]"] = 1.0
    sim.run(60)
    assert sim.read("crane.velocity[0]") == pytest.approx(1.0, rel=1e-12)


def test_controls_refuse_what_is_none():
    sim = taut.Simulation(hoist())
    with pytest.raises(KeyError, match="no control"):
        sim.controls["rope.sped"] = 1.0
    with pytest.raises(ValueError, match="finite"):
        sim.controls["rope.speed"] = float("nan")
    with pytest.raises(TypeError):
        del sim.controls["rope.speed"]


def test_controls_belong_to_the_state():
    sim = taut.Simulation(hoist())
    kept = sim.snapshot()
    sim.controls["rail.speed"] = 2.0
    sim.restore(kept)
    assert sim.controls["rail.speed"] == 0.0


@pytest.mark.parametrize("seed", range(3))
def test_every_name_can_be_read(seed):
    sim = taut.Simulation(random_machine(seed))
    for when in ("before", "after"):
        for name, quantity in sim.names.items():
            value = sim.read(name)
            assert np.isfinite(value).all(), (when, name)
            if quantity.size:
                assert len(value) == quantity.size
                assert sim.read(f"{name}[{quantity.size - 1}]") == value[-1]
            assert quantity.unit and quantity.meaning
        sim.run(5)


def test_unknown_names_suggest():
    sim = taut.Simulation(hoist())
    for bad in ("hook.positon", "hook.position[3]", "time[0]", "nothing", "", "rope.tension[0]"):
        with pytest.raises(UnknownName):
            sim.read(bad)
    with pytest.raises(UnknownName, match=r"hook\.position"):
        sim.read("hook.positon")


def test_views_are_the_state_itself():
    sim = taut.Simulation(hoist())
    view = sim.state.body_pos
    sim.run(10)
    assert np.shares_memory(view, sim.compiled.state.floats)
    assert view is sim.state.body_pos


def test_pushes_of_unknown_bodies_are_refused():
    with pytest.raises(KeyError, match="no body"):
        taut.Simulation(hoist()).push("hok", (1, 0, 0))
