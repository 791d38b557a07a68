"""Swings across a taut cable die out by its bend alone, as fast as its damping time says."""

import textwrap

import numpy as np
import pytest

from taut import Simulation
from taut.scene import Scene, SceneError

LENGTH, TENSION, EA, EI, MASS, TAU = 4.0, 2000.0, 1e5, 40.0, 0.5, 0.1
COUNT, BOW = 24, 1e-4


def pulled(extra: str) -> Simulation:
    """A cable along x, laid in one small bow across, pinned at both ends."""
    x = np.linspace(0.0, LENGTH, COUNT + 1)
    places = [[float(a), 0.0, float(BOW * np.sin(np.pi * a / LENGTH))] for a in x]
    scene = f"""
        taut: 1
        dt: 0.5 ms
        gravity: [0, 0, 0]
        solver: {{damping_floor: 0}}
        cables:
          rope:
            model: segmented
            segments: {COUNT}
            axial_stiffness: {EA} N
            bending_stiffness: {EI} N*m^2
            torsional_stiffness: 10 N*m^2
            mass_per_length: {MASS} kg/m
            length: {LENGTH / (1.0 + TENSION / EA)} m
            places: {places}
            {extra}
            route: [{{type: end, at: {places[0]}}}, {{type: end, at: {places[-1]}}}]
    """
    return Simulation(Scene.from_yaml(textwrap.dedent(scene)))


def swing(extra: str) -> tuple[float, float]:
    """Frequency [rad/s] and share of critical damping [-] of the middle, as it swings."""
    sim = pulled(extra)
    middle = list(sim.scene.all_bodies()).index(f"rope_{COUNT // 2}")
    heights = []
    for _ in range(2000):
        sim.run(1)
        heights.append(float(sim.state.body_pos[middle, 2]))
    height = np.array(heights)
    tops = [k for k in range(1, len(height) - 1) if height[k - 1] < height[k] >= height[k + 1] and height[k] > 0.0]
    period = (tops[-1] - tops[0]) * sim.dt / (len(tops) - 1)
    falls = np.log(height[tops[0]] / height[tops[-1]]) / (len(tops) - 1)
    return 2.0 * np.pi / period, falls / np.hypot(2.0 * np.pi, falls)


def test_it_dies_out_as_its_bend_says_and_only_by_that() -> None:
    bend = (np.pi / LENGTH) ** 2 * EI / TENSION
    free = np.pi / LENGTH * np.sqrt(TENSION / MASS * (1.0 + bend))
    turning, damped = swing(f"bending_damping_time: {TAU} s")
    assert turning == pytest.approx(free, rel=0.01)
    assert damped == pytest.approx(0.5 * free * TAU * bend / (1.0 + bend), rel=0.03)
    # without it bend has that of all rows, and stretch and shear add a little
    assert damped < swing(f"damping_time: {TAU} s")[1] < 1.2 * damped
    assert swing("damping_time: 0 s")[1] < 0.01 * damped


def test_it_is_for_cables_with_segments() -> None:
    text = """
        taut: 1
        bodies: {load: {mass: 1, position: [0, 0, -1]}}
        cables:
          rope: {axial_stiffness: 1 kN, bending_damping_time: 1 s, route: [{type: end}, {type: end, on: load}]}
    """
    with pytest.raises(SceneError, match=r"bending_damping_time.*only a segmented cable"):
        Scene.from_yaml(textwrap.dedent(text))
