"""Block Gauss-Seidel against the direct solver: the same solution in the limit, its own price before it."""

import numpy as np
import pytest

import taut
from taut.core.model import J_HIGH, JOINT_GROUPS
from taut.scene import (
    AngularLimits,
    AngularMotor,
    Ball,
    Body,
    Box,
    Chain,
    Distance,
    Hinge,
    Material,
    Plane,
    Scene,
    SolverSettings,
)
from taut.step.contact_sets import coulomb

#: the direct solver without geometric stiffness, which Gauss-Seidel does not have
DIRECT = SolverSettings(geometric_stiffness=0)


def sweeps(count: int) -> SolverSettings:
    return SolverSettings(kind="gauss_seidel", iterations=count)


def pendulum(solver: SolverSettings) -> Scene:
    """A chain with a load: one set."""
    return Scene(
        solver=solver,
        bodies={"load": Body(mass=5, inertia=(0.2, 0.2, 0.2), position=(3, 0, -4))},
        chains={"chain": Chain(start=(0, 0, 0), end=(3, 0, -4), links=12, mass_per_length=0.5, b="load")},
    )


def tow(solver: SolverSettings) -> Scene:
    """A sliding box tied to a hinged arm: a chain, a motor at its limit, an end stop, a slack rope, four contacts."""
    return Scene(
        solver=solver,
        # soft contacts: with rigid ones the share of each corner would take thousands of sweeps
        materials={"soft": Material(friction=0.3, stiffness=1e4)},
        bodies={
            "ground": Body(kind="static", shape=Plane(), material="soft"),
            "box": Body(
                shape=Box(size=(0.6, 0.4, 0.2)), mass=10, position=(0, 0, 0.0999), velocity=(1, 0.4, 0), material="soft"
            ),
            "arm": Body(mass=3, inertia=(0.3, 0.02, 0.3), position=(2, 0, 0.6)),
            "bob": Body(mass=2, inertia=(0.1, 0.1, 0.1), position=(3.5, 0.2, 0.5)),
        },
        chains={"chain": Chain(start=(0.3, 0, 0.1), end=(1.5, 0, 0.6), links=4, mass_per_length=1, a="box", b="arm")},
        joints={
            "pivot": Hinge(
                b="arm", at=(2.5, 0, 0.6), axis=(0.3, 1, 0.2), motor=AngularMotor(target=2, force_limit=5),
                limits=AngularLimits(lower=-0.1, upper=0.01),
            ),
            "rope": Distance(a="arm", b="bob", rope=True),
            "ball": Ball(a="world", b="bob", at=(3.5, 0.5, 1.5)),
        },
    )  # fmt: skip


def light_ring(solver: SolverSettings, load: float) -> Scene:
    """Two chains with a ring of 0.1 kg between them and a load below: two sets that share the lightest body."""
    return Scene(
        solver=solver,
        bodies={
            "ring": Body(mass=0.1, inertia=(1e-3, 1e-3, 1e-3), position=(0, 0, -1)),
            "load": Body(mass=load, inertia=(load, load, load), position=(0, 0, -2)),
        },
        chains={
            "upper": Chain(start=(0, 0, 0), end=(0, 0, -1), links=2, mass_per_length=0.2, b="ring"),
            "lower": Chain(start=(0, 0, -1), end=(0, 0, -2), links=2, mass_per_length=0.2, a="ring", b="load"),
        },
    )


def error(sim: taut.Simulation, other: taut.Simulation) -> float:
    """Largest difference of a multiplier, relative to the largest one."""
    return float(np.abs(sim.state.row_lam - other.state.row_lam).max() / np.abs(other.state.row_lam).max())


def test_one_set_is_exact_after_one_sweep() -> None:
    one, direct = taut.Simulation(pendulum(sweeps(1))), taut.Simulation(pendulum(DIRECT))
    one.run(1)
    direct.run(1)
    # the same factors and the same right side: the same numbers
    assert np.array_equal(one.state.row_lam, direct.state.row_lam)
    one.run(59)
    direct.run(59)
    # removing and adding the set's own impulses costs round-off
    assert error(one, direct) < 1e-9
    assert one.read("residual.speed") < 1e-12
    assert one.read("energy.geometric") == 0.0


def test_sweeps_converge_to_the_direct_solution() -> None:
    direct = taut.Simulation(tow(DIRECT))
    direct.run(1)
    errors, residuals = [], []
    for count in (1, 10, 100, 1000):
        sim = taut.Simulation(tow(sweeps(count)))
        sim.run(1)
        errors.append(error(sim, direct))
        residuals.append(sim.read("residual.speed"))
    assert errors == sorted(errors, reverse=True)
    assert residuals == sorted(residuals, reverse=True)
    # few sweeps: a residual of the size of the speeds themselves, and it is shown
    assert errors[0] > 0.1
    assert residuals[0] > 0.1
    # the friction of the direct solver is iterated to 1e-8 of the cone
    assert errors[-1] < 1e-7
    assert residuals[-1] < 1e-10


