"""Impulses of a few contacts that sweeps and Newton's method do not find (taut.step.sweeps): a stage of its own, which few scenes need.

Contacts that hand their load to each other make sweeps go round in circles: interior points take all of them at once
(taut.step.interior_border). Where that comes to a halt too, sweeps and Newton's method begin elsewhere.
"""

from __future__ import annotations

from taut.core.jit import kernel
from taut.step.interior_border import missed, solve_cones
from taut.step.polish import BEST, IMPULSE
from taut.step.sweeps import SWEEPS, settle

#: other places to begin at, around the best so far by half of the largest impulse to either side
PLACES = 60


@kernel
def search(border, factors, side, row, start, count):
    """Impulses of all contacts; if nothing leads to them, the best that was found."""
    if solve_cones(border, factors, side, row, start, count):
        return
    best, largest, seed = missed(border, side, row, start, count), 0.0, 1
    for i in range(count):
        largest = max(largest, side[i, BEST])
    for place in range(PLACES):
        for i in range(count):
            # the same numbers in every run (Park, Miller 1988)
            seed = 48271 * seed % 2147483647
            there = side[i, BEST] + (seed / 2147483647.0 - 0.5) * largest
            side[i, IMPULSE] = max(there, 0.0) if i % 3 == 0 else there
        if settle(border, factors, side, row, start, count, 1, SWEEPS * (place % 2)):
            return
        found = missed(border, side, row, start, count)
        if found < best:
            best = found
            for i in range(count):
                side[i, BEST] = side[i, IMPULSE]
    for i in range(count):
        side[i, IMPULSE] = side[i, BEST]
