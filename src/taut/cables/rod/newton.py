"""Newton's iteration with inertia correction: from a shape to the equilibrium in whose basin it lies.

A step is taken only from a matrix with the inertia of a minimum; if H has too many negative directions a multiple of
the unit matrix is added. Merit is the augmented Lagrangian E + force.gap + weight/2 gap^2 at the new multipliers, along
which the step descends; of gaps that only push the part that is active.

All of it is one call into compiled code. A rod that can touch nothing has a form of its own, without the code for contacts.
"""

from __future__ import annotations

import math

from taut.cables.rod import sparse
from taut.cables.rod.arrays import (
    CHANGE,
    EQUATIONS,
    FIRST,
    GAP,
    GRAD,
    LAST,
    LOST,
    MOVE,
    PAIRS,
    PUSHES,
    ROWS,
    SHIFTED,
    SLOPE,
    SPARSE,
    STEP,
    TURN,
    Array,
    Arrays,
)
from taut.cables.rod.assemble import assemble, merit, residual
from taut.cables.rod.detect import detect, remember
from taut.cables.rod.factor import factor
from taut.cables.rod.obstacles import TOUCHES_ITSELF, Obstacles
from taut.cables.rod.sparse import condensable, factor_sparse
from taut.cables.rod.substitution import solve
from taut.cables.rod.turning import accept, angles, turn
from taut.core.jit import kernel

#: share of the smallest joint stiffness that is always added: neutral modes (a free spin) count as stable
NEUTRAL = 1e-10
#: first shift that is tried, as a share of the largest joint stiffness, and how it grows
FIRST_SHIFT, GROWTH = 1e-6, 4.0
#: largest rotation of a segment in one iteration [rad]
LARGEST_TURN = 1.5
#: share of the predicted decrease that is asked for (Armijo)
ENOUGH = 1e-4
#: a step with no larger rotation than this leaves the inertia as it is [rad]
NEAR = 1e-3
#: a residual from which nothing comes back: forces grow from step to step
NOWHERE = 1e20
#: halvings of a step, and shifts, before giving up
HALVINGS, SHIFTINGS = 30, 40
#: halvings in all, beyond one for each iteration that is allowed: what needs more creeps, and gets nowhere in the time that anybody waits
CREEPS = 800

# what the iteration reports
RESIDUAL, ITERATIONS, SHIFTS, BACKTRACKS, MINIMUM, ENERGY, ANGLE, TWISTED, DEEPEST = range(9)
# and what it is told meanwhile: above zero, nobody waits for it any more
LEAVE, REPORTED = 9, 10


def newton(
    arrays: Arrays, obstacles: Obstacles, scales: Array, tolerance: float, most: int, report: Array
) -> None:  # fmt: skip
    """Iterate frames, bodies and multipliers in place until the residual is below the tolerance; `report` says how.

    scales: force [N], length of the rod [m], largest and smallest stiffness of a joint [N m], compliance of contacts
    [m/N], farthest that a point moves in one iteration [m].
    """
    touches = len(obstacles.shape) > 0 or obstacles.setting[TOUCHES_ITSELF] > 0.0
    _iterate(*arrays, obstacles if touches else None, sparse.MANY, scales, tolerance, most, report)


