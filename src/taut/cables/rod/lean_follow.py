"""A rod that leans on bodies, brought to where they and the bodies at its ends will be.

What is leaned on is moved by no more than the rod's radius at a time, seen from the start of the rod: the rod is pushed along
and not passed through. Where a rod is pulled taut over something it goes as far as it has a shape; the stiffness that it has
there holds the bodies that want to go further.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import KEY, NORMAL, PART_A, RADIUS, ROW_A
from taut.cables.rod.columns import (
    LN_SHIFT,
    LN_WRENCH,
    RI_FRAME,
    RI_FRAMES,
    RI_ROOM,
    RI_ROW,
    RI_ROWS,
    RI_SEAT,
    RI_SEATS,
    RI_SHAPE,
    RI_SHAPES,
    RN_ENERGY,
    RN_LEAN,
    RN_SHIFT,
    RN_WRENCH,
    TK_ENERGY,
)
from taut.cables.rod.end_stiffness import end_wrenches
from taut.cables.rod.equilibrium import place_bodies
from taut.cables.rod.follow import body_pose, end_pose, pose_between, start_point
from taut.cables.rod.loads import place as place_along
from taut.cables.rod.obstacles import AT, FRAME, KIND, SIZES
from taut.core.buffers import column, column_part, index_table, indices, table, table_part
from taut.core.jit import kernel
from taut.core.model import (
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    LEAN_BLOCK,
    LEAN_COUNT_NEW,
    LEAN_END_NEW,
    LEAN_FORCE_NEW,
    LEAN_KEPT,
    LEAN_POSE_NEW,
    LEAN_ROW_NEW,
    LEAN_SEAT,
    LEAN_SHAPE,
    LEAN_SHAPE_INT,
    LEAN_SHAPE_NEW,
    LEAN_SIZE,
    LEAN_WAY,
    ROD_BODY,
    ROD_CHAIN_NEW,
    ROD_END_NEW,
    ROD_FORCE_NEW,
    ROD_FRAME_NEW,
    ROD_INT,
    ROD_PASS,
    ROD_POSE_NEW,
    ROD_SAVED,
    ROD_TABLE_NEW,
    ROD_TALK,
)
from taut.core.order import ROD_LEAN
from taut.core.quat import multiply, rotate
from taut.core.stage import call_stage

#: least part of a way that is made at once, and halvings of it before it goes no further
LEAST, FAILURES = 1.0 / 16.0, 8
#: strides of the end beside those of what is leaned on
END_STRIDE = 5.0


@kernel
def follow_leaning(context, m, s, w, k, h):
    """Shape, wrenches and stiffness of rod k at the end of the step; 0 where it has none there: then those of the last place on
    the way that it has one for, and the linear law spans the rest."""
    place, found = index_table(m, ROD_INT)[k], table(w, ROD_END_NEW)[k]
    _ask(m, s, w, k, h)
    done = _walk(context, m, s, w, k, h)
    if done < 1.0:
        _between(m, w, k, done)
        _draw_back(m, w, k)
        if done == 0.0:
            # the shape, its wrenches and its stiffness are those of before
            return 0
    seats, pose = table_part(w, LEAN_POSE_NEW, place[RI_SEAT], place[RI_SEATS]), table(w, ROD_POSE_NEW)[k]
    asked, force = table(w, LEAN_WAY), column_part(w, LEAN_FORCE_NEW, place[RI_ROW], place[RI_ROOM])
    for a in range(place[RI_SEATS]):
        for c in range(7):
            seats[a, c] = asked[a, c]
    for c in range(14):
        pose[c] = asked[c // 7, c % 7]
    for r in range(place[RI_ROWS]):
        column(w, ROD_FORCE_NEW)[3 * k + r] = force[r]
    found[RN_ENERGY] = column(w, ROD_TALK)[TK_ENERGY]
    _wrenches(m, w, k)
    call_stage(ROD_LEAN, context, h, -1.0 - k)
    return 1 if done == 1.0 else 0


@kernel
def _ask(m, s, w, k, h):
    """Poses of all seats at the end of the step into lean_way, the motion that leads there into lean_end_new."""
    place, found, target = index_table(m, ROD_INT)[k], table(w, ROD_END_NEW)[k], table(w, ROD_PASS)[0]
    asked, new, seat = table(w, LEAN_WAY), table(w, BODY_NEW), indices(m, LEAN_SEAT)
    ends = table_part(w, LEAN_END_NEW, 6 * place[RI_SEAT], 6 * place[RI_SEATS])
    end_pose(m, s, w, k, h, target, found)
    for c in range(14):
        asked[c // 7, c % 7] = target[c]
    for c in range(12):
        ends[c, LN_SHIFT] = found[RN_SHIFT + c]
    for a in range(2, place[RI_SEATS]):
        i = seat[place[RI_SEAT] + a]
        body_pose(table(s, BODY_POS), table(s, BODY_QUAT), new, i, h, asked[a], 0)
        for c in range(6):
            ends[6 * a + c, LN_SHIFT] = h * new[i, c]


@kernel
def is_at_leaning(m, s, w, k, h):
    """Whether the shape of rod k is that of the poses at the end of the step."""
    place, asked = index_table(m, ROD_INT)[k], table(w, LEAN_WAY)
    _ask(m, s, w, k, h)
    pose, same = table_part(w, LEAN_POSE_NEW, place[RI_SEAT], place[RI_SEATS]), True
    for a in range(place[RI_SEATS]):
        for c in range(7):
            same = same and pose[a, c] == asked[a, c]
    return same


@kernel
def _wrenches(m, w, k):
    """What the rod as it stands does to its seats: at its ends, and where it leans on them."""
    place, found = index_table(m, ROD_INT)[k], table(w, ROD_END_NEW)[k]
    row, force = table_part(w, LEAN_ROW_NEW, place[RI_ROW], place[RI_ROOM]), column(w, LEAN_FORCE_NEW)
    ends = table_part(w, LEAN_END_NEW, 6 * place[RI_SEAT], 6 * place[RI_SEATS])
    pose, shapes, block = (
        table_part(w, LEAN_POSE_NEW, place[RI_SEAT], place[RI_SEATS]),
        index_table(m, LEAN_SHAPE_INT),
        table(w, LEAN_BLOCK),
    )
    from_body = table(w, ROD_BODY)
    end_wrenches(from_body, table(w, ROD_POSE_NEW)[k], found[RN_WRENCH : RN_WRENCH + 12])
    for r in range(6 * place[RI_SEATS]):
        ends[r, LN_WRENCH] = found[RN_WRENCH + r] if r < 12 else 0.0
    sx, sy, sz = start_point(table(w, ROD_CHAIN_NEW)[k], table(w, ROD_POSE_NEW)[k])
    found[RN_LEAN] = 0.0
    for r in range(place[RI_ROWS], indices(w, LEAN_COUNT_NEW)[k]):
        f = force[place[RI_ROW] + r]
        if f == 0.0:
            continue
        q = row[r]
        x, y, z = place_along(block, int(q[ROW_A]), q[PART_A])
        fx, fy, fz = f * q[NORMAL], f * q[NORMAL + 1], f * q[NORMAL + 2]
        found[RN_LEAN] += fx * (x - sx) + fy * (y - sy) + fz * (z - sz)
        seat = shapes[place[RI_SHAPE] + int(q[KEY]), 1]
        if seat < 0:
            continue
        x, y, z, at = x - pose[seat, 0], y - pose[seat, 1], z - pose[seat, 2], 6 * seat
        ends[at, LN_WRENCH] += fx
        ends[at + 1, LN_WRENCH] += fy
        ends[at + 2, LN_WRENCH] += fz
        ends[at + 3, LN_WRENCH] += y * fz - z * fy
        ends[at + 4, LN_WRENCH] += z * fx - x * fz
        ends[at + 5, LN_WRENCH] += x * fy - y * fx


@kernel
def _walk(context, m, s, w, k, h):
    """The equilibrium for the poses asked for, or as near to them as there is one; returns the part of the way."""
    place, done, failures = index_table(m, ROD_INT)[k], 0.0, 0
    longest = _longest(m, w, k)
    step = longest
    _keep(m, w, k)
    while done < 1.0 and failures <= FAILURES:
        part = min(1.0, done + step)
        _between(m, w, k, part)
        _place(m, s, w, k, table_part(w, LEAN_WAY, place[RI_SEATS], place[RI_SEATS]))
        if call_stage(ROD_LEAN, context, h, float(k)) == 1:
            done, step = part, min(longest, 2.0 * step)
            _keep(m, w, k)
        else:
            _bring_back(m, w, k)
            step, failures = 0.5 * step, failures + 1
    if done < 1.0:
        # at once, and with contacts that come in by themselves: those of before may be what is in the way
        indices(w, LEAN_COUNT_NEW)[k] = place[RI_ROWS]
        _between(m, w, k, 1.0)
        _place(m, s, w, k, table_part(w, LEAN_WAY, place[RI_SEATS], place[RI_SEATS]))
        if call_stage(ROD_LEAN, context, h, float(k)) == 1:
            return 1.0
        _bring_back(m, w, k)
    if 0.0 < done < 1.0:
        # once more, for what the trial that failed has overwritten
        _between(m, w, k, done)
        _place(m, s, w, k, table_part(w, LEAN_WAY, place[RI_SEATS], place[RI_SEATS]))
        call_stage(ROD_LEAN, context, h, float(k))
    return done


@kernel
def _between(m, w, k, part):
    """Poses of all seats on the way."""
    place, asked = index_table(m, ROD_INT)[k], table(w, LEAN_WAY)
    seats = place[RI_SEATS]
    way, start = table_part(w, LEAN_WAY, seats, seats), table_part(w, LEAN_POSE_NEW, place[RI_SEAT], seats)
    for a in range(seats):
        pose_between(start[a], asked[a], part, way[a], 0)


@kernel
def _draw_back(m, w, k):
    """Where the shape stands short of what is asked for: poses on the way in the place of those, and the motion to them."""
    place, asked = index_table(m, ROD_INT)[k], table(w, LEAN_WAY)
    seats, found = place[RI_SEATS], table(w, ROD_END_NEW)[k]
    ends = table_part(w, LEAN_END_NEW, 6 * place[RI_SEAT], 6 * seats)
    for a in range(seats):
        q, p = asked[a], asked[seats + a]
        # the turn from what is asked for to what is reached, small
        _, x, y, z = multiply(p[3], p[4], p[5], p[6], q[3], -q[4], -q[5], -q[6])
        dot = p[3] * q[3] + p[4] * q[4] + p[5] * q[5] + p[6] * q[6]
        sign = 2.0 if dot >= 0.0 else -2.0
        for c in range(3):
            ends[6 * a + c, LN_SHIFT] += p[c] - q[c]
            ends[6 * a + 3 + c, LN_SHIFT] += sign * (x if c == 0 else y if c == 1 else z)
        for c in range(7):
            q[c] = p[c]
    for c in range(12):
        found[RN_SHIFT + c] = ends[c, LN_SHIFT]


@kernel
def _longest(m, w, k):
    """Part of the way that what is leaned on may be moved at once, seen from the start of the rod; its end may go further."""
    place, rod = index_table(m, ROD_INT)[k], table(w, ROD_TABLE_NEW)
    asked, start = table(w, LEAN_WAY), table_part(w, LEAN_POSE_NEW, place[RI_SEAT], place[RI_SEATS])
    shapes, size, far = index_table(m, LEAN_SHAPE_INT), column(m, LEAN_SIZE), _gone(asked, start, 1) / END_STRIDE
    for o in range(place[RI_SHAPE], place[RI_SHAPE] + place[RI_SHAPES]):
        a = shapes[o, 1]
        turned = 1.0
        if a >= 0:
            turned = abs(
                asked[a, 3] * start[a, 3]
                + asked[a, 4] * start[a, 4]
                + asked[a, 5] * start[a, 5]
                + asked[a, 6] * start[a, 6]
            )
        far = max(far, _gone(asked, start, a) + 2.0 * math.acos(min(1.0, turned)) * size[o])
    radius = rod[place[RI_FRAME] + 1, RADIUS]
    return max(LEAST, radius / max(far, radius))


@kernel
def _gone(asked, start, a):
    """How far seat a, or what does not move (-1), is to go as seen from the first seat [m]."""
    total = 0.0
    for c in range(3):
        by = start[0, c] - asked[0, c]
        if a >= 0:
            by += asked[a, c] - start[a, c]
        total += by * by
    return math.sqrt(total)


@kernel
def _place(m, s, w, k, way):
    """Bodies at the ends and shapes where the seats are on the way; shapes without a seat do not move."""
    place, flat = index_table(m, ROD_INT)[k], table(w, ROD_PASS)[1]
    shapes, on, out = index_table(m, LEAN_SHAPE_INT), table(m, LEAN_SHAPE), table(w, LEAN_SHAPE_NEW)
    pos, quat = table(s, BODY_POS), table(s, BODY_QUAT)
    for c in range(14):
        flat[c] = way[c // 7, c % 7]
    place_bodies(w, place[RI_ROWS], flat)
    for o in range(place[RI_SHAPE], place[RI_SHAPE] + place[RI_SHAPES]):
        a, i, q = shapes[o, 1], shapes[o, 0], on[o]
        x, y, z = (way[a, 0], way[a, 1], way[a, 2]) if a >= 0 else (pos[i, 0], pos[i, 1], pos[i, 2])
        t0, t1, t2, t3 = quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3]
        if a >= 0:
            t0, t1, t2, t3 = way[a, 3], way[a, 4], way[a, 5], way[a, 6]
        u, v, p = rotate(t0, t1, t2, t3, q[AT], q[AT + 1], q[AT + 2])
        out[o, KIND], out[o, AT], out[o, AT + 1], out[o, AT + 2] = q[KIND], x + u, y + v, z + p
        out[o, FRAME], out[o, FRAME + 1], out[o, FRAME + 2], out[o, FRAME + 3] = multiply(
            t0, t1, t2, t3, q[FRAME], q[FRAME + 1], q[FRAME + 2], q[FRAME + 3]
        )
        for c in range(3):
            out[o, SIZES + c] = q[SIZES + c]


@kernel
def _keep(m, w, k):
    """Frames, rows and forces as they stand, to go back to."""
    place, saved, kept = index_table(m, ROD_INT)[k], table(w, ROD_SAVED), table(w, LEAN_KEPT)
    quat, row, force = table(w, ROD_FRAME_NEW), table(w, LEAN_ROW_NEW), column(w, LEAN_FORCE_NEW)
    last = row.shape[1]
    for i in range(place[RI_FRAMES]):
        for c in range(4):
            saved[i, c] = quat[place[RI_FRAME] + i, c]
    count = indices(w, LEAN_COUNT_NEW)[k]
    saved[saved.shape[0] - 1, 0] = count
    for r in range(count):
        for c in range(last):
            kept[r, c] = row[place[RI_ROW] + r, c]
        kept[r, last] = force[place[RI_ROW] + r]


@kernel
def _bring_back(m, w, k):
    place, saved, kept = index_table(m, ROD_INT)[k], table(w, ROD_SAVED), table(w, LEAN_KEPT)
    quat, row, force = table(w, ROD_FRAME_NEW), table(w, LEAN_ROW_NEW), column(w, LEAN_FORCE_NEW)
    last = row.shape[1]
    for i in range(place[RI_FRAMES]):
        for c in range(4):
            quat[place[RI_FRAME] + i, c] = saved[i, c]
    count = int(saved[saved.shape[0] - 1, 0])
    indices(w, LEAN_COUNT_NEW)[k] = count
    for r in range(count):
        for c in range(last):
            row[place[RI_ROW] + r, c] = kept[r, c]
        force[place[RI_ROW] + r] = kept[r, last]
