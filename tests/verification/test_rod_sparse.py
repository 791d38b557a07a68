"""Many contacts: condensed where they touch, with the same answers as in the border."""

from __future__ import annotations

import numpy as np
import pytest

from taut.cables.rod import Clamp, Rod, sparse
from taut.scene import shapes


def lying(segments: int = 120) -> Rod:
    """A limp rod that hangs onto a floor; its ends are askew, so that there is one way for it to lie down."""
    rod = Rod(
        1.0, segments, start=Clamp((0, 0, 0.05), (1, 0.4, 0)), end=Clamp((0.75, 0.1, 0.05)), EI=2e-3, GJ=2e-3, mass_per_length=1.0,
        gravity=(0, 0, -1), radius=0.004,
    )  # fmt: skip
    rod.solve()
    rod.add_obstacle("floor", shapes.Plane(), (0, 0, float(rod.points[:, 2].min()) - 0.01))
    return rod


def raised(rod: Rod, frames: int) -> list[tuple[np.ndarray, float, int, int]]:
    """The floor rises and the end is dragged along it: points, push, contacts and iterations of every frame."""
    low, found = float(rod.points[:, 2].min()), []
    for k in range(frames):
        rod.move_obstacle("floor", (0, 0, low - 0.01 + 0.006 * k))
        rod.move_end((0.75 - 0.004 * k, 0.1, 0.05))
        solution = rod.solve(tolerance=1e-10)
        push = rod.contact_force.get("floor", np.zeros(3))[2]
        found.append((rod.points, float(push), solution.contacts, solution.iterations))
    return found


def test_same_answers_as_the_border(monkeypatch) -> None:
    """Every frame to 1e-8 of the length, and of the weight for the push."""
    monkeypatch.setattr(sparse, "MANY", 10**9)
    border = raised(lying(), 24)
    monkeypatch.setattr(sparse, "MANY", 0)
    condensed = raised(lying(), 24)
    assert max(contacts for _, _, contacts, _ in border) > 25
    for (one, push, contacts, _), (other, same, touching, _) in zip(border, condensed):
        assert np.abs(one - other).max() < 1e-8
        assert push == pytest.approx(same, abs=1e-7)
        assert contacts == touching


def test_on_a_barrel(monkeypatch) -> None:
    """A curved obstacle, with its curvature in the Hessian, raised under the rod."""
    found = []
    for many in (10**9, 0):
        monkeypatch.setattr(sparse, "MANY", many)
        rod = lying(100)
        rod.remove_obstacle("floor")
        low = rod.points[int(np.argmin(rod.points[:, 2]))]
        barrel = shapes.Cylinder(radius=0.4, length=1.0)
        turned = (0.70710678, 0.70710678, 0.0, 0.0)
        rod.add_obstacle("barrel", barrel, (low[0], low[1], low[2] - 0.415), turned)
        for k in range(20):
            rod.move_obstacle("barrel", (low[0], low[1], low[2] - 0.415 + 0.008 * k))
            solution = rod.solve(tolerance=1e-10)
        found.append((rod.points, solution.contacts))
    assert found[0][1] == found[1][1] >= 8
    assert np.abs(found[0][0] - found[1][0]).max() < 1e-8
