"""What the outside world prescribes: controls with their ramps, and the motion of kinematic bodies."""

from __future__ import annotations

import math

from taut.core.braking import brakeable
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import BY_CONTROL, BY_POSE
from taut.core.jit import kernel
from taut.core.model import (
    BODY_DYNAMIC,
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    CONTROL,
    D_SLOPE,
    D_SLOPE_OLD,
    D_TARGET,
    D_TRAVEL,
    DRIVE,
    DRIVE_CONTROL,
    DRIVE_RATE,
    K_BODY,
    K_KIND,
    K_REPEAT,
    K_START,
    K_STOP,
    LEDGER,
    MOTION_INT,
    MOTION_TIME,
    MOTION_VALUE,
    TIME,
)
from taut.core.quat import multiply, rotation_vector


@kernel
def follow_controls(m, s, h):
    """Move every target towards its control, no faster than its ramp allows."""
    control, drive = column(s, CONTROL), table(s, DRIVE)
    follows, rate = indices(m, DRIVE_CONTROL), column(m, DRIVE_RATE)
    for d in range(follows.shape[0]):
        before, wanted = drive[d, D_TARGET], control[follows[d]]
        change = rate[d] * h
        if abs(wanted - before) <= change:
            drive[d, D_TARGET] = wanted
        else:
            drive[d, D_TARGET] = before + math.copysign(change, wanted - before)
        drive[d, D_TRAVEL] += h * drive[d, D_TARGET]
        drive[d, D_SLOPE_OLD] = drive[d, D_SLOPE]
        drive[d, D_SLOPE] = (drive[d, D_TARGET] - before) / h


@kernel
def _find(time, first, last, repeat, t):
    """Table row before time t, the next one, and the fraction towards it."""
    if repeat == 1:
        t = time[first] + (t - time[first]) % (time[last] - time[first])
    if t <= time[first]:
        return first, first, 0.0
    if t >= time[last]:
        return last, last, 0.0
    low, high = first, last
    while high - low > 1:
        mid = (low + high) // 2
        if time[mid] <= t:
            low = mid
        else:
            high = mid
    return low, high, (t - time[low]) / (time[high] - time[low])


@kernel
def _pose_velocity(value, low, high, f, h, pos, quat, body, out):
    """Mean velocity that brings the body onto its scripted pose at the end of the step."""
    for c in range(3):
        goal = (1.0 - f) * value[low, c] + f * value[high, c]
        out[body, c] = (goal - pos[body, c]) / h
    # along the short arc between two rows, then normalised
    dot = 0.0
    for c in range(3, 7):
        dot += value[low, c] * value[high, c]
    g = f if dot >= 0.0 else -f
    w = (1.0 - f) * value[low, 3] + g * value[high, 3]
    x = (1.0 - f) * value[low, 4] + g * value[high, 4]
    y = (1.0 - f) * value[low, 5] + g * value[high, 5]
    z = (1.0 - f) * value[low, 6] + g * value[high, 6]
    r = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    w, x, y, z = multiply(w * r, x * r, y * r, z * r, quat[body, 0], -quat[body, 1], -quat[body, 2], -quat[body, 3])
    x, y, z = rotation_vector(w, x, y, z)
    out[body, 3], out[body, 4], out[body, 5] = x / h, y / h, z / h


@kernel
def _stop_in_time(drive, slowing, low, high, place, h):
    """Let a drive go no faster than it can stop before the ends of its way; what it does less of is taken from its ramp, too."""
    target = drive[D_TARGET]
    # on the wrong side, such as after a change of the scene, only the way back is open
    allowed = min(max(target, -brakeable(place - low, slowing, h)), brakeable(high - place, slowing, h))
    drive[D_TARGET] = allowed
    drive[D_TRAVEL] += h * (allowed - target)
    drive[D_SLOPE] += (allowed - target) / h


@kernel
def move_kinematic(m, s, w, h):
    """Mean velocity of every kinematic body over the coming step, into BODY_NEW; static ones get zero."""
    dynamic, new = indices(m, BODY_DYNAMIC), table(w, BODY_NEW)
    motion, time, value = index_table(m, MOTION_INT), column(m, MOTION_TIME), table(m, MOTION_VALUE)
    drive, rate, now = table(s, DRIVE), column(m, DRIVE_RATE), column(s, LEDGER)[TIME]
    for i in range(dynamic.shape[0]):
        if dynamic[i] == 0:
            for c in range(6):
                new[i, c] = 0.0
    for k in range(motion.shape[0]):
        body, start = motion[k, K_BODY], motion[k, K_START]
        if motion[k, K_KIND] == BY_CONTROL:
            ends, place = motion[k, K_STOP], table(s, BODY_POS)
            for c in range(3):
                _stop_in_time(drive[start + c], rate[start + c], value[ends, c], value[ends + 1, c], place[body, c], h)
            for c in range(6):
                new[body, c] = drive[start + c, D_TARGET]
        elif motion[k, K_KIND] == BY_POSE:
            low, high, f = _find(time, start, motion[k, K_STOP] - 1, motion[k, K_REPEAT], now + h)
            _pose_velocity(value, low, high, f, h, table(s, BODY_POS), table(s, BODY_QUAT), body, new)
        else:
            low, high, f = _find(time, start, motion[k, K_STOP] - 1, 0, now + 0.5 * h)
            for c in range(6):
                new[body, c] = (1.0 - f) * value[low, c] + f * value[high, c]
