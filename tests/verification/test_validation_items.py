"""The validation itself: its items pass, and a seeded fault turns each of them red."""

from __future__ import annotations

import json

import pytest
from faults import FAULTS, FaultyLab

from taut.validate import SETS, Item, Lab, checks_of, main
from taut.validate.item import below, between, close, told
from taut.validate.run import run_check

#: faults that turn every item of a check red, at least one each
NOTICED = {
    "chain": {
        "released_and_pushed": ("frozen", "misread"),
        "ratios": ("drift",),
        "kicks": ("boost",),
        "without_geometric_stiffness": ("still", "stiff"),
        "limits": (),
    },
    "solver": {
        "momentum": ("leak",),
        "tumbling_box": ("still",),
        "long_pendulum": ("leak",),
        "recurrence": ("late",),
        "damping": ("leak",),
        "spring_force": ("late",),
        "orders": ("heavy",),
        "stiffness_range": ("misread",),
        "hinge": ("leak",),
        "straight": ("heavy",),
        "trammel": ("boost",),
        "distance": ("boost",),
        "lock": ("heavy",),
        "motors": ("misread",),
        "servos": ("misread",),
        "limits": ("misread", "unlimited"),
        "slack_rope": ("boost", "heavy", "pushy", "mirrored"),
        "wind": ("misread",),
        "locked_twice": ("misread",),
        "ring": ("boost",),
    },
    "contact_basics": {
        "sticking": ("misread",),
        "sliding": ("misread",),
        "fast_block": ("misread",),
        "rolling": ("boost",),
        "tipping": ("still", "drift"),
        "landing": ("drift", "heavy", "boost"),
        "stack": ("drift",),
        "bounce": ("boost",),
        "collision": ("boost", "drift"),
    },
    "contact": {
        "heavy_stack": ("drift", "misread"),
        "inside_each_other": ("boost", "drift"),
        "capstan": ("slick", "misread"),
        "hold_and_slip": ("slick", "rough"),
        "touching_down": ("misread",),
        "on_a_slope": ("slick", "rough"),
        "heap": ("misread",),
        "large_heap": ("misread",),
        "random_piles": ("misread", "boost"),
        "chain_of_links": ("filled", "misread"),
        "mesh_on_a_slope": ("slick", "rough"),
    },
    "massless": {
        "stretch_periods": ("boost",),
        "twist_periods": ("boost",),
        "deformation_force": ("misread",),
        "vibration_energy": ("misread", "late", "soft"),
        "velocity_row": ("misread",),
        "fig_9": ("leak", "boost", "still"),
        "relift": ("misread", "boost", "mirrored"),
        "stiff_relift": ("misread", "mirrored", "drift"),
        "pure_swing": ("misread",),
        "wrap_geometry": ("misread",),
        "falls": ("soft", "misread"),
        "leaning_falls": ("drift",),
        "lead_line": ("misread",),
        "atwood": ("misread",),
        "capstan": ("misread",),
        "length_account": ("creep",),
        "drum_layers": ("misread", "late"),
        "winch_speed": ("drift",),
        "winch_limits": ("misread",),
        "winch_brake": ("misread", "late"),
        "winch_stops": ("misread", "creep", "mirrored"),
        "winch_position": ("misread", "mirrored"),
        "two_block": ("misread",),
        "load_moment": ("misread", "mirrored", "creep"),
        "drum_traverse": ("misread", "creep"),
        "rope_weight": ("misread",),
        "starts": ("misread", "drift"),
        "changes": ("misread", "mirrored"),
        "pick_up": ("misread", "mirrored"),
        "twist_slack": ("mirrored",),
        "laid_rope": ("misread", "mirrored", "drift"),
        "master_link": ("frozen", "boost"),
        "bounce": ("boost",),
        "trolley_swing": ("boost",),
    },
    "segmented": {
        "requirements": ("drift", "mirrored"),
        "stretched": ("misread",),
        "twisted": ("misread",),
        "bent": ("drift",),
        "isotropy": ("soft",),
        "catenary": ("boost",),
        "own_weight": ("drift",),
        "tip_load": ("misread",),
        "euler": ("misread",),
        "greenhill": ("boost",),
        "twisted_wire": ("drift",),
        "chain_modes": ("boost",),
        "cantilever_modes": ("soft",),
        "elastic_pendulum": ("misread",),
        "steel_swing": ("boost",),
        "steel_rest": ("misread",),
        "table_one": ("boost",),
        "paper_stepper": ("boost",),
        "figures": ("limp",),
        "table_two": ("boost",),
        "longest_swing": ("boost",),
        "paper_joints": ("boost",),
        "gauss_seidel": ("boost",),
        "violent_anchor": ("boost",),
        "pay_out": ("misread", "drift"),
        "events": ("undivided", "sticky", "hasty"),
        "long_rope": ("undivided", "lopsided"),
        "parting": ("misread", "strong"),
        "sliding": ("misread", "late"),
        "moored": ("undecided", "hasty", "shrunk"),
        "hoisted": ("undecided", "hasty"),
        "swinging_crane": ("leak",),
        "heavy_crane": ("drift",),
        "whip": ("curved",),
    },
    "layered": {
        "hanging": ("misread",),
        "string_frequencies": ("late",),
        "irvine": ("late",),
        "energy": ("creep",),
        "stability": ("whip",),
        "heavy_pendulum": ("heavy",),
        "free_fall": ("heavy",),
        "slew": ("misread",),
        "axial_weight": ("misread", "whip"),
        "lift_delay": ("late",),
        "decay": ("leak",),
        "snap_load": ("boost",),
        "light_sheave": ("boost",),
        "massless_limit": ("dense",),
        "interrupted_pendulum": ("leak", "through"),
        "bar_under_span": ("through", "whip"),
        "rough_drum": ("through", "misread"),
        "explicit_scheme": (),
        "beside_segments": ("creep",),
    },
    "wrapping": {
        "shortest_over_boxes": ("through", "misread"),
        "shortest_round_cylinders": ("misread",),
        "interrupted_pendulum": ("leak", "through", "creep"),
        "friction": ("misread",),
        "free_body": ("leak", "through"),
        "fast_rope": ("through",),
        "bollard": ("misread",),
    },
}
#: faults of rods: test_rod_validation
OF_RODS = {"ghostly"}
CASES = [(name, check) for name, checks in NOTICED.items() for check in checks]


