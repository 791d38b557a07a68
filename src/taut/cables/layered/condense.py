"""Inside the outer pass: the waves of every span go into its row and its bodies, and come back from the solution.

What `taut.cables.layered.modes` leaves of the modes is put into the system: masses across the chord S = m [1/3 1/6; 1/6 1/3] -
sum c c^T/mu on the two ends, forces -sum c F/mu and the weight on their right sides, -sum c g/mu in the row's Jacobian, sum g^2/mu
in its Sigma. After the solve the tension of each segment is found once more, exactly, with its ends moving as solved
(`find_tension`); where that differs from the multiplier, or from the guess, the next pass starts from it.
"""

from __future__ import annotations

import math

from taut.cables.layered.chord import add_masses, point_speed, push_at
from taut.cables.layered.columns import (
    C_ARM_A,
    C_ARM_B,
    C_CHORD,
    C_CROSS,
    C_FIRST,
    C_MASS,
    C_OWN,
    C_PART_A,
    C_PART_B,
    C_SECOND,
    C_SUMS,
    C_WEIGHT_A,
    C_WEIGHT_B,
    L_KNOWN,
    L_RATE,
    L_STIFFNESS,
    L_STRETCH,
    L_TAU,
    R_ADDED_SIDE,
    R_ADDED_SIGMA,
    R_CHANGE,
    R_CHORDS,
    R_EXPECTED,
    R_LAW_SIDE,
    R_LAW_SIGMA,
    R_MODES_SIDE,
    R_MODES_SIGMA,
    R_PLAIN_SIDE,
    R_PLAIN_SIGMA,
    R_RATES,
    R_STRETCH,
    S_AA,
    S_AB,
    S_COUNT,
    S_FA,
    S_FB,
    S_GA,
    S_GB,
    S_GF,
    S_GG,
    S_GP,
    V_COUNT,
    V_FIRST,
    V_PAIR,
    V_ROPE,
    Y_DAMPING,
    Y_DENSITY,
    Y_EXPLICIT,
    Y_SPAN,
)
from taut.cables.layered.lay import end_changes, rates_of_group, segment_spans, spans_end
from taut.cables.layered.modes import condense_modes
from taut.cables.layered.tension import find_tension, one_sided
from taut.cables.layered.thrown import throw_modes, thrown_sums
from taut.cables.massless.columns import A_ROWS, N_BLOCK, N_BODY, P_PAIRS, P_SEGMENT, P_SOFTNESS, P_TAU
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, HIGH
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_DYNAMIC,
    BODY_NEW,
    BODY_NODE,
    BODY_VEL,
    G_BLOCK,
    G_DIM,
    G_START,
    GROUP_INT,
    JAC,
    JOINT_INT,
    MODE_WORK,
    NODE_BLOCK,
    NODE_RHS,
    PAIR_BLOCK,
    PART_INT,
    PART_PLACE,
    POINT_JACOBIANS,
    R_COUPLE,
    R_RHS,
    R_SIGMA,
    ROPE_BROKEN,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_PAIR,
    ROW,
    ROW_BOUND,
    ROW_LAM,
    SPAN_WORK,
    WAVE_JAC,
    WAVE_LAW,
    WAVE_MODE,
    WAVE_ROW,
    WAVE_RULE,
    WAVE_SPAN,
)

#: agreement of multiplier and tension at which the outer passes end, relative to it and to the weight of the rope, and of the
#: tension with its guess
AGREED, LIGHT, GUESSED = 1e-5, 1e-4, 1e-2
#: part of a step for which a slack rope is taken to become taut at first
SHORTEST = 0.05
#: for the size of a rope's weight [m/s^2]
STANDARD_GRAVITY = 9.81


@kernel
def keep_jacobian(g, w, back):
    """Copy the Jacobian of a rope's group to where it is kept, or back from there."""
    group, block, jac, kept = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), column(w, WAVE_JAC)
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        for k in range(block[e, B_AT], block[e, B_AT] + 6 * group[g, G_DIM]):
            if back:
                jac[k] = kept[k]
            else:
                kept[k] = jac[k]


