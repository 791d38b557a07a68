"""Random piles of bodies and ropes: never a state that is not finite, nothing stays inside another, no energy from nothing.

A few here; `python tests/robustness/test_piles.py 300` lets so many fall, and names those that misbehave.
"""

from __future__ import annotations

import sys

import numpy as np
import pytest

import taut
from taut.validate.contact_piles import THICK, pile


def fall(seed: int, seconds: float) -> list[str]:
    """Let a pile fall; what is wrong with it, in words."""
    sim = taut.Simulation(pile(seed))
    start = float(sim.read("energy.mechanical"))
    most = 0.0
    for _ in range(round(seconds / sim.dt)):
        sim.step()
        most = max(most, float(sim.read("energy.kinetic")) + float(sim.read("energy.potential")))
    wrong = []
    if not np.isfinite(sim.state.body_pos).all():
        wrong.append("not finite")
    if float(sim.read("contact.penetration")) > 0.05 * THICK:
        wrong.append(f"{1e3 * float(sim.read('contact.penetration')):.2g} mm inside each other")
    # of motion and height, over all there was at the start, bending included
    if most > 1.001 * start:
        wrong.append(f"{most / start - 1.0:.2g} of its energy from nothing")
    return wrong


@pytest.mark.parametrize("seed", [1, 3])
def test_a_random_pile_behaves(seed):
    assert fall(1000 + seed, 2.0) == []


def main(count: int) -> int:
    """Let `count` piles fall for five seconds each; the number of those that misbehave."""
    bad = 0
    for seed in range(count):
        try:
            wrong = fall(seed, 5.0)
        except taut.SimulationError as error:
            wrong = [str(error)]
        if wrong:
            bad += 1
            print(f"pile {seed}: {', '.join(wrong)}", flush=True)
    print(f"{count} piles, {bad} misbehave")
    return bad


if __name__ == "__main__":
    sys.exit(1 if main(int(sys.argv[1])) else 0)
