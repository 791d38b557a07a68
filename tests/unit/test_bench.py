"""The frames of the benchmarks, on tiny sizes: they run and hand back their fields. No time is ever asserted."""

import io
import json
import math
import subprocess
import sys

import numpy as np
import pytest
from rich.console import Console

from taut import bench
from taut.bench import cantilever, chain, contact, contact_basics, cosserat, hoist, library, page, scenes, solver
from taut.bench.banded import BandedSolve
from taut.bench.display import Display
from taut.bench.report import begin, plain, write
from taut.bench.timing import Timing, interleaved, repeats_for


@pytest.fixture
def shown():
    """A display that writes into a text."""
    text = io.StringIO()
    return Display(Console(file=text, width=160)), text


def test_unknown_names_are_told_with_those_there_are(capsys):
    assert bench.main("chian", None) == 2
    told = capsys.readouterr().err
    assert all(entry.name in told for entry in bench.ENTRIES)


def test_a_file_in_no_folder_is_refused_before_anything_runs(tmp_path, capsys):
    assert bench.main("chain", tmp_path / "none" / "b.json") == 2
    assert "folder" in capsys.readouterr().err


def test_every_entry_is_a_module_that_runs():
    import importlib

    for entry in bench.ENTRIES:
        assert callable(importlib.import_module(f"taut.bench.{entry.name}").run), entry.name


def test_main_writes_what_entries_found(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bench, "run_entry", lambda entry, display, long: {"ratio": math.inf, "of": entry.name})
    target = tmp_path / "bench.json"
    assert bench.main("chain", str(target)) == 0
    found = json.loads(target.read_text())
    assert found["entries"] == {"chain": {"ratio": None, "of": "chain"}}
    assert {"taut", "date", "machine", "versions"} <= set(found)
    assert {"python", "numpy", "numba"} <= set(found["versions"])


def test_plots_of_what_entries_found(tmp_path, monkeypatch, capsys):
    """Curves over a size, bars of engines; a folder with numbers, pictures and one page."""
    time = {"best": 1e-3, "median": 1.1e-3, "worst": 2e-3, "unit": "s per step"}
    found = {
        "sizes": [{"links": n, "step": {**time, "best": 1e-4 * n}, "lapack": time} for n in (3, 10)],
        "deep": {"peers": [{"engine": "taut", "step": time}, {"engine": "other", "step": time}]},
        "exponent": 1.0,
    }
    monkeypatch.setattr(bench, "run_entry", lambda entry, display, long=False: found)
    assert bench.main("chain", None, out=tmp_path / "new" / "folder") == 0
    made = {file.name for file in (tmp_path / "new" / "folder").iterdir()}
    assert made == {"bench.json", "bench.html", "chain_sizes.png", "chain_deep_peers.png"}
    page = (tmp_path / "new" / "folder" / "bench.html").read_text()
    assert page.count("data:image/png;base64,") == 2 and "a hanging chain" in page
    (tmp_path / "file").write_text("")
    assert bench.main("chain", None, out=tmp_path / "file" / "folder") == 2
    assert "cannot write" in capsys.readouterr().err


def test_ranking_of_solvers():
    """Places by the size of each error; a solver that fails is last there."""
    row = lambda **metrics: {"metrics": metrics, "wall": 1.0, "trouble": ""}  # noqa: E731
    found = {
        "bent": {"a": row(tip=1e-3, settling_residual=9.0), "b": row(tip=-1e-4), "c": row()},
        "hung": {"a": row(sag=1.0, pull=2.0), "b": row(sag=2.0, pull=float("nan")), "c": row(sag=2.0, pull=1.0)},
    }
    best, second, last = cosserat.ranking(found)
    assert (best["solver"], second["solver"], last["solver"]) == ("a", "b", "c")
    assert best["place"] == pytest.approx((2 + 1 + 2) / 3) and best["first"] == 1 and best["done"] == 2
    assert last["place"] == pytest.approx((3 + 2 + 1) / 3) and last["done"] == 1


def test_what_has_no_truth_is_not_ranked():
    row = lambda **metrics: {"metrics": metrics, "wall": 1.0, "trouble": ""}  # noqa: E731
    best = cosserat.ranking(
        {"pile": {"a": row(contacts=9.0, lift_error=1e-3), "b": row(contacts=1.0, lift_error=2e-3)}}
    )
    assert [one["solver"] for one in best] == ["a", "b"] and best[0]["scores"] == 1