@kernel
def put_masses(k, own, cross, m, w):
    """Masses of span k across its chord into the blocks of its two bodies."""
    span, part, node_of, rope = (
        index_table(m, WAVE_SPAN), index_table(m, PART_INT), indices(m, BODY_NODE), index_table(m, ROPE_INT),
    )  # fmt: skip
    out, group = table(w, SPAN_WORK)[k], index_table(w, GROUP_INT)
    p, q, r = int(out[C_PART_A]), int(out[C_PART_B]), span[k, V_ROPE]
    ra, rb, pair = out[C_ARM_A : C_ARM_A + 3], out[C_ARM_B : C_ARM_B + 3], span[k, V_PAIR]
    if rope[r, P_PAIRS] >= 0:
        # spans come and go: any two bodies of the rope may share one, kept with those of the lower block first
        g = index_table(m, JOINT_INT).shape[0] + r
        blocks = group[g + 1, G_BLOCK] - group[g, G_BLOCK]
        pair = indices(m, ROPE_PAIR)[rope[r, P_PAIRS] + part[p, N_BLOCK] * blocks + part[q, N_BLOCK]]
        if part[p, N_BLOCK] > part[q, N_BLOCK]:
            p, q, ra, rb = q, p, rb, ra
    na, nb = node_of[part[p, N_BODY]], node_of[part[q, N_BODY]]
    add_masses(
        table(w, NODE_BLOCK), table(w, PAIR_BLOCK), pair, table(w, POINT_JACOBIANS), na, nb, ra, rb,
        out[C_CHORD : C_CHORD + 3], own, cross,
    )  # fmt: skip


@kernel
def _put_into_bodies(k, m, s, w, h):
    """Masses, forces and weight of span k into the blocks and right sides of its two bodies."""
    part, node_of = index_table(m, PART_INT), indices(m, BODY_NODE)
    vel, new, out, rhs = table(s, BODY_VEL), table(w, BODY_NEW), table(w, SPAN_WORK)[k], table(w, NODE_RHS)
    a, b = part[int(out[C_PART_A]), N_BODY], part[int(out[C_PART_B]), N_BODY]
    na, nb = node_of[a], node_of[b]
    total = out[C_SUMS : C_SUMS + S_COUNT]
    ra, rb = out[C_ARM_A : C_ARM_A + 3], out[C_ARM_B : C_ARM_B + 3]
    own, cross = out[C_MASS] / 3.0 - total[S_AA], out[C_MASS] / 6.0 - total[S_AB]
    out[C_OWN], out[C_CROSS] = own, cross
    if na < 0 and nb < 0:
        return
    put_masses(k, own, cross, m, w)
    va, vb = point_speed(vel[a], ra[0], ra[1], ra[2]), point_speed(vel[b], rb[0], rb[1], rb[2])
    # where the motion of an end is given, its new velocity is known
    ga = (0.0, 0.0, 0.0) if na >= 0 else point_speed(new[a], ra[0], ra[1], ra[2])
    gb = (0.0, 0.0, 0.0) if nb >= 0 else point_speed(new[b], rb[0], rb[1], rb[2])
    for side in range(2):
        node, arm = (na, ra) if side == 0 else (nb, rb)
        if node < 0:
            continue
        x, y, z = 0.0, 0.0, 0.0
        for d in range(2):
            e = out[C_FIRST : C_FIRST + 3] if d == 0 else out[C_SECOND : C_SECOND + 3]
            wa, wb = va[0] * e[0] + va[1] * e[1] + va[2] * e[2], vb[0] * e[0] + vb[1] * e[1] + vb[2] * e[2]
            wa -= ga[0] * e[0] + ga[1] * e[1] + ga[2] * e[2]
            wb -= gb[0] * e[0] + gb[1] * e[1] + gb[2] * e[2]
            if side == 0:
                f = own * wa + cross * wb - total[S_FA + d]
            else:
                f = cross * wa + own * wb - total[S_FB + d]
            x, y, z = x + f * e[0], y + f * e[1], z + f * e[2]
        weight = out[C_WEIGHT_A : C_WEIGHT_A + 3] if side == 0 else out[C_WEIGHT_B : C_WEIGHT_B + 3]
        push_at(rhs[node], 0, arm[0], arm[1], arm[2], x + h * weight[0], y + h * weight[1], z + h * weight[2])


@kernel
def _put_into_row(k, g, tension, m, s, w):
    """Jacobian of the row of span k without what its waves take over; returns that part times the old velocities."""
    part, vel, out = index_table(m, PART_INT), table(s, BODY_VEL), table(w, SPAN_WORK)[k]
    group, block, jac = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC)
    taken = 0.0
    for side in range(2):
        arm = out[C_ARM_A : C_ARM_A + 3] if side == 0 else out[C_ARM_B : C_ARM_B + 3]
        at = C_SUMS + (S_GA if side == 0 else S_GB)
        one, two = out[at], out[at + 1]
        x = one * out[C_FIRST] + two * out[C_SECOND]
        y = one * out[C_FIRST + 1] + two * out[C_SECOND + 1]
        z = one * out[C_FIRST + 2] + two * out[C_SECOND + 2]
        p = int(out[C_PART_A + side])
        body = part[p, N_BODY]
        v = point_speed(vel[body], arm[0], arm[1], arm[2])
        taken += x * v[0] + y * v[1] + z * v[2]
        at = block[group[g, G_BLOCK] + part[p, N_BLOCK], B_AT] + 6 * tension
        push_at(jac, at, arm[0], arm[1], arm[2], -x, -y, -z)
    return taken


