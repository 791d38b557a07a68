"""Newton's iteration with inertia correction: from a shape to the equilibrium in whose basin it lies.

A step is taken only from a matrix with the inertia of a minimum; if H has too many negative directions a multiple of
the unit matrix is added. Merit is the augmented Lagrangian E + force.gap + weight/2 gap^2 at the new multipliers, along
which the step descends; of gaps that only push the part that is active.
"""

from __future__ import annotations

import math

from taut.cables.rod import sparse
from taut.cables.rod.arrays import (
    BODY_A,
    BODY_B,
    CHANGE,
    FIRST,
    FRAME_A,
    FRAME_B,
    GAP,
    GRAD,
    LAST,
    LOST,
    MOVE,
    PAIRS,
    POS,
    PUSHES,
    ROWS,
    SEG,
    SHIFTED,
    SLOPE,
    SPARSE,
    STEP,
    STIFF,
    TRY,
    TRY_TURNED,
    TURN,
    TURNED,
    Array,
    Arrays,
)
from taut.cables.rod.assemble import assemble, merit, residual
from taut.cables.rod.detect import detect, remember
from taut.cables.rod.factor import factor, solve
from taut.cables.rod.obstacles import TOUCHES_ITSELF, Obstacles
from taut.cables.rod.sparse import condensable
from taut.core import quat as rotation
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
#: halvings of a step, and shifts, before giving up
HALVINGS, SHIFTINGS = 30, 40

# what the iteration reports
RESIDUAL, ITERATIONS, SHIFTS, BACKTRACKS, MINIMUM, ENERGY, ANGLE, TWISTED, REPORTED = 0, 1, 2, 3, 4, 5, 6, 7, 8


def newton(arrays: Arrays, obstacles: Obstacles, scales: Array, tolerance: float, most: int, report: Array) -> None:
    """Iterate frames, bodies and multipliers in place until the residual is below the tolerance; `report` says how.

    scales: force [N], length of the rod [m], largest and smallest stiffness of a joint [N m], compliance of contacts
    [m/N], farthest that a point moves in one iteration [m].

    The loop is Python and its three stages are compiled each by itself: in one piece they take minutes to compile, and
    the calls cost a tenth of what they do.
    """
    rod, chain, body, row, quat, force, trial, block, border, dense, old, count, touch, carry = arrays
    # plain floats: numpy's cost as much as a stage each
    force_scale, length, stiffness, softest, _, reach = scales.tolist()
    backtracks, shifts, minimum = 0, 0, False
    touches = len(obstacles.shape) > 0 or obstacles.setting[TOUCHES_ITSELF] > 0.0
    block[:, STEP : STEP + 3] = 0.0
    body[:, MOVE : MOVE + 6] = 0.0
    count[SPARSE] = 0
    if touches:
        remember(row, force, old, count)
    weight, shift, part, before, fall, worst = force_scale / length, 0.0, 1.0, math.inf, 0.0, math.inf
    halvings, iterations, tries, largest = 0, 0, 0, math.inf
    while True:
        # try the step; the first has no length and is taken as it is
        if touches:
            turn(chain, body, quat, block, part, trial)
            detect(rod, chain, body, row, trial, force, block, old, count, obstacles)
        energy, found, after = look(rod, chain, body, row, quat, force, block, count, scales, part, weight, trial)
        slack = 1e-12 * (abs(energy) + force_scale * length)
        if not (after <= before + ENOUGH * part * fall + slack or found < 0.1 * worst):
            backtracks += 1
            part *= 0.5
            halvings += 1
            if halvings > HALVINGS:
                break
            continue
        accept(quat, trial, body)
        worst = found
        # factor, shifted until the inertia is that of a minimum
        # each pair of segments has four rows with two eigenvalues of each sign
        if worst <= tolerance and iterations > 0 and tries == 0 and largest < NEAR and not touches:
            # the last matrix was that of a minimum and hardly differs from the one here
            minimum = True
            break
        if touches:
            count[SPARSE] = int(condensable(row, count, sparse.MANY))
        eliminate = sparse.factor_sparse if count[SPARSE] else factor
        rows, last, shift, tries = int(count[ROWS] - 2 * count[PAIRS]), shift, NEUTRAL * softest, 0
        while True:
            inertia = eliminate(
                rod, chain, body, row, force, block, border, dense, count, touch, carry, shift, stiffness, scales
            )  # fmt: skip
            if tries == 0:
                minimum = inertia == rows
                if worst <= tolerance or iterations >= most or count[LOST] > 0:
                    break
            if inertia == rows or tries >= SHIFTINGS:
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
        if touches:
            remember(row, force, old, count)
            part = min(part, reach / max(farthest, reach))
        halvings = 0
    report[RESIDUAL], report[ENERGY], report[ITERATIONS] = worst, energy, iterations
    report[SHIFTS], report[BACKTRACKS], report[MINIMUM] = shifts, backtracks, minimum
    report[ANGLE], report[TWISTED] = angles(rod, chain, quat)


