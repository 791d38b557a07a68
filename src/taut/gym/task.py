"""The task of the crane: bring the hanging load to a target and let it rest there. Numbers only; gymnasium comes later.

Observation, float32, shape (9,):

    0  position of the trolley along the girder [m]
    1  its velocity [m/s]
    2  sway: load ahead of the trolley [m]
    3  its rate [m/s]
    4  height of the load [m]
    5  its rate [m/s]
    6  target ahead of the load, along the girder [m]
    7  target above the load [m]
    8  time left [s]

Action, float32, shape (2,), each from -1 to 1: travel speed of the trolley (1 is 1 m/s) and speed of both winches together
(1 is 0.8 m/s of rope, 0.4 m/s of the load; up is positive). Ramps and limits of the drives are those of the scene.

Reward of each 0.1 s: 1 / (1 + (d / 0.2 m)^2 + (v / 0.2 m/s)^2) - 0.05 d / m with the distance d of the load from its target
and its speed v: 1 at rest on the target. An episode lasts 20 s: the score is about ten for each second at rest there.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from taut.scene import Scene
from taut.simulation import Simulation, Snapshot
from taut.sweep.batch import Batch

#: steps of 1/60 s for each action; actions in an episode
STEPS, ACTIONS = 6, 200
#: where targets and starts lie: along the girder, and the target's height [m]
ALONG, HEIGHT = (-4.0, 4.0), (2.2, 4.6)
#: distance and speed at which half of the reward is left, cost of a metre [m, m/s, 1/m]
NEAR, SLOW, COST = 0.2, 0.2, 0.05
#: action of 1 in the units of the controls [m/s]
TRAVEL, HOIST = 1.0, 0.8
OBSERVATIONS = (
    "trolley.position [m]", "trolley.velocity [m/s]", "sway [m]", "sway.rate [m/s]", "load.height [m]",
    "load.rate [m/s]", "target.ahead [m]", "target.above [m]", "time.left [s]",
)  # fmt: skip
#: largest size of each observation, with room to spare
OBSERVATION_LIMIT = np.array([10.0, 5.0, 20.0, 20.0, 20.0, 20.0, 20.0, 20.0, 25.0], np.float32)
_BODIES = ("trolley", "hook", "load")


@lru_cache(maxsize=1)
def _scene() -> Scene:
    from taut.scenes import open_scene

    return open_scene("gantry")


@lru_cache(maxsize=1)
def hanging() -> Snapshot:
    """The gantry with its load lifted off the ground, at rest."""
    sim = Simulation(_scene())
    for speed, seconds in ((0.8, 6.5), (0.0, 8.0)):
        sim.controls["left.speed"] = sim.controls["right.speed"] = speed
        sim.run(round(seconds / sim.dt))
    return sim.snapshot()


class CraneTask:
    """`n` cranes, each with a target of its own; everything is an array over the cranes."""

    def __init__(self, n: int, threads: int | None = None) -> None:
        self.batch = Batch(_scene(), n, threads=threads)
        bodies = self.batch[0].compiled.bodies
        self.trolley, self.hook, self.load = (bodies.index[name] for name in _BODIES)
        self._start = hanging()
        columns = self.batch.controls
        self._travel = columns.index("travel.speed")
        self._winches = [columns.index(f"{side}.speed") for side in ("left", "right")]
        self.target = np.zeros((n, 2))
        """Where the load is to be: along the girder and in height [m], shape (n, 2)."""
        self.actions = np.zeros(n, np.int64)
        """Actions taken in this episode, shape (n,)."""

    def reset(self, chosen: np.ndarray, randoms: list[np.random.Generator]) -> None:
        """New episodes of the cranes `chosen`, each drawn from its own generator."""
        state = self.batch.state
        self.batch.reset(chosen, state=self._start)
        for i in chosen:
            start, ahead, height = randoms[i].random(3)
            self.target[i] = ALONG[0] + (ALONG[1] - ALONG[0]) * ahead, HEIGHT[0] + (HEIGHT[1] - HEIGHT[0]) * height
            # the girder is the same everywhere: trolley, hook and load are moved along it together
            state.body_pos[i, [self.trolley, self.hook, self.load], 0] += ALONG[0] + (ALONG[1] - ALONG[0]) * start
        self.actions[chosen] = 0

    def act(self, actions: np.ndarray) -> None:
        """Set the controls of all cranes and go on by 0.1 s."""
        asked = np.clip(np.asarray(actions, float), -1.0, 1.0)
        control = self.batch.state.control
        control[:, self._travel] = TRAVEL * asked[:, 0]
        for column in self._winches:
            control[:, column] = HOIST * asked[:, 1]
        self.batch.step(None, STEPS)
        self.actions += 1

    def observe(self) -> np.ndarray:
        """The observations, shape (n, 9)."""
        state = self.batch.state
        trolley, load = state.body_pos[:, self.trolley], state.body_pos[:, self.load]
        v_trolley, v_load = state.body_vel[:, self.trolley], state.body_vel[:, self.load]
        left = (ACTIONS - self.actions) * STEPS * self.batch.dt
        seen = np.stack(
            [
                trolley[:, 0], v_trolley[:, 0], load[:, 0] - trolley[:, 0], v_load[:, 0] - v_trolley[:, 0], load[:, 2],
                v_load[:, 2], self.target[:, 0] - load[:, 0], self.target[:, 1] - load[:, 2], left,
            ],
            axis=1,
        )  # fmt: skip
        return np.clip(seen, -OBSERVATION_LIMIT, OBSERVATION_LIMIT).astype(np.float32)

    def reward(self) -> np.ndarray:
        """What the last action brought, shape (n,)."""
        distance, speed = self.distance()
        return 1.0 / (1.0 + (distance / NEAR) ** 2 + (speed / SLOW) ** 2) - COST * distance

    def distance(self) -> tuple[np.ndarray, np.ndarray]:
        """Distance of each load from its target [m], and its speed [m/s]."""
        state = self.batch.state
        load = state.body_pos[:, self.load]
        return (
            np.hypot(self.target[:, 0] - load[:, 0], self.target[:, 1] - load[:, 2]),
            np.linalg.norm(state.body_vel[:, self.load, :3], axis=1),
        )

    def lost(self) -> np.ndarray:
        """Cranes that could not make a step, shape (n,)."""
        return self.batch.diverged.copy()

    def ended(self) -> np.ndarray:
        """Cranes whose time is up, shape (n,)."""
        return self.actions >= ACTIONS

    def info(self) -> dict[str, Any]:
        """Distance and speed of each load."""
        distance, speed = self.distance()
        return {"distance": distance, "speed": speed}
