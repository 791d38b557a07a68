"""Layered ropes over rings, sheaves and winches: the paper's crane."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from taut.cables.layered import theory
from taut.scene import Body, Box, Cable, End, Ring, Scene, SolverSettings, Winch
from taut.validate.item import Item, below, close, told
from taut.validate.lab import Lab
from taut.validate.layered_waves import EA
from taut.validate.watch import watch

G, MASS, FALL, JIB = theory.G, 1000.0, 40.0, 30.0
HALF = 0.5 * MASS * G


def crane(density: float, *, drum: bool = False, rests: bool = False, lift: float = 0.0, dt: float = 1 / 60, floor: float = 0.1,
          **rope: Any) -> Scene:  # fmt: skip
    """Winch - 30 m - trolley - 40 m - hook - 40 m - trolley - 30 m - tip; without density the rope is massless."""
    start = (
        Winch(at=(0, 0, -0.3), axis=(0, 1, 0), radius=0.3, turn="left", acceleration=1e4) if drum else End(at=(0, 0, 0))
    )
    route = (
        start, Ring(at=(JIB, 0, 0)), Ring(on="hook", at=(JIB, 0, -FALL + lift)), Ring(at=(JIB, 0, 0)), End(at=(2 * JIB, 0, 0)),
    )  # fmt: skip
    model = {"model": "layered", "mass_per_length": density} if density > 0.0 else {}
    bodies = {"hook": Body(kind="particle", mass=MASS, position=(JIB, 0, -FALL + lift))}
    if rests:
        bodies = {
            "hook": Body(mass=MASS, position=(JIB, 0, -FALL - 0.25), shape=Box(size=(1, 1, 0.5))),
            "floor": Body(kind="static", position=(JIB, 0, -FALL - 1.0), shape=Box(size=(4, 4, 1))),
        }
    cable = Cable(route=route, axial_stiffness=EA, **{**model, **rope})
    return Scene(bodies=bodies, cables={"rope": cable}, dt=dt, solver=SolverSettings(damping_floor=floor))


def rope_needed(at_hook: float, density: float) -> float:
    """Unstretched rope of the crane with this tension at the hook [m]: T = T_hook + rho g (z - z_hook) everywhere."""
    top, middle = at_hook + density * G * FALL, at_hook + 0.5 * density * G * FALL
    along = 2.0 * theory.parabola_length(JIB, density * G, top) / (1.0 + top / EA)
    return along + 2.0 * FALL / (1.0 + middle / EA)


def axial_weight(lab: Lab) -> Iterator[Item]:
    """The tension along a standing rope: half the load at the hook, and the weight of the fall more at the top."""
    for density in (1.2, 2.0):
        mean = HALF + density * G * FALL * 5.0 / 7.0
        sim = lab.simulate(crane(density, tension=mean, damping_time=0.02, wave_damping=1.0))
        sim.run(lab.choose(900, 1800))
        where = f"{density:g}".replace(".", "_")
        yield close(
            f"layered.weight.hook_{where}", sim.read("rope.lower_tension[1]"), HALF, 1e-3, unit="N", source="M g/2",
            reason="balance of forces",
        )  # fmt: skip
        yield close(
            f"layered.weight.top_{where}", sim.read("rope.upper_tension[1]"), HALF + density * G * FALL, 1e-3, unit="N",
            source="M g/2 + rho g 40 m", reason="mass per stretched length is lower by the strain", note="one tension: 8.8 % less",
        )  # fmt: skip
        jump = float(sim.read("rope.upper_tension[0]")) - float(sim.read("rope.upper_tension[1]"))
        yield below(
            f"layered.weight.trolley_{where}", abs(jump) / HALF, 2e-4, unit="-", source="tension goes on over a ring",
            reason="weight of both spans from one potential; the arc is closed by its mean square slope", note="of M g/2",
        )  # fmt: skip


def _delay(lab: Lab, density: float, length: float, dt: float) -> float:
    """Time from the start of the winch at 0.5 m/s until the hook leaves the floor [s]."""
    sim = lab.simulate(crane(density, drum=True, rests=True, dt=dt, length=length))
    sim.run(round(1.0 / dt))
    sim.controls["rope.speed"] = 0.5
    for k in range(round(4.0 / dt)):
        sim.step()
        if float(sim.read("contact.force")) <= 0.0:
            return k * dt
    return math.inf


def lift_delay(lab: Lab) -> Iterator[Item]:
    """Rope to haul in before the hook leaves the floor, over the speed: same rope paid out (A), same tension at the hook (B)."""
    dt = 1 / 60
    curves: dict[str, tuple[list[float], list[float]]] = {}
    for density in lab.choose((1.2,), (0.4, 1.2, 2.0)):
        cases = {"a": JIB * 2 + FALL * 2 + 0.30, "b": rope_needed(0.1 * HALF, density)}
        for case, length in cases.items():
            known = (length - rope_needed(HALF, density)) / 0.5
            ours = _delay(lab, density, length, dt)
            held = "same rope out" if case == "a" else "same tension"
            for who, value in ((f"ours, {held}", ours), (f"theory, {held}", known)):
                x, y = curves.setdefault(who, ([], []))
                x.append(density)
                y.append(value)
            yield below(
                f"layered.lift.{case}_{density:g}".replace(".", "_").replace("layered_lift_", "layered.lift."), ours - known,
                0.015 * known + 3.0 * dt, unit="s", source="(L - L_lift)/V, the weight along the rope included",
                reason="1.5 % and three steps", note=f"theory {known:.3f} s, ours {ours:.3f} s",
            )  # fmt: skip
    lab.plot("Paper 2, Fig. 9: the hook leaves the floor late", "mass of the rope [kg/m]", "lift delay [s]", curves)


#: damping of the stretch [N s/m] and rope of the crane [m]
DAMPING, ROPE = 19.0, 2 * JIB + 2 * FALL


def linear_decay(density: float, damping: float, modes: int = 12) -> tuple[float, float]:
    """Decay rate [1/s] and frequency [rad/s] of small vertical motion of the hook, by the eigenvalues of the linear model:
    hook and symmetric modes of both jib spans, coupled by the tension k d + c d' of the common stretch d."""
    n = np.arange(1, modes + 1, 2) if density > 0.0 else np.zeros(0)
    top, mass = HALF + density * G * FALL, density * JIB
    kappa = (math.pi * n) ** 2 / (2.0 * JIB)
    rest = 2.0 * mass * G / (math.pi * n * top * kappa) if density > 0.0 else n
    pull = np.concatenate([[2.0], 2.0 * kappa * rest])
    inertia = np.concatenate([[MASS + 2.0 * density * FALL / 3.0], np.full(len(n), mass)])
    stiff = np.diag(np.concatenate([[0.0], 2.0 * top * kappa])) + EA / ROPE * np.outer(pull, pull)
    drag = np.diag(np.concatenate([[0.0], np.full(len(n), mass * damping)])) + DAMPING * np.outer(pull, pull)
    size, inverse = len(pull), 1.0 / inertia[:, None]
    matrix = np.block([[np.zeros((size, size)), np.eye(size)], [-inverse * stiff, -inverse * drag]])
    values, vectors = np.linalg.eig(matrix)
    hook = np.abs(vectors[0]) ** 2 / (inertia @ np.abs(vectors[:size]) ** 2)
    found = values[int(np.argmax(np.where(values.imag > 0.0, hook, -1.0)))]
    return -float(found.real), float(found.imag)


