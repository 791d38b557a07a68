"""Friction of many contacts by an interior-point method: solved in some fifteen factorisations, whatever the contacts do.

Coulomb's law is a complementarity of cones (De Saxce, Feng 1998). With z = (mu lam_n, lam_t) the force of a contact and s its slip,

    z in Q,   y in Q,   z.y = 0,    Q: x0 >= |(x1, x2)|,    mu y0 = n.v+ + Sigma lam_n - b + mu |s|,    (y1, y2) = s

For a given number |s| in the first row this is the optimality of a convex program, together with all joints and all their
bounds. Mehrotra's predictor and corrector with Nesterov and Todd's scaling need the factors of the step's own matrix, with
an SPD block added to Sigma of each contact, for two right sides (taut.step.interior_rows).

|s| is one of the unknowns, tied to the slip y (taut.step.slip). That problem is not convex, and may come to a halt. From there on |s| follows the slip
of the point before while the gap z.y is large, and is held for the last digits. What it misses then lifts or presses a contact by
mu (|s+| - |s|) in this step, while force and slip obey the law exactly; and since z.y = 0 a contact takes the power mu |s| lam_n >= 0, whatever
|s| misses: no energy comes from it. Where that would be felt |s| follows once more and all is solved again from near what was found, as Acary,
Cadoux, Lemarechal and Malick (2011) iterate it.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, HIGH, LOW, SLIDE
from taut.core.jit import kernel
from taut.core.model import (
    BOUND_ITERATIONS,
    COUNT,
    COUNTER,
    G_START,
    GROUP_INT,
    GROUPS,
    I_FORCE,
    I_HIGH,
    I_RHS,
    I_SHIFT,
    I_SIGMA,
    I_SLACK,
    I_TARGET,
    I_TARGET_HIGH,
    INNER,
    JOINT_GROUPS,
    R_COUPLE,
    R_FRICTION,
    R_HIGH,
    R_LOW,
    R_RATE,
    R_RHO,
    R_RHS,
    R_SIGMA,
    R_STICK,
    ROW,
    ROW_BOUND,
    ROW_LAM,
)
from taut.core.order import FACTORISE, SUBSTITUTE
from taut.core.stage import call_stage
from taut.step.interior_rows import (
    aim_contact,
    aim_line,
    contact_way,
    is_bounded,
    line_way,
    load_contact,
    load_line,
    load_side,
    move_contact,
    move_line,
)
from taut.step.slip import tie_slip
from taut.step.snatch import differs
from taut.step.soc import CENTRE, REACH

#: factorisations at most; gaps, relative to that at the start, at which |s| is held, that will do and that ends it
MOST, HOLD, FAIR, DONE = 40, 1e-6, 1e-10, 1e-12
#: fair rounds that may leave more than a part of the gap: round-off
SLOW, PART = 1, 0.7
#: a way that is hardly one; the gap below which it counts, and after how many of them |s| is let go
SHORT, NEAR, STUCK = 0.1, 0.1, 5
#: nearest to the boundary of a cone that one goes, as a part of the way
NEAREST = 0.9999
#: what may be left of a miss of |s| in the predictor, where it is one of the unknowns [-]; the corrector takes it as it is
WELL = 0.03
#: gap that will do in a pass that is followed by another, relative to that at the start: what counts are the tensions
ROUGH = 1e-3
#: how it ended: not at all; with |s| as an unknown, or following its slip; roughly, and another pass is due
LOST, TIED, FOLLOWED, ROUGHLY = 0, 1, 2, 3
#: rounds in which |s| follows the slip again; the acceleration that what it misses may look like [m/s^2], a hundredth of gravity's; and how far
#: inside of its cones a round begins, as a part of the scales
ROUNDS, LIFT, WIDE = 8, 0.1, 1e-2
#: by how much what |s| misses may grow from its least before it counts as run away
AWAY = 4.0
#: least part of the way to its slip that |s| of a contact goes when it has gone too far in the round before
SHORTEST = 0.1
#: how far inside of its cones a contact begins, beside what it did in the last step, as a part of the scales
WARM = 0.1
#: told to SUBSTITUTE: the factorisation has begun the solution
BEGUN = 1.0


@kernel
def contact_scales(s, w):
    """An impulse and a speed as large as those of the contacts in the last step."""
    group, row, lam = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    force, speed = 0.0, 1e-3
    for g in range(joints, groups):
        n = group[g, G_START]
        force = max(force, abs(lam[n]), abs(lam[n + 1]), abs(lam[n + 2]))
        speed = max(speed, abs(row[n, R_RHS]), 0.1 * abs(row[n, R_RATE]))
    for g in range(joints, groups):
        # what stops the bodies of a contact, at least
        force = max(force, 1e-2 * speed * row[group[g, G_START], R_RHO])
    return force, speed


@kernel
def _begin_line(row, inner, bound, i, force, speed):
    """A bounded row in the middle of its bounds, or as far from the only one as forces are large; its number of cones. An end stop far away has
    the slack that it has: hundreds of metres per second, which would otherwise have to be made by a force."""
    low, high = row[i, R_LOW], row[i, R_HIGH]
    below, above = math.isfinite(low), math.isfinite(high)
    left = row[i, R_RATE] - row[i, R_RHS]
    inner[i, I_SLACK], inner[i, I_HIGH] = max(speed, left) if below else 0.0, max(speed, -left) if above else 0.0
    inner[i, I_FORCE] = 0.5 * (low + high) if below and above else (low + force if below else high - force)
    bound[i] = FREE
    return 2 if below and above else 1


@kernel
def remember(s, w):
    """Keep the impulses of contacts in the last step: `solve_interior` begins near them, after others have tried."""
    group, inner, lam = index_table(w, GROUP_INT), table(w, INNER), column(s, ROW_LAM)
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        for i in range(group[g, G_START], group[g, G_START] + 3):
            inner[i, I_TARGET] = lam[i]


@kernel
def _begin_contact(row, inner, n, mu, force, speed):
    """A contact near what it did in the last step, inside of both cones by a part of `force` and `speed`; one that is new by all of them: of
    several solutions that is the way to the one in the middle."""
    i, j = n + 1, n + 2
    if inner[n, I_TARGET] > 0.0:
        force, speed = WARM * force, WARM * speed
    was, slip = max(inner[n, I_TARGET], 0.0), math.sqrt(row[i, R_RATE] ** 2 + row[j, R_RATE] ** 2)
    leaves = max(row[n, R_RATE] - row[n, R_RHS], 0.0) / mu if was == 0.0 else 0.0
    part = mu * was / max(mu * was, math.sqrt(inner[i, I_TARGET] ** 2 + inner[j, I_TARGET] ** 2), 1e-300)
    inner[n, I_FORCE], inner[n, I_SLACK], inner[n, I_SHIFT] = was + force / mu, speed + slip + leaves, slip
    for k in (i, j):
        inner[k, I_SIGMA], inner[k, I_RHS] = row[k, R_STICK], row[k, R_RHS]
        inner[k, I_FORCE], inner[k, I_SLACK] = part * inner[k, I_TARGET], row[k, R_RATE]


@kernel
def _begin(s, w, force, speed):
    """Keep what the method changes, and start inside of all cones; returns their number."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    lam, bound = column(s, ROW_LAM), indices(s, ROW_BOUND)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    cones = 0
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            inner[i, I_SIGMA], inner[i, I_RHS] = row[i, R_SIGMA], row[i, R_RHS]
            cones += _begin_line(row, inner, bound, i, force, speed)
    for g in range(joints, groups):
        n = group[g, G_START]
        i, j, mu = n + 1, n + 2, row[n + 1, R_FRICTION]
        inner[n, I_SIGMA], inner[n, I_RHS] = row[n, R_SIGMA], row[n, R_RHS]
        cones += _begin_line(row, inner, bound, n, force, speed)
        if mu <= 0.0:
            bound[i], bound[j], lam[i], lam[j] = SLIDE, SLIDE, 0.0, 0.0
            continue
        _begin_contact(row, inner, n, mu, force, speed)
        bound[i], bound[j] = FREE, FREE
    return cones


