"""Before the solve: where every layered span lies, what it weighs, how its rope runs along itself, and a first guess of its waves.

Mass along the span moves with its own mean speed c (the rope runs over its parts). With u_j the chords, f the flow over the
part at which the segment begins and e' its rate of stretch,

    c_k = f + u_1 . v(A_1) + sum_j (u_j . v(A_j) - u_(j-1) . v(B_(j-1))) + (share of the path before the middle) e'

an inertia m c'^2/2 that couples all bodies of the segment. It is the velocity row c+ + lam/m = c: no fill in the mass matrix.

Weight: the rope of a segment hangs from the potential -m g . r, r the mean of its spans' centres weighted by length, so that its
ends feel T + rho g (z - z_mean): half of each span's weight, and along the chord what other spans of the segment put on it. The
waves shift a span's centre by D = sum 2/(n pi) q_n (odd n); that turns with the chord: m (g.u) D/l on the ends, one each way.
"""

from __future__ import annotations

import math

from taut.cables.layered.chord import point_speed, push_at
from taut.cables.layered.columns import (
    C_ARC,
    C_ARM_A,
    C_ARM_B,
    C_CHORD,
    C_ENDS,
    C_FIRST,
    C_FLOW,
    C_FLOW_NEW,
    C_GRAVITY,
    C_LENGTH,
    C_MASS,
    C_PART_A,
    C_PART_B,
    C_ROW,
    C_SECOND,
    C_WEIGHT_A,
    C_WEIGHT_B,
    M_Q,
    R_ADDED_SIDE,
    R_ADDED_SIGMA,
    R_CHANGE,
    R_CHORDS,
    R_EXPECTED,
    R_PLAIN_SIDE,
    R_PLAIN_SIGMA,
    R_STRETCH,
    V_AXIAL,
    V_COUNT,
    V_FIRST,
    Y_DENSITY,
    Y_EXPLICIT,
    Y_SPAN,
    Y_SPAN_END,
    Y_WARPED,
    Z_CHORD,
    Z_FIRST,
)
from taut.cables.layered.frame import carry_direction
from taut.cables.layered.modes import begin_modes, clear_modes
from taut.cables.layered.thrown import bend_now, passes_gate
from taut.cables.massless.columns import (
    A_PARTS,
    A_ROWS,
    F_FLOW,
    F_STATUS,
    F_TARGET,
    HELD,
    N_BLOCK,
    N_BODY,
    N_TRANSFER,
    N_WRAP,
    P_FIRST,
    P_FLOOR,
    P_SEGMENT,
    P_SOFTNESS,
    P_TAU,
    W_ARRIVES,
    W_CENTRE,
    W_LEAVES,
    W_SEGMENT,
)
from taut.cables.massless.rows import segment_law
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_DYNAMIC,
    BODY_NEW,
    BODY_POS,
    BODY_VEL,
    G_BLOCK,
    G_DIM,
    G_START,
    GROUP_INT,
    JAC,
    JOINT_INT,
    MODE_WORK,
    PART_INT,
    PART_PLACE,
    R_COUPLE,
    R_FLOOR,
    R_HELD,
    R_HIGH,
    R_LOW,
    R_RATE,
    R_RHS,
    R_SIGMA,
    R_TENSION,
    ROPE_BROKEN,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_ORDER,
    ROPE_RATE,
    ROW,
    ROW_AGE,
    ROW_LAM,
    ROW_PHI,
    SPAN_WORK,
    TRANSFER_STATE,
    WAVE_FRAME,
    WAVE_JAC,
    WAVE_LAW,
    WAVE_MODE,
    WAVE_ROW,
    WAVE_SPAN,
    WAVE_TENSION,
)
from taut.core.rows import row_rates

#: a chord shorter than this is taken as that long and straight [m]
SHORTEST = 1e-3
#: what is left of the mass of a parted segment
PARTED = 1e-9
#: least part of a span's chord that its unstretched rope is taken to be, where a part has run up to the end of its rope
LEAST = 1e-3


@kernel
def span_mass(density, length, unstretched, path):
    """Mass of a span [kg]: its share of the unstretched rope (see strings.mass_ratio)."""
    return density * length * max(unstretched / max(path, SHORTEST), LEAST)


