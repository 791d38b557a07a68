"""A cable gets another model while it runs: nothing jumps, winches keep what they have paid out, the account stays closed."""

import numpy as np
import pytest

from taut import Body, Cable, End, Scene, SceneError, Simulation, Sphere
from taut.measure import energy
from taut.scene.models import MODELS, beside, why_not
from taut.scenes import open_scene

#: a cable that is hooked on and off is always massless
NO_HOOK = {"tower_crane": ["sling_1.reach=null"]}


def lifted(scene: str, controls: dict[str, float], seconds: float) -> Simulation:
    """A scene after its drives have moved for some time, at rest again."""
    sim = Simulation(open_scene(scene, NO_HOOK.get(scene, [])))
    for name, speed in controls.items():
        sim.controls[name] = speed
    sim.run(round(seconds / sim.dt))
    for name in controls:
        sim.controls[name] = 0.0
    sim.run(120)
    return sim


def changed(sim: Simulation, cable: str, model: str) -> Simulation:
    """A simulation with another model of a cable, as the page makes it."""
    spec = sim.scene.cables[cable]
    written = {None: "null", False: "false"}
    also = [f"{cable}.{field}={written.get(value, value)}" for field, value in beside(spec, model).items()]
    made = Simulation(sim.scene.with_overrides([f"{cable}.model={model}", *also]))
    made.go_on_from(sim)
    return made


#: hauling speed and time by scene; the weight of the cable over its tension is what its models may differ by
CASES = [
    ("gantry", {"left.speed": 0.5, "right.speed": 0.5}, 5.0, "left", ("layered", "massless")),
    ("gantry", {"left.speed": 0.5, "right.speed": 0.5}, 5.0, "left", ("auto", "massless")),
    ("four_leg_sling", {"hoist.speed": 0.3}, 5.0, "leg_1", ("massless", "segmented", "layered", "segmented")),
    ("heavy_pendulum", {}, 0.0, "rope", ("layered", "massless", "segmented", "auto")),
    ("tower_crane", {"hoist.speed": 0.5}, 8.0, "sling_1", ("segmented", "massless")),
]


@pytest.mark.parametrize(("scene", "controls", "seconds", "cable", "models"), CASES)
def test_nothing_jumps(
    scene: str, controls: dict[str, float], seconds: float, cable: str, models: tuple[str, ...]
) -> None:
    """The same run with and without the change, side by side: they part by what the models differ in, which is the weight of the
    cable, here below a hundredth of its tension."""
    plain = lifted(scene, controls, seconds)
    sim, loads = plain, [name for name in ("load", "hook", "cabin") if name in plain.scene.bodies]
    for model in models:
        plain = sim
        sim = changed(plain, cable, model)
        plain.step()
        assert sim.steps == plain.steps and sim.time == pytest.approx(plain.time)
        assert sim.scene.cables[cable].model == model
        for body in loads:
            assert sim.read(f"{body}.position") == pytest.approx(plain.read(f"{body}.position"), abs=2e-5)
            assert sim.read(f"{body}.velocity") == pytest.approx(plain.read(f"{body}.velocity"), abs=2e-3)
        for run in (sim, plain):
            run.run(30)
        for body in loads:
            assert sim.read(f"{body}.position") == pytest.approx(plain.read(f"{body}.position"), abs=2e-3)
        tension = [np.ravel(run.read(f"{cable}.tension"))[0] for run in (sim, plain)]
        assert tension[0] == pytest.approx(tension[1], rel=0.02)
        # what a step leaves open is far below a thousandth of what hangs there
        assert abs(energy.remainder(sim) - energy.remainder(plain)) < 1e-4 * abs(energy.mechanical(plain))


def test_winches_keep_what_they_have_paid_out_and_controls_their_values() -> None:
    plain = lifted("gantry", {"left.speed": 0.5, "right.speed": 0.5}, 5.0)
    plain.controls["travel.speed"] = 0.3
    out = [plain.read(f"{winch}.rope_out") for winch in ("left", "right")]
    sim = changed(plain, "left", "layered")
    # the layered rope is longer by what it sags, (8/3) s^2 of its length with s = m g/(8 T): below a millionth
    assert [sim.read(f"{winch}.rope_out") for winch in ("left", "right")] == pytest.approx(out, rel=1e-5)
    assert sim.controls["travel.speed"] == 0.3
    sim.controls["left.speed"] = sim.controls["right.speed"] = 0.5
    sim.run(60)
    assert sim.read("left.rope_out") < out[0] - 0.1, "it goes on lifting"
    sim.reset()
    assert sim.steps == 0 and sim.scene.cables["left"].model == "layered"
    sim.run(10)


