"""Contacts of the rod as it is tried: rows that may only push, from nodes and from the inside of segments.

A node is looked at by itself; the inside of a segment where the distance has its minimum there, which nodes alone
would miss. Forces are carried over from the rows of the iteration before that touch the same thing at the same place.
"""

from __future__ import annotations

import math

from taut.cables.rod.arrays import (
    BEFORE,
    BODY,
    CHANGE,
    CURVE,
    DIRECTOR,
    EQUATIONS,
    FIRST,
    GAP,
    KEY,
    LAST,
    LOST,
    MARK,
    NODE,
    NORMAL,
    OFFSET,
    PART_A,
    PART_B,
    PUSHES,
    RADIUS,
    ROW_A,
    ROW_B,
    ROW_COLUMNS,
    ROWS,
    SEG,
    SPOT,
    WORKS,
    Array,
)
from taut.cables.rod.contact_rows import curvature, into, new_row
from taut.cables.rod.crossed import crossings
from taut.cables.rod.distance import solid
from taut.cables.rod.loads import shape as place_all
from taut.cables.rod.mesh_distance import crossing, mesh_point, mesh_segment
from taut.cables.rod.obstacles import (
    DISTANCE,
    FRAME,
    KIND,
    MARGIN,
    MESH,
    OUTWARD,
    PLANE,
    SHARE,
    SIZES,
    TOUCHES_ITSELF,
    Obstacles,
)
from taut.cables.rod.studs import touch_studs
from taut.core import quat as rotation
from taut.core.jit import kernel

#: a segment may touch another of its chain from this many diameters of rod between them on
APART = 3.0
#: so many radii from an end of a rod nothing is touched: it may sit on a part
ENDS = 1.5


@kernel
def remember(row: Array, force: Array, old: Array, count: Array) -> None:
    """Keep contact rows and their forces, to be known again."""
    count[BEFORE] = count[ROWS]
    for r in range(count[EQUATIONS], count[ROWS]):
        for c in range(ROW_COLUMNS):
            old[r, c] = row[r, c]
        old[r, ROW_COLUMNS] = force[r]


@kernel
def detect(
    rod: Array, chain: Array, body: Array, row: Array, quat: Array, force: Array, block: Array, old: Array,
    count: Array, obstacles: Obstacles,
) -> None:  # fmt: skip
    """Replace the contact rows by those of the shape at these frames."""
    touches = obstacles.setting[TOUCHES_ITSELF] > 0.0
    if obstacles.shape.shape[0] == 0 and not touches:
        return
    count[ROWS], count[LOST] = count[EQUATIONS], 0
    place_all(rod, chain, body, quat, block)
    for c in range(chain.shape[0]):
        for o in range(obstacles.shape.shape[0]):
            _along(rod, chain, row, block, count, obstacles, c, o)
    touch_studs(body, row, block, count, obstacles)
    if touches:
        for c in range(chain.shape[0]):
            for d in range(c, chain.shape[0]):
                _pairs(rod, chain, row, block, count, c, d, obstacles.setting[MARGIN])
    _recall(row, force, old, count)
    crossings(rod, row, force, block, count)