@kernel
def _stiffness(r, n, m, s):
    """EA/L of a segment [N/m]."""
    return 1.0 / (table(m, ROPE_LAW)[r, P_SOFTNESS] * max(column(s, ROPE_LENGTH)[n], 1e-9))


@kernel
def _law(settings, r, n, seg, moves, m, s, h, extra):
    """Sigma and right side of a segment's row: the tangent of its tension at the change of stretch guessed so far.

    With e the rate of chords, flows and waves, z+ - z = (h/2)(e + e+) and T = T0 + T' ((z+ - z) - change0):
    e+ + lam 2/(h^2 T') = (2/h) change0 - e - 2 T0/(h T').
    """
    k, tau = _stiffness(r, n, m, s), max(table(m, ROPE_LAW)[r, P_TAU], (settings.floor + extra) * h)
    rate, z, change = seg[R_CHORDS] + moves, seg[R_STRETCH], seg[R_CHANGE]
    if math.isnan(change):
        change, seg[R_RATES] = h * rate, rate
    # chords carry most of the rate that is damped: z'+ = 2 (z+ - z)/h - z'
    pull, slope = one_sided(k, tau, z, change, seg[R_RATES], 2.0, h)
    if pull == 0.0:
        # slack so far: it may become taut for a small part of the step
        slope = 0.5 * k * SHORTEST
        change = -z
    # a rope that was taut by a hair goes slack at once: its tangent is all but flat, and Sigma with it without bound. What is put into a
    # row is taken out again in the next pass: a huge number would take the digits of the row along
    slope = max(slope, 0.5 * k * SHORTEST * SHORTEST)
    sigma = 2.0 / (h * h * slope)
    return sigma, 2.0 * change / h - rate - sigma * h * pull


@kernel
def condense_waves(settings, m, s, w, h, extra):
    """All waves into rows and bodies, from the tensions and positions guessed so far."""
    rope, law, span = index_table(m, ROPE_INT), table(m, WAVE_LAW), index_table(m, WAVE_SPAN)
    place, work, seg, row = table(w, PART_PLACE), table(w, SPAN_WORK), table(w, WAVE_ROW), table(w, ROW)
    joints, group, pairs = index_table(m, JOINT_INT).shape[0], index_table(w, GROUP_INT), table(w, PAIR_BLOCK)
    if settings.geometric == 0.0:
        for k in range(pairs.shape[0]):
            for c in range(36):
                pairs[k, c] = 0.0
    for r in range(rope.shape[0]):
        if law[r, Y_DENSITY] == 0.0:
            continue
        g, first, last = joints + r, int(law[r, Y_SPAN]), spans_end(r, m, s)
        start = group[g, G_START]
        keep_jacobian(g, w, True)
        for j in range(index_table(s, ROPE_LIVE)[r, A_ROWS]):
            i, n = start + j, rope[r, P_SEGMENT] + j
            low, high = segment_spans(first, last, j, work, place)
            squares, moves, forces = 0.0, 0.0, 0.0
            if law[r, Y_EXPLICIT] > 0.0:
                for k in range(low, high):
                    thrown_sums(
                        table(s, WAVE_MODE), span[k, V_FIRST], span[k, V_COUNT], work[k], seg[n, R_EXPECTED], law[r, Y_DAMPING], h,
                        work[k, C_SUMS : C_SUMS + S_COUNT],
                    )  # fmt: skip
                    _put_into_bodies(k, m, s, w, h)
                continue
            for k in range(low, high):
                out = work[k]
                condense_modes(
                    table(s, WAVE_MODE), table(w, MODE_WORK), span[k, V_FIRST], span[k, V_COUNT], out, seg[n, R_EXPECTED],
                    law[r, Y_DAMPING], h, out[C_SUMS : C_SUMS + S_COUNT],
                )  # fmt: skip
                _put_into_bodies(k, m, s, w, h)
                forces += _put_into_row(k, g, j, m, s, w) + out[C_SUMS + S_GF]
                squares += out[C_SUMS + S_GG]
                moves += out[C_SUMS + S_GP]
            sigma, side = _law(settings, r, n, seg[n], moves, m, s, h, extra)
            more, other = sigma - seg[n, R_PLAIN_SIGMA] + squares, side - seg[n, R_PLAIN_SIDE] - moves - forces
            row[i, R_SIGMA] += more - seg[n, R_ADDED_SIGMA]
            row[i, R_RHS] += other - seg[n, R_ADDED_SIDE]
            seg[n, R_ADDED_SIGMA], seg[n, R_ADDED_SIDE] = more, other
            seg[n, R_MODES_SIGMA], seg[n, R_MODES_SIDE] = squares, -moves - forces
            seg[n, R_LAW_SIGMA], seg[n, R_LAW_SIDE] = sigma, side
        rates_of_group(g, m, s, w)