def decay(lab: Lab) -> Iterator[Item]:
    """Fig. 8: how fast the bounce of the hook dies out, for the paper's densities, beside linear theory and the massless rope."""
    bare = linear_decay(0.0, 0.0)[0]
    curves: dict[str, tuple[np.ndarray, np.ndarray]] = {}
    yield told(
        "layered.decay.massless", bare, unit="1/s", source="eigenvalue of the linear model",
        note="a rope without mass, to compare with; the paper: the same for all densities",
    )  # fmt: skip
    for density, damping in lab.choose(
        ((1.2, 0.1),), ((0.4, 0.0), (1.2, 0.0), (2.0, 0.0), (0.4, 0.1), (1.2, 0.1), (2.0, 0.1))
    ):
        rope: dict[str, Any] = {"tension": HALF + density * G * FALL * 5.0 / 7.0, "damping_time": DAMPING * ROPE / EA}
        still = lab.simulate(crane(density, floor=0.0, wave_damping=2.0, **{**rope, "damping_time": 0.02}))
        still.run(1500)
        sim = lab.simulate(crane(density, floor=0.0, wave_damping=damping, **rope))
        sim.restore(still.snapshot())
        sim.state.body_vel[0, 2] = -0.01
        rate, omega = linear_decay(density, damping)
        seen = watch(sim, 42.0, {"z": "hook.position[2]"})
        time, z = seen.time - seen.time[0], seen["z"] - seen["z"][-600:].mean()
        size = []
        for start in (2.0, 22.0):
            part = (time >= start) & (time < start + 20.0)
            window = np.hanning(int(part.sum()))
            size.append(abs(complex((z[part] * window * np.exp(-1j * omega * time[part])).sum())))
        where = f"{density:g}_{damping:g}".replace(".", "_")
        if damping > 0.0:
            curves |= _dying(time, z, density, rate, omega)
        yield close(
            f"layered.decay.{where}", math.log(size[0] / size[1]) / 20.0, rate, 0.05, unit="1/s",
            source="eigenvalue of the linear model", reason="(omega h)^2/12 = 0.3 % in frequency, three per cent by rope along itself",
            note=f"{rate / bare:.2f} of the massless rope's {bare:.4f} 1/s; the paper: the same for all densities",
        )  # fmt: skip
    lab.plot(
        "Paper 2, Fig. 8: energy of the hook's bounce, waves damped by 0.1 1/s", "time [s]", "part of that at 7 s",
        {**curves, "theory, massless": (TIMES, np.exp(-2.0 * bare * (TIMES - TIMES[0])))}, log_y=True,
    )  # fmt: skip


