"""A run goes on from a snapshot as if nothing had run in between, and as in a simulation that has run nothing at all: scratch is no state."""

from __future__ import annotations

import pytest

import taut
from taut.core.model import PLANS
from taut.scenes import library
from taut.soak.hand import Hand

#: heaps of rope and lattices: a few steps of them take as long as seconds of the others
SLOW = ("coil_lift", "falling_rope", "honeycomb_hoist", "knot", "rope_heap")


@pytest.mark.parametrize("name", sorted(library()))
def test_a_fresh_simulation_goes_on_to_the_bit(name: str) -> None:
    sim = taut.Simulation(name)
    hand, length = Hand(sim, 5), 12 if name in SLOW else 240
    done = 0
    while done < length:
        steps = max(1, min(round(hand.move() / sim.dt), length - done))
        sim.run(steps)
        done += steps
    there, more = sim.snapshot(), 3 if name in SLOW else 40

    def bits(run: taut.Simulation) -> tuple[bytes, bytes]:
        run.run(more)
        # an elimination plan is built anew after a restore: that it was is the only trace
        run.state.counter[PLANS] = 0
        return run.compiled.state.floats.tobytes(), run.compiled.state.ints.tobytes()

    first = bits(sim)
    # elsewhere meanwhile, so that scratch holds something else
    sim.reset()
    sim.run(2 if name in SLOW else 20)
    sim.restore(there)
    assert bits(sim) == first
    fresh = taut.Simulation(sim.scene)
    fresh.restore(there)
    assert bits(fresh) == first
