"""`taut/Crane-v0` as a vector environment: all cranes in one batch, on all cores."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from taut.gym.picture import draw
from taut.gym.task import OBSERVATION_LIMIT, STEPS, CraneTask


def observation_space() -> spaces.Box:
    """Of one crane; see taut.gym.task for what each number means."""
    return spaces.Box(-OBSERVATION_LIMIT, OBSERVATION_LIMIT, dtype=np.float32)


def action_space() -> spaces.Box:
    """Of one crane: travel and hoist, each from -1 to 1."""
    return spaces.Box(-1.0, 1.0, (2,), np.float32)


class CraneVectorEnv(VectorEnv):
    """Gantry cranes that bring their loads to targets; observation, action and reward are those of taut.gym.task."""

    metadata: dict[str, Any] = {  # noqa: RUF012
        "render_modes": ["rgb_array"],
        "render_fps": round(60 / STEPS),
        "autoreset_mode": AutoresetMode.NEXT_STEP,
    }

    def __init__(
        self,
        num_envs: int = 1,
        render_mode: str | None = None,
        threads: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        """num_envs: cranes. threads: as many as cores if not given. autoreset_mode: when an ended episode begins anew."""
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode {render_mode!r}; expected None or 'rgb_array'")
        self.num_envs, self.render_mode = num_envs, render_mode
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        self.single_observation_space, self.single_action_space = observation_space(), action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.task = CraneTask(num_envs, threads)
        self._randoms = [np.random.default_rng() for _ in range(num_envs)]
        self._over = np.zeros(num_envs, bool)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New episodes of all cranes, or of those in `options["reset_mask"]`."""
        seeds = [seed + i for i in range(self.num_envs)] if isinstance(seed, int) else seed or [None] * self.num_envs
        if len(seeds) != self.num_envs:
            raise ValueError(f"{len(seeds)} seeds for {self.num_envs} cranes")
        mask = (options or {}).get("reset_mask")
        chosen = np.arange(self.num_envs) if mask is None else np.flatnonzero(mask)
        for i in chosen:
            if seeds[i] is not None:
                self._randoms[i] = np.random.default_rng(seeds[i])
        self._begin(chosen)
        return self.task.observe(), self.task.info()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """All cranes go on by 0.1 s."""
        given = np.asarray(actions)
        if given.shape != (self.num_envs, 2):
            raise ValueError(f"actions of shape {given.shape}; expected ({self.num_envs}, 2): travel and hoist")
        task, begun = self.task, self._over.copy()
        if self.autoreset_mode == AutoresetMode.DISABLED and begun.any():
            raise ValueError("some episodes are over; reset them with options={'reset_mask': ...}")
        task.act(given)
        reward = task.reward()
        if begun.any():  # NEXT_STEP: this action began an episode, and did nothing else
            self._begin(np.flatnonzero(begun))
            reward[begun] = 0.0
        lost, ended = task.lost(), task.ended()
        self._over = lost | ended
        seen, info = task.observe(), task.info()
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._over.any():
            over = self._over
            info = {"final_obs": seen.copy(), "_final_obs": over.copy(), "final_info": info, "_final_info": over.copy()}
            self._begin(np.flatnonzero(over))
            seen = task.observe()
            info |= task.info()
            return seen, reward, lost, ended & ~lost, info
        return seen, reward, lost, ended & ~lost, info

    def _begin(self, chosen: np.ndarray) -> None:
        self.task.reset(chosen, self._randoms)
        self._over[chosen] = False

    def render(self) -> tuple[np.ndarray, ...] | None:
        """A picture of each crane."""
        if self.render_mode is None:
            return None
        return tuple(draw(self.task, i) for i in range(self.num_envs))

    def close_extras(self, **kwargs: Any) -> None:
        """Nothing is left open."""
