"""What cranes lift and what weighs them down, each within its box: containers, crates, slabs of concrete. z is up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.view import solids
from taut.view.assembly import Assembly
from taut.view.colours import from_hex
from taut.view.solids import Solid

CASTING, STRAP, GAP = from_hex("#4b5258"), from_hex("#2b3036"), from_hex("#3a3936")
#: light of what lies behind ridges and battens
GROOVE = 0.84
#: corrugations of a side at most
MOST_RIDGES = 40


def container(size: Sequence[float]) -> Solid:
    """Corrugated sides and roof in a frame with corner castings, and doors with locking bars at one end."""
    x, y = (0, 1) if size[0] >= size[1] else (1, 0)
    long, wide, high = half = 0.5 * np.array([size[x], size[y], size[2]])
    post = 0.1 * float(min(wide, high))
    deep = 0.5 * post
    made = Assembly()
    made.box(-half + deep, half - deep, GROOVE)
    # posts and rails of the frame
    made.mirrored((long - post, wide - post, -high), (long, wide, high), 0)
    made.mirrored((long - post, -wide, -high), (long, post - wide, high), 0)
    for z in (post - high, high):
        made.mirrored((-long, wide - post, z - post), (long, wide, z), 1)
        made.mirrored((long - post, -wide, z - post), (long, wide, z), 0)
    _ribs(made, (long, wide, high), post, deep)
    # doors: a seam and four locking bars
    made.box((long - deep, -0.02 * wide, post - high), (long - 0.8 * deep, 0.02 * wide, high - post), STRAP)
    for at in (-0.65, -0.25, 0.25, 0.65):
        bar = 0.35 * deep
        made.box(
            (long - deep, at * wide - bar, post - high), (long - 0.2 * deep, at * wide + bar, high - post), CASTING
        )
    cast = 1.5 * post
    for z in (cast - high, high):
        for one in (-wide + cast, wide):
            made.mirrored((long - cast, one - cast, z - cast), (long, one, z), 0, CASTING)
    return made.solid((x, y, 2))


def _ribs(made: Assembly, half: tuple[float, float, float], post: float, deep: float) -> None:
    """Upright corrugations of the sides and of the closed end, and those across the roof; sloped, to be seen in any light."""
    long, wide, high = half
    step = 2.6 * post
    out = 0.85 * deep

    def ridges(reach: float) -> np.ndarray:
        count = int(np.clip(2.0 * (reach - post) / step, 1, MOST_RIDGES))
        return (np.arange(count) - 0.5 * (count - 1)) * 2.0 * (reach - post) / count

    foot, crest = 0.36 * step, 0.2 * step
    for at in ridges(long):
        for side in (-1.0, 1.0):
            ys = sorted((side * (wide - deep), side * (wide - deep + out)))
            spread = [foot, crest] if side > 0.0 else [crest, foot]
            made.blocks(_ridge(at, spread, ys, (post - high, high - post)))
        made.blocks(
            _ridge(at, [foot, crest], [high - deep, high - deep + out], (post - wide, wide - post))[..., (0, 2, 1)][
                :, _SWAPPED
            ]
        )
    for at in ridges(wide):
        made.blocks(
            _ridge(at, [crest, foot], [-long + deep - out, deep - long], (post - high, high - post))[..., (1, 0, 2)][
                :, _TURNED
            ]
        )


#: corners of a ridge whose y and z, or x and y, have changed places
_SWAPPED, _TURNED = [0, 2, 1, 3, 4, 6, 5, 7], [0, 1, 4, 5, 2, 3, 6, 7]


def _ridge(at: float, spread: Sequence[float], across: Sequence[float], along: tuple[float, float]) -> np.ndarray:
    """A ridge around x, with its half width at each y, from z to z: shape (1, 8, 3)."""
    return np.array([[(at + i * spread[j], across[j], along[k]) for i in (-1, 1) for j in (0, 1) for k in (0, 1)]])


def crate(size: Sequence[float]) -> Solid:
    """Boards in a frame of battens, one of them across each side."""
    half = 0.5 * np.asarray(size, float)
    batten, deep = 0.17 * float(half.min() * 2.0), 0.045 * float(half.min() * 2.0)
    made = Assembly()
    made.box(-half + deep, half - deep, GROOVE)
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for sign in (-1.0, 1.0):
            # four battens round the face across this axis, and on upright ones a fifth from corner to corner
            level = sign * (half[axis] - 0.5 * deep)
            a, b = half[u] - 0.5 * batten, half[v] - 0.5 * batten
            ends = [((-half[u], s * b), (half[u], s * b)) for s in (-1.0, 1.0)]
            ends += [((s * a, batten - half[v]), (s * a, half[v] - batten)) for s in (-1.0, 1.0)]
            if axis != 2:
                ends.append(((sign * -a * 0.9, -b * 0.9), (sign * a * 0.9, b * 0.9)))
            start, end = np.full((len(ends), 3), level), np.full((len(ends), 3), level)
            start[:, [u, v]], end[:, [u, v]] = [one for one, _ in ends], [two for _, two in ends]
            normal = sign * np.eye(3)[axis]
            made.bars(start[:4], end[:4], normal, (batten, deep))
            made.bars(start[4:], end[4:], normal, (0.8 * batten, 0.7 * deep))
    return made.solid()


def slabs(size: Sequence[float]) -> Solid:
    """Slabs on top of each other, held by two straps."""
    long, wide, high = half = 0.5 * np.asarray(size, float)
    count = int(np.clip(round(high / (0.22 * min(long, wide))), 2, 9))
    strap = 0.012 * float(half.min() * 2.0)
    inset = np.array([strap, strap, 0.0])
    thick = 2.0 * (high - strap) / count
    made = Assembly()
    made.box(-half + 0.06 * half.min() + strap, half - 0.06 * half.min() - strap, GAP)
    for k in range(count):
        slab = solids.box([*(2.0 * (half - inset)[:2]), 0.955 * thick])
        made.add(slab.vertices + [0.0, 0.0, (k + 0.5 - 0.5 * count) * thick], slab.faces)
    x = 0 if long >= wide else 1
    across, band = half.copy(), 0.05 * half[x]
    for at in (-0.6 * half[x], 0.6 * half[x]):
        low, up = -across, across.copy()
        low[x], up[x] = at - band, at + band
        # around, not through: the slabs show at their ends
        for axis in (1 - x, 2):
            one, two = low.copy(), up.copy()
            one[axis] = half[axis] - 2.0 * strap
            made.mirrored(one, two, axis, STRAP)
    return made.solid()
