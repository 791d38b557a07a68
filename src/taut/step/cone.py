"""One contact by itself: the cone problem of three rows.

With q the velocities that are to be undone and W the 3 x 3 weights (nn nt ns tt ts ss),

    W lam = q  where the contact sticks;     lam_n >= 0,  |lam_t| <= mu lam_n
    where it slides lam_t = -mu lam_n s/|s|, s the slip velocity.

The direction of sliding is the fixed point of a projected step along the slip; the normal multiplier follows the
direction exactly. What is returned is always within the cone, however early one stops.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: steps towards the direction of sliding in one visit, and the change that ends them
TURNS, TOLERANCE = 20, 1e-13


@kernel
def _stick(k, qn, qt, qs):
    """W lam = q by L D L^T."""
    t, s = k[1] / k[0], k[2] / k[0]
    tt, ts, ss = k[3] - t * k[1], k[4] - t * k[2], k[5] - s * k[2]
    u = ts / tt
    qt -= t * qn
    qs -= s * qn + u * qt
    ls = qs / (ss - u * ts)
    lt = qt / tt - u * ls
    return qn / k[0] - t * lt - s * ls, lt, ls


@kernel
def coulomb(k, mu, qn, qt, qs, t, s):
    """Multipliers of one contact with weights k, from the friction t, s that it had."""
    a, b, c = _stick(k, qn, qt, qs)
    if a >= 0.0 and b * b + c * c <= (mu * a) ** 2:
        return a, b, c
    # no step along the slip is longer than the stiffest direction allows
    rho = 2.0 / (k[3] + k[5] + math.sqrt((k[3] - k[5]) ** 2 + 4.0 * k[4] * k[4]))
    n = max((qn - k[1] * t - k[2] * s) / k[0], 0.0)
    for _ in range(TURNS):
        x = t - rho * (k[1] * n + k[3] * t + k[4] * s - qt)
        y = s - rho * (k[2] * n + k[4] * t + k[5] * s - qs)
        size = math.sqrt(x * x + y * y)
        if size > mu * n:
            x, y = mu * x / size, mu * y / size
            felt = k[0] + k[1] * x + k[2] * y
            # friction that presses the bodies together without end: no more than the last normal force asks for
            after = max(qn / felt if felt > 0.1 * k[0] else (qn - k[1] * t - k[2] * s) / k[0], 0.0)
            x, y = x * after, y * after
        else:
            after = max((qn - k[1] * x - k[2] * y) / k[0], 0.0)
        moved = abs(after - n) + abs(x - t) + abs(y - s)
        n, t, s = after, x, y
        if moved <= TOLERANCE * n:
            break
    size = math.sqrt(t * t + s * s)
    if size > mu * n:
        t, s = t * mu * n / size, s * mu * n / size
    return n, t, s
