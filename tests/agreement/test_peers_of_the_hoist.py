"""Other engines with the rope and the load of the comparison: what they are timed at is the same swing."""

from __future__ import annotations

import numpy as np
import pytest

from taut.bench.peers.case import HOIST
from taut.bench.peers.reference import reference
from taut.bench.peers.score import score

pytestmark = pytest.mark.peer


def test_planar_cable_elements_swing_as_the_reference() -> None:
    pytest.importorskip("exudyn", reason="needs exudyn (extra peers)")
    from taut.bench.peers.exudyn_ancf import ExudynAncf

    runner = ExudynAncf().prepare(10, 0.01)
    assert score(runner.run(HOIST.seconds), reference(hoist=HOIST), HOIST).good


def test_an_explicit_rod_keeps_its_energy_and_its_pull() -> None:
    pytest.importorskip("elastica", reason="needs pyelastica (extra peers)")
    from taut.bench.peers.pyelastica_rod import PyElastica

    trace = PyElastica().prepare(4, 5e-7).run(1e-3)
    assert abs(trace.energy[-1] - trace.energy[0]) < 1e-6 * HOIST.swing_energy
    assert trace.tension_top[-1] == pytest.approx(trace.tension_top[0], rel=1e-2)


def test_newtons_rod_swings_like_the_pendulum_it_is() -> None:
    pytest.importorskip("newton", reason="needs newton (extra peers)")
    from taut.bench.peers.newton_vbd import NewtonVbd

    trace = NewtonVbd().prepare(10, 1e-3).run(0.5)
    quarter = trace.load_x[-1] / trace.load_x[0]
    # 0.974 rad/s: a pendulum of 10 m, a little slower at 30 degrees
    assert quarter == pytest.approx(np.cos(2.0 * np.pi * 0.5 / 6.452), abs=0.02)
    assert trace.tension_top[len(trace.time) // 2 :].mean() == pytest.approx(9.0e3, rel=0.2)


def test_spherical_joints_of_pybullet_swing_as_the_reference() -> None:
    pytest.importorskip("pybullet", reason="needs pybullet (extra peers)")
    from taut.bench.peers.pybullet_chain import PybulletChain

    errors = score(PybulletChain().prepare(10, 2e-3).run(HOIST.seconds), reference(hoist=HOIST), HOIST)
    # second order: (0.97 rad/s 2e-3 s)^2 / 24 of the period, far below what the comparison asks for
    assert abs(errors.period) < 1e-4 and abs(errors.tension) < 1e-4 and abs(errors.energy) < 1e-4


@pytest.mark.parametrize("name", ["taut rod", "taut segmented", "exudyn ancf", "mujoco"])
def test_cantilevers_come_to_rest_where_the_elastica_is(name: str) -> None:
    """Twenty segments: of second order, 0.6 / n^2 to 1 / n^2 of the length off."""
    from taut.bench.cantilever import error
    from taut.bench.peers.cantilevers import ENGINES

    engine = next(one for one in ENGINES if one.name == name)
    pytest.importorskip(engine.needs, reason="needs the extra peers")
    if engine.static is not None:
        beam = engine.static(20)
        beam.solve()
    else:
        beam = engine.running(20, 0.05)
        beam.reset()
        beam.run(10.0)
    assert error(beam.tip()) < 3e-3
