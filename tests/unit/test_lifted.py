"""Loads that are just lifted at the start."""

import pytest

from taut import Scene, SceneError, Simulation

HOIST = """
taut: 1
bodies:
  ground: {kind: static, shape: {type: plane}}
  load: {mass: 2 t, position: [0, 0, 0.5], shape: {type: box, size: [1, 1, 1]}}
cables:
  hoist:
    axial_stiffness: 10 MN
    %s
    route:
      - {type: winch, at: [-2, 0, 6], axis: [0, 1, 0], turn: left, radius: 0.3}
      - {type: falls, count: 4, lower: load, upper_at: [0, 0, 6], lower_at: [0, 0, 1.4], axis: [0, 1, 0], radius: 0.2, spacing: 0.1}
"""


def test_nothing_jumps_and_the_load_hangs():
    sim = Simulation("block_and_tackle")
    height = sim.read("load_4.position[2]")
    for name, falls in (("two", 2), ("four", 4), ("eight", 8)):
        sim.reset()
        sim.run(1)
        first = sim.read(f"{name}.tension")
        assert first == pytest.approx(2000 * 9.81 / falls, rel=1e-3)
        sim.run(120)
        assert sim.read(f"{name}.tension") == pytest.approx(first, rel=1e-3)
    assert sim.read("load_4.position[2]") == pytest.approx(height, abs=5e-4)  # it settles under its blocks


CRANE = """
taut: 1
bodies:
  trolley: {collide: false, position: [0, 0, 10], mass: 2 t, shape: {type: box, size: [2, 1.4, 0.3]}}
  block: {position: [0, 0, 4], mass: 300 kg, shape: {type: box, size: [0.5, 0.8, 0.7]}}
  load: {position: [0, 0, 1.5], mass: MASS kg, shape: {type: box, size: [2, 1.5, 1]}}
joints:
  travel: {type: slider, b: trolley, axis: [1, 0, 0], motor: {mode: speed, acceleration: 0.4 m/s^2, force_limit: 30 kN}, limits: {lower: -6 m, upper: 6 m}}
cables:
  hoist:
    rope: {construction: 6x36WS-IWRC, diameter: 16 mm, grade: 1960}
    damping_time: 20 ms
    lifted: true
    route:
      - {type: winch, on: trolley, at: [0, 0, 10.4], axis: [0, 1, 0], turn: left, radius: 0.25, force: 400 kN, brake: 400 kN}
      - {type: falls, count: 4, upper: trolley, lower: block, upper_at: [0, 0, 9.7], lower_at: [0, 0, 4.3], axis: [0, 1, 0], radius: 0.25, efficiency: 0.98}
  sling: {rope: {construction: 6x36WS-IWRC, diameter: 24 mm, grade: 1770}, damping_time: 20 ms, lifted: true, route: [{type: end, on: block, at: [0, 0, 3.7]}, {type: end, on: load, at: [0, 0, 2]}]}
"""


@pytest.mark.parametrize("mass", [50, 500, 6000, 12000, 14000, 20000])
def test_a_crane_on_a_drive_with_losses_hangs_by_its_weight(mass):
    """End stops metres away enter a step by their way over h: in one of a microsecond what gravity adds is lost beside them."""
    sim = Simulation(Scene.from_yaml(CRANE.replace("MASS", str(mass))))
    sim.run(1)
    assert sim.read("sling.tension") == pytest.approx(9.81 * mass, rel=5e-3)
    # a hundredth for what each of the sheaves may hold back
    assert sim.read("hoist.tensions") == pytest.approx(9.81 * (mass + 300) / 4, rel=2e-2)
    sim.run(60)
    assert abs(sim.read("block.position[2]") - 4.0) < 2e-3 and sim.read("load.sway") < 2e-3


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ("lifted: true\n    tension: 3 kN", "finds its own tension"),
        ("lifted: true\n    length: 30 m", "finds its own length"),
        ("lifted: true\n    attached: false\n    reach: 1 m", "carries nothing"),
    ],
)
def test_mistakes(more, expected):
    with pytest.raises(SceneError, match=expected):
        Scene.from_yaml(HOIST % more)


def test_a_rope_without_load_is_told():
    text = HOIST.replace("load: {mass: 2 t,", "load: {kind: static,")
    with pytest.raises(SceneError, match="nothing hangs on this rope"):
        Simulation(Scene.from_yaml(text % "lifted: true"))