@kernel
def look(
    rod: Array, chain: Array, body: Array, row: Array, quat: Array, force: Array, block: Array, count: Array,
    scales: Array, part: float, weight: float, trial: Array,
) -> tuple[float, float, float]:  # fmt: skip
    """Take a part of the step and assemble there: energy [J], residual, and merit [J]."""
    turn(chain, body, quat, block, part, trial)
    energy = assemble(rod, chain, body, row, trial, force, block, count)
    found = residual(rod, chain, body, row, force, block, count, scales)
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
def accept(quat: Array, trial: Array, body: Array) -> None:
    """What was tried stands."""
    for i in range(quat.shape[0]):
        for c in range(4):
            quat[i, c] = trial[i, c]
    for b in range(body.shape[0]):
        for c in range(3):
            body[b, POS + c] = body[b, TRY + c]
        for c in range(4):
            body[b, TURNED + c] = body[b, TRY_TURNED + c]


@kernel(entry=True)
def angles(rod: Array, chain: Array, quat: Array) -> tuple[float, float]:
    """Largest angle of a joint, and largest part of it about the tangent [rad]."""
    across, along = 0.0, 0.0
    for k in range(chain.shape[0]):
        for j in range(int(chain[k, FIRST]), int(chain[k, LAST])):
            if rod[j, STIFF + 2] > 0.0:
                a, b = quat[j], quat[j + 1]
                x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
                y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
                z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
                across, along = max(across, math.sqrt(x * x + y * y + z * z)), max(along, abs(z))
    return 2.0 * math.asin(min(1.0, across)), 2.0 * math.asin(min(1.0, along))


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


@kernel
def turn(chain: Array, body: Array, quat: Array, block: Array, part: float, out: Array) -> None:
    """q exp(part step / 2), kept of unit length, for bodies and frames; chain ends follow their bodies."""
    for b in range(body.shape[0]):
        q = body[b]
        for c in range(3):
            q[TRY + c] = q[POS + c] + part * q[MOVE + c]
        w, x, y, z = _turned(
            q[TURNED], q[TURNED + 1], q[TURNED + 2], q[TURNED + 3], part * q[MOVE + 3], part * q[MOVE + 4],
            part * q[MOVE + 5],
        )  # fmt: skip
        q[TRY_TURNED], q[TRY_TURNED + 1], q[TRY_TURNED + 2], q[TRY_TURNED + 3] = w, x, y, z
    for k in range(chain.shape[0]):
        first, last, c = int(chain[k, FIRST]), int(chain[k, LAST]), chain[k]
        for end in range(2):
            at, i = (FRAME_A, first) if end == 0 else (FRAME_B, last)
            q = body[int(c[BODY_A if end == 0 else BODY_B])]
            w, x, y, z = rotation.multiply(
                q[TRY_TURNED], q[TRY_TURNED + 1], q[TRY_TURNED + 2], q[TRY_TURNED + 3], c[at], c[at + 1], c[at + 2],
                c[at + 3],
            )  # fmt: skip
            out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w, x, y, z
        for i in range(first + 1, last):
            a, q = block[i], quat[i]
            w, x, y, z = _turned(q[0], q[1], q[2], q[3], part * a[STEP], part * a[STEP + 1], part * a[STEP + 2])
            out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w, x, y, z


@kernel
def _turned(
    w: float, x: float, y: float, z: float, a: float, b: float, c: float
) -> tuple[float, float, float, float]:  # fmt: skip
    """A unit quaternion turned by a vector in its own axes [rad]."""
    ew, ex, ey, ez = rotation.exponential(a, b, c)
    w, x, y, z = rotation.multiply(w, x, y, z, ew, ex, ey, ez)
    f = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return w * f, x * f, y * f, z * f


@kernel(entry=True)
def spin(quat: Array, rod: Array, first: int, last: int, start: float, end: float) -> None:
    """Spread the spin of two frames about the tangent [rad] evenly over those between: exact for a uniform rod."""
    total, s = 0.0, 0.0
    for i in range(first + 1, last):
        total += rod[i, SEG]
    for i in range(first + 1, last):
        middle = (s + 0.5 * rod[i, SEG]) / total
        s += rod[i, SEG]
        half = 0.5 * (start + (end - start) * middle)
        w, x, y, z = rotation.multiply(
            quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], math.cos(half), 0.0, 0.0, math.sin(half)
        )
        quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3] = w, x, y, z
