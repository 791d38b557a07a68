"""What one bounded row, and one contact, contribute to the interior-point method (taut.step.interior).

Row with bounds, z = lam - low, and z' = high - lam with a slack of its own:

    Sigma + y/z + y'/z',     right side b + t - t' + (y/z + y'/z') lam,      dy = t - y - (y/z) dlam,   t = (sigma g - dz dy)/z

Contact, z = D lam, D = diag(mu, 1, 1), scaled by W (taut.step.soc):

    Sigma + D W^2 D,    right side b - mu |s| e + D (y + t),    dy = t - y - W^2 dz,    t = W (l \\ (sigma g e - (W^-1 dy) o (W dz)))

with t = 0 in the predictor, whose dz and dy are those in t.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel
from taut.core.model import (
    I_FORCE,
    I_HIGH,
    I_RHS,
    I_SHIFT,
    I_SIGMA,
    I_SLACK,
    I_TARGET,
    I_TARGET_HIGH,
    R_COUPLE,
    R_HIGH,
    R_LOW,
    R_RHS,
    R_SIGMA,
)
from taut.step.soc import divide, multiply, scale, scaling, square, way


@kernel
def is_bounded(row, i):
    """Whether a row has a bound, and room between its bounds."""
    low, high = row[i, R_LOW], row[i, R_HIGH]
    return low < high and (math.isfinite(low) or math.isfinite(high))


@kernel
def load_line(row, inner, i):
    """Sigma and right side of a bounded row for its present targets."""
    sigma, rhs = inner[i, I_SIGMA], inner[i, I_RHS] + inner[i, I_TARGET] - inner[i, I_TARGET_HIGH]
    if math.isfinite(row[i, R_LOW]):
        k = inner[i, I_SLACK] / (inner[i, I_FORCE] - row[i, R_LOW])
        sigma, rhs = sigma + k, rhs + k * inner[i, I_FORCE]
    if math.isfinite(row[i, R_HIGH]):
        k = inner[i, I_HIGH] / (row[i, R_HIGH] - inner[i, I_FORCE])
        sigma, rhs = sigma + k, rhs + k * inner[i, I_FORCE]
    row[i, R_SIGMA], row[i, R_RHS] = sigma, rhs


@kernel
def _line_change(row, inner, lam, i):
    """Change of the force and of both slacks of a bounded row in the last solution."""
    change, slack, high = lam[i] - inner[i, I_FORCE], 0.0, 0.0
    if math.isfinite(row[i, R_LOW]):
        y = inner[i, I_SLACK]
        slack = inner[i, I_TARGET] - y - y / (inner[i, I_FORCE] - row[i, R_LOW]) * change
    if math.isfinite(row[i, R_HIGH]):
        y = inner[i, I_HIGH]
        high = inner[i, I_TARGET_HIGH] - y + y / (row[i, R_HIGH] - inner[i, I_FORCE]) * change
    return change, slack, high


@kernel
def aim_line(row, inner, lam, i, centre):
    """Targets of the corrector from the predictor's solution."""
    change, slack, high = _line_change(row, inner, lam, i)
    if math.isfinite(row[i, R_LOW]):
        inner[i, I_TARGET] = (centre - change * slack) / (inner[i, I_FORCE] - row[i, R_LOW])
    if math.isfinite(row[i, R_HIGH]):
        inner[i, I_TARGET_HIGH] = (centre + change * high) / (row[i, R_HIGH] - inner[i, I_FORCE])


@kernel
def line_way(row, inner, lam, i):
    """How far a bounded row may go along the last solution, and its gap a + b t + c t^2 there."""
    change, slack, high = _line_change(row, inner, lam, i)
    t, a, b, c = math.inf, 0.0, 0.0, 0.0
    if math.isfinite(row[i, R_LOW]):
        z, y = inner[i, I_FORCE] - row[i, R_LOW], inner[i, I_SLACK]
        t = min(-z / change if change < 0.0 else math.inf, -y / slack if slack < 0.0 else math.inf)
        a, b, c = z * y, z * slack + y * change, change * slack
    if math.isfinite(row[i, R_HIGH]):
        z, y = row[i, R_HIGH] - inner[i, I_FORCE], inner[i, I_HIGH]
        t = min(t, z / change if change > 0.0 else math.inf, -y / high if high < 0.0 else math.inf)
        a, b, c = a + z * y, b + z * high - y * change, c - change * high
    return t, a, b, c


@kernel
def move_line(row, inner, lam, i, t):
    """Go a part of the way."""
    change, slack, high = _line_change(row, inner, lam, i)
    inner[i, I_FORCE] += t * change
    inner[i, I_SLACK] += t * slack
    inner[i, I_HIGH] += t * high


