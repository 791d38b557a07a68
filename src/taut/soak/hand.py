"""A hand on the controls: drawn at random from what operators do, and from what they should not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.bench.driving import drive_roughly
from taut.scene import Winch

#: a shove lasts this long [s] and is so many times the weight of what is shoved, at most: across and upwards
SHOVE_TIME, SHOVE = 0.25, (0.5, 0.5, 0.2)
#: what moves faster is held back instead [m/s]
FAST = 1.5
#: how far bodies that move as told go from where they began [m]
AWAY = 0.3
#: bodies heavier than this part of the heaviest are shoved: light links of a chain would be shot out of it
SHOVED = 0.05


class Hand:
    """Makes one move after the other on a simulation; the same seed makes the same moves."""

    def __init__(self, sim: Any, seed: int) -> None:
        self._sim, self._random = sim, np.random.default_rng(seed)
        controls = list(sim.controls)
        self._speeds = [name for name in controls if name.endswith(".speed")]
        self._paths = [name for name in controls if ".velocity[" in name]
        self._home = {name: sim.read(_place(name)) for name in self._paths}
        self._stops = [name for name in controls if name.endswith(".emergency")]
        own = {
            part.name or cable
            for cable, spec in sim.scene.cables.items()
            for part in spec.parts()
            if isinstance(part, Winch)
        }
        self._winches = [name for name in self._speeds if name.removesuffix(".speed") in own]
        self._bodies = self._heavy()
        moves: list[Callable[[], float]] = [self.wait]
        if self._bodies:
            moves.append(self.shove)
        if self._speeds:
            moves += [self.rough, self.rough, self.rest, self.one]
        if self._winches:
            moves += [self.slack, self.snatch, self.lift]
        if self._stops:
            moves.append(self.emergency)
        self._moves = moves
        #: how often each move was made
        self.made = {move.__name__: 0 for move in self._moves}
        self._shoved: list[str] = []

    def move(self) -> float:
        """Make a move; returns how long it lasts [s]."""
        self._let_go()
        self._wander()
        chosen = self._moves[int(self._random.integers(len(self._moves)))]
        self.made[chosen.__name__] += 1
        return chosen()

    def rough(self) -> float:
        """Every lever somewhere, all at once."""
        drive_roughly(self._sim, self._random)
        return float(self._random.uniform(0.5, 3.0))

    def one(self) -> float:
        """One lever alone: a beam tilts, a trolley travels."""
        self._all(0.0)
        self._sim.controls[str(self._random.choice(self._speeds))] = float(self._random.uniform(-1.0, 1.0))
        return float(self._random.uniform(1.0, 5.0))

    def rest(self) -> float:
        """Hands off."""
        self._all(0.0)
        return float(self._random.uniform(0.5, 4.0))

    def lift(self) -> float:
        """All winches haul."""
        return self._haul(1.0, self._random.uniform(2.0, 8.0))

    def slack(self) -> float:
        """All winches pay out for long: loads land and ropes go slack."""
        return self._haul(-1.0, self._random.uniform(5.0, 15.0))

    def snatch(self) -> float:
        """All winches from wherever they are to full hauling at once: slack ropes snap taut."""
        return self._haul(2.0, self._random.uniform(1.0, 3.0))

    def emergency(self) -> float:
        """The red button, in full motion."""
        for name in self._stops:
            self._sim.controls[name] = 1.0
        return float(self._random.uniform(0.3, 1.5))

    def shove(self) -> float:
        """Something heavy is pushed, as by a gust or another load, and begins to swing."""
        name = self._bodies[int(self._random.integers(len(self._bodies)))]
        i = self._sim.compiled.bodies.index[name]
        weight = float(self._sim.compiled.bodies.mass[i]) * 9.81
        push = self._random.uniform(-1.0, 1.0, 3) * SHOVE
        speed = self._sim.read(f"{name}.velocity")
        if np.linalg.norm(speed) > FAST:
            # nothing else takes the swing of a chain away: shoves alone would heat it without end
            push = -0.5 * speed / np.linalg.norm(speed)
        self._sim.push(name, weight * push)
        self._shoved.append(name)
        return SHOVE_TIME

    def wait(self) -> float:
        """Let it go on as it does."""
        return float(self._random.uniform(0.5, 5.0))

    def _wander(self) -> None:
        """Bodies that move as told stay about where they began: a hand that leaves the yard tears everything down."""
        for name in self._paths:
            away = self._sim.read(_place(name)) - self._home[name]
            speed = self._random.uniform(-0.5, 0.5)
            self._sim.controls[name] = float(-np.sign(away) * abs(speed) if abs(away) > AWAY else speed)

    def _haul(self, speed: float, seconds: float) -> float:
        for name in self._winches:
            self._sim.controls[name] = speed
        return float(seconds)

    def _all(self, speed: float) -> None:
        for name in self._speeds:
            self._sim.controls[name] = speed

    def _let_go(self) -> None:
        """End what must not last: a shove and the red button."""
        for name in self._shoved:
            self._sim.push(name)
        self._shoved.clear()
        for name in self._stops:
            self._sim.controls[name] = 0.0

    def _heavy(self) -> list[str]:
        bodies = self._sim.compiled.bodies
        own = [name for name, body in self._sim.scene.bodies.items() if body.moved_by_forces]
        masses = {name: float(bodies.mass[bodies.index[name]]) for name in own}
        most = max(masses.values(), default=0.0)
        return [name for name, mass in masses.items() if mass >= SHOVED * most]


def _place(control: str) -> str:
    """The position that belongs to a velocity that is driven."""
    return control.replace(".velocity[", ".position[")
