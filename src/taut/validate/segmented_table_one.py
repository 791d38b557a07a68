"""Paper 1, Table I and Figs 2 to 5: chains of particles dropped from the horizontal, with the paper's stepper and with ours.

The criterion is the same for both: in 15 s no link is off by more than a tenth and three times the stretch under 3 M g, and
kinetic and potential energy never rise by more than 5 % of M g L above the start. Scans end where the load at rest would
stretch what carries it by a whole link. In this engine models a to d are particles with distance joints, their massless
cable a rope over rings (which only pulls), and model e is a segmented cable of five segments.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np

from taut.scene import WORLD, Body, Cable, Distance, End, Ring, Scene, SolverSettings, Sphere
from taut.scene.joints import Joint
from taut.scene.solver import ROBUST
from taut.simulation import Simulation
from taut.validate import segmented_particles as particles
from taut.validate.item import Item, between
from taut.validate.lab import Lab
from taut.validate.segmented_particles import GAIN, GRAVITY, LINKS, OFF, Model, Particles
from taut.validate.watch import watch

#: stiffest joint [N/m] and cable [N, N m^2] that a scene may have, and heaviest body, power of ten [kg]
STIFFEST, STIFFEST_CABLE, HEAVIEST = 1e18, 1e15, 15
#: as much damping as the paper's stepper has, and more: two steps
DAMPED: dict[str, Any] = {"damping_floor": 2.0}
SETTINGS: dict[str, dict[str, Any]] = {"default": {}, "robust": dict(ROBUST), "damping_floor 2": DAMPED}


@dataclass(frozen=True)
class Row:
    """Of the table."""

    model: Model
    stretch: float  # eps_d [m/N]
    extra: float  # eps_m, eps_le or eps_a
    paper: float  # largest mass ratio
    ours: float  # that we must reach
    by: str  # with these settings

    @property
    def name(self) -> str:
        """As it appears in items."""
        extra = f"_{self.extra:.0e}" if self.extra else ""
        return f"{self.model}_{self.stretch:.0e}{extra}".replace("e-0", "e-")

    @property
    def carrying(self) -> float:
        """Compliance of what carries the load [m/N]."""
        return self.extra if self.model == "c" else self.stretch

    @property
    def taken(self) -> Row:
        """As this engine takes it: a cable has no more than the largest stiffness of a scene."""
        least = 1.0 / STIFFEST_CABLE if self.model == "e" else 0.0
        return replace(self, stretch=max(self.stretch, least), extra=max(self.extra, least))

    @property
    def top(self) -> int:
        """Largest power of ten that is tried."""
        return min(math.floor(-math.log10(self.carrying * GRAVITY) + 1e-9), 16)


TABLE = (
    Row("a", 1e-8, 0.0, 1e2, 1e5, "default"),
    Row("b", 1e-8, 1e-9, 1e2, 1e2, "damping_floor 2"),
    Row("c", 1e-8, 1e-9, 1e3, 1e3, "default"),
    Row("c", 1e-8, 1e-12, 1e7, 1e7, "default"),
    Row("c", 1e-18, 1e-22, 1e15, 1e15, "damping_floor 2"),
    Row("d", 1e-8, 1e-9, 1e2, 1e2, "damping_floor 2"),
    Row("e", 1e-8, 1e-4, 1e3, 1e7, "robust"),
    Row("e", 1e-11, 1e-9, 1e7, 1e10, "robust"),
    Row("e", 1e-18, 1e-17, 1e15, 1e14, "robust"),
)


def dropped(row: Row, load: float, **solver: Any) -> Scene:
    """The chain of this engine, along x."""
    settings, far = SolverSettings(**solver), (float(LINKS), 0.0, 0.0)
    if row.model == "e":
        rope = Cable(
            model="segmented", segments=LINKS, mass_per_length=1.0, diameter=0.05,
            axial_stiffness=1.0 / row.stretch, bending_stiffness=1.0 / row.extra, torsional_stiffness=1.0 / row.extra,
            route=(End(), End(on="load", at=far)),
        )  # fmt: skip
        ball = Body(shape=Sphere(radius=0.2), mass=load, position=far, collide=False)
        return Scene(gravity=GRAVITY, bodies={"load": ball}, cables={"rope": rope}, solver=settings)
    names = [WORLD, *(f"p{i}" for i in range(1, LINKS)), "load"]
    bodies = {
        name: Body(kind="particle", mass=load if name == "load" else 1.0, position=(float(i), 0.0, 0.0))
        for i, name in enumerate(names)
        if i
    }
    joints: dict[str, Joint] = {
        f"link{i}": Distance(a=a, b=b, point_a=(float(i), 0.0, 0.0), stiffness=_stiffness(row.stretch))
        for i, (a, b) in enumerate(pairwise(names))
        if row.model != "d" or i < LINKS - 1
    }
    cables = {}
    if row.model == "c":
        joints["held"] = Distance(a=WORLD, b="load", point_a=(0.0, 0.0, 0.0), stiffness=_stiffness(row.extra))
    elif row.model in ("b", "d"):
        rings = (Ring(on=name) for name in names[1:-1])
        cables["rope"] = Cable(axial_stiffness=LINKS / row.extra, route=(End(), *rings, End(on="load")))
    return Scene(gravity=GRAVITY, bodies=bodies, joints=joints, cables=cables, solver=settings)


def _stiffness(compliance: float) -> float | None:
    """As a scene takes it; beyond its range rigid [N/m]."""
    return 1.0 / compliance if compliance * STIFFEST >= 1.0 else None


def holds(lab: Lab, row: Row, load: float, seconds: float, **solver: Any) -> bool:
    """Whether the run keeps to the criterion."""
    sim = lab.simulate(dropped(row, load, **solver))
    allowed = OFF + 3.0 * 3.0 * load * GRAVITY * row.carrying
    scale = load * GRAVITY * LINKS

    def off(s: Simulation) -> float:
        if row.model == "e":
            return float(s.read("rope.opening"))
        places = np.array([np.zeros(3), *(s.read(f"{name}.position") for name in s.scene.bodies)])
        return float(np.abs(np.linalg.norm(np.diff(places, axis=0), axis=1) - 1.0).max())

    seen = watch(
        sim, seconds, {"off": off, "energy": lambda s: (s.read("energy.kinetic") + s.read("energy.potential")) / scale},
        until=lambda w: not (w["off"][-1] < allowed and w["energy"][-1] - w["energy"][0] < GAIN),
    )  # fmt: skip
    return seen.lost is None


def _scan(lab: Lab, row: Row, powers: Sequence[int], seconds: float, **solver: Any) -> float:
    held = 0.0
    for power in powers:
        if not holds(lab, row, 10.0**power, seconds, **solver):
            break
        held = 10.0**power
    return held


def table_one(lab: Lab) -> Iterator[Item]:
    """All rows in this engine."""
    seconds = lab.choose(5.0, 15.0)
    for row in TABLE:
        own, goal = row.taken, round(math.log10(row.ours))
        powers = lab.choose(tuple(sorted({1, goal})), range(1, min(own.top, HEAVIEST) + 1))
        found = _scan(lab, own, powers, seconds, **SETTINGS[row.by])
        plain = found if row.by == "default" else _scan(lab, own, powers, seconds)
        stiff = f"; eps as small as a scene may say, {own.stretch:.0e}" if own != row else ""
        yield between(
            f"segmented.table1.{row.name}", found, row.ours, 10.0**HEAVIEST, unit="-", paper=row.paper,
            source="paper 1, Table I", reason="acceptance: not worse than the paper; a, e as far as physics goes",
            note=f"with {row.by}; shipped settings {plain:.0e}; tried to 1e{powers[-1]}, {seconds:.0f} s{stiff}",
        )  # fmt: skip


def paper_stepper(lab: Lab) -> Iterator[Item]:
    """All rows with the paper's own stepper, in a code of its own."""
    for row in TABLE:
        chains = lab.chains(Particles(row.model, row.stretch, row.extra, 10.0 ** np.arange(1.0, row.top + 1.0)))
        found = particles.largest(chains, lab.choose(5.0, 15.0))
        yield between(
            f"segmented.table1.paper.{row.name}", found, row.paper, 1e16, unit="-", paper=row.paper, source="paper 1, Table I",
            reason="reproduced: equal or better", note=f"its stepper, Schur complement; tried to 1e{row.top}",
        )  # fmt: skip