def find(name, check):
    return next(c for c in checks_of(name) if c.__name__ == check)


def test_every_check_has_its_faults():
    for name, checks in NOTICED.items():
        assert set(checks) == {check.__name__ for check in checks_of(name)}
    # rods and honeycomb ropes have faults of their own: test_items_turn_red takes all of their checks
    assert set(NOTICED) | {"rod", "honeycomb"} == set(SETS)


@pytest.mark.parametrize("name, check", CASES, ids=[f"{name}-{check}" for name, check in CASES])
def test_items_pass_and_faults_are_noticed(name, check):
    """Quick runs. An item that stays green whatever is wrong would say nothing."""
    items = list(run_check(find(name, check), Lab(quick=True)))
    failed = [(item.id, item.ours, item.note) for item in items if item.passed is False]
    judged = {item.id for item in items if item.passed is not None}
    for fault in NOTICED[name][check]:
        judged -= {item.id for item in run_check(find(name, check), FaultyLab(fault)) if item.passed is False}
    assert not judged, "never red"
    assert not failed


def test_identifiers_are_unique_and_say_their_set():
    seen = set()
    looked_at = [("solver", "straight"), ("solver", "lock"), ("contact_basics", "rolling")]
    looked_at += [(name, check.__name__) for name in ("massless", "segmented", "layered") for check in checks_of(name)]
    for name, check in looked_at:
        for item in run_check(find(name, check), Lab(quick=True)):
            assert item.id not in seen and item.id.startswith(name.split("_")[0])
            assert item.source and (item.passed is None or (item.reason and item.tolerance))
            seen.add(item.id)


def test_every_fault_is_used():
    used = {fault for checks in NOTICED.values() for faults in checks.values() for fault in faults}
    assert used | OF_RODS == set(FAULTS)


def test_a_check_that_stops_is_a_failed_item():
    def broken(lab: Lab):
        yield told("x.fine", 1.0, unit="-", source="s", note="")
        raise RuntimeError("no rope")

    items = list(run_check(broken, Lab(quick=True)))
    assert [item.passed for item in items] == [None, False] and "no rope" in items[1].note


