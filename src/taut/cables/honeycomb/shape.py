"""What the rope looks like and bears: axis, tension along it, and a smooth tube through the outline masses."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from taut.cables.honeycomb.lattice import Lattice

Array = np.ndarray


def axis(lattice: Lattice, pos: Array) -> Array:
    """Centre of every layer [m], shape (layers, 3)."""
    return pos.reshape(lattice.layers, lattice.section.count, 3).mean(axis=1)


def tension(lattice: Lattice, pos: Array, force: Array) -> Array:
    """Of every cell, positive in pull [N], shape (layers - 1,): what crosses it, along its axis.

    `force`: of every spring, elastic [N].
    """
    m = lattice.section.count
    first, second = lattice.spring[:, 0] // m, lattice.spring[:, 1] // m
    crosses = first != second
    ends = lattice.spring[crosses]
    line = pos[ends[:, 1]] - pos[ends[:, 0]]
    pull = force[crosses, None] * line / np.linalg.norm(line, axis=1, keepdims=True)
    total = np.zeros((lattice.layers - 1, 3))
    np.add.at(total, first[crosses], pull)
    centres = axis(lattice, pos)
    along = np.diff(centres, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return np.einsum("ij,ij->i", total, along)


def tube(lattice: Lattice, pos: Array, around: int, along: int, skin: float = 0.0) -> tuple[Array, Array]:
    """Vertices [m] and triangles of a smooth closed surface that follows the outline masses.

    Cubic splines: periodic around each layer with `around` points, along the rope with `along` pieces per cell; both ends
    are closed by a fan.
    """
    m, outline = lattice.section.count, lattice.section.outline
    rings = pos.reshape(lattice.layers, m, 3)[:, outline]
    closed = np.concatenate([rings, rings[:, :1]], axis=1)
    knots = np.linspace(0.0, 1.0, len(outline) + 1)
    smooth = CubicSpline(knots, closed, axis=1, bc_type="periodic")(np.arange(around) / around)
    if lattice.layers > 2 and along > 1:
        fine = np.linspace(0.0, lattice.layers - 1.0, (lattice.layers - 1) * along + 1)
        smooth = CubicSpline(np.arange(lattice.layers), smooth, axis=0)(fine)
    middle = smooth.mean(axis=1)
    if skin > 0.0:
        out = smooth - middle[:, None]
        smooth = smooth + skin * out / np.linalg.norm(out, axis=2, keepdims=True)
    vertices = np.concatenate([smooth.reshape(-1, 3), middle[:1], middle[-1:]])
    return vertices, _triangles(len(smooth), around)


def _triangles(rings: int, around: int) -> Array:
    """Counter-clockwise from outside."""
    n, k = np.meshgrid(np.arange(rings - 1), np.arange(around), indexing="ij")
    a, b = n * around + k, n * around + (k + 1) % around
    c, d = a + around, b + around
    sides = np.concatenate([np.stack([a, b, d], -1).reshape(-1, 3), np.stack([a, d, c], -1).reshape(-1, 3)])
    one = np.arange(around)
    last = (rings - 1) * around
    first = np.full(around, rings * around)
    start = np.stack([first, (one + 1) % around, one], axis=1)
    end = np.stack([first + 1, last + one, last + (one + 1) % around], axis=1)
    return np.concatenate([sides, start, end])
