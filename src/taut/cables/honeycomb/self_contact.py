"""Surface against surface of the same rope: features of two cells, culled one after the other.

The surface of a cell is the prism through the outline masses of its two layers. Of a pair of cells from the hierarchy

1. the distance of their axes rules out most pairs;
2. only features that look at the other cell are taken: those whose mass lies on the side of the other axis;
3. a feature pair is dropped when its four points are far from coplanar (their volume exceeds the skin times the area of
   their faces). Paper 4 takes this filter from continuous collision detection, where it asks whether the volume changes its
   sign within a step; a contact with a depth asks how large it is now;
4. the rest is tested in full: outline mass against prism face, long edge against long edge.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.honeycomb.arrays import (
    CULLED_FEATURES,
    FINE,
    GAP,
    LAG,
    LAYERS,
    MU,
    NORMAL,
    OTHER,
    OWNER,
    PAIRS,
    PER_LAYER,
    RUB,
    SKIN,
    TESTED,
    TOO_MANY_TOUCHES,
    TOUCHES,
    WEIGHT,
)
from taut.core.jit import kernel

Array = np.ndarray

#: how far a section may bulge before the distance of axes no longer rules a pair out
BULGE = 1.5


@kernel
def find_axis(pos: Array, size: Array, axis: Array) -> None:
    """Centre of every layer."""
    per = size[PER_LAYER]
    for layer in range(size[LAYERS]):
        for k in range(3):
            total = 0.0
            for i in range(layer * per, (layer + 1) * per):
                total += pos[i, k]
            axis[layer, k] = total / per


@kernel
def between_axes(axis: Array, a: int, b: int, normal: Array) -> float:
    """Distance of the axes of two cells [m], with the direction from b to a: closest points of two segments."""
    d1x, d1y, d1z = axis[a + 1, 0] - axis[a, 0], axis[a + 1, 1] - axis[a, 1], axis[a + 1, 2] - axis[a, 2]
    d2x, d2y, d2z = axis[b + 1, 0] - axis[b, 0], axis[b + 1, 1] - axis[b, 1], axis[b + 1, 2] - axis[b, 2]
    rx, ry, rz = axis[a, 0] - axis[b, 0], axis[a, 1] - axis[b, 1], axis[a, 2] - axis[b, 2]
    aa, ee = d1x * d1x + d1y * d1y + d1z * d1z, d2x * d2x + d2y * d2y + d2z * d2z
    ff, cc = d2x * rx + d2y * ry + d2z * rz, d1x * rx + d1y * ry + d1z * rz
    bb = d1x * d2x + d1y * d2y + d1z * d2z
    denominator = aa * ee - bb * bb
    s = min(max((bb * ff - cc * ee) / denominator, 0.0), 1.0) if denominator > 1e-9 * aa * ee else 0.5
    t = (bb * s + ff) / ee
    if t < 0.0 or t > 1.0:
        t = min(max(t, 0.0), 1.0)
        s = min(max((bb * t - cc) / aa, 0.0), 1.0)
    x, y, z = rx + s * d1x - t * d2x, ry + s * d1y - t * d2y, rz + s * d1z - t * d2z
    away = math.sqrt(x * x + y * y + z * z)
    inverse = 1.0 / max(away, 1e-12)
    normal[0], normal[1], normal[2] = x * inverse, y * inverse, z * inverse
    return away


@kernel
def mass_on_face(
    p: int, cell: int, pos: Array, axis: Array, size: Array, outline: Array, thick: float, near: float, touch: Array, touch_node: Array, t: int,
    count: Array,
) -> bool:  # fmt: skip
    """Outline mass p against the prism of a cell; True when row t of the pool was filled."""
    per, sides = size[PER_LAYER], outline.shape[0]
    c, e = axis[cell], axis[cell + 1]
    tx, ty, tz = e[0] - c[0], e[1] - c[1], e[2] - c[2]
    square = tx * tx + ty * ty + tz * tz
    x, y, z = pos[p, 0] - c[0], pos[p, 1] - c[1], pos[p, 2] - c[2]
    s = (x * tx + y * ty + z * tz) / square
    # a cell owns what projects into it; the first and last also what lies just beyond the end
    if (s < 0.0 and cell > 0) or (s >= 1.0 and cell < size[LAYERS] - 2) or s < -0.5 or s > 1.5:
        return False
    s = min(max(s, 0.0), 1.0)
    rx, ry, rz = x - s * tx, y - s * ty, z - s * tz
    first, second = cell * per, (cell + 1) * per
    for k in range(sides):
        i, j = outline[k], outline[(k + 1) % sides]
        ax = (1.0 - s) * pos[first + i, 0] + s * pos[second + i, 0] - c[0] - s * tx
        ay = (1.0 - s) * pos[first + i, 1] + s * pos[second + i, 1] - c[1] - s * ty
        az = (1.0 - s) * pos[first + i, 2] + s * pos[second + i, 2] - c[2] - s * tz
        # the sector of the face that p lies in: both triple products with the axis positive
        if (ay * rz - az * ry) * tx + (az * rx - ax * rz) * ty + (ax * ry - ay * rx) * tz < 0.0:
            continue
        bx = (1.0 - s) * pos[first + j, 0] + s * pos[second + j, 0] - c[0] - s * tx
        by = (1.0 - s) * pos[first + j, 1] + s * pos[second + j, 1] - c[1] - s * ty
        bz = (1.0 - s) * pos[first + j, 2] + s * pos[second + j, 2] - c[2] - s * tz
        if (ry * bz - rz * by) * tx + (rz * bx - rx * bz) * ty + (rx * by - ry * bx) * tz <= 0.0:
            continue
        ex, ey, ez = bx - ax, by - ay, bz - az
        # outward normal: edge x axis, as the outline runs counter-clockwise about the axis
        nx, ny, nz = ey * tz - ez * ty, ez * tx - ex * tz, ex * ty - ey * tx
        area = math.sqrt(nx * nx + ny * ny + nz * nz)
        volume = (rx - ax) * nx + (ry - ay) * ny + (rz - az) * nz
        if volume >= (thick + near) * area or area <= 0.0:
            count[CULLED_FEATURES] += 1
            return False
        count[TESTED] += 1
        u = ((rx - ax) * ex + (ry - ay) * ey + (rz - az) * ez) / (ex * ex + ey * ey + ez * ez)
        u = min(max(u, 0.0), 1.0)
        touch[t, NORMAL], touch[t, NORMAL + 1], touch[t, NORMAL + 2] = nx / area, ny / area, nz / area
        touch[t, GAP] = volume / area - thick
        fill(touch, touch_node, t, 0, p, 1.0)
        fill(touch, touch_node, t, 1, first + i, -(1.0 - s) * (1.0 - u))
        fill(touch, touch_node, t, 2, first + j, -(1.0 - s) * u)
        fill(touch, touch_node, t, 3, second + i, -s * (1.0 - u))
        fill(touch, touch_node, t, 4, second + j, -s * u)
        return True
    return False


@kernel
def fill(touch: Array, touch_node: Array, t: int, k: int, i: int, weight: float) -> None:
    """One of the five masses of a contact."""
    touch_node[t, k] = i
    touch[t, WEIGHT + k] = weight


@kernel
def edge_on_edge(
    a: int, b: int, c: int, d: int, pos: Array, side: Array, thick: float, near: float, touch: Array, touch_node: Array, t: int, count: Array
) -> bool:  # fmt: skip
    """Edge a-b of one cell against c-d of the other; `side` points from the second to the first."""
    px, py, pz = pos[b, 0] - pos[a, 0], pos[b, 1] - pos[a, 1], pos[b, 2] - pos[a, 2]
    qx, qy, qz = pos[d, 0] - pos[c, 0], pos[d, 1] - pos[c, 1], pos[d, 2] - pos[c, 2]
    nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
    area = math.sqrt(nx * nx + ny * ny + nz * nz)
    pp, qq = px * px + py * py + pz * pz, qx * qx + qy * qy + qz * qz
    # nearly parallel edges touch with their masses, which is tested already
    if area * area < 0.01 * pp * qq:
        count[CULLED_FEATURES] += 1
        return False
    if nx * side[0] + ny * side[1] + nz * side[2] < 0.0:
        nx, ny, nz = -nx, -ny, -nz
    rx, ry, rz = pos[a, 0] - pos[c, 0], pos[a, 1] - pos[c, 1], pos[a, 2] - pos[c, 2]
    volume = rx * nx + ry * ny + rz * nz
    if volume >= (thick + near) * area:
        count[CULLED_FEATURES] += 1
        return False
    count[TESTED] += 1
    pq, pr, qr = px * qx + py * qy + pz * qz, px * rx + py * ry + pz * rz, qx * rx + qy * ry + qz * rz
    square = pp * qq - pq * pq
    u, v = (pq * qr - pr * qq) / square, (pp * qr - pq * pr) / square
    if u <= 0.0 or u >= 1.0 or v <= 0.0 or v >= 1.0:
        return False
    touch[t, NORMAL], touch[t, NORMAL + 1], touch[t, NORMAL + 2] = nx / area, ny / area, nz / area
    touch[t, GAP] = volume / area - thick
    fill(touch, touch_node, t, 0, a, 1.0 - u)
    fill(touch, touch_node, t, 1, b, u)
    fill(touch, touch_node, t, 2, c, -(1.0 - v))
    fill(touch, touch_node, t, 3, d, -v)
    fill(touch, touch_node, t, 4, a, 0.0)
    return True


@kernel
def faces(i: int, layer: int, pos: Array, axis: Array, side: Array, sign: float) -> bool:
    """Whether outline mass i lies towards the other cell."""
    x, y, z = pos[i, 0] - axis[layer, 0], pos[i, 1] - axis[layer, 1], pos[i, 2] - axis[layer, 2]
    return sign * (x * side[0] + y * side[1] + z * side[2]) > 0.0


@kernel
def self_touches(
    pos: Array, field: Array, size: Array, outline: Array, radius: float, near: float, axis: Array, touch: Array,
    touch_node: Array, pair: Array, count: Array,
) -> int:  # fmt: skip
    """Put the contacts of the surface with itself into the pool: features nearer than `near`."""
    find_axis(pos, size, axis)
    thick, per = 2.0 * field[SKIN], size[PER_LAYER]
    far = 2.0 * BULGE * radius + thick + near
    first = count[TOUCHES]
    count[CULLED_FEATURES] = 0
    count[TESTED] = 0
    for n in range(count[PAIRS]):
        a, b = pair[n, 0], pair[n, 1]
        t = count[TOUCHES]
        # a pair of cells makes at most so many contacts
        if t + 4 * outline.shape[0] + outline.shape[0] ** 2 >= touch.shape[0]:
            return TOO_MANY_TOUCHES
        side = touch[t, OTHER : OTHER + 3]
        away = between_axes(axis, a, b, side)
        if away > far:
            continue
        sx, sy, sz = side[0], side[1], side[2]
        for swap in range(2):
            mine, other, sign = (a, b, -1.0) if swap == 0 else (b, a, 1.0)
            # the masses of a cell's first layer; the last cell has those of the last layer too
            for layer in range(mine, mine + (2 if mine == size[LAYERS] - 2 else 1)):
                for o in outline:
                    i = layer * per + o
                    t = count[TOUCHES]
                    side = touch[t, OTHER : OTHER + 3]
                    side[0], side[1], side[2] = sx, sy, sz
                    if faces(i, layer, pos, axis, side, sign) and mass_on_face(
                        i, other, pos, axis, size, outline, thick, near, touch, touch_node, t, count
                    ):
                        count[TOUCHES] = t + 1
        for o in outline:
            t = count[TOUCHES]
            side = touch[t, OTHER : OTHER + 3]
            side[0], side[1], side[2] = sx, sy, sz
            if not faces(a * per + o, a, pos, axis, side, -1.0):
                continue
            for r in outline:
                t = count[TOUCHES]
                side = touch[t, OTHER : OTHER + 3]
                side[0], side[1], side[2] = sx, sy, sz
                if faces(b * per + r, b, pos, axis, side, 1.0) and edge_on_edge(
                    a * per + o, (a + 1) * per + o, b * per + r, (b + 1) * per + r, pos, side, thick, near, touch, touch_node, t, count
                ):  # fmt: skip
                    count[TOUCHES] = t + 1
    for t in range(first, count[TOUCHES]):
        touch[t, MU] = field[RUB]
        touch[t, LAG] = -1.0
        touch[t, OWNER] = -1.0
        for k in range(3):
            touch[t, OTHER + k] = 0.0
    return FINE
