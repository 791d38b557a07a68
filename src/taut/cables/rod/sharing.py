"""A run of rods that share one length, as one: its stiffness with the arc lengths in its clips free.

Rod k has the energy E_k(x, L_k) for the poses x of its seats; all have the same pull P_k = dE_k/dL_k = p and their lengths sum
up to that of the hose (`sliding.py`). With K_k its stiffness at its length, B_k = dP_k/dx and H_k = dP_k/dL_k,

    dL_k = (dp - B_k.dx)/H_k,   sum dL_k = 0
    K = sum_k (K_k - B_k B_k'/H_k) + b b'/S,     b = sum_k B_k/H_k,   S = sum_k 1/H_k

b couples the bodies at all clips of the run, so that the run is one thing with many seats (`lean_bodies.py`). B_k and H_k are
differences of wrench and pull for a length that is a little longer, taken anew where the bodies felt something else than was
foreseen. Where much slides in a step, or the run has no minimum, the stiffness is that of lengths that are held.
"""

from __future__ import annotations

from taut.cables.rod.columns import (
    LN_SHIFT,
    LN_WRENCH,
    RI_MATRIX,
    RI_ROW,
    RI_RUN,
    RI_RUN_LEAN,
    RI_RUN_MATRIX,
    RI_RUN_PULL,
    RI_RUN_SEAT,
    RI_RUN_SEATS,
    RI_SEAT,
    RI_SEATS,
    RL_NEGATIVE,
    RN_SHIFT,
    RN_WRENCH,
    RS_LENGTH,
    RW_FREE,
)
from taut.cables.rod.end_stiffness import bound
from taut.cables.rod.follow import follow
from taut.cables.rod.lean_bodies import miss_leaning
from taut.cables.rod.sliding import bring, lay_rod, pull, run_end
from taut.core.buffers import column_part, index_table, indices, matrix, table, table_part
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    LEAN_END_NEW,
    LEAN_SEAT,
    LEAN_SQUARE,
    LEAN_STIFFNESS_NEW,
    ROD_END_NEW,
    ROD_INT,
    ROD_LAW,
    ROD_SLIDE,
    ROD_SLIDE_NEW,
    ROD_STIFFNESS_NEW,
    ROD_WAY,
    SLIDE_PULL_NEW,
)

#: by how much of its length a rod is made longer to see how it answers
LONGER = 1e-5
#: part of its length that a rod may gain or lose in a step: beyond, its answer of now says little of where it goes, and the
#: stiffness is that of lengths that are held
CALM = 2e-3


#: miss of a wrench, relative to it, below which a step is not solved again
AGREED = 1e-4


@kernel
def slide_run(context, m, s, w, first, h, whole, leaning):
    """Bring the run of rods that begins with one, and slides, to where the bodies will be; 0 where it finds no rest there. `whole`: look
    how its rods answer too, where the bodies would feel something else than was foreseen."""
    end = run_end(m, first)
    found = bring(context, m, s, w, first, end, h)
    if leaning is not None:
        if index_table(m, ROD_INT)[first, RI_RUN] >= 0:
            gather(m, s, w, first, end, h)
            if whole and miss_leaning(m, w, first) > AGREED:
                probe(context, m, w, first, end, h)
                gather(m, s, w, first, end, h)
    return found


@kernel
def _unknowns(m, k):
    """Unknowns of the seats of rod k."""
    place = index_table(m, ROD_INT)[k]
    return 6 * place[RI_SEATS] if place[RI_ROW] >= 0 else 12


@kernel
def _at(m, k, first, r):
    """Unknown r of rod k among those of its run that begins with rod `first`."""
    if r < 12:
        return 6 * (k - first) + r
    return 6 * index_table(m, ROD_INT)[k, RI_RUN_LEAN] + r - 12


@kernel
def _wrench(m, w, k, r):
    """What rod k does along unknown r [N, N m]."""
    place = index_table(m, ROD_INT)[k]
    if place[RI_ROW] >= 0:
        return table(w, LEAN_END_NEW)[6 * place[RI_SEAT] + r, LN_WRENCH]
    return table(w, ROD_END_NEW)[k, RN_WRENCH + r]


