"""A few contacts by interior points, on the dense matrix of the border: for those whose sweeps and states go round in circles.

The problem and its cones are those of taut.step.interior, with one difference. A dense matrix need not be symmetric: how |s| follows the
impulses is part of Newton's equations, and nothing is left open at the end. With u = W lam - q, D = diag(mu, 1, 1), z = D lam,

    D y = u + mu |u_t| e,     (W + mu e d^T W_t + D S D) dlam = D (t - y) + (D y - u - mu |u_t| e),     dy = t - y - S dz

where d = u_t / |u_t|, S is the square of the scaling of z and y (taut.step.soc) and t = 0 in the predictor, as in taut.step.interior_rows.
|u_t| is sqrt(u_t^2 + c^2) with a c that goes to zero with the gap z.y. Fifteen to twenty eliminations do. As |s| makes the problem one that
is not convex it may come to a halt; then it begins again elsewhere, and of all that was found the best stands.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel
from taut.core.model import R_FRICTION, R_RHO
from taut.step.polish import (
    AIM,
    BEST,
    IMPULSE,
    MISS,
    RIGHT,
    SLACK,
    TRIAL,
    factorise,
    natural,
    polish,
    substitute,
    undone,
)
from taut.step.soc import CENTRE, REACH, divide, multiply, scale, scaling, square, way

#: eliminations at most; gap, relative to that at the start, that ends it; a way that is as good as none, and how often there may be one
MOST, DONE, SHORT, STUCK = 40, 1e-18, 1e-3, 4
#: where it begins, beside the scale of impulses, and smoothing of |s| beside that of speeds: one try after the other
FORCES, SMOOTH = (10.0, 1.0, 1.0), (1.0, 1.0, 1e-6)
#: largest miss beside the scale of speeds with which there is no need to try again
FAIR = 1e-11


@kernel
def _friction(row, start, i):
    """mu of a contact in the cone, 1 of one that has none."""
    mu = row[start + i + 1, R_FRICTION]
    return mu if mu > 0.0 else 1.0


@kernel
def _begin(side, row, start, count, part):
    """Start inside of all cones, as far as forces and speeds are large; returns these scales."""
    force, speed = 0.0, 1e-3
    for i in range(count):
        force, speed = max(force, abs(side[i, BEST])), max(speed, abs(side[i, RIGHT]))
    for i in range(0, count, 3):
        # what stops the bodies of a contact, at least
        force = max(force, 1e-2 * speed * row[start + i, R_RHO])
    force *= part
    for i in range(0, count, 3):
        side[i, IMPULSE], side[i, SLACK] = force / _friction(row, start, i), speed
        for k in (i + 1, i + 2):
            side[k, IMPULSE], side[k, SLACK] = 0.0, 0.0
    return force, speed


@kernel
def _pair(side, i, mu):
    """z, y and their scaling."""
    z = (mu * side[i, IMPULSE], side[i + 1, IMPULSE], side[i + 2, IMPULSE])
    y = (side[i, SLACK], side[i + 1, SLACK], side[i + 2, SLACK])
    return z, y, scaling(z, y)


@kernel
def _change(side, i, mu, y, w):
    """Changes of z and y with the last solution."""
    dz = (mu * side[i, TRIAL], side[i + 1, TRIAL], side[i + 2, TRIAL])
    q = square(w, dz)
    return dz, (side[i, AIM] - y[0] - q[0], side[i + 1, AIM] - y[1] - q[1], side[i + 2, AIM] - y[2] - q[2])


@kernel
def _load(border, factors, side, row, start, count, smooth):
    """Matrix and misses at the present point; the matrix is factorised, False if it is singular."""
    for i in range(0, count, 3):
        mu, rubs = _friction(row, start, i), row[start + i + 1, R_FRICTION] > 0.0
        _, y, w = _pair(side, i, mu)
        for k in range(i, i + 3):
            side[k, MISS], side[k, AIM] = 0.0, 0.0
            for j in range(count):
                factors[k, j] = border[k, j] if rubs or k == i else 0.0
        side[i, MISS] = mu * y[0] - undone(border, side, i, count, IMPULSE)
        a = square(w, (mu, 0.0, 0.0))
        factors[i, i] += mu * a[0]
        if not rubs:
            factors[i + 1, i + 1], factors[i + 2, i + 2] = 1.0, 1.0
            continue
        s, t = undone(border, side, i + 1, count, IMPULSE), undone(border, side, i + 2, count, IMPULSE)
        slip = math.sqrt(s * s + t * t + smooth * smooth)
        s_way, t_way = (s / slip, t / slip) if slip > 0.0 else (0.0, 0.0)
        side[i, MISS] -= mu * slip
        side[i + 1, MISS], side[i + 2, MISS] = y[1] - s, y[2] - t
        for j in range(count):
            factors[i, j] += mu * (s_way * border[i + 1, j] + t_way * border[i + 2, j])
        b, c = square(w, (0.0, 1.0, 0.0)), square(w, (0.0, 0.0, 1.0))
        factors[i, i + 1] += a[1]
        factors[i + 1, i] += a[1]
        factors[i, i + 2] += a[2]
        factors[i + 2, i] += a[2]
        factors[i + 1, i + 1] += b[1]
        factors[i + 1, i + 2] += b[2]
        factors[i + 2, i + 1] += b[2]
        factors[i + 2, i + 2] += c[2]
    return factorise(factors, side, count)


@kernel
def _solve(factors, side, row, start, count):
    """Changes of all impulses for the present aims; returns how far one may go, and the gap a + b t + c t^2 there."""
    for i in range(count):
        mu = _friction(row, start, i) if i % 3 == 0 else 1.0
        slick = i % 3 > 0 and row[start + i, R_FRICTION] <= 0.0
        side[i, TRIAL] = 0.0 if slick else mu * (side[i, AIM] - side[i, SLACK]) + side[i, MISS]
    substitute(factors, side, count)
    t, a, b, c = math.inf, 0.0, 0.0, 0.0
    for i in range(0, count, 3):
        mu = _friction(row, start, i)
        z, y, w = _pair(side, i, mu)
        dz, dy = _change(side, i, mu, y, w)
        t = min(t, way(z, dz), way(y, dy))
        a += z[0] * y[0] + z[1] * y[1] + z[2] * y[2]
        b += z[0] * dy[0] + z[1] * dy[1] + z[2] * dy[2] + y[0] * dz[0] + y[1] * dz[1] + y[2] * dz[2]
        c += dz[0] * dy[0] + dz[1] * dy[1] + dz[2] * dy[2]
    return t, a, b, c


@kernel
def _aim(side, row, start, count, centre):
    """Aims of the corrector from the predictor's solution."""
    for i in range(0, count, 3):
        mu = _friction(row, start, i)
        z, y, w = _pair(side, i, mu)
        dz, _ = _change(side, i, mu, y, w)
        l, q = scale(w, z), scale(w, dz)
        c = multiply((-l[0] - q[0], -l[1] - q[1], -l[2] - q[2]), q)
        aim = scale(w, divide(l, (centre - c[0], -c[1], -c[2])))
        side[i, AIM], side[i + 1, AIM], side[i + 2, AIM] = aim[0], aim[1], aim[2]


