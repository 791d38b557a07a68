"""The arrays that the compiled code works on: few, flat, named. N masses in layers of m, S springs.

Mass number = layer * m + place in the layer. Nothing is allocated in a step; what comes and goes (contacts, pairs of
cells) lives in pools of fixed size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Array = np.ndarray

# columns of `node`: mass [kg], its inverse or zero where held, the end that holds it (0, 1) or -1
MASS, INVERSE, HELD_BY, NODE_COLUMNS = 0, 1, 2, 3
# columns of `law`: spring constant [N/m], damping constant [N s/m], rest length [m], side (+1 pulls only, -1 pushes
# only, 0 both), form
STIFF, DAMP, REST, SIDE, FORM, LAW_COLUMNS = 0, 1, 2, 3, 4, 5
HOOKE, QUADRATIC, TABLE = 0.0, 1.0, 2.0
# columns of `table`: strain, force over k l0, slope after it, energy over k l0^2
STRAIN, FACTOR, SLOPE, WORK, TABLE_COLUMNS = 0, 1, 2, 3, 4
# entries of `field`: what acts everywhere; MEAN: velocities are means over a step of so many seconds, or zero
GRAVITY, DRAG, WIND, PRESS, CUSHION, SKIN, SLIP, RUB, REACH, MEAN, FIELD_SIZE = 0, 3, 4, 7, 8, 9, 10, 11, 12, 13, 14
# columns of `ends`: point, velocity, angular velocity during the step
POINT, SPEED, SPIN, END_COLUMNS = 0, 3, 6, 9
# columns of `shape`: type, half sizes, position, axes (row by row), velocity there, friction, radius of a ball around it,
# angular velocity; of a body that the rope can push: inverse mass (0: it moves as told), from the position to its centre
# of mass, inverse inertia (xx xy xz yy yz zz), force and moment about the centre of mass by the rope now, impulses so far
KIND, SIZE, PLACE, AXES, DRIVE, FRICTION, BALL, TURN = 0, 1, 4, 7, 16, 19, 20, 21
LIGHT, CENTRE, FREE_TURN, WRENCH, GIVEN, SHAPE_COLUMNS = 24, 25, 28, 34, 40, 46
# columns of `touch`: weights of its five masses, normal, gap [m], friction, velocity of an obstacle, pressure at the
# beginning of an implicit step, negative in an explicit one [N], the obstacle or -1
WEIGHT, NORMAL, GAP, MU, OTHER, LAG, OWNER, TOUCH_COLUMNS = 0, 5, 8, 9, 10, 13, 14, 15
# entries of `flow`: work of what holds the ends [J], impulse of both ends on the rope [N s], sweeps of the strain limit, what
# the last pass wanted to turn the rope by to balance it [1/s^2], the share of that it took, how many passes did, and how far the
# last one moved a mass [m]
WORK_OF_ENDS, PULL, LIMITED, TURNED, TAKEN, BALANCED, CHANGE, FLOW_SIZE = 0, 1, 7, 8, 11, 12, 13, 14
# entries of `tally`
(
    TOUCHES,
    PAIRS,
    EVALUATIONS,
    PASSES,
    CULLED_CELLS,
    CULLED_FEATURES,
    TESTED,
    REBUILDS,
    NEWTON,
    FROZEN,
    UNSETTLED,
    COUNTS,
) = range(12)
# what a kernel returns
FINE, TOO_MANY_TOUCHES, TOO_MANY_PAIRS, NOT_FINITE, NOT_CONVERGED, UNSTABLE = range(6)


class Arrays(NamedTuple):
    """Everything."""

    # the state
    pos: Array  # [m], shape (N, 3)
    vel: Array  # [m/s], shape (N, 3)
    acc: Array  # of the last evaluation [m/s^2], shape (N, 3)
    old_pos: Array  # one step ago, for schemes of two steps [m], shape (N, 3)
    old_vel: Array  # [m/s], shape (N, 3)
    arm: Array  # held masses: from the end's point [m], shape (N, 3)
    ends: Array  # shape (2, END_COLUMNS)
    # the model
    node: Array  # shape (N, NODE_COLUMNS)
    spring: Array  # its two masses, shape (S, 2)
    law: Array  # shape (S, LAW_COLUMNS)
    table: Array  # force-strain table of the axial springs, shape (rows, TABLE_COLUMNS)
    field: Array  # shape (FIELD_SIZE,)
    shape: Array  # obstacles, shape (n, SHAPE_COLUMNS)
    size: Array  # layers, masses per layer, cells never tested against each other, touch flags, shape (4,)
    outline: Array  # masses of a layer that form the surface, shape (M,)
    kind: Array  # springs that repeat from layer to layer, see ordered.py, shape (kinds, 5)
    # scratch
    force: Array  # [N], shape (N, 3)
    pos2: Array  # shape (N, 3)
    vel2: Array  # shape (N, 3)
    axis: Array  # centre of each layer and its furthest outline mass from there [m], shape (layers, 4)
    touch: Array  # contacts, shape (capacity, TOUCH_COLUMNS)
    touch_node: Array  # their masses, unused ones 0 with weight 0, shape (capacity, 5)
    load: Array  # largest pressure on each mass as an implicit step begins [N], and the obstacle, shape (N, 2)
    pair: Array  # cells that may touch, shape (capacity, 2)
    tree: Array  # boxes of the hierarchy, low and high corner, shape (2 leaves, 6)
    ref: Array  # where the masses were when the pairs were found [m], shape (N, 3)
    tally: Array  # counters, shape (COUNTS,)
    flow: Array  # what went through the ends since it was cleared, shape (FLOW_SIZE,)
    pose: Array  # two shapes in hand as `taut.contact` wants them, shape (2, 16)
    found: Array  # what its tests find, shape (8, 8)
    local: Array  # and their scratch, shape (32, 8)
    lane: Array  # layers side by side, see ordered.py, shape (floats,)


# entries of `size`
LAYERS, PER_LAYER, APART, SELF = 0, 1, 2, 3
