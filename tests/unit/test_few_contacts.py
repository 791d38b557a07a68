"""Few contacts, whatever they do: interior points on the dense border, and boxes that tumble over each other."""

from __future__ import annotations

import numpy as np
import pytest

import taut
from taut.core.model import R_FRICTION, R_RHO
from taut.step.interior_border import missed, solve_cones
from taut.step.polish import BEST, IMPULSE, RIGHT
from taut.step.search import search
from taut.step.sweeps import ROUNDS, SWEEPS, settle

COLUMNS, WIDE = 10, 144


def _problem(rng: np.random.Generator, contacts: int, slick: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """W, its side and rows for some contacts of two boxes, one on the ground and one on it: corners of faces share forces in many ways."""
    mass = 10.0 ** rng.uniform(-1.0, 2.0, 2)
    inverse = np.diag(np.concatenate([[1.0 / m] * 3 + list(rng.uniform(2.0, 8.0, 3) / m) for m in mass]))
    jacobian = np.zeros((3 * contacts, 12))
    for c in range(contacts):
        upper = c % 2
        normal = np.array([0.0, 0.0, 1.0]) + rng.normal(size=3) * 0.1
        normal /= np.linalg.norm(normal)
        first = np.cross(normal, [1.0, 0.0, 0.0])
        first /= np.linalg.norm(first)
        arm = np.array([rng.choice([-0.5, 0.5]), rng.choice([-0.5, 0.5]), -0.5])
        for k, way in enumerate((normal, first, np.cross(normal, first))):
            jacobian[3 * c + k, 6 * upper : 6 * upper + 3] = way
            jacobian[3 * c + k, 6 * upper + 3 : 6 * upper + 6] = np.cross(arm, way)
            if upper:
                below = np.array([arm[0], arm[1], 0.5])
                jacobian[3 * c + k, :3] -= way
                jacobian[3 * c + k, 3:6] -= np.cross(below, way)
    matrix = jacobian @ inverse @ jacobian.T
    felt = np.diag(matrix).copy()
    matrix += np.diag(np.where(np.arange(3 * contacts) % 3 == 0, 4e-5, 1e-6) * felt)
    side, row = np.zeros((3 * contacts + 1, COLUMNS)), np.zeros((3 * contacts, 16))
    velocity = np.concatenate([rng.normal(size=3), rng.normal(size=3), rng.normal(size=3), rng.normal(size=3)])
    velocity[[2, 8]] -= 1.0
    side[:-1, RIGHT] = -jacobian @ velocity
    friction = rng.choice([0.0, 0.3, 0.9], contacts) if slick else rng.uniform(0.2, 0.9, contacts)
    row[:, R_FRICTION] = np.repeat(friction, 3)
    row[:, R_RHO] = 1.0 / felt
    return matrix, side, row


@pytest.mark.parametrize("slick", [False, True])
def test_interior_points_find_the_impulses_of_random_contacts(slick: bool) -> None:
    """The law of every contact holds, with and without friction, and its impulse is in its cone."""
    rng = np.random.default_rng(3)
    for trial in range(60):
        matrix, side, row = _problem(rng, 2 + trial % 10, slick)
        count = len(row)
        factors = np.zeros((count, WIDE))
        solve_cones(matrix, factors, side, row, 0, count)
        if missed(matrix, side, row, 0, count) > 1e-9:
            # it may come to a halt: then other places to begin at do
            side[:, IMPULSE] = side[:, BEST]
            if not settle(matrix, factors, side, row, 0, count, ROUNDS, SWEEPS):
                search(matrix, factors, side, row, 0, count)
        assert missed(matrix, side, row, 0, count) < 1e-9
        impulse = side[:count, IMPULSE].reshape(-1, 3)
        limit = row[::3, R_FRICTION] * impulse[:, 0]
        assert (impulse[:, 0] >= 0.0).all()
        assert (np.hypot(impulse[:, 1], impulse[:, 2]) <= limit * (1.0 + 1e-9) + 1e-12).all()


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_boxes_that_tumble_over_each_other_obey_coulomb_in_every_step(seed: int) -> None:
    """Four boxes of very different weight fall on each other: no step leaves a cone or a row unmet."""
    rng = np.random.default_rng(seed)
    bodies = {"ground": taut.Body(kind="static", shape=taut.Plane())}
    for k in range(4):
        axis = rng.normal(size=3)
        bodies[f"b{k}"] = taut.Body(
            shape=taut.Box(size=tuple(rng.uniform(0.2, 0.8, 3).tolist())), mass=float(10 ** rng.uniform(0, 3)),
            position=(float(rng.uniform(-0.3, 0.3)), float(rng.uniform(-0.3, 0.3)), 0.6 + 0.8 * k),
            orientation={"axis": tuple((axis / np.linalg.norm(axis)).tolist()), "angle": float(rng.uniform(-3, 3))},
            velocity=tuple(rng.uniform(-2, 2, 3).tolist()),
        )  # fmt: skip
    sim = taut.Simulation(taut.Scene(bodies=bodies))
    for _ in range(120):
        sim.run(1)
        assert sim.read("residual.cone") < 1e-7
        assert sim.read("residual.speed") < 1e-7
