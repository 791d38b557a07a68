"""Two baselines: a PID controller of each axis, and a feedback that sees the sway as well.

    Pid           travel = kp e + ki integral(e) + kd de/dt       e: way from the trolley to above the target [m]
    SwayFeedback  travel = kp d + ks sway + kd sway rate          d: way from the load to its target along the girder [m]
    both          hoist = kz (way up to the target)

A PID of the load's own position scores far less: it drives the sway.

The gains are the best of a random search on 32 episodes that do not count for the score: 39 sets for the PID, where an
integral did not help, and some 200 for the feedback of the sway.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from taut.gym.task import STEPS

#: the integral grows only this near to the target, where it has something to remove [m]
_NEAR = 0.5


@dataclass
class Pid:
    """PID of the trolley's position, for any number of cranes; keeps the integral of each."""

    proportional: float = 0.264
    """[1/m]"""
    integral: float = 0.0
    """[1/(m s)]"""
    derivative: float = 0.627
    """[s/m]"""
    hoist: float = 1.32
    """[1/m]"""
    _sum: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Actions, shape (n, 2)."""
        error, rate = seen[:, 6] + seen[:, 2], -seen[:, 1]
        if self._sum.shape != error.shape:
            self._sum = np.zeros_like(error)
        self._sum = np.where(np.abs(error) < _NEAR, self._sum + error * STEPS / 60.0, 0.0)
        travel = self.proportional * error + self.integral * self._sum + self.derivative * rate
        return _action(travel, self.hoist * seen[:, 7])


@dataclass
class SwayFeedback:
    """Feedback of the load's position and of its sway: what a crane with a sway sensor does."""

    proportional: float = 0.446
    """[1/m]"""
    sway: float = 1.32
    """[1/m]"""
    damping: float = -0.266
    """Of the rate of the sway [s/m]."""
    hoist: float = 1.62
    """[1/m]"""

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Actions, shape (n, 2)."""
        travel = self.proportional * seen[:, 6] + self.sway * seen[:, 2] + self.damping * seen[:, 3]
        return _action(travel, self.hoist * seen[:, 7])


def _action(travel: np.ndarray, hoist: np.ndarray) -> np.ndarray:
    return np.clip(np.stack([travel, hoist], axis=1), -1.0, 1.0).astype(np.float32)