@kernel
def gather(m, s, w, first, end, h):
    """Wrenches, motion and stiffness of the run of rods first to end at its seats; the wrenches for where the bodies are."""
    place, way = index_table(m, ROD_INT), table(w, ROD_WAY)
    seats, at = place[first, RI_RUN_SEATS], place[first, RI_RUN_SEAT]
    n, seat, new = 6 * seats, indices(m, LEAN_SEAT), table(w, BODY_NEW)
    ends, K = (
        table_part(w, LEAN_END_NEW, 6 * at, n),
        column_part(w, LEAN_STIFFNESS_NEW, place[first, RI_RUN_MATRIX], n * n),
    )
    square = matrix(w, LEAN_SQUARE, 2 * n + 1, n)
    b = square[2 * n]
    for r in range(n):
        ends[r, LN_WRENCH], ends[r, LN_SHIFT], b[r] = 0.0, h * new[seat[at + r // 6], r % 6], 0.0
        for j in range(n):
            square[r, j] = 0.0
    soft, fine, falling = 0.0, True, 0
    for k in range(first, end):
        B = column_part(w, SLIDE_PULL_NEW, place[first, RI_RUN_PULL] + (n + 1) * (k - first), n + 1)
        known = 0.0
        for r in range(n):
            known = max(known, abs(B[r]))
        free = way[k, RW_FREE] > 0.0
        before, now = table(s, ROD_SLIDE)[k, RS_LENGTH], table(w, ROD_SLIDE_NEW)[k, RS_LENGTH]
        fine = fine and abs(now - before) <= CALM * before
        if free:
            fine = fine and known > 0.0 and B[n] != 0.0
            falling += 1 if B[n] < 0.0 else 0
            soft += 1.0 / B[n] if B[n] != 0.0 else 0.0
    # a minimum where lengths sum up: no pull that falls with the length, or one and the others stiffer than it is soft
    fine = fine and ((falling == 0 and soft > 0.0) or (falling == 1 and soft < 0.0))
    for k in range(first, end):
        _add(m, w, k, first, ends, square)
        if fine and way[k, RW_FREE] > 0.0:
            B = column_part(w, SLIDE_PULL_NEW, place[first, RI_RUN_PULL] + (n + 1) * (k - first), n + 1)
            H = B[n]
            for r in range(n):
                b[r] += B[r] / H
                for j in range(n):
                    square[r, j] -= B[r] * B[j] / H
    if fine:
        for r in range(n):
            for j in range(n):
                square[r, j] += b[r] * b[j] / soft
    law = table(m, ROD_LAW)
    negative, length = law[first, RL_NEGATIVE], law[first, 1]
    for k in range(first + 1, end):
        negative = min(negative, law[k, RL_NEGATIVE])
        length += law[k, 1]
    bound(square, n, length, negative, K)


@kernel
def _add(m, w, k, first, ends, square):
    """One rod at its length: its wrench where the bodies are, its stiffness."""
    place, found = index_table(m, ROD_INT)[k], table(w, ROD_END_NEW)[k]
    n = _unknowns(m, k)
    leans = place[RI_ROW] >= 0
    own = table(w, ROD_STIFFNESS_NEW)[k]
    if leans:
        own = column_part(w, LEAN_STIFFNESS_NEW, place[RI_MATRIX], n * n)
    for r in range(n):
        here = _at(m, k, first, r)
        value = _wrench(m, w, k, r)
        for j in range(n):
            there = _at(m, k, first, j)
            shift = table(w, LEAN_END_NEW)[6 * place[RI_SEAT] + j, LN_SHIFT] if leans else found[RN_SHIFT + j]
            # its shape may stand short of where the bodies are
            value -= own[n * r + j] * (ends[there, LN_SHIFT] - shift)
            square[here, there] += own[n * r + j]
        ends[here, LN_WRENCH] += value


@kernel
def probe(context, m, w, first, end, h):
    """How the rods of a run answer to a length that is a little longer: B and H of each."""
    place, slide, way = index_table(m, ROD_INT), table(w, ROD_SLIDE_NEW), table(w, ROD_WAY)
    n = 6 * place[first, RI_RUN_SEATS]
    for k in range(first, end):
        B = column_part(w, SLIDE_PULL_NEW, place[first, RI_RUN_PULL] + (n + 1) * (k - first), n + 1)
        if way[k, RW_FREE] == 0.0:
            continue
        length, before = slide[k, RS_LENGTH], pull(m, w, k)
        by = LONGER * length
        for r in range(n):
            B[r] = 0.0
        for r in range(_unknowns(m, k)):
            B[_at(m, k, first, r)] = _wrench(m, w, k, r) / by
        slide[k, RS_LENGTH] = length + by
        lay_rod(m, w, k)
        found = follow(context, m, k, h)
        # kept beside B: the secants of `sliding.py` may be over far smaller differences
        B[n] = (pull(m, w, k) - before) / by if found == 1 else 0.0
        for r in range(_unknowns(m, k)):
            at = _at(m, k, first, r)
            B[at] = B[at] - _wrench(m, w, k, r) / by if found == 1 else 0.0
        slide[k, RS_LENGTH] = length
        lay_rod(m, w, k)
        follow(context, m, k, h)