def test_a_slack_rope_becomes_segments_that_hang_in_a_bow() -> None:
    """Five metres of rope between ends that are four apart."""
    route = (End(at=(0.0, 0.0, 5.0)), End(on="load"))
    scene = Scene(
        bodies={"load": Body(kind="static", shape=Sphere(radius=0.1), position=(4.0, 0.0, 5.0))},
        cables={
            "rope": Cable(
                route=route,
                length=5.0,
                diameter=0.012,
                axial_stiffness=1e6,
                mass_per_length=0.5,
                bending_stiffness=1.0,
                torsional_stiffness=1.0,
            )
        },
    )
    sim = Simulation(scene)
    sim.run(30)
    bent = changed(sim, "rope", "segmented")
    bent.run(600)
    links = [bent.compiled.bodies.index[name] for name in bent.scene.strands()["rope"].link_names()]
    # a catenary of length L over a span w has sinh(x)/x = L/w, x = w/(2 a), and the sag a (cosh x - 1)
    x = 1.0
    for _ in range(60):
        x -= (np.sinh(x) / x - 1.25) / (np.cosh(x) / x - np.sinh(x) / x**2)
    sag = 2.0 / x * (np.cosh(x) - 1.0)
    # 30 segments, whose middles are seen, with some stiffness against bending
    assert 5.0 - bent.state.body_pos[links, 2].min() == pytest.approx(sag, rel=0.03)


@pytest.mark.parametrize(
    ("scene", "cable", "model", "words"),
    [
        ("gantry", "left", "segmented", "from one end straight to another"),
        ("gantry", "sling_1", "segmented", "hook"),
        ("gantry_sling", "left", "layered", "mass"),
        ("tow", "rope", "massless", "from one end straight to another"),
        ("snag", "hoist", "layered", "wraps round"),
        ("robot_hose", "hose", "massless", "in the file"),
    ],
)
def test_what_is_not_possible_is_said_and_refused(scene: str, cable: str, model: str, words: str) -> None:
    found = open_scene(scene)
    assert words in why_not(found, cable, model)
    with pytest.raises((SceneError, ValueError)):
        other = Simulation(found.with_overrides([f"{cable}.model={model}"]))
        other.go_on_from(Simulation(found))


def test_every_model_that_is_offered_can_be_had() -> None:
    """Of one cable of each kind in the library."""
    for scene, cable in (("gantry", "sling_1"), ("elevator", "hoist"), ("mooring", "line"), ("ropeway", "track")):
        sim = Simulation(open_scene(scene))
        sim.run(60)
        possible = [model for model in MODELS if not why_not(sim.scene, cable, model)]
        assert sim.scene.cables[cable].model in possible and len(possible) > 1
        for model in possible:
            if model != sim.scene.cables[cable].model:
                made = changed(sim, cable, model)
                made.run(30)
                assert np.isfinite(made.state.body_pos).all()


@pytest.mark.parametrize("model", ["massless", "layered"])
def test_a_rope_that_is_made_stiffer_keeps_its_tension(model: str) -> None:
    """Stretched by 4 %: with its old unstretched length it would pull ten times as hard, and throw the load up."""
    weight = 1000.0 * 9.81

    def hung(stiffness: float) -> Simulation:
        rope = Cable(
            model=model, axial_stiffness=stiffness, mass_per_length=0.1, damping_time=0.05, length=10.0,
            route=[End(at=(0, 0, 12)), End(on="load", at=(0, 0, 2))],
        )  # fmt: skip
        load = Body(shape=Sphere(radius=0.3), mass=1000.0, position=(0, 0, 2))
        return Simulation(Scene(bodies={"load": load}, cables={"rope": rope}))

    soft, stiff = hung(25.0 * weight), hung(250.0 * weight)
    soft.run(1200)
    assert soft.read("rope.tension") == pytest.approx(weight, rel=2e-3)
    stiff.take_over(soft)
    pulls = []
    for _ in range(120):
        stiff.step()
        pulls.append(stiff.read("rope.tension"))
    assert np.array(pulls) == pytest.approx(weight, rel=0.02)


def test_a_rope_that_weighs_something_from_now_on_has_lost_nothing() -> None:
    """A weight of 2 N comes in at 1 m: it counts from the start, and is no energy that was lost, or made."""
    rope = Cable(
        axial_stiffness=2e5, mass_per_length=0.1, bending_stiffness=0.01, torsional_stiffness=0.01, lifted=True,
        route=(End(at=(0.0, 0.0, 2.0)), End(on="bob", at=(0.2, 0.0, 0.0))),
    )  # fmt: skip
    bob = Body(mass=10.0, shape=Sphere(radius=0.08), position=(0.2, 0.0, 0.0))
    sim = Simulation(Scene(bodies={"bob": bob}, cables={"rope": rope}))
    sim.run(100)
    for model in ("segmented", "massless"):
        sim = changed(sim, "rope", model)
        assert sim.read("energy.dissipated") == pytest.approx(0.0, abs=1e-3)
        sim.run(60)
        assert -1e-3 < sim.read("energy.dissipated") < 0.01
        assert sim.read("energy.remainder") == pytest.approx(0.0, abs=1e-3)
