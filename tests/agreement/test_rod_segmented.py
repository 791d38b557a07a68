"""The same hose as a rod and as a segmented cable at rest: shapes within 1 % of the length, forces within 2 %."""

from __future__ import annotations

import numpy as np
import pytest

from taut import Simulation
from taut.scene import Cable, End, Scene
from taut.scene.sections import HollowSection

SEGMENTS = 40
SECTION = HollowSection(diameter=0.02, inner=0.014)


def cable(model: str, hold: str, end: tuple[float, float, float], modulus: float, **more: object) -> Cable:
    along = (1.0, 0.0, 0.0) if hold == "pose" else None
    return Cable(
        model=model, length=1.0, section=SECTION, modulus=modulus, poisson=0.45, density=1150.0,
        route=(End(at=(0, 0, 0), hold=hold, direction=along), End(at=end, hold=hold, direction=along)), **more,
    )  # fmt: skip


@pytest.mark.parametrize(
    "hold, end, modulus",
    [("pose", (0.5, 0.0, 0.1), 8e6), ("point", (0.5, 0.2, 0.1), 8e6), ("pose", (0.5, 0.2, 0.1), 3e7), ("point", (0.6, 0.0, -0.2), 1e6)],
)  # fmt: skip
def test_same_shape_at_rest(hold, end, modulus) -> None:
    """A segmented cable keeps the twist it is laid with: it is laid along the rod, and so without any. It may leave that
    place, and comes to rest within 1e-4 m/s and rad/s by its own damping. Left is its stretch, w L/(E A) = 4e-4 at most, and chords
    of 25 mm."""
    rod = Simulation(Scene(cables={"hose": cable("rod", hold, end, modulus, segments=160)}))
    points = rod.read("hose.shape").reshape(-1, 3)
    places = tuple(tuple(float(x) for x in point) for point in points[:: 160 // SEGMENTS])
    segmented = Simulation(
        Scene(cables={"hose": cable("segmented", hold, end, modulus, places=places, damping_time=0.05)})
    )
    segmented.run(900)
    assert np.abs(segmented.state.body_vel).max() < 1e-4
    bodies = [segmented.compiled.bodies.index[f"hose_{i}"] for i in range(SEGMENTS)]
    middles = points[80 // SEGMENTS :: 160 // SEGMENTS]
    assert np.linalg.norm(segmented.state.body_pos[bodies] - middles, axis=1).max() < 0.01
    assert rod.read("hose.tension") == pytest.approx(segmented.read("hose.tension"), rel=0.05, abs=0.05)
    assert rod.read("hose.twist") == pytest.approx(segmented.read("hose.twist"), abs=0.05)
