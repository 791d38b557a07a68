"""Paper 0, section 5.1: two boxes of 1000 kg on a rope of 4 m, stretched and twisted, and its velocity row.

The rope only pulls (the paper's pushes as well), so a constant outward push on both boxes holds it taut: it shifts the
middle of the oscillation and nothing else. Masses in series give m/2 for stretch and I/2 for twist.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from taut.scene import Body, Box, Cable, End, Scene, SolverSettings, Winch
from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.item import Item, below, close
from taut.validate.lab import Lab
from taut.validate.watch import Watched, watch

Array = np.ndarray
Kind = Literal["stretch", "twist"]
KINDS: tuple[Kind, Kind] = ("stretch", "twist")

LENGTH, SIDE, MASS, STEP = 4.0, 2.0, 1000.0, 0.01
#: stiffness -> period that the paper prints, and the one of the variational stepper at 0.01 s
STRETCH = {10.0: (44.0, 44.43), 1e3: (4.4, 4.443), 1e6: (0.14, 0.1428)}
TWIST = {10.0: (36.0, 36.28), 1e3: (3.6, 3.628), 1e6: (0.11, 0.1176)}


@dataclass(frozen=True)
class TwoBoxes:
    """The system of Fig. 4, along x, with its middle of oscillation at `middle` and the amplitude half of that."""

    kind: Kind
    stiffness: float  # c_s [N/m] or c_t [N m/rad]
    tau: float = 0.0

    @property
    def inertia(self) -> float:
        """Of the relative motion [kg or kg m^2]."""
        return 0.5 * MASS if self.kind == "stretch" else 0.5 * MASS * SIDE**2 / 6.0

    @property
    def omega(self) -> float:
        """[rad/s]"""
        return math.sqrt(self.stiffness / self.inertia)

    @property
    def period(self) -> float:
        """[s]"""
        return 2.0 * math.pi / self.omega

    @property
    def middle(self) -> float:
        """Stretch about which it swings [m]; a twist swings about zero."""
        return 0.0 if self.kind == "twist" else 0.4 if self.stiffness < 1e5 else 0.01

    @property
    def amplitude(self) -> float:
        """[m or rad]; the twist of the softest rope goes beyond a turn, as in Fig. 7a."""
        if self.kind == "stretch":
            return 0.5 * self.middle
        return 9.0 if self.stiffness < 1e2 else 0.5

    def simulate(self, lab: Lab, **solver: Any) -> Simulation:
        """Ready to run."""
        half = 0.5 * self.amplitude * self.omega
        moves = self.kind == "stretch"
        bodies, ends = {}, []
        for name, side in (("a", -1.0), ("b", 1.0)):
            at = side * 0.5 * (LENGTH + self.middle)
            turn = 0.0 if moves else side * half
            bodies[name] = Body(
                shape=Box(size=(SIDE,) * 3), mass=MASS, position=(at + side * 0.5 * SIDE, 0, 0), spin=(turn, 0, 0),
                velocity=(side * half if moves else 0.0, 0, 0), collide=False,
            )  # fmt: skip
            ends.append(End(on=name, at=(at, 0, 0)))
        rope = Cable(
            route=tuple(ends), length=LENGTH, damping_time=self.tau,
            axial_stiffness=self.stiffness * LENGTH if moves else None,
            torsional_stiffness=None if moves else self.stiffness * LENGTH,
        )  # fmt: skip
        settings = SolverSettings.model_validate(solver)
        sim = lab.simulate(Scene(gravity=0, dt=STEP, bodies=bodies, cables={"rope": rope}, solver=settings))
        for name, side in (("a", -1.0), ("b", 1.0)):
            sim.push(name, (side * self.stiffness * self.middle, 0, 0))
        return sim

    def watch(self, sim: Simulation, seconds: float, every: int = 1) -> Watched:
        """Deformation from the bodies as they are, and the force of the rope."""
        if self.kind == "stretch":
            return watch(
                sim, seconds, {"x": lambda s: s.read("b.position[0]") - s.read("a.position[0]") - SIDE - LENGTH, "force": "rope.tension"},
                every=every,
            )  # fmt: skip
        return watch(sim, seconds, {"x": "rope.twist", "force": "rope.twist_torque"}, every=every)

    def energy(self, sim: Simulation) -> float:
        """Kinetic and elastic energy, less that of the push, at the middle of the last step [J]."""
        if self.kind == "stretch":
            rate = sim.read("b.velocity[0]") - sim.read("a.velocity[0]")
            x = sim.read("b.position[0]") - sim.read("a.position[0]") - SIDE - LENGTH - 0.5 * STEP * rate
        else:
            x = sim.read("rope.twist") + 0.5 * STEP * (sim.read("b.spin[0]") - sim.read("a.spin[0]"))
        return float(sim.read("energy.kinetic") + 0.5 * self.stiffness * (x - self.middle) ** 2)


def recurrence_of(x: Array) -> tuple[float, float]:
    """Factor of the energy and angle per sample of a damped oscillation about zero, from x+ = a x - b x- fitted to it."""
    a, b = np.linalg.lstsq(np.column_stack([x[1:-1], -x[:-2]]), x[2:], rcond=None)[0]
    return float(b), math.acos(float(np.clip(0.5 * a / math.sqrt(max(b, 1e-300)), -1.0, 1.0)))


def _periods(lab: Lab, kind: Kind, known: dict[float, tuple[float, float]]) -> Iterator[Item]:
    for stiffness, (paper, found) in known.items():
        case = TwoBoxes(kind, stiffness)
        stiff = case.omega * STEP > 0.1
        every = 1 if stiff else max(1, round(case.period / STEP / 60.0))
        sim = case.simulate(lab, damping_floor=0.0)
        seen = case.watch(sim, (20.0 if stiff else 2.3) * case.period, every)
        # the twist is that of the step's beginning
        time, x = seen.time - (STEP if kind == "twist" else 0.0), seen["x"] - case.middle
        name = f"massless.{kind}.{stiffness:.0e}".replace("e+0", "e")
        ours = reference.period(time, x)
        short = time < 2.5 * case.period
        scale = case.stiffness
        exact = case.amplitude * np.sin(case.omega * time[short])
        lab.plot(
            f"Paper 0, Fig. {5 if kind == 'stretch' else 7}: {kind}, c = {stiffness:g}", "time [s]",
            "stretch [m]" if kind == "stretch" else "twist [rad]",
            {
                "ours": (time[short], x[short]), "ours: force / c": (seen.time[short], seen["force"][short] / scale - case.middle),
                "theory": (time[short], exact),
            },
        )  # fmt: skip
        yield close(
            f"{name}.period", ours, case.period, 2.5e-2 if stiff else 1e-3, unit="s", paper=paper,
            source="T = 2 pi sqrt(m/c), masses in series", note=f"{found} s for this stepper",
            reason="a step of 0.01 s stretches the period by (omega h)^2/12: 2.5 % at most" if stiff else "(omega h)^2/12 below 2e-4",
        )  # fmt: skip
        yield close(
            f"{name}.discrete", ours, math.pi * STEP / math.atan(0.5 * case.omega * STEP), 1e-3 if stiff else 1e-5, unit="s",
            source="tan(theta/2) = omega h / 2", reason="crossings by cubics, 12 to 60 samples a period",
        )  # fmt: skip


def stretch_periods(lab: Lab) -> Iterator[Item]:
    """Figs 5 and 6."""
    yield from _periods(lab, "stretch", STRETCH)


def twist_periods(lab: Lab) -> Iterator[Item]:
    """Figs 7 and 8: also over more than a turn."""
    yield from _periods(lab, "twist", TWIST)


def deformation_force(lab: Lab) -> Iterator[Item]:
    """Force and torque are c times the deformation, as the scheme averages it, and c tau times its new rate."""
    for kind in KINDS:
        for name, tau, solver in (("plain", 0.0, {"damping_floor": 0.0}), ("damped", 0.02, {}), ("first_order", 0.0, {"stepper": "first_order"})):  # fmt: skip
            case = TwoBoxes(kind, 1e3, tau)
            sim = case.simulate(lab, **solver)
            seen = case.watch(sim, 1.2 * case.period)
            x, force = seen["x"], seen["force"]
            if kind == "twist":
                x, force = x[1:], force[:-1]  # the twist of a step's end is read after the next
            mean = x[2:] if name == "first_order" else 0.25 * (x[:-2] + 2.0 * x[1:-1] + x[2:])
            theory = case.stiffness * (mean + tau * (x[2:] - x[1:-1]) / STEP)
            yield below(
                f"massless.force.{kind}.{name}", np.abs(force[2:] / theory - 1.0).max() if kind == "stretch" else np.abs(force[2:] - theory).max() / np.abs(theory).max(),
                1e-10, unit="-", source="f = c phi+" if name == "first_order" else "f = c (phi- + 2 phi + phi+)/4 + c tau v+",
                reason="round-off, and the 1e-12 floor of the compliance",
            )  # fmt: skip


def _energies(lab: Lab, case: TwoBoxes, periods: float, **solver: Any) -> tuple[Array, Array]:
    """Energy of a vibration over time, of that after the first step."""
    sim = case.simulate(lab, **solver)
    every = max(1, round(case.period / STEP / 24.0))
    sim.run(1)
    times, found = [sim.time], [case.energy(sim)]
    for _ in range(round(periods * case.period / STEP / every)):
        sim.run(every)
        times.append(sim.time)
        found.append(case.energy(sim))
    return np.array(times), np.array(found) / found[0]


def _draw_energies(lab: Lab) -> None:
    """Figs 6 and 8: ours beside the printed stepper and its law, a factor of 1 + (omega h)^2 a step."""
    for kind, number in (("stretch", 6), ("twist", 8)):
        for stiffness in STRETCH:
            case = TwoBoxes(kind, stiffness)  # type: ignore[arg-type]
            times, kept = _energies(lab, case, 3.0, damping_floor=0.0)
            lost = _energies(lab, case, 3.0, stepper="first_order")[1]
            law = (1.0 + (case.omega * STEP) ** 2) ** (-(times - times[0]) / STEP)
            lab.plot(
                f"Paper 0, Fig. {number}: energy, {kind}, c = {stiffness:g}", "time [s]", "part of the energy at the start",
                {"ours": (times, kept), "printed stepper": (times, lost), "theory": (times, 1.0 + 0.0 * times), "theory of the printed stepper": (times, law)},
            )  # fmt: skip


def vibration_energy(lab: Lab) -> Iterator[Item]:
    """Nothing is lost without damping; with it 2 pi omega tau a period; with the papers' stepper what its law says."""
    _draw_energies(lab)
    for kind in KINDS:
        case = TwoBoxes(kind, 1e6)
        sim = case.simulate(lab, damping_floor=0.0)
        start = 0.5 * case.inertia * (case.amplitude * case.omega) ** 2
        periods = 300
        sim.run(1)
        before = case.energy(sim)
        sim.run(round(periods * 0.1428 / STEP))
        change = (case.energy(sim) - before) / start
        yield below(
            f"massless.energy.{kind}", change, 1e-9, unit="-", source="no damping: E is kept",
            reason="the scheme keeps a quadratic energy: round-off", note=f"{periods} periods",
        )  # fmt: skip
    for kind in KINDS:
        for name, tau, solver in (("damping", 0.02, {}), ("first_order", 0.0, {"stepper": "first_order"})):
            for stiffness in (1e3, 1e6) if name == "first_order" else (1e3,):
                case = TwoBoxes(kind, stiffness, tau)
                every = max(1, round(case.period / STEP / 12.0))
                seen = case.watch(case.simulate(lab, **solver), 3.0 * case.period, every)
                factor, angle = recurrence_of(seen["x"] - case.middle)
                per_period = -math.log(factor) * 2.0 * math.pi / angle
                wh = case.omega * STEP
                theory = 2.0 * math.pi * case.omega * tau
                if name == "first_order":
                    theory = math.log1p(wh**2) * 2.0 * math.pi / math.atan(wh)
                yield close(
                    f"massless.loss.{kind}.{name}.{stiffness:.0e}".replace("e+0", "e"), per_period, theory, 1e-3 if name == "damping" else 1e-6, unit="1/period",
                    source="2 pi omega tau" if name == "damping" else "ln(1 + omega^2 h^2) a step, tan(theta) = omega h",
                    reason="(omega tau)^2/8 and (omega h)^2/12" if name == "damping" else "the stepper's own law",
                    note="" if name == "damping" else f"{100 * (1 - math.exp(-per_period)):.1f} % in a period",
                )  # fmt: skip


