"""Segmented cables that part: at their breaking load, where they are cut, in a loop; what is left goes on."""

from __future__ import annotations

import numpy as np
import pytest

from taut import Scene, Simulation
from taut.measure import poses

TEXT = """
taut: 1
bodies:
  load: {mass: 100, position: [0, 0, -10], collide: false, shape: {type: sphere, radius: 0.3}}
cables:
  rope:
    model: segmented
    segments: 40
    detail: auto
    diameter: 5 mm
    modulus: 100 GPa
    density: 7850
    tension: 981 N
    breaking_load: 3 kN
    damping_time: 50 ms
    route: [{type: end, at: [0, 0, 0]}, {type: end, on: load, at: [0, 0, -10]}]
"""


def made(*changes: str) -> Simulation:
    return Simulation(Scene.from_yaml(TEXT, changes=changes))


@pytest.mark.parametrize("detail", ["fixed", "auto"])
def test_a_cut_lets_the_lower_part_fall(detail: str) -> None:
    sim = made(f"rope.detail={detail}")
    sim.run(60)
    mass = sim.read("rope.mass")
    sim.cut("rope", 4.0)
    sim.run(60)
    # one second of free fall, half a step more or less
    assert sim.read("load.position")[2] == pytest.approx(-10.0 - 0.5 * 9.81, abs=0.12)
    tensions = sim.read("rope.tensions")
    assert tensions[16] == 0.0 and tensions[0] == pytest.approx(mass * 0.4 * 9.81, rel=0.3)
    assert np.abs(tensions[20:]).max() < 30.0
    assert sim.read("rope.mass") == pytest.approx(mass, rel=1e-12)
    places = poses.positions(sim)[sim.compiled.bodies.index["rope_0"] :][:40]
    assert places[15, 2] > -4.2 and places[16, 2] < -7.0  # above and below the cut
    with pytest.raises(ValueError, match="expected a length"):
        sim.cut("rope", 11.0)


def test_an_overload_parts_it_once() -> None:
    sim = made()
    sim.push("load", (0.0, 0.0, -2500.0))
    sim.run(120)
    assert len(sim.compiled.layouts[0].parted) == 1
    assert sim.read("load.position")[2] < -20.0
    sim.reset()
    assert sim.compiled.layouts[0].parted == frozenset()


def test_a_cable_without_breaking_load_says_that_it_cannot_be_cut() -> None:
    text = TEXT.replace("    breaking_load: 3 kN\n", "").replace("    detail: auto\n", "")
    sim = Simulation(Scene.from_yaml(text))
    with pytest.raises(KeyError, match="breaking load"):
        sim.cut("rope", 4.0)


def test_a_ring_opens_and_falls_apart() -> None:
    sim = Simulation(
        Scene.from_yaml(
            """
taut: 1
gravity: 0
cables:
  ring:
    model: segmented
    segments: 24
    loop: true
    diameter: 10 mm
    modulus: 1 GPa
    density: 1000
    breaking_load: 1 kN
    route: [{type: via, at: [1, 0, 0]}, {type: via, at: [0, 1, 0]}, {type: via, at: [-1, 0, 0]}, {type: via, at: [0, -1, 0]}]
"""
        )
    )
    sim.run(10)
    sim.cut("ring", 3.0)
    sim.run(120)
    assert sim.compiled.layouts[0].parted and np.isfinite(sim.read("ring.tensions")).all()
