"""`taut/Crane-v0` as a single environment: a batch of one."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from taut.gym.picture import draw
from taut.gym.task import STEPS, CraneTask
from taut.gym.vector import action_space, observation_space


class CraneEnv(gymnasium.Env):
    """A gantry crane that brings its load to a target; observation, action and reward are those of taut.gym.task."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "render_fps": round(60 / STEPS)}  # noqa: RUF012

    def __init__(self, render_mode: str | None = None) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r}; expected None or 'rgb_array'")
        self.render_mode = render_mode
        self.observation_space, self.action_space = observation_space(), action_space()
        self.task = CraneTask(1, 1)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new episode."""
        super().reset(seed=seed)
        self.task.reset(np.array([0]), [self.np_random])
        return self.task.observe()[0], self._info()

    def step(self, action: np.ndarray) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Go on by 0.1 s."""
        self.task.act(np.asarray(action)[None])
        lost = bool(self.task.lost()[0])
        ended = bool(self.task.ended()[0]) and not lost
        return self.task.observe()[0], float(self.task.reward()[0]), lost, ended, self._info()

    def _info(self) -> dict[str, Any]:
        return {name: float(values[0]) for name, values in self.task.info().items()}

    def render(self) -> np.ndarray | None:
        """A picture of the crane."""
        return None if self.render_mode is None else draw(self.task, 0)
