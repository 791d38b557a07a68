"""The short form of `taut soak`: a crane driven without mercy holds, and whatever gives way is noticed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.core.model import LOSS_JOINT, RESIDUAL_SPEED
from taut.scene import Body, Cable, End, Hinge, Scene, Slider, Winch
from taut.soak import soak
from taut.soak.hand import Hand
from taut.soak.watches import MEMORY, Openings, Pull, watches_of


def test_a_minute_of_rough_driving_of_the_gantry_holds() -> None:
    report = soak("gantry", 60.0)
    assert report.passed, "\n".join(report.lines())
    assert report.simulated == pytest.approx(60.0, abs=0.1) and report.repeats > 0
    assert report.events["went_slack"] > 5 and report.moves["emergency"] > 0


@pytest.mark.parametrize("scene", ["pendulum", "elevator", "fishing_rod", "tumbling_box"])
def test_other_scenes_hold_for_half_a_minute(scene: str) -> None:
    report = soak(scene, 30.0)
    assert report.passed, "\n".join(report.lines())


def test_the_same_seed_makes_the_same_moves() -> None:
    one, two, other = soak("elevator", 10.0, 3), soak("elevator", 10.0, 3), soak("elevator", 10.0, 4)
    assert [h.worst for h in one.held] == [h.worst for h in two.held] and one.moves == two.moves
    assert one.moves != other.moves


@pytest.mark.parametrize(
    ("fault", "noticed"),
    [
        (lambda sim: sim.state.body_pos.__setitem__((-2, 0), np.nan), "state that is not finite"),
        (lambda sim: sim.state.rope_length.__iadd__(1e-6), "rope gained or lost"),
        (lambda sim: sim.state.ledger.__setitem__(LOSS_JOINT, -5e4), "energy not accounted for"),
        (lambda sim: sim.state.body_pos.__setitem__((sim.compiled.bodies.index["load"], 2), 0.2), "depth of contacts"),
        (lambda sim: sim.state.rope_length.__iadd__(30.0), "rope past a winch's limit"),
        (
            lambda sim: sim.state.body_pos.__setitem__((sim.compiled.bodies.index["trolley"], 0), 9.0),
            "past an end stop",
        ),
        (lambda sim: sim.state.row_lam.__imul__(40.0), "pull beyond motor and brake"),
        (lambda sim: sim.state.row_lam.__imul__(-1.0), "push of a rope"),
        (lambda sim: sim.state.ledger.__setitem__(RESIDUAL_SPEED, 0.02), "miss of a row"),
        (
            lambda sim: sim.state.body_pos.__setitem__((sim.compiled.bodies.index["trolley"], 2), 9.0),
            "opening of rigid joints",
        ),
    ],
    ids=["nan", "length", "energy", "depth", "limit", "stop", "pull", "push", "row", "joint"],
)
def test_what_gives_way_is_noticed(fault, noticed: str) -> None:
    """A watch that stays green whatever is wrong would say nothing."""
    sim = taut.Simulation("gantry")
    watches = watches_of(sim)
    sim.run(30)
    sim.controls["left.speed"] = sim.controls["right.speed"] = 0.5
    for _ in range(20):
        sim.run(6)
        for watch in watches:
            watch.take(sim.time)
    assert all(watch.passed for watch in watches)
    fault(sim)
    if noticed in ("energy not accounted for", "depth of contacts", "opening of rigid joints"):
        sim.run(1)
    for watch in watches:
        watch.take(sim.time)
    assert noticed in [watch.name for watch in watches if not watch.passed]


def test_every_watch_of_the_gantry_has_a_fault_that_it_notices() -> None:
    marks = next(mark for mark in test_what_gives_way_is_noticed.pytestmark if mark.name == "parametrize")
    assert {watch.name for watch in watches_of(taut.Simulation("gantry"))} == {noticed for _, noticed in marks.args[1]}


def test_memory_that_grows_fails_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([100e6, 100e6 + MEMORY + 1.0])
    monkeypatch.setattr("taut.soak.run.memory", lambda: next(taken))
    report = soak("pendulum", 5.0)
    assert report.grown == MEMORY + 1.0 and not report.passed
    assert any("FAIL" in line and "memory" in line for line in report.lines())


def test_a_run_that_depends_on_more_than_its_state_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    """Something is kept beside the state: a snapshot does not bring it back."""
    run, calls = taut.Simulation.run, [0]

    def forgetful(self: taut.Simulation, steps: int) -> None:
        calls[0] += 1
        self.state.body_vel[self.compiled.bodies.node_body, 0] += 1e-9 * calls[0]
        run(self, steps)

    monkeypatch.setattr(taut.Simulation, "run", forgetful)
    report = soak("pendulum", 60.0)
    assert report.repeats > 0 and not report.same and not report.passed


def test_a_drum_that_slips_is_turned_by_the_rest_of_the_pull() -> None:
    """1.5 t on a brake for one: the rope pulls by (m a) more than the brake holds, a third here, and that is no fault of the brake."""
    winch = Winch(
        at=(-0.3, 0, 0), axis=(0, 1, 0), radius=0.3, turn="left", name="drum", inertia=100.0, force=9e3, brake=9e3
    )
    load = Body(kind="particle", mass=1500.0, position=(0, 0, -20))
    sim = taut.Simulation(Scene(bodies={"load": load}, cables={"rope": Cable(route=(winch, End(on="load")))}))
    right, weak = Pull(sim, "drum", 9e3), Pull(sim, "drum", 8.9e3)
    sim.run(30)
    right.begin(), weak.begin()
    sim.run(1)
    inert = 100.0 / 0.3**2
    assert sim.read("drum.pull") == pytest.approx(9e3 + inert * (1500.0 * 9.81 - 9e3) / (1500.0 + inert), rel=1e-2)
    assert right.beyond() < 1e-9
    assert weak.beyond() == pytest.approx(9.0 / 8.9 - 1.0, rel=1e-6)


def test_a_rail_that_turns_under_a_trolley_opens_by_the_order_of_the_step() -> None:
    """10 m/s along a jib that turns at 0.27 rad/s: the trolley is off its rail by up to v h w h = 0.75 mm, which is not the solve's."""
    scene = Scene(
        bodies={
            "jib": Body(mass=9e3, inertia=(1e4, 1e6, 1e6), spin=(0, 0, 0.27)),
            "trolley": Body(mass=600.0, inertia=(100.0, 100.0, 100.0), velocity=(10, 0, 0), spin=(0, 0, 0.27)),
        },
        joints={"slew": Hinge(b="jib", axis=(0, 0, 1)), "traverse": Slider(a="jib", b="trolley", axis=(1, 0, 0))},
        gravity=(0, 0, 0),
    )
    sim = taut.Simulation(scene)
    openings = Openings(sim)
    for _ in range(60):
        sim.run(1)
        assert openings.beyond() < 2e-6  # the next order, v h (w h)^2 / 2
    assert 2e-4 < sim.read("residual.constraint") < 10.5 * 0.27 / 60**2