def test_cantilever_of_ours_alone(shown):
    """Fewest segments of those allowed; an engine that is not installed is said so."""
    display, text = shown
    absent = cantilever.Engine("other", "no_such_package", static=cantilever.ENGINES[0].static)
    found = cantilever.run(display, (*cantilever.ENGINES[:2], absent), (5, 40), rounds=1)
    assert [row["engine"] for row in found["rows"]] == ["taut rod", "taut segmented"]
    assert all(row["segments"] == 40 and row["error"] <= cantilever.ACCURACY for row in found["rows"])
    assert found["rows"][0]["times_ours"] == 1.0
    assert "not compared: other (no_such_package is not installed" in " ".join(text.getvalue().split())


def test_ropes_longer_than_an_engine_can_make_are_left_out():
    from taut.bench.peers.harness import compare
    from taut.bench.peers.ours import Ours

    class Short(Ours):
        name = "short"
        most_links = 3

    rows = compare([Ours(), Short()], (2, 4), rounds=1, round_time=1e-3)
    assert [(row.adapter, row.links) for row in rows] == [("taut", 2), ("short", 2), ("taut", 4)]


def test_chain(shown):
    display, text = shown
    found = chain.run(display, links=(5, 100, 120), rounds=2)
    assert [row["links"] for row in found["sizes"]] == [5, 100, 120]
    for row in found["sizes"]:
        assert row["times_lapack"] > 0.0 and row["step"]["rounds"] == 2 and row["second_passes"] == 0
    # stages are told apart from 100 links on; together with the rest they are the whole
    assert set(found["stages"]) == {"100", "120"}
    times = dict(found["stages"]["100"])
    whole = times.pop("whole")
    assert {"forces", "assemble", "factorise", "substitute", "integrate"} <= set(times)
    assert sum(times.values()) == pytest.approx(whole)
    assert found["threads"]["threads"] == 2
    assert "dpbsv" in text.getvalue()


