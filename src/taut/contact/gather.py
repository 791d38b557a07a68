"""Many contact points of one pair become few: by the way they face, the deepest and the outermost in eight directions.

Two rigid bodies touch in a plane as they do in the outermost points of it; where more than one way is faced, each has its own.
Points of the second rank (corners beside a face, near its edge) count only where a way has no others: what lies over a face,
or where edges cross, bounds the same patch, and is not askew.

Rows of `local`: of every way its normal (3), a tangent (3), used or not, best rank; then its points as in `found`.
"""

from __future__ import annotations

import math

from taut.contact.keep import keep
from taut.contact.wrapping.vectors import cross, dot, three, unit
from taut.core.jit import kernel

#: rows of `local`; ways that are told apart; points of each: the deepest and eight outermost
WAYS, POINTS, MOST_WAYS, PER_WAY = 136, 148, 12, 9
#: cosine above which two normals face one way (14 degrees)
ALIKE = 0.97
#: the eight directions begin at this angle, so that none is square to the sides of what is built square [rad]
ASKEW = 0.19


@kernel
def open_ways(local):
    """Forget all points."""
    for way in range(MOST_WAYS):
        local[WAYS + way, 6] = 0.0


@kernel
def _way_of(n, local):
    """Number of the way that n faces; a new one if there is room."""
    best, most = 0, -2.0
    for way in range(MOST_WAYS):
        if local[WAYS + way, 6] == 0.0:
            if most > ALIKE:
                break
            for k in range(3):
                local[WAYS + way, k] = n[k]
            # any tangent, the same one for the same normal
            t = unit(cross(n, (0.0, 0.0, 1.0)) if abs(n[2]) < 0.9 else cross(n, (1.0, 0.0, 0.0)))
            for k in range(3):
                local[WAYS + way, 3 + k] = t[k]
            local[WAYS + way, 6], local[WAYS + way, 7] = 1.0, math.inf
            return way
        alike = dot(n, three(local[WAYS + way], 0))
        if alike > most:
            best, most = way, alike
    return best


@kernel
def gather(p, n, gap, feature, rank, tie, local):
    """Take a point (world), its normal and its gap, if it is the deepest or outermost of its way by more than `tie`."""
    way = _way_of(n, local)
    if rank > local[WAYS + way, 7]:
        return
    if rank < local[WAYS + way, 7]:
        local[WAYS + way, 7] = rank
        for point in range(PER_WAY):
            local[POINTS + way * PER_WAY + point, 6] = math.inf
    u = three(local[WAYS + way], 3)
    v = cross(three(local[WAYS + way], 0), u)
    for point in range(PER_WAY):
        row = POINTS + way * PER_WAY + point
        angle = ASKEW + 0.25 * math.pi * point
        c, s = math.cos(angle), math.sin(angle)
        if point == 0:
            c, s = 0.0, 0.0
        # what lies further off counts for less by its gap
        now = c * dot(p, u) + s * dot(p, v) - gap
        q = three(local[row], 0)
        if local[row, 6] == math.inf or now > c * dot(q, u) + s * dot(q, v) - local[row, 6] + tie:
            for k in range(3):
                local[row, k], local[row, 3 + k] = p[k], n[k]
            local[row, 6], local[row, 7] = gap, feature


@kernel
def _is_double(row, first, apart, local):
    """Whether a point of the same way in an earlier row is the same one; that takes the smaller gap."""
    for other in range(first, row):
        square = 0.0
        for k in range(3):
            square += (local[other, k] - local[row, k]) ** 2
        if local[other, 6] < math.inf and square <= apart * apart:
            local[other, 6] = min(local[other, 6], local[row, 6])
            return True
    return False


@kernel
def keep_gathered(apart, i, j, sign, body, pair, work, contacts):
    """Append what was gathered for shapes i and j to the contacts; points nearer than `apart` are one."""
    local, found, count = work.local, work.found, 0
    for way in range(MOST_WAYS):
        if local[WAYS + way, 6] == 0.0:
            break
        first = POINTS + way * PER_WAY
        for row in range(first, first + PER_WAY):
            if local[row, 6] < math.inf and _is_double(row, first, apart, local):
                local[row, 6] = math.inf
        for row in range(first, first + PER_WAY):
            if local[row, 6] == math.inf:
                continue
            for k in range(8):
                found[count, k] = local[row, k]
            count += 1
            if count == found.shape[0]:
                keep(count, i, j, sign, body, pair, work, contacts)
                count = 0
    keep(count, i, j, sign, body, pair, work, contacts)
