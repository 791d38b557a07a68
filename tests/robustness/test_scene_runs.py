"""Random and mutated scenes that are read without complaint must also run, or be refused in words."""

from __future__ import annotations

import numpy as np
import pytest
from fuzz import scene_texts

import taut
from taut.scene import Scene, SceneError

#: texts that are tried, and how large a scene may be to be run here
TEXTS, MOST_BODIES, STEPS = 260, 60, 8


def sound_scenes(seed: int):
    for number, text in enumerate(scene_texts(TEXTS // 4, seed)):
        try:
            scene = Scene.from_yaml(text, "fuzz.yaml")
        except SceneError:
            continue
        if len(scene.all_bodies()) <= MOST_BODIES:
            yield number, scene


@pytest.mark.parametrize("seed", range(4))
def test_what_is_read_also_runs(seed):
    """Only SceneError and SimulationError may come out, and never a state that is not finite."""
    ran = 0
    for number, scene in sound_scenes(1000 + seed):
        try:
            sim = taut.Simulation(scene)
            sim.run(STEPS)
            ran += 1
        except (SceneError, taut.SimulationError) as error:
            assert str(error)
            continue
        assert np.isfinite(sim.compiled.state.floats).all(), number
        for name in ("energy.mechanical", "residual.speed", "momentum.linear"):
            assert np.isfinite(sim.read(name)).all(), (number, name)
    assert ran > 5


def test_a_failed_step_leaves_a_state_that_can_be_read():
    for seed in (1000, 1001):
        for number, scene in sound_scenes(seed):
            try:
                sim = taut.Simulation(scene)
            except SceneError:
                continue
            try:
                sim.run(2)
            except taut.SimulationError:
                assert np.isfinite(sim.compiled.state.floats).all(), number
                assert all(np.isfinite(sim.read(name)).all() for name in sim.names)
