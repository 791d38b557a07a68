"""Distance of points and segments to the triangles of a mesh, found in a tree of boxes."""

from __future__ import annotations

import math

from taut.cables.rod.distance import corner, put
from taut.cables.rod.obstacles import (
    BEGIN,
    CORNER,
    CORNER_NORMAL,
    DISTANCE,
    EDGE_NORMAL,
    END,
    FACE,
    HIGH,
    LEFT,
    LOW,
    MOST_FEATURES,
    OUTWARD,
    OWN_CORNER,
    OWN_EDGE,
    PROBE_COLUMNS,
    RIGHT_CHILD,
    SHARE,
    Array,
)
from taut.core.jit import kernel

#: features whose normals differ by less than this are taken as one: cosine of 12 degrees
ALIKE = 0.978


@kernel
def _closest(t: Array, x: float, y: float, z: float) -> tuple[int, float, float, float]:
    """Feature (0 face, 1-3 edges from corner k - 1, 4-6 corners) and closest point of a triangle (Ericson 5.1.5)."""
    ax, ay, az = t[CORNER], t[CORNER + 1], t[CORNER + 2]
    ux, uy, uz = t[CORNER + 3] - ax, t[CORNER + 4] - ay, t[CORNER + 5] - az
    vx, vy, vz = t[CORNER + 6] - ax, t[CORNER + 7] - ay, t[CORNER + 8] - az
    px, py, pz = x - ax, y - ay, z - az
    d1, d2 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d1 <= 0.0 and d2 <= 0.0:
        return 4, ax, ay, az
    px, py, pz = px - ux, py - uy, pz - uz
    d3, d4 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d3 >= 0.0 and d4 <= d3:
        return 5, ax + ux, ay + uy, az + uz
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        s = d1 / (d1 - d3)
        return 1, ax + s * ux, ay + s * uy, az + s * uz
    px, py, pz = px + ux - vx, py + uy - vy, pz + uz - vz
    d5, d6 = ux * px + uy * py + uz * pz, vx * px + vy * py + vz * pz
    if d6 >= 0.0 and d5 <= d6:
        return 6, ax + vx, ay + vy, az + vz
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        s = d2 / (d2 - d6)
        return 3, ax + s * vx, ay + s * vy, az + s * vz
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        s = (d4 - d3) / ((d4 - d3) + (d5 - d6))
        return 2, ax + ux + s * (vx - ux), ay + uy + s * (vy - uy), az + uz + s * (vz - uz)
    f = 1.0 / (va + vb + vc)
    s, r = vb * f, vc * f
    return 0, ax + s * ux + r * vx, ay + s * uy + r * vy, az + s * uz + r * vz


@kernel
def _is_out(t: Array, feature: int, x: float, y: float, z: float) -> bool:
    """Whether a point, given relative to the closest one, lies outside by the normal of the feature."""
    n = FACE if feature == 0 else EDGE_NORMAL + 3 * (feature - 1) if feature < 4 else CORNER_NORMAL + 3 * (feature - 4)
    return t[n] * x + t[n + 1] * y + t[n + 2] * z >= 0.0


@kernel
def _keep(probe: Array, found: int) -> int:
    """Keep the probe in row `found` unless one like it is nearer; returns how many there are."""
    new = probe[found]
    k = 0
    while k < found:
        p = probe[k]
        alike = (
            p[OUTWARD] * new[OUTWARD] + p[OUTWARD + 1] * new[OUTWARD + 1] + p[OUTWARD + 2] * new[OUTWARD + 2] > ALIKE
        )
        if alike and p[DISTANCE] <= new[DISTANCE]:
            return found
        if alike:
            # the new one takes its place
            for c in range(PROBE_COLUMNS):
                p[c], new[c] = new[c], p[c]
            return found
        k += 1
    if found < MOST_FEATURES:
        return found + 1
    # full: the farthest goes
    far = 0
    for k in range(found):
        far = k if probe[k, DISTANCE] > probe[far, DISTANCE] else far
    if probe[far, DISTANCE] > new[DISTANCE]:
        for c in range(PROBE_COLUMNS):
            probe[far, c] = new[c]
    return found


