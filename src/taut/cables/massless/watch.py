"""What a winch watches beside its own rope: the clearance of the hook block and the moment of its load.

    clearance    shortest straight run of its rope at the block
    load         what the rope carries there, sum of T times the upward part of its directions: the block is part of it
    radius       horizontal distance of the head from the point given, which turns with its body; the head is the mean of the points that
                 the runs at the block hang from. A load that swings does not change it, as with an indicator that knows the angle of the boom
    share        load over the load rated at that radius, by straight lines between the points of the table

Beyond the last radius nothing is rated. The share follows its value within a quarter of a second, so that a bounce of the
load does not trip it, and is told up to 9.99.
"""

from __future__ import annotations

import math

from taut.cables.massless.columns import (
    A_PARTS,
    N_BODY,
    P_FIRST,
    W_ARRIVES,
    W_AXIS,
    W_LEAVES,
    W_LENGTH,
    W_SEGMENT,
)
from taut.cables.massless.drum import (
    V_ARM,
    V_BLOCK,
    V_CENTRE,
    V_GAP,
    V_HOOK,
    V_LEAN,
    V_LOAD,
    V_PITCH,
    V_REACH,
    V_ROPE,
    V_TABLE,
    V_TABLE_END,
    V_TRANSFER,
    V_USED,
)
from taut.core.buffers import column, index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_POS,
    BODY_QUAT,
    G_START,
    GROUP_INT,
    JOINT_INT,
    PART_INT,
    PART_PLACE,
    ROPE_INT,
    ROPE_LIVE,
    ROPE_ORDER,
    ROW_LAM,
    TRANSFER_INT,
    WINCH_CURVE,
    WINCH_INT,
    WINCH_LAW,
    WINCH_STATE,
)
from taut.core.quat import rotate

#: time within which the share of the rated load follows its value [s], and the largest that is told
FOLLOWS, MOST_USED = 0.25, 9.99


@kernel
def _rated(curve, first, last, radius):
    """Force rated at a radius [N]; zero beyond the last point."""
    if radius <= curve[first, 0]:
        return curve[first, 1]
    for k in range(first + 1, last):
        if radius <= curve[k, 0]:
            f = (radius - curve[k - 1, 0]) / (curve[k, 0] - curve[k - 1, 0])
            return (1.0 - f) * curve[k - 1, 1] + f * curve[k, 1]
    return 0.0


@kernel
def _run(place, k, n):
    """Direction of the straight run from part k to part n, the next one on the path."""
    l = max(place[k, W_LENGTH], 1e-9)
    a, b = place[k, W_LEAVES : W_LEAVES + 3], place[n, W_ARRIVES : W_ARRIVES + 3]
    return (b[0] - a[0]) / l, (b[1] - a[1]) / l, (b[2] - a[2]) / l


@kernel
def _load(body, r, up, m, s, w, h):
    """Upward force of rope r on a body [N]."""
    part, place, order = index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER)
    first, parts = index_table(m, ROPE_INT)[r, P_FIRST], index_table(s, ROPE_LIVE)[r, A_PARTS]
    lam, start = column(s, ROW_LAM), index_table(w, GROUP_INT)[index_table(m, JOINT_INT).shape[0] + r, G_START]
    total = 0.0
    for i in range(first, first + parts - 1):
        k, n = order[i], order[i + 1]
        a, b = part[k, N_BODY] == body, part[n, N_BODY] == body
        if a == b:
            continue
        u = _run(place, k, n)
        rise = u[0] * up[0] + u[1] * up[1] + u[2] * up[2]
        total += (rise if a else -rise) * (0.0 - lam[start + int(place[k, W_SEGMENT])] / h)
    return total


@kernel
def _clearance(body, r, m, s, w):
    """Shortest straight run of rope r at a body [m]."""
    part, place, order = index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER)
    first, parts = index_table(m, ROPE_INT)[r, P_FIRST], index_table(s, ROPE_LIVE)[r, A_PARTS]
    least = math.inf
    for i in range(first, first + parts - 1):
        k = order[i]
        if (part[k, N_BODY] == body) != (part[order[i + 1], N_BODY] == body):
            least = min(least, place[k, W_LENGTH])
    return least