@kernel
def _along(
    rod: Array, chain: Array, row: Array, block: Array, count: Array, obstacles: Obstacles, c: int, o: int
) -> None:  # fmt: skip
    """One chain and one solid."""
    shape, probe, margin = obstacles.shape[o], obstacles.probe, obstacles.setting[MARGIN]
    kind, before, x0, y0, z0 = int(shape[KIND]), math.inf, 0.0, 0.0, 0.0
    first, last = int(chain[c, FIRST]), int(chain[c, LAST])
    total, s = 0.0, 0.0
    for i in range(first + 1, last):
        total += rod[i, SEG]
    for i in range(first + 1, last):
        a, l, radius = block[i], rod[i, SEG], rod[i, RADIUS]
        if l == 0.0:
            continue
        # an end may sit on a part: what is within its own thickness of an end is not looked at
        s += l
        if s < ENDS * radius or total - s + l < ENDS * radius:
            before = math.inf
            continue
        open_end = total - s >= ENDS * radius
        # nor is the part of a segment that is: what touches there has a lever that may vanish, and no force would do
        low, high = ENDS * radius - s + l, total - ENDS * radius - s + l
        x1, y1, z1 = into(
            shape, a[NODE] + l * a[DIRECTOR + 6], a[NODE + 1] + l * a[DIRECTOR + 7], a[NODE + 2] + l * a[DIRECTOR + 8]
        )  # fmt: skip
        if before == math.inf:
            x0, y0, z0 = into(shape, a[NODE], a[NODE + 1], a[NODE + 2])
            before = 0.0 if kind == MESH else _first(kind, shape, x0, y0, z0, probe)
        reach = radius + margin
        if kind == MESH:
            found = mesh_point(
                obstacles.triangle, obstacles.tree, int(shape[SIZES]), x1, y1, z1, reach, probe, obstacles.stack
            )  # fmt: skip
            nearest = reach
            for k in range(found if open_end else 0):
                nearest = min(nearest, probe[k, DISTANCE])
                _add(rod, row, block, count, shape, o, i, probe[k], l)
            found = mesh_segment(
                obstacles.triangle, obstacles.tree, int(shape[SIZES]), x0, y0, z0, x1 - x0, y1 - y0, z1 - z0,
                min(reach, max(before, nearest)), probe, obstacles.stack,
            )  # fmt: skip
            for k in range(found):
                if low <= probe[k, SHARE] * l <= high:
                    _add(rod, row, block, count, shape, o, i, probe[k], probe[k, SHARE] * l)
            before = nearest
        else:
            solid(kind, shape, x1, y1, z1, probe[0])
            here = probe[0, DISTANCE]
            if here < reach and open_end:
                _add(rod, row, block, count, shape, o, i, probe[0], l)
            if kind != PLANE and min(before, here) < reach + 0.5 * l:
                share = _lowest(kind, shape, x0, y0, z0, x1 - x0, y1 - y0, z1 - z0, probe[1])
                if 0.0 < share < 1.0 and probe[1, DISTANCE] < min(reach, before - 1e-9 * l, here - 1e-9 * l):
                    if low <= share * l <= high:
                        _add(rod, row, block, count, shape, o, i, probe[1], share * l)
            before = here
        x0, y0, z0 = x1, y1, z1


@kernel
def _first(kind: int, shape: Array, x: float, y: float, z: float, probe: Array) -> float:
    solid(kind, shape, x, y, z, probe[0])
    return probe[0, DISTANCE]


@kernel
def _lowest(
    kind: int, shape: Array, x: float, y: float, z: float, ux: float, uy: float, uz: float, out: Array
) -> float:  # fmt: skip
    """Share of a segment where the distance to a convex solid, itself convex, is least; 0 or 1 at its ends."""
    solid(kind, shape, x, y, z, out)
    if out[OUTWARD] * ux + out[OUTWARD + 1] * uy + out[OUTWARD + 2] * uz >= 0.0:
        return 0.0
    solid(kind, shape, x + ux, y + uy, z + uz, out)
    if out[OUTWARD] * ux + out[OUTWARD + 1] * uy + out[OUTWARD + 2] * uz <= 0.0:
        return 1.0
    low, high = 0.0, 1.0
    for _ in range(40):
        t = 0.5 * (low + high)
        solid(kind, shape, x + t * ux, y + t * uy, z + t * uz, out)
        if out[OUTWARD] * ux + out[OUTWARD + 1] * uy + out[OUTWARD + 2] * uz < 0.0:
            low = t
        else:
            high = t
    return 0.5 * (low + high)


@kernel
def _add(
    rod: Array, row: Array, block: Array, count: Array, shape: Array, o: int, i: int, probe: Array, part: float
) -> None:  # fmt: skip
    """A row for a probe, turned into the world."""
    r = new_row(row, count)
    if r < 0:
        return
    q, a, l = row[r], block[i], rod[i, SEG]
    f0, f1, f2, f3 = shape[FRAME], shape[FRAME + 1], shape[FRAME + 2], shape[FRAME + 3]
    nx, ny, nz = rotation.rotate(f0, f1, f2, f3, probe[OUTWARD], probe[OUTWARD + 1], probe[OUTWARD + 2])
    q[ROW_A], q[PART_A], q[ROW_B], q[PART_B], q[BODY] = i, part, -1.0, 0.0, -1.0
    q[NORMAL], q[NORMAL + 1], q[NORMAL + 2] = nx, ny, nz
    # SPOT is where the centreline would just touch: n.(x - spot) = distance - radius
    d = probe[DISTANCE] - rod[i, RADIUS]
    px, py, pz = (
        a[NODE] + part * a[DIRECTOR + 6],
        a[NODE + 1] + part * a[DIRECTOR + 7],
        a[NODE + 2] + part * a[DIRECTOR + 8],
    )
    q[SPOT], q[SPOT + 1], q[SPOT + 2], q[OFFSET] = px - d * nx, py - d * ny, pz - d * nz, 0.0
    q[PUSHES], q[GAP], q[KEY], q[MARK] = 1.0, d, float(o), float(i) + part / l
    curvature(shape, probe, a, l, q, part < l)


