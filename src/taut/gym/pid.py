"""The baseline: a proportional controller with sway damping for the trolley, a proportional one for the winches.

    travel = kp ex - ki integral(ex) ... + ks sway + kd sway rate        hoist = kz ez

with the target ahead of the load ex [m] and above it ez [m]. The gains are the best of a search over 400 sets of them
(`search`), each tried on the same 32 episodes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from taut.gym.task import STEPS


@dataclass
class Pid:
    """Actions from observations, for any number of cranes; keeps the integral of each."""

    proportional: float = 0.3
    """[1/m]"""
    integral: float = 0.0
    """[1/(m s)]"""
    sway: float = 0.0
    """[1/m]"""
    damping: float = 0.3
    """Of the rate of the sway [s/m]."""
    hoist: float = 2.0
    """[1/m]"""
    _sum: np.ndarray = field(default_factory=lambda: np.zeros(0))

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Actions, shape (n, 2)."""
        ahead, above, sway, rate = seen[:, 6], seen[:, 7], seen[:, 2], seen[:, 3]
        if self._sum.shape != ahead.shape:
            self._sum = np.zeros_like(ahead)
        # only near the target, where it has something to remove
        self._sum = np.where(np.abs(ahead) < 0.5, self._sum + ahead * STEPS / 60.0, 0.0)
        # the error of the load holds the sway: taken out of it, the trolley is what is driven to the target
        travel = self.proportional * ahead + self.integral * self._sum + self.sway * sway + self.damping * rate
        return np.clip(np.stack([travel, self.hoist * above], axis=1), -1.0, 1.0).astype(np.float32)
