"""Forces of rope that slips: each one's limit depends on the tensions, which depend on all the forces.

Rope on a bollard is held back by (1 - exp(-mu wrap)) T_high. Put in as it is found, that force converges like
(1 - exp(-mu wrap))^n: three turns need thousands of rounds. But while nothing changes sides, tensions are linear in the
forces, so that the misses of a few rounds tell where they vanish (Anderson 1965; Walker and Ni 2011, "Anderson
acceleration for fixed-point iterations", the multisecant form): one bollard is exact after two rounds, k of them after k + 1.

    x+ = x + f - (dX + dF) g,   g the least squares of f = dF g      x forces, f misses, dX and dF their last changes

A round is a substitution with the factors at hand; when they are made anew, the changes are forgotten.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, indices, table
from taut.core.jit import kernel
from taut.core.model import SLIP, SLIP_COUNT, SLIP_SMALL

#: changes that are remembered
DEPTH = 5
#: columns of slip: miss of the force, weight of it, force and miss of the round before, changes, orthogonal misses
S_MISS, S_WEIGHT, S_FORCE_LAST, S_MISS_LAST, S_FORCE, S_CHANGE, S_BASE = 0, 1, 2, 3, 4, 4 + DEPTH, 4 + 2 * DEPTH
SLIP_COLUMNS = 4 + 3 * DEPTH
#: a change is left out when less than this part of it is new
NEW_PART = 1e-10


@kernel
def forget(w):
    """Begin anew: the tensions follow the forces in another way than before."""
    count = indices(w, SLIP_COUNT)
    count[0], count[1] = 0, 0


@kernel
def improve(w, force):
    """Take one round: better forces of all slipping transfers from their misses [N]; `force` is changed in place."""
    slip, small, count = table(w, SLIP), column(w, SLIP_SMALL), indices(w, SLIP_COUNT)
    n = slip.shape[0]
    if count[0] > 0:
        at = count[1] % DEPTH
        for t in range(n):
            slip[t, S_FORCE + at] = force[t] - slip[t, S_FORCE_LAST]
            slip[t, S_CHANGE + at] = slip[t, S_MISS] - slip[t, S_MISS_LAST]
        count[1] += 1
    for t in range(n):
        slip[t, S_FORCE_LAST], slip[t, S_MISS_LAST] = force[t], slip[t, S_MISS]
    count[0] = 1
    known = min(count[1], DEPTH)
    # newest change first; triangular factor R in small[i * DEPTH + j], projections of f behind it
    used = 0
    for j in range(known):
        at = (count[1] - 1 - j) % DEPTH
        size = 0.0
        for t in range(n):
            slip[t, S_BASE + used] = slip[t, S_WEIGHT] * slip[t, S_CHANGE + at]
            size += slip[t, S_BASE + used] ** 2
        left = size
        for i in range(used):
            dot = 0.0
            for t in range(n):
                dot += slip[t, S_BASE + i] * slip[t, S_BASE + used]
            small[i * DEPTH + used] = dot
            left = 0.0
            for t in range(n):
                slip[t, S_BASE + used] -= dot * slip[t, S_BASE + i]
                left += slip[t, S_BASE + used] ** 2
        if left <= NEW_PART * NEW_PART * size or left == 0.0:
            continue
        root = math.sqrt(left)
        small[used * DEPTH + used] = root
        dot = 0.0
        for t in range(n):
            slip[t, S_BASE + used] /= root
            dot += slip[t, S_BASE + used] * slip[t, S_WEIGHT] * slip[t, S_MISS]
        small[DEPTH * DEPTH + used] = dot
        small[DEPTH * DEPTH + DEPTH + used] = float(at)
        used += 1
    # R g = Q^T f, from the last
    for i in range(used - 1, -1, -1):
        value = small[DEPTH * DEPTH + i]
        for j in range(i + 1, used):
            value -= small[i * DEPTH + j] * small[DEPTH * DEPTH + j]
        small[DEPTH * DEPTH + i] = value / small[i * DEPTH + i]
    for t in range(n):
        better = force[t] + slip[t, S_MISS]
        for i in range(used):
            at = int(small[DEPTH * DEPTH + DEPTH + i])
            better -= small[DEPTH * DEPTH + i] * (slip[t, S_FORCE + at] + slip[t, S_CHANGE + at])
        force[t] = max(better, 0.0)