@kernel
def _load(s, w):
    """The predictor: matrix and right side."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for i in range(group[groups, G_START]):
        inner[i, I_TARGET], inner[i, I_TARGET_HIGH] = 0.0, 0.0
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            load_line(row, inner, i)
    for g in range(joints, groups):
        n = group[g, G_START]
        if row[n + 1, R_FRICTION] > 0.0:
            load_contact(row, inner, n, row[n + 1, R_FRICTION])
        else:
            load_line(row, inner, n)


@kernel
def _aim(s, w, centre, held, t):
    """The corrector: another right side."""
    group, row, inner, lam = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER), column(s, ROW_LAM)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            aim_line(row, inner, lam, i, centre)
            load_line(row, inner, i)
    for g in range(joints, groups):
        n = group[g, G_START]
        mu = row[n + 1, R_FRICTION]
        if mu > 0.0:
            aim_contact(inner, lam, n, mu, centre, held, t)
            load_side(row, inner, n, mu)
        else:
            aim_line(row, inner, lam, n, centre)
            load_line(row, inner, n)


@kernel
def _way(s, w):
    """How far one may go along the last solution, and the gap a + b t + c t^2 there."""
    group, row, inner, lam = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER), column(s, ROW_LAM)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    t, a, b, c = math.inf, 0.0, 0.0, 0.0
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            u, p, q, r = line_way(row, inner, lam, i)
            t, a, b, c = min(t, u), a + p, b + q, c + r
    for g in range(joints, groups):
        n = group[g, G_START]
        if row[n + 1, R_FRICTION] > 0.0:
            u, p, q, r = contact_way(inner, lam, n, row[n + 1, R_FRICTION])
        else:
            u, p, q, r = line_way(row, inner, lam, n)
        t, a, b, c = min(t, u), a + p, b + q, c + r
    return t, a, b, c


@kernel
def _move(s, w, t, held):
    """Go a part of the way."""
    group, row, inner, lam = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER), column(s, ROW_LAM)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            move_line(row, inner, lam, i, t)
    for g in range(joints, groups):
        n = group[g, G_START]
        if row[n + 1, R_FRICTION] > 0.0:
            move_contact(inner, lam, n, row[n + 1, R_FRICTION], t, held)
        else:
            move_line(row, inner, lam, n, t)


@kernel
def _restore(s, w):
    """Rows as they were."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            row[i, R_SIGMA], row[i, R_RHS] = inner[i, I_SIGMA], inner[i, I_RHS]
    for g in range(joints, groups):
        n = group[g, G_START]
        row[n, R_SIGMA], row[n, R_RHS], row[n, R_COUPLE] = inner[n, I_SIGMA], inner[n, I_RHS], 0.0
        for k in range(n + 1, n + 3):
            row[k, R_SIGMA], row[k, R_RHS], row[k, R_COUPLE] = row[k, R_STICK], inner[k, I_RHS], 0.0


