"""A layered rope between fixed points: sag, frequencies, and what it keeps of its energy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.cables.layered import theory
from taut.cables.layered.explicit import ExplicitStrings
from taut.scene import Cable, End, Scene, SolverSettings
from taut.validate.item import Item, below, close, told
from taut.validate.lab import Lab

#: the crane's rope: EA [N], mass per length [kg/m], span along the jib [m]
EA, DENSITY, SPAN = 3.7425e6, 1.2, 30.0


def between_points(lab: Lab, dt: float, *, weightless: bool = False, **rope: Any) -> Any:
    """A rope between two fixed points at the same height."""
    cable = Cable(
        model="layered", route=(End(at=(0, 0, 0)), End(at=(SPAN, 0, 0))),
        **{"axial_stiffness": EA, "mass_per_length": DENSITY, **rope},
    )  # fmt: skip
    gravity = (0.0, 0.0, 0.0) if weightless else (0.0, 0.0, -theory.G)
    return lab.simulate(Scene(cables={"rope": cable}, dt=dt, gravity=gravity, solver=SolverSettings(damping_floor=0.0)))


def frequency(samples: Any, dt: float, low: float, high: float) -> float:
    """Frequency of the highest spectral line between two bounds, by a parabola through its logarithm [Hz]."""
    y = np.asarray(samples, float)
    y = (y - y.mean()) * np.hanning(len(y))
    size, line = np.abs(np.fft.rfft(y, 8 * len(y))), np.fft.rfftfreq(8 * len(y), dt)
    inside = np.flatnonzero((line > low) & (line < high))
    k = int(inside[size[inside].argmax()])
    a, b, c = np.log(np.maximum(size[k - 1 : k + 2], 1e-300))
    return float(line[k] + 0.5 * (a - c) / (a - 2.0 * b + c) * (line[1] - line[0]))


def hanging(lab: Lab) -> Iterator[Item]:
    """Sag and tension at the supports against the elastic catenary of the same unstretched length."""
    sags, ours = [], []
    for ratio, allowed in ((0.02, 1e-3), (0.05, 5e-3), (0.10, 2e-2)):
        _, end, length = theory.catenary(SPAN, DENSITY * theory.G, EA, ratio * SPAN)
        sim = between_points(lab, 1 / 60, length=length, wave_damping=2.0)
        sim.run(lab.choose(600, 1800))
        where = f"{ratio:g}".replace(".", "_")
        sags.append(ratio)
        ours.append(float(sim.read("rope.upper_tension[0]")) / end - 1.0)
        yield close(
            f"layered.hanging.sag_{where}", sim.read("rope.sag[0]"), ratio * SPAN, allowed, unit="m", source="elastic catenary",
            reason="the arc is closed by its mean square slope",
        )  # fmt: skip
        yield close(
            f"layered.hanging.tension_{where}", sim.read("rope.upper_tension[0]"), end, allowed, unit="N", source="elastic catenary",
            reason="the weight is spread evenly over the chord: half the mean square slope in place of a quarter",
        )  # fmt: skip
    lab.plot(
        "Tension at the supports against the catenary",
        "sag/span",
        "error [-]",
        {"ours": (sags, ours), "theory": (sags, [0.0] * len(sags))},
    )


def string_frequencies(lab: Lab) -> Iterator[Item]:
    """f_n = n/(2 l) sqrt(T/rho), at 1 ms and, pre-warped, at 1/60 s for omega h < 1."""
    thrust = 4905.0
    for dt, warped, name in ((1e-3, False, "1ms"), (1 / 60, True, "60hz")):
        for n in lab.choose((1, 5), (1, 2, 3, 4, 5)):
            sim = between_points(lab, dt, weightless=True, tension=thrust, prewarp=warped)
            sim.state.wave_mode[n - 1, 0] = 1e-4
            every = max(1, round(0.016 / dt))
            seen = []
            for _ in range(round(lab.choose(15.0, 30.0) / dt / every)):
                sim.run(every)
                seen.append(float(sim.state.wave_mode[n - 1, 0]))
            known = theory.string_frequency(n, SPAN, thrust, DENSITY / (1.0 + thrust / EA))
            yield close(
                f"layered.string.f{n}_{name}", frequency(seen, dt * every, 0.5 * known, 2.0 * known), known, 2e-3, unit="Hz",
                source="n/(2 l) sqrt(T/rho)", reason="asked for; (omega h)^2/12 at 1 ms, exact when pre-warped",
            )  # fmt: skip


def irvine(lab: Lab) -> Iterator[Item]:
    """First symmetric mode with the tension's feedback, lambda^2 from 0.1 to 460."""
    cases = ((5000.0, 5.5e4), (4905.0, EA), (2450.0, EA), (1500.0, EA), (1010.0, EA))
    for thrust, stiffness in lab.choose(cases[1::2], cases):
        sim = between_points(lab, 1e-3, tension=thrust, axial_stiffness=stiffness, prewarp=False)
        length = float(sim.read("rope.rope_out"))
        chord = thrust * SPAN / length / (1.0 + thrust / stiffness)
        weight = DENSITY * length * theory.G
        squared = (weight / chord) ** 2 * stiffness * SPAN / (chord * length)
        sim.state.wave_mode[0, 0] += 1e-5
        seen = []
        for _ in range(lab.choose(7000, 15000)):
            sim.run(4)
            seen.append(float(sim.read("rope.sag[0]")))
        known = theory.irvine(squared) * theory.string_frequency(1, SPAN, chord, DENSITY * length / SPAN)
        yield close(
            f"layered.irvine.{squared:.3g}".replace(".", "_").replace("layered_irvine_", "layered.irvine.lambda2_"),
            frequency(seen, 4e-3, 0.8 * known, 1.6 * known), known, 1e-3, unit="Hz",
            source="Irvine: tan x = x - 4 x^3/lambda^2", reason="asked for", note=f"lambda^2 = {squared:.3g}",
        )  # fmt: skip