@kernel
def _pairs(
    rod: Array, chain: Array, row: Array, block: Array, count: Array, c: int, d: int, margin: float
) -> None:  # fmt: skip
    """Segments of two chains, or of one: no two points of a rod are nearer than the rod between them is long, so many
    segments can be passed over at once."""
    for i in range(int(chain[c, FIRST]) + 1, int(chain[c, LAST])):
        l = rod[i, SEG]
        if l == 0.0:
            continue
        a, r = block[i], rod[i, RADIUS]
        j = int(chain[d, FIRST]) + 1
        end, between = int(chain[d, LAST]), 0.0
        if c == d:
            j = i + 1
            while j < end and between < APART * 2.0 * r:
                between += rod[j, SEG]
                j += 1
        while j < end:
            b, m = block[j], rod[j, SEG]
            reach = r + rod[j, RADIUS] + margin
            dx, dy, dz = a[NODE] - b[NODE], a[NODE + 1] - b[NODE + 1], a[NODE + 2] - b[NODE + 2]
            far = math.sqrt(dx * dx + dy * dy + dz * dz) - reach - l - m
            if far > 0.0:
                # go on to where they could be near again
                while j < end and far >= 0.0:
                    far -= rod[j, SEG]
                    j += 1
                continue
            if m > 0.0:
                _pair(rod, row, block, count, i, j, l, m, reach, chain[d, FIRST] + 1.0 == j, c == d)
            j += 1


@kernel
def _pair(
    rod: Array, row: Array, block: Array, count: Array, i: int, j: int, l: float, m: float, reach: float,
    opens: bool, same: bool,
) -> None:  # fmt: skip
    """One row where two segments are nearest, if that is near enough."""
    a, b = block[i], block[j]
    ux, uy, uz = l * a[DIRECTOR + 6], l * a[DIRECTOR + 7], l * a[DIRECTOR + 8]
    ex, ey, ez = m * b[DIRECTOR + 6], m * b[DIRECTOR + 7], m * b[DIRECTOR + 8]
    wx, wy, wz = a[NODE] - b[NODE], a[NODE + 1] - b[NODE + 1], a[NODE + 2] - b[NODE + 2]
    t, s = crossing(a[NODE], a[NODE + 1], a[NODE + 2], ux, uy, uz, b[NODE], b[NODE + 1], b[NODE + 2], ex, ey, ez)
    uu, ee, ue = l * l, m * m, ux * ex + uy * ey + uz * ez
    du, de = ux * wx + uy * wy + uz * wz, ex * wx + ey * wy + ez * wz
    if t == -1.0 and s == -1.0:
        t = 0.5
    # clamp one, find the other, clamp it, find the first again (Ericson 5.1.9)
    t = min(1.0, max(0.0, t))
    s = min(1.0, max(0.0, (ue * t + de) / ee))
    t = min(1.0, max(0.0, (ue * s - du) / uu))
    if t == 0.0 or (s == 0.0 and not opens):
        return  # the segment before sees it
    x, y, z = wx + t * ux - s * ex, wy + t * uy - s * ey, wz + t * uz - s * ez
    distance = math.sqrt(x * x + y * y + z * z)
    if distance > reach or distance < 1e-9:
        return
    r = new_row(row, count)
    if r < 0:
        return
    q = row[r]
    q[ROW_A], q[PART_A], q[ROW_B], q[PART_B], q[BODY] = i, t * l, j, s * m, -1.0
    q[NORMAL], q[NORMAL + 1], q[NORMAL + 2] = x / distance, y / distance, z / distance
    q[OFFSET], q[PUSHES] = rod[i, RADIUS] + rod[j, RADIUS], 1.0
    q[GAP] = distance - q[OFFSET]
    q[KEY], q[MARK] = -1.0 - j - s, float(i) + t
    for k in range(10):
        q[CURVE + k] = 0.0


