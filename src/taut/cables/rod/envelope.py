"""The space that a cable sweeps, as a closed mesh: the surface at one radius from all its centrelines.

Distances to the centrelines on a grid, and the surface between inside and outside by marching tetrahedra: six in each
cell, a triangle or two where a tetrahedron is cut.
"""

from __future__ import annotations

import itertools

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.values import RodError

#: most cells of the grid
MOST_CELLS = 4_000_000
#: the six tetrahedra of a cube along its diagonal, corners numbered x + 2 y + 4 z
TETRAHEDRA = tuple(
    (0, 1 << p[0], (1 << p[0]) | (1 << p[1]), 7) for p in itertools.permutations(range(3))
)  # fmt: skip


def envelope(shapes: list[Array], radius: float, cell: float | None = None) -> tuple[Array, Array]:
    """Vertices [m] and triangles of what the polylines sweep; cell: size of the grid [m], a third of the radius if not given."""
    from scipy.spatial import cKDTree

    if radius <= 0.0:
        raise RodError("radius: an envelope needs one; give a section or radius='5 mm'")
    size = radius / 3.0 if cell is None else cell
    points = np.vstack([_dense(shape, 0.25 * size) for shape in shapes])
    low, high = points.min(axis=0) - radius - 2.0 * size, points.max(axis=0) + radius + 2.0 * size
    while np.prod(np.ceil((high - low) / size) + 1.0) > MOST_CELLS:
        size *= 1.25
    counts = np.ceil((high - low) / size).astype(int) + 1
    grid = np.stack(np.meshgrid(*(low[k] + size * np.arange(counts[k]) for k in range(3)), indexing="ij"), axis=-1)
    distance, _ = cKDTree(points).query(grid.reshape(-1, 3), distance_upper_bound=radius + 3.0 * size)
    field = np.minimum(distance, radius + 3.0 * size).reshape(counts) - radius
    # a corner of the grid on the surface itself would make triangles without area
    field = np.where(np.abs(field) < 1e-3 * size, 1e-3 * size, field)
    return _surface(field, low, size)


def _dense(points: Array, step: float) -> Array:
    """A polyline with points no further apart than a step."""
    out = []
    for a, b in itertools.pairwise(points):
        many = max(1, int(np.ceil(np.linalg.norm(b - a) / step)))
        out.append(a + (b - a) * (np.arange(many) / many)[:, None])
    return np.vstack([*out, points[-1:]])


def _surface(field: Array, low: Array, size: float) -> tuple[Array, Array]:
    """Where the field is zero, normals outward (to positive values)."""
    nx, ny, nz = field.shape
    number = np.arange(field.size).reshape(field.shape)
    corner = {}
    for c in range(8):
        x, y, z = c & 1, (c >> 1) & 1, (c >> 2) & 1
        corner[c] = number[x : nx - 1 + x, y : ny - 1 + y, z : nz - 1 + z].ravel()
    values = field.ravel()
    triangles: list[Array] = []
    for tetra in TETRAHEDRA:
        ids = np.column_stack([corner[c] for c in tetra])
        inside = values[ids] < 0.0
        code = inside @ np.array([1, 2, 4, 8])
        for case in range(1, 15):
            chosen = ids[code == case]
            if len(chosen):
                triangles += [chosen[:, edges] for edges in _cuts(case)]
    edges = np.vstack(triangles).reshape(-1, 2)
    edges.sort(axis=1)
    unique, index = np.unique(edges, axis=0, return_inverse=True)
    a, b = unique[:, 0], unique[:, 1]
    share = values[a] / (values[a] - values[b])
    place = np.column_stack(np.unravel_index(a, field.shape)).astype(float)
    other = np.column_stack(np.unravel_index(b, field.shape))
    vertices = low + size * (place + share[:, None] * (other - place))
    faces = index.reshape(-1, 3)
    # from the inner to the outer end of each cut edge the field grows
    rise = (other - place) * np.where(values[a] < 0.0, 1.0, -1.0)[:, None]
    return vertices, _outward(vertices, faces, rise)


def _cuts(case: int) -> list[list[list[int]]]:
    """Triangles as three cut edges each, of a tetrahedron whose inside corners are the bits of `case`."""
    ins = [k for k in range(4) if case >> k & 1]
    outs = [k for k in range(4) if k not in ins]
    if len(ins) == 1:
        return [[[ins[0], out] for out in outs]]
    if len(ins) == 3:
        return [[[outs[0], one] for one in ins]]
    (a, b), (c, d) = ins, outs
    return [[[a, c], [a, d], [b, d]], [[a, c], [b, d], [b, c]]]


def _outward(vertices: Array, faces: Array, rise: Array) -> Array:
    """Turn each triangle so that its normal points from inside to outside."""
    a, b, c = (vertices[faces[:, k]] for k in range(3))
    wrong = (np.cross(b - a, c - a) * rise[faces].sum(axis=1)).sum(axis=1) < 0.0
    return np.where(wrong[:, None], faces[:, ::-1], faces)