@kernel
def iterate(
    rod: Array, chain: Array, body: Array, row: Array, quat: Array, force: Array, trial: Array, block: Array,
    border: Array, dense: Array, old: Array, count: Array, touch: Array, carry: Array, obstacles: Obstacles | None,
    many: int, scales: Array, tolerance: float, most: int, report: Array,
) -> None:  # fmt: skip
    """The iteration; what stands under `obstacles is not None` is left out of the form for rods that touch nothing."""
    force_scale, length, stiffness, softest, reach = scales[0], scales[1], scales[2], scales[3], scales[5]
    backtracks, shifts, minimum = 0, 0, False
    for i in range(block.shape[0]):
        for c in range(3):
            block[i, STEP + c] = 0.0
    for b in range(body.shape[0]):
        for c in range(6):
            body[b, MOVE + c] = 0.0
    count[SPARSE] = 0
    if obstacles is not None:
        remember(row, force, old, count)
    weight, shift, part, before, fall, worst = force_scale / length, 0.0, 1.0, math.inf, 0.0, math.inf
    halvings, iterations, tries, largest, energy, deepest = 0, 0, 0, math.inf, 0.0, 0.0
    while report[LEAVE] == 0.0:
        # try the step; the first has no length and is taken as it is
        if obstacles is not None:
            turn(chain, body, quat, block, part, trial)
            detect(rod, chain, body, row, trial, force, block, old, count, obstacles)
        energy, found, after = look(rod, chain, body, row, quat, force, block, count, scales, part, weight, trial)
        slack = 1e-12 * (abs(energy) + force_scale * length)
        if not (after <= before + ENOUGH * part * fall + slack or found < 0.1 * worst):
            backtracks += 1
            part *= 0.5
            halvings += 1
            if halvings > HALVINGS or backtracks > most + CREEPS:
                break
            continue
        accept(quat, trial, body)
        worst = found
        if worst > NOWHERE:
            break
        if obstacles is None:
            if worst <= tolerance and iterations > 0 and tries == 0 and largest < NEAR:
                # the last matrix was that of a minimum and hardly differs from the one here
                minimum = True
                break
        else:
            count[SPARSE] = 1 if condensable(row, count, many) else 0
            deepest = min(deepest, _deepest(row, count))
        # factor, shifted until the inertia is that of a minimum
        # each pair of segments has four rows with two eigenvalues of each sign
        rows, last, shift, tries = count[ROWS] - 2 * count[PAIRS], shift, NEUTRAL * softest, 0
        inertia = 0
        while True:
            inertia = _eliminate(
                rod, chain, body, row, force, block, border, dense, count, touch, carry, obstacles, shift, scales
            )
            if tries == 0:
                minimum = inertia == rows
                if worst <= tolerance or iterations >= most or count[LOST] > 0:
                    break
            if inertia == rows or tries >= SHIFTINGS or report[LEAVE] > 0.0:
                break
            shift = max(0.2 * last, FIRST_SHIFT * stiffness) if tries == 0 else GROWTH * shift
            tries += 1
        if worst <= tolerance or iterations >= most or count[LOST] > 0:
            break
        shifts += tries
        if inertia != rows:
            break
        iterations += 1
        weight, added, fall, largest, farthest = step(
            rod, chain, body, row, force, block, border, dense, count, touch, weight
        )
        before = energy + added
        part = 1.0 if largest <= LARGEST_TURN else LARGEST_TURN / largest
        if obstacles is not None:
            remember(row, force, old, count)
            part = min(part, reach / max(farthest, reach))
        halvings = 0
    report[RESIDUAL], report[ENERGY], report[ITERATIONS] = worst, energy, iterations
    report[SHIFTS], report[BACKTRACKS], report[MINIMUM] = shifts, backtracks, 1.0 if minimum else 0.0
    report[ANGLE], report[TWISTED] = angles(rod, chain, quat)
    report[DEEPEST] = deepest


@kernel(entry=True)
def _iterate(
    rod: Array, chain: Array, body: Array, row: Array, quat: Array, force: Array, trial: Array, block: Array,
    border: Array, dense: Array, old: Array, count: Array, touch: Array, carry: Array, obstacles: Obstacles | None,
    many: int, scales: Array, tolerance: float, most: int, report: Array,
) -> None:  # fmt: skip
    """The same, as Python calls it."""
    iterate(
        rod, chain, body, row, quat, force, trial, block, border, dense, old, count, touch, carry, obstacles, many, scales,
        tolerance, most, report,
    )  # fmt: skip


@kernel
def _deepest(row: Array, count: Array) -> float:
    """Least gap of all contacts, below zero where the rod is inside of something [m]."""
    least = 0.0
    for r in range(count[EQUATIONS], count[ROWS]):
        if row[r, PUSHES] > 0.0:
            least = min(least, row[r, GAP])
    return least