@kernel
def _recall(row: Array, force: Array, old: Array, count: Array) -> None:
    """Forces and working set from the rows of before, nearest first; a row that is new works if it is violated."""
    equations, last = count[EQUATIONS], count[BEFORE]
    for p in range(equations, last):
        old[p, CHANGE] = 0.0  # not taken yet
    for r in range(equations, count[ROWS]):
        row[r, CHANGE] = 0.0
        force[r], row[r, WORKS] = 0.0, 1.0 if row[r, GAP] < 0.0 else 0.0
    for reach in (0.1, 1.25):
        for r in range(equations, count[ROWS]):
            q = row[r]
            if q[CHANGE] > 0.0:
                continue
            best, which = reach, -1
            for p in range(equations, last):
                b = old[p]
                if b[CHANGE] == 0.0 and (b[KEY] == q[KEY] if q[KEY] >= 0.0 else b[KEY] < 0.0):
                    off = abs(b[MARK] - q[MARK]) + (abs(b[KEY] - q[KEY]) if q[KEY] < 0.0 else 0.0)
                    off += 2.0 * (
                        1.0 - b[NORMAL] * q[NORMAL] - b[NORMAL + 1] * q[NORMAL + 1] - b[NORMAL + 2] * q[NORMAL + 2]
                    )
                    if off < best:
                        best, which = off, p
            if which >= 0:
                force[r], q[WORKS] = old[which, ROW_COLUMNS], max(q[WORKS], old[which, WORKS])
                q[CHANGE], old[which, CHANGE] = 1.0, 1.0


@kernel(entry=True)
def nearest(points: Array, obstacles: Obstacles, o: int, out: Array) -> None:
    """Least distance of a polyline to one obstacle [m], and where: number of the segment plus the share along it."""
    shape, probe = obstacles.shape[o], obstacles.probe
    kind = int(shape[KIND])
    out[0], out[1] = math.inf, 0.0
    x0, y0, z0 = into(shape, points[0, 0], points[0, 1], points[0, 2])
    for i in range(points.shape[0]):
        x1, y1, z1 = into(shape, points[i, 0], points[i, 1], points[i, 2])
        if kind == MESH:
            # the search grows until it finds something
            reach = 1e-3 if math.isinf(out[0]) else max(out[0], 1e-6)
            found = 0
            while found == 0 and reach < 1e3 and (math.isinf(out[0]) or reach <= max(out[0], 1e-6)):
                found = mesh_point(
                    obstacles.triangle, obstacles.tree, int(shape[SIZES]), x1, y1, z1, reach, probe, obstacles.stack
                )  # fmt: skip
                reach *= 4.0
            for k in range(found):
                if probe[k, DISTANCE] < out[0]:
                    out[0], out[1] = probe[k, DISTANCE], float(i)
            if i > 0:
                found = mesh_segment(
                    obstacles.triangle, obstacles.tree, int(shape[SIZES]), x0, y0, z0, x1 - x0, y1 - y0, z1 - z0,
                    max(out[0], 1e-6), probe, obstacles.stack,
                )  # fmt: skip
                for k in range(found):
                    if probe[k, DISTANCE] < out[0]:
                        out[0], out[1] = probe[k, DISTANCE], i - 1.0 + probe[k, SHARE]
        else:
            solid(kind, shape, x1, y1, z1, probe[0])
            if probe[0, DISTANCE] < out[0]:
                out[0], out[1] = probe[0, DISTANCE], float(i)
            if i > 0 and kind != PLANE:
                share = _lowest(kind, shape, x0, y0, z0, x1 - x0, y1 - y0, z1 - z0, probe[1])
                if 0.0 < share < 1.0 and probe[1, DISTANCE] < out[0]:
                    out[0], out[1] = probe[1, DISTANCE], i - 1.0 + share
        x0, y0, z0 = x1, y1, z1
