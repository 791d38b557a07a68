"""Chains become links and joints that fit each other."""

import math
from itertools import pairwise

import numpy as np
import pytest

from taut.scene import Ball, Body, Chain, Scene


def _ends(body: Body) -> tuple[np.ndarray, np.ndarray]:
    """Both ends of a link, from its own pose and length."""
    w, x, y, z = body.orientation
    axis = np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)])
    half = 0.5 * body.shape.length + body.shape.radius
    return np.array(body.position) - half * axis, np.array(body.position) + half * axis


@pytest.mark.parametrize("end", [(0, 0, -10), (0, 0, 10), (3, 4, 5), (1, 0, 0)])
@pytest.mark.parametrize(("links", "slack"), [(1, 0.0), (7, 0.0), (2, 0.3), (24, 0.001), (24, 0.5), (24, 20.0)])
def test_links_join_and_have_the_length_asked_for(end: tuple[float, ...], links: int, slack: float) -> None:
    chain = Chain(start=(0, 0, 0), end=end, links=links, mass_per_length=0.4, radius=1e-4, slack=slack, b="world")
    bodies, joints = chain.expand("c")
    assert list(bodies) == [f"c_{i}" for i in range(links)] == chain.link_names("c")
    assert list(joints) == [f"c_joint_{i}" for i in range(links + 1)] == chain.joint_names("c")
    length = math.hypot(*end) * (1 + slack)
    tolerance = 1e-12 * (1 + length) * links  # round-off of a sum of that many
    ends = [_ends(body) for body in bodies.values()]
    assert ends[0][0] == pytest.approx((0, 0, 0), abs=tolerance)
    assert ends[-1][1] == pytest.approx(end, abs=tolerance)
    for (_, p), (q, _) in pairwise(ends):
        assert p == pytest.approx(q, abs=tolerance)
    for i, joint in enumerate(list(joints.values())[:-1]):
        assert joint.at == pytest.approx(ends[i][0], abs=tolerance)
    assert sum(body.mass for body in bodies.values()) == pytest.approx(0.4 * length)


def test_a_link_has_the_inertia_of_a_slender_rod() -> None:
    bodies, _ = Chain(start=(0, 0, 0), end=(0, 0, -10), links=20, mass_per_length=0.4, radius=0.02).expand("c")
    m, l, r = 0.2, 0.5, 0.02
    across = m * l**2 / 12 + m * r**2 / 4
    assert bodies["c_0"].inertia == pytest.approx((across, across, m * r**2 / 2))
    assert bodies["c_0"].shape.length == pytest.approx(l - 2 * r)
    assert not bodies["c_0"].collide


def test_a_bow_hangs_down_or_where_it_is_told() -> None:
    common = {"start": (0, 0, 0), "end": (1, 0, 0), "links": 10, "mass_per_length": 1, "slack": 0.2}
    assert min(p[2] for p in Chain(**common).points()) < -0.2
    assert max(p[1] for p in Chain(**common, bow=(1, 1, 0)).points()) > 0.2
    upright = Chain(start=(0, 0, 0), end=(0, 0, 1), links=10, mass_per_length=1, slack=0.2)
    assert max(p[0] for p in upright.points()) > 0.2


def test_ends_hang_on_bodies_the_world_or_nothing() -> None:
    chain = Chain(start=(0, 0, 0), end=(1, 0, 0), links=3, mass_per_length=1, a=None)
    assert list(chain.expand("c")[1]) == ["c_joint_1", "c_joint_2"] == chain.joint_names("c")
    load = Body(mass=1, inertia=(1, 1, 1), position=(1, 0, 0))
    held = Chain(start=(0, 0, 0), end=(1, 0, 0), links=3, mass_per_length=1, b="load", stiffness="1 MN/m")
    scene = Scene(bodies={"load": load}, chains={"c": held})
    bodies, joints = scene.expanded()
    assert list(bodies) == ["load", "c_0", "c_1", "c_2"]
    first, last = joints["c_joint_0"], joints["c_joint_3"]
    assert isinstance(last, Ball) and (first.a, last.a, last.b, last.stiffness) == ("world", "c_2", "load", 1e6)


def test_expanded_parts_are_as_valid_as_written_ones() -> None:
    chain = Chain(start=(0, 0, 0), end=(1, 2, 3), links=4, mass_per_length=1, b="world", slack=0.1, collide=True)
    bodies, joints = Scene(chains={"c": chain}).expanded()
    assert Scene(bodies=bodies, joints=joints).expanded() == (bodies, joints)