def test_bounds_hold_after_every_step() -> None:
    sim = taut.Simulation(tow(sweeps(2)))
    joints = int(sim.work.count[JOINT_GROUPS])
    start = int(sim.work.group_int[joints, 1])
    motor, rope = sim.compiled.joints.motor["pivot"], sim.compiled.joints.first["rope"]
    assert sim.compiled.joints.values[rope, J_HIGH] == 0.0
    for _ in range(20):
        sim.run(1)
        lam = sim.state.row_lam
        contacts = lam[start : start + 3 * int(sim.state.contact_count[0])].reshape(-1, 3)
        scale = np.abs(lam).max()
        # a row counts as within its bound up to 1e-11 of the largest multiplier of its set
        assert abs(lam[sim.work.group_int[motor, 1]]) <= 5.0 * sim.dt + 1e-11 * scale
        assert lam[sim.work.group_int[rope, 1]] <= 1e-11 * scale
        assert (contacts[:, 0] >= 0.0).all()
        assert (np.hypot(contacts[:, 1], contacts[:, 2]) <= 0.3 * contacts[:, 0] * (1 + 1e-12)).all()
        assert sim.read("residual.force") <= 1e-11 * scale / sim.dt


def test_a_light_body_between_two_sets_is_lost() -> None:
    # each set sees the ring alone against the load: the error shrinks by about 1 - m/M per sweep
    direct = taut.Simulation(light_ring(DIRECT, 1e5))
    lost = taut.Simulation(light_ring(sweeps(3), 1e5))
    direct.run(1)
    lost.run(1)
    assert direct.read("residual.speed") < 1e-9
    # the load falls almost freely in the first step, g h = 0.16 m/s
    assert lost.read("residual.speed") > 0.1
    direct.run(59)
    lost.run(59)
    assert direct.read("load.position")[2] == pytest.approx(-2.0, abs=1e-6)
    assert lost.read("load.position")[2] < -2.1


def test_a_box_stays_where_it_lies() -> None:
    scene = Scene(
        solver=sweeps(10),
        bodies={
            "ground": Body(kind="static", shape=Plane()),
            "box": Body(shape=Box(size=(0.4, 0.4, 0.4)), mass=20, position=(0, 0, 0.2)),
        },
    )
    sim = taut.Simulation(scene)
    sim.run(300)
    assert sim.read("contact.force") == pytest.approx(20 * 9.81, rel=1e-3)
    assert sim.read("box.position") == pytest.approx([0, 0, 0.2], abs=1e-4)
    assert np.linalg.norm(sim.read("box.velocity")) < 1e-5


def test_momentum_is_kept_also_when_the_sweeps_do_not_converge() -> None:
    spec = {"mass": 1.0, "inertia": (0.1, 0.2, 0.15)}
    scene = Scene(
        gravity=(0, 0, 0),
        solver=sweeps(1),
        bodies={
            "a": Body(**spec, position=(0, 0, 0), spin=(1, 2, 0)),
            "b": Body(**spec, position=(1, 0, 0), velocity=(0, 1, 0)),
            "c": Body(**spec, position=(2, 0, 0), velocity=(0, 0, 1)),
        },
        joints={"ab": Ball(a="a", b="b", at=(0.5, 0, 0)), "bc": Ball(a="b", b="c", at=(1.5, 0, 0))},
    )
    sim = taut.Simulation(scene)
    for _ in range(100):
        sim.run(1)
        # every impulse acts on two bodies, once each way
        assert sim.read("momentum.linear") == pytest.approx([0, 1, 1], abs=1e-12)
    assert sim.read("residual.speed") > 1e-6


def test_runs_repeat_to_the_bit_also_from_a_snapshot() -> None:
    first, second = taut.Simulation(tow(sweeps(5))), taut.Simulation(tow(sweeps(5)))
    first.run(10)
    saved = first.snapshot()
    first.run(10)
    second.run(20)
    assert np.array_equal(first.compiled.state.floats, second.compiled.state.floats)
    first.restore(saved)
    first.run(10)
    assert np.array_equal(first.compiled.state.floats, second.compiled.state.floats)


def test_contact_law_fulfils_the_cone() -> None:
    rng = np.random.default_rng(3)
    sliding = 0
    for _ in range(300):
        root = rng.normal(size=(3, 3))
        weight = root @ root.T + 0.5 * np.eye(3)
        k = weight[np.triu_indices(3)]
        q, mu = rng.normal(size=3), rng.uniform(0.0, 0.5)
        lam = np.zeros(3)
        for _ in range(50):
            lam = np.array(coulomb(k, mu, *q, lam[1], lam[2]))
        slip = weight @ lam - q
        limit = mu * lam[0]
        assert lam[0] >= 0.0
        assert np.hypot(*lam[1:]) <= limit * (1 + 1e-12)
        if lam[0] == 0.0:
            assert slip[0] >= -1e-12
            continue
        assert abs(slip[0]) < 1e-9
        if np.hypot(*lam[1:]) < limit * (1 - 1e-9):
            assert np.hypot(*slip[1:]) < 1e-9
        else:
            # sliding: friction opposes the slip
            sliding += 1
            assert slip[1:] @ lam[1:] == pytest.approx(-np.hypot(*slip[1:]) * limit, abs=1e-7)
    assert sliding > 50
