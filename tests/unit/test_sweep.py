"""What a sweep is asked for: ranges, lists, samples, tables; and the words for what cannot be used."""

from pathlib import Path

import numpy as np
import pytest

from taut.scene import Scene, SceneError
from taut.sweep import Processes, Results, SweepError, SweepInput, make_plan, sweep
from taut.sweep.cases import from_csv, grid, sampled
from taut.sweep.ranges import variation
from taut.sweep.results import read, write_csv
from taut.sweep.summary import correlations, summary
from taut.sweep.task import run_case

PENDULUM = """
taut: 1
name: pendulum
duration: 0.5 s
measures: [rope.tension]
bodies:
  load: {shape: {type: sphere, radius: 10 cm}, mass: 1 t, position: [1, 0, -1], collide: false}
joints:
  rope: {type: distance, rope: true, b: load, point_a: [0, 0, 0]}
  slide: {type: slider, b: carriage, axis: [1, 0, 0], motor: {mode: speed}}
"""
SCENE = PENDULUM.replace(
    "joints:",
    "  carriage: {mass: 10, position: [9, 0, 0], shape: {type: sphere, radius: 0.1}, collide: false}\njoints:",
)


@pytest.fixture(scope="module")
def scene() -> Scene:
    return Scene.from_yaml(SCENE)


def test_a_range_is_evenly_spaced_and_keeps_its_unit() -> None:
    assert variation("load.mass=1:2:3 ").grid() == ("1.0", "1.5", "2.0")
    assert variation("load.mass=1 t:2 t:3").grid() == ("1.0 t", "1.5 t", "2.0 t")
    assert variation("a.b=x, y,x").grid() == ("x", "y")
    assert variation("load.position=[0, 0, 1],[0, 0, 2]").grid() == ("[0, 0, 1]", "[0, 0, 2]")


def test_a_grid_has_every_combination() -> None:
    cases = grid([variation("a.x=1,2"), variation("b.y=1:3:3")])
    assert cases.rows == tuple((a, b) for a in ("1", "2") for b in ("1.0", "2.0", "3.0"))


def test_a_latin_hypercube_fills_every_stripe_and_follows_its_seed() -> None:
    wanted = [variation("a.x=10:20"), variation("b.y=p,q")]
    cases = sampled(wanted, "lhs:40", 3)
    numbers = np.array([float(row[0]) for row in cases.rows])
    # one value in each of the 40 stripes of equal width; each word equally often
    assert sorted(np.floor((numbers - 10.0) * 4.0).astype(int)) == list(range(40))
    assert [row[1] for row in cases.rows].count("p") == 20
    assert sampled(wanted, "lhs:40", 3) == cases != sampled(wanted, "lhs:40", 4)


def test_parts_of_a_table_keep_the_numbers_of_their_cases() -> None:
    cases = grid([variation("a.x=0:9:10")])
    part = cases.part("3:5")
    assert (part.first, part.rows) == (3, (("3.0",), ("4.0",)))
    assert cases.part("8:100").rows == (("8.0",), ("9.0",))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("load.mass", "NAME=FROM:TO:COUNT"),
        ("load.mass=1:2:3:4", "a range is FROM:TO:COUNT"),
        ("load.mass=one:2:3", "'one' is no number"),
        ("load.mass=1 t:2 kg:3", "one unit"),
        ("load.mass=1:2:0", "no count"),
        ("load.mass=1,,2", "nothing between two commas"),
    ],
)
def test_a_range_that_cannot_be_read_says_how_to_write_it(text: str, words: str) -> None:
    with pytest.raises(SweepInput, match=words):
        variation(text)


