"""Surface against surface of the same rope: features of two cells, culled one after the other.

The surface of a cell is the prism through the outline masses of its two layers. Of a pair of cells from the hierarchy

1. the distance of their axes rules out most pairs: what touches lies within the sections as wide as they are now, and
   reaches as far towards the other cell;
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
#: how much further than its distance from a face's plane a mass may be from the section: a face is never so steep to the direction of the axis
STEEP = 2.0
#: column of `axis` with the width of a layer; room for the masses of an outline
WIDE, SIDES = 3, 16


@kernel
def find_axis(pos: Array, size: Array, outline: Array, axis: Array) -> None:
    """Centre of every layer, and how far the furthest of its outline masses is from it."""
    per = size[PER_LAYER]
    share = 1.0 / per
    for layer in range(size[LAYERS]):
        first = layer * per
        x, y, z = 0.0, 0.0, 0.0
        for i in range(first, first + per):
            x, y, z = x + pos[i, 0], y + pos[i, 1], z + pos[i, 2]
        x, y, z = x * share, y * share, z * share
        most = 0.0
        for o in outline:
            u, v, w = pos[first + o, 0] - x, pos[first + o, 1] - y, pos[first + o, 2] - z
            most = max(most, u * u + v * v + w * w)
        axis[layer, 0], axis[layer, 1], axis[layer, 2], axis[layer, WIDE] = x, y, z, math.sqrt(most)


@kernel(inlined=True)
def between_axes(axis: Array, a: int, b: int) -> tuple[float, float, float, float]:
    """Distance of the axes of two cells [m], and the direction from b to a: closest points of two segments."""
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
    return away, x * inverse, y * inverse, z * inverse


@kernel(inlined=True)
def mass_on_face(
    p: int, cell: int, pos: Array, axis: Array, size: Array, outline: Array, thick: float, near: float, touch: Array, touch_node: Array, t: int,
    count: Array,
) -> bool:  # fmt: skip
    """Outline mass p against the prism of a cell; True when row t of the pool was filled."""
    per, sides = size[PER_LAYER], outline.shape[0]
    cx, cy, cz = axis[cell, 0], axis[cell, 1], axis[cell, 2]
    tx, ty, tz = axis[cell + 1, 0] - cx, axis[cell + 1, 1] - cy, axis[cell + 1, 2] - cz
    square = tx * tx + ty * ty + tz * tz
    x, y, z = pos[p, 0] - cx, pos[p, 1] - cy, pos[p, 2] - cz
    along = x * tx + y * ty + z * tz
    # a cell owns what projects into it; the first and last also what lies just beyond the end
    if (along < 0.0 and (cell > 0 or along < -0.5 * square)) or (
        along >= square and (cell < size[LAYERS] - 2 or along > 1.5 * square)
    ):
        return False
    s = min(max(along / square, 0.0), 1.0)
    # from here on seen from the axis at the height of p
    cx, cy, cz = cx + s * tx, cy + s * ty, cz + s * tz
    rx, ry, rz = pos[p, 0] - cx, pos[p, 1] - cy, pos[p, 2] - cz
    reach = max(axis[cell, WIDE], axis[cell + 1, WIDE]) + STEEP * (thick + near)
    if rx * rx + ry * ry + rz * rz > reach * reach:
        return False
    # the sector of the face that p lies in: a x r . t >= 0 > b x r . t for the two masses a, b of its edge; a x r . t = a . (r x t)
    dx, dy, dz = ry * tz - rz * ty, rz * tx - rx * tz, rx * ty - ry * tx
    first, second = cell * per, (cell + 1) * per
    away = cx * dx + cy * dy + cz * dz
    f, g = first + outline[0], second + outline[0]
    begin = (1.0 - s) * (pos[f, 0] * dx + pos[f, 1] * dy + pos[f, 2] * dz) + s * (pos[g, 0] * dx + pos[g, 1] * dy + pos[g, 2] * dz) - away  # fmt: skip
    before, k = begin, 0
    while k < sides:
        after = begin
        if k + 1 < sides:
            f, g = first + outline[k + 1], second + outline[k + 1]
            after = (1.0 - s) * (pos[f, 0] * dx + pos[f, 1] * dy + pos[f, 2] * dz) + s * (pos[g, 0] * dx + pos[g, 1] * dy + pos[g, 2] * dz) - away  # fmt: skip
        if before >= 0.0 and after < 0.0:
            break
        before = after
        k += 1
    if k == sides:
        return False
    i, j = outline[k], outline[k + 1 if k + 1 < sides else 0]
    ax = (1.0 - s) * pos[first + i, 0] + s * pos[second + i, 0] - cx
    ay = (1.0 - s) * pos[first + i, 1] + s * pos[second + i, 1] - cy
    az = (1.0 - s) * pos[first + i, 2] + s * pos[second + i, 2] - cz
    ex = (1.0 - s) * pos[first + j, 0] + s * pos[second + j, 0] - cx - ax
    ey = (1.0 - s) * pos[first + j, 1] + s * pos[second + j, 1] - cy - ay
    ez = (1.0 - s) * pos[first + j, 2] + s * pos[second + j, 2] - cz - az
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


@kernel(inlined=True)
def fill(touch: Array, touch_node: Array, t: int, k: int, i: int, weight: float) -> None:
    """One of the five masses of a contact."""
    touch_node[t, k] = i
    touch[t, WEIGHT + k] = weight


@kernel(inlined=True)
def edge_on_edge(
    a: int, b: int, c: int, d: int, pos: Array, sx: float, sy: float, sz: float, thick: float, near: float, touch: Array, touch_node: Array, t: int,
    count: Array,
) -> bool:  # fmt: skip
    """Edge a-b of one cell against c-d of the other; (sx, sy, sz) points from the second to the first."""
    px, py, pz = pos[b, 0] - pos[a, 0], pos[b, 1] - pos[a, 1], pos[b, 2] - pos[a, 2]
    qx, qy, qz = pos[d, 0] - pos[c, 0], pos[d, 1] - pos[c, 1], pos[d, 2] - pos[c, 2]
    nx, ny, nz = py * qz - pz * qy, pz * qx - px * qz, px * qy - py * qx
    square = nx * nx + ny * ny + nz * nz
    pp, qq = px * px + py * py + pz * pz, qx * qx + qy * qy + qz * qz
    # nearly parallel edges touch with their masses, which is tested already
    if square < 0.01 * pp * qq:
        count[CULLED_FEATURES] += 1
        return False
    if nx * sx + ny * sy + nz * sz < 0.0:
        nx, ny, nz = -nx, -ny, -nz
    rx, ry, rz = pos[a, 0] - pos[c, 0], pos[a, 1] - pos[c, 1], pos[a, 2] - pos[c, 2]
    volume = rx * nx + ry * ny + rz * nz
    if volume >= 0.0 and volume * volume >= (thick + near) ** 2 * square:
        count[CULLED_FEATURES] += 1
        return False
    count[TESTED] += 1
    pq, pr, qr = px * qx + py * qy + pz * qz, px * rx + py * ry + pz * rz, qx * rx + qy * ry + qz * rz
    u, v = pq * qr - pr * qq, pp * qr - pq * pr
    if u <= 0.0 or u >= square or v <= 0.0 or v >= square:
        return False
    area = math.sqrt(square)
    u, v = u / square, v / square
    touch[t, NORMAL], touch[t, NORMAL + 1], touch[t, NORMAL + 2] = nx / area, ny / area, nz / area
    touch[t, GAP] = volume / area - thick
    fill(touch, touch_node, t, 0, a, 1.0 - u)
    fill(touch, touch_node, t, 1, b, u)
    fill(touch, touch_node, t, 2, c, -(1.0 - v))
    fill(touch, touch_node, t, 3, d, -v)
    fill(touch, touch_node, t, 4, a, 0.0)
    return True


@kernel(inlined=True)
def reaches(layer: int, pos: Array, axis: Array, per: int, outline: Array, sx: float, sy: float, sz: float, out: Array, to: int) -> float:  # fmt: skip
    """How far each outline mass of a layer reaches from its centre in a direction [m], into out[to:]; returns the furthest."""
    away, most = axis[layer, 0] * sx + axis[layer, 1] * sy + axis[layer, 2] * sz, 0.0
    for k in range(outline.shape[0]):
        i = layer * per + outline[k]
        out[to + k] = pos[i, 0] * sx + pos[i, 1] * sy + pos[i, 2] * sz - away
        most = max(most, out[to + k])
    return most


@kernel(inlined=True)
def cell_on_cell(
    a: int, b: int, away: float, sx: float, sy: float, sz: float, pos: Array, axis: Array, size: Array, outline: Array, thick: float, near: float,
    touch: Array, touch_node: Array, count: Array, reach: Array,
) -> None:  # fmt: skip
    """Put the contacts of two cells into the pool; (sx, sy, sz) points from the second to the first, their axes are `away`.

    All of one axis lies beyond the other in that direction by at least so much: features that do not reach as far towards each other do not
    touch.
    """
    per, sides, last = size[PER_LAYER], outline.shape[0], size[LAYERS] - 2
    # of both layers of both cells, towards the other
    first = reaches(a, pos, axis, per, outline, -sx, -sy, -sz, reach, 0)
    first = max(first, reaches(a + 1, pos, axis, per, outline, -sx, -sy, -sz, reach, SIDES))
    second = reaches(b, pos, axis, per, outline, sx, sy, sz, reach, 2 * SIDES)
    second = max(second, reaches(b + 1, pos, axis, per, outline, sx, sy, sz, reach, 3 * SIDES))
    away -= STEEP * (thick + near)
    if away > first + second:
        return
    for swap in range(2):
        mine, other, theirs = (a, b, second) if swap == 0 else (b, a, first)
        # the masses of a cell's first layer; the last cell has those of the last layer too
        for upper in range(2 if mine == last else 1):
            for k in range(sides):
                own, t = reach[(2 * swap + upper) * SIDES + k], count[TOUCHES]
                if own > 0.0 and away <= own + theirs and mass_on_face(
                    (mine + upper) * per + outline[k], other, pos, axis, size, outline, thick, near, touch, touch_node, t, count
                ):  # fmt: skip
                    count[TOUCHES] = t + 1
    for k in range(sides):
        # edges look where the mass of their first layer does
        own = max(reach[k], reach[SIDES + k])
        if reach[k] <= 0.0 or away > own + second:
            continue
        one = a * per + outline[k]
        for n in range(sides):
            theirs, t = max(reach[2 * SIDES + n], reach[3 * SIDES + n]), count[TOUCHES]
            if reach[2 * SIDES + n] <= 0.0 or away > own + theirs:
                continue
            two = b * per + outline[n]
            if edge_on_edge(one, one + per, two, two + per, pos, sx, sy, sz, thick, near, touch, touch_node, t, count):
                count[TOUCHES] = t + 1


@kernel
def self_touches(
    pos: Array, field: Array, size: Array, outline: Array, radius: float, near: float, axis: Array, touch: Array,
    touch_node: Array, pair: Array, count: Array, local: Array,
) -> int:  # fmt: skip
    """Put the contacts of the surface with itself into the pool: features nearer than `near`. `local` is scratch."""
    find_axis(pos, size, outline, axis)
    thick, sides = 2.0 * field[SKIN], outline.shape[0]
    far = 2.0 * BULGE * radius + thick + near
    first = count[TOUCHES]
    count[CULLED_FEATURES] = 0
    count[TESTED] = 0
    for n in range(count[PAIRS]):
        a, b = pair[n, 0], pair[n, 1]
        # a pair of cells makes at most so many contacts
        if count[TOUCHES] + 4 * sides + sides * sides >= touch.shape[0]:
            return TOO_MANY_TOUCHES
        away, x, y, z = between_axes(axis, a, b)
        reach = max(axis[a, WIDE], axis[a + 1, WIDE]) + max(axis[b, WIDE], axis[b + 1, WIDE]) + STEEP * (thick + near)
        if away <= min(far, reach):
            cell_on_cell(
                a, b, away, x, y, z, pos, axis, size, outline, thick, near, touch, touch_node, count, local
            )  # fmt: skip
    for t in range(first, count[TOUCHES]):
        touch[t, MU] = field[RUB]
        touch[t, LAG] = -1.0
        touch[t, OWNER] = -1.0
        for k in range(3):
            touch[t, OTHER + k] = 0.0
    return FINE
