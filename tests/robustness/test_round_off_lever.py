"""A load that is held at its centre, but for the last bit of a coordinate, hangs as one that is held there exactly."""

import pytest

import taut
from taut.validate.watch import separation


@pytest.mark.parametrize("off", [0.0, 4e-16, 1e-9, 1e-5])
def test_joints_stay_closed(off: float) -> None:
    end = (5.0, 0.0, 2.639746)
    scene = taut.Scene(
        bodies={
            "load": taut.Body(
                shape=taut.Sphere(radius=0.6), mass=1e8, position=(end[0] + off, 0.0, end[2]), collide=False
            )
        },
        chains={"chain": taut.Chain(b="load", start=(0, 0, 11.3), end=end, links=24, mass_per_length=0.24)},
    )
    sim = taut.Simulation(scene)
    sim.run(600)
    # links of 0.42 m; a swing opens joints by 1e-4 of a link
    assert separation(sim) < 1e-4


@pytest.mark.parametrize("beside", [0.0, 1e-9, 0.01])
def test_the_anchor_may_lie_beside_the_origin(beside: float) -> None:
    """What does not move has no lever: an anchor a hair from the origin of the world is like any other."""
    end = (2.5 + beside, 0.0, -4.330127018922193)
    scene = taut.Scene(
        bodies={"load": taut.Body(shape=taut.Sphere(radius=0.3), mass=1e5, position=end, collide=False)},
        chains={"chain": taut.Chain(b="load", start=(beside, 0, 0), end=end, links=10, mass_per_length=0.5)},
    )
    sim = taut.Simulation(scene)
    sim.run(600)
    assert separation(sim) < 1e-3 * 0.5
