"""After the solve: rows and blocks get back their plain meaning, energies and forces are accounted, waves move on."""

from __future__ import annotations

import math

from taut.cables.layered.chord import point_speed
from taut.cables.layered.columns import (
    C_ARC,
    C_ARM_A,
    C_ARM_B,
    C_CHORD,
    C_CROSS,
    C_ENDS,
    C_FIRST,
    C_FLOW,
    C_FLOW_NEW,
    C_FORCE_A,
    C_FORCE_B,
    C_LENGTH,
    C_MASS,
    C_MEAN,
    C_OWN,
    C_PART_A,
    C_PART_B,
    C_ROW,
    C_SECOND,
    C_WARPED,
    C_WEIGHT_A,
    C_WEIGHT_B,
    E_CARRIED,
    E_KINETIC,
    E_POTENTIAL,
    E_WOUND,
    M_P,
    M_Q,
    V_AXIAL,
    V_COUNT,
    V_FIRST,
    V_ROPE,
    X_NEW,
    X_OWN,
    Y_DAMPING,
    Y_DENSITY,
    Y_SPAN,
)
from taut.cables.layered.condense import chord_rate, keep_jacobian, put_masses
from taut.cables.layered.lay import centre_height, centre_shift, rates_of_group, segment_spans, spans_end
from taut.cables.layered.modes import calming, commit_modes
from taut.cables.massless.columns import A_ROWS, F_FLOW, N_BODY, N_TRANSFER, P_SEGMENT, W_ARRIVES, W_LEAVES
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BEGIN,
    BODY_DYNAMIC,
    BODY_NEW,
    BODY_VEL,
    G_DIM,
    G_START,
    GROUP_INT,
    JOINT_INT,
    LEDGER,
    LOSS_JOINT,
    MODE_WORK,
    PART_INT,
    PART_PLACE,
    R_RATE,
    R_RATE_NEW,
    ROPE_INT,
    ROPE_LIVE,
    ROW,
    ROW_LAM,
    ROW_PHI,
    SPAN_WORK,
    TIME,
    TRANSFER_HEAD,
    TRANSFER_STATE,
    WAVE_ENERGY,
    WAVE_LAW,
    WAVE_MODE,
    WAVE_SPAN,
    WAVE_TENSION,
    WORK_KINEMATIC,
    WORK_MOTOR,
)


@kernel
def _sums(k, m, s, w, h):
    """Sum g p and sum g p+ of a span, with the positions found; and the sums of c (p+ - p) for both ends and directions."""
    span, mode, modes, out = index_table(m, WAVE_SPAN), table(s, WAVE_MODE), table(w, MODE_WORK), table(w, SPAN_WORK)[k]
    before, after = 0.0, 0.0
    a1, a2, b1, b2 = 0.0, 0.0, 0.0, 0.0
    for n in range(span[k, V_COUNT]):
        i, a = span[k, V_FIRST] + n, math.pi * (n + 1)
        kappa, near = 0.5 * a * a / out[C_MEAN], out[C_MASS] / a
        far = near if n % 2 == 0 else -near
        one, two = modes[i, X_NEW] - mode[i, M_P], modes[i, X_NEW + 1] - mode[i, M_P + 1]
        a1, a2, b1, b2 = a1 + near * one, a2 + near * two, b1 + far * one, b2 + far * two
        for d in range(2):
            # at the middle of the step
            g = kappa * (mode[i, M_Q + d] + 0.25 * h * (modes[i, X_NEW + d] - mode[i, M_P + d]))
            before += g * mode[i, M_P + d]
            after += g * modes[i, X_NEW + d]
    return before, after, a1, a2, b1, b2


@kernel
def first_bad_wave(m, w):
    """Body at the first span whose waves are not finite, -1 when all is well."""
    span, part, modes, work = (
        index_table(m, WAVE_SPAN), index_table(m, PART_INT), table(w, MODE_WORK), table(w, SPAN_WORK),
    )  # fmt: skip
    for k in range(span.shape[0]):
        total = 0.0
        for i in range(span[k, V_FIRST], span[k, V_FIRST] + span[k, V_COUNT]):
            total += abs(modes[i, X_NEW]) + abs(modes[i, X_NEW + 1])
        if not total < RUNAWAY:
            a, b = part[int(work[k, C_PART_A]), N_BODY], part[int(work[k, C_PART_B]), N_BODY]
            return b if indices(m, BODY_DYNAMIC)[a] == 0 else a
    return -1


