"""Forces of all springs, kind by kind: four layers of the lattice side by side (taut.cables.honeycomb.vectors).

`a.lane` has a record for every place of the section in four neighbouring layers, then for each the force that springs from below exert on
the layer after, then masses, and stiffness, damping and rest length of all springs in the order in which they are met. Four
layers after four are taken from the tables of masses and their forces put back: all that is in hand at a time stays in the first cache.
Beyond the last layer there are springs without stiffness between masses apart.
"""

from __future__ import annotations

import numpy as np

from taut.cables.honeycomb.arrays import (
    DAMP,
    DRAG,
    GRAVITY,
    HOOKE,
    LAYERS,
    MASS,
    PER_LAYER,
    QUADRATIC,
    REST,
    STIFF,
    WIND,
    Arrays,
)
from taut.cables.honeycomb.springs import spring_forces
from taut.cables.honeycomb.vectors import (
    ROWS,
    WIDTH,
    F,
    V,
    X,
    damping_of,
    fall,
    gather,
    gather_last,
    pull_hooke,
    pull_quadratic,
    pull_sided,
    scatter,
    spare,
    stiffness_hooke,
    stiffness_quadratic,
)
from taut.core.jit import kernel

Array = np.ndarray

#: columns of `kind`: places of the two masses in the section, layers between them, form, side on which it acts
FIRST, SECOND, UP, FORM, SIDE, KIND_COLUMNS = 0, 1, 2, 3, 4, 5
#: numbers of half a record, of a record, of what is carried to the layers after
HALF, RECORD, CARRY = WIDTH * ROWS, 2 * WIDTH * ROWS, 3 * WIDTH
#: what `go_over` adds up
FORCES, STIFFNESS, DAMPING = 0, 1, 2