@pytest.mark.parametrize("ours", [float("nan"), float("inf"), 1.02])
def test_verdicts_refuse(ours):
    words = {"unit": "-", "source": "s", "reason": "r"}
    assert close("a.b", ours, 1.0, 1e-2, **words).passed is False
    assert below("a.b", ours, 1e-2, **words).passed is False
    assert between("a.b", ours, 0.0, 1.0, **words).passed is False


def test_verdicts_accept():
    words = {"unit": "-", "source": "s", "reason": "r"}
    assert close("a.b", 1.005, 1.0, 1e-2, **words).passed is True
    assert close("a.b", 0.0, 0.0, 0.0, **words).passed is True
    assert below("a.b", -1e-3, 1e-2, **words).passed is True
    assert between("a.b", 0.5, 0.0, 1.0, **words).passed is True


@pytest.fixture
def tiny(monkeypatch):
    """One small set in place of all."""

    def check(lab: Lab):
        lab.plot("A", "x", "y", {"ours": ([0, 1, 2], [0, 1, 4]), "theory": ([0, 1, 2], [0, 1, 4])})
        yield close("tiny.good", 1.0, 1.0, 1e-3, unit="m", source="s < t", reason="r")
        yield Item("tiny.odd", "s", None, None, float("nan"), "m", "", "", None)
        yield below("tiny.bad", 1.0 if not lab.quick else 0.0, 1e-3, unit="m", source="s", reason="r")

    monkeypatch.setattr("taut.validate.run.SETS", {"tiny": "tiny"})
    monkeypatch.setattr("taut.validate.run.checks_of", lambda name: (check,))


def test_exit_codes(tiny, capsys):
    assert main("tiny", quick=True) == 0
    assert main("tiny", quick=False) == 1
    assert "tiny.bad" in capsys.readouterr().out
    assert main("tinny", quick=True) == 2
    assert "tiny" in capsys.readouterr().err


def test_json_and_report(tiny, tmp_path):
    assert main(None, True, tmp_path / "deep" / "items.json", str(tmp_path / "report")) == 0
    data = json.loads((tmp_path / "deep" / "items.json").read_text())
    assert [item["id"] for item in data["items"]] == ["tiny.good", "tiny.odd", "tiny.bad"]
    assert data["items"][1]["ours"] is None and data["items"][0]["passed"] is True
    assert data["taut"] and data["versions"]["numba"] and data["machine"]["system"]
    page = (tmp_path / "report" / "validation.html").read_text()
    # one file with everything inside, and theory's signs as text
    assert "data:image/png;base64," in page and "s &lt; t" in page and "http" not in page
    assert [p.name for p in (tmp_path / "report").iterdir()] == ["validation.html"]


def test_what_bench_and_soak_left_is_in_the_report(tiny, tmp_path):
    from taut.bench.plots import write_all
    from taut.bench.report import begin
    from taut.soak import soak

    folder = tmp_path / "report"
    assert main(None, True, None, folder) == 0
    page = (folder / "validation.html").read_text()
    assert "taut bench --out DIR" in page and "taut soak --all --out DIR/soak" in page
    time = {"best": 1.0, "median": 1.1, "worst": 1.2}
    made = {**begin(), "entries": {"hoist": {"rows": [{"adapter": "other", "links": n, "time": time} for n in (1, 2)]}}}
    write_all(made, "times 4.2 of ours", folder)
    (folder / "soak").mkdir()
    for name, change in (("pendulum", {}), ("lost", {"passed": False, "same": False})):
        report = {**made, **soak("pendulum", 2.0).plain(), **change}
        (folder / "soak" / f"{name}.json").write_text(json.dumps(report))
    assert main(None, True, None, folder) == 0
    page = (folder / "validation.html").read_text()
    assert "times 4.2 of ours" in page and page.count("data:image/png") == 2
    assert "1 of 2 scenes passed" in page and "<td class=FAIL>not passed</td>" in page