#: waves faster than this have run away [m/s]
RUNAWAY = 1e6
#: time over which the tension of pre-warping is averaged [s]
SLOWLY = 2.0


@kernel
def _end_forces(k, changes, m, s, w, h):
    """Forces of span k on its two ends, and the work of kinematic bodies on what is not tension."""
    span, part, out = index_table(m, WAVE_SPAN), index_table(m, PART_INT), table(w, SPAN_WORK)[k]
    vel, new, dynamic, lam = table(s, BODY_VEL), table(w, BODY_NEW), indices(m, BODY_DYNAMIC), column(s, ROW_LAM)
    mass = out[C_MASS]
    joints = index_table(m, JOINT_INT).shape[0]
    impulse = lam[index_table(w, GROUP_INT)[joints + span[k, V_ROPE], G_START] + span[k, V_AXIAL]]
    axial = impulse / h
    # what sets the rope in motion along itself is the work of those who let it flow
    column(s, LEDGER)[WORK_MOTOR] -= 0.5 * impulse * (out[C_FLOW] + out[C_FLOW_NEW])
    pull = -lam[int(out[C_ROW])] / h * out[C_LENGTH] / out[C_MEAN]
    work = 0.0
    for side in range(2):
        arm = out[C_ARM_A : C_ARM_A + 3] if side == 0 else out[C_ARM_B : C_ARM_B + 3]
        at, weight = (C_FORCE_A, C_WEIGHT_A) if side == 0 else (C_FORCE_B, C_WEIGHT_B)
        sign = 1.0 if side == 0 else -1.0
        here, there = C_ENDS + 2 * side, C_ENDS + 2 - 2 * side
        one = -(mass * (out[here] / 3.0 + out[there] / 6.0) + changes[2 * side]) / h
        two = -(mass * (out[here + 1] / 3.0 + out[there + 1] / 6.0) + changes[2 * side + 1]) / h
        body = part[int(out[C_PART_A + side]), N_BODY]
        v, n = point_speed(vel[body], arm[0], arm[1], arm[2]), point_speed(new[body], arm[0], arm[1], arm[2])
        for c in range(3):
            other = out[weight + c] + one * out[C_FIRST + c] + two * out[C_SECOND + c]
            out[at + c] = other + (sign * pull + 0.5 * axial) * out[C_CHORD + c]
            if dynamic[body] == 0:
                work -= 0.5 * h * other * (v[c] + n[c])
    return work


@kernel
def _kinetic(k, vel, speeds, at, along, m, w):
    """Kinetic energy of span k where it lies now, with these velocities of the bodies, of the waves (columns `at` on) and along it."""
    span, part, modes, out = (
        index_table(m, WAVE_SPAN),
        index_table(m, PART_INT),
        table(w, MODE_WORK),
        table(w, SPAN_WORK)[k],
    )
    p, q, mass = int(out[C_PART_A]), int(out[C_PART_B]), out[C_MASS]
    va = point_speed(vel[part[p, N_BODY]], out[C_ARM_A], out[C_ARM_A + 1], out[C_ARM_A + 2])
    vb = point_speed(vel[part[q, N_BODY]], out[C_ARM_B], out[C_ARM_B + 1], out[C_ARM_B + 2])
    kinetic = 0.5 * mass * along * along
    for d in range(2):
        e = out[C_FIRST : C_FIRST + 3] if d == 0 else out[C_SECOND : C_SECOND + 3]
        wa, wb = va[0] * e[0] + va[1] * e[1] + va[2] * e[2], vb[0] * e[0] + vb[1] * e[1] + vb[2] * e[2]
        kinetic += mass * (wa * wa + wa * wb + wb * wb) / 6.0
        for n in range(span[k, V_COUNT]):
            i, near = span[k, V_FIRST] + n, mass / (math.pi * (n + 1))
            far = near if n % 2 == 0 else -near
            speed = speeds[i, at + d]
            kinetic += (near * wa + far * wb) * speed + 0.5 * modes[i, X_OWN] * speed * speed
    return kinetic


