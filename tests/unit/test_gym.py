"""The crane for learning: gymnasium's own checker, determinism, autoreset, pictures, the baseline."""

import importlib.util
import runpy
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

gymnasium = pytest.importorskip("gymnasium", reason="needs gymnasium: pip install 'taut[rl]'")

import taut.gym  # noqa: E402
from taut.gym.task import ACTIONS, CraneTask  # noqa: E402

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "learning" / "train_crane.py"


def test_the_checker_of_gymnasium_passes() -> None:
    from gymnasium.utils.env_checker import check_env

    env = gymnasium.make("taut/Crane-v0", render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped, skip_render_check=False)
    picture = env.unwrapped.render()
    assert picture.dtype == np.uint8 and picture.ndim == 3 and len(np.unique(picture.reshape(-1, 3), axis=0)) > 5


def test_the_vector_environment_is_one_batch_with_the_numbers_of_single_ones() -> None:
    envs = gymnasium.make_vec("taut/Crane-v0", num_envs=3, render_mode="rgb_array")
    assert isinstance(envs.unwrapped, taut.gym.CraneVectorEnv)
    seen, _ = envs.reset(seed=7)
    assert envs.observation_space.contains(seen)
    actions = np.random.default_rng(0).uniform(-1, 1, (12, 3, 2)).astype(np.float32)
    rewards = []
    for action in actions:
        seen, reward, lost, ended, _ = envs.step(action)
        rewards.append(reward)
        assert envs.observation_space.contains(seen) and not lost.any() and not ended.any()
    for i in range(3):
        env = gymnasium.make("taut/Crane-v0").unwrapped
        env.reset(seed=7 + i)
        steps = [env.step(action[i]) for action in actions]
        assert np.array_equal(steps[-1][0], seen[i])
        assert [step[1] for step in steps] == [reward[i] for reward in rewards]
    assert len(envs.render()) == 3
    envs.close()


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_an_episode_that_ends_begins_anew(mode: str) -> None:
    envs = taut.gym.CraneVectorEnv(2, autoreset_mode=mode)
    envs.reset(seed=1)
    envs.task.actions[:] = ACTIONS - 1, 0  # the first one has an action left
    still = np.zeros((2, 2), np.float32)
    seen, _, lost, ended, info = envs.step(still)
    assert ended.tolist() == [True, False] and not lost.any()
    if mode == "SameStep":
        assert info["_final_obs"].tolist() == [True, False] and info["final_obs"][0, 8] == 0.0
        assert seen[0, 8] == pytest.approx(20.0)
        return
    assert seen[0, 8] == 0.0
    seen, reward, _, ended, _ = envs.step(still)
    assert seen[0, 8] == pytest.approx(20.0) and reward[0] == 0.0 and not ended.any()


def test_a_crane_that_diverges_is_terminated_and_the_others_go_on() -> None:
    envs = taut.gym.CraneVectorEnv(2, autoreset_mode="SameStep")
    envs.reset(seed=1)
    envs.task.batch.state.body_vel[1, envs.task.load, 0] = 1e15
    _, _, lost, ended, _ = envs.step(np.zeros((2, 2), np.float32))
    assert lost.tolist() == [False, True] and not ended.any()
    _, _, lost, _, _ = envs.step(np.zeros((2, 2), np.float32))
    assert not lost.any(), "it began anew"


def test_mistakes_are_told() -> None:
    with pytest.raises(ValueError, match="expected None or 'rgb_array'"):
        taut.gym.CraneVectorEnv(2, render_mode="human")
    envs = taut.gym.CraneVectorEnv(2)
    envs.reset()
    with pytest.raises(ValueError, match=r"expected \(2, 2\): travel and hoist"):
        envs.step(np.zeros((2, 3)))


@pytest.fixture(scope="module")
def cranes() -> CraneTask:
    return CraneTask(24)


def test_the_baselines_bring_the_load_to_the_target(cranes: CraneTask) -> None:
    reached = taut.gym.score(taut.gym.SwayFeedback(), 24, task=cranes)
    pid = taut.gym.score(taut.gym.Pid(), 24, task=cranes)
    idle = taut.gym.score(lambda seen: np.zeros((len(seen), 2)), 24, task=cranes)
    assert reached.rested > 0.9 and reached.mean > pid.mean + 50.0 and pid.mean > idle.mean + 40.0


def test_the_trained_policy_beats_the_baseline(cranes: CraneTask) -> None:
    example = runpy.run_path(str(EXAMPLE))
    learned = taut.gym.score(example["NumpyPolicy"](example["KEPT"]), 24, task=cranes)
    baseline = taut.gym.score(taut.gym.Pid(), 24, task=cranes)
    print(f"trained {learned}, PID {baseline}")
    assert learned.mean > baseline.mean


def test_training_runs(tmp_path: Path) -> None:
    if importlib.util.find_spec("stable_baselines3") is None:
        pytest.skip("needs stable-baselines3: pip install stable-baselines3")
    example: dict[str, Any] = runpy.run_path(str(EXAMPLE))
    file = tmp_path / "policy.npz"
    wall, cranes, learning = example["train"](256, file, num_envs=4)
    assert wall > 0.0 and cranes > 0.0 and learning > 0.0
    assert example["NumpyPolicy"](file)(np.zeros((3, 9), np.float32)).shape == (3, 2)


def test_the_package_needs_gymnasium_only_when_asked() -> None:
    import subprocess

    code = "import sys, taut; taut.Batch; print('gymnasium' in sys.modules, 'distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
