"""Clips that a rod of a scene slides through: how much of it lies on either side at the end of a step.

Rods one after the other with sliding clips between them are a run. Its length is dealt out so that the configurational
force on every clip is zero: with E_k(L_k) the least energy of rod k for its length between the poses it has,

    P_k = dE_k/dL_k = p,   sum L_k = L      the same p for all rods of the run.

P_k is the derivative of the Lagrangian at fixed frames and multipliers (the rest is stationary, see `slide.py`). All rods
of a scene are uniform, so that segments and joints grow as L, loads as L^2:

    L P = sum_joints l/2 sum_c K_c (w0_c^2 - w_c^2) - 2 sum F.d3 - W.x_start + f.(x_end - x_start)

F is `LOAD`, W the weight and f what the end exerts on its holder; contacts stand beside it with their points. As no rod feels the length of another, Newton's step is
dL_k = (p - P_k)/H_k with p such that nothing is lost; H_k = dP_k/dL_k comes from the last two lengths (secant).
"""

from __future__ import annotations

from taut.cables.rod.arrays import JOINT, LOAD, PART_A, REST, SEG, STIFF, TOTAL
from taut.cables.rod.columns import (
    RI_FRAME,
    RI_FRAMES,
    RI_ROW,
    RI_ROWS,
    RI_SLIDES,
    RL_LEAST,
    RL_LENGTH,
    RL_REACH,
    RN_LEAN,
    RS_LENGTH,
    RS_STIFF,
    RW_CHORD,
    RW_FREE,
    RW_LENGTH,
    RW_PULL,
)
from taut.cables.rod.follow import chord, follow, free_pose, start_point
from taut.cables.rod.slide import FARTHEST, HALVINGS, NOISE, STILL
from taut.core.buffers import column, index_table, table
from taut.core.jit import kernel
from taut.core.model import (
    LEAN_ROW_NEW,
    ROD_CHAIN,
    ROD_CHAIN_NEW,
    ROD_END_NEW,
    ROD_FORCE_NEW,
    ROD_FRAME_NEW,
    ROD_INT,
    ROD_LAW,
    ROD_PASS,
    ROD_POSE_NEW,
    ROD_ROW,
    ROD_SLIDE_NEW,
    ROD_TABLE,
    ROD_TABLE_NEW,
    ROD_WAY,
)
from taut.core.quat import rotate

#: shifts of material in one look at most
MOST_SHIFTS = 20
#: stiffness by length of a rod that has not slid yet, in units of its force over its length; the first shift finds it
FIRST_STIFF = 10.0
#: shift, relative to the length, below which a difference of pulls teaches nothing
TINY = 1e-9
#: slack, relative to the length, that a rod loses at once where it is pulled straight
NEARLY = 1e-4


@kernel
def run_end(m, k):
    """One past the last rod of the run that begins with rod k."""
    place = index_table(m, ROD_INT)
    while place[k, RI_SLIDES] > 0:
        k += 1
    return k + 1


@kernel
def lay_rod(m, w, k):
    """Segments, joints, loads and where the end is held, for the length that rod k has now."""
    place, law, now = index_table(m, ROD_INT)[k], table(m, ROD_LAW)[k], table(w, ROD_SLIDE_NEW)[k, RS_LENGTH]
    given, rod = table(m, ROD_TABLE), table(w, ROD_TABLE_NEW)
    chain_given, chain, row = table(m, ROD_CHAIN)[k], table(w, ROD_CHAIN_NEW)[k], table(w, ROD_ROW)
    f = now / law[RL_LENGTH]
    for i in range(place[RI_FRAME], place[RI_FRAME] + place[RI_FRAMES]):
        for c in range(given.shape[1]):
            rod[i, c] = given[i, c]
        rod[i, SEG] *= f
        rod[i, JOINT] *= f
        for c in range(3):
            rod[i, LOAD + c] *= f * f
    for c in range(chain.shape[0]):
        chain[c] = chain_given[c]
    for c in range(3):
        chain[TOTAL + c] *= f
    for r in range(place[RI_ROWS]):
        row[3 * k + r, PART_A] = rod[place[RI_FRAME] + place[RI_FRAMES] - 2, SEG]
        if place[RI_ROW] >= 0:
            table(w, LEAN_ROW_NEW)[place[RI_ROW] + r, PART_A] = row[3 * k + r, PART_A]