@kernel
def _energies(settings, k, m, s, w, h):
    """Kinetic and potential energy of span k half a step on, and what its waves lose to damping in this step; the kinetic energy of
    the last step's velocities, had it lain where it lies now."""
    span, part, place = index_table(m, WAVE_SPAN), index_table(m, PART_INT), table(w, PART_PLACE)
    mode, modes, out = table(s, WAVE_MODE), table(w, MODE_WORK), table(w, SPAN_WORK)[k]
    new, row, mass = table(w, BODY_NEW), table(w, ROW), out[C_MASS]
    p, q = int(out[C_PART_A]), int(out[C_PART_B])
    a, b = part[p, N_BODY], part[q, N_BODY]
    va = point_speed(new[a], out[C_ARM_A], out[C_ARM_A + 1], out[C_ARM_A + 2])
    vb = point_speed(new[b], out[C_ARM_B], out[C_ARM_B + 1], out[C_ARM_B + 2])
    damping = table(m, WAVE_LAW)[span[k, V_ROPE], Y_DAMPING]
    lost, tension = 0.0, max(-column(s, ROW_LAM)[int(out[C_ROW])] / h, 0.0)
    for d in range(2):
        for n in range(span[k, V_COUNT]):
            i = span[k, V_FIRST] + n
            speed = modes[i, X_NEW + d]
            mean = 0.5 * (speed + mode[i, M_P + d])
            stiff = 0.5 * (math.pi * (n + 1)) ** 2 / out[C_MEAN] * tension
            lost += 0.5 * mass * damping * h * mean * mean + calming(mass, stiff, out[C_WARPED], h) * speed * mean
    joints = index_table(m, JOINT_INT).shape[0]
    axial = index_table(w, GROUP_INT)[joints + span[k, V_ROPE], G_START] + span[k, V_AXIAL]
    kinetic = _kinetic(k, new, modes, X_NEW, row[axial, R_RATE_NEW] + out[C_FLOW_NEW], m, w)
    before = _kinetic(k, table(s, BODY_VEL), mode, M_P, row[axial, R_RATE] + out[C_FLOW], m, w)
    shift = _new_shift(k, m, s, w, h)
    gravity = (settings.gravity_x, settings.gravity_y, settings.gravity_z)
    potential = 0.0
    for c in range(3):
        middle = 0.5 * (place[p, W_LEAVES + c] + place[q, W_ARRIVES + c]) + 0.25 * h * (va[c] + vb[c])
        potential -= mass * gravity[c] * (middle + shift[c])
    if column(s, LEDGER)[TIME] == 0.0:
        # the account begins half a step before the start
        vel = table(s, BODY_VEL)
        va = point_speed(vel[a], out[C_ARM_A], out[C_ARM_A + 1], out[C_ARM_A + 2])
        vb = point_speed(vel[b], out[C_ARM_B], out[C_ARM_B + 1], out[C_ARM_B + 2])
        for c in range(3):
            before += 0.25 * h * mass * gravity[c] * (va[c] + vb[c])
    return kinetic, potential, lost, before


@kernel
def _new_shift(k, m, s, w, h):
    """Shift of the centre of span k half a step on."""
    span, modes, out = index_table(m, WAVE_SPAN), table(w, MODE_WORK), table(w, SPAN_WORK)[k]
    x, y, z = centre_shift(table(s, WAVE_MODE), span[k, V_FIRST], span[k, V_COUNT], out, 0.0)
    for n in range(0, span[k, V_COUNT], 2):
        i, f = span[k, V_FIRST] + n, h / (math.pi * (n + 1))
        one, two = f * modes[i, X_NEW], f * modes[i, X_NEW + 1]
        x += one * out[C_FIRST] + two * out[C_SECOND]
        y += one * out[C_FIRST + 1] + two * out[C_SECOND + 1]
        z += one * out[C_FIRST + 2] + two * out[C_SECOND + 2]
    return x, y, z


@kernel
def _weigh_transfer(t, p, gravity, density, height, s, w, after, h):
    """Weight of rope beyond the mean at a part that holds it back, and what a drum there took in over this step."""
    head, place, point = table(s, TRANSFER_HEAD), table(w, PART_PLACE), 0.0
    for c in range(3):
        point -= gravity[c] * place[p, (W_LEAVES if after else W_ARRIVES) + c]
    head[t, 1 if after else 0] = density * (point - height)
    return density * point


