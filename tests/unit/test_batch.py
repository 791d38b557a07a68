"""A batch makes, bit by bit, what its members would make alone: with winches, contacts and changed models."""

from typing import Any

import numpy as np
import pytest

import taut

GANTRY_STEPS = 240


def alone(scene: taut.Scene, steps: int, **controls: float) -> taut.Simulation:
    sim = taut.Simulation(scene)
    for name, value in controls.items():
        sim.controls[f"{name}.speed"] = value
    sim.run(steps)
    return sim


def same(batch: taut.Batch, i: int, sim: taut.Simulation) -> bool:
    ours, state = batch.snapshot(), sim.snapshot()
    return np.array_equal(ours.floats[i], state.floats) and np.array_equal(ours.ints[i], state.ints)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_members_are_bit_identical_to_single_runs(threads: int) -> None:
    """The gantry: winches, sheaves, slings that go taut, a load that leaves the ground; in pieces of uneven length."""
    scene = taut.open_scene("gantry")
    batch = taut.Batch(scene, 5, threads=threads)
    speeds = np.array([0.1, 0.3, 0.5, 0.7, 0.8])
    batch.step({"left.speed": speeds, "right.speed": speeds, "travel.speed": 0.5}, 7)
    while batch[0].steps < GANTRY_STEPS:
        batch.step(None, min(50, GANTRY_STEPS - batch[0].steps))
    assert not batch.diverged.any()
    for i, speed in enumerate(speeds):
        assert same(batch, i, alone(scene, GANTRY_STEPS, left=speed, right=speed, travel=0.5))
    assert batch.read("contact.force").shape == (5,) and batch.read("load.position").shape == (5, 3)


def test_contacts_come_and_go_as_in_a_single_run() -> None:
    scene = taut.open_scene("stack")
    batch = taut.Batch(scene, 3)
    for _ in range(30):
        batch.step(None, 2)
    sim = alone(scene, 60)
    assert sim.read("contact.count") > 0
    assert all(same(batch, i, sim) for i in range(3))


def test_a_changed_field_gives_the_run_of_the_changed_scene() -> None:
    scene = taut.open_scene("pendulum")
    batch = taut.Batch(scene, 4)
    batch.set("load.mass", [1000.0, 2000.0, 3000.0, 4000.0])
    batch.set("load.position[0]", "4 m", mask=[3])
    batch.reset()
    batch.step(None, 120)
    for i, mass in enumerate((1000, 2000, 3000)):
        assert same(batch, i, alone(scene.with_overrides([f"load.mass={mass}.0"]), 120))
    assert same(batch, 3, alone(scene.with_overrides(["load.mass=4000.0", "load.position[0]=4 m"]), 120))
    assert np.diff(batch.read("rope.tension")[:3]) == pytest.approx(1000 * 9.81, rel=0.3)


def test_a_change_without_reset_keeps_the_state_and_acts_from_now_on() -> None:
    scene = taut.open_scene("pendulum")
    batch = taut.Batch(scene, 2)
    batch.step(None, 60)
    before = batch.read("load.position")
    batch.set("load.mass", 100.0, mask=[1])
    assert np.array_equal(batch.read("load.position"), before)
    batch.step(None, 30)
    ratio = batch.read("rope.tension")[1] / batch.read("rope.tension")[0]
    assert ratio == pytest.approx(100.0 / 5000.0, rel=1e-3)
    assert same(batch, 0, alone(scene, 90))


def test_reset_by_mask_and_to_a_state() -> None:
    scene = taut.open_scene("pendulum")
    batch = taut.Batch(scene, 4)
    batch.step(None, 30)
    middle = batch.snapshot()
    one = alone(scene, 10).snapshot()
    batch.step(None, 30)
    batch.reset([True, False, False, False])
    batch.reset([1], state=one)
    batch.reset([2], state=middle)
    batch.step(None, 5)
    assert [batch[i].steps for i in range(4)] == [5, 15, 35, 65]
    state = batch.snapshot()
    for i in range(4):
        single = alone(scene, batch[i].steps).snapshot()
        assert np.array_equal(state.floats[i], single.floats)
        # the plan of the elimination is built anew after a reset, which is counted; nothing else differs
        assert (state.ints[i] != single.ints).sum() <= 1