def test_a_step_takes_no_memory():
    """In a process of its own: pages that other tests left running would be counted too."""
    code = """
from taut.bench import chain, scenes
from taut.simulation import Simulation
found = chain.allocations(Simulation(scenes.hanging_chain(10)), steps=1000)
print(found["compiled"], found["interpreter"])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    compiled, interpreter = (float(number) for number in done.stdout.split())
    assert compiled == 0.0
    assert interpreter < 1.0


def test_exponent_of_a_power_law():
    links = (10, 100, 1000)
    assert chain.exponent(links, [1e-6 * n**1.05 for n in links]) == pytest.approx(1.05)
    assert chain.exponent(links, [1.0, 1.0, 1.0], least=1000) is None


def test_banded_solve_has_the_band_of_a_chain():
    solve = BandedSolve(7)
    assert solve._matrix.shape == (5 + 1, 21)  # five diagonals below the main one
    assert BandedSolve(7, rows=6)._matrix.shape == (11 + 1, 42)
    assert solve.mean(2) >= 0.0


def test_solver(shown):
    display, text = shown
    graphs = {"chain": lambda: scenes.hanging_chain(6), "loop": lambda: scenes.loop(6), "tree": lambda: scenes.tree(7)}
    rows = solver.run(display, graphs, rounds=1)["graphs"]
    # 6 links, the load and 7 joints; 6 links and 7 joints; 7 balls and as many joints
    assert [row["nodes"] for row in rows] == [14, 13, 14]
    assert [row["unknowns"] for row in rows] == [63, 57, 63]
    for row in rows:
        assert {"plan", "factor", "solve", "superlu", "ratio", "front", "floats"} <= set(row)
    assert "SuperLU" in text.getvalue()


def test_contact_basics(shown):
    display, text = shown
    chosen = {"boxes": lambda: scenes.boxes(2), "stack": lambda: scenes.stack(2)}
    rows = contact_basics.run(display, chosen, rounds=1)["scenes"]
    # four corners on the plane each; four below and four between
    assert [row["contacts"] for row in rows] == [8, 8]
    for row in rows:
        assert row["bound_iterations"] >= 1.0 and row["detection"] > 0.0 and row["redone"] == 0.0
    assert "per contact" in text.getvalue()


def test_contact(shown, monkeypatch):
    """A line that lies has two contacts a segment and needs one factorisation; numbers of pairs grow with those of segments."""
    display, text = shown
    monkeypatch.setattr(contact, "PEER_STEPS", (1 / 120,))
    found = contact.run(display, segments=8, many=(200, 400), coil=8, rounds=1, seconds=1.2)
    free, rests, slides = found["ground"]["lines"]
    # what moves fast along itself is seen by its other segments, too, should the one before it be stopped
    assert (free["contacts"], rests["contacts"]) == (0, 16) and slides["contacts"] >= 16
    assert rests["factorisations"] == 1.0 and slides["speed"] > 1.0 and abs(rests["speed"]) < 1e-6
    few, many = found["broad"]["sizes"]
    assert 1.5 * few["pairs"] < many["pairs"] < 3.0 * few["pairs"]
    assert math.isfinite(found["broad"]["exponent"])
    ours = found["heap"]["rows"][0]
    assert ours["engine"] == "taut" and ours["rest"] < 0.05 and ours["cpu"] > 0.0
    assert "target" in text.getvalue()


def test_the_pit_holds_its_spheres():
    scene = scenes.spheres(30)
    inside = [body for name, body in scene.bodies.items() if name.startswith("ball")]
    assert len(inside) == 30
    wall = scene.bodies["wall_0"]
    room = wall.position[0] - 0.5 * wall.shape.size[0] - 0.1
    assert all(abs(body.position[0]) < room and abs(body.position[1]) < room for body in inside)


def test_hoist_beside_itself(shown):
    from taut.bench.peers.explicit_numba import ExplicitNumba
    from taut.bench.peers.ours import Ours

    display, text = shown
    found = hoist.run(display, (10,), [Ours(), ExplicitNumba()], rounds=1, round_time=0.01)
    ours, explicit = found["rows"]
    assert ours["adapter"] == "taut" and ours["ratio"] == 1.0 and not ours["bound"]
    # the step at which energy and period reach their limits, found by the search
    assert 0.07 < ours["dt"] < 0.14
    assert explicit["dt"] < 2.1e-4  # its limit of stability
    assert [(t["engine"], t["links"]) for t in found["targets"]] == [("explicit numba", 10)]
    assert "explicit numba" in text.getvalue()


def test_a_bound_below_its_target_decides_nothing():
    assert hoist._verdict(3.0, 2.0, True) == "reached"
    assert hoist._verdict(1.0, 2.0, True) == "open"
    assert hoist._verdict(1.0, 2.0, False) == "missed"


def test_interleaved_goes_round_and_keeps_the_best():
    order = []
    jobs = {name: lambda name=name: order.append(name) or float(len(order)) for name in "ab"}
    found = interleaved(jobs, 3)
    assert order == list("ababab")
    assert found["a"] == Timing(1.0, 3.0, 5.0, 3) and found["b"].spread == pytest.approx(1.0)
    assert repeats_for(1e-3, 0.1) == 100 and repeats_for(10.0, 0.1) == 1


def test_report_holds_plain_values_only(tmp_path):
    import numpy as np

    assert plain({1: (np.float64(2.0), math.nan, "x", None, True)}) == {"1": [2.0, None, "x", None, True]}
    target = tmp_path / "report.json"
    write(begin(), target)
    assert json.loads(target.read_text())["entries"] == {}
    assert [file.name for file in tmp_path.iterdir()] == ["report.json"]


def test_ratios(shown):
    from taut.bench import ratios
    from taut.bench.peers.ours import Ours

    display, text = shown
    found = ratios.run(display, (1e1, 1e4), lambda hoist: [Ours(hoist=hoist)], links=5, rounds=1, round_time=0.01)
    assert list(found["ratios"]) == ["1e+01", "1e+04"]
    for rows in found["ratios"].values():
        # the swing is the same for any load: the step that resolves it is found, and nothing is given up
        assert [row["adapter"] for row in rows] == ["taut"] and not rows[0]["bound"] and rows[0]["dt"] > 0.02
    assert "1e+04" in text.getvalue()
    heavy = ratios.hoist_of(1e7)
    assert heavy.load * heavy.gravity / heavy.stretch_stiffness == pytest.approx(ratios.STRAIN)


def test_time_that_others_had_the_cores_is_counted_round_each_gap():
    """Looks every 50 ms; at 1.0 s to 1.1 s a core was taken for 60 ms."""
    times = np.arange(0.0, 3.0, 0.05)
    looks = np.column_stack([times, np.where(times > 1.07, 0.06, 0.0)])
    taken = page.taken_from(looks, np.array([0.98, 2.0]), np.array([1.06, 2.04]))
    assert taken == pytest.approx([0.06, 0.0])


def test_steps_of_a_library_scene_are_counted_and_timed() -> None:
    """Over its whole duration, in a process of its own; a row has a cell for every heading."""
    found = library.steps_of("tumbling_box")
    assert found["steps"] == 3600 and found["dt"] == pytest.approx(1.0 / 60.0)
    assert 0.0 < found["mean"] <= found["worst"] and 0.0 < found["most"] <= found["worst"]
    row = {"scene": "tumbling_box", **found, **dict.fromkeys(library.SEEN, 1)}
    assert len(library.cells(row)) == len(library.HEAD)
