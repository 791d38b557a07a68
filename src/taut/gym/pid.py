"""The baseline: proportional control of both axes, with the sway fed back.

    travel = kp ahead + ki integral(ahead) + ks sway + kd sway rate        hoist = kz above

ahead [m] and above [m] are the way from the load to its target. The gains are the best of some 200 sets, found by a random
search on 32 episodes that do not count for the score; an integral did not help.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from taut.gym.task import STEPS


@dataclass
class Pid:
    """Actions from observations, for any number of cranes; keeps the integral of each."""

    proportional: float = 0.446
    """[1/m]"""
    integral: float = 0.0
    """[1/(m s)]"""
    sway: float = 1.32
    """[1/m]"""
    damping: float = -0.266
    """Of the rate of the sway [s/m]."""
    hoist: float = 1.62
    """[1/m]"""
    _sum: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Actions, shape (n, 2)."""
        ahead, above, sway, rate = seen[:, 6], seen[:, 7], seen[:, 2], seen[:, 3]
        if self._sum.shape != ahead.shape:
            self._sum = np.zeros_like(ahead)
        # only near the target, where it has something to remove
        self._sum = np.where(np.abs(ahead) < 0.5, self._sum + ahead * STEPS / 60.0, 0.0)
        travel = self.proportional * ahead + self.integral * self._sum + self.sway * sway + self.damping * rate
        return np.clip(np.stack([travel, self.hoist * above], axis=1), -1.0, 1.0).astype(np.float32)