def kinds_of(spring: Array, law: Array, layers: int, per: int) -> Array:
    """The kinds of springs of a lattice whose springs are listed cell by cell, shape (kinds, KIND_COLUMNS)."""
    each = int(np.searchsorted(spring[:, 0], per)) if layers > 1 else len(spring)
    columns = (spring[:each, 0], spring[:each, 1] % per, spring[:each, 1] // per, law[:each, 4], law[:each, 3])
    number = np.arange(len(spring))
    assert np.array_equal(spring, spring[number % each] + per * (number // each)[:, None]), "a lattice repeats itself"
    return np.stack(columns, axis=1).astype(np.int64)


def lane_size(layers: int, per: int, kinds: int) -> int:
    """Numbers in `lane`."""
    return 2 * WIDTH + per * (RECORD + CARRY) + -(-layers // WIDTH) * WIDTH * (per + 3 * kinds)


@kernel
def pack_constants(a: Arrays) -> None:
    """Masses, and what springs have, in the order in which they are met."""
    per, layers, kinds, lane = a.size[PER_LAYER], a.size[LAYERS], a.kind.shape[0], a.lane[spare(a.lane) :]
    to = per * (RECORD + CARRY)
    for first in range(0, layers, WIDTH):
        for p in range(per):
            for l in range(first, first + WIDTH):
                lane[to + l - first] = a.node[l * per + p, MASS] if l < layers else 1.0
            to += WIDTH
        for j in range(kinds):
            for l in range(first, first + WIDTH):
                k, c, rest = 0.0, 0.0, 1.0
                if l < layers - a.kind[j, UP]:
                    s = l * kinds + j
                    k, c, rest = a.law[s, STIFF], a.law[s, DAMP], a.law[s, REST]
                place = to + l - first
                lane[place], lane[place + WIDTH], lane[place + 2 * WIDTH] = k, c, rest
            to += 3 * WIDTH


@kernel
def take(flat: Array, first: int, layers: int, per: int, lane: Array, row: int) -> None:
    """Three coordinates of all masses of four layers and of those above them into the records, from a row on."""
    wide = 3 * per
    if first + WIDTH < layers:
        for p in range(per - 1):
            to = p * RECORD + WIDTH * row
            gather(flat, first * wide + 3 * p, wide, lane, to)
            gather(flat, (first + 1) * wide + 3 * p, wide, lane, to + HALF)
        # there is nothing to read after the last mass
        to = (per - 1) * RECORD + WIDTH * row
        gather_last(flat, (first + 1) * wide - 4, wide, lane, to)
        gather_last(flat, (first + 2) * wide - 4, wide, lane, to + HALF)
        return
    for n in range(WIDTH + 1):
        last = min(first + n, layers - 1)
        # masses apart, also from those of the last layer
        beyond = float(first + n - last)
        for p in range(per):
            for k in range(3):
                value = flat[last * wide + 3 * p + k] + beyond
                to = p * RECORD + WIDTH * (row + k) + n
                if n < WIDTH:
                    lane[to] = value
                if n > 0:
                    lane[to + HALF - 1] = value


@kernel
def give(lane: Array, first: int, layers: int, per: int, flat: Array) -> None:
    """Forces of four layers to the table of all masses."""
    wide, carry = 3 * per, per * RECORD
    if first + WIDTH <= layers:
        for p in range(per):
            scatter(lane, p * RECORD, carry + p * CARRY, flat, first * wide + 3 * p, wide)
        return
    for p in range(per):
        for k in range(3):
            own, above, before = (
                p * RECORD + WIDTH * (F + k),
                p * RECORD + HALF + WIDTH * (F + k),
                carry + p * CARRY + WIDTH * k,
            )
            for n in range(layers - first):
                below = lane[above + n - 1] if n > 0 else lane[before + WIDTH - 1]
                flat[(first + n) * wide + 3 * p + k] = lane[own + n] + below


@kernel
def clear_forces(lane: Array, per: int, part: int) -> None:
    """None in the halves of the records from `part` on."""
    for p in range(per):
        for k in range(3 * WIDTH):
            lane[p * RECORD + part + WIDTH * F + k] = 0.0


@kernel
def all_kinds(kind: Array, lane: Array, what: int, law: int) -> None:
    """Springs of all kinds between the masses of four layers and those above; their constants begin at `law`."""
    for j in range(kind.shape[0]):
        one, other = kind[j, FIRST] * RECORD, kind[j, SECOND] * RECORD + kind[j, UP] * HALF
        form, side = kind[j, FORM], float(kind[j, SIDE])
        if what == FORCES:
            if form == HOOKE and side == 0.0:
                pull_hooke(lane, one, other, law, side)
            elif form == HOOKE:
                pull_sided(lane, one, other, law, side)
            elif form == QUADRATIC:
                pull_quadratic(lane, one, other, law, side)
        elif what == DAMPING:
            damping_of(lane, one, other, law, side)
        elif form == HOOKE:
            stiffness_hooke(lane, one, other, law, side)
        elif form == QUADRATIC:
            stiffness_quadratic(lane, one, other, law, side)
        law += 3 * WIDTH


@kernel
def go_over(a: Arrays, what: int, pos: Array, vel: Array, out: Array) -> None:
    """out = gravity, air and springs at these positions and velocities; or less stiffness or damping times the vector `vel`.

    Constants must have been packed. Springs with a table are left out of forces and stiffness.
    """
    per, layers, lane, field = a.size[PER_LAYER], a.size[LAYERS], a.lane[spare(a.lane) :], a.field
    place, fast, to = pos.reshape(pos.size), vel.reshape(vel.size), out.reshape(out.size)
    for k in range(per * CARRY):
        lane[per * RECORD + k] = 0.0
    constants = per * (RECORD + CARRY)
    for first in range(0, layers, WIDTH):
        take(place, first, layers, per, lane, X)
        take(fast, first, layers, per, lane, V)
        clear_forces(lane, per, HALF)
        if what == FORCES:
            for p in range(per):
                fall(lane, p * RECORD, constants + WIDTH * p, field[GRAVITY], field[GRAVITY + 1], field[GRAVITY + 2],
                     field[DRAG], field[WIND], field[WIND + 1], field[WIND + 2])  # fmt: skip
        else:
            clear_forces(lane, per, 0)
        constants += WIDTH * per
        all_kinds(a.kind, lane, what, constants)
        constants += 3 * WIDTH * a.kind.shape[0]
        give(lane, first, layers, per, to)


@kernel
def is_quick(form: int) -> bool:
    """Whether springs of this form go through side by side; those with a table do not."""
    return form == HOOKE or form == QUADRATIC


@kernel
def lattice_forces(a: Arrays, pos: Array, vel: Array) -> None:
    """Set a.force to gravity, air and springs; constants must have been packed."""
    go_over(a, FORCES, pos, vel, a.force)
    kinds = a.kind.shape[0]
    for j in range(kinds):
        if not is_quick(a.kind[j, FORM]):
            spring_forces(pos, vel, a.spring, a.law, a.table, 0.0, a.force, j, kinds)