@kernel
def spans_end(r, m, s):
    """One beyond the last span of a rope that is there now."""
    return int(table(m, WAVE_LAW)[r, Y_SPAN]) + index_table(s, ROPE_LIVE)[r, A_PARTS] - 1


@kernel
def _place_span(k, p, q, part, place, pos, frame, out):
    """Chord, frame and arms of span k from part p to part q."""
    a, b = part[p, N_BODY], part[q, N_BODY]
    x, y, z = (
        place[q, W_ARRIVES] - place[p, W_LEAVES],
        place[q, W_ARRIVES + 1] - place[p, W_LEAVES + 1],
        place[q, W_ARRIVES + 2] - place[p, W_LEAVES + 2],
    )
    out[C_PART_A], out[C_PART_B] = p, q
    # on the axis of a wheel: rope that runs over it turns only the wheel. A wrap is where it touches its body
    from_a = W_LEAVES if part[p, N_WRAP] >= 0 else W_CENTRE
    from_b = W_ARRIVES if part[q, N_WRAP] >= 0 else W_CENTRE
    length = math.sqrt(x * x + y * y + z * z)
    u, f = frame[k, Z_CHORD : Z_CHORD + 3], frame[k, Z_FIRST : Z_FIRST + 3]
    if length > SHORTEST:
        x, y, z = x / length, y / length, z / length
        f[0], f[1], f[2] = carry_direction(f[0], f[1], f[2], u[0], u[1], u[2], x, y, z)
        u[0], u[1], u[2] = x, y, z
    out[C_LENGTH] = max(length, SHORTEST)
    for c in range(3):
        out[C_CHORD + c], out[C_FIRST + c] = u[c], f[c]
        out[C_ARM_A + c] = place[p, from_a + c] - pos[a, c]
        out[C_ARM_B + c] = place[q, from_b + c] - pos[b, c]
    out[C_SECOND], out[C_SECOND + 1], out[C_SECOND + 2] = (
        u[1] * f[2] - u[2] * f[1], u[2] * f[0] - u[0] * f[2], u[0] * f[1] - u[1] * f[0],
    )  # fmt: skip


@kernel
def end_changes(part, vel, new, out):
    """Change of the velocity of both ends of a span along its two directions."""
    for side in range(2):
        body, arm = part[int(out[C_PART_A + side]), N_BODY], C_ARM_A if side == 0 else C_ARM_B
        r = out[arm : arm + 3]
        one, two = point_speed(vel[body], r[0], r[1], r[2]), point_speed(new[body], r[0], r[1], r[2])
        dx, dy, dz = two[0] - one[0], two[1] - one[1], two[2] - one[2]
        out[C_ENDS + 2 * side] = dx * out[C_FIRST] + dy * out[C_FIRST + 1] + dz * out[C_FIRST + 2]
        out[C_ENDS + 2 * side + 1] = dx * out[C_SECOND] + dy * out[C_SECOND + 1] + dz * out[C_SECOND + 2]


@kernel
def centre_shift(mode, first, count, out, back):
    """How far the waves shift the centre of a span [m]; modes at q - back p."""
    x, y = 0.0, 0.0
    for k in range(0, count, 2):
        w = 2.0 / (math.pi * (k + 1))
        x += w * (mode[first + k, M_Q] - back * mode[first + k, M_Q + 2])
        y += w * (mode[first + k, M_Q + 1] - back * mode[first + k, M_Q + 3])
    return (
        x * out[C_FIRST] + y * out[C_SECOND],
        x * out[C_FIRST + 1] + y * out[C_SECOND + 1],
        x * out[C_FIRST + 2] + y * out[C_SECOND + 2],
    )


@kernel
def centre_height(k, gravity, mode, span, place, out):
    """g . r of the centre of span k, waves included."""
    p, q, found = int(out[C_PART_A]), int(out[C_PART_B]), 0.0
    shift = centre_shift(mode, span[k, V_FIRST], span[k, V_COUNT], out, 0.0)
    for c in range(3):
        found += gravity[c] * (0.5 * (place[p, W_LEAVES + c] + place[q, W_ARRIVES + c]) + shift[c])
    return found


