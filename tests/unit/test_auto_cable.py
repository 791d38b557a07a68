"""`model: auto`: what it refuses, and that everything goes on across a change of the model."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import taut
from taut.record import Recorder, Recording
from taut.scene import Scene, SceneError
from taut.scenes import open_scene
from taut.view.live import LivePlayer

TEXT = """
taut: 1
bodies:
  load: {shape: {type: sphere, radius: 0.4}, mass: 2 t, position: [20, 0, 0], collide: false}
joints:
  rail: {type: slider, b: load, axis: [1, 0, 0]}
cables:
  line:
    model: auto
    segments: 12
    diameter: 20 mm
    modulus: 2 GPa
    density: 7850 kg/m^3
    tension: 12 kN
    damping_time: 0.05
    route:
      - {type: end}
      - {type: end, on: load, at: [20, 0, 0]}
"""


def line(*changes: str) -> Scene:
    return Scene.from_yaml(TEXT, changes=changes)


def pulled(sim: taut.Simulation, force: float, seconds: float) -> set[str]:
    """Pull the load for a while; the models that its line had."""
    seen = set()
    for _ in range(round(seconds / sim.dt)):
        sim.push("load", (force - 4e3 * float(sim.read("load.velocity[0]")), 0.0, 0.0))
        sim.run(1)
        seen.add(sim.compiled.choices["line"])
    return seen


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("line.route[0].hold=pose", "a clamped cable is always segmented"),
        ("line.rest_curvature=[1, 0]", "always segmented"),
        ("line.reach=1", "a hook is always massless"),
        ("line.attached=false", "tied at both ends"),
        ("line.scheme=paper", "standard joints"),
        ("line.weight=true", "its weight anyway"),
        ("line.density=null", "mass of a metre"),
    ],
)
def test_what_only_some_models_know_is_refused(change: str, message: str) -> None:
    with pytest.raises(SceneError, match=message):
        line(change)


def test_rigid_and_weightless_hoists_are_refused() -> None:
    route = "[{type: end}, {type: ring, at: [5, 0, 0]}, {type: end, on: load}]"
    with pytest.raises(SceneError, match="it stretches"):
        line(f"line.route={route}", "line.modulus=null", "line.segments=null", "line.tension=null")
    with pytest.raises(SceneError, match="an auto cable needs its mass"):
        line(f"line.route={route}", "line.density=null", "line.segments=null")


@pytest.mark.parametrize(("tension", "model"), [("1 kN", "segmented"), ("12 kN", "layered"), ("80 kN", "massless")])
def test_the_start_is_chosen_by_the_tension(tension: str, model: str) -> None:
    sim = taut.Simulation(line(f"line.tension={tension}", "line.modulus=20 GPa", "line.bending_stiffness=5"))
    assert sim.compiled.choices == {"line": model}


def test_slack_and_taut_again_with_the_same_names() -> None:
    sim = taut.Simulation(line())
    names = list(sim.names)
    assert pulled(sim, 12e3, 1.0) == {"layered"}
    assert "segmented" in pulled(sim, -2e3, 3.0)
    assert sim.read("line.model") == 2.0 and sim.read("line.segments") == 12
    assert "layered" in pulled(sim, 12e3, 12.0)
    assert list(sim.names) == names
    assert sim.read("line.tensions").shape == (13,)
    # at rest it carries what pulls it, in either model
    assert sim.read("line.force_on_load[0]") == pytest.approx(-12e3, rel=0.02)


def test_steps_are_the_same_one_by_one_and_together_and_after_a_restore() -> None:
    one, two = taut.Simulation("mooring"), taut.Simulation("mooring")
    kept = None
    for k in range(300):
        one.run(1)
        if k == 60:
            kept = one.snapshot()
    two.run(300)
    assert one.compiled.choices == two.compiled.choices
    assert (one.compiled.state.floats == two.compiled.state.floats).all()
    assert {"layered"} == set(one.compiled.choices.values()), "else it has not changed on the way"
    assert kept is not None
    one.restore(kept)
    assert one.compiled.choices == {"line": "segmented"}
    one.run(239)
    assert (one.compiled.state.floats == two.compiled.state.floats).all()


def test_a_recording_goes_on_across_a_change(tmp_path: Path) -> None:
    sim = taut.Simulation("mooring")
    with Recorder(tmp_path / "run.h5", sim, every=4) as rec:
        for _ in range(120):
            sim.run(1)
            rec.take()
    whole = Recording(tmp_path / "run.h5")
    model = np.asarray(whole["line.model"])
    assert set(model.tolist()) == {1.0, 2.0}
    assert np.isfinite(np.asarray(whole["line.tension"])).all()


def test_the_page_sees_segments_along_the_rope() -> None:
    player = LivePlayer(open_scene("mooring"))
    player.advance(120)
    assert player.sim.compiled.choices == {"line": "layered"}
    frame = player.frame(("line.model",), False)
    assert frame.values["line.model"] == 1.0 and "line" in frame.cables
    at = [player.sim.compiled.bodies.index[f"line_{k}"] for k in range(40)]
    place = frame.positions[at]
    barge = float(player.sim.read("barge.position[0]"))
    assert place[0, 0] == pytest.approx((barge - 4.0) / 80.0, abs=0.01)
    assert place[-1, 0] == pytest.approx((barge - 4.0) * 79.0 / 80.0, abs=0.01)
    assert place[20, 2] < place[0, 2]
    player.change(["barge.mass=21 t"])
    player.advance(10)


def test_what_is_held_or_cut_is_segmented() -> None:
    sim = taut.Simulation(line("line.breaking_load=60 kN"))
    pulled(sim, 12e3, 0.5)
    before = np.array(sim.read("load.position"))
    grip = sim.attach("line", s=10.0, body="load", kind="ball")
    assert sim.compiled.choices == {"line": "segmented"}
    assert (sim.read("load.position") == before).all()
    sim.detach(grip)
    assert "layered" in pulled(sim, 12e3, 2.0)
    sim.cut("line", s=10.0)
    assert sim.compiled.choices == {"line": "segmented"}
    pulled(sim, 0.0, 1.0)
    assert sim.read("line.force_on_load[0]") > -500.0, "it hangs from the load"


def test_a_rope_that_parts_falls_as_segments() -> None:
    sim = taut.Simulation(line("line.breaking_load=15 kN"))
    pulled(sim, 25e3, 1.0)
    assert sim.compiled.choices == {"line": "segmented"}
    assert sim.compiled.layouts[0].parted
    assert sim.read("load.velocity[0]") > 0.5


def test_by_hand_and_what_cannot_be() -> None:
    sim = taut.Simulation(line())
    sim.switch({"line": "segmented"})
    assert sim.read("line.model") == 2.0
    with pytest.raises(KeyError, match="no cable 'rope'"):
        sim.switch({"rope": "layered"})
    with pytest.raises(ValueError, match="expected massless or layered or segmented"):
        sim.switch({"line": "rod"})
    with pytest.raises(ValueError, match="changes its model while running"):
        taut.Batch(line(), 2)


def test_the_account_is_kept_across_changes() -> None:
    sim = taut.Simulation("mooring")
    sim.run(1200)
    assert abs(sim.read("energy.remainder")) < 1e-5 * 20e3 * 9.81
    # segments or not, nothing is counted twice
    assert sim.read("energy.kinetic") < 20e3
