"""Every item of the honeycomb's validation, and the faults that must turn it red."""

import pytest

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.rope import Honeycomb
from taut.validate import honeycomb, honeycomb_lattice
from taut.validate.lab import Lab


def failed(check) -> set[str]:
    return {item.id for item in check(Lab(quick=True)) if item.passed is False}


@pytest.mark.parametrize("check", honeycomb.CHECKS, ids=lambda check: check.__name__)
def test_items_hold(check) -> None:
    items = list(check(Lab(quick=True)))
    assert items and len({item.id for item in items}) == len(items)
    assert [f"{item.id}: {item.ours} for {item.theory}" for item in items if item.passed is False] == []


def test_a_wrong_gravity_and_a_leak_are_noticed(monkeypatch) -> None:
    init = Honeycomb.__init__

    def wrong(self, *given, **more):
        init(self, *given, **more)
        self._a.field[at.GRAVITY + 2] *= 1.01
        # a force from nowhere, along x
        self._a.field[at.GRAVITY] = 0.01

    monkeypatch.setattr(Honeycomb, "__init__", wrong)
    assert {f"honeycomb.fall.{scheme}.1e-05" for scheme in honeycomb.OURS} <= failed(honeycomb.free_fall)
    assert {f"honeycomb.momentum.{scheme}" for scheme in honeycomb.OURS} <= failed(honeycomb.momentum)
    assert "honeycomb.limit.momentum" in failed(honeycomb.strain_limit)


def test_a_missing_diagonal_is_noticed(monkeypatch) -> None:
    matrix = honeycomb_lattice.matrix

    def weak(lattice, points):
        lattice.law[lattice.family == 4, 0] *= 0.9
        return matrix(lattice, points)

    monkeypatch.setattr(honeycomb_lattice, "matrix", weak)
    red = failed(honeycomb_lattice.stiffness)
    assert {"honeycomb.closed.rod.GJ", "honeycomb.closed.rod.EA", "honeycomb.calibrated.nylon.GJ"} <= red


def test_another_damping_is_noticed(monkeypatch) -> None:
    """Half as much again in the reference only: the schemes then converge to something else."""
    run = honeycomb.others.run

    def heavier(rope, scheme, dt, steps):
        rope._a.law[:, at.DAMP] *= 1.5
        found = run(rope, scheme, dt, steps)
        rope._a.law[:, at.DAMP] /= 1.5
        return found

    monkeypatch.setattr(honeycomb.others, "run", heavier)
    assert "honeycomb.order.verlet" in failed(honeycomb.orders)


def test_stuck_ropes_do_not_land(monkeypatch) -> None:
    monkeypatch.setattr(Honeycomb, "step", lambda self, count=1: setattr(self, "time", self.time + self.dt))
    assert "honeycomb.rest.landing" in failed(honeycomb.rest)
