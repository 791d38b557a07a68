"""Lines of solids in pictures."""

import numpy as np
import pytest
import trimesh

from taut.cables.rod.silhouette import flanks


def test_a_cylinder_seen_from_the_side_has_its_flanks() -> None:
    """Two lines along its axis at its radius, beside its round rims."""
    mesh = trimesh.creation.cylinder(radius=15.0, height=200.0, sections=32)
    long = [edge for edge in flanks(mesh.vertices, mesh.faces, 1) if abs(edge[0, 2] - edge[1, 2]) > 199.0]
    assert sorted(edge[0, 0] for edge in long) == pytest.approx([-15.0, 15.0], rel=0.01)


def test_a_ball_is_a_ring() -> None:
    """All that is drawn of it lies near its outline."""
    mesh = trimesh.creation.icosphere(subdivisions=3, radius=10.0)
    edges = np.array(flanks(mesh.vertices, mesh.faces, 2))
    assert len(edges) > 20 and (np.hypot(edges[..., 0], edges[..., 1]) > 9.0).all()


def test_a_plane_has_its_border() -> None:
    corners = np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]])
    assert len(flanks(corners, np.array([[0, 1, 2], [0, 2, 3]]), 2)) == 4