def test_a_member_goes_back_through_its_batch() -> None:
    scene = taut.open_scene("pendulum")
    batch = taut.Batch(scene, 2)
    batch.step(None, 10)
    then = batch[0].snapshot()
    batch.step(None, 10)
    batch[1].restore(then)
    batch[0].reset()
    batch.step(None, 5)
    assert [member.steps for member in batch] == [5, 15]
    assert batch.read("load.position[0]").tolist() == [alone(scene, n).read("load.position[0]") for n in (5, 15)]
    with pytest.raises(taut.SimulationError, match="cannot attach"):
        batch[0]._regrip({})


def test_a_member_that_diverges_is_flagged_and_frozen_and_the_rest_goes_on() -> None:
    scene = taut.open_scene("pendulum")
    batch = taut.Batch(scene, 3)
    batch.set("load.velocity[2]", 1e14, mask=[1])
    batch.reset()
    assert batch.step(None, 20).tolist() == [False, True, False]
    assert "load is not finite" in batch.reasons[1]
    frozen = batch.snapshot().floats[1]
    batch.step(None, 20)
    assert np.array_equal(batch.snapshot().floats[1], frozen)
    sim = alone(scene, 40)
    assert same(batch, 0, sim) and same(batch, 2, sim)
    batch.set("load.velocity[2]", 0.0)
    batch.reset([1])
    batch.step(None, 40)
    assert not batch.diverged.any() and same(batch, 1, sim)


def test_finite_differences_by_snapshot() -> None:
    """d x(t) / d x(0) of a small swing on 10 m: cos(omega t), in the discrete form of a step whose velocities are means
    over a step and begin at zero, x_n = cos(omega (n + 1/2) h) / cos(omega h / 2)."""
    scene = taut.Scene(
        bodies={"load": taut.Body(shape=taut.Sphere(radius=0.1), mass=100, position=(0, 0, -10), collide=False)},
        joints={"rope": taut.Distance(b="load", point_a=(0, 0, 0))},
    )
    batch, h = taut.Batch(scene, 2), 1e-3
    batch.set("load.position[0]", [-h, h])
    batch.reset()
    batch.step(None, 60)
    x = batch.read("load.position[0]")
    omega, dt = np.sqrt(9.81 / 10.0), scene.dt
    expected = np.cos(omega * 60.5 * dt) / np.cos(0.5 * omega * dt)
    # geometric stiffness lowers the frequency by 0.46 (omega h)^2 = 1.2e-4, times omega t tan(omega t)
    assert (x[1] - x[0]) / (2 * h) == pytest.approx(expected, rel=4e-4)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda b: b.set("load.mas", 1.0), "did you mean 'mass'"),
        (lambda b: b.set("load.mass", [1.0, 2.0]), "2 values for 3 members"),
        (lambda b: b.set("dt", 0.01), "changes the structure"),
        (lambda b: b.set("wind.speed", 3.0), "changes the structure"),
        (lambda b: b.step({"hoist.speed": 1.0}), "no control 'hoist.speed'; controls: none"),
        (lambda b: b.step(np.zeros((3, 2))), r"expected \(3, 0\)"),
        (lambda b: b.reset([True]), r"expected \(3,\)"),
        (lambda b: b.read("rope.tensio"), "rope.tension"),
        (lambda b: taut.Batch(b.scene, 0), "at least 1"),
        (lambda b: taut.Batch(b.scene, 10_000_000), "fit"),
    ],
)
def test_mistakes_are_told(call: Any, words: str) -> None:
    batch = taut.Batch(taut.open_scene("pendulum"), 3)
    with pytest.raises((ValueError, KeyError, MemoryError, taut.SceneError), match=words):
        call(batch)
