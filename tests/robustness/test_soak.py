"""The short form of `taut soak`: a crane driven without mercy holds, and whatever gives way is noticed."""

from __future__ import annotations

import json

import numpy as np
import pytest

import taut
from taut.cli import main
from taut.core.model import LOSS_JOINT
from taut.soak import soak
from taut.soak.hand import Hand
from taut.soak.watches import watches_of


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
    ],
    ids=["nan", "length", "energy", "depth", "limit", "stop"],
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
    if noticed in ("energy not accounted for", "depth of contacts"):
        sim.run(1)
    for watch in watches:
        watch.take(sim.time)
    assert noticed in [watch.name for watch in watches if not watch.passed]


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