@kernel
def _head(body, r, m, s, w):
    """Mean of the points from which the straight runs of rope r at a body hang [m]; how many they are."""
    part, place, order = index_table(m, PART_INT), table(w, PART_PLACE), indices(s, ROPE_ORDER)
    first, parts = index_table(m, ROPE_INT)[r, P_FIRST], index_table(s, ROPE_LIVE)[r, A_PARTS]
    x, y, z, runs = 0.0, 0.0, 0.0, 0
    for i in range(first, first + parts - 1):
        k, n = order[i], order[i + 1]
        a, b = part[k, N_BODY] == body, part[n, N_BODY] == body
        if a == b:
            continue
        far = place[n, W_ARRIVES : W_ARRIVES + 3] if a else place[k, W_LEAVES : W_LEAVES + 3]
        x, y, z, runs = x + far[0], y + far[1], z + far[2], runs + 1
    many = max(runs, 1)
    return x / many, y / many, z / many, runs


@kernel
def watch_winches(settings, m, s, w, h):
    """Clearance, radius, load and its share for every winch, from the step just made."""
    winch, law, state, curve = (
        index_table(m, WINCH_INT), table(m, WINCH_LAW), table(s, WINCH_STATE), table(m, WINCH_CURVE),
    )  # fmt: skip
    pos, quat, place, order = table(s, BODY_POS), table(s, BODY_QUAT), table(w, PART_PLACE), indices(s, ROPE_ORDER)
    weight = math.sqrt(settings.gravity_x**2 + settings.gravity_y**2 + settings.gravity_z**2)
    for k in range(winch.shape[0]):
        r = winch[k, V_ROPE]
        if law[k, V_PITCH] != 0.0:
            drum, first = index_table(m, TRANSFER_INT)[winch[k, V_TRANSFER], 0], index_table(m, ROPE_INT)[r, P_FIRST]
            at_start = drum == first
            # the run at the drum begins with it, or one before the end of the path
            i = first if at_start else first + index_table(s, ROPE_LIVE)[r, A_PARTS] - 2
            u, axis = _run(place, order[i], order[i + 1]), place[drum, W_AXIS : W_AXIS + 3]
            lean = u[0] * axis[0] + u[1] * axis[1] + u[2] * axis[2]
            state[k, V_LEAN] = -lean if at_start else lean
        if winch[k, V_BLOCK] >= 0:
            state[k, V_GAP] = _clearance(winch[k, V_BLOCK], r, m, s, w)
        if winch[k, V_TABLE_END] > winch[k, V_TABLE] and weight > 0.0:
            up = (-settings.gravity_x / weight, -settings.gravity_y / weight, -settings.gravity_z / weight)
            hook, c = winch[k, V_HOOK], winch[k, V_CENTRE]
            x, y, z = rotate(
                quat[c, 0], quat[c, 1], quat[c, 2], quat[c, 3], law[k, V_ARM], law[k, V_ARM + 1], law[k, V_ARM + 2]
            )
            hx, hy, hz, runs = _head(hook, r, m, s, w)
            if runs == 0:  # nothing hangs there
                hx, hy, hz = pos[hook, 0], pos[hook, 1], pos[hook, 2]
            x, y, z = hx - pos[c, 0] - x, hy - pos[c, 1] - y, hz - pos[c, 2] - z
            rise = x * up[0] + y * up[1] + z * up[2]
            radius = math.sqrt(max(x * x + y * y + z * z - rise * rise, 0.0))
            state[k, V_REACH], state[k, V_LOAD] = radius, _load(hook, r, up, m, s, w, h)
            rated = _rated(curve, winch[k, V_TABLE], winch[k, V_TABLE_END], radius)
            load = max(state[k, V_LOAD], 0.0)
            used = MOST_USED if load > MOST_USED * rated else load / max(rated, 1e-300)
            state[k, V_USED] += (used - state[k, V_USED]) * h / (FOLLOWS + h)
