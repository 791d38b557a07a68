"""The same hanging rope as one layered span and as segments: frequencies of small waves, up to sag/span 0.1."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.cables.layered import theory
from taut.scene import Cable, End, Scene
from taut.simulation import Simulation
from taut.validate.item import Item, close
from taut.validate.lab import Lab
from taut.validate.layered_waves import DENSITY, EA, SPAN, frequency
from taut.validate.segmented_scene import nodes, settle

SEGMENTS = 48
ROUTE = (End(at=(0, 0, 0)), End(at=(SPAN, 0, 0)))


def hung(lab: Lab, ratio: float) -> tuple[float, Simulation, Simulation]:
    """First frequency of the taut string [Hz], the layered and the segmented rope, both with the unstretched length of the
    elastic catenary of this sag, at 1 ms; the segments at rest."""
    thrust, _, length = theory.catenary(SPAN, DENSITY * theory.G, EA, ratio * SPAN)
    x = np.linspace(0.0, 1.0, SEGMENTS + 1)
    places = tuple((float(SPAN * a), 0.0, float(-4.0 * ratio * SPAN * a * (1.0 - a))) for a in x)
    waves = Cable(
        model="layered", prewarp=False, route=ROUTE, axial_stiffness=EA, mass_per_length=DENSITY, length=length
    )
    # a bending stiffness of a thousandth of what would be seen
    pieces = Cable(
        model="segmented", route=ROUTE, axial_stiffness=EA, mass_per_length=DENSITY, length=length, segments=SEGMENTS,
        places=places, diameter=0.02, bending_stiffness=1.0, torsional_stiffness=1.0,
    )  # fmt: skip
    layered, segmented = (lab.simulate(Scene(cables={"rope": rope}, dt=1e-3)) for rope in (waves, pieces))
    settle(segmented, 6.0, 8000)
    return theory.string_frequency(1, SPAN, thrust, DENSITY), layered, segmented


def frequencies(
    layered: Simulation, segmented: Simulation, first: float, direction: int, mode: int
) -> tuple[float, float]:
    """Of a small wave across (direction 1, y) or in the plane of the sag (2, z), both ropes [Hz]; they start at rest."""
    across = 1 if direction == 1 else 0
    x = (np.arange(SEGMENTS) + 0.5) / SEGMENTS
    segmented.state.body_vel[:SEGMENTS, direction] = 0.02 * np.sin(mode * np.pi * x)
    layered.state.wave_mode[mode - 1, 2 + across] = 0.02
    seen = np.zeros((800, 2))
    for k in range(len(seen)):
        layered.run(15)
        segmented.run(15)
        seen[k] = layered.state.wave_mode[mode - 1, across], nodes(segmented)[SEGMENTS // (2 * mode), direction]
    low, high = 0.6 * mode * first, 1.4 * mode * first
    return frequency(seen[:, 0], 0.015, low, high), frequency(seen[:, 1], 0.015, low, high)


def beside_segments(lab: Lab) -> Iterator[Item]:
    """Out of the plane of the sag both agree; in it a wave moves the rope along itself too, which one span leaves out."""
    for ratio, plane in lab.choose(((0.05, 1.5e-2),), ((0.02, 2e-3), (0.05, 1.5e-2), (0.10, 5e-2))):
        first, layered, segmented = hung(lab, ratio)
        start = layered.snapshot(), segmented.snapshot()
        where = f"{ratio:g}".replace(".", "_")
        ours, theirs = frequencies(layered, segmented, first, 1, 1)
        yield close(
            f"layered.segments.across_{where}", ours, theirs, 1e-3, unit="Hz", source="the same rope in 48 segments, first wave",
            reason="48 chords, 2e-4, and the arc closed by its mean square slope",
        )  # fmt: skip
        layered.restore(start[0])
        segmented.restore(start[1])
        ours, theirs = frequencies(layered, segmented, first, 2, 2)
        yield close(
            f"layered.segments.plane_{where}", ours, theirs, plane, unit="Hz", source="the same rope in 48 segments, second wave",
            reason="high by half the square of the slope, 4 % at a sag of a tenth: inertia along the rope is left out",
        )  # fmt: skip
