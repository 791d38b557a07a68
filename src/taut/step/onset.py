"""How a one-sided row (a rope that snaps taut) begins to act.

The variational row answers a violation phi with the rate -4 gamma phi / h: right for a spring whose oscillation the
step resolves, but a stiff rope that is found overstretched by the way of a step would be thrown back faster than it
came. A row that did not act in the last step is therefore caught:

    G v+ + 2 c lam / (f h^2) = -phi / h,      f the part of the step for which the rope will be taut.

A rigid rope is then just taut at the end of the step; a soft one receives the impulse k phi+ f h / 2 of its true force,
which grows from zero over that part of the step. In the step after, the rate that is left is taken out as far as the
row is stiff: gamma G v is multiplied by 1 / (1 + (A / Sigma)^2), A the inverse mass that the row feels.
"""

from __future__ import annotations

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE
from taut.core.jit import kernel
from taut.core.model import (
    BODY_DYNAMIC,
    BODY_MASS,
    BODY_WORLD_INERTIA,
    COUNT,
    G_START,
    GROUP_INT,
    JOINT_GROUPS,
    ROW_AGE,
    ROW_BOUND,
)


@kernel
def _inverse_mass(m, w, jac, at, body):
    """G M^-1 G^T of one body for the row whose block begins at jac[at]."""
    if indices(m, BODY_DYNAMIC)[body] == 0:
        return 0.0
    mass, i = column(m, BODY_MASS)[body], table(w, BODY_WORLD_INERTIA)[body]
    x, y, z = jac[at + 3], jac[at + 4], jac[at + 5]
    a, b, c, d, e, f = i[0], i[1], i[2], i[3], i[4], i[5]
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * p + b * q + c * r
    turn = (
        p * x * x + (a * f - c * c) * y * y + (a * d - b * b) * z * z
        + 2.0 * (q * x * y + r * x * z + (b * c - a * e) * y * z)
    )  # fmt: skip
    return (jac[at] ** 2 + jac[at + 1] ** 2 + jac[at + 2] ** 2) / mass + (turn / det if det > 0.0 else 0.0)


@kernel
def settled_part(m, w, jac, ga, a, gb, b, sigma):
    """Part of the rate that a row keeps in its second step: 1 for a soft one, 0 for a rigid one."""
    weight = _inverse_mass(m, w, jac, ga, a) + _inverse_mass(m, w, jac, gb, b)
    return sigma * sigma / (sigma * sigma + weight * weight) if weight > 0.0 else 1.0


@kernel
def count_age(s, w):
    """For how many steps each row of a joint has acted."""
    group, bound, age = index_table(w, GROUP_INT), indices(s, ROW_BOUND), indices(s, ROW_AGE)
    for i in range(group[indices(w, COUNT)[JOINT_GROUPS], G_START]):
        age[i] = min(age[i] + 1, 2) if bound[i] == FREE else 0
