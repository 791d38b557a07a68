"""A cold start: every stage is compiled once, by whichever process takes it first."""

import numpy as np
import pytest

import taut
from taut.step import engine
from taut.step.stages import Features, Stage, functions_for

FEATURES = Features(
    wind=True,
    families=None,
    relinearise=False,
    gauss_seidel=False,
    ropes=True,
    twist=False,
    segments=False,
    layered=False,
    wraps=False,
)


class Unit:
    """In place of compiled code."""

    def __init__(self, function):
        self.function = function
        self.address = id(function) % 2**40


class Other:
    """In place of another process: it has taken one stage."""

    def __init__(self, claims, stage):
        (claims / stage.name).touch()
        self.waited = 0

    def wait(self):
        self.waited += 1


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Functions in the order in which they were compiled, with an empty cache."""
    order = []
    monkeypatch.setattr(engine, "compile_stage", lambda function: order.append(function) or Unit(function))
    monkeypatch.setattr(engine, "cache_directory", lambda: tmp_path)
    monkeypatch.setattr(engine, "CACHED", True)
    monkeypatch.setattr(engine, "_loaded", {})
    monkeypatch.setattr(engine, "_compile_run", lambda: None)
    return order


def test_each_stage_is_taken_once_the_longest_first(tmp_path):
    stages = list(functions_for(FEATURES))
    first, second = engine._claim(stages, tmp_path), engine._claim(stages, tmp_path)
    taken = [next(first), next(second), next(first), next(second)]
    assert taken == [Stage.REEVE, Stage.SOLVE, Stage.ASSEMBLE, Stage.PLAN]
    taken += [*first, *second]
    assert sorted(taken) == sorted(stages)


def test_what_another_process_has_taken_comes_from_the_cache_after_it_has_ended(compiled, monkeypatch):
    others = []

    def start_others(features, claims):
        others.append(Other(claims, Stage.SOLVE))
        return others

    monkeypatch.setattr(engine, "_start_others", start_others)
    told = []
    addresses = engine.load_stages(FEATURES, lambda *progress: told.append(progress))
    functions = functions_for(FEATURES)
    assert compiled[-1] is functions[Stage.SOLVE] and len(compiled) == len(functions)
    assert others[0].waited == 1
    assert {Stage(k) for k in np.flatnonzero(addresses)} == set(functions)
    ready = [each[0] for each in told]
    assert ready == sorted(ready) and told[-1] == (len(functions), len(functions), "solve")


def test_a_warm_start_asks_nobody(compiled, monkeypatch):
    monkeypatch.setattr(engine, "_start_others", lambda features, claims: [])
    engine.load_stages(FEATURES)
    engine._loaded.clear()
    monkeypatch.setattr(engine, "_start_others", lambda features, claims: pytest.fail("the cache is full"))
    engine.load_stages(FEATURES)


def test_another_process_does_its_share(compiled, tmp_path):
    import json

    (tmp_path / Stage.REEVE.name).touch()
    engine._help(json.dumps(FEATURES._replace(families=(None, 1, None, None, 1))), str(tmp_path))
    assert len(compiled) == len(functions_for(FEATURES))  # without REEVE, with COLLIDE


def test_the_page_of_the_step_is_compiled_for_what_it_is_given():
    engine._compile_run()
    known = list(engine._run.signatures)
    taut.Simulation("pendulum").run(1)
    assert engine._run.signatures == known