def test_a_folder_that_cannot_be_made_is_said_before_the_work(tiny, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert main("tiny", True, None, tmp_path / "file" / "report") == 2
    assert "cannot write" in capsys.readouterr().err


def imports_of(name: str) -> list[str]:
    """Modules that a module names, also inside functions."""
    import ast
    import importlib.util
    from pathlib import Path

    found = importlib.util.find_spec(name)
    assert found is not None and found.origin is not None
    tree = ast.parse(Path(found.origin).read_text())
    modules = [node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    return modules + [alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names]


@pytest.mark.parametrize(
    "name",
    [
        "taut.validate.reference",
        "taut.validate.contact_reference",
        "taut.validate.rod_reference",
        "taut.validate.segmented_reference",
        "taut.validate.segmented_particles",
        "taut.cables.layered.theory",
    ],
)
def test_the_references_share_nothing_with_the_step(name):
    """Answers that are known may not come from what is to be tested."""
    assert not [module for module in imports_of(name) if module.startswith("taut")]


def test_no_check_imports_the_step():
    """Checks see what a user sees, and tables of codes; kernels of the step they could only agree with."""
    from pathlib import Path

    import taut.validate

    for file in sorted(Path(taut.validate.__file__).parent.glob("*.py")):
        own = imports_of(f"taut.validate.{file.stem}") if file.stem != "__init__" else []
        wrong = [module for module in own if module.startswith(("taut.step", "taut.contact"))]
        assert not wrong, f"{file.name} imports {wrong}"


def test_the_account_of_the_papers(tiny, tmp_path, capsys):
    from taut.validate.papers import CONTRADICTED, NONE, OPEN, PLACES, REPRODUCED, account

    assert {place.paper for place in PLACES} == {0, 1, 2, 3, 4}
    for place in PLACES:
        assert place.shows and place.reason and place.verdict in (REPRODUCED, CONTRADICTED, OPEN, NONE)
        # what is said to come out, or not to, must be an item that somebody can run
        assert place.items or place.verdict in (OPEN, NONE), place.where
    words = {"unit": "-", "source": "s", "reason": "r"}
    fig9 = next(place for place in PLACES if place.items == ("massless.fig9.*",))
    good, bad = (close("massless.fig9.energy", ours, 1.0, 1e-3, **words) for ours in (1.0, 2.0))
    by_place = {one.place: one for one in account([good])}
    assert by_place[fig9].holds is True and by_place[PLACES[0]].holds is None
    assert {one.place: one for one in account([good, bad])}[fig9].holds is False
    assert main(None, True, tmp_path / "items.json", tmp_path / "report") == 0
    assert "five papers" in capsys.readouterr().out
    data = json.loads((tmp_path / "items.json").read_text())
    assert len(data["papers"]) == len(PLACES) and data["seconds"]["tiny.check"] >= 0.0 and data["date"]
    page = (tmp_path / "report" / "validation.html").read_text()
    assert "The five papers" in page and all(place.where.split(" ")[0] in page for place in PLACES)


#: what the papers have: figures and tables by their numbers
FIGURES = {0: 10, 1: 16, 2: 10, 3: 12, 4: 9}
TABLES = {0: (), 1: ("I", "II"), 2: (), 3: ("1",), 4: ("1",)}


@pytest.mark.parametrize("paper", FIGURES)
def test_every_figure_and_table_of_a_paper_has_its_place(paper: int) -> None:
    import re

    from taut.validate.papers import PLACES

    figures: list[int] = []
    tables: list[str] = []
    for place in PLACES:
        if place.paper == paper and place.where.startswith("Fig"):
            for first, last in re.findall(r"(\d+)(?: to (\d+))?", place.where):
                figures += range(int(first), int(last or first) + 1)
        elif place.paper == paper and place.where.startswith("Table"):
            tables.append(place.where.removeprefix("Table "))
    assert sorted(figures) == list(range(1, FIGURES[paper] + 1))
    assert sorted(tables) == sorted(TABLES[paper])


def test_what_is_only_told_does_not_hold() -> None:
    from taut.validate.papers import account
    from taut.validate.report import items_of

    words = {"unit": "-", "source": "paper 1, Fig. 4"}
    only = next(
        one
        for one in account([told("segmented.fig_4", 0.1, note="n", **words)])
        if one.place.items == ("segmented.fig_4",)
    )
    assert only.holds is None and items_of(only) == "1 told"


def test_progress_is_told_without_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from taut.validate import run

    with run._progress(3) as told:
        told(1, "chain: first")
    assert capsys.readouterr().err == ""  # not before its time
    monkeypatch.setattr(run, "QUIET", 0.0)
    with run._progress(3) as told:
        told(2, "chain: second")
    assert capsys.readouterr().err == "2 of 3 checks; chain: second\n"
