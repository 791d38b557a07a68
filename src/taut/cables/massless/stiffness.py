"""Geometric stiffness of ropes: the tension of a span turns with the line between its two ends.

    K = T/l J^T (1 - u u^T) J,   J the Jacobian of the vector between the points where the rope leaves and arrives

on both bodies, never lumped: a lumped block slows the fall of the pair as a whole. Both points are taken as fixed to their
bodies; that they roll along a wheel is of the order of its radius over the span.
"""

from __future__ import annotations

from taut.cables.massless.columns import (
    A_PARTS,
    N_BLOCK,
    N_BODY,
    P_FIRST,
    P_PAIRS,
    W_ARRIVES,
    W_LEAVES,
    W_LENGTH,
    W_SEGMENT,
)
from taut.core.buffers import index_table, indices, table
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BODY_NODE,
    BODY_POS,
    BODY_VEL,
    G_BLOCK,
    G_START,
    GROUP_INT,
    JOINT_INT,
    NODE_BLOCK,
    NODE_DRAG,
    NODE_RHS,
    PAIR_BLOCK,
    PART_INT,
    PART_PLACE,
    POINT_JACOBIANS,
    R_TENSION,
    ROPE_INT,
    ROPE_LIVE,
    ROPE_ORDER,
    ROPE_PAIR,
    ROPE_SPAN,
    ROW,
)
from taut.core.pair import stiffen_pair


@kernel
def stiffen_ropes(settings, m, s, w, h):
    """K of every span under tension, from the tensions expected or found."""
    rope, part, spans = index_table(m, ROPE_INT), index_table(m, PART_INT), index_table(m, ROPE_SPAN)
    node_of, joints = indices(m, BODY_NODE), index_table(m, JOINT_INT).shape[0]
    pos, vel, new = table(s, BODY_POS), table(s, BODY_VEL), table(w, BODY_NEW)
    place, row, group = table(w, PART_PLACE), table(w, ROW), index_table(w, GROUP_INT)
    block, rhs, pair_block, drag = table(w, NODE_BLOCK), table(w, NODE_RHS), table(w, PAIR_BLOCK), table(w, NODE_DRAG)
    point = table(w, POINT_JACOBIANS)
    scale = settings.geometric * h  # a h^2 T = a h lam
    order, pair_of = indices(s, ROPE_ORDER), indices(m, ROPE_PAIR)
    at = 0
    for r in range(rope.shape[0]):
        start = group[joints + r, G_START]
        # spans come and go where there are obstacles: any two bodies of the rope may share one
        pairs, blocks = rope[r, P_PAIRS], group[joints + r + 1, G_BLOCK] - group[joints + r, G_BLOCK]
        for x in range(rope[r, P_FIRST], rope[r, P_FIRST] + index_table(s, ROPE_LIVE)[r, A_PARTS] - 1):
            k, n = order[x], order[x + 1]
            pair = spans[at, 1] if pairs < 0 else pair_of[pairs + part[k, N_BLOCK] * blocks + part[n, N_BLOCK]]
            at += 1 if pairs < 0 else 0
            length, i, j = max(place[k, W_LENGTH], 1e-9), W_LEAVES, W_ARRIVES
            tension = -scale * row[start + int(place[k, W_SEGMENT]), R_TENSION]
            if pairs >= 0 and part[k, N_BLOCK] > part[n, N_BLOCK]:
                # such a pair is kept with its bodies in this order only
                k, n, i, j = n, k, W_ARRIVES, W_LEAVES
            a, b = part[k, N_BODY], part[n, N_BODY]
            na, nb = node_of[a], node_of[b]
            if tension <= 0.0 or a == b or (na < 0 and nb < 0):
                continue
            p, q = place[k, i : i + 3], place[n, j : j + 3]
            stiffen_pair(
                block, rhs, drag, pair_block, pair, point, na, nb, vel[a], vel[b], new[a], new[b],
                p[0] - pos[a, 0], p[1] - pos[a, 1], p[2] - pos[a, 2], q[0] - pos[b, 0], q[1] - pos[b, 1], q[2] - pos[b, 2],
                (q[0] - p[0]) / length, (q[1] - p[1]) / length, (q[2] - p[2]) / length, tension / length, 1.0,
            )  # fmt: skip
