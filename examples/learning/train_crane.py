"""Train a crane operator with PPO (stable-baselines3) and compare it with a PID and with feedback of the sway.

    python examples/learning/train_crane.py                     # needs stable-baselines3; writes crane_policy.npz
    python examples/learning/train_crane.py --score             # the policy that is kept here, needs gymnasium only
    python examples/learning/train_crane.py --score --json docs/data/bench/learning.json

The score is the mean return over 100 episodes that training never saw.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import Any

import numpy as np

from taut.bench.report import begin, write
from taut.gym import CraneVectorEnv, Pid, SwayFeedback, score

KEPT = Path(__file__).with_name("crane_policy.npz")
#: what the policy network sees is divided by this [m, m/s, s]
SCALE = np.array([4.0, 1.0, 1.0, 1.0, 4.0, 0.5, 4.0, 2.0, 20.0], np.float32)
#: what it sees once more through a magnifying glass, since coming to rest is a matter of centimetres: the last metres
#: to the target and what swings [m, m, m, m/s]
FINE, FINE_SCALE = [6, 7, 2, 3], np.array([0.5, 0.5, 0.25, 0.25], np.float32)
#: rewards are learned in this unit: returns of a hundred would drown what the policy is to learn
UNIT = 20.0


def features(seen: np.ndarray) -> np.ndarray:
    """What the network is given of observations, shape (n, 13)."""
    return np.concatenate([seen / SCALE, np.tanh(seen[..., FINE] / FINE_SCALE)], axis=-1, dtype=np.float32)


class NumpyPolicy:
    """The mean action of a trained network, without the library that trained it: two hidden layers, tanh."""

    def __init__(self, file: Path) -> None:
        with np.load(file) as data:
            self.layers = [(data[f"weight_{k}"], data[f"bias_{k}"]) for k in range(3)]

    def __call__(self, seen: np.ndarray) -> np.ndarray:
        """Actions, shape (n, 2)."""
        # a network that was trained without the magnifying glass has fewer inputs
        x = features(seen)[:, : self.layers[0][0].shape[1]]
        for weight, bias in self.layers[:-1]:
            x = np.tanh(x @ weight.T + bias)
        weight, bias = self.layers[-1]
        return np.clip(x @ weight.T + bias, -1.0, 1.0)


def cranes_for_sb3(num_envs: int) -> Any:
    """Our vector environment in the form that stable-baselines3 takes."""
    from gymnasium import spaces
    from stable_baselines3.common.vec_env import VecEnv

    class Cranes(VecEnv):
        """All cranes in one batch; `cost` is the processor time that they took [s]."""

        def __init__(self) -> None:
            self.env = CraneVectorEnv(num_envs, autoreset_mode="SameStep")
            sees = spaces.Box(-np.inf, np.inf, (len(SCALE) + len(FINE),), np.float32)
            super().__init__(num_envs, sees, self.env.single_action_space)
            self.returns = np.zeros(num_envs)
            self.cost = 0.0

        def reset(self) -> np.ndarray:
            self.returns[:] = 0.0
            return features(self.env.reset(seed=0)[0])

        def step_async(self, actions: np.ndarray) -> None:
            self.actions = actions

        def step_wait(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, list[dict[str, Any]]]:
            begun = time.process_time()
            seen, reward, lost, ended, info = self.env.step(self.actions)
            self.cost += time.process_time() - begun
            self.returns += reward
            over = lost | ended
            infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
            for i in np.flatnonzero(over):
                infos[i] = {
                    "terminal_observation": features(info["final_obs"][i]),
                    "TimeLimit.truncated": bool(ended[i]),
                    "episode": {"r": float(self.returns[i]), "l": 200, "t": time.perf_counter()},
                }
            self.returns[over] = 0.0
            return features(seen), (reward / UNIT).astype(np.float32), over, infos

        def close(self) -> None:
            self.env.close()

        def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
            return [getattr(self.env, attr_name, None)] * num_envs

        def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
            setattr(self.env, attr_name, value)

        def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
            return [getattr(self.env, method_name)(*args, **kwargs)] * num_envs

        def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
            return [False] * num_envs

    return Cranes()


def train(actions: int, file: Path, num_envs: int = 128) -> tuple[float, float, float]:
    """Train for so many actions and keep the network; returns the time it took, and the processor time of the cranes and
    of the learning [s]."""
    import torch
    from stable_baselines3 import PPO
    from stable_baselines3.common.callbacks import BaseCallback

    torch.set_num_threads(1)  # the cranes have the cores

    class Progress(BaseCallback):
        def __init__(self) -> None:
            super().__init__()
            self.begun = self.told = time.perf_counter()

        def _on_step(self) -> bool:
            now = time.perf_counter()
            recent = [episode["r"] for episode in self.model.ep_info_buffer or ()]
            if now - self.told > 30.0 and recent:
                self.told = now
                print(
                    f"{now - self.begun:4.0f} s, {self.num_timesteps} actions, return {np.mean(recent):.1f}", flush=True
                )
            return True

    progress, cranes = Progress(), cranes_for_sb3(num_envs)
    begun = time.process_time()
    model = PPO(
        "MlpPolicy", cranes, n_steps=32, batch_size=1024, n_epochs=8, gamma=0.99, gae_lambda=0.95,
        learning_rate=lambda left: 1e-3 * left + 1e-5, ent_coef=0.0, seed=0, device="cpu",
        policy_kwargs={"net_arch": [64, 64], "log_std_init": -1.0},
    )  # fmt: skip
    model.learn(actions, callback=progress)
    spent = time.process_time() - begun
    hidden = model.policy.mlp_extractor.policy_net
    arrays = {}
    for k, layer in enumerate((hidden[0], hidden[2], model.policy.action_net)):
        arrays[f"weight_{k}"] = layer.weight.detach().numpy()
        arrays[f"bias_{k}"] = layer.bias.detach().numpy()
    np.savez(file, **arrays)
    return time.perf_counter() - progress.begun, cranes.cost, spent - cranes.cost


def main() -> None:
    """Train or score, as asked."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=1_500_000, help="of 0.1 s each, all cranes together")
    parser.add_argument("--out", type=Path, default=KEPT)
    parser.add_argument("--score", action="store_true", help="do not train, score the policy that is kept")
    parser.add_argument("--json", type=Path, help="keep scores, and what training cost, in this file")
    asked = parser.parse_args()
    report = begin()
    if not asked.score:
        wall, cranes, learning = train(asked.actions, asked.out)
        print(
            f"{asked.actions} actions in {wall / 60.0:.1f} minutes; processor time: cranes {cranes:.0f} s, learning {learning:.0f} s"
        )
        report["entries"]["training"] = {"actions": asked.actions, "wall": wall, "cranes": cranes, "learning": learning}
    policies = {"trained policy": NumpyPolicy(asked.out), "PID baseline": Pid(), "sway feedback": SwayFeedback()}
    for name, policy in policies.items():
        found = score(policy)
        report["entries"][name] = {"mean": found.mean, "worst": found.worst, "rested": found.rested}
        print(f"{name:<15}{found.mean:6.1f}, worst episode {found.worst:5.1f}, at rest at the end {found.rested:.0%}")
    if asked.json is not None:
        write(report, asked.json)


if __name__ == "__main__":
    main()
