"""Collision shapes: their codes, their sizes, and which pairs of them can be tested against each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

Array = np.ndarray

#: type codes; UNTOUCHABLE shapes are drawn and weighed but never collide
UNTOUCHABLE, SPHERE, BOX, CAPSULE, PLANE, CYLINDER, HULL, MESH = range(8)
TYPE_NAME = ("untouchable", "sphere", "box", "capsule", "plane", "cylinder", "hull", "mesh")
#: a triangle of a mesh, as the narrow phase meets it
TRIANGLE = 8

#: bits of the flags of a triangle: bit k says that its edge k is free; its corner k and its edge k are counted with this triangle and no other
OWN_CORNER, OWN_EDGE = 3, 6

#: contacts of one pair of shapes carry feature numbers below this
FEATURES = 4096


class Solids(NamedTuple):
    """Tables of hulls and meshes; the fields are those of `Shapes`."""

    data: Array
    skin: Array
    corner: Array
    face: Array
    loop: Array
    facing: Array
    triangle: Array
    tree: Array
    branch: Array
    beside: Array
    upright: Array


def no_solids(count: int) -> Solids:
    """Tables of `count` shapes without hulls and meshes."""
    whole, real = lambda *shape: np.zeros(shape, np.int64), lambda *shape: np.zeros(shape)
    return Solids(
        whole(count, 4), whole(count, 4), real(0, 3), whole(0, 2), whole(0), real(0, 3), whole(0, 4), real(0, 6), whole(0, 3), whole(0, 3),
        real(0, 4),
    )  # fmt: skip


class Shapes(NamedTuple):
    """Constant collision geometry; `n` counts shapes.

    `size` by type [m]: sphere (radius, 0, 0), box (half extents), capsule and cylinder (radius, half length along
    local z without the caps, 0), plane (0, 0, 0; solid below, local z is its outward normal, infinite), hull and mesh
    (half extents; the corners are given relative to the middle of these). See `taut.compile.solids` for their tables.
    Two shapes meet when each one's mask holds a bit of the other's group.
    """

    type: Array  # SPHERE ... MESH, shape (n,)
    size: Array  # half sizes by type [m], shape (n, 3)
    body: Array  # body that carries the shape, shape (n,)
    pos: Array  # centre in the body frame [m], shape (n, 3)
    quat: Array  # shape axes to body axes, shape (n, 4)
    material: Array  # index into the tables of materials, shape (n,)
    group: Array  # bit set: what the shape is, shape (n,)
    mask: Array  # bit set: what the shape meets, shape (n,)
    data: Array  # hull: first corner, corners, first face, faces; mesh: first node, nodes, first triangle, triangles, (n, 4)
    skin: Array  # surface as a mesh, as in data: of meshes, and of boxes and hulls where there are meshes, shape (n, 4)
    corner: Array  # corners of hulls and meshes in the shape's frame [m], shape (v, 3)
    face: Array  # faces of hulls: first place in loop, corners, shape (f, 2)
    loop: Array  # corners of the faces, once round each, shape (l,)
    facing: Array  # outward normals of the faces, shape (f, 3)
    triangle: Array  # corners of triangles, and as bits: free edges, corners and edges counted with it, shape (t, 4)
    tree: Array  # boxes of the tree over triangles: lower and upper corner [m], shape (k, 6)
    branch: Array  # next node when a box is missed, first triangle and number of triangles of a leaf, shape (k, 3)
    beside: Array  # triangles beyond the edges of a triangle, -1: none, shape (t, 3)
    upright: Array  # mean outward normals at the corners of meshes, and the cosine up to which others belong to them, shape (v, 4)


def make_shapes(
    type: Sequence[int],
    size: Sequence[Sequence[float]],
    body: Sequence[int],
    *,
    pos: Sequence[Sequence[float]] | Array | None = None,
    quat: Sequence[Sequence[float]] | Array | None = None,
    material: Sequence[int] | Array | None = None,
    group: Sequence[int] | Array | None = None,
    mask: Sequence[int] | Array | None = None,
    solids: Solids | None = None,
) -> Shapes:
    """Arrays of the right type and order; by default centred on the body, of one group, meeting everything.

    `solids`: the tables of hulls and meshes, with `data` for every shape.
    """
    n = len(type)
    index = lambda given, default: np.array([default] * n if given is None else given, np.int64).reshape(n)  # noqa: E731
    table = lambda given, width: np.array(given, np.float64, order="C").reshape(n, width)  # noqa: E731
    return Shapes(
        type=index(type, 0),
        size=table(size, 3),
        body=index(body, 0),
        pos=table([(0.0, 0.0, 0.0)] * n if pos is None else pos, 3),
        quat=table([(1.0, 0.0, 0.0, 0.0)] * n if quat is None else quat, 4),
        material=index(material, 0),
        group=index(group, 1),
        mask=index(mask, -1),
        **(no_solids(n) if solids is None else solids)._asdict(),
    )
