"""Segmented cables at rest: catenary and cantilevers."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.scene import Body, Cable, End, Scene, Sphere
from taut.scene.parts import Free
from taut.simulation import Simulation
from taut.validate import rod_reference
from taut.validate import segmented_reference as reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.segmented_scene import nodes, settle

G = reference.G
SECOND = "second order in the segment length: error c/N^2"
ELASTICA = "planar elastica, boundary-value problem (scipy solve_bvp)"
COUNTS = (10, 20, 40)
#: speed that counts as rest: 1e-6 lengths in a second, a hundredth of the finest tolerance [m/s]
REST = 1e-5


def rod(segments: int, route: Any, **more: Any) -> Cable:
    """EI = GJ = L = 1, with next to no stretch."""
    given: dict[str, Any] = {"bending_stiffness": 1.0, "mass_per_length": 0.1, "diameter": 0.01, **more}
    return Cable(
        model="segmented", segments=segments, torsional_stiffness=1.0, axial_stiffness=1e7, route=route, **given
    )


def with_tip(lab: Lab, segments: int, tip: tuple[float, float, float]) -> Simulation:
    """Clamped at the origin, with a body of 0.1 kg on a ball at its end, without gravity."""
    rope = rod(segments, (End(hold="pose"), End(on="tip", at=tip)))
    ball = Body(shape=Sphere(radius=0.01), mass=0.1, position=tip, collide=False)
    return lab.simulate(Scene(dt=0.01, gravity=0.0, bodies={"tip": ball}, cables={"rope": rope}))


def _order(errors: list[float]) -> float:
    """Measured between the two finest counts, each twice the one before."""
    return math.log2(errors[-2] / errors[-1])


def catenary(lab: Lab) -> Iterator[Item]:
    """Hung between two points with hardly any stiffness."""
    errors, left = [], 0.0
    for n in COUNTS:
        route = (End(), End(at=(0.6, 0.0, 0.0)))
        rope = rod(n, route, length=1.0, bending_stiffness=1e-6, mass_per_length=1.0 / G)
        sim = lab.simulate(Scene(dt=0.01, cables={"rope": rope}))
        left = max(left, settle(sim, 6.0, 800))
        points, known = nodes(sim), reference.catenary_nodes(0.6, np.linspace(0.0, 1.0, n + 1))
        errors.append(float(np.linalg.norm(points - known, axis=1).max()))
    fine = reference.catenary_nodes(0.6, np.linspace(0.0, 1.0, 200))
    lab.plot(
        "Catenary, 40 segments", "x / L", "z / L",
        {"ours": (points[:, 0], points[:, 2]), "theory": (fine[:, 0], fine[:, 2])},
    )  # fmt: skip
    yield below("segmented.catenary", errors[-1], 3e-4, unit="L", source="catenary", reason=SECOND + ", c = 0.28")
    yield between(
        "segmented.catenary.order", _order(errors), 1.85, 2.15, unit="-", theory=2.0, source="catenary",
        reason="EI/(w L^3) = 1e-6 rounds the ends a little",
    )  # fmt: skip
    yield below("segmented.catenary.rest", left, REST, unit="m/s", source="true rest", reason="1e-6 lengths a second")


def own_weight(lab: Lab) -> Iterator[Item]:
    """Horizontal cantilever under its own weight."""
    left = 0.0
    for gamma, limit in ((1.0, 1e-4), (10.0, 5e-4), (100.0, 1.5e-3)):
        known, errors = rod_reference.hanging_tip(gamma), []
        for n in COUNTS:
            rope = rod(n, (End(hold="pose"), Free(at=(1.0, 0.0, 0.0))), mass_per_length=gamma / G)
            sim = lab.simulate(Scene(dt=0.01, cables={"rope": rope}))
            left = max(left, settle(sim, 10.0, 600))
            tip = nodes(sim)[-1]
            errors.append(math.hypot(tip[0] - known[0], tip[2] - known[1]))
        yield below(
            f"segmented.own_weight.{gamma:g}", errors[-1], limit, unit="L", source=ELASTICA, reason=SECOND, note="tip, N = 40"
        )  # fmt: skip
        yield between(
            f"segmented.own_weight.{gamma:g}.order", _order(errors), 1.85, 2.1, unit="-", theory=2.0, source=ELASTICA,
            reason="half joints at the clamp",
        )  # fmt: skip
    yield below("segmented.own_weight.rest", left, REST, unit="m/s", source="true rest", reason="1e-6 lengths a second")


def tip_load(lab: Lab) -> Iterator[Item]:
    """Cantilever with a dead load at its tip."""
    for load, (drop, short) in rod_reference.TIP_LOADED.items():
        tip = {}
        for n in COUNTS[1:]:
            sim = with_tip(lab, n, (1.0, 0.0, 0.0))
            sim.push("tip", (0.0, 0.0, -load))
            settle(sim, 10.0, 600)
            tip[n] = sim.read("tip.position")
        # c/N^2 is taken out: what is left is of fourth order, and the digits of the table
        finest = (4.0 * tip[40] - tip[20]) / 3.0
        source = "elastica, elliptic integrals (Bisshopp and Drucker)"
        for name, ours, fine, known in (
            ("drop", -tip[40][2], -finest[2], drop),
            ("short", 1.0 - tip[40][0], 1.0 - finest[0], short),
        ):
            yield close(
                f"segmented.tip_load.{name}.{load:g}",
                ours,
                known,
                5e-4,
                unit="L",
                source=source,
                reason=SECOND + ", c = 0.6",
            )
            yield close(
                f"segmented.tip_load.{name}.{load:g}.limit", fine, known, 1e-4, unit="L", source=source,
                reason="extrapolated from N = 20 and 40 by the second order; the table has five digits",
            )  # fmt: skip
