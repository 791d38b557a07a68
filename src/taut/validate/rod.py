"""Validation of the rod: shapes and forces against the elastica, catenary, helix and arc."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.cables.rod import Clamp, Free, Rod
from taut.validate import rod_reference as reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Check, Lab
from taut.validate.rod_attempts import CHECKS as ATTEMPTS
from taut.validate.rod_contact import CHECKS as AMONG_THINGS
from taut.validate.rod_figures import CHECKS as FIGURES
from taut.validate.rod_frames import frames
from taut.validate.rod_leaning import CHECKS as LEANING
from taut.validate.rod_scene import moving
from taut.validate.rod_space import space
from taut.validate.rod_stability import buckling, loop, ring, standing, strips

ELASTICA = "planar elastica, boundary-value problem (scipy solve_bvp)"
ORDER = "second order in the segment length: error about c/n^2, c measured at coarser n"


def hung(segments: int, weight: float = 102.0, distance: float = 0.6, **more: Any) -> Rod:
    """A rod with weight between horizontal clamps, EI = GJ = L = 1."""
    ends: dict[str, Any] = {"start": Clamp((0, 0, 0)), "end": Clamp((distance, 0, 0))}
    return Rod(1.0, segments, **ends, EI=1.0, GJ=1.0, mass_per_length=weight, gravity=(0, 0, -1), **more)


def clamped(lab: Lab) -> Iterator[Item]:
    """Hung between clamps: shape, reaction and order."""
    truth = reference.Hung(102.0, 0.6)
    errors = {}
    for n in (20, 40, 80, 100, 160):
        rod = hung(n)
        rod.solve()
        errors[n] = float(np.linalg.norm(rod.points - truth.points(rod.arc_length), axis=1).max())
        if n == 100:
            pull = float(rod.end_force()[0])
            points, known = rod.points, truth.points(np.linspace(0.0, 1.0, 300))
            lab.plot(
                "Rod between clamps, w L^3/EI = 102", "x / L", "z / L",
                {"ours, 100 segments": (points[:, 0], points[:, 2]), "theory": (known[:, 0], known[:, 2])},
            )  # fmt: skip
    for n, limit in ((40, 1e-3), (100, 2e-4)):
        yield below(f"rod.clamped.{n}", errors[n], limit, unit="L", source=ELASTICA, reason=ORDER)
    order = math.log2(errors[80] / errors[160])
    yield between(
        "rod.clamped.order", order, 1.9, 2.1, unit="-", theory=2.0, source=ELASTICA, reason="half joints at the clamps"
    )
    reason = ORDER + ", 21/n^2"
    yield close("rod.clamped.reaction", pull, truth.pull, 3e-3, unit="EI/L^2", source=ELASTICA, reason=reason)


def hanging(lab: Lab) -> Iterator[Item]:
    """Cantilever under its own weight."""
    for gamma, ratio in reference.HANGING.items():
        rod = Rod(1.0, 100, start=Clamp((0, 0, 0)), end=Free(), EI=1, GJ=1, mass_per_length=gamma, gravity=(0, 0, -1))
        rod.solve()
        x, _, z = rod.points[-1]
        if gamma >= 1.0:
            known = reference.hanging_tip(gamma)
            limit = 1e-3 if gamma > 100 else 3e-4
            miss = math.hypot(x - known[0], z - known[1])
            yield below(f"rod.hanging.tip.{gamma:g}", miss, limit, unit="L", source=ELASTICA, reason=ORDER)
        # the ratio magnifies the error of a short reach: d(H/W) = dH/W + H dW/W^2
        yield close(
            f"rod.hanging.{gamma:g}", -z / x, ratio, 0.02 if gamma > 100 else 2.5e-3, unit="-",
            source="elastica, tables of drop over reach", reason=ORDER + "; magnified by the short reach",
        )  # fmt: skip


def tip_loaded(lab: Lab) -> Iterator[Item]:
    """Cantilever with a dead load at its tip."""
    for load, (drop, short) in reference.TIP_LOADED.items():
        rod = Rod(1.0, 100, start=Clamp((0, 0, 0)), end=Free(), EI=1, GJ=1)
        rod.add_load(1.0, (0, 0, -load))
        rod.solve()
        x, _, z = rod.points[-1]
        source = "elastica, elliptic integrals (Bisshopp and Drucker)"
        yield close(f"rod.tip.drop.{load:g}", -z, drop, 2e-4, unit="L", source=source, reason=ORDER)
        yield close(f"rod.tip.short.{load:g}", 1.0 - x, short, 4e-4, unit="L", source=source, reason=ORDER)


def arc(lab: Lab) -> Iterator[Item]:
    """A curved cantilever bent out of its plane: rest curvature, bending and torsion together."""
    size = 100.0 * math.pi / 4.0
    # unit square, E = 1e7, nu = 0; the published tips belong to the polar moment 1/6, not to Saint-Venant's 0.141
    rod = Rod(size, 100, start=Clamp((0, 0, 0)), end=Free(), EI=1e7 / 12.0, GJ=5e6 / 6.0, rest_curvature=0.01)
    tip = rod.add_load(size, (0, 0, 0))
    for load, known in reference.ARC_TIP.items():
        rod.change_load(tip, (0, 0, load))
        rod.solve()
        miss = float(np.linalg.norm(rod.points[-1] - known))
        yield below(
            f"rod.arc.{load:g}", miss / size, 3e-4, unit="L", source="45 degree bend, Bathe and Bolourchi 1979",
            reason="tips are printed to 0.01 of 78.5; stretch and shear, which the rod has not, are 6e-5",
        )  # fmt: skip


def torsion(lab: Lab) -> Iterator[Item]:
    """Without anisotropy, rest curvature and couples the twist is the same all along."""
    rod = hung(60)
    rod.solve()
    rod.twist_end("150 deg")
    rod.solve()
    twist = rod.twist
    spread = float(twist.std() / abs(twist.mean()))
    yield below(
        "rod.torsion", spread, 1e-3, unit="-", source="m.d3 is constant (Kirchhoff)", reason=ORDER + ", 2.7/n^2"
    )
    moment = float(rod.end_moment() @ np.array([1.0, 0.0, 0.0]))
    yield close(
        "rod.torsion.moment",
        moment,
        float(twist[-1]),
        2e-3,
        unit="EI/L",
        source="GJ times twist",
        reason=ORDER + ", 4/n^2",
    )


def chain(lab: Lab) -> Iterator[Item]:
    """With little stiffness and the tangents of the catenary at its ends the rod is a chain."""
    segments = lab.choose(200, 400)
    s = np.linspace(0.0, 1.0, segments + 1)
    points, slope = reference.catenary(0.6, s)
    for stiffness, limit in ((1e-4, 2e-3), (1e-5, 4e-4)):
        ends: dict[str, Any] = {"start": Clamp((0, 0, 0), (1, 0, slope)), "end": Clamp((0.6, 0, 0), (1, 0, -slope))}
        rod = Rod(1.0, segments, **ends, EI=stiffness, GJ=stiffness, mass_per_length=1.0, gravity=(0, 0, -1))
        rod.solve()
        miss = float(np.linalg.norm(rod.points - points, axis=1).max())
        yield below(
            f"rod.catenary.{stiffness:g}",
            miss,
            limit,
            unit="L",
            source="catenary",
            reason="deviation of order EI/(w L^3)",
        )


def helix(lab: Lab) -> Iterator[Item]:
    """A rod with rest curvature and twist, without load, is a helix."""
    misses = []
    for n, limit in ((50, 8e-3), (100, 2e-3), (200, 5e-4)):
        start = Clamp((0, 0, 0), quaternion=(1, 0, 0, 0))
        rod = Rod(1.0, n, start=start, end=Free(), EI=1, GJ=1, rest_curvature=20.0, rest_twist=5.0)
        rod.solve()
        misses.append(float(np.linalg.norm(rod.points[-1] - reference.helix_tip(20.0, 5.0, 1.0))))
        yield below(f"rod.helix.{n}", misses[-1], limit, unit="L", source="helix of constant strain", reason=ORDER)
    order = math.log2(misses[1] / misses[2])
    yield between("rod.helix.order", order, 1.9, 2.1, unit="-", theory=2.0, source="helix", reason="chord of the angle")


def anisotropy(lab: Lab) -> Iterator[Item]:
    """Each direction bends with its own stiffness: tip deflection P L^3/(3 EI)."""
    for k, (name, across) in enumerate((("d1", (0.0, 1.0, 0.0)), ("d2", (0.0, 0.0, 1.0)))):
        rod = Rod(1.0, 100, start=Clamp((0, 0, 0)), end=Free(), EI=(1.0, 4.0), GJ=1.0)
        rod.add_load(1.0, 1e-3 * np.array(across))
        rod.solve()
        stiffness = 1e-3 / (3.0 * float(np.linalg.norm(rod.points[-1, 1:])))
        yield close(
            f"rod.anisotropy.{name}", stiffness, (1.0, 4.0)[k], 5e-4, unit="EI", source="P L^3/(3 EI)", reason=ORDER
        )  # fmt: skip


CHECKS: tuple[Check, ...] = (
    clamped, hanging, tip_loaded, arc, torsion, chain, helix, anisotropy,
    space, buckling, standing, strips, ring, loop, frames, *AMONG_THINGS, moving, *LEANING, *ATTEMPTS, *FIGURES,
)  # fmt: skip