@kernel
def mesh_point(
    triangle: Array, tree: Array, root: int, x: float, y: float, z: float, reach: float, probe: Array, stack: Array
) -> int:  # fmt: skip
    """Features within reach of a point, as probes; of a point inside only the nearest, distance negative."""
    found, nearest, inside, top = 0, math.inf, False, 1
    stack[0] = root
    while top > 0:
        top -= 1
        node = tree[stack[top]]
        far = False
        for k in range(3):
            p = x if k == 0 else y if k == 1 else z
            far = far or p < node[LOW + k] - reach or p > node[HIGH + k] + reach
        if far:
            continue
        if node[LEFT] >= 0.0:
            stack[top], stack[top + 1] = int(node[LEFT]), int(node[RIGHT_CHILD])
            top += 2
            continue
        for i in range(int(node[BEGIN]), int(node[END])):
            t = triangle[i]
            feature, cx, cy, cz = _closest(t, x, y, z)
            dx, dy, dz = x - cx, y - cy, z - cz
            distance = math.sqrt(dx * dx + dy * dy + dz * dz)
            if distance > reach:
                continue
            out = _is_out(t, feature, dx, dy, dz)
            if distance < nearest - 1e-12:
                # what lies on the surface is told once, by the face
                nearest, inside = distance, not out or distance < 1e-12
                if inside:
                    sign = -1.0 if distance > 1e-12 else 0.0
                    s = sign / max(distance, 1e-12)
                    last = probe[MOST_FEATURES + 1]
                    if sign == 0.0:
                        put(last, 0.0, t[FACE], t[FACE + 1], t[FACE + 2])
                    else:
                        put(last, -distance, s * dx, s * dy, s * dz)
            if not out or distance < 1e-12:
                continue
            if (0 < feature < 4 and t[OWN_EDGE + feature - 1] == 0.0) or (
                feature >= 4 and t[OWN_CORNER + feature - 4] == 0.0
            ):
                continue
            new = probe[found]
            if feature == 0:
                put(new, distance, t[FACE], t[FACE + 1], t[FACE + 2])
            elif feature < 4:
                k, j = CORNER + 3 * (feature - 1), CORNER + 3 * (feature % 3)
                ex, ey, ez = t[j] - t[k], t[j + 1] - t[k + 1], t[j + 2] - t[k + 2]
                size = math.sqrt(ex * ex + ey * ey + ez * ez)
                corner(new, dx, dy, dz, 0.0, ex / size, ey / size, ez / size)
            else:
                corner(new, dx, dy, dz, 0.0, 0.0, 0.0, 0.0)
            new[SHARE] = 1.0
            found = _keep(probe, found)
    if inside:
        for c in range(PROBE_COLUMNS):
            probe[0, c] = probe[MOST_FEATURES + 1, c]
        return 1
    return found


@kernel
def crossing(
    x: float, y: float, z: float, ux: float, uy: float, uz: float, px: float, py: float, pz: float, ex: float,
    ey: float, ez: float,
) -> tuple[float, float]:  # fmt: skip
    """Shares along two lines x + t u and p + s e of their closest points; -1 where they are parallel."""
    a, b, c = ux * ux + uy * uy + uz * uz, ux * ex + uy * ey + uz * ez, ex * ex + ey * ey + ez * ez
    wx, wy, wz = x - px, y - py, z - pz
    d, e = ux * wx + uy * wy + uz * wz, ex * wx + ey * wy + ez * wz
    det = a * c - b * b
    if det <= 1e-8 * a * c:
        return -1.0, -1.0
    return (b * e - c * d) / det, (a * e - b * d) / det


@kernel
def mesh_segment(
    triangle: Array, tree: Array, root: int, x: float, y: float, z: float, ux: float, uy: float, uz: float,
    reach: float, probe: Array, stack: Array,
) -> int:  # fmt: skip
    """Edges of a mesh within reach of the inside of a segment x + t u, as probes."""
    found, top = 0, 1
    stack[0] = root
    while top > 0:
        top -= 1
        node = tree[stack[top]]
        far = False
        for k in range(3):
            p, q = (x, x + ux) if k == 0 else (y, y + uy) if k == 1 else (z, z + uz)
            far = far or max(p, q) < node[LOW + k] - reach or min(p, q) > node[HIGH + k] + reach
        if far:
            continue
        if node[LEFT] >= 0.0:
            stack[top], stack[top + 1] = int(node[LEFT]), int(node[RIGHT_CHILD])
            top += 2
            continue
        for i in range(int(node[BEGIN]), int(node[END])):
            t = triangle[i]
            for k in range(3):
                if t[OWN_EDGE + k] == 0.0:
                    continue
                a, b = CORNER + 3 * k, CORNER + 3 * ((k + 1) % 3)
                ex, ey, ez = t[b] - t[a], t[b + 1] - t[a + 1], t[b + 2] - t[a + 2]
                share, along = crossing(x, y, z, ux, uy, uz, t[a], t[a + 1], t[a + 2], ex, ey, ez)
                if not (1e-6 < share < 1.0 - 1e-6 and 0.0 < along < 1.0):
                    continue
                dx, dy, dz = (
                    x + share * ux - t[a] - along * ex,
                    y + share * uy - t[a + 1] - along * ey,
                    z + share * uz - t[a + 2] - along * ez,
                )
                distance = math.sqrt(dx * dx + dy * dy + dz * dz)
                if distance > reach or distance < 1e-12 or not _is_out(t, k + 1, dx, dy, dz):
                    continue
                size = math.sqrt(ex * ex + ey * ey + ez * ez)
                new = probe[found]
                corner(new, dx, dy, dz, 0.0, ex / size, ey / size, ez / size)
                new[SHARE] = share
                found = _keep(probe, found)
    return found
