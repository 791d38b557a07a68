"""Rows of massless ropes: one per segment, the run of rope between two parts that hold it back.

    phi = (length of its spans and arcs) - (unstretched length L),   compliance L / EA,   tension only

Rings and sheaves without loss or inertia merge their spans into one segment (paper 0). Any other part is a transfer: rope
flows over it with the speed f (unstretched metres per second, towards the end of the route), so that

    d(phi)/dt = G v - f_in + f_out.

Either the flow is held (f given: a drum that turns as told, a sheave that sticks), or it runs against a known force q
with the mass m that turns along: m (f+ - f) = lam_before - lam_after - h q. Then f+ is condensed into the two rows,
Sigma += [1 -1; -1 1] / m. (lam is negative in tension.)
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    A_PARTS,
    A_ROWS,
    DRUM,
    F_FLOW,
    F_FORCE,
    F_STATUS,
    F_TARGET,
    HELD,
    L_AFTER,
    L_BEFORE,
    N_BLOCK,
    N_BODY,
    N_KIND,
    N_MIDDLE,
    N_RADIUS,
    N_TRANSFER,
    N_TURN,
    N_WRAP,
    O_KINKED,
    P_FIRST,
    P_FLOOR,
    P_HOOK,
    P_LAY,
    P_REACH,
    P_SEGMENT,
    P_SEGMENTS,
    P_SOFTNESS,
    P_TAU,
    P_TWIST,
    P_TWIST_FLOOR,
    P_TWIST_SOFTNESS,
    POINT_PART,
    T_MASS,
    T_SLIP,
    T_WINCH,
    W_AFTER,
    W_ARRIVES,
    W_AXIS,
    W_BEFORE,
    W_CENTRE,
    W_LEAVES,
    W_SEGMENT,
)
from taut.cables.massless.drum import V_SHIFT
from taut.cables.massless.geometry import place_part, span
from taut.cables.massless.twist import twist_row
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_DYNAMIC,
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    BODY_VEL,
    CONTROL,
    D_TARGET,
    DRIVE,
    DRIVE_CONTROL,
    G_BLOCK,
    G_DIM,
    G_START,
    GROUP_INT,
    JAC,
    JOINT_INT,
    PART_ANGLE,
    PART_FRAME,
    PART_INT,
    PART_PLACE,
    PART_PULL,
    R_COUPLE,
    R_FLOOR,
    R_HELD,
    R_HIGH,
    R_LOW,
    R_RATE,
    R_RHS,
    R_SIGMA,
    ROPE_BROKEN,
    ROPE_INT,
    ROPE_LAW,
    ROPE_LENGTH,
    ROPE_LIVE,
    ROPE_ORDER,
    ROPE_RATE,
    ROPE_TWIST,
    ROW,
    ROW_AGE,
    ROW_LAM,
    ROW_LAM_OLD,
    ROW_PHI,
    TRANSFER_HEAD,
    TRANSFER_INT,
    TRANSFER_LAW,
    TRANSFER_ROW,
    TRANSFER_STATE,
    WINCH_STATE,
)
from taut.core.rows import catch, expect_tension, holonomic, row_rates


@kernel
def arcs(k, part, frame, angle, place):
    """Length of rope on a wheel or wrap before and after the angle from which it is counted."""
    if part[k, N_WRAP] >= 0:
        return place[k, W_BEFORE], place[k, W_AFTER]
    if part[k, N_KIND] == POINT_PART:
        return 0.0, 0.0
    f = frame[k, N_RADIUS] * part[k, N_TURN]
    return f * (frame[k, N_MIDDLE] - angle[k, 0]), f * (angle[k, 1] - frame[k, N_MIDDLE])


@kernel
def _add_pull(jac, at, sign, pull, couple, px, py, pz, rx, ry, rz):
    """Add a force sign F at a point, and a couple, to one row of a body's block."""
    fx, fy, fz = sign * pull[0], sign * pull[1], sign * pull[2]
    x, y, z = rx - px, ry - py, rz - pz
    jac[at] += fx
    jac[at + 1] += fy
    jac[at + 2] += fz
    jac[at + 3] += y * fz - z * fy + couple[0]
    jac[at + 4] += z * fx - x * fz + couple[1]
    jac[at + 5] += x * fy - y * fx + couple[2]


@kernel
def place_on_body(k, m, s, w):
    """Place of a part that is no wrap in the world; a drum is moved along its axis to where the rope leads off now."""
    part, place = index_table(m, PART_INT), table(w, PART_PLACE)
    place_part(k, part, table(m, PART_FRAME), table(s, BODY_POS), table(s, BODY_QUAT), place)
    if part[k, N_KIND] == DRUM:
        shift = table(s, WINCH_STATE)[index_table(m, TRANSFER_INT)[part[k, N_TRANSFER], T_WINCH], V_SHIFT]
        for c in range(3):
            place[k, W_CENTRE + c] += shift * place[k, W_AXIS + c]


