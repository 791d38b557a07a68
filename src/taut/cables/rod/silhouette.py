"""The lines by which a solid is known in a view along an axis: sharp edges, and edges between a face that looks here and one that
looks away."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = np.ndarray
#: angle between two faces from which on their edge is sharp [rad]
SHARP = 0.35
#: faces that are seen from the side by less than this look neither here nor away [-]
EDGEWISE = 1e-9


def flanks(vertices: Array, faces: Array, axis: int) -> list[Array]:
    """Sharp edges and outlines of a mesh that is looked at along an axis (0, 1, 2), each of shape (2, 3), in the unit of the vertices."""
    import trimesh

    mesh: Any = trimesh.Trimesh(vertices, faces, process=True)
    towards = np.asarray(mesh.face_normals)[:, axis]
    looks = np.where(np.abs(towards) < EDGEWISE, 0.0, np.sign(towards))
    one, two = looks[mesh.face_adjacency].T
    edges = mesh.face_adjacency_edges[(mesh.face_adjacency_angles > SHARP) | (one != two)]
    # edges of one face only, as those of a plane, are outlines in any view
    lone = trimesh.grouping.group_rows(mesh.edges_sorted, require_count=1)
    edges = np.vstack([edges.reshape(-1, 2), mesh.edges_sorted[lone].reshape(-1, 2)])
    return list(np.asarray(mesh.vertices)[edges])
