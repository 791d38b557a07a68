"""Newton's iteration with inertia correction: from a shape to the equilibrium in whose basin it lies.

A step is taken only from a matrix with the inertia of a minimum; if H has too many negative directions a multiple of
the unit matrix is added. Merit is the augmented Lagrangian E + force.gap + weight/2 gap^2 at the new multipliers, along
which the step descends: its slope is -step'(H + shift) step - weight gap^2.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import GAP, GRAD, SEG, STEP, STIFF, TURN, Array, Arrays
from taut.cables.rod.assemble import assemble, residual
from taut.cables.rod.factor import factor, solve
from taut.core import quat as rotation
from taut.core.jit import kernel

#: share of the smallest joint stiffness that is always added: neutral modes (a free spin) count as stable
NEUTRAL = 1e-10
#: first shift that is tried, as a share of the largest joint stiffness, and how it grows
FIRST, GROWTH = 1e-6, 4.0
#: largest rotation of a segment in one iteration [rad]
LARGEST_TURN = 1.5
#: share of the predicted decrease that is asked for (Armijo)
ENOUGH = 1e-4
#: halvings of a step, and shifts, before giving up
HALVINGS, SHIFTINGS = 30, 40

# what the iteration reports
RESIDUAL, ITERATIONS, SHIFTS, BACKTRACKS, MINIMUM, ENERGY, ANGLE, TWISTED, REPORTED = 0, 1, 2, 3, 4, 5, 6, 7, 8


@kernel(entry=True)
def newton(arrays: Arrays, scales: Array, tolerance: float, most: int, report: Array) -> None:
    """Iterate frames and multipliers in place until the residual is below the tolerance; `report` says how it went.

    scales: force [N], length of the rod [m], largest and smallest stiffness of a joint [N m].
    """
    rod, start, held, quat, force, trial, block, border, dense = arrays
    force_scale, length, stiffness = scales[0], scales[1], scales[2]
    rows = dense.shape[0]
    for k in range(REPORTED):
        report[k] = 0.0
    for i in range(block.shape[0]):
        for c in range(3):
            block[i, STEP + c] = 0.0
    weight, shift, part, before, fall, worst, halvings = force_scale / length, 0.0, 1.0, math.inf, 0.0, math.inf, 0
    while True:
        # try the step; the first has no length and is taken as it is
        _turn(quat, block, part, trial)
        energy, merit = assemble(rod, start, held, trial, force, block, dense)
        found = residual(rod, block, dense, force_scale, length)
        after = merit + 0.5 * weight * _gap(dense)
        slack = 1e-12 * (abs(energy) + force_scale * length)
        if not (after <= before + ENOUGH * part * fall + slack or found < 0.1 * worst):
            report[BACKTRACKS] += 1.0
            part *= 0.5
            halvings += 1
            if halvings > HALVINGS:
                break
            continue
        for i in range(quat.shape[0]):
            for c in range(4):
                quat[i, c] = trial[i, c]
        worst = found
        # factor, shifted until the inertia is that of a minimum
        last, shift, tries = shift, NEUTRAL * scales[3], 0
        inertia = factor(rod, held, block, border, dense, shift, stiffness)
        report[MINIMUM] = 1.0 if inertia == rows else 0.0
        if worst <= tolerance or report[ITERATIONS] >= most:
            break
        while inertia != rows and tries < SHIFTINGS:
            shift = max(0.2 * last, FIRST * stiffness) if tries == 0 else GROWTH * shift
            inertia = factor(rod, held, block, border, dense, shift, stiffness)
            tries += 1
        report[SHIFTS] += tries
        if inertia != rows:
            break
        report[ITERATIONS] += 1.0
        solve(block, border, dense)
        slope, largest = _slope(block, dense)
        gap = _gap(dense)
        if gap > 0.0 and slope > 0.0:
            weight = max(weight, 2.0 * slope / gap)
        # merit at the multipliers that come with the step
        before = merit + 0.5 * weight * gap
        for r in range(rows):
            before += dense[r, rows + TURN] * dense[r, rows + GAP]
            force[r // 3, r % 3] += dense[r, rows + TURN]
        fall = slope - weight * gap
        part = 1.0 if largest <= LARGEST_TURN else LARGEST_TURN / largest
        halvings = 0
    report[RESIDUAL] = worst
    report[ENERGY] = energy
    report[ANGLE], report[TWISTED] = _angles(rod, quat)


@kernel
def _angles(rod: Array, quat: Array) -> tuple[float, float]:
    """Largest angle of a joint, and largest part of it about the tangent [rad]."""
    across, along = 0.0, 0.0
    for j in range(quat.shape[0] - 1):
        if rod[j, STIFF + 2] > 0.0:
            a, b = quat[j], quat[j + 1]
            x = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
            y = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
            z = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
            across, along = max(across, math.sqrt(x * x + y * y + z * z)), max(along, abs(z))
    return 2.0 * math.asin(min(1.0, across)), 2.0 * math.asin(min(1.0, along))


@kernel
def _slope(block: Array, dense: Array) -> tuple[float, float]:
    """step.(gradient + A' turn) = -step'(H + shift) step, and the largest rotation."""
    slope, size, rows = 0.0, 0.0, dense.shape[0]
    for i in range(1, block.shape[0] - 1):
        a = block[i]
        slope += a[STEP] * a[GRAD] + a[STEP + 1] * a[GRAD + 1] + a[STEP + 2] * a[GRAD + 2]
        size = max(size, a[STEP] ** 2 + a[STEP + 1] ** 2 + a[STEP + 2] ** 2)
    for r in range(rows):
        # A step = -gap
        slope -= dense[r, rows + TURN] * dense[r, rows + GAP]
    return slope, math.sqrt(size)


@kernel
def _gap(dense: Array) -> float:
    """Squared gap of all held points."""
    total, rows = 0.0, dense.shape[0]
    for r in range(rows):
        total += dense[r, rows + GAP] ** 2
    return total


@kernel
def _turn(quat: Array, block: Array, part: float, out: Array) -> None:
    """q exp(part step / 2), kept of unit length; clamps as they are."""
    last = quat.shape[0] - 1
    for c in range(4):
        out[0, c], out[last, c] = quat[0, c], quat[last, c]
    for i in range(1, last):
        a, q = block[i], quat[i]
        ew, ex, ey, ez = rotation.exponential(part * a[STEP], part * a[STEP + 1], part * a[STEP + 2])
        w, x, y, z = rotation.multiply(q[0], q[1], q[2], q[3], ew, ex, ey, ez)
        f = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
        out[i, 0], out[i, 1], out[i, 2], out[i, 3] = w * f, x * f, y * f, z * f


@kernel(entry=True)
def spin(quat: Array, start: float, end: float, rod: Array) -> None:
    """Spread the spin of the ends about the tangent [rad] evenly over the frames: exact for a uniform rod."""
    last = quat.shape[0] - 1
    total, s = 0.0, 0.0
    for i in range(1, last):
        total += rod[i, SEG]
    for i in range(1, last):
        middle = (s + 0.5 * rod[i, SEG]) / total
        s += rod[i, SEG]
        half = 0.5 * (start + (end - start) * middle)
        w, x, y, z = rotation.multiply(
            quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], math.cos(half), 0.0, 0.0, math.sin(half)
        )
        quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3] = w, x, y, z
