"""What the rope looks like and bears: axis, tension along it, and a smooth tube through the outline masses."""

from __future__ import annotations

from functools import cache

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
    cells = first[crosses]
    total = np.stack([np.bincount(cells, pull[:, k], lattice.layers - 1) for k in range(3)], axis=1)
    centres = axis(lattice, pos)
    along = np.diff(centres, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    return np.einsum("ij,ij->i", total, along)


def twist(lattice: Lattice, pos: Array) -> float:
    """From end to end, over full turns [rad]: how an outline mass goes round the axis, seen from a frame without twist."""
    centres = axis(lattice, pos)
    along = np.gradient(centres, axis=0)
    along /= np.linalg.norm(along, axis=1, keepdims=True)
    out = rings(lattice, pos)[:, 0] - centres
    out -= np.einsum("ij,ij->i", out, along)[:, None] * along
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    t, u, d, e = along[:-1], along[1:], out[:-1], out[1:]
    # d carried from one layer to the next by the smallest turn that takes t to u
    w, c = np.cross(t, u), np.einsum("ij,ij->i", t, u)[:, None]
    turned = c * d + np.cross(w, d) + np.einsum("ij,ij->i", w, d)[:, None] / np.maximum(1.0 + c, 1e-3) * w
    carried = np.where(c > -0.999, turned, d)
    across, with_it = np.einsum("ij,ij->i", np.cross(carried, e), u), np.einsum("ij,ij->i", carried, e)
    return float(np.arctan2(across, with_it).sum())


def rings(lattice: Lattice, pos: Array) -> Array:
    """Outline masses of every layer [m], shape (layers, M, 3)."""
    return pos.reshape(lattice.layers, lattice.section.count, 3)[:, lattice.section.outline]


def tube(outline: Array, around: int, along: int, skin: float = 0.0) -> tuple[Array, Array]:
    """Vertices [m] and triangles of a smooth closed surface that follows the outline masses, shape (layers, M, 3).

    Cubic splines: periodic around each layer with `around` points, along the rope with `along` pieces per cell; both ends
    are closed by a fan.
    """
    smooth = tube_points(outline, around, along, skin)
    middle = smooth.mean(axis=1)
    vertices = np.concatenate([smooth.reshape(-1, 3), middle[:1], middle[-1:]])
    return vertices, _triangles(len(smooth), around).copy()


@cache
def _round(masses: int, around: int) -> Array:
    """What each mass of an outline has in each point of a periodic cubic spline through them, shape (around, masses)."""
    unit = np.eye(masses)
    closed = np.concatenate([unit, unit[:1]], axis=0)
    knots = np.linspace(0.0, 1.0, masses + 1)
    return np.asarray(CubicSpline(knots, closed, axis=0, bc_type="periodic")(np.arange(around) / around))


def tube_points(outline: Array, around: int, along: int, skin: float) -> Array:
    """The points of that surface, ring by ring [m], shape (rings, around, 3)."""
    layers = len(outline)
    smooth = np.einsum("am,lmk->lak", _round(outline.shape[1], around), outline)
    if layers > 2 and along > 1:
        fine = np.linspace(0.0, layers - 1.0, (layers - 1) * along + 1)
        smooth = CubicSpline(np.arange(layers), smooth, axis=0)(fine)
    if skin > 0.0:
        out = smooth - smooth.mean(axis=1)[:, None]
        smooth = smooth + skin * out / np.linalg.norm(out, axis=2, keepdims=True)
    return np.asarray(smooth)


@cache
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
