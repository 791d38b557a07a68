"""A cold start: every stage is compiled once, by whichever process takes it first. A warm start: nothing is."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest

import taut
from taut.core.jit import STEP_FOLDERS, cache_directory
from taut.core.locks import held
from taut.core.objects import ObjectCode, read_object, write_object
from taut.core.order import Stage
from taut.step import engine
from taut.step.features import Features, stages_for

FEATURES = Features(
    wind=True,
    families=None,
    relinearise=False,
    gauss_seidel=False,
    ropes=True,
    twist=False,
    weight=False,
    segments=False,
    layered=False,
    honeycomb=0,
    wraps=False,
    rods=False,
    rubbing=False,
    watched=False,
    fed=False,
)


class Other:
    """Another process that is at work on one stage, and ends without having made it when it is waited for."""

    def __init__(self, stage, form):
        self._stage = held(engine._file(stage, form).with_suffix(".lock"))
        assert self._stage.__enter__()

    def end(self):
        self._stage.__exit__(None, None, None)

    def wait(self):
        pass


@pytest.fixture
def compiled(monkeypatch, tmp_path):
    """Stages in the order in which they were compiled, with an empty cache."""
    order = []

    def compile_one(stage, form):
        order.append(stage)
        code = ObjectCode(f"entry_{stage.name}", (), b"code of " + stage.name.encode())
        write_object(engine._file(stage, form), code)
        return code

    monkeypatch.setattr(engine, "_compile", compile_one)
    monkeypatch.setattr(engine, "load_object", lambda code: len(code.data) + 1000)
    monkeypatch.setattr(engine, "kept_at", lambda folders: tmp_path)
    monkeypatch.setattr(engine, "_addresses", {})
    return order


def test_each_stage_is_taken_once_the_longest_first(compiled):
    forms = stages_for(FEATURES)
    first, second = engine._compile_share(forms, wait=False), engine._compile_share(forms, wait=False)
    for share in (first, second, first, second):
        next(share)
    assert compiled == [Stage.REEVE, Stage.SOLVE, Stage.FACTORISE, Stage.SUBSTITUTE]
    assert [*first, *second]
    assert sorted(compiled) == sorted(forms)


def test_what_another_process_has_taken_and_not_made_is_compiled_after_it_has_ended(compiled, monkeypatch):
    forms = stages_for(FEATURES)
    other = Other(Stage.SOLVE, forms[Stage.SOLVE])
    told = []

    def hear(*progress):
        told.append(progress)
        if len(compiled) == len(forms) - 1:
            other.end()  # not before all else is done: else there would be no waiting

    monkeypatch.setattr(engine, "_start_others", lambda forms: [other])
    addresses = engine.load_stages(forms, hear)
    assert compiled[-1] is Stage.SOLVE and len(compiled) == len(forms)
    assert {Stage(k) for k in np.flatnonzero(addresses)} == set(forms)
    ready = [each[0] for each in told]
    assert ready == sorted(ready) and told[-1][:2] == (len(forms), len(forms))


def test_a_warm_start_compiles_nothing(compiled, monkeypatch):
    monkeypatch.setattr(engine, "_start_others", lambda forms: [])
    first = engine.load_stages(stages_for(FEATURES))
    engine._addresses.clear()
    monkeypatch.setattr(engine, "_compile", lambda *given: pytest.fail("the cache is full"))
    assert np.array_equal(engine.load_stages(stages_for(FEATURES)), first)


def test_a_damaged_file_is_compiled_again(compiled, monkeypatch, tmp_path):
    monkeypatch.setattr(engine, "_start_others", lambda forms: [])
    engine.load_stages(stages_for(FEATURES))
    file = engine._file(Stage.WIND, ())
    whole = file.read_bytes()
    for damaged in (b"", whole[:-1], whole[:40], b"\xff\xfe" + whole):
        file.write_bytes(damaged)
        assert read_object(file) is None
        engine._addresses.clear()
        compiled.clear()
        engine.load_stages(stages_for(FEATURES))
        assert compiled == [Stage.WIND]


def test_another_process_does_its_share(compiled):
    forms = stages_for(FEATURES._replace(families=(None, 1, None, None, 1)))
    given = json.dumps({stage.name: form for stage, form in forms.items()})
    other = Other(Stage.REEVE, forms[Stage.REEVE])
    engine._help(given)
    other.end()
    assert set(compiled) == set(forms) - {Stage.REEVE}


def test_a_warm_start_imports_no_compiler():
    """Nor anything else that takes time to load and a gantry does not need."""
    program = "import sys, taut; taut.Simulation('gantry').run(1); print(*sys.modules)"
    for _ in range(2):
        last = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not {"numba", "scipy", "matplotlib", "h5py", "taut.cables.rod", "taut.cables.honeycomb"} & set(
        last.stdout.split()
    )


def _asks_for(stage, scene, steps):
    """Run a scene that has all other stages until a step asks for this one; the run is that with all at hand, to the last counter."""
    lazy, eager = taut.Simulation(scene), taut.Simulation(scene)
    eager.prepare().complete()
    mine, all_of_them = lazy.prepare().stages, eager.prepare().stages
    mine[:] = all_of_them
    mine[stage] = 0
    for sim in (lazy, eager):
        sim.run(steps)
    assert mine[stage] == all_of_them[stage] != 0 and lazy.steps == steps
    assert np.array_equal(lazy.compiled.state.floats, eager.compiled.state.floats)
    assert np.array_equal(lazy.compiled.state.ints, eager.compiled.state.ints)
    return lazy


def test_friction_of_many_contacts_is_compiled_when_a_step_first_needs_it():
    """Twenty boxes on the ground have eighty contacts, more than a border takes; the run is the same as with it at hand."""
    scene = taut.Scene(
        bodies={
            "ground": {"kind": "static", "shape": {"type": "plane"}},
            **{
                f"box_{i}": {
                    "position": [0.3 * i, 0, 0.15],
                    "mass": 1,
                    "shape": {"type": "box", "size": [0.2, 0.2, 0.2]},
                }
                for i in range(20)
            },
        }
    )
    lazy = _asks_for(Stage.RUB, scene, 30)
    assert all(abs(lazy.read(f"box_{i}.position")[2] - 0.1) < 1e-4 for i in range(20))


def test_contacts_that_go_round_in_circles_are_compiled_when_a_step_first_needs_them():
    """Crates in a yard; the run is the same as with interior points at hand."""
    _asks_for(Stage.CONES, "yard", 120)


def test_what_a_scene_may_need_is_compiled_ahead_by_another_process(tmp_path):
    """Without it in the cache, the run goes on meanwhile; what that process has made is not compiled again."""
    program = """
