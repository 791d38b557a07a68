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