@kernel
def chord_rate(g, i, w):
    """Rate of row i of group g over this step by the Jacobian that is kept."""
    group, block, kept, new = (
        index_table(w, GROUP_INT),
        index_table(w, BLOCK_INT),
        column(w, WAVE_JAC),
        table(w, BODY_NEW),
    )
    rate = 0.0
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        at, body = block[e, B_AT] + 6 * (i - group[g, G_START]), block[e, B_BODY]
        for c in range(6):
            rate += kept[at + c] * new[body, c]
    return rate


@kernel
def _moves_bodies(g, m, w):
    """Whether a rope touches a body that its tension can move."""
    group, block, dynamic = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), indices(m, BODY_DYNAMIC)
    found = False
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        found = found or dynamic[block[e, B_BODY]] == 1
    return found


@kernel
def restore_waves(settings, m, s, w, h, extra):
    """Tension and waves of every segment with the ends moving as solved; 1 when another pass is needed."""
    rope, law, span, part = (
        index_table(m, ROPE_INT), table(m, WAVE_LAW), index_table(m, WAVE_SPAN), index_table(m, PART_INT),
    )  # fmt: skip
    place, work, seg, row = table(w, PART_PLACE), table(w, SPAN_WORK), table(w, WAVE_ROW), table(w, ROW)
    lam, bound, rule = column(s, ROW_LAM), indices(s, ROW_BOUND), column(w, WAVE_RULE)
    joints, group = index_table(m, JOINT_INT).shape[0], index_table(w, GROUP_INT)
    again = 0
    for r in range(rope.shape[0]):
        if law[r, Y_DENSITY] == 0.0:
            continue
        g, first, last = joints + r, int(law[r, Y_SPAN]), spans_end(r, m, s)
        start, coupled = group[g, G_START], _moves_bodies(g, m, w)
        for k in range(first, last):
            end_changes(part, table(s, BODY_VEL), table(w, BODY_NEW), work[k])
        for j in range(index_table(s, ROPE_LIVE)[r, A_ROWS]):
            i, n = start + j, rope[r, P_SEGMENT] + j
            low, high = segment_spans(first, last, j, work, place)
            if law[r, Y_EXPLICIT] > 0.0:
                for k in range(low, high):
                    throw_modes(
                        table(s, WAVE_MODE), table(w, MODE_WORK), span[k, V_FIRST], span[k, V_COUNT], work[k], seg[n, R_EXPECTED],
                        law[r, Y_DAMPING], h,
                    )  # fmt: skip
                continue
            if indices(s, ROPE_BROKEN)[n] == 1:
                continue
            # what flows add to the rate: the row's Sigma and right side without its own and without the waves'
            flows = seg[n, R_LAW_SIDE] + seg[n, R_MODES_SIDE] - row[i, R_RHS]
            flows += (row[i, R_SIGMA] - seg[n, R_LAW_SIGMA] - seg[n, R_MODES_SIGMA]) * lam[i]
            if row[i, R_COUPLE] != 0.0:
                flows += row[i, R_COUPLE] * lam[i + 1]
            if j > 0 and row[i - 1, R_COUPLE] != 0.0:
                flows += row[i - 1, R_COUPLE] * lam[i - 1]
            rule[L_KNOWN] = 0.5 * (seg[n, R_CHORDS] + chord_rate(g, i, w) + flows)
            rule[L_STRETCH], rule[L_STIFFNESS] = seg[n, R_STRETCH], _stiffness(r, n, m, s)
            rule[L_TAU] = max(table(m, ROPE_LAW)[r, P_TAU], (settings.floor + extra) * h)
            rule[L_RATE] = 2.0 * rule[L_KNOWN] - seg[n, R_CHORDS]
            solved = max(-lam[i] / h, 0.0)
            tension, longer, _ = find_tension(
                table(s, WAVE_MODE), table(w, MODE_WORK), work, low, high, span[low, V_FIRST], span[low, V_COUNT], solved, rule,
                law[r, Y_DAMPING], h,
            )  # fmt: skip
            seg[n, R_CHANGE], seg[n, R_RATES] = h * rule[L_KNOWN] + longer, rule[L_RATE] + longer / h
            if not coupled:
                lam[i] = -h * tension
                bound[i] = FREE if tension > 0.0 else HIGH
            else:
                size, least = max(tension, solved), 0.0
                for k in range(low, high):
                    least += LIGHT * work[k, C_MASS] * STANDARD_GRAVITY
                if (
                    abs(tension - solved) > AGREED * size + least
                    or abs(tension - seg[n, R_EXPECTED]) > GUESSED * size + least
                ):
                    again = 1
            seg[n, R_EXPECTED] = tension
    return again
