"""Friction of many contacts by Newton's method: with the states of all contacts (open, sticks, slides) given, forces and friction
follow from one linear solve (taut.step.coupling); from that solve come the next states, by the natural map of every contact

    p_n = lam_n - rho (n.v+ + Sigma lam_n - b),      p_t = lam_t - rho (s + sigma lam_t),      open: p_n < 0,   slides: |p_t| > mu lam_n

(Alart, Curnier 1991). Near the solution a few rounds do, where iterating limits and states in turn (taut.step.friction) may go round in
circles; far from it this method is lost, which shows soon.
"""

from __future__ import annotations

import math

from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, LOW
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BOUND_ITERATIONS,
    COUNT,
    COUNTER,
    G_START,
    GROUP_INT,
    GROUPS,
    JOINT_GROUPS,
    KRYLOV,
    R_FRICTION,
    R_RATE_NEW,
    R_RHO,
    R_SIGMA,
    R_STICK,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    T_FLOOR,
    TALLY,
)
from taut.core.order import FACTORISE, SUBSTITUTE, YIELD
from taut.core.stage import call_stage, has_stage
from taut.step.bounds import BOUND_TOLERANCE, scales, slack, take_off_floor, update_bounds
from taut.step.coupling import K_COSINE, NEARLY_TIED, TIED, slides, tie_friction
from taut.step.friction import CONE_TOLERANCE, FRICTION_SOFTNESS, TURN, grip, let_go, natural, slide, turn_rows
from taut.step.solve import BEGUN

#: contacts that may always change in the first round
FEW = 6
#: right sides with the same factors
SIDES = 9
#: rounds without fewer changes than ever before that are waited for
PATIENCE = 4
#: part of the limit from which on a contact that is given no friction has one [-]
NOTHING = 1e-14


@kernel
def _close(s, w, g, n, slack_n):
    """A contact that closes: sticks or slides as its motion says."""
    row, lam, bound = table(w, ROW), column(s, ROW_LAM), indices(s, ROW_BOUND)
    i, j = n + 1, n + 2
    bound[n] = FREE
    mu = row[i, R_FRICTION]
    if mu <= 0.0:
        return
    speed = math.sqrt(row[i, R_RATE_NEW] ** 2 + row[j, R_RATE_NEW] ** 2)
    if speed <= -mu * slack_n:
        grip(row, bound, i)
        return
    turn_rows(s, w, g, g - indices(w, COUNT)[JOINT_GROUPS], row[i, R_RATE_NEW] / speed, row[j, R_RATE_NEW] / speed)
    slide(row, lam, bound, i, 0.0, row[i, R_STICK] + (speed / (-mu * slack_n) - 1.0) / row[n, R_RHO])


@kernel
def _rub(s, w, g, n, limit):
    """Friction of a closed contact by its natural map; returns 2: its state changed, 1: its rows did, 0: neither."""
    row, lam, bound, vector = table(w, ROW), column(s, ROW_LAM), indices(s, ROW_BOUND), table(w, KRYLOV)
    i, j = n + 1, n + 2
    c = g - indices(w, COUNT)[JOINT_GROUPS]
    stick, rho = row[i, R_STICK], row[n, R_RHO]
    x, y = natural(row, lam, n)
    size = math.sqrt(x * x + y * y)
    if bound[i] == FREE:
        if size <= limit * (1.0 + FRICTION_SOFTNESS):
            return 0
        turn_rows(s, w, g, c, -x / size, -y / size)
        slide(row, lam, bound, i, limit, stick + (size / limit - 1.0) / rho)
        vector[c, K_COSINE] = 1.0
        return 2
    if size <= limit:
        grip(row, bound, i)
        return 2
    across = stick + (size / limit - 1.0) / rho
    if x > 0.0 or abs(y) > TURN * size:
        turn_rows(s, w, g, c, -x / size, -y / size)
        slide(row, lam, bound, i, limit, across)
        vector[c, K_COSINE] = 1.0
        return 1
    vector[c, K_COSINE] = -x / size
    if abs(y) * abs(across - row[j, R_SIGMA]) > CONE_TOLERANCE * size * row[j, R_SIGMA]:
        row[j, R_SIGMA] = across
        return 1
    return 0


