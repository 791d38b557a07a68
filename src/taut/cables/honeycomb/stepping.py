"""Steps in time: how many substeps, what to do when one fails, snapshots."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from taut.cables.honeycomb import arrays as at
from taut.cables.honeycomb.arrays import Arrays
from taut.cables.honeycomb.ends_motion import advance_ends
from taut.cables.honeycomb.explicit import PAPER, PREDICTOR_CORRECTOR, VERLET, evaluate, run_explicit
from taut.cables.honeycomb.frequency import stable_step
from taut.cables.honeycomb.implicit import implicit_step, largest_jump
from taut.cables.honeycomb.lattice import Lattice
from taut.cables.honeycomb.limiter import limit_once
from taut.cables.honeycomb.readings import Readings
from taut.cables.honeycomb.values import HoneycombError

Array = np.ndarray

CODE = {"verlet": VERLET, "predictor_corrector": PREDICTOR_CORRECTOR, "paper": PAPER}
#: share of the stable step that automatic substeps use
SAFETY = 0.8
#: power iterations for the highest frequency: at first, and from the last vectors
FIRST, AGAIN = 100, 5
#: a redone step has twice the substeps, at most so often
MOST_REDONE = 4
#: a spring strained by more than this has run away
RUNAWAY = 5.0
#: smallest piece of an implicit step
PIECES = 64
#: Newton ends when masses move by less than this share of the hexagon's side, and moves them by no more than that
TOLERANCE, FAR = 1e-7, 2.0
#: a contact that changes a velocity by more than this many g dt is an impact
IMPACT = 3.0
#: arrays that change while stepping
STATE = ("pos", "vel", "acc", "old_pos", "old_vel", "arm", "ends", "node", "shape", "pair", "ref", "tally")


@dataclass(frozen=True)
class Snapshot:
    """The state of a rope; `restore` continues from it to the bit."""

    arrays: dict[str, Array]
    modes: Array
    numbers: tuple[float, float, float, int, bool]
    once: tuple[bool, bool]


class Stepping(Readings):
    """The stepping half of a honeycomb rope."""

    def __init__(
        self, lattice: Lattice, arrays: Arrays, scheme: str, dt: float, substeps: int | str, threshold: float, limit: float, sweeps: int
    ) -> None:  # fmt: skip
        self.lattice = lattice
        self._a = arrays
        self.scheme = scheme
        self.dt = dt
        self.time = 0.0
        self.redone = 0
        """Steps that had to be repeated with smaller ones."""
        self.stable_step = math.inf
        """Largest stable explicit step of the lattice as it is now [s]."""
        self.substeps = 1
        """Explicit steps, or pieces of an implicit one, in the last step."""
        self._asked = substeps
        self._threshold, self._limit, self._sweeps = threshold, limit, sweeps
        self._once = [False, False]
        self._before = 0.0  # last implicit step [s]; zero: none to remember
        self._fresh = False  # whether acc belongs to the state
        self._modes = np.random.default_rng(0).standard_normal((2, *arrays.pos.shape))
        self._kept = [array.copy() for array in self._changing()]
        if scheme == "implicit":
            size = 3 * lattice.section.count
            self._system = np.zeros((lattice.layers, size, 2 * size))
            self._work = np.zeros((11, lattice.layers, size))
            self._pushes = np.zeros((len(arrays.touch), 3, 3))
        else:
            self._look(FIRST)

    def step(self, count: int = 1) -> None:
        """So many steps of dt. Raises HoneycombError; the last good state stands."""
        for _ in range(count):
            self._keep()
            try:
                if self.scheme == "implicit":
                    self._implicit()
                else:
                    self._explicit()
            except HoneycombError:
                self._put_back()
                raise
            self._advance()

    def _advance(self) -> None:
        self.time += self.dt
        advance_ends(self.dt, self._a.node, self._a.arm, self._a.ends)
        for side in range(2):
            if self._once[side]:
                self._a.ends[side, at.SPEED :] = 0.0
                self._a.vel[self._a.node[:, at.HELD_BY] == side] = 0.0
                self._once[side] = False

    # explicit

    def _look(self, passes: int) -> None:
        """Find the stable step, and the substeps that follow from it."""
        self.stable_step = float(stable_step(self._a, self._modes, passes))
        if self._asked == "auto":
            self.substeps = max(1, math.ceil(self.dt / (SAFETY * self.stable_step)))
        else:
            self.substeps = int(self._asked)

    def _check_step(self) -> None:
        """A number of substeps that was asked for must be enough."""
        h = self.dt / self.substeps
        if self._asked != "auto" and not h <= self.stable_step:
            need = math.ceil(self.dt / (SAFETY * self.stable_step))
            raise HoneycombError(
                f"substeps: {self.substeps} in {self.dt:.5g} s are steps of {h:.4g} s, above the stability limit of "
                f"{self.stable_step:.4g} s of this lattice as it is now; use {need} or more, 'auto', or scheme='implicit'"
            )

    def _explicit(self) -> None:
        self._look(AGAIN)
        self._check_step()
        for _ in range(MOST_REDONE + 1):
            h = self.dt / self.substeps
            if not self._fresh:
                self._complain(evaluate(self._a, h), h)
            if self.scheme == "paper" and self._before != h:
                # its memory is a position one step ago
                self._a.old_pos[:] = self._a.pos - h * self._a.vel
            status = run_explicit(
                self._a, CODE[self.scheme], self.substeps, 0.0, h, self._threshold, self._limit, self._sweeps
            )
            if status not in (at.FINE, at.NOT_FINITE):
                self._complain(status, h)
            if status == at.FINE and np.abs(self.strain).max() < RUNAWAY:
                self._fresh, self._before = self._limit == 0.0, h
                return
            self._put_back()
            self._fresh = False
            self.redone += 1
            self.substeps *= 2
        raise HoneycombError(
            f"step at {self.time:.4f} s: springs run away even with {self.substeps // 2} substeps; the state before it "
            f"stands. Stable step {self.stable_step:.3g} s. Use a strain_limit, stiffer springs or scheme='implicit'"
        )

    # implicit

    def _implicit(self) -> None:
        done, piece, self.substeps = 0.0, self.dt, 0
        gravity = float(np.linalg.norm(self._a.field[at.GRAVITY : at.GRAVITY + 3]))
        side = self.lattice.side
        while done < self.dt * (1.0 - 1e-9):
            h = min(piece, self.dt - done)
            status = implicit_step(
                self._a, h, self._before, done, TOLERANCE * side, FAR * side, self._system, self._work, self._pushes
            )
            if status in (at.NOT_CONVERGED, at.NOT_FINITE):
                self.redone += 1
                piece = 0.5 * h
                self._before = 0.0
                if piece < self.dt / PIECES:
                    raise HoneycombError(
                        f"step at {self.time:.4f} s: Newton's method does not converge even in pieces of {piece:.3g} s; the "
                        f"state before it stands. Use a smaller dt, or look for a sudden motion of an end"
                    )
                continue
            self._complain(status, h)
            if self._limit > 0.0:
                limit_once(self._a, self._limit, self._sweeps, h)
            impact = largest_jump(self._a) > IMPACT * gravity * h
            self._before = 0.0 if impact else h
            done += h
            self.substeps += 1

    # both

    def _complain(self, status: int, h: float) -> None:
        if status == at.FINE:
            return
        pool = {
            at.TOO_MANY_TOUCHES: ("contacts", len(self._a.touch)),
            at.TOO_MANY_PAIRS: ("cell pairs", len(self._a.pair)),
        }
        if status in pool:
            what, room = pool[status]
            raise HoneycombError(
                f"step at {self.time:.4f} s: the pool of {what} is full ({room}); the rope lies in itself. Use more layers, a "
                f"stiffer contact_stiffness or a smaller dt"
            )
        raise HoneycombError(f"step at {self.time:.4f} s: forces are not finite with steps of {h:.3g} s")

    def _changed(self) -> None:
        """The state was changed from outside: nothing is to be remembered of the steps before."""
        self._fresh, self._before = False, 0.0

    def _changing(self) -> list[Array]:
        return [getattr(self._a, name) for name in STATE]

    def _keep(self) -> None:
        for kept, array in zip(self._kept, self._changing()):
            kept[:] = array

    def _put_back(self) -> None:
        for kept, array in zip(self._kept, self._changing()):
            array[:] = kept

    def snapshot(self) -> Snapshot:
        """The state, to come back to."""
        numbers = (self.time, self._before, self.stable_step, self.substeps, self._fresh)
        arrays = {name: array.copy() for name, array in zip(STATE, self._changing())}
        return Snapshot(arrays, self._modes.copy(), numbers, (self._once[0], self._once[1]))

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot of this rope."""
        for name, array in zip(STATE, self._changing()):
            if array.shape != snapshot.arrays[name].shape:
                raise HoneycombError("snapshot: belongs to another rope")
        for name, array in zip(STATE, self._changing()):
            array[:] = snapshot.arrays[name]
        self._modes[:] = snapshot.modes
        self.time, self._before, self.stable_step, self.substeps, self._fresh = snapshot.numbers
        self._once[:] = snapshot.once
