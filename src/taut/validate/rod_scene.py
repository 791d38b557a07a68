"""Rods in scenes that move: beside a segmented cable at rest, and holding a body that weighs next to nothing."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Cable, End, Hinge, Scene
from taut.scene.sections import HollowSection
from taut.validate.item import Item, below
from taut.validate.lab import Lab, triple

ALONG = (1.0, 0.0, 0.0)
SEGMENTS = 40


def _hose(model: str, end: End, **more: object) -> Cable:
    """A metre of hose, 20 mm across, clamped at the origin."""
    return Cable.model_validate(
        {
            "model": model, "length": 1.0, "section": HollowSection(diameter=0.02, inner=0.014), "modulus": 8e6,
            "poisson": 0.45, "density": 1150.0, "route": (End(at=(0, 0, 0), hold="pose", direction=ALONG), end), **more,
        }
    )  # fmt: skip


def moving(lab: Lab) -> Iterator[Item]:
    """The same hose under both models; an arm of a gram on a hinge, pulled by a hose at 1/60 s."""
    end = End(at=(0.5, 0.2, 0.1), hold="pose", direction=ALONG)
    rod = lab.simulate(Scene(cables={"hose": _hose("rod", end, segments=160)}))
    points = rod.read("hose.shape").reshape(-1, 3)
    places = tuple(triple(point) for point in points[:: 160 // SEGMENTS])
    # a segmented cable keeps the twist it is laid with: it is laid along the rod, without any
    laid = _hose("segmented", end, places=places, damping_time=0.05)
    segmented = lab.simulate(Scene(cables={"hose": laid}))
    segmented.run(lab.choose(400, 900))
    bodies = [segmented.compiled.bodies.index[f"hose_{i}"] for i in range(SEGMENTS)]
    middles = points[80 // SEGMENTS :: 160 // SEGMENTS]
    apart = float(np.linalg.norm(segmented.state.body_pos[bodies] - middles, axis=1).max())
    lab.plot(
        "The same hose under two models, at rest", "x [m]", "z [m]",
        {
            "segmented": (segmented.state.body_pos[bodies, 0], segmented.state.body_pos[bodies, 2]),
            "theory: rod": (points[:, 0], points[:, 2]),
        },
    )  # fmt: skip
    yield below(
        "rod.scene.segmented", apart, 0.01, unit="L", source="segmented cable of 40 segments at rest",
        reason="it stretches by w L/(E A) = 1e-3 at most; chords of 25 mm",
    )  # fmt: skip
    sim = lab.simulate(
        Scene(
            bodies={"arm": Body(mass=1e-3, shape=Box(size=(0.3, 0.04, 0.04)), position=(0.5, 0, 0))},
            joints={"pivot": Hinge(b="arm", at=(0.65, 0, 0), axis=(0, 1, 0))},
            cables={"hose": _hose("rod", End(on="arm", at=(0.35, 0, 0), hold="pose", direction=ALONG))},
        )
    )
    sim.run(600)
    force, torque = sim.state.rod_end[0, 6:9], sim.state.rod_end[0, 9:12]
    arm = sim.state.body_pos[0] - np.array([0.65, 0.0, 0.0])
    turning = float(np.cross(arm, force + np.array([0.0, 0.0, -9.81e-3]))[1] + torque[1])
    size = float(np.abs(sim.read("hose.moment_on_arm")).max())
    yield below(
        "rod.scene.light.rest", sim.read("arm.speed"), 1e-4, unit="m/s", source="a body of 1 g on a hose of 0.18 kg",
        reason="after 10 s at 1/60 s it hangs still",
    )  # fmt: skip
    yield below(
        "rod.scene.light.balance", turning / size, 1e-3, unit="-", source="moment about the hinge at rest",
        reason="beside the moment of the hose",
    )  # fmt: skip