@kernel
def _weigh_transfers(settings, low, high, m, s, w, h):
    """The same for both ends of a segment."""
    part, place, work = index_table(m, PART_INT), table(w, PART_PLACE), table(w, SPAN_WORK)
    span = index_table(m, WAVE_SPAN)
    gravity = (settings.gravity_x, settings.gravity_y, settings.gravity_z)
    mass, height = 0.0, 0.0
    for k in range(low, high):
        mass += work[k, C_MASS]
        height -= work[k, C_MASS] * centre_height(k, gravity, table(s, WAVE_MODE), span, place, work[k])
    height /= mass
    density = work[low, C_MASS] / work[low, C_LENGTH]
    state, energy = table(s, TRANSFER_STATE), column(s, WAVE_ENERGY)
    for after in (True, False):
        p = int(work[low, C_PART_A]) if after else int(work[high - 1, C_PART_B])
        t = part[p, N_TRANSFER]
        if t >= 0:
            raised = _weigh_transfer(t, p, gravity, density, height, s, w, after, h)
            # flow over the last step: what left the spans is still there, on the drum or in the segment beside
            energy[E_WOUND] -= (h if after else -h) * state[t, F_FLOW] * raised


@kernel
def settle_waves(settings, m, s, w, h):
    """Commit the waves of a step that can be trusted; returns the body at a span that cannot, else -1."""
    bad = first_bad_wave(m, w)
    if bad >= 0:
        return bad
    rope, law, span = index_table(m, ROPE_INT), table(m, WAVE_LAW), index_table(m, WAVE_SPAN)
    work, row, ledger = table(w, SPAN_WORK), table(w, ROW), column(s, LEDGER)
    phi, energy, joints, group = (
        column(s, ROW_PHI), column(s, WAVE_ENERGY), index_table(m, JOINT_INT).shape[0], index_table(w, GROUP_INT),
    )  # fmt: skip
    mean = column(s, WAVE_TENSION)
    carried = -energy[E_KINETIC]
    energy[E_KINETIC], energy[E_POTENTIAL] = 0.0, energy[E_WOUND]
    for r in range(rope.shape[0]):
        if law[r, Y_DENSITY] == 0.0:
            continue
        g, first, last = joints + r, int(law[r, Y_SPAN]), spans_end(r, m, s)
        start = group[g, G_START]
        keep_jacobian(g, w, True)
        rates_of_group(g, m, s, w)
        for i in range(start, start + group[g, G_DIM]):
            row[i, R_RATE_NEW] = chord_rate(g, i, w)
        for k in range(first, last):
            out, i = work[k], int(work[k, C_ROW])
            put_masses(k, -out[C_OWN], -out[C_CROSS], m, w)
            before, after, a1, a2, b1, b2 = _sums(k, m, s, w, h)
            row[i, R_RATE] += before
            row[i, R_RATE_NEW] += after
            phi[i] += out[C_ARC] - out[C_LENGTH] + 0.5 * h * before
            ledger[WORK_KINEMATIC] += _end_forces(k, (a1, a2, b1, b2), m, s, w, h)
            kinetic, potential, lost, before = _energies(settings, k, m, s, w, h)
            carried += before
            energy[E_KINETIC] += kinetic
            energy[E_POTENTIAL] += potential
            ledger[LOSS_JOINT] += lost
        for j in range(index_table(s, ROPE_LIVE)[r, A_ROWS]):
            low, high = segment_spans(first, last, j, work, table(w, PART_PLACE))
            _weigh_transfers(settings, low, high, m, s, w, h)
            # pre-warping follows the tension slowly: a mass that changed with every wave would feed it
            n = rope[r, P_SEGMENT] + j
            mean[n] += min(h / SLOWLY, 1.0) * (max(-column(s, ROW_LAM)[start + j] / h, 0.0) - mean[n])
        for k in range(first, last):
            commit_modes(table(s, WAVE_MODE), table(w, MODE_WORK), span[k, V_FIRST], span[k, V_COUNT], h)
    # rope is handed from span to span and its chords turn; the forces that go with it (rho V^2 and its like) are left out of the
    # model, and what they would have given or taken is kept here
    if ledger[TIME] == 0.0:
        ledger[BEGIN] += carried
    else:
        energy[E_CARRIED] += carried
    return -1