def energy(lab: Lab) -> Iterator[Item]:
    """Fixed ends, no damping, no pre-warping, both directions: the energy of 4,000 steps."""
    for dt, name in ((0.005, "5ms"), (1 / 60, "60hz"), (0.05, "50ms")):
        sim = between_points(lab, dt, tension=3000.0, prewarp=False)
        kick = 1.0
        sim.state.wave_mode[0, 2], sim.state.wave_mode[1, 3] = kick, 0.7 * kick
        sim.run(1)
        start, worst = float(sim.read("energy.mechanical")), 0.0
        for _ in range(40):
            sim.run(100)
            worst = max(worst, abs(float(sim.read("energy.mechanical")) - start))
        moved = 0.25 * DENSITY * SPAN * kick**2 * 1.49
        yield below(
            f"layered.energy.{name}", worst / moved, 1e-6, unit="-", source="conservation",
            reason="asked for; what is left is the tolerance of the tension",
        )  # fmt: skip


def stability(lab: Lab) -> Iterator[Item]:
    """Where the explicit scheme explodes or is suspended: thrusts of 100 to 5,000 N, ropes ten times stiffer, long steps."""
    for stiffness, kind in ((EA, "steel"), (10.0 * EA, "stiff")):
        worst = 0.0
        for thrust in (5000.0, 1000.0, 300.0, 100.0):
            load = DENSITY * theory.G * SPAN / thrust
            length = SPAN * math.sqrt(1.0 + load**2 / 12.0)
            for dt in (1 / 60, 0.1):
                sim = between_points(lab, dt, length=length / (1.0 + thrust / stiffness), axial_stiffness=stiffness)
                rest = float(sim.read("rope.sag[0]"))
                sim.state.wave_mode[0, 2] += 0.1
                for _ in range(lab.choose(10, 40)):
                    sim.run(50)
                    worst = max(worst, abs(float(sim.read("rope.sag[0]")) / rest - 1.0) if thrust < 2000.0 else 0.0)
                    worst = max(worst, float(sim.read("step.redone")))
        yield below(
            f"layered.stability.{kind}", worst, 0.2, unit="-", source="a small kick stays small, no step is redone",
            reason="0.1 m/s moves the sag by some centimetres", note="largest change of the sag at 1/60 s and 0.1 s",
        )  # fmt: skip


def explicit_scheme(lab: Lab) -> Iterator[Item]:
    """The paper's scheme, corrected, on its crane at 60 Hz: how much of the time its waves are thrown away."""
    rope = ExplicitStrings([30.0, 40.0, 40.0, 30.0], DENSITY, EA, 140.0, pieces=20, c=19.0, dt=1 / 60)
    rope.settle(4905.0)
    rope.state[1] = -0.05
    rope.run(60)
    rope.state[1] = 0.0
    rope.run(1140)
    yield told(
        "layered.explicit.suspended", rope.suspended, unit="-", source="paper 2, section 4.1",
        note="part of all span steps in 20 s without waves, after a pull of 5 cm; ours suspends nothing",
    )  # fmt: skip
