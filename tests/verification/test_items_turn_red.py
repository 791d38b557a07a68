"""Rod and honeycomb: some fault turns every judged item red, as the other sets show in test_validation_items."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.rope import Honeycomb
from taut.cables.rod.clips import Clips
from taut.cables.rod.obstacles import Obstacles
from taut.cables.rod.properties import Properties
from taut.cables.rod.results import Results
from taut.simulation import Simulation
from taut.validate import (
    honeycomb,
    honeycomb_lattice,
    honeycomb_scene,
    rod,
    rod_attempts,
    rod_figures,
    rod_leaning,
    rod_scene,
    rod_stability,
)
from taut.validate.lab import Lab
from taut.validate.run import run_check

Fault = Callable[[pytest.MonkeyPatch], None]


def misread(patch: pytest.MonkeyPatch) -> None:
    """What is read of a rod is off: unevenly by some per cent, and a little besides."""
    for name in ("points", "strain", "twist", "curvature", "tension", "internal_force"):
        read = getattr(Results, name).fget

        def wrong(self, read=read):
            value = np.array(read(self))
            ramp = 1.0 + 0.1 * np.linspace(0.2, 1.0, len(value)) ** 3
            return value * (ramp if value.ndim == 1 else ramp[:, None]) + 1e-3

        patch.setattr(Results, name, property(wrong))
    for name in ("end_force", "end_moment"):
        asked = getattr(Results, name)
        patch.setattr(Results, name, lambda self, which="end", asked=asked: 1.1 * asked(self, which) + 0.01)


def tired(patch: pytest.MonkeyPatch) -> None:
    """Solves say that they took far more than they did."""
    kept = Results.solution.fget
    more = lambda told: replace(  # noqa: E731
        told, iterations=told.iterations + 90, shifts=told.shifts + 9, backtracks=told.backtracks + 9
    )
    patch.setattr(Results, "solution", property(lambda self: more(kept(self))))
    from taut.cables.rod.harness import Harness
    from taut.cables.rod.rod import Rod

    for owner in (Rod, Harness):
        solve = owner.solve
        patch.setattr(owner, "solve", lambda self, *a, solve=solve, **k: more(solve(self, *a, **k)))


def stiff(patch: pytest.MonkeyPatch) -> None:
    """All joints are half as stiff again, bent ones about one axis twice."""
    joints = Properties.joints

    def wrong(self, lengths):
        length, stiffness, rest = joints(self, lengths)
        return length, stiffness * np.array([1.5, 2.0, 1.2]), rest * 1.1

    patch.setattr(Properties, "joints", wrong)


def blind(patch: pytest.MonkeyPatch) -> None:
    """Obstacles, clips and the rod itself are not felt."""
    from taut.cables.rod.network import Network

    solving = Network.newton

    def unseeing(self, tolerance, most):
        kept, self.obstacles = self.obstacles, Obstacles.none()
        try:
            return solving(self, tolerance, most)
        finally:
            self.obstacles = kept

    patch.setattr(Network, "newton", unseeing)
    patch.setattr("taut.cables.rod.touch.Touch.touch_itself", lambda self, touches=True: None)
    patch.setattr("taut.cables.rod.targets.Clip.locked", property(lambda self: (False, False, False)))
    nailed = (0.31, -0.01, -0.03)
    patch.setattr(
        "taut.cables.rod.harness.Harness.add_branch", lambda self, name, point: self.add_connector(name, nailed)
    )


def coarse(patch: pytest.MonkeyPatch) -> None:
    """Whole joints at the clamps, as printed: of first order."""
    joints = Properties.joints

    def whole(self, lengths):
        length, stiffness, rest = joints(self, lengths)
        length[[0, -1]] *= 2.0
        return length, stiffness, rest

    patch.setattr(Properties, "joints", whole)


def pulled(patch: pytest.MonkeyPatch) -> None:
    """Gravity is off and comes from the side."""
    init = Honeycomb.__init__

    def wrong(self, *given, **more):
        init(self, *given, **more)
        self._a.field[at.GRAVITY + 2] *= 1.05
        self._a.field[at.GRAVITY] += 0.2

    patch.setattr(Honeycomb, "__init__", wrong)


def stuck(patch: pytest.MonkeyPatch) -> None:
    """Ropes do not move at all."""
    patch.setattr(Honeycomb, "step", lambda self, count=1: setattr(self, "time", self.time + self.dt))


def weak(patch: pytest.MonkeyPatch) -> None:
    """Springs of the lattice lose a tenth, unevenly, when it is assembled."""
    matrix = honeycomb_lattice.matrix

    def wrong(lattice, points):
        lattice.law[:, 0] *= np.where(lattice.family == 4, 0.8, 0.9)
        return matrix(lattice, points)

    patch.setattr(honeycomb_lattice, "matrix", wrong)


def swirled(patch: pytest.MonkeyPatch) -> None:
    """Every step spins the rope a little, and shifts its speed."""
    step = Honeycomb.step

    def wrong(self, count=1):
        step(self, count)
        centre = self.positions.mean(axis=0)
        self.velocities[:] += 0.02 * np.cross([0.0, 0.3, 1.0], self.positions - centre) * count

    patch.setattr(Honeycomb, "step", wrong)


def drifting(patch: pytest.MonkeyPatch) -> None:
    """Whoever looks again sees something else; sliding clips are off by a hundredth."""
    points, seen = Results.points.fget, [0]

    def wrong(self):
        seen[0] += 1
        return points(self) + 1e-4 * seen[0]

    patch.setattr(Results, "points", property(wrong))
    arc = Clips.clip_arc
    patch.setattr(Clips, "clip_arc", lambda self, clip: arc(self, clip) + 0.01)


def miscounted(patch: pytest.MonkeyPatch) -> None:
    """Counts, strains and energies of a lattice are read wrong."""
    counts, energy, strain = (getattr(Honeycomb, name).fget for name in ("counts", "energy", "strain"))
    patch.setattr(
        Honeycomb, "counts", property(lambda self: {**counts(self), "evaluations": 2 * counts(self)["evaluations"]})
    )
    patch.setattr(Honeycomb, "strain", property(lambda self: 2.0 * strain(self)))
    patch.setattr(
        Honeycomb, "energy", property(lambda self: replace(energy(self), kinetic=100.0 * energy(self).kinetic))
    )


def hasty(patch: pytest.MonkeyPatch) -> None:
    """Steps of the other schemes are longer than told, by a part that shrinks slower than they do."""
    run = honeycomb.others.run
    patch.setattr(
        honeycomb.others, "run", lambda rope, scheme, dt, steps: run(rope, scheme, dt * (1.0 + 0.5 * dt**0.5), steps)
    )


def loose(patch: pytest.MonkeyPatch) -> None:
    """Diagonals are not there."""
    matrix = honeycomb_lattice.matrix

    def wrong(lattice, points):
        lattice.law[lattice.family == 4, 0] = 0.0
        return matrix(lattice, points)

    patch.setattr(honeycomb_lattice, "matrix", wrong)


def weightless(patch: pytest.MonkeyPatch) -> None:
    """Rods weigh nothing, and forget half of their rest shape."""
    from taut.cables.rod.chain import Chain

    place_loads, joints = Chain.place_loads, Properties.joints

    def without(self, arrays):
        self.gravity = np.zeros(3)
        return place_loads(self, arrays)

    def half(self, lengths):
        length, stiffness, rest = joints(self, lengths)
        return length, stiffness, 0.5 * rest

    patch.setattr(Chain, "place_loads", without)
    patch.setattr(Properties, "joints", half)


def unturned(patch: pytest.MonkeyPatch) -> None:
    """Rods do not follow when an end is twisted."""
    patch.setattr("taut.cables.rod.rod.Rod.twist_end", lambda self, angle, which="end": None)


def mistaken(patch: pytest.MonkeyPatch) -> None:
    """What is pushed is read wrong, the paper's scheme ties neighbours by less, and a hose keeps the values of its data sheet
    instead of those that the measured shapes tell."""
    from taut.cables.rod import fit
    from taut.cables.rod.touch import Touch

    pushed, measure = Touch.contact_force.fget, rod_figures.measure
    kept = fit.Fit(np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(4), 0.0, [])

    def narrow(z, force, fixed, given, slope, band, work):
        found = measure(z, force, fixed, given, slope, band, work)
        band[:, -1] = 0.0
        return found

    patch.setattr(Touch, "contact_force", property(lambda self: {"floor": np.full(3, 0.5)} | pushed(self)))
    patch.setattr(rod_figures, "measure", narrow)
    patch.setattr(fit, "fit", lambda *_given, **_more: kept)


def lucky(patch: pytest.MonkeyPatch) -> None:
    """Shooting always meets its end, torsion of points is never noisy, and held rods find no shape."""
    from taut.cables.rod.rod import Rod
    from taut.cables.rod.values import RodError

    def refuse(self, which, end):
        raise RodError("no equilibrium found")

    patch.setattr(rod_attempts, "_newton", lambda start, weight, target: (True, np.eye(3)))
    for name in ("by_binormals", "by_derivatives"):
        patch.setattr(rod_attempts, name, lambda points: np.zeros(len(points) - 3))
    patch.setattr(Rod, "hold", refuse)


def luckless(patch: pytest.MonkeyPatch) -> None:
    """Shooting never meets its end."""
    patch.setattr(rod_attempts, "_newton", lambda start, weight, target: (False, np.eye(3)))


def kicked(patch: pytest.MonkeyPatch) -> None:
    """Bodies of a scene are kicked whenever it is let run, the less the shorter its steps, but not in proportion."""
    run = Simulation.run

    def wrong(self, *given, **more):
        self.state.body_vel[:2, 1] += 0.5 * self.dt**0.3
        return run(self, *given, **more)

    patch.setattr(Simulation, "run", wrong)


def jolted(patch: pytest.MonkeyPatch) -> None:
    """Bodies of a scene are jolted at the end of every run: they move, and are not where their forces hold each other."""
    run = Simulation.run

    def wrong(self, *given, **more):
        found = run(self, *given, **more)
        self.state.body_vel[:, 0] += 0.01
        self.state.body_pos[:, :3] += 0.02
        return found

    patch.setattr(Simulation, "run", wrong)


def ghostly(patch: pytest.MonkeyPatch) -> None:
    """What rods of a scene lean on is a mile off when they look for it."""
    run = Simulation.run

    def wrong(self, *given, **more):
        self.model.lean_shape[:, 1:4] = 1609.0
        return run(self, *given, **more)

    patch.setattr(Simulation, "run", wrong)


def heavy(patch: pytest.MonkeyPatch) -> None:
    """Scenes weigh five times what they weigh, and nothing limits their strain."""

    def wrong(scene):
        more = ["cables.rope.lattice.strain_limit=0.9"] if scene.cables["rope"].lattice.strain_limit else []
        return Simulation(scene.with_overrides(["gravity=[0, 0, -49.05]", *more]))

    patch.setattr(honeycomb_scene, "Simulation", wrong)


ROD: tuple[Fault, ...] = (misread, tired, stiff, blind, coarse, drifting)
FIGURES: tuple[Fault, ...] = (mistaken, unturned, weightless, misread, blind)
ATTEMPTS: tuple[Fault, ...] = (lucky, luckless, misread)
LATTICE: tuple[Fault, ...] = (pulled, stuck, weak, swirled, miscounted, hasty, loose)
SCENE: tuple[Fault, ...] = (kicked, heavy)
#: checks whose items other faults reach than those of their set
OWN = (
    dict.fromkeys(rod_figures.CHECKS, FIGURES)
    | dict.fromkeys(rod_attempts.CHECKS, ATTEMPTS)
    | {rod_scene.moving: (jolted, *ROD)}
    | dict.fromkeys(rod_leaning.CHECKS, (ghostly, jolted))
    | dict.fromkeys((honeycomb_scene.carried, honeycomb_scene.pendulum, honeycomb_scene.hoist), SCENE)
)


#: checks with an item that the quick form leaves out and that has no like in it
FULL = {rod_stability.loop}


@pytest.mark.parametrize(
    ("check", "faults"),
    [
        *((check, OWN.get(check, ROD)) for check in rod.CHECKS),
        *((check, OWN.get(check, LATTICE)) for check in honeycomb.CHECKS),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_some_fault_turns_every_item_red(check, faults: tuple[Fault, ...]) -> None:
    quick = check not in FULL
    items = run_check(check, Lab(quick=quick))
    left = {item.id for item in items if item.passed is not None}
    for fault in faults:
        if not left:
            break
        with pytest.MonkeyPatch.context() as patch:
            fault(patch)
            found = list(run_check(check, Lab(quick=quick)))
        red = {item.id for item in found if item.passed is False}
        left -= red
    assert not left, "never red"