@kernel
def pull(m, w, k):
    """dE/dL of rod k as it stands [N]; minus its tension where that is all there is."""
    place, pose = index_table(m, ROD_INT)[k], table(w, ROD_POSE_NEW)[k]
    rod, quat, force = table(w, ROD_TABLE_NEW), table(w, ROD_FRAME_NEW), column(w, ROD_FORCE_NEW)
    chain, first = table(w, ROD_CHAIN_NEW)[k], place[RI_FRAME]
    x, y, z = start_point(chain, pose)
    total = -(chain[TOTAL] * x + chain[TOTAL + 1] * y + chain[TOTAL + 2] * z) + table(w, ROD_END_NEW)[k, RN_LEAN]
    for j in range(first, first + place[RI_FRAMES] - 1):
        a, b = quat[j], quat[j + 1]
        p = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
        sign, l = 2.0 if p >= 0.0 else -2.0, rod[j, JOINT]
        w0 = sign / l * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2])
        w1 = sign / l * (a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1])
        w2 = sign / l * (a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0])
        total += 0.5 * l * rod[j, STIFF] * (rod[j, REST] ** 2 - w0 * w0)
        total += 0.5 * l * rod[j, STIFF + 1] * (rod[j, REST + 1] ** 2 - w1 * w1)
        total += 0.5 * l * rod[j, STIFF + 2] * (rod[j, REST + 2] ** 2 - w2 * w2)
        if j > first:
            x, y, z = rotate(a[0], a[1], a[2], a[3], 0.0, 0.0, 1.0)
            l = rod[j, SEG]
            total += x * (l * force[3 * k] - 2.0 * rod[j, LOAD])
            total += y * (l * force[3 * k + 1] - 2.0 * rod[j, LOAD + 1])
            total += z * (l * force[3 * k + 2] - 2.0 * rod[j, LOAD + 2])
    return total / table(w, ROD_SLIDE_NEW)[k, RS_LENGTH]


@kernel
def driven(m, w, first, end):
    """Largest configurational force on the clips of a run, relative to the force scale of its rods [-]; not that which would
    pull a straight rod straighter."""
    way, common = table(w, ROD_WAY), _common(m, w, first, end)[0]
    away, scale = 0.0, table(m, ROD_LAW)[first, 0]
    for k in range(first, end):
        scale = min(scale, table(m, ROD_LAW)[k, 0])
        if way[k, RW_FREE] > 0.0:
            away = max(away, abs(way[k, RW_PULL] - common))
    return away / scale


@kernel
def bring(context, m, s, w, first, end, h):
    """Rods first to end, a run, to where the bodies will be, their lengths dealt out anew; 1 if nothing drives the clips."""
    way, slide = table(w, ROD_WAY), table(w, ROD_SLIDE_NEW)
    _foresee(m, s, w, first, end, h)
    if _follow_all(context, m, first, end, h) == 0:
        # not foreseen well: with the lengths they had
        _part_way(m, w, first, end, 0.0)
        if _follow_all(context, m, first, end, h) == 0:
            return 0
    for shift in range(MOST_SHIFTS):
        # the last shifts are for what round-off leaves
        if driven(m, w, first, end) <= (STILL if 2 * shift < MOST_SHIFTS else NOISE):
            return 1
        common, signed = _weighed(m, w, first, end)
        _shift(m, w, first, end, common, signed)
        tries = 0
        while _follow_all(context, m, first, end, h) == 0:
            tries += 1
            if tries > HALVINGS:
                return 0
            _part_way(m, w, first, end, 0.5)
        for k in range(first, end):
            # the stiffness is that between the two lengths
            by = slide[k, RS_LENGTH] - way[k, RW_LENGTH]
            now = pull(m, w, k)
            if abs(by) > TINY * slide[k, RS_LENGTH] and now != way[k, RW_PULL]:
                slide[k, RS_STIFF] = (now - way[k, RW_PULL]) / by
    return 0


@kernel
def _follow_all(context, m, first, end, h):
    """Shapes of all rods of the run at the end of the step; 0 if one has none."""
    for k in range(first, end):
        if follow(context, m, k, h) == 0:
            return 0
    return 1


@kernel
def _stiff(m, w, k):
    """H of a rod [N/m], or what it may be before it was found."""
    known, law = table(w, ROD_SLIDE_NEW)[k, RS_STIFF], table(m, ROD_LAW)[k]
    return known if known != 0.0 else FIRST_STIFF * law[0] / law[RL_LENGTH]


@kernel
def _foresee(m, s, w, first, end, h):
    """Lengths for the poses to come: where ends go apart a rod is given as much, the softest give most of it.

    In the place of the pull stands how much farther apart its ends are.
    """
    way, slide, law, target = table(w, ROD_WAY), table(w, ROD_SLIDE_NEW), table(m, ROD_LAW), table(w, ROD_PASS)[0]
    grown, soft, total, spare = 0.0, 0.0, 0.0, 0.0
    for k in range(first, end):
        chain, rows = table(m, ROD_CHAIN)[k], index_table(m, ROD_INT)[k, RI_ROWS]
        way[k, RW_LENGTH] = slide[k, RS_LENGTH]
        free_pose(m, s, w, k, h, target, table(w, ROD_END_NEW)[k])
        way[k, RW_CHORD] = chord(chain, target) if rows > 0 else 0.0
        way[k, RW_PULL] = way[k, RW_CHORD] - chord(chain, table(w, ROD_POSE_NEW)[k]) if rows > 0 else 0.0
        grown += way[k, RW_PULL]
        soft += 1.0 / abs(_stiff(m, w, k))
        total += slide[k, RS_LENGTH]
    more = -total
    for k in range(first, end):
        least = _least(law[k], way[k, RW_CHORD])
        length = slide[k, RS_LENGTH] + way[k, RW_PULL] - grown / (soft * abs(_stiff(m, w, k)))
        slide[k, RS_LENGTH] = max(length, least)
        more += slide[k, RS_LENGTH]
        spare += slide[k, RS_LENGTH] - least
    for k in range(first, end):
        if more > spare:
            # too short for this: pulled straight
            slide[k, RS_LENGTH] = way[k, RW_LENGTH]
        elif more > 0.0:
            slide[k, RS_LENGTH] -= more / spare * (slide[k, RS_LENGTH] - _least(law[k], way[k, RW_CHORD]))
        lay_rod(m, w, k)


