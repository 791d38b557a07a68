"""The emergency stop of the gantry while it lowers at full speed: nothing holds the drums until the brakes have closed."""

import numpy as np
import pytest

import taut
from taut.scenes import open_scene

GRAVITY = 9.81
#: mass at each rope: beam and load on two ropes of two falls each, 4 rope metres a metre squared; drum and motor at their radius [kg]
CARRIED, TURNED = (600.0 + 10296.0) / 2.0 / 4.0, 100.0 / 0.3**2


def stopped(rate: int) -> tuple[float, float, float]:
    """Steps a second; rope that runs out after the stop [m], how far the load goes down at most [m], and the largest tension [N]."""
    sim = taut.Simulation(open_scene("gantry", [f"dt=1/{rate} s"]))

    def drive(speed: float, seconds: float) -> None:
        for winch in ("left", "right"):
            sim.controls[f"{winch}.speed"] = speed
        sim.run(round(seconds * rate))

    drive(0.8, 9.0)
    drive(0.0, 5.0)
    drive(-0.8, 2.5)
    height, out = sim.read("load.position[2]"), sim.read("left.rope_out")
    for winch in ("left", "right"):
        sim.controls[f"{winch}.emergency"] = 1.0
    lowest, largest = height, 0.0
    for _ in range(rate):
        sim.step()
        lowest, largest = min(lowest, sim.read("load.position[2]")), max(largest, sim.read("left.tension"))
    return float(sim.read("left.rope_out") - out), float(height - lowest), float(largest)


def test_the_load_drops_as_far_as_brakes_that_take_their_time_let_it() -> None:
    """For 50 ms load and drum gain speed together, then the brake takes it away: as rigid bodies 88 mm of rope. The rope, which
    lets go of its stretch first, makes that less."""
    weight, both = CARRIED * GRAVITY, CARRIED + TURNED
    # one metre of rope lowers the load by half a metre: its weight at the rope is half, its mass a quarter
    pull = 2.0 * weight
    faster = 0.8 + 0.05 * pull / both
    rigid = 0.05 * (0.8 + faster) / 2.0 + faster**2 / (2.0 * (90e3 - pull) / both)
    assert rigid == pytest.approx(0.088, abs=0.002)
    found = np.array([stopped(rate) for rate in (60, 240)])
    assert 0.75 * rigid < found[1, 0] < rigid
    # the load swings on its rope before it stands
    assert 0.05 < found[1, 1] < 0.06 and found[1, 2] < 90e3
    # and it is a property of the machine, not of the step
    assert found[0] == pytest.approx(found[1], rel=0.1)