@kernel
def _weigh(gravity, mode, span, place, work, first, last):
    """Weight on both ends of the spans of a segment."""
    path, height = 0.0, 0.0
    for k in range(first, last):
        path += work[k, C_LENGTH]
        height += work[k, C_LENGTH] * centre_height(k, gravity, mode, span, place, work[k])
    height /= path
    for k in range(first, last):
        out, along = work[k], 0.0
        for c in range(3):
            along += gravity[c] * out[C_CHORD + c]
        head = (centre_height(k, gravity, mode, span, place, out) - height) * out[C_MASS] / out[C_LENGTH]
        turn = along * out[C_MASS] / out[C_LENGTH]
        shift = centre_shift(mode, span[k, V_FIRST], span[k, V_COUNT], out, 0.0)
        for c in range(3):
            half = 0.5 * out[C_MASS] * gravity[c]
            out[C_WEIGHT_A + c] = half - head * out[C_CHORD + c] + turn * shift[c]
            out[C_WEIGHT_B + c] = half + head * out[C_CHORD + c] - turn * shift[c]


@kernel
def _axial_rows(first, last, g, i, m, s, w, flow_in, flow_out):
    """Rows of the rope's motion along the spans of a segment, whose tension is row i of group g."""
    span, part = index_table(m, WAVE_SPAN), index_table(m, PART_INT)
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    work, begin, lam = table(w, SPAN_WORK), group[g, G_BLOCK], column(s, ROW_LAM)
    tension = i - group[g, G_START]
    path, passed = 0.0, 0.0
    for k in range(first, last):
        path += work[k, C_LENGTH]
    for k in range(first, last):
        out, axial = work[k], span[k, V_AXIAL]
        share = (passed + 0.5 * out[C_LENGTH]) / path
        passed += out[C_LENGTH]
        for e in range(begin, group[g + 1, G_BLOCK]):
            at = block[e, B_AT]
            for c in range(6):
                jac[at + 6 * axial + c] = share * jac[at + 6 * tension + c]
        for j in range(first, k + 1):
            x = work[j]
            at = block[begin + part[int(x[C_PART_A]), N_BLOCK], B_AT] + 6 * axial
            push_at(jac, at, x[C_ARM_A], x[C_ARM_A + 1], x[C_ARM_A + 2], x[C_CHORD], x[C_CHORD + 1], x[C_CHORD + 2])
            if j < k:
                at = block[begin + part[int(x[C_PART_B]), N_BLOCK], B_AT] + 6 * axial
                push_at(
                    jac, at, x[C_ARM_B], x[C_ARM_B + 1], x[C_ARM_B + 2], -x[C_CHORD], -x[C_CHORD + 1], -x[C_CHORD + 2]
                )
        out[C_FLOW] = (1.0 - share) * flow_in[0] + share * flow_out[0]
        out[C_FLOW_NEW] = (1.0 - share) * flow_in[1] + share * flow_out[1]
        r = group[g, G_START] + axial
        row[r, R_SIGMA], row[r, R_FLOOR], row[r, R_HELD], row[r, R_COUPLE] = 1.0 / out[C_MASS], 0.0, lam[r], 0.0
        row[r, R_LOW], row[r, R_HIGH] = -math.inf, math.inf


@kernel
def _flows(t, state):
    """Flow over a transfer that holds, in the last step and in this one; what runs has its inertia with the transfer."""
    if t < 0 or state[t, F_STATUS] != HELD:
        return 0.0, 0.0
    return state[t, F_FLOW], state[t, F_TARGET]


@kernel
def rates_of_group(g, m, s, w):
    """Rates of all rows of a rope with the Jacobian at hand."""
    dynamic, vel, new = indices(m, BODY_DYNAMIC), table(s, BODY_VEL), table(w, BODY_NEW)
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        body = block[e, B_BODY]
        row_rates(
            row, group[g, G_START], group[g, G_DIM], jac, block[e, B_AT], vel[body], new[body], dynamic[body] == 0,
            e == group[g, G_BLOCK],
        )  # fmt: skip