@kernel
def _move(side, row, start, count, t):
    """Go a part of the way."""
    for i in range(0, count, 3):
        mu = _friction(row, start, i)
        _, y, w = _pair(side, i, mu)
        _, dy = _change(side, i, mu, y, w)
        for k in range(3):
            side[i + k, IMPULSE] += t * side[i + k, TRIAL]
            side[i + k, SLACK] += t * dy[k]


@kernel
def _converge(border, factors, side, row, start, count, part, smooth):
    """Predictor and corrector until the gap is closed, or nothing moves any more; returns the scale of speeds."""
    force, speed = _begin(side, row, start, count, part)
    first, gap, stuck = force * speed * (count // 3), force * speed * (count // 3), 0
    for _ in range(MOST):
        if not _load(border, factors, side, row, start, count, smooth * speed * min(gap / first, 1.0)):
            break
        t, a, b, c = _solve(factors, side, row, start, count)
        t = min(t, 1.0)
        centre = max(min(max((a + t * (b + t * c)) / a, 0.0), 1.0) ** 3, CENTRE)
        _aim(side, row, start, count, centre * a / (count // 3))
        t, a, b, c = _solve(factors, side, row, start, count)
        t = min(REACH * t, 1.0)
        gap = a + t * (b + t * c)
        if not gap > 0.0:
            break  # round-off has eaten the solution: the last point stands
        _move(side, row, start, count, t)
        stuck = stuck + 1 if t < SHORT else 0
        if gap < DONE * first or stuck >= STUCK:
            break
    return speed


@kernel
def _open(border, side, count):
    """Contacts that are nearer to no impulse than to no gap do nothing."""
    for i in range(0, count, 3):
        side[i, TRIAL] = undone(border, side, i, count, IMPULSE) - border[i, i] * side[i, IMPULSE]
    for i in range(0, count, 3):
        if side[i, TRIAL] > 0.0:
            side[i, IMPULSE], side[i + 1, IMPULSE], side[i + 2, IMPULSE] = 0.0, 0.0, 0.0


@kernel
def missed(border, side, row, start, count):
    """Largest miss of the law of a contact by the present impulses, as a speed [m/s]."""
    worst = 0.0
    for i in range(0, count, 3):
        worst = max(worst, abs(min(undone(border, side, i, count, IMPULSE), border[i, i] * side[i, IMPULSE])))
        limit = row[start + i + 1, R_FRICTION] * side[i, IMPULSE]
        x, y = natural(border, side, row, start, i, count, IMPULSE)
        part = min(limit / max(math.sqrt(x * x + y * y), 1e-300), 1.0)
        x, y = part * x - side[i + 1, IMPULSE], part * y - side[i + 2, IMPULSE]
        worst = max(worst, math.sqrt(x * x + y * y) / row[start + i, R_RHO])
    return worst


@kernel
def solve_cones(border, factors, side, row, start, count):
    """Impulses of all contacts where sweeps and states have found none that agree; what these have come to stands if nothing is better.
    True when the law of every contact holds."""
    best = missed(border, side, row, start, count)
    for i in range(count):
        side[i, BEST] = side[i, IMPULSE]
    speed = 0.0
    for part, smooth in zip(FORCES, SMOOTH):
        speed = _converge(border, factors, side, row, start, count, part, smooth)
        _open(border, side, count)
        found = missed(border, side, row, start, count)
        exact = polish(border, factors, side, row, start, count)
        if exact or found < best:
            best = 0.0 if exact else found
            for i in range(count):
                side[i, BEST] = side[i, IMPULSE]
        if best <= FAIR * speed:
            break
    for i in range(count):
        side[i, IMPULSE] = side[i, BEST]
    return best <= FAIR * speed