def test_a_run_that_stops_is_a_failed_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(hand: Hand) -> float:
        hand._sim.state.body_vel[:, 0] = np.nan
        return 1.0

    monkeypatch.setattr(Hand, "move", spoil)
    report = soak("pendulum", 5.0)
    assert not report.passed and report.stopped and "FAILED" in report.lines()[-1]


def test_the_command(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "soak.json"
    assert main(["soak", "pendulum", "--hours", "0.001", "--json", str(out)]) == 0
    data = json.loads(out.read_text())
    assert (
        data["passed"]
        and data["date"]
        and data["machine"]["processor"]
        and {one["name"] for one in data["held"]} >= {"energy not accounted for"}
    )
    assert "passed" in capsys.readouterr().out
    assert main(["soak", "pendulum", "--hours", "0"]) == 2


def test_several_scenes_each_with_its_report(tmp_path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--hours", "0.001", "--out", str(tmp_path / "new")]
    assert main(["soak", "pendulum", "tumbling_box", *options]) == 0
    assert "2 of 2 scenes passed" in capsys.readouterr().out
    assert {file.stem for file in (tmp_path / "new").iterdir()} == {"pendulum", "tumbling_box"}
    assert main(["soak", "pendulum", "no_such_scene", *options]) == 1
    assert "1 of 2 scenes passed; not: no_such_scene" in capsys.readouterr().out
    assert main(["soak"]) == 2 and "--all" in capsys.readouterr().err
    assert main(["soak", "pendulum", "gantry", "--json", "x.json"]) == 2


def test_a_run_ends_when_its_time_on_the_clock_is_used_up() -> None:
    report = soak("pendulum", 3600.0, within=1e-3)
    assert report.passed and 0.0 < report.simulated < 3600.0 and "of 1.00 h asked" in report.lines()[0]
    assert "asked" not in soak("pendulum", 5.0, within=600.0).lines()[0]


def test_wraps_between_wheels_do_not_depend_on_what_ran_before() -> None:
    """The path over wraps beside a drum is found in rounds: the first began with points that scratch had from another run (move 30, 76 s)."""
    report = soak("snag", 82.0)
    assert report.same and report.repeats == 3, "\n".join(report.lines())