#: middles of the windows of 10 s in which the bounce is looked at [s]
TIMES = np.arange(7.0, 37.0, 1.0)


def _dying(
    time: np.ndarray, z: np.ndarray, density: float, rate: float, omega: float
) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Energy of the bounce over time, ours and by the eigenvalue, of that in the first window."""
    size = []
    for middle in TIMES:
        part = np.abs(time - middle) < 5.0
        size.append(abs(complex((z[part] * np.hanning(int(part.sum())) * np.exp(-1j * omega * time[part])).sum())))
    energy = np.array(size) ** 2
    return {
        f"ours, {density:g} kg/m": (TIMES, energy / energy[0]),
        f"theory, {density:g} kg/m": (TIMES, np.exp(-2.0 * rate * (TIMES - TIMES[0]))),
    }


def snap_load(lab: Lab) -> Iterator[Item]:
    """The hook falls half a metre into its rope. Massless: T = M g/2 + sqrt((M g)^2 + k M v^2)/2."""
    k = 4.0 * EA / (2 * JIB + 2 * FALL)
    known = 0.5 * (MASS * G + math.sqrt((MASS * G) ** 2 + k * MASS * 2.0 * G * 0.5))

    def peak(density: float, dt: float) -> float:
        sim = lab.simulate(crane(density, lift=0.5, dt=dt, floor=0.0, length=2 * JIB + 2 * FALL))
        return float(watch(sim, 0.8, {"pull": "rope.tensions[0]"})["pull"].max())

    # a tension is the mean over a step: of a peak of its own amplitude up to (omega h)^2/4 is missing
    bounce = math.sqrt(k / MASS) / 60.0
    yield close(
        "layered.snap.light", peak(1e-5, 1 / 60), known, 1e-2, unit="N", source="energy of a massless rope", reason="asked for",
        note=f"the hook's omega h = {bounce:.2f}, of which step means miss up to {25.0 * bounce**2 * (1.0 - MASS * G / 2.0 / known):.2f} %",
    )  # fmt: skip
    for density in lab.choose((1.2,), (0.4, 1.2, 2.0)):
        fine = peak(density, 1e-3)
        wave = math.pi / JIB * math.sqrt(fine / density) / 60.0
        yield close(
            f"layered.snap.heavy_{density:g}".replace(".", "_").replace("layered_snap_", "layered.snap."), peak(density, 1 / 60), fine,
            1e-2, unit="N", source="the same at 1 ms", reason="asked for, while the step resolves the first wave of the spans: omega h < 0.5",
            note=f"omega h of the hook {bounce:.2f}, of the first wave at the peak {wave:.2f}",
        )  # fmt: skip
    coarse, fine = peak(0.01, 1 / 60), peak(0.01, 1e-3)
    yield told(
        "layered.snap.between", coarse, unit="N", source="the same at 1 ms", theory=fine,
        note="a rope that is no rope, 0.01 kg/m: waves of omega h = 2.6 take up a fiftieth of the blow, and the step lets it die",
    )  # fmt: skip


def light_sheave(lab: Lab) -> Iterator[Item]:
    """A ring of a tenth of the mass of the spans beside it, struck sideways: its energy stays what it was."""
    for ratio, dt, name in ((0.1, 1 / 60, "tenth"), (0.01, 1 / 60, "hundredth"), (0.1, 0.1, "tenth_100ms")):
        ring = Body(kind="particle", mass=ratio * 36.0, position=(JIB, 0, 0), velocity=(0, 1.0, 0))
        rope = Cable(
            model="layered", route=(End(at=(0, 0, 0)), Ring(on="ring"), End(at=(2 * JIB, 0, 0))), axial_stiffness=EA,
            mass_per_length=1.2, tension=5000.0,
        )  # fmt: skip
        sim = lab.simulate(Scene(bodies={"ring": ring}, cables={"rope": rope}, dt=dt))
        start, highest = float(sim.read("energy.mechanical")), -math.inf
        for _ in range(lab.choose(10, 40)):
            sim.run(50)
            highest = max(highest, float(sim.read("energy.mechanical")) - start)
        fallen = 1.2 * 2 * JIB * G * 1.0
        yield below(
            f"layered.light_sheave.{name}", max(highest, 0.0) / fallen, 0.05, unit="-",
            source="energy is not created", reason="of the weight of the rope times a metre; second-order terms of turning chords",
            note=f"lost {float(sim.read('energy.dissipated')):.0f} J in damping, redone {sim.read('step.redone'):g}",
        )  # fmt: skip


def massless_limit(lab: Lab) -> Iterator[Item]:
    """As the rope's mass goes to zero the layered model is the massless one: three cranes, swinging and bouncing."""
    for lift, dt, name in ((0.0, 1 / 60, "bounce"), (-0.05, 1 / 240, "stretched"), (0.2, 1 / 60, "snatch")):
        seen = []
        for density in (0.0, 1e-5):
            sim = lab.simulate(crane(density, lift=lift, dt=dt, length=2 * JIB + 2 * FALL))
            seen.append(watch(sim, 3.0, {"z": "hook.position[2]"})["z"])
        apart = float(np.abs(seen[0] - seen[1]).max())
        yield below(
            f"layered.massless.{name}", apart / max(float(np.ptp(seen[0])), 1e-9), 2e-2, unit="-", source="the massless model",
            reason="1e-5 kg/m; after a snatch the phase differs by the slack rope's shape",
        )  # fmt: skip
