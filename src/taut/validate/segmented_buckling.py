"""Loads at which segmented cables give way: a column under thrust, a rod under twist."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from taut.scene import Cable, End, Scene
from taut.validate import rod_reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.segmented_scene import nodes, settle
from taut.validate.segmented_shapes import SECOND, rod, with_tip

#: a steel wire of 10 mm and 2 m: EI, GJ [N m^2] and mass of a metre [kg/m]
WIRE = (98.2, 75.5, 0.62)


def _critical(shares: tuple[float, ...], stiffness: Callable[[float], float], power: float) -> float:
    """Where the stiffness is gone, by a parabola through three loads, in a power of the load."""
    s = [stiffness(share) for share in shares]
    return max(float(np.polyval(np.polyfit(s, np.array(shares) ** power, 2), 0.0)), 0.0) ** (1.0 / power)


def euler(lab: Lab) -> Iterator[Item]:
    """Load that a clamped column bears: the one without stiffness against a push at its tip."""
    shares = (0.8, 0.9, 0.95)

    def stiffness(n: int, share: float) -> float:
        sim = with_tip(lab, n, (0.0, 0.0, 1.0))
        sim.push("tip", (1e-5, 0.0, -share * rod_reference.EULER["clamped-free"]))
        settle(sim, 2.0, 2000)
        return float(1e-5 / sim.read("tip.position[0]"))

    found = {n: _critical(shares, lambda share, n=n: stiffness(n, share), 1.0) for n in (10, 20)}  # type: ignore[misc]
    for n, ours in found.items():
        discrete = (4.0 * n / math.pi * math.sin(0.25 * math.pi / n)) ** 2
        yield close(
            f"segmented.euler.{n}", ours, discrete, 1e-4, unit="P_Euler", source="(4 EI/l^2) sin^2(pi l/(4 L)) of hinged links",
            reason="exact discrete law; a parabola through 0.8 to 0.95 of the load",
        )  # fmt: skip
    yield close(
        "segmented.euler.limit", (4.0 * found[20] - found[10]) / 3.0, 1.0, 2e-4, unit="P_Euler", source="pi^2 EI/(4 L^2)",
        reason="second order taken out",
    )  # fmt: skip


def greenhill(lab: Lab) -> Iterator[Item]:
    """Twisting moment at which a rod clamped at both ends buckles into space; it comes from a twist at rest.

    The step is short: the damping that keeps a twisted cable quiet at longer ones (taut.cables.segmented.rows) would slow its growth.
    """

    def stiffness(n: int, share: float) -> float:
        route = (End(hold="pose"), End(at=(0.0, 0.0, 1.0), hold="pose"))
        rope = rod(n, route, rest_twist=share * rod_reference.GREENHILL)
        sim = lab.simulate(Scene(dt=1e-3, gravity=0.0, cables={"rope": rope}))
        for middle in (n // 2 - 1, n // 2):
            sim.push(f"rope_{middle}", (1e-5, 0.0, 0.0))
        settle(sim, 40.0, 800)
        return float(2e-5 / np.linalg.norm(nodes(sim)[n // 2, :2]))

    found = {n: _critical((0.85, 0.9, 0.95), lambda share, n=n: stiffness(n, share), 2.0) for n in (20, 40)}  # type: ignore[misc]
    source = "M L/EI = 8.9868, tan(x/2) = x/2 (Greenhill, clamped)"
    yield close(
        "segmented.greenhill.40", found[40], 1.0, 4e-3, unit="M_Greenhill", source=source, reason=SECOND + ", c = 4.4",
        note="paper 1's steel cable at 15 rad of twist is beyond this load",
    )  # fmt: skip
    yield close(
        "segmented.greenhill.limit", (4.0 * found[40] - found[20]) / 3.0, 1.0, 1e-3, unit="M_Greenhill", source=source,
        reason="second order taken out; a parabola in M^2 through 0.85 to 0.95",
    )  # fmt: skip


def twisted_wire(lab: Lab) -> Iterator[Item]:
    """A stiff wire between clamps, twisted and nudged, at 1/60 s: the moment turns with the segments."""

    def deflection(share: float) -> float:
        bending, torsion, line = WIRE
        twist = share * rod_reference.GREENHILL * bending / 2.0 / torsion
        rope = Cable(
            model="segmented", segments=20, bending_stiffness=bending, torsional_stiffness=torsion, axial_stiffness=1.6e7,
            mass_per_length=line, diameter=0.01, rest_twist=twist, route=(End(hold="pose"), End(at=(0.0, 0.0, 2.0), hold="pose")),
        )  # fmt: skip
        sim = lab.simulate(Scene(gravity=0.0, cables={"rope": rope}))
        sim.push("rope_10", (1e-4, 0.0, 0.0))
        sim.run(300)
        return float(np.abs(nodes(sim)[:, :2]).max())

    for share in (0.3, 0.6, 0.9):
        yield below(
            f"segmented.twisted_wire.{share:g}", deflection(share), 1e-6, unit="m", source="below Greenhill's load it stands straight",
            reason="0.1 mN bends it by less than 0.2 um", note="shipped settings, 20 segments",
        )  # fmt: skip