@kernel
def measure_rope(r, m, s, w, fill, g):
    """Lengths of the segments of rope r into its rows of phi (minus nothing yet); with `fill` also their Jacobian."""
    rope, part, frame = index_table(m, ROPE_INT), index_table(m, PART_INT), table(m, PART_FRAME)
    pos, angle = table(s, BODY_POS), table(s, PART_ANGLE)
    place, pull = table(w, PART_PLACE), column(w, PART_PULL)
    group, block, jac, phi = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), column(s, ROW_PHI)
    start, dim, first = group[g, G_START], group[g, G_DIM], group[g, G_BLOCK]
    for i in range(start, start + dim):
        phi[i] = 0.0
    if fill:
        for e in range(first, group[g + 1, G_BLOCK]):
            for k in range(6 * dim):
                jac[block[e, B_AT] + k] = 0.0
    order, parts = indices(s, ROPE_ORDER)[rope[r, P_FIRST] :], index_table(s, ROPE_LIVE)[r, A_PARTS]
    for i in range(parts):
        if part[order[i], N_WRAP] < 0:
            place_on_body(order[i], m, s, w)
    row = 0
    for i in range(parts - 1):
        k, n = order[i], order[i + 1]
        phi[start + row] += span(k, n, part, frame, place, angle, pull)
        place[k, W_SEGMENT] = row
        if fill:
            a, b = part[k, N_BODY], part[n, N_BODY]
            at = block[first + part[k, N_BLOCK], B_AT] + 6 * row
            p = place[k, W_LEAVES : W_LEAVES + 3]
            # the couple of the wheel turns with its body: + m1 n1 x d on the one that the rope leaves
            _add_pull(jac, at, -1.0, pull, pull[3:6], pos[a, 0], pos[a, 1], pos[a, 2], p[0], p[1], p[2])
            at = block[first + part[n, N_BLOCK], B_AT] + 6 * row
            p = place[n, W_ARRIVES : W_ARRIVES + 3]
            _add_pull(jac, at, 1.0, pull, pull[6:9], pos[b, 0], pos[b, 1], pos[b, 2], p[0], p[1], p[2])
        if i > 0 or part[k, N_TRANSFER] >= 0:
            phi[start + row] += arcs(k, part, frame, angle, place)[1]
        if i + 1 < parts - 1 or part[n, N_TRANSFER] >= 0:
            phi[start + row] += arcs(n, part, frame, angle, place)[0]
        if part[n, N_TRANSFER] >= 0:
            row += 1


@kernel
def add_transfer(t, sign, m, s, w, h):
    """Put (or with sign -1 take away) what a transfer adds to its two rows."""
    link, law, state, row = (
        index_table(s, TRANSFER_ROW), table(m, TRANSFER_LAW), table(s, TRANSFER_STATE), table(w, ROW),
    )  # fmt: skip
    a, b, head = link[t, L_BEFORE], link[t, L_AFTER], table(s, TRANSFER_HEAD)
    heavier = h * (head[t, 1] - head[t, 0])
    if state[t, F_STATUS] == HELD:
        # a drum may give way: f = target + xi (tension after - before), the velocity row of paper 0
        weight = law[t, T_SLIP] / h
        flow = state[t, F_TARGET] + weight * heavier
    else:
        weight = 1.0 / law[t, T_MASS]
        flow = state[t, F_FLOW] + weight * (heavier - h * state[t, F_STATUS] * state[t, F_FORCE])
    # what is taken away may have been a thousand million times what stays: the floor stands
    if a >= 0:
        row[a, R_SIGMA] = max(row[a, R_SIGMA] + sign * weight, row[a, R_FLOOR])
        row[a, R_RHS] -= sign * flow
    if b >= 0:
        row[b, R_SIGMA] = max(row[b, R_SIGMA] + sign * weight, row[b, R_FLOOR])
        row[b, R_RHS] += sign * flow
    if a >= 0 and b >= 0:
        row[a, R_COUPLE] -= sign * weight


