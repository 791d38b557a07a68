"""The particle chains of paper 1, as validation runs them: rows, their rates, and the stepper."""

import numpy as np
import pytest

from taut.validate.segmented_particles import GRAVITY, LINKS, STEP, Particles, largest


def crooked(model: str, loads: tuple[float, ...] = (3.0,)) -> Particles:
    chain = Particles(model, 1e-6, 1e-5, np.array(loads))
    chain.x += 0.2 * np.sin(np.arange(chain.x.size) + 1.0).reshape(chain.x.shape)
    return chain


@pytest.mark.parametrize(("model", "rows"), [("a", 5), ("b", 6), ("c", 6), ("d", 5), ("e", 9)])
def test_rates_are_the_derivatives_of_the_rows(model, rows):
    chain = crooked(model)
    phi, jac, soft = chain.rows()
    assert phi.shape == (1, rows) and jac.shape == (1, rows, 2 * LINKS) and soft.shape == (rows,)
    step = 1e-6
    for k in range(2 * LINKS):
        change = np.zeros(2 * LINKS)
        change[k] = step
        values = []
        for sign in (1.0, -1.0):
            moved = crooked(model)
            moved.x = moved.x + sign * change.reshape(1, LINKS, 2)
            values.append(moved.rows()[0])
        # central differences: step^2 and round-off over step
        assert jac[0, :, k] == pytest.approx((values[0] - values[1])[0] / (2 * step), abs=1e-8)


def test_compliance_is_that_of_each_row():
    assert crooked("e").rows()[2] == pytest.approx([1e-6] * 5 + [1e-5] * 4)
    assert crooked("d").rows()[2] == pytest.approx([1e-6] * 4 + [1e-5])


def test_a_step_solves_the_papers_equations():
    """M (v+ - v) = h f + J^T (h lam) and J v+ + eps/h^2 (h lam) = -phi/h, with lam found from the first."""
    chain = crooked("e")
    phi, jac, soft = chain.rows()
    mass, v = np.repeat(chain.mass, 2, axis=1)[0], chain.v.reshape(-1).copy()
    chain.step()
    new = chain.v.reshape(-1)
    impulse = mass * (new - v) - STEP * mass * np.tile([0.0, -GRAVITY], LINKS)
    lam = np.linalg.lstsq(jac[0].T, impulse, rcond=None)[0]
    assert jac[0].T @ lam == pytest.approx(impulse, abs=1e-9)
    assert jac[0] @ new + soft / STEP**2 * lam == pytest.approx(-phi[0] / STEP, abs=1e-9)


def test_loads_are_stepped_independently():
    both, one = crooked("e", (3.0, 3.0)), crooked("e")
    both.x[:] = one.x
    both.loads[1] = both.mass[1, -1] = 50.0
    for _ in range(20):
        both.step()
        one.step()
    assert both.x[0] == pytest.approx(one.x[0], abs=1e-9)
    assert not np.allclose(both.x[1], one.x[0])


def test_a_chain_that_is_lost_ends_the_count():
    """Bend rows hold heavier loads: the paper's point."""
    free, held = (
        largest(Particles(m, 1e-8, x, 10.0 ** np.arange(1.0, 6.0)), 5.0) for m, x in (("a", 1.0), ("e", 1e-4))
    )
    assert 10.0 <= free < held < 1e5