import time, taut
from taut.core.order import Stage
from taut.step import engine
sim = taut.Simulation("gantry")
made = sim.prepare()
compiled, compile_one = [], engine._compile
engine._compile = lambda stage, form: (compiled.append(stage), compile_one(stage, form))[1]
made.compile_ahead()
sim.run(5)
assert made.stages[Stage.CONES] == 0 and made.stages[Stage.RUB] != 0, "what is in the cache is loaded at once"
while not engine._is_kept(Stage.CONES, ()):
    time.sleep(0.1)
made.complete()
assert made.stages[Stage.CONES] != 0
assert not compiled, compiled
"""
    taut.Simulation("gantry").prepare().complete()
    kept = cache_directory(STEP_FOLDERS)
    shutil.copytree(kept, tmp_path / kept.name, ignore=shutil.ignore_patterns("cones_*"))
    last = subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | {"TAUT_CACHE_DIR": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert last.returncode == 0, last.stderr


KERNEL = """
import os, sys, time
from taut.core.jit import kernel

@kernel(entry=True)
def heavy(x):
    return 2.0 * x

from numba.core.dispatcher import Dispatcher
saved = heavy.dispatcher._cache.save_overload
def save(*given):
    print("compiled", flush=True)
    time.sleep(1.0)
    saved(*given)
heavy.dispatcher._cache.save_overload = save
assert heavy(2.0) == 4.0
"""


def test_processes_that_start_together_compile_a_kernel_once(tmp_path):
    """The second waits for the first and takes what it has made."""
    source = tmp_path / "kernels.py"
    source.write_text(KERNEL)
    command = [sys.executable, str(source)]
    environment = os.environ | {"TAUT_CACHE_DIR": str(tmp_path / "cache")}
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) for _ in range(2)]
    said = [process.communicate()[0] for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert sorted(said) == ["", "compiled\n"]
