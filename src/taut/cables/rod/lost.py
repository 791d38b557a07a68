"""Steps that would not settle: light bodies on rods that slip off, snap through or are let go.

The passes of a step are Newton's iteration for where the bodies will be. Where a rod has no equilibrium nearby its stiffness has all
but vanished in some direction, and a body without inertia to speak of would be flung through half the scene: the shapes that are found
there are ones that nobody could lay, with forces of kilonewtons. A real hose is held up by its own damping. So the step is begun
anew from the shapes that stood before it, with a drag between the seats of the rod, on the motion of the others beside the first:

    impulse = -d (v_a - v_0),     d = h^2 F / R      the force F that the rod has would move a seat by R in a step

R is a part of its length; turns are weighed with a lever. Where that is not enough, once more with more. What the drag takes is booked as
a loss of joints. The snap takes several steps then, each with the rods in equilibrium. Where no drag helps, what stood before the step
stands, and the step is counted as unsolved.
"""

from __future__ import annotations

import math

from taut.core.jit import kernel

#: miss of a wrench, relative to the largest of the rod, with which a step has not settled when its passes are used up [-]
MISSED = 0.3
#: part of the length by which a body is flung out of its course in a step when it is plain before that
FAR = 0.1
#: part of its length that the rod's own force moves a seat against the drag in a step, and the lever of turns
STRIDE, LEVER = 0.02, 0.2
#: how often a step is begun anew, and how the drag grows then
LEVELS, GROWTH = 3, 10.0


@kernel
def drag_mass(level, force, length, h):
    """The drag d [kg] of a step that is begun anew for the so-many-th time; 0: it is the first."""
    if level == 0:
        return 0.0
    return h * h * force / (STRIDE * length) * GROWTH ** (min(level, LEVELS) - 1)


@kernel
def between(r, j, seats, length):
    """Element of the drag over d: each seat beside the first one."""
    if r % 6 != j % 6:
        return 0.0
    a, b = r // 6, j // 6
    weight = 1.0 if r % 6 < 3 else LEVER * LEVER * length * length
    if a == b:
        return weight * (seats - 1.0 if a == 0 else 1.0)
    return -weight if a == 0 or b == 0 else 0.0


@kernel
def flung(vel, new, i, h, length):
    """Whether body i is thrown out of its course in this step."""
    total = 0.0
    for c in range(3):
        total += (new[i, c] - vel[i, c]) ** 2
    return h * math.sqrt(total) > FAR * length


@kernel
def next_level(level, miss, last, far):
    """Level of the drag for the next pass: the same, one more, or one beyond the last where no drag helps."""
    if miss > MISSED and (last or far) and level <= LEVELS and (level < LEVELS or last):
        return level + 1
    return level
