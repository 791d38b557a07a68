"""Cranes for learning: the Gymnasium environment `taut/Crane-v0` and its baselines.

    import gymnasium, taut.gym
    envs = gymnasium.make_vec("taut/Crane-v0", num_envs=64)        # one batch on all cores
    env = gymnasium.make("taut/Crane-v0", render_mode="rgb_array")

Needs the package gymnasium: pip install 'taut[rl]'.
"""

from __future__ import annotations

try:
    import gymnasium
except ModuleNotFoundError as error:
    raise ModuleNotFoundError(
        "taut.gym needs the package 'gymnasium'; install it with pip install 'taut[rl]'", name="gymnasium"
    ) from error

from taut.gym.pid import Pid, SwayFeedback
from taut.gym.score import Score, score
from taut.gym.single import CraneEnv
from taut.gym.vector import CraneVectorEnv

__all__ = ["ID", "CraneEnv", "CraneVectorEnv", "Pid", "Score", "SwayFeedback", "score"]

ID = "taut/Crane-v0"
if ID not in gymnasium.registry:
    gymnasium.register(ID, entry_point="taut.gym:CraneEnv", vector_entry_point="taut.gym:CraneVectorEnv")