def velocity_row(lab: Lab) -> Iterator[Item]:
    """Section 4.3.3 and Fig. 10: a drum that gives way by xi per newton lifts 1 kg at w - xi m g, or stalls."""
    g, weight = 10.0, 10.0
    for xi, theory in ((0.02, 0.3), (0.05, 0.0)):
        drum = Winch(
            at=(0, 0, 12), axis=(0, 1, 0), radius=0.05, turn="left", speed=0.5, most_speed=0.5, acceleration=100.0, stall=0.5 / xi
        )  # fmt: skip
        box = Body(kind="particle", mass=1.0, position=(0.05, 0, 0))
        rope = Cable(route=(drum, End(on="box")), axial_stiffness=1e4, damping_time=0.05)
        sim = lab.simulate(Scene(gravity=g, dt=STEP, bodies={"box": box}, cables={"rod": rope}))
        sim.run(1200)
        speed = sim.read("box.velocity[2]")
        if theory > 0.0:
            yield close(
                f"massless.slip.{xi:g}", speed, theory * (1.0 + weight / 1e4), 1e-9, unit="m/s",
                source="v = (w - xi m g)(1 + T/EA), w = 0.5 m/s", reason="steady: round-off", note="lifts, as corrected",
            )  # fmt: skip
        else:
            yield below(
                f"massless.slip.{xi:g}", speed, 1e-9, unit="m/s", source="stall at w/xi = 10 N = m g",
                reason="steady: round-off", note="as printed: cannot lift",
            )  # fmt: skip
        yield close(
            f"massless.slip.pull.{xi:g}", sim.read("rod.pull"), weight, 1e-9, unit="N", source="T = m g at constant speed",
            reason="steady: round-off",
        )  # fmt: skip
