"""New velocities and poses: symplectic Euler, x+ = x + h v+, R+ = exp(h w+) R, and the angular momentum that goes on.

Segments of cables turn by Cayley's map instead, R+ = cay(h w+) R. Their joints are points held by stiff springs: with it the opening of
a joint changes by exactly the mean of its rates before and after, phi+ - phi = h (G + G+) v+ / 2, which is what the account of energy and the next step
take it to be. By the exponential map a segment that turns by a = w h in a step opens its joints by r a^3 / 12 that no force has made: in a rope
that whips (a about 1/2) kilojoules of stretch. What it costs: a segment turns by 2 atan(a/2) instead of a, of the order of the step.
"""

from __future__ import annotations

from taut.core.buffers import indices, table
from taut.core.codes import NEEDLE
from taut.core.jit import kernel
from taut.core.model import (
    BODY_DYNAMIC,
    BODY_FREE,
    BODY_INERTIA,
    BODY_MOMENTUM,
    BODY_NEW,
    BODY_POS,
    BODY_PUSH,
    BODY_QUAT,
    BODY_ROTOR,
    BODY_VEL,
    BODY_WORLD_INERTIA,
)
from taut.core.quat import rotate, turn, turn_straight


@kernel
def integrate(m, s, w, h):
    """Commit the solved velocities.

    The angular momentum changes by what joints and contacts did, I (w+ - w_free); a free body keeps it to the bit. Of a
    needle it is made anew from its velocity across and along its axis (taut.step.forces).
    """
    dynamic, pos, quat, vel = indices(m, BODY_DYNAMIC), table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL)
    momentum, push, rotor, moments = (
        table(s, BODY_MOMENTUM),
        table(s, BODY_PUSH),
        indices(m, BODY_ROTOR),
        table(m, BODY_INERTIA),
    )
    new, free, inertia = table(w, BODY_NEW), table(w, BODY_FREE), table(w, BODY_WORLD_INERTIA)
    for i in range(dynamic.shape[0]):
        a, b, c = new[i, 3], new[i, 4], new[i, 5]
        needle, spin = rotor[i] == NEEDLE and dynamic[i] == 1, 0.0
        if needle:
            ux, uy, uz = rotate(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], 0.0, 0.0, 1.0)
            spin, ix = a * ux + b * uy + c * uz, moments[i, 0]
            momentum[i, 0], momentum[i, 1], momentum[i, 2] = (
                ix * (a - spin * ux),
                ix * (b - spin * uy),
                ix * (c - spin * uz),
            )
        elif dynamic[i] == 1:
            da, db, dc = a - free[i, 3], b - free[i, 4], c - free[i, 5]
            momentum[i, 0] += h * push[i, 3] + inertia[i, 0] * da + inertia[i, 1] * db + inertia[i, 2] * dc
            momentum[i, 1] += h * push[i, 4] + inertia[i, 1] * da + inertia[i, 3] * db + inertia[i, 4] * dc
            momentum[i, 2] += h * push[i, 5] + inertia[i, 2] * da + inertia[i, 4] * db + inertia[i, 5] * dc
        for k in range(6):
            vel[i, k] = new[i, k]
        for k in range(3):
            pos[i, k] += h * new[i, k]
        if rotor[i] >= NEEDLE:
            turn_straight(quat, i, h * a, h * b, h * c)
        elif a != 0.0 or b != 0.0 or c != 0.0:
            turn(quat, i, h * a, h * b, h * c)
        if needle:
            ux, uy, uz = rotate(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3], 0.0, 0.0, 1.0)
            spin *= moments[i, 2]
            momentum[i, 0] += spin * ux
            momentum[i, 1] += spin * uy
            momentum[i, 2] += spin * uz


@kernel
def trial_poses(pos, quat, new, rotor, trial_pos, trial_quat, h):
    """Poses at the end of the step with the velocities solved so far."""
    for i in range(pos.shape[0]):
        for k in range(3):
            trial_pos[i, k] = pos[i, k] + h * new[i, k]
        for k in range(4):
            trial_quat[i, k] = quat[i, k]
        if rotor[i] >= NEEDLE:
            turn_straight(trial_quat, i, h * new[i, 3], h * new[i, 4], h * new[i, 5])
        else:
            turn(trial_quat, i, h * new[i, 3], h * new[i, 4], h * new[i, 5])
