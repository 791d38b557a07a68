"""What cranes are built of, each within its box: lattices, girders, frames on wheels, hook blocks, rings."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from taut.view import solids
from taut.view.assembly import Assembly
from taut.view.colours import from_hex
from taut.view.solids import Solid

IRON, RUBBER = from_hex("#22272c"), from_hex("#0f1113")
#: of the narrower side of a lattice: its chords, and of these its bracing; they are stouter than real ones, to be seen from afar
CHORD, BRACE = 0.15, 0.62
#: light of what lies behind flanges, of the stiffeners there, and of the bracing between chords
DEEP, EDGE, BRACED = 0.82, 0.96, 0.88
#: bar of a ring, over half of its narrower side
STOUT = 0.28
#: bays of a lattice at most, of which each is some hundred triangles
MOST_BAYS = 26


def lattice(size: Sequence[float]) -> Solid:
    """A truss along the longest side: four chords, and on every face battens and diagonals."""
    x, y, z = order = _longest_first(size)
    long, wide, high = size[x], size[y], size[z]
    chord = min(CHORD * min(wide, high), 0.25 * long)
    brace = BRACE * chord
    bays = int(np.clip(round(long / (0.5 * (wide + high))), 2, MOST_BAYS))
    at = np.linspace(-0.5 * (long - chord), 0.5 * (long - chord), bays + 1)
    a, b = 0.5 * (wide - chord), 0.5 * (high - chord)
    made = Assembly()
    for side in (-1.0, 1.0):
        low = (-0.5 * long, side * a - 0.5 * chord, b - 0.5 * chord)
        made.mirrored(low, (0.5 * long, side * a + 0.5 * chord, b + 0.5 * chord), 2)
    # round the four faces: one chord, the next, and the normal between them
    corners = [(a, b), (-a, b), (-a, -b), (a, -b)]
    for k, normal in enumerate([(0.0, 0.0, 1.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0)]):
        one, two = (np.column_stack([at, np.tile(corners[j % 4], (bays + 1, 1))]) for j in (k, k + 1))
        made.bars(one, two, normal, (brace, brace), BRACED)
        # zigzag; neighbouring faces meet in the same nodes
        up = (np.arange(bays) + k) % 2 == 0
        start = np.where(up[:, None], one[:-1], two[:-1])
        made.bars(start, np.where(up[:, None], two[1:], one[1:]), normal, (brace, brace), BRACED)
    return made.solid(order)


def girder(size: Sequence[float]) -> Solid:
    """A welded girder along the longest side: two flanges, webs drawn in between them, stiffeners, a plate at each end."""
    x, y, z = _longest_first(size)
    # upright where it is higher than wide; of square ones what lies upright in the body, of posts across x
    if size[y] > size[z] or (size[y] == size[z] and x == 2):
        y, z = z, y
    long, wide, high = size[x], size[y], size[z]
    half, flange = 0.5 * long, min(0.08 * high, 0.2 * wide)
    web, plate = 0.27 * wide, min(0.06 * high, 0.1 * long)
    inner = 0.5 * high - flange
    made = Assembly()
    made.mirrored((-half, -0.5 * wide, inner), (half, 0.5 * wide, 0.5 * high), 2)
    made.box((-half, -web, -inner), (half, web, inner), DEEP)
    count = int(np.clip(round(long / (1.5 * high)), 1, 40))
    for at in np.linspace(-half + 0.5 * plate, half - 0.5 * plate, count + 1):
        # short of the edges of the flanges, but for the plates at the ends
        out = 0.5 * wide * (1.0 if abs(at) > half - plate else 0.88)
        made.mirrored((at - 0.5 * plate, web, -inner), (at + 0.5 * plate, out, inner), 1, EDGE)
    return made.solid((x, y, z))


def frame(size: Sequence[float]) -> Solid:
    """An open frame of beams that runs on four wheels: a trolley. z is up, and it runs along x."""
    long, wide, high = size
    half, side = 0.5 * long, 0.5 * wide
    beam = 0.12 * min(long, wide)
    radius, low = min(0.34 * high, 0.15 * long), -0.18 * high
    made = Assembly()
    # the two beams along, with flanges, and four across
    made.mirrored((-half, side - beam, 0.36 * high), (half, side, 0.5 * high), 1)
    made.mirrored((-half, side - beam, low), (half, side, low + 0.12 * high), 1)
    made.mirrored((-half, side - 0.8 * beam, low), (half, side - 0.2 * beam, 0.45 * high), 1, DEEP)
    for at in (half - 0.5 * beam, half / 6.0):
        made.mirrored((at - 0.5 * beam, beam - side, low), (at + 0.5 * beam, side - beam, 0.45 * high), 0)
    for at in (-half + 1.4 * radius, half - 1.4 * radius):
        for y in (-side + 0.5 * beam, side - 0.5 * beam):
            made.wheel((at, y, radius - 0.5 * high), radius, 0.9 * beam, IRON)
            made.wheel((at, y, radius - 0.5 * high), 0.4 * radius, beam)
    return made.solid()


def hook(size: Sequence[float]) -> Solid:
    """A hook block: two cheeks between which sheaves turn, and the hook below. z is up."""
    x, y = (0, 1) if size[0] >= size[1] else (1, 0)
    long, wide, high = size[x], size[y], size[2]
    half, side = 0.5 * long, 0.5 * wide
    made = Assembly()
    for sign in (-1.0, 1.0):
        near, far = sorted((sign * 0.62 * side, sign * side))
        # cheeks: straight above, drawn in below
        made.box((-half, near, 0.0), (half, far, 0.5 * high))
        lower = [
            (s * (half if z == 0.0 else 0.45 * half), (near, far)[j], z)
            for s in (-1, 1)
            for j in (0, 1)
            for z in (-0.16 * high, 0.0)
        ]
        made.blocks(np.array([lower]))
    made.box((-0.45 * half, -0.7 * side, -0.18 * high), (0.45 * half, 0.7 * side, -0.04 * high), IRON)
    thick = min(0.06 * high, 0.3 * half, 0.8 * side)
    turn = min(0.135 * high, half - 1.2 * thick)
    middle = -0.5 * high + turn + 1.2 * thick
    angle = np.radians(np.linspace(75.0, -215.0, 18))
    bow = np.column_stack([turn * np.cos(angle), np.zeros(18), middle + turn * np.sin(angle)])
    path = np.vstack([[0.0, 0.0, -0.16 * high], [0.0, 0.0, middle + 1.5 * turn], bow])
    # stout at the bottom, thin at the tip
    radius = thick * np.concatenate([[0.9, 0.9], np.interp(np.arange(18), (0, 9, 17), (0.9, 1.15, 0.45))])
    made.tube(path, radius, IRON)
    return made.solid((x, y, 2))


def ring(size: Sequence[float]) -> Solid:
    """A ring of round bar, as slings hang in; it lies across the shortest side."""
    z = int(np.argmin(size))
    x, y = (axis for axis in range(3) if axis != z)
    wide, high = 0.5 * size[x], 0.5 * size[y]
    bar = min(0.5 * size[z], STOUT * min(wide, high))
    share, angle = bar / min(wide, high), np.linspace(-np.pi, np.pi, 13)
    torus = solids.turned([[(1.0 - share * (1.0 - np.cos(a)), bar * np.sin(a)) for a in angle]])
    made = Assembly()
    made.add(torus.vertices * (wide, high, 1.0), torus.faces)
    return made.solid((x, y, z))


def _longest_first(size: Sequence[float]) -> tuple[int, int, int]:
    x = int(np.argmax(size))
    y, z = (axis for axis in range(3) if axis != x)
    return x, y, z