@kernel
def _least(law, apart):
    """Least length of a rod whose ends are so far apart [m]."""
    return max(law[RL_LEAST], apart * law[RL_LENGTH] / law[RL_REACH])


@kernel
def _straight(m, w, k):
    """Whether rod k is as short as it may be for where its ends are."""
    law, length, apart = table(m, ROD_LAW)[k], table(w, ROD_SLIDE_NEW)[k, RS_LENGTH], table(w, ROD_WAY)[k, RW_CHORD]
    return length > law[RL_LEAST] and length <= (1.0 + TINY) * _least(law, apart)


@kernel
def _common(m, w, first, end):
    """The pull p that all rods come to by Newton's step, and whether that is downhill; pulls, lengths and who takes part are
    noted. A straight rod takes part where it would become longer."""
    way, slide = table(w, ROD_WAY), table(w, ROD_SLIDE_NEW)
    for k in range(first, end):
        way[k, RW_LENGTH], way[k, RW_PULL] = slide[k, RS_LENGTH], pull(m, w, k)
        way[k, RW_FREE] = 0.0 if _straight(m, w, k) else 1.0
    common = _weighed(m, w, first, end)[0]
    for k in range(first, end):
        if way[k, RW_FREE] == 0.0 and way[k, RW_PULL] < common:
            way[k, RW_FREE] = 1.0
    return _weighed(m, w, first, end)


@kernel
def _weighed(m, w, first, end):
    """Mean of the pulls by softness, and whether a step to it leads downhill with the signs that the stiffnesses have."""
    way = table(w, ROD_WAY)
    soft, weighed, soft_by_size, weighed_by_size, negative = 0.0, 0.0, 0.0, 0.0, 0
    for k in range(first, end):
        H = _stiff(m, w, k)
        if way[k, RW_FREE] > 0.0:
            negative += 1 if H < 0.0 else 0
            soft += 1.0 / H
            weighed += way[k, RW_PULL] / H
            soft_by_size += 1.0 / abs(H)
            weighed_by_size += way[k, RW_PULL] / abs(H)
    # a minimum where lengths sum up: none negative, or one and the others stiffer than it is soft
    if (negative == 0 and soft > 0.0) or (negative == 1 and soft < 0.0):
        return weighed / soft, True
    return (weighed_by_size / soft_by_size if soft_by_size > 0.0 else 0.0), False


@kernel
def _by(m, w, k, common, signed):
    """Newton's step of the length of rod k [m]."""
    H, way = _stiff(m, w, k), table(w, ROD_WAY)[k]
    return (common - way[RW_PULL]) / (H if signed else abs(H)) if way[RW_FREE] > 0.0 else 0.0


@kernel
def _shift(m, w, first, end, common, signed):
    """Newton's step, no farther than two segments, nor than half the slack of a rod that becomes shorter."""
    way, slide, place = table(w, ROD_WAY), table(w, ROD_SLIDE_NEW), index_table(m, ROD_INT)
    part = 1.0
    for k in range(first, end):
        by, length = _by(m, w, k, common, signed), slide[k, RS_LENGTH]
        far = FARTHEST * length / (place[k, RI_FRAMES] - 2)
        if by < 0.0:
            slack = max(0.0, length - _least(table(m, ROD_LAW)[k], way[k, RW_CHORD]))
            far = min(far, (0.5 if slack > NEARLY * length else 1.0) * slack)
        if abs(by) > far:
            part = min(part, far / abs(by))
    for k in range(first, end):
        slide[k, RS_LENGTH] += part * _by(m, w, k, common, signed)
        lay_rod(m, w, k)


@kernel
def _part_way(m, w, first, end, part):
    """Back towards the lengths before."""
    way, slide = table(w, ROD_WAY), table(w, ROD_SLIDE_NEW)
    for k in range(first, end):
        slide[k, RS_LENGTH] = way[k, RW_LENGTH] + part * (slide[k, RS_LENGTH] - way[k, RW_LENGTH])
        lay_rod(m, w, k)
