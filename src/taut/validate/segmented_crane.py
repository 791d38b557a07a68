"""Paper 1, Fig. 16: the energy of its crane, which swings."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.scenes import open_scene
from taut.validate.item import Item, between
from taut.validate.lab import Lab
from taut.validate.watch import watch

#: seconds to come to rest in, to drive the trolley, and to stop it
REST, DRIVE, STOP = 2.0, 1.5, 2.5


def swinging_crane(lab: Lab) -> Iterator[Item]:
    """The scene gantry_sling, with the paper's stiffness and mass ratio, set swinging by its trolley.

    What is lost is measured against the energy of the swing, that above the crane at rest. The paper's 20 % are of its total
    energy, whose zero is not printed.
    """
    sim = lab.simulate(open_scene("gantry_sling"))
    sim.run(round(REST / sim.dt))
    rest = float(sim.read("energy.mechanical"))
    for speed, seconds in ((3.0, DRIVE), (0.0, STOP)):
        sim.controls["travel.speed"] = speed
        sim.run(round(seconds / sim.dt))
    seconds = lab.choose(5.0, 15.0)
    kinds = ("mechanical", "kinetic", "potential", "elastic")
    seen = watch(sim, seconds, {"sway": "load.sway", **{kind: f"energy.{kind}" for kind in kinds}})
    swing = seen["mechanical"][0] - rest
    zero = {"mechanical": rest, "kinetic": 0.0, "potential": seen["potential"].min(), "elastic": seen["elastic"].min()}
    lab.plot(
        "Energy of the swinging crane (paper 1, Fig. 16)", "time [s]", "part of the swing's energy",
        {kind: (seen.time, (seen[kind] - zero[kind]) / swing) for kind in kinds},
    )  # fmt: skip
    change = (seen["mechanical"][-1] - seen["mechanical"][0]) / swing if seen.lost is None else np.nan
    yield between(
        "segmented.fig_16", change, -0.02, 1e-3, unit="-", theory=0.0, paper=-0.2, source="paper 1, Fig. 16: trolley and winches at rest, energy is kept",
        reason="the paper asks for a few per cent (requirement ii); up only by what the order of the step lets deformation waver",
        note=f"change of the swing's energy in {seconds:.0f} s; largest sway {np.max(seen['sway']):.1f} m",
    )  # fmt: skip