@kernel
def contact_point(inner, n, mu):
    """z, y and the scaling of a contact."""
    z = (mu * inner[n, I_FORCE], inner[n + 1, I_FORCE], inner[n + 2, I_FORCE])
    y = (inner[n, I_SLACK], inner[n + 1, I_SLACK], inner[n + 2, I_SLACK])
    return z, y, scaling(z, y)


@kernel
def load_contact(row, inner, n, mu):
    """Sigma + D W^2 D of a contact, and its right side."""
    _, _, w = contact_point(inner, n, mu)
    a, b, c = square(w, (mu, 0.0, 0.0)), square(w, (0.0, 1.0, 0.0)), square(w, (0.0, 0.0, 1.0))
    row[n, R_SIGMA] = inner[n, I_SIGMA] + mu * a[0]
    row[n + 1, R_SIGMA] = inner[n + 1, I_SIGMA] + b[1]
    row[n + 2, R_SIGMA] = inner[n + 2, I_SIGMA] + c[2]
    # normal and first, first and second, second and normal
    row[n, R_COUPLE], row[n + 1, R_COUPLE], row[n + 2, R_COUPLE] = a[1], b[2], a[2]
    load_side(row, inner, n, mu)


@kernel
def load_side(row, inner, n, mu):
    """Right side of a contact for its present targets."""
    row[n, R_RHS] = inner[n, I_RHS] + mu * (inner[n, I_SLACK] + inner[n, I_TARGET] - inner[n, I_SHIFT])
    row[n + 1, R_RHS] = inner[n + 1, I_RHS] + inner[n + 1, I_SLACK] + inner[n + 1, I_TARGET]
    row[n + 2, R_RHS] = inner[n + 2, I_RHS] + inner[n + 2, I_SLACK] + inner[n + 2, I_TARGET]


@kernel
def contact_change(inner, lam, n, mu, y, w):
    """Changes of z and y of a contact in the last solution."""
    dz = (
        mu * (lam[n] - inner[n, I_FORCE]),
        lam[n + 1] - inner[n + 1, I_FORCE],
        lam[n + 2] - inner[n + 2, I_FORCE],
    )
    q = square(w, dz)
    dy = (
        inner[n, I_TARGET] - y[0] - q[0],
        inner[n + 1, I_TARGET] - y[1] - q[1],
        inner[n + 2, I_TARGET] - y[2] - q[2],
    )
    return dz, dy


@kernel
def aim_contact(inner, lam, n, mu, centre, held, t):
    """Targets of the corrector from the predictor's solution, of which a part t can be gone; |s| is guessed from it."""
    z, y, w = contact_point(inner, n, mu)
    dz, dy = contact_change(inner, lam, n, mu, y, w)
    if not held:
        inner[n, I_SHIFT] = math.sqrt((y[1] + t * dy[1]) ** 2 + (y[2] + t * dy[2]) ** 2)
    l, q = scale(w, z), scale(w, dz)
    c = multiply((-l[0] - q[0], -l[1] - q[1], -l[2] - q[2]), q)
    target = scale(w, divide(l, (centre - c[0], -c[1], -c[2])))
    inner[n, I_TARGET], inner[n + 1, I_TARGET], inner[n + 2, I_TARGET] = target[0], target[1], target[2]


@kernel
def contact_way(inner, lam, n, mu):
    """How far a contact may go along the last solution, and its gap a + b t + c t^2 there."""
    z, y, w = contact_point(inner, n, mu)
    dz, dy = contact_change(inner, lam, n, mu, y, w)
    t = min(way(z, dz), way(y, dy))
    a = z[0] * y[0] + z[1] * y[1] + z[2] * y[2]
    b = z[0] * dy[0] + z[1] * dy[1] + z[2] * dy[2] + y[0] * dz[0] + y[1] * dz[1] + y[2] * dz[2]
    return t, a, b, dz[0] * dy[0] + dz[1] * dy[1] + dz[2] * dy[2]


@kernel
def move_contact(inner, lam, n, mu, t, held):
    """Go a part of the way; |s| follows."""
    _, y, w = contact_point(inner, n, mu)
    _, dy = contact_change(inner, lam, n, mu, y, w)
    for k in range(3):
        inner[n + k, I_FORCE] += t * (lam[n + k] - inner[n + k, I_FORCE])
        inner[n + k, I_SLACK] += t * dy[k]
    if not held:
        inner[n, I_SHIFT] = math.sqrt(inner[n + 1, I_SLACK] ** 2 + inner[n + 2, I_SLACK] ** 2)