def figures(lab: Lab) -> Iterator[Item]:
    """Figs 2 to 5: bend rows calm the chain."""

    def sampled(model: Model, extra: float, load: float) -> tuple[np.ndarray, np.ndarray]:
        return particles.sampled(lab.chains(Particles(model, 1e-6, extra, np.array([load]))), 30.0)

    (free, loose), (held, stiff) = sampled("a", 1.0, 100.0), sampled("e", 1e-4, 100.0)
    for number, name, d, a in ((2, "a", free, loose), (3, "e", held, stiff)):
        lab.plot(
            f"Paper 1, Fig. {number}: model {name}, M/m = 100", "phi_d of the first link [m]", "phi_a [rad]",
            {f"model {name}": (d, a)}, dots=True,
        )  # fmt: skip
        lab.plot(
            f"Paper 1, Fig. 4: return map of model {name}", "phi_d(t) [m]", "phi_d(t + h) [m]",
            {f"model {name}": (d[:-1], d[1:])}, dots=True,
        )  # fmt: skip
    spectra, shares = {}, []
    for soft in (1e-1, 5e-3, 1e-4):
        d = sampled("e", soft, 150.0)[0]
        power = np.abs(np.fft.rfft(d - d.mean())) ** 2
        rate = np.fft.rfftfreq(len(d), particles.STEP)
        shares.append(float(power[rate > 5.0].sum() / power.sum()))
        spectra[f"eps_a = {soft:g}"] = (rate[1:], power[1:] / power.sum())
    lab.plot(
        "Paper 1, Fig. 5: spectrum of phi_d, M/m = 150", "frequency [Hz]", "share of the power", spectra, log_y=True
    )
    lag = [float(np.corrcoef(d[:-1], d[1:])[0, 1]) for d in (free, held)]
    yield between(
        "segmented.fig_2_3", float(stiff.std() / loose.std()), 0.0, 0.1, unit="-", source="paper 1, Figs 2 and 3",
        reason="the text: a large decrease of phi_a by the bend rows, here a decade; it prints no number",
        note=f"bend of the first joint with bend rows over that without: {stiff.std():.4f} / {loose.std():.4f} rad",
    )  # fmt: skip
    yield between(
        "segmented.fig_4", (1.0 - lag[1]) / (1.0 - lag[0]), 0.0, 0.1, unit="-", source="paper 1, Fig. 4",
        reason="the text: irregular without bend rows, an ellipse with them; what correlation leaves falls by a decade, no number is printed",
        note=f"correlation of phi_d from step to step: {lag[0]:.3f} without, {lag[1]:.4f} with bend rows; less chaotic than described",
    )  # fmt: skip
    yield between(
        "segmented.fig_5", max(after / before for before, after in pairwise(shares)), 0.0, 0.5, unit="-", source="paper 1, Fig. 5",
        reason="the text: stiffer bend rows drive the spectrum to lower frequencies, here by half from one to the next; it prints no number",
        note="share above 5 Hz by eps_a = 0.1, 5e-3, 1e-4: " + ", ".join(f"{100 * share:.2g} %" for share in shares),
    )  # fmt: skip
