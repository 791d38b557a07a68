"""The score of a policy: mean return over episodes that are the same for everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from taut.gym.task import ACTIONS, NEAR, SLOW, CraneTask

#: episodes that count, and the seed of the first
EPISODES, SEED = 100, 10_000

#: actions from observations, (n, 9) to (n, 2)
Policy = Callable[[np.ndarray], np.ndarray]


class Score(NamedTuple):
    """What a policy reaches: its mean return, that of its worst episode, and how often the load rests on the target at
    the end [-]."""

    mean: float
    worst: float
    rested: float


def score(policy: Policy, episodes: int = EPISODES, seed: int = SEED, task: CraneTask | None = None) -> Score:
    """Let a policy drive `episodes` cranes from their start to their end."""
    cranes = CraneTask(episodes) if task is None else task
    cranes.reset(np.arange(episodes), [np.random.default_rng(seed + i) for i in range(episodes)])
    total = np.zeros(episodes)
    for _ in range(ACTIONS):
        cranes.act(policy(cranes.observe()))
        total += cranes.reward()
    distance, speed = cranes.distance()
    return Score(float(total.mean()), float(total.min()), float(((distance < NEAR) & (speed < SLOW)).mean()))