@kernel
def _begin_anew(s, w, force, speed):
    """Start in the middle of all cones, whatever there was before."""
    group, inner = index_table(w, GROUP_INT), table(w, INNER)
    _restore(s, w)
    for i in range(group[indices(w, COUNT)[JOINT_GROUPS], G_START], group[indices(w, COUNT)[GROUPS], G_START]):
        inner[i, I_TARGET] = 0.0
    _begin(s, w, force, speed)


@kernel
def hold_found(s, w, force, speed):
    """The states that the method found: at its bound is what is nearer to it than its slack is to zero, beside the scales of
    impulse and speed. Contacts are held at their impulses; who solves on frees them."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    lam, bound = column(s, ROW_LAM), indices(s, ROW_BOUND)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for i in range(group[joints, G_START]):
        if not is_bounded(row, i):
            continue
        bound[i], lam[i] = FREE, inner[i, I_FORCE]
        if math.isfinite(row[i, R_LOW]) and (lam[i] - row[i, R_LOW]) * speed < inner[i, I_SLACK] * force:
            bound[i], lam[i] = LOW, row[i, R_LOW]
        elif math.isfinite(row[i, R_HIGH]) and (row[i, R_HIGH] - lam[i]) * speed < inner[i, I_HIGH] * force:
            bound[i], lam[i] = HIGH, row[i, R_HIGH]
    for g in range(joints, groups):
        n = group[g, G_START]
        mu = row[n + 1, R_FRICTION]
        # a contact that slides has a slack, too: its slip
        slack = inner[n, I_SLACK]
        if mu > 0.0:
            slack = mu * (slack - math.sqrt(inner[n + 1, I_SLACK] ** 2 + inner[n + 2, I_SLACK] ** 2))
        closed = inner[n, I_FORCE] * speed > slack * force
        bound[n], lam[n] = SLIDE if closed else LOW, inner[n, I_FORCE] if closed else 0.0
        for k in range(n + 1, n + 3):
            bound[k], lam[k] = SLIDE, inner[k, I_FORCE] if closed and mu > 0.0 else 0.0
            row[k, R_SIGMA] = row[k, R_STICK]


@kernel
def _follow(s, w, force, speed, first):
    """|s| of every contact after the slip that was found; returns by how much that lifts or presses one that acts, at most [m/s].

    With the miss m = |s+| - |s| of this round and m' of the one before, in which |s| went by d: where m and m' have opposite signs |s| went too
    far, and the secant through both says where the miss is zero, |s| + d m / (m' - m); else it goes all the way, |s| + m. Contacts that
    hand their slip to each other would go to and fro between two values for ever.
    """
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    worst = 0.0
    for g in range(indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        mu = row[n + 1, R_FRICTION]
        if mu > 0.0:
            slip = math.sqrt(inner[n + 1, I_SLACK] ** 2 + inner[n + 2, I_SLACK] ** 2)
            if inner[n, I_FORCE] * speed > mu * (inner[n, I_SLACK] - slip) * force:
                worst = max(worst, mu * abs(slip - inner[n, I_SHIFT]))
            # the rows of friction have no |s| of their own: m' and d are kept there
            miss, before, gone = slip - inner[n, I_SHIFT], inner[n + 1, I_SHIFT], inner[n + 2, I_SHIFT]
            step = miss
            if not first and miss * before < 0.0:
                step = miss * max(gone / (before - miss), SHORTEST)
            inner[n, I_SHIFT] += step
            inner[n + 1, I_SHIFT], inner[n + 2, I_SHIFT] = miss, step
    return worst


@kernel
def _widen(s, w, force, speed):
    """Back inside of all cones by so much, to begin again from what was found."""
    group, row, inner = index_table(w, GROUP_INT), table(w, ROW), table(w, INNER)
    joints, groups = indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    for i in range(group[joints, G_START]):
        if is_bounded(row, i):
            _widen_line(row, inner, i, force, speed)
    for g in range(joints, groups):
        n = group[g, G_START]
        if row[n + 1, R_FRICTION] > 0.0:
            inner[n, I_FORCE] += force / row[n + 1, R_FRICTION]
            inner[n, I_SLACK] += speed
        else:
            _widen_line(row, inner, n, force, speed)


@kernel
def _widen_line(row, inner, i, force, speed):
    """The same for a row with bounds."""
    low, high = row[i, R_LOW], row[i, R_HIGH]
    below, above = math.isfinite(low), math.isfinite(high)
    if below and above:
        force = min(force, 0.01 * (high - low))
        inner[i, I_FORCE] = min(max(inner[i, I_FORCE], low + force), high - force)
    else:
        inner[i, I_FORCE] += force if below else -force
    inner[i, I_SLACK] += speed if below else 0.0
    inner[i, I_HIGH] += speed if above else 0.0


@kernel
def _converge(context, s, w, h, cones, force, speed, held, tied, more):
    """Predictor and corrector until the gap is closed; says how it ended. `held`: |s| stays as it is; `tied`: it is one of the unknowns until
    that leads nowhere, else it follows the slip of the last point. `more`: another pass may follow, and a rough solution will do if one is due."""
    counter, slow, stuck, first = indices(s, COUNTER), 0, 0, cones * force * speed
    gap = first
    for _ in range(MOST):
        _load(s, w)
        call_stage(FACTORISE, context, h, 0.0)
        call_stage(SUBSTITUTE, context, h, BEGUN)
        counter[BOUND_ITERATIONS] += 1
        if tied:
            tie_slip(context, s, w, h, speed * min(gap / first, 1.0), WELL)
        t, a, b, c = _way(s, w)
        t = min(t, 1.0)
        left = min(max((a + t * (b + t * c)) / a, 0.0), 1.0)
        _aim(s, w, max(left**3, CENTRE) * a / cones, held or tied, t)
        call_stage(SUBSTITUTE, context, h, 0.0)
        t, a, b, c = _way(s, w)
        # nearer to the boundary the better the predictor was: the last digits come fast then
        t = min(max(REACH, min(1.0 - left, NEAREST)) * t, 1.0)
        if not a + t * (b + t * c) > 0.0:
            break  # round-off has eaten the solution: the last point stands
        gap = a + t * (b + t * c)
        _move(s, w, t, held)
        slow += 1 if gap < FAIR * first and gap > PART * a else 0
        stuck += 1 if t < SHORT and gap < NEAR * first else 0
        if more and gap < ROUGH * first and differs(w):
            return ROUGHLY
        if gap < DONE * first or slow > SLOW:
            break
        tied = tied and stuck < STUCK
        held = held or (not tied and gap < HOLD * first)
    if not gap < (FAIR if tied else HOLD) * first:
        return LOST
    return TIED if tied else FOLLOWED


@kernel
def _rounds(context, s, w, h, cones, force, speed):
    """Solve again with |s| after the slip until what it misses is not felt; False where it runs away."""
    least = math.inf
    for done in range(ROUNDS):
        miss = _follow(s, w, force, speed, done == 0)
        if miss < LIFT * h:
            break
        if not miss < AWAY * least:
            return False
        least = min(miss, least)
        _widen(s, w, WIDE * force, WIDE * speed)
        if _converge(context, s, w, h, cones, force, speed, True, False, False) == LOST:
            return False
    return True


@kernel
def solve_interior(context, s, w, h, force, speed, more):
    """Impulses of all contacts and bounded rows, with all joints, and the velocities for them. Every contact is left held at its
    impulse. `force` and `speed`: scales, from `contact_scales`. `more`: another pass may follow; returns whether the solution is a rough one,
    which only tells that it has to.

    |s| is an unknown, and follows the slip where that leads nowhere; where the two drive each other away it is held at the slip of the last step, which
    makes a convex program, and follows by rounds; where it runs away there, too, it stays held.
    """
    cones = _begin(s, w, force, speed)
    end = _converge(context, s, w, h, cones, force, speed, False, True, more)
    if end == LOST or (end == FOLLOWED and not _rounds(context, s, w, h, cones, force, speed)):
        for attempt in range(3):
            # from the middle of all cones
            _begin_anew(s, w, force, speed)
            found = _converge(context, s, w, h, cones, force, speed, attempt > 0, False, False) != LOST
            if found and attempt < 2 and _rounds(context, s, w, h, cones, force, speed):
                break
    _restore(s, w)
    hold_found(s, w, force, speed)
    call_stage(FACTORISE, context, h, 0.0)
    call_stage(SUBSTITUTE, context, h, BEGUN)
    indices(s, COUNTER)[BOUND_ITERATIONS] += 1
    return end == ROUGHLY
