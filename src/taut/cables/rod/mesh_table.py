"""Triangles of closed meshes with their normals, and a tree of boxes over them."""

from __future__ import annotations

import numpy as np

from taut.cables.rod.obstacles import (
    BEGIN,
    CORNER,
    CORNER_NORMAL,
    EDGE_NORMAL,
    END,
    FACE,
    HIGH,
    LEFT,
    LOW,
    OWN_CORNER,
    OWN_EDGE,
    RIGHT_CHILD,
    TREE_COLUMNS,
    TRIANGLE_COLUMNS,
    Array,
)
from taut.cables.rod.values import RodError

#: most triangles in one leaf of the tree
LEAF = 4
#: an edge between faces whose normals differ by less than this [rad] is flat and never touched by itself
FLAT = 1e-4


def triangles(vertices: Array, faces: Array, name: str) -> Array:
    """Table of the triangles, shape (t, TRIANGLE_COLUMNS). The mesh must be closed: else nothing tells in from out."""
    edges = np.sort(faces[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
    _, which, many = np.unique(edges, axis=0, return_inverse=True, return_counts=True)
    which = which.reshape(-1)
    if (many != 2).any():
        open_edges = int((many == 1).sum())
        raise RodError(
            f"{name}: the mesh is open ({open_edges} edges with one face only, {int((many > 2).sum())} with more than two); "
            "close it, or there is no telling inside from outside"
        )
    corners = vertices[faces]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normal, axis=1, keepdims=True)
    good = area[:, 0] > 1e-300
    normal = np.where(good[:, None], normal / np.maximum(area, 1e-300), 0.0)
    table = np.zeros((len(faces), TRIANGLE_COLUMNS))
    table[:, CORNER : CORNER + 9] = corners.reshape(-1, 9)
    table[:, FACE : FACE + 3] = normal
    # both faces of each edge
    owner = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(which, kind="stable")
    pairs = owner[order].reshape(-1, 2)
    mean = normal[pairs[:, 0]] + normal[pairs[:, 1]]
    other = np.where(pairs[which, 0] == owner, pairs[which, 1], pairs[which, 0])
    opposite = vertices[faces[other]].mean(axis=1) - corners[owner, np.tile([0, 1, 2], len(faces))]
    convex = (opposite * normal[owner]).sum(axis=1) < -FLAT * np.linalg.norm(opposite, axis=1)
    mine = pairs[which, 0] == owner
    table[:, EDGE_NORMAL : EDGE_NORMAL + 9] = mean[which].reshape(-1, 9)
    table[:, OWN_EDGE : OWN_EDGE + 3] = (convex & mine).reshape(-1, 3)
    _corners(table, faces, corners, normal, convex)
    return table[good]


def _corners(table: Array, faces: Array, corners: Array, normal: Array, convex: Array) -> None:
    """Normals of corners weighted by angle (Baerentzen and Aanaes 2005); a corner belongs to its first face."""
    count = int(faces.max()) + 1
    sums = np.zeros((count, 3))
    touched = np.zeros(count, bool)
    for k in range(3):
        a, b = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        size = np.linalg.norm(a, axis=1) * np.linalg.norm(b, axis=1)
        angle = np.arccos(np.clip((a * b).sum(axis=1) / np.maximum(size, 1e-300), -1.0, 1.0))
        np.add.at(sums, faces[:, k], angle[:, None] * normal)
        # a corner is touched by itself only where convex edges meet
        sharp = convex.reshape(-1, 3)[:, k] & convex.reshape(-1, 3)[:, (k + 2) % 3]
        touched[faces[sharp, k]] = True
    first = np.full(count, len(faces))
    for k in range(3):
        np.minimum.at(first, faces[:, k], np.arange(len(faces)))
    for k in range(3):
        table[:, CORNER_NORMAL + 3 * k : CORNER_NORMAL + 3 * k + 3] = sums[faces[:, k]]
        table[:, OWN_CORNER + k] = touched[faces[:, k]] & (first[faces[:, k]] == np.arange(len(faces)))


def tree(table: Array, first_node: int, first_triangle: int) -> tuple[Array, Array]:
    """Boxes, halved at the median of the longest side; returns the nodes and the triangles in their order."""
    corners = table[:, CORNER : CORNER + 9].reshape(-1, 3, 3)
    low, high = corners.min(axis=1), corners.max(axis=1)
    middle = corners.mean(axis=1)
    nodes: list[Array] = []
    order: list[int] = []

    def build(index: Array) -> int:
        node = np.full(TREE_COLUMNS, -1.0)
        place = len(nodes)
        nodes.append(node)
        node[LOW : LOW + 3], node[HIGH : HIGH + 3] = low[index].min(axis=0), high[index].max(axis=0)
        if len(index) <= LEAF:
            node[BEGIN], node[END] = first_triangle + len(order), first_triangle + len(order) + len(index)
            order.extend(int(i) for i in index)
            return place
        axis = int(np.argmax(np.ptp(middle[index], axis=0)))
        half = np.argsort(middle[index, axis], kind="stable")
        node[LEFT] = first_node + build(index[half[: len(index) // 2]])
        node[RIGHT_CHILD] = first_node + build(index[half[len(index) // 2 :]])
        return place

    build(np.arange(len(table)))
    return np.array(nodes), table[order]
