"""What a rod may touch, as arrays for the compiled solver.

Solids stand in rows of `shape`: kind, point, frame, sizes. Triangles of meshes stand in the frame of their body, with
the normals of faces, edges and vertices that tell inside from outside, and in a tree of boxes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

Array = np.ndarray

PLANE, SPHERE, BOX, CAPSULE, CYLINDER, MESH = 0, 1, 2, 3, 4, 5
# columns of `shape`: kind, point [m], frame, sizes [m] (radius, half length; half edges of a box; root of a mesh's tree)
KIND, AT, FRAME, SIZES, SHAPE_COLUMNS = 0, 1, 4, 8, 11
# columns of `triangle`: corners, normal, outward normals of edges and of corners, which edges and corners are looked at
# here and not at a neighbour: none that is concave
CORNER, FACE, EDGE_NORMAL, CORNER_NORMAL, OWN_EDGE, OWN_CORNER, TRIANGLE_COLUMNS = 0, 9, 12, 21, 30, 33, 36
# columns of `tree`: box, then both children, or -1 and the range of triangles
LOW, HIGH, LEFT, RIGHT_CHILD, BEGIN, END, TREE_COLUMNS = 0, 3, 6, 7, 8, 9, 10
# entries of `setting`: margin within which a gap is looked at [m], whether the rod may touch itself
MARGIN, TOUCHES_ITSELF, SETTINGS = 0, 1, 2
# columns of a probe: signed distance [m], outward normal, its Hessian (xx xy xz yy yz zz) [1/m], place along the segment
DISTANCE, OUTWARD, HESSIAN, SHARE, PROBE_COLUMNS = 0, 1, 4, 10, 11
#: most features of one mesh that a point or a segment touches
MOST_FEATURES = 6


class Obstacles(NamedTuple):
    """k solids, t triangles, u boxes in trees."""

    shape: Array  # shape (k, SHAPE_COLUMNS)
    triangle: Array  # shape (t, TRIANGLE_COLUMNS)
    tree: Array  # shape (u, TREE_COLUMNS)
    setting: Array  # shape (SETTINGS,)
    probe: Array  # scratch, shape (MOST_FEATURES + 2, PROBE_COLUMNS)
    stack: Array  # scratch, integers, shape (128,)
    studs: Array  # balls on bodies that touch: number of the body, point on it [m], radius [m], shape (s, 5)

    @staticmethod
    def none() -> Obstacles:
        """Nothing to touch."""
        return Obstacles.of(np.zeros((0, SHAPE_COLUMNS)), np.zeros((0, TRIANGLE_COLUMNS)), np.zeros((0, TREE_COLUMNS)))

    @staticmethod
    def of(shape: Array, triangle: Array, tree: Array, margin: float = 0.0, itself: bool = False) -> Obstacles:
        """From its tables."""
        probe = np.zeros((MOST_FEATURES + 2, PROBE_COLUMNS))
        return Obstacles(
            shape, triangle, tree, np.array([margin, float(itself)]), probe, np.zeros(128, np.int64), np.zeros((0, 5))
        )