@kernel
def segment_spans(first, last, segment, work, place):
    """First span of a segment and one beyond its last, among those of its rope that are there."""
    low = first
    while low < last and int(place[int(work[low, C_PART_A]), W_SEGMENT]) != segment:
        low += 1
    high = low
    while high < last and int(place[int(work[high, C_PART_A]), W_SEGMENT]) == segment:
        high += 1
    return low, high


@kernel
def lay_waves(settings, m, s, w, h, extra):
    """Place, weigh and guess all layered spans, and fill the rows of their motion along themselves."""
    rope, law, span, part = (
        index_table(m, ROPE_INT), table(m, WAVE_LAW), index_table(m, WAVE_SPAN), index_table(m, PART_INT),
    )  # fmt: skip
    place, work, modes, seg = table(w, PART_PLACE), table(w, SPAN_WORK), table(w, MODE_WORK), table(w, WAVE_ROW)
    pos, mode, frame, unstretched = (
        table(s, BODY_POS), table(s, WAVE_MODE), table(s, WAVE_FRAME), column(s, ROPE_LENGTH),
    )  # fmt: skip
    phi, row, group, flow = column(s, ROW_PHI), table(w, ROW), index_table(w, GROUP_INT), table(s, TRANSFER_STATE)
    broken, ropes, rates, age = indices(s, ROPE_BROKEN), table(m, ROPE_LAW), column(w, ROPE_RATE), indices(s, ROW_AGE)
    block, jac, kept = index_table(w, BLOCK_INT), column(w, JAC), column(w, WAVE_JAC)
    joints, mean = index_table(m, JOINT_INT).shape[0], column(s, WAVE_TENSION)
    order, live = indices(s, ROPE_ORDER), index_table(s, ROPE_LIVE)
    gravity = (settings.gravity_x, settings.gravity_y, settings.gravity_z)
    for r in range(rope.shape[0]):
        if law[r, Y_DENSITY] == 0.0:
            continue
        g, first, last = joints + r, int(law[r, Y_SPAN]), spans_end(r, m, s)
        start = group[g, G_START]
        for k in range(first, last):
            at = rope[r, P_FIRST] + k - first
            _place_span(k, order[at], order[at + 1], part, place, pos, frame, work[k])
        for k in range(last, int(law[r, Y_SPAN_END])):
            _idle_row(start + span[k, V_AXIAL], row)
        for j in range(live[r, A_ROWS]):
            i, n = start + j, rope[r, P_SEGMENT] + j
            low, high = segment_spans(first, last, j, work, place)
            seg[n, R_EXPECTED] = max(-row[i, R_TENSION] / h, 0.0)
            seg[n, R_ADDED_SIGMA], seg[n, R_ADDED_SIDE] = 0.0, 0.0
            compliance = ropes[r, P_SOFTNESS] * max(unstretched[n], 0.0)
            seg[n, R_PLAIN_SIGMA], seg[n, R_PLAIN_SIDE] = segment_law(
                settings,
                h,
                phi[i],
                row[i, R_RATE] + rates[n],
                compliance,
                ropes[r, P_TAU],
                ropes[r, P_FLOOR],
                age[i],
                extra,
            )
            for k in range(low, high):
                out = work[k]
                density = law[r, Y_DENSITY]
                if broken[n] == 1:
                    density *= PARTED
                if broken[n] == 1 or out[C_LENGTH] <= SHORTEST:
                    clear_modes(mode, span[k, V_FIRST], span[k, V_COUNT])
                out[C_MASS] = span_mass(density, out[C_LENGTH], unstretched[n], phi[i] + unstretched[n])
                out[C_ROW] = i
                for d in range(2):
                    e = C_FIRST if d == 0 else C_SECOND
                    out[C_GRAVITY + d] = gravity[0] * out[e] + gravity[1] * out[e + 1] + gravity[2] * out[e + 2]
                for c in range(4):
                    out[C_ENDS + c] = 0.0
                begin_modes(mode, modes, span[k, V_FIRST], span[k, V_COUNT], out, mean[n], law[r, Y_WARPED] > 0.0, h)
                _bend_pull(i - start, g, part, group, block, jac, out)
            _weigh(gravity, mode, span, place, work, low, high)
            entry, exit = int(work[low, C_PART_A]), int(work[high - 1, C_PART_B])
            _axial_rows(
                low, high, g, i, m, s, w, _flows(part[entry, N_TRANSFER], flow), _flows(part[exit, N_TRANSFER], flow)
            )
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            for c in range(6 * group[g, G_DIM]):
                kept[block[e, B_AT] + c] = jac[block[e, B_AT] + c]
        rates_of_group(g, m, s, w)
        for j in range(live[r, A_ROWS]):
            i, n = start + j, rope[r, P_SEGMENT] + j
            low, high = segment_spans(first, last, j, work, place)
            seg[n, R_CHORDS], seg[n, R_STRETCH] = row[i, R_RATE] + rates[n], phi[i]
            for k in range(low, high):
                seg[n, R_STRETCH] += work[k, C_ARC] - work[k, C_LENGTH]
            seg[n, R_STRETCH] -= 0.5 * h * seg[n, R_CHORDS]
            seg[n, R_CHANGE] = math.nan
        if law[r, Y_EXPLICIT] > 0.0:
            _known_tensions(r, first, last, start, m, s, w, h)
        for k in range(first, last):
            i = start + span[k, V_AXIAL]
            row[i, R_RHS] = row[i, R_RATE] + work[k, C_FLOW] - work[k, C_FLOW_NEW]