@kernel
def _hook(r, start, m, s):
    """Hook a rope on or off as its control asks; it is hooked on only within reach, and never with a jerk."""
    rope, law, drive = index_table(m, ROPE_INT), table(m, ROPE_LAW), table(s, DRIVE)
    length, broken, phi = column(s, ROPE_LENGTH), indices(s, ROPE_BROKEN), column(s, ROW_PHI)
    first, count = rope[r, P_SEGMENT], rope[r, P_SEGMENTS]
    wanted = drive[rope[r, P_HOOK], D_TARGET] > 0.5
    path, total, off = 0.0, 0.0, False
    for k in range(count):
        path += phi[start + k]
        total += length[first + k]
        off = off or broken[first + k] == 1
    if wanted and off and path <= total + law[r, P_REACH]:
        for k in range(first, first + count):
            broken[k] = 0
            if path > total:
                length[k] *= path / total  # it takes up what it has to reach
    elif not wanted and not off:
        for k in range(first, first + count):
            broken[k] = 1


@kernel
def part_rope(r, segment, m, s):
    """A rope parts in a segment. With a hook it is off the hook: what asks for it would tie it again in the next step."""
    indices(s, ROPE_BROKEN)[segment] = 1
    hook = index_table(m, ROPE_INT)[r, P_HOOK]
    if hook >= 0:
        column(s, CONTROL)[indices(m, DRIVE_CONTROL)[hook]] = table(s, DRIVE)[hook, D_TARGET] = 0.0


@kernel
def _twist_law(settings, r, i, m, s, w, h, extra):
    """Compliance and right side of a twist row."""
    rope, law, length = index_table(m, ROPE_INT), table(m, ROPE_LAW), column(s, ROPE_LENGTH)
    phi, lam, row = column(s, ROW_PHI), column(s, ROW_LAM), table(w, ROW)
    out, whole = 0.0, 1
    for k in range(rope[r, P_SEGMENT], rope[r, P_SEGMENT] + rope[r, P_SEGMENTS]):
        out += length[k]
        whole = 0 if indices(s, ROPE_BROKEN)[k] == 1 else whole
    compliance = law[r, P_TWIST_SOFTNESS] * out
    sigma, rhs = holonomic(settings, h, phi[i], row[i, R_RATE], compliance, law[r, P_TAU], extra)
    row[i, R_FLOOR], row[i, R_HELD] = law[r, P_TWIST_FLOOR], lam[i]
    row[i, R_SIGMA] = sigma + law[r, P_TWIST_FLOOR]
    row[i, R_RHS] = rhs + law[r, P_TWIST_FLOOR] * lam[i]
    row[i, R_LOW], row[i, R_HIGH], row[i, R_COUPLE] = -math.inf, math.inf, 0.0
    if whole == 0 or table(s, ROPE_TWIST)[r, O_KINKED] == 1.0:
        row[i, R_LOW], row[i, R_HIGH] = 0.0, 0.0


@kernel
def _unlay(r, g, m, s, w):
    """The twist of a laid rope lengthens it: T = EA (e + k c), M = k T + (GJ - k^2 EA) c, k its torque per tension.

    With e + k c as what a segment stretches by, both rows are apart: tension-only holds as for any rope, and the energy
    EA (e + k c)^2/2 + (GJ - k^2 EA) c^2/2 goes smoothly through slack.
    """
    rope, law, length = index_table(m, ROPE_INT), table(m, ROPE_LAW), column(s, ROPE_LENGTH)
    group, block, jac, phi = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), column(s, ROW_PHI)
    count, start, out = rope[r, P_SEGMENTS], group[g, G_START], 0.0
    for k in range(count):
        out += length[rope[r, P_SEGMENT] + k]
    kinked = table(s, ROPE_TWIST)[r, O_KINKED] == 1.0
    for k in range(count):
        share = law[r, P_LAY] * length[rope[r, P_SEGMENT] + k] / max(out, 1e-9)
        phi[start + k] += share * phi[start + count]
        if not kinked:
            for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
                at = block[e, B_AT]
                for c in range(6):
                    jac[at + 6 * k + c] += share * jac[at + 6 * count + c]


@kernel
def segment_law(settings, h, phi, rate, compliance, tau, floor, age, extra):
    """Sigma and right side of a segment's row, floor not included; `age` says for how long it has been taut."""
    if age == 0:
        return catch(h, phi, rate, compliance)
    sigma, rhs = holonomic(settings, h, phi, rate, compliance, tau, extra)
    if age == 1 and settings.first_order == 0 and sigma < SOFT * floor / RIGID:
        _, rhs = holonomic(settings, h, phi, 0.0, compliance, tau, extra)
    return sigma, rhs


@kernel
def _moves(g, k, m, w):
    """Whether any body that forces move feels row k of a rope; a run between two fixed bollards has none."""
    group, block, jac, dynamic = (
        index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), indices(m, BODY_DYNAMIC),
    )  # fmt: skip
    for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
        if dynamic[block[e, B_BODY]] == 1:
            for c in range(6):
                if jac[block[e, B_AT] + 6 * k + c] != 0.0:
                    return True
    return False