@kernel
def _eliminate(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    count: Array, touch: Array, carry: Array, obstacles: Obstacles | None, shift: float, scales: Array,
) -> int:  # fmt: skip
    """Negative eigenvalues of the shifted matrix, or -1; many contacts are condensed."""
    if obstacles is not None:
        if count[SPARSE] > 0:
            return factor_sparse(
                rod, chain, body, row, force, block, border, dense, count, touch, carry, shift, scales[2], scales
            )
    return factor(rod, chain, body, row, force, block, border, dense, count, touch, carry, shift, scales[2], scales)


@kernel
def look(
    rod: Array, chain: Array, body: Array, row: Array, quat: Array, force: Array, block: Array, count: Array,
    scales: Array, part: float, weight: float, trial: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """Take a part of the step and assemble there: energy [J], residual, and merit [J]."""
    turn(chain, body, quat, block, part, trial)
    energy = assemble(rod, chain, body, row, trial, force, block, count)
    found = residual(rod, chain, body, row, force, block, count, scales)
    if not math.isfinite(energy):
        # a step into nowhere is no equilibrium: the largest of imbalances that are no numbers is zero
        found = math.inf
    return energy, found, energy + merit(row, force, count, weight)


@kernel
def step(
    rod: Array, chain: Array, body: Array, row: Array, force: Array, block: Array, border: Array, dense: Array,
    count: Array, touch: Array, weight: float,
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Newton's step from the unknowns of the border; multipliers take it at once.

    Returns the weight of the merit, what the rows add to it now, its slope along the step, the largest rotation and the
    farthest shift.
    """
    freedoms, at, rows = dense.shape[0] - row.shape[0], 2 * dense.shape[0] + TURN, count[ROWS]
    solve(rod, chain, body, row, block, border, dense, count, touch)
    slope, largest, farthest = _slope(chain, body, block)
    for r in range(rows):
        slope += dense[freedoms + r, at] * row[r, CHANGE] if row[r, PUSHES] >= 0.0 else 0.0
        force[r] = force[r] + dense[freedoms + r, at] if row[r, PUSHES] >= 0.0 else 0.0
        if row[r, PUSHES] > 0.0:
            force[r] = min(0.0, force[r])
    gap = _gap(row, force, weight, rows)
    if gap > 0.0 and slope > 0.0:
        weight = max(weight, 2.0 * slope / gap)
    return weight, merit(row, force, count, weight), slope - weight * _gap(row, force, weight, rows), largest, farthest


@kernel
def _slope(chain: Array, body: Array, block: Array) -> tuple[float, float, float]:
    """Derivative of the energy along the step, the largest rotation and the farthest shift of a point."""
    slope, size, far = 0.0, 0.0, 0.0
    for c in range(chain.shape[0]):
        for i in range(int(chain[c, FIRST]) + 1, int(chain[c, LAST])):
            a = block[i]
            slope += a[STEP] * a[GRAD] + a[STEP + 1] * a[GRAD + 1] + a[STEP + 2] * a[GRAD + 2]
            size = max(size, a[STEP] ** 2 + a[STEP + 1] ** 2 + a[STEP + 2] ** 2)
            far = max(far, a[SHIFTED] ** 2 + a[SHIFTED + 1] ** 2 + a[SHIFTED + 2] ** 2)
    for b in range(body.shape[0]):
        q = body[b]
        for k in range(6):
            slope += q[MOVE + k] * q[SLOPE + k]
        far = max(far, q[MOVE] ** 2 + q[MOVE + 1] ** 2 + q[MOVE + 2] ** 2)
        size = max(size, q[MOVE + 3] ** 2 + q[MOVE + 4] ** 2 + q[MOVE + 5] ** 2)
    return slope, math.sqrt(size), math.sqrt(far)


@kernel
def _gap(row: Array, force: Array, weight: float, rows: int) -> float:
    """-gap.change, summed over the rows that count in the merit: what its quadratic part falls by."""
    total = 0.0
    for r in range(rows):
        gap = row[r, GAP]
        if row[r, PUSHES] == 0.0 or force[r] + weight * gap < 0.0:
            total -= gap * row[r, CHANGE]
    return total