@kernel
def _known_tensions(r, first, last, start, m, s, w, h):
    """The explicit scheme: tensions of a rope from its stretch as the step begins, as the only ones that its rows may have."""
    rope, ropes, span = index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(m, WAVE_SPAN)
    place, work, seg, row = table(w, PART_PLACE), table(w, SPAN_WORK), table(w, WAVE_ROW), table(w, ROW)
    mode, unstretched, phi = table(s, WAVE_MODE), column(s, ROPE_LENGTH), column(s, ROW_PHI)
    for j in range(index_table(s, ROPE_LIVE)[r, A_ROWS]):
        i, n = start + j, rope[r, P_SEGMENT] + j
        low, high = segment_spans(first, last, j, work, place)
        stretch, rate = phi[i], seg[n, R_CHORDS]
        for k in range(low, high):
            longer, grows = bend_now(mode, span[k, V_FIRST], span[k, V_COUNT], work[k])
            stretch, rate = stretch + longer, rate + grows
        stiffness = 1.0 / (ropes[r, P_SOFTNESS] * max(unstretched[n], 1e-9))
        tension = max(stiffness * (stretch + ropes[r, P_TAU] * rate), 0.0) if stretch > 0.0 else 0.0
        if indices(s, ROPE_BROKEN)[n] == 1:
            tension = 0.0
        for k in range(low, high):
            if passes_gate(tension, work[k, C_MASS], work[k, C_LENGTH], span[k, V_COUNT], h):
                # suspended, as the paper has it
                clear_modes(mode, span[k, V_FIRST], span[k, V_COUNT])
        seg[n, R_EXPECTED] = tension
        row[i, R_LOW], row[i, R_HIGH] = -h * tension, -h * tension


@kernel
def _idle_row(i, row):
    """The row of a span that is not there: it holds nothing."""
    row[i, R_SIGMA], row[i, R_FLOOR], row[i, R_HELD], row[i, R_COUPLE], row[i, R_RHS] = 1.0, 0.0, 0.0, 0.0, 0.0
    row[i, R_LOW], row[i, R_HIGH] = -math.inf, math.inf


@kernel
def _bend_pull(tension, g, part, group, block, jac, out):
    """The pull of a bent span along its chord is T l/lhat: take the rest from the row's Jacobian."""
    p, q, less = int(out[C_PART_A]), int(out[C_PART_B]), out[C_LENGTH] / out[C_ARC] - 1.0
    x, y, z = less * out[C_CHORD], less * out[C_CHORD + 1], less * out[C_CHORD + 2]
    at = block[group[g, G_BLOCK] + part[p, N_BLOCK], B_AT] + 6 * tension
    push_at(jac, at, out[C_ARM_A], out[C_ARM_A + 1], out[C_ARM_A + 2], -x, -y, -z)
    at = block[group[g, G_BLOCK] + part[q, N_BLOCK], B_AT] + 6 * tension
    push_at(jac, at, out[C_ARM_B], out[C_ARM_B + 1], out[C_ARM_B + 2], x, y, z)