@kernel
def assemble_ropes(settings, m, s, w, h, extra, twist):
    """All rows of all ropes but what their flows add; `twist` is None where no rope resists it: that code is then left out."""
    rope, law, transfer = index_table(m, ROPE_INT), table(m, ROPE_LAW), index_table(s, TRANSFER_ROW)
    dynamic, joints = indices(m, BODY_DYNAMIC), index_table(m, JOINT_INT).shape[0]
    vel, new, phi, lam = table(s, BODY_VEL), table(w, BODY_NEW), column(s, ROW_PHI), column(s, ROW_LAM)
    unstretched, broken, flow = column(s, ROPE_LENGTH), indices(s, ROPE_BROKEN), table(s, TRANSFER_STATE)
    old = column(s, ROW_LAM_OLD)
    age, rates = indices(s, ROW_AGE), column(w, ROPE_RATE)
    group, block, jac, row = index_table(w, GROUP_INT), index_table(w, BLOCK_INT), column(w, JAC), table(w, ROW)
    for r in range(rope.shape[0]):
        g = joints + r
        start, dim = group[g, G_START], group[g, G_DIM]
        measure_rope(r, m, s, w, True, g)
        if twist is not None:
            if rope[r, P_TWIST] == 1:
                twist_row(r, g, m, s, w, h)
                if law[r, P_LAY] != 0.0:
                    _unlay(r, g, m, s, w)
        for e in range(group[g, G_BLOCK], group[g + 1, G_BLOCK]):
            body = block[e, B_BODY]
            row_rates(
                row, start, dim, jac, block[e, B_AT], vel[body], new[body], dynamic[body] == 0, e == group[g, G_BLOCK]
            )
        for k in range(rope[r, P_SEGMENTS]):
            rates[rope[r, P_SEGMENT] + k] = 0.0
    for t in range(transfer.shape[0]):
        # the flows of the last step, as rates of the lengths
        if transfer[t, L_BEFORE] >= 0:
            rates[segment_of(m, w, transfer[t, L_BEFORE])] += flow[t, F_FLOW]
        if transfer[t, L_AFTER] >= 0:
            rates[segment_of(m, w, transfer[t, L_AFTER])] -= flow[t, F_FLOW]
    for r in range(rope.shape[0]):
        g = joints + r
        start = group[g, G_START]
        if rope[r, P_HOOK] >= 0:
            _hook(r, start, m, s)
        for k in range(rope[r, P_SEGMENTS]):
            i, segment = start + k, rope[r, P_SEGMENT] + k
            length = unstretched[segment]
            phi[i] -= length
            compliance = law[r, P_SOFTNESS] * max(length, 0.0)
            rate = row[i, R_RATE] + rates[segment]
            sigma, rhs = segment_law(
                settings, h, phi[i], rate, compliance, law[r, P_TAU], law[r, P_FLOOR], age[i], extra
            )
            floor = law[r, P_FLOOR] * (1.0 if _moves(g, k, m, w) else ALONE)
            row[i, R_FLOOR], row[i, R_HELD] = floor, lam[i]
            row[i, R_SIGMA] = sigma + floor
            row[i, R_RHS] = rhs + floor * lam[i]
            row[i, R_LOW], row[i, R_HIGH], row[i, R_COUPLE] = -math.inf, 0.0, 0.0
            if broken[segment] == 1 or k >= index_table(s, ROPE_LIVE)[r, A_ROWS]:
                row[i, R_LOW] = 0.0
        if twist is not None:
            if rope[r, P_TWIST] == 1:
                _twist_law(settings, r, start + rope[r, P_SEGMENTS], m, s, w, h, extra)
        for i in range(start, start + group[g, G_DIM]):
            expect_tension(row, i, 1, lam, old)


@kernel
def add_transfers(m, s, w, h):
    """What all transfers add to the rows of their ropes."""
    for t in range(index_table(m, TRANSFER_INT).shape[0]):
        add_transfer(t, 1.0, m, s, w, h)


#: a rope is taken as stiff in the step after it snapped taut when its Sigma is below this part of the inverse mass
SOFT = 0.5
#: factor of the floor of a run that moves no body: what it holds is what it held, to more than round-off
ALONE = 1e6
#: the floor of Sigma relative to the inverse mass (taut.compile.joints.RIGID)
RIGID = 1e-12


@kernel
def segment_of(m, w, i):
    """Segment of row i."""
    rope, joints = index_table(m, ROPE_INT), index_table(m, JOINT_INT).shape[0]
    group = index_table(w, GROUP_INT)
    for r in range(rope.shape[0]):
        first = group[joints + r, G_START]
        if first <= i < first + rope[r, P_SEGMENTS]:
            return rope[r, P_SEGMENT] + i - first
    return 0