def test_mistakes_in_a_request_are_told_before_anything_runs(scene: Scene, tmp_path: Path) -> None:
    table = tmp_path / "cases.csv"
    table.write_text("load.mass,load.velocity[0]\n100,1\n200\n")
    with pytest.raises(SweepInput, match="row 3 has 1 values; the heading has 2"):
        make_plan(scene, table=table)
    with pytest.raises(SweepInput, match=r"no column rope.length; its columns are load.mass"):
        table.write_text("load.mass\n1\n")
        from_csv(table, ["rope.length"])
    with pytest.raises(SceneError, match="did you mean 'mass'"):
        make_plan(scene, ["load.mas=1,2"])
    with pytest.raises(SceneError, match="nothing of that name"):
        make_plan(scene, ["lood.mass=1,2"])
    with pytest.raises(KeyError, match=r"no quantity 'rope.tensio'.*rope.tension"):
        make_plan(scene, ["load.mass=1,2"], measures=["max(rope.tensio)"])
    with pytest.raises(SweepInput, match="nothing is varied"):
        make_plan(scene)
    with pytest.raises(SweepInput, match=r"write 1:2:10|Write 1:2:10"):
        make_plan(scene, ["load.mass=1:2"])
    with pytest.raises(SweepInput, match="none of the 2 cases"):
        make_plan(scene, ["load.mass=1,2"], cases="2:9")
    with pytest.raises(SweepInput, match="lhs:COUNT"):
        make_plan(scene, ["load.mass=1:2"], sample="sobol:9")
    with pytest.raises(SweepInput, match="cannot be read"):
        make_plan(scene, table=tmp_path / "none.csv")


def test_a_control_can_be_varied(scene: Scene) -> None:
    plan = make_plan(scene, ["slide.speed=0.5,2"], measures=["final(carriage.velocity[0])"])
    assert plan.task.controls == ("slide.speed",)
    speeds = [run_case(plan.task, row).values[0] for row in plan.cases.rows]
    assert speeds == pytest.approx([0.5, 2.0], abs=1e-9)


def test_a_sweep_gives_the_numbers_of_single_runs(scene: Scene, tmp_path: Path) -> None:
    plan = make_plan(scene, ["load.mass=100:300:3", "wind.speed=0,20"])
    told = sweep(plan, tmp_path / "s.h5", Processes(2))
    assert (told.made, told.failed, told.left) == (6, 0, 0)
    results = Results(tmp_path / "s.h5")
    expected = [run_case(plan.task, row).values[0] for row in plan.cases.rows]
    assert results.measure("max(rope.tension)").tolist() == expected
    assert dict(correlations(results, "max(rope.tension)"))["load.mass"] > 0.9
    assert any("6 cases, 6 done, 0 failed" in line for line in summary(results))
    assert write_csv(results, tmp_path / "s.csv") == 6
    assert (
        (tmp_path / "s.csv").read_text().splitlines()[0].startswith("case,load.mass,wind.speed,max(rope.tension) [N]")
    )


def test_parts_join_to_the_whole(scene: Scene, tmp_path: Path) -> None:
    request = {"vary": ["load.mass=100:300"], "sample": "lhs:4", "seed": 5}
    whole = make_plan(scene, **request)
    for k, part in enumerate(("0:2", "2:4")):
        sweep(make_plan(scene, **request, cases=part), tmp_path / f"{k}.h5", Processes(1))
    joined = read([tmp_path / "1.h5", tmp_path / "0.h5"])
    assert joined.case.tolist() == [0, 1, 2, 3]
    assert joined.measure("max(rope.tension)").tolist() == [run_case(whole.task, r).values[0] for r in whole.cases.rows]


def test_an_older_sweep_is_neither_lost_nor_mixed_with_another(scene: Scene, tmp_path: Path) -> None:
    file = tmp_path / "s.h5"
    plan = make_plan(scene, ["load.mass=100,200"])
    sweep(plan, file, Processes(1))
    with pytest.raises(SweepError, match=r"it is complete.*--resume.*--overwrite"):
        sweep(plan, file, Processes(1))
    assert sweep(plan, file, Processes(1), resume=True).made == 0
    with pytest.raises(SweepError, match="its cases are other ones"):
        sweep(make_plan(scene, ["load.mass=100,300"]), file, resume=True)
    with pytest.raises(SweepError, match=r"its runs last 0.5 s, not 0.2 s"):
        sweep(make_plan(scene, ["load.mass=100,200"], seconds=0.2), file, resume=True)
    other = tmp_path / "other.h5"
    other.write_text("mine")
    with pytest.raises(SweepError, match="cannot be read"):
        sweep(plan, other, overwrite=True)
    assert other.read_text() == "mine"
