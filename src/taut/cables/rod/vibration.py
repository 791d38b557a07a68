"""The lowest natural period of a rod about its shape: what a rod without inertia leaves out.

Small rotations phi of the segments store phi'H phi/2 and move their middles by J phi; with the mass of the segments
M = sum m J'J, and the ends held, A phi = 0, the periods are those of H phi = omega^2 M phi on the null space of A.
"""

from __future__ import annotations

import math

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.arrays import Array
from taut.cables.rod.network import Network


def lowest_period(network: Network) -> float:
    """Of a single rod that was solved, without clips [s]; infinite where a motion costs nothing."""
    arrays, chain = network.arrays, network.asked.chains[0]
    rows, block = chain.seg_rows, arrays.block
    n = len(rows)
    stiffness = _hessian(block[rows], n)
    # a turn of segment i moves what lies beyond it by l (d1 f2 - d2 f1), its own middle by half of that
    lengths = arrays.rod[rows, col.SEG]
    moves = np.zeros((n, 3, 3))
    d1, d2 = block[rows, col.DIRECTOR : col.DIRECTOR + 3], block[rows, col.DIRECTOR + 3 : col.DIRECTOR + 6]
    moves[:, :, 0], moves[:, :, 1] = -lengths[:, None] * d2, lengths[:, None] * d1
    middles = np.zeros((3 * n, 3 * n))
    for i in range(n):
        for j in range(i):
            middles[3 * i : 3 * i + 3, 3 * j : 3 * j + 3] = moves[j]
        middles[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = 0.5 * moves[i]
    inside = np.minimum(chain.segments - 1, (0.5 * (chain.shares()[1:] + chain.shares()[:-1]) * n).astype(int))
    mass = chain.properties.mass[inside] * lengths
    inertia = middles.T @ (np.repeat(mass, 3)[:, None] * middles)
    basis = np.eye(3 * n)
    if chain.held[1] != "free":
        held = np.concatenate(list(moves), axis=1)
        basis = np.linalg.svd(held)[2][3:].T
    soft, heavy = basis.T @ stiffness @ basis, basis.T @ inertia @ basis
    # twist has hardly any inertia: periods are the eigenvalues of the inverse problem
    values, vectors = np.linalg.eigh(soft)
    if values[0] <= 1e-9 * values[-1]:
        keep = values > 1e-9 * values[-1]
        values, vectors = values[keep], vectors[:, keep]
    scaled = vectors / np.sqrt(values)
    longest = float(np.linalg.eigvalsh(scaled.T @ heavy @ scaled)[-1])
    return 2.0 * math.pi * math.sqrt(max(longest, 0.0))


def _hessian(block: Array, n: int) -> Array:
    """Of the segments, dense, from its blocks [N m], shape (3 n, 3 n)."""
    found = np.zeros((3 * n, 3 * n))
    for i in range(n):
        a, b, c, d, e, f = block[i, col.DIAG : col.DIAG + 6]
        found[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = [[a, b, d], [b, c, e], [d, e, f]]
        if i + 1 < n:
            link = block[i, col.UPPER : col.UPPER + 9].reshape(3, 3)
            found[3 * i : 3 * i + 3, 3 * i + 3 : 3 * i + 6] = link
            found[3 * i + 3 : 3 * i + 6, 3 * i : 3 * i + 3] = link.T
    return found