@kernel
def _next_states(s, w):
    """States of all contacts from the last solution; returns how many changed, and how many rows did besides."""
    group, row, lam, bound = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM), indices(s, ROW_BOUND)
    vector, joints, groups = table(w, KRYLOV), indices(w, COUNT)[JOINT_GROUPS], indices(w, COUNT)[GROUPS]
    force, speed = scales(row, lam, group[groups, G_START])
    changed, turned = 0, 0
    for g in range(joints, groups):
        n = group[g, G_START]
        i = n + 1
        if bound[n] != FREE:
            left = slack(row, lam, n)
            if left < -BOUND_TOLERANCE * speed:
                vector[g - joints, K_COSINE] = 1.0
                _close(s, w, g, n, left)
                changed += 1
        elif lam[n] < -BOUND_TOLERANCE * force:
            bound[n], lam[n] = LOW, 0.0
            let_go(row, lam, bound, i)
            changed += 1
        elif row[i, R_FRICTION] > 0.0:
            limit = row[i, R_FRICTION] * max(lam[n], 0.0)
            held = bound[i + 1] == FREE
            if limit <= NOTHING * force:
                if held:
                    let_go(row, lam, bound, i)
                    changed += 1
            elif not held:
                grip(row, bound, i)
                changed += 1
            else:
                what = _rub(s, w, g, n, limit)
                changed += what // 2
                turned += what % 2
    return changed, turned


@kernel
def _loosest(s, w):
    """Largest miss of the friction of a sliding contact beside what its cosine now asks for, relative to it."""
    group, row, lam, bound = index_table(w, GROUP_INT), table(w, ROW), column(s, ROW_LAM), indices(s, ROW_BOUND)
    vector, joints = table(w, KRYLOV), indices(w, COUNT)[JOINT_GROUPS]
    worst = 0.0
    for g in range(joints, indices(w, COUNT)[GROUPS]):
        n = group[g, G_START]
        if slides(bound, n):
            wanted = row[n + 1, R_FRICTION] * vector[g - joints, K_COSINE] * lam[n]
            worst = max(worst, abs(wanted + lam[n + 1]) / max(wanted, 1e-300))
    return worst


@kernel
def solve_newton(context, settings, s, w, h, most, far):
    """States, forces and friction from the present states in at most so many factorisations; True when all hold.

    `far`: part of all contacts that may change in the first round; more means that the start is too far away.
    """
    row, cone, bound, lam = table(w, ROW), index_table(w, ROW_INT), indices(s, ROW_BOUND), column(s, ROW_LAM)
    count, tally, vector = indices(w, COUNT), column(w, TALLY), table(w, KRYLOV)
    contacts = count[GROUPS] - count[JOINT_GROUPS]
    joint_rows = index_table(w, GROUP_INT)[count[JOINT_GROUPS], G_START]
    refined, fewest, patience = 0, 1 << 60, PATIENCE
    for c in range(contacts):
        vector[c, K_COSINE] = 1.0
    for made in range(most):
        call_stage(FACTORISE, context, h, 0.0)
        call_stage(SUBSTITUTE, context, h, BEGUN)
        indices(s, COUNTER)[BOUND_ITERATIONS] += 1
        fresh, least = True, NEARLY_TIED
        for _ in range(SIDES):
            if not tie_friction(context, s, w, h, least):
                return False
            found = update_bounds(row, cone, lam, bound, joint_rows, False, False)
            changed, turned = _next_states(s, w)
            if made == 0 and found + changed > max(FEW, far * contacts):
                return False
            if found + changed + turned > 0:
                left = (found + changed) * (contacts + 1) + turned
                patience = PATIENCE if left < fewest else patience - 1
                fewest = min(left, fewest)
                break
            if least > TIED:
                least = TIED  # nobody has another state: now to the last digits
                continue
            if _loosest(s, w) > CONE_TOLERANCE:
                continue
            if has_stage(context, YIELD) and call_stage(YIELD, context, h, 1.0 if fresh else 0.0) > 0:
                break
            fresh = False
            if refined >= settings.refinements or not take_off_floor(
                tally[T_FLOOR], row, lam, bound, table(w, BODY_NEW), joint_rows
            ):
                return True
            refined += 1
            call_stage(SUBSTITUTE, context, h, 0.0)
        if patience <= 0:
            break
    return False
