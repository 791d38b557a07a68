"""`model: rod` in a scene: what may be written, what is said of mistakes, and what can be read."""

from __future__ import annotations

import numpy as np
import pytest

from taut import Scene, Simulation
from taut.cables.rod import Clamp, Rod
from taut.cables.rod.columns import RL_NEGATIVE
from taut.cables.rod.vibration import lowest_period
from taut.cli.inspection import hints
from taut.scene import SceneError

HOSE = """
taut: 1
bodies:
  arm: {kind: dynamic, mass: 2 kg, shape: {type: box, size: [0.1, 0.1, 0.1]}, position: [0.4, 0.1, 0]}
joints:
  hold: {type: lock, a: world, b: arm}
cables:
  hose:
    model: rod
    length: 0.6
    bending_stiffness: 0.01
    torsional_stiffness: 0.008
    mass_per_length: 0.1
    diameter: 12 mm
    segments: 40
    route:
      - {type: end, at: [0, 0, 0], hold: pose, direction: [1, 0, 0]}
      - {type: end, on: arm, at: [0.4, 0.1, 0], hold: pose, direction: [0, 1, 0]}
"""


def problems(text: str) -> str:
    with pytest.raises(SceneError) as found:
        Simulation(Scene.from_yaml(text))
    return str(found.value)


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("length: 0.6", "length: 0.4", "a rod needs some slack"),
        ("length: 0.6", "", "missing: length of the rod"),
        (", direction: [0, 1, 0]", "", "missing: the direction in which the rod is clamped"),
        ("segments: 40", "segments: 2", "expected 4 to 2000 segments"),
        ("segments: 40", "collide: true", "not other cables"),
        ("segments: 40", "tension: 3 N", "does not stretch"),
        ("bending_stiffness: 0.01", "", "no stiffness against bending"),
        ("      - {type: end, at: [0, 0, 0]", "      - {type: ring}\n      - {type: end, at: [0, 0, 0]", "between its ends a rod has clips only"),
        ("hold: pose, direction: [1, 0, 0]", "roll: 3 deg", "a roll needs hold: pose"),
        ("model: rod", "model: segmented\n    collide: false", ""),
        ("taut: 1", "taut: 1\nsolver: gauss_seidel", "direct solver"),
    ],
)  # fmt: skip
def test_mistakes_are_named(old, new, said) -> None:
    text = HOSE.replace(old, new, 1)
    if said:
        assert said in problems(text)
    else:
        Scene.from_yaml(text)


def test_reads_back_as_written() -> None:
    scene = Scene.from_yaml(HOSE)
    assert Scene.from_yaml(scene.to_yaml()) == scene


def test_the_start_is_the_equilibrium_of_the_rod_by_itself() -> None:
    """Same shape, forces and moments as `Rod`, which has no scene; the clamps of this plane hose have no twist."""
    sim = Simulation(Scene.from_yaml(HOSE))
    rod = Rod(
        0.6, 40, start=Clamp((0, 0, 0), (1, 0, 0)), end=Clamp((0.4, 0.1, 0), (0, 1, 0)), EI=0.01, GJ=0.008,
        mass_per_length=0.1,
    )  # fmt: skip
    rod.solve()
    for _ in range(12):
        rod.twist_end(-float((rod.twist[:-1] * 0.6 / 40).sum()))
        rod.solve()
    points = sim.read("hose.shape").reshape(-1, 3)
    assert np.abs(points - rod.points).max() < 2e-5
    for end in ("start", "end"):
        assert sim.read(f"hose.{end}_force") == pytest.approx(rod.end_force(end), abs=1e-3)
        assert sim.read(f"hose.{end}_moment") == pytest.approx(rod.end_moment(end), abs=1e-4)
    assert sim.read("hose.twist") == pytest.approx(0.0, abs=1e-8)
    assert sim.read("hose.bend_radius") == pytest.approx(rod.bend_radius[0], rel=1e-3)
    assert sim.read("hose.force_on_arm") == pytest.approx(-sim.read("hose.end_force"))


def test_roll_is_twist() -> None:
    """In a plane hose the roll of the end is all twist, until it leaves the plane."""
    sim = Simulation(Scene.from_yaml(HOSE.replace("direction: [0, 1, 0]", "direction: [0, 1, 0], roll: 10 deg")))
    assert sim.read("hose.twist") == pytest.approx(np.radians(10.0), rel=0.25)


def test_stiffness_of_the_ends_is_the_derivative_of_their_forces() -> None:
    """Against central differences of `Rod` with the same end frames: shifts and turns of the end, which is where the arm
    has its centre of mass."""
    sim = Simulation(Scene.from_yaml(HOSE))
    assert sim.model.rod_law[0, RL_NEGATIVE] > 2.3  # the most negative direction of this hose is left as it is
    K, frame = sim.state.rod_stiffness[0].reshape(12, 12), sim.state.rod_frame
    rod = Rod(
        0.6, 40, start=Clamp((0, 0, 0), quaternion=frame[0]), end=Clamp((0.4, 0.1, 0), quaternion=frame[-1]), EI=0.01,
        GJ=0.008, mass_per_length=0.1,
    )  # fmt: skip
    rod.solve()
    step, moment = 1e-5, rod.end_moment()
    for axis in range(6):
        wrench = []
        for sign in (1.0, -1.0):
            if axis < 3:
                rod.move_end(np.array([0.4, 0.1, 0.0]) + sign * step * np.eye(3)[axis])
            else:
                rod.rotate_end(np.eye(3)[axis - 3], sign * step)
            rod.solve(tolerance=1e-11)
            wrench.append(np.concatenate([rod.end_force(), rod.end_moment()]))
            rod.move_end((0.4, 0.1, 0.0)) if axis < 3 else rod.rotate_end(np.eye(3)[axis - 3], -sign * step)
        measured = (wrench[0] - wrench[1]) / (2.0 * step)
        # K is symmetric; of a moment that turns with the body half of [m]x is not
        half = 0.5 * np.cross(np.eye(3)[axis - 3], moment) if axis >= 3 else np.zeros(3)
        measured[3:] -= half
        assert K[6 + axis, 6:] == pytest.approx(measured, abs=1e-6)


def test_check_speaks_of_inertia() -> None:
    heavy = HOSE.replace("mass_per_length: 0.1", "mass_per_length: 1.0").replace(
        "hold: {type: lock", "hold: {type: ball"
    )
    said = [text for text in hints(Simulation(Scene.from_yaml(heavy))) if text.startswith("hose")]
    assert len(said) == 1 and "weighs" in said[0] and "segmented" in said[0]
    light = HOSE.replace("mass_per_length: 0.1", "mass_per_length: 0.001")
    assert not [text for text in hints(Simulation(Scene.from_yaml(light))) if text.startswith("hose")]


def test_lowest_period_of_a_cantilever() -> None:
    """omega = 1.8751^2 sqrt(EI/(m L^4)); chords of 60 segments, so 1e-3."""
    from taut.cables.rod import Free

    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Free(), EI=1.0, GJ=1.0, mass_per_length=1.0, gravity=(0, 0, 0))
    rod.solve()
    assert lowest_period(rod._net) == pytest.approx(2.0 * np.pi / 1.8751**2, rel=1e-3)
