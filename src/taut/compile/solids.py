"""Hulls and meshes as tables: faces of hulls, triangles of meshes with the tree that finds them."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from taut.contact.shapes import BOX, HULL, MESH, OWN_CORNER, OWN_EDGE, Solids, no_solids
from taut.scene import mesh_file

Array = np.ndarray

#: corners of a hull; rounder ones are thinned to the furthest points in so many directions
MOST_CORNERS = 128
#: corners of a face as the narrow phase takes it; more are thinned evenly
FACE_CORNERS = 16
#: triangles in a leaf of the tree
LEAF = 4
#: an edge is free where its triangles bend outwards by more than this [rad]
SHARP = np.radians(2.0)
#: faces that lie on each other up to this angle touch with their corners [rad]
LENIENT = 0.05


class SolidTables:
    """Collects the solids of a scene; `data` of each is what its shape refers to."""

    def __init__(self) -> None:
        self.corner: list[Array] = []
        self.face: list[tuple[int, int]] = []
        self.loop: list[int] = []
        self.facing: list[Array] = []
        self.triangle: list[Array] = []
        self.tree: list[Array] = []
        self.branch: list[Array] = []
        self.beside: list[Array] = []
        self.upright: list[Array] = []
        self.corners = 0

    def add_hull(self, points: Array) -> tuple[int, int, int, int]:
        """First corner, corners, first face, faces."""
        corners, faces, normals = hull_faces(points)
        first, first_face = self.corners, len(self.face)
        self.corner.append(corners)
        self.upright.append(np.zeros((len(corners), 4)))
        self.corners += len(corners)
        for corner_loop in faces:
            self.face.append((len(self.loop), len(corner_loop)))
            self.loop += [first + k for k in corner_loop]
        self.facing.append(normals)
        return first, len(corners), first_face, len(faces)

    def add_mesh(self, points: Array, faces: Array) -> tuple[int, int, int, int]:
        """First node, nodes, first triangle, triangles."""
        faces = faces[_areas(points, faces) > 0.0]
        tree, branch, order = box_tree(points[faces])
        node, triangle = sum(len(t) for t in self.tree), sum(len(t) for t in self.triangle)
        self.tree.append(tree)
        self.branch.append(branch + [node, triangle, 0])
        flags = free_edges(points, faces) + owned(faces)
        self.triangle.append(np.column_stack([faces + self.corners, flags])[order])
        # triangles have been put in order: so are their numbers
        number = np.append(np.argsort(order) + triangle, -1)
        self.beside.append(number[neighbours(faces)][order])
        self.corner.append(points)
        self.upright.append(corner_normals(points, faces))
        self.corners += len(points)
        return node, len(tree), triangle, len(faces)

    def add_skin(self, kind: int, size: Sequence[float], place: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        """Surface of a box of half sizes, of a hull or of a mesh (at its place) as a mesh: as `add_mesh`; zeros for round shapes."""
        if kind == MESH:
            return place
        if kind not in (BOX, HULL):
            return (0, 0, 0, 0)
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * size
        if kind == HULL:
            corners = np.concatenate(self.corner)[place[0] : place[0] + place[1]]
        surface = mesh_file.hull(corners)
        return self.add_mesh(surface.vertices, surface.faces)

    def tables(self, data: Array, skin: Array | None = None) -> Solids:
        """All of them, with the places of every shape, and of its surface where that is needed."""
        none = no_solids(0)
        skin = np.zeros((len(data), 4), np.int64) if skin is None else skin
        join = lambda parts, empty: np.concatenate(parts) if parts else empty  # noqa: E731
        return Solids(
            data,
            skin.reshape(-1, 4),
            join(self.corner, none.corner),
            np.array(self.face, np.int64).reshape(-1, 2),
            np.array(self.loop, np.int64),
            join(self.facing, none.facing),
            join(self.triangle, none.triangle).astype(np.int64),
            join(self.tree, none.tree),
            join(self.branch, none.branch).astype(np.int64),
            join(self.beside, none.beside).astype(np.int64),
            join(self.upright, none.upright),
        )


def hull_faces(points: Array) -> tuple[Array, list[list[int]], Array]:
    """Corners of the convex hull of points, its faces as loops of corners, and their outward normals."""
    from scipy.spatial import ConvexHull  # only here: half a second to load

    corners = np.asarray(points, float)[ConvexHull(points).vertices]
    if len(corners) > MOST_CORNERS:
        # the furthest points in directions spread evenly over the sphere
        k = np.arange(4 * MOST_CORNERS)
        z, turn = 1.0 - (2.0 * k + 1.0) / len(k), k * np.pi * (3.0 - np.sqrt(5.0))
        ways = np.column_stack([np.cos(turn) * np.sqrt(1.0 - z * z), np.sin(turn) * np.sqrt(1.0 - z * z), z])
        chosen, counts = np.unique(np.argmax(corners @ ways.T, axis=0), return_counts=True)
        corners = corners[np.sort(chosen[np.argsort(-counts, kind="stable")][:MOST_CORNERS])]
        corners = corners[ConvexHull(corners).vertices]
    hull = ConvexHull(corners)
    # qhull gives triangles: those in one plane are one face
    planes = np.round(hull.equations / np.array([1.0, 1.0, 1.0, np.ptp(corners, axis=0).max()]), 6)
    faces, normals = [], []
    _, group = np.unique(planes, axis=0, return_inverse=True)
    for g in range(group.max() + 1):
        members = np.flatnonzero(group.ravel() == g)
        normal = hull.equations[members[0], :3]
        at = np.unique(hull.simplices[members])
        middle = corners[at].mean(axis=0)
        u = corners[at[0]] - middle
        u = u - normal * (u @ normal)
        v = np.cross(normal, u)
        angle = np.arctan2((corners[at] - middle) @ v, (corners[at] - middle) @ u)
        ring = at[np.argsort(angle)]
        if len(ring) > FACE_CORNERS:
            ring = ring[np.linspace(0, len(ring), FACE_CORNERS, endpoint=False).astype(int)]
        faces.append([int(k) for k in ring])
        normals.append(normal)
    return corners, faces, np.array(normals)


def _areas(points: Array, faces: Array) -> Array:
    a, b, c = (points[faces[:, k]] for k in range(3))
    longest = np.max([((b - a) ** 2).sum(1), ((c - b) ** 2).sum(1), ((a - c) ** 2).sum(1)], axis=0)
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    return np.where(area > 1e-9 * longest, area, 0.0)


def free_edges(points: Array, faces: Array) -> Array:
    """Bit k of each triangle: its edge after corner k is convex, or has no neighbour (or more than one)."""
    n = len(faces)
    a, b, c = (points[faces[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    edge, count = _edges(faces)
    free = count[edge] != 2
    # both triangles of an edge, one after the other
    order = np.argsort(edge, kind="stable")
    paired = order[count[edge[order]] == 2].reshape(-1, 2)
    first, second = paired[:, 0] // 3, paired[:, 1] // 3
    opposite = points[faces[second, (paired[:, 1] % 3 + 2) % 3]]
    height = ((opposite - points[faces[first, 0]]) * normal[first]).sum(axis=1)
    cosine = (normal[first] * normal[second]).sum(axis=1)
    convex = (height < 0.0) & (cosine < np.cos(SHARP))
    free[paired[:, 0]] = free[paired[:, 1]] = convex
    return (free.reshape(n, 3) * np.array([1, 2, 4])).sum(axis=1)


def _edges(faces: Array) -> tuple[Array, Array]:
    """Number of the edge after each corner of each triangle, row by row, and how many triangles each edge has."""
    ends = np.stack([faces, np.roll(faces, -1, axis=1)], axis=2).reshape(-1, 2)
    _, edge, count = np.unique(np.sort(ends, axis=1), axis=0, return_inverse=True, return_counts=True)
    return edge.ravel(), count


def neighbours(faces: Array) -> Array:
    """The triangle beyond the edge after corner k, -1: none, or more than one; shape (m, 3)."""
    edge, count = _edges(faces)
    order = np.argsort(edge, kind="stable")
    paired = order[count[edge[order]] == 2].reshape(-1, 2)
    beyond = np.full(3 * len(faces), -1)
    beyond[paired[:, 0]], beyond[paired[:, 1]] = paired[:, 1] // 3, paired[:, 0] // 3
    return beyond.reshape(-1, 3)


def owned(faces: Array) -> Array:
    """Bits OWN_CORNER + k and OWN_EDGE + k of each triangle: corner k, and the edge after it, are counted with this one."""
    edge, _ = _edges(faces)
    bits = np.zeros((len(faces), 3), np.int64)
    bits.flat[np.unique(faces.ravel(), return_index=True)[1]] |= 1 << OWN_CORNER
    bits.flat[np.unique(edge, return_index=True)[1]] |= 1 << OWN_EDGE
    return (bits << np.arange(3)).sum(axis=1)


def corner_normals(points: Array, faces: Array) -> Array:
    """Mean outward normal at each corner, by the angles of its triangles (Baerentzen, Aanaes 2005), zero where none is; and the cosine
    of the widest angle to one of its triangles, LENIENT more: what comes from further aside does not touch at the corner."""
    side = [points[faces[:, (k + 1) % 3]] - points[faces[:, k]] for k in range(3)]
    side = [s / np.linalg.norm(s, axis=1)[:, None] for s in side]
    normal = np.cross(side[0], side[1])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    mean = np.zeros_like(points)
    for k in range(3):
        angle = np.arccos(np.clip(-(side[k] * side[k - 1]).sum(axis=1), -1.0, 1.0))
        np.add.at(mean, faces[:, k], angle[:, None] * normal)
    length = np.linalg.norm(mean, axis=1)
    mean /= np.where(length > 1e-12, length, 1.0)[:, None]
    widest = np.ones(len(points))
    for k in range(3):
        np.minimum.at(widest, faces[:, k], (mean[faces[:, k]] * normal).sum(axis=1))
    angle = np.arccos(np.clip(widest, -1.0, 1.0)) + LENIENT
    return np.column_stack([mean, np.cos(np.minimum(angle, np.pi))])


def box_tree(triangles: Array) -> tuple[Array, Array, Array]:
    """Boxes in the order of a walk, where to go on when one is missed, its triangles; and the order of the triangles."""
    low, high = triangles.min(axis=1), triangles.max(axis=1)
    middle = 0.5 * (low + high)
    tree: list[Array] = []
    branch: list[list[int]] = []
    order: list[int] = []

    def grow(members: Array) -> None:
        here = len(tree)
        box = np.concatenate([low[members].min(axis=0), high[members].max(axis=0)])
        tree.append(box)
        branch.append([0, len(order), 0])
        if len(members) <= LEAF:
            branch[here][2] = len(members)
            order.extend(members.tolist())
        else:
            axis = int(np.argmax(np.ptp(middle[members], axis=0)))
            half = len(members) // 2
            split = np.argpartition(middle[members, axis], half)
            grow(members[split[:half]])
            grow(members[split[half:]])
        branch[here][0] = len(tree)

    grow(np.arange(len(triangles)))
    return np.array(tree), np.array(branch, np.int64), np.array(order, np.int64)
