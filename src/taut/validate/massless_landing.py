"""Landing, slack, re-lift: a load set down by a winch and picked up again with rope to take in."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from taut.scene import Body, Box, Cable, End, Plane, Scene, Winch
from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Lab
from taut.validate.watch import Probe, Watched, watch

MASS, LENGTH, SPEED = 1000.0, 10.0, 0.3
WEIGHT = MASS * reference.G
#: rope lies slack while the drum pays out these seconds beyond the landing
DOWN, UP, END = 1.0, 2.5, 8.0


@dataclass(frozen=True)
class Relift:
    """A load of 1 t, 0.1 m above the floor, lowered at 0.3 m/s, left slack, and hoisted at 0.3 m/s."""

    stiffness: float  # c_s with the rope out when it is picked up [N/m]
    dt: float = 1.0 / 60.0

    def scene(self) -> Scene:
        """Its scene."""
        bodies = {
            "floor": Body(kind="static", shape=Plane()),
            "load": Body(shape=Box(size=(1, 1, 1)), mass=MASS, position=(0, 0, 0.6)),
        }
        drum = Winch(at=(-0.2, 0, 1.1 + LENGTH), axis=(0, 1, 0), radius=0.2, turn="left", name="drum", acceleration=1.0)
        rope = Cable(
            route=(drum, End(on="load", at=(0, 0, 1.1))), axial_stiffness=self.stiffness * LENGTH, tension=WEIGHT,
            damping_time=0.02 / math.sqrt(self.stiffness / MASS),
        )  # fmt: skip
        return Scene(bodies=bodies, cables={"rope": rope}, dt=self.dt)

    def watch(self, lab: Lab, until: float = END) -> Watched:
        """Tension, floor and height at every step."""
        sim = lab.simulate(self.scene())
        asked = ((0.0, -SPEED), (DOWN, 0.0), (UP, SPEED))

        def drive(_: Simulation) -> float:
            """The operator: what is asked for from now on."""
            sim.controls["drum.speed"] = [speed for start, speed in asked if sim.time >= start - 1e-9][-1]
            return 0.0

        drive(sim)
        probes: dict[str, Probe] = {
            "pull": "rope.tension",
            "floor": "contact.force",
            "z": "load.position[2]",
            "drive": drive,
        }
        return watch(sim, until, probes)


def relift(lab: Lab) -> Iterator[Item]:
    """Where the step resolves the bounce (omega h <= 0.6): everything against a run with a fine step."""
    case = Relift(1e6)
    seen, fine = case.watch(lab), Relift(1e6, 1 / 3840).watch(lab, 4.0)
    lab.plot(
        "Landing, slack, re-lift, c_s = 1e6 N/m", "time [s]", "tension [N]",
        {"ours, 1/60 s": (seen.time[seen.time < 4], seen["pull"][seen.time < 4]), "theory: fine step": (fine.time, fine["pull"])},
    )  # fmt: skip
    slack = (seen.time > DOWN + 0.5) & (seen.time < UP - 0.05)
    yield close(
        "massless.landing.floor", float(seen["floor"][slack].mean()), WEIGHT, 1e-3, unit="N", source="F = m g while slack", reason="0.1 %; at rest",
    )  # fmt: skip
    yield below(
        "massless.landing.slack", float(seen["pull"][slack].max()), 1e-9, unit="N", source="a slack rope does not push or pull", reason="a bound of the solve",
    )  # fmt: skip
    yield between(
        "massless.landing.sign", float(seen["pull"].min()), -1e-9, math.inf, unit="N", theory=0.0, source="T >= 0", reason="a bound of the solve",
    )  # fmt: skip
    yield close(
        "massless.relift.peak", float(seen["pull"].max()), float(fine["pull"].max()), 0.1, unit="N", source="the same with a fine step",
        reason="10 % at omega h = 0.53: a step average", note=f"{seen['pull'].max() / WEIGHT:.2f} times the weight",
    )  # fmt: skip
    yield close(
        "massless.relift.fine", float(fine["pull"].max()), WEIGHT + SPEED * math.sqrt(1e6 * MASS), 0.1, unit="N", source="T = m g + v sqrt(k m)",
        reason="the drum still gathers speed, damping takes 3 %",
    )  # fmt: skip
    end = seen.time > END - 1.0
    yield close(
        "massless.relift.lifted", float(seen["pull"][end].mean()), WEIGHT, 1e-3, unit="N", source="T = m g at constant speed", reason="the bounce dies away",
    )  # fmt: skip
    yield close(
        "massless.relift.height", float(np.polyfit(seen.time[end], seen["z"][end], 1)[0]), SPEED * (1.0 + WEIGHT / 1e7), 1e-3, unit="m/s",
        source="the load follows the drum", reason="the bounce dies away",
    )  # fmt: skip


def stiff_relift(lab: Lab) -> Iterator[Item]:
    """omega h from 1.7 to 17: the peak cannot be seen in a step, its impulse can; nothing grows."""
    for stiffness in (1e7, 1e8, 1e9):
        case = Relift(stiffness)
        seen = case.watch(lab)
        name = f"massless.relift.{stiffness:.0e}".replace("e+0", "e")
        taut = int(np.flatnonzero((seen["pull"] != 0.0) & (seen.time > UP))[0])
        window = slice(taut, taut + 12)
        rope = float(seen["pull"][window].sum()) * case.dt
        theory = MASS * SPEED + WEIGHT * 12 * case.dt - float(seen["floor"][window].sum()) * case.dt
        yield close(
            f"{name}.impulse", rope, theory, 5e-2, unit="N s", source="sum T h = m v + m g t - floor",
            reason="5 %: the bounce that is left after 0.2 s", note="tension is a step average here",
        )  # fmt: skip
        yield below(
            f"{name}.bounded", float(np.abs(seen["pull"]).max()) / WEIGHT, 1.0 + SPEED / (reference.G * case.dt), unit="m g",
            source="at most m g + m v / h", reason="all of the speed in one step; the true peak m g + v sqrt(k m) is higher",
        )  # fmt: skip
        end = seen.time > END - 1.0
        yield below(
            f"{name}.dies", float(seen["pull"][end].std()) / WEIGHT, 1e-3, unit="m g", source="the bounce dies away", reason="0.1 % of the weight",
        )  # fmt: skip
        yield close(
            f"{name}.lifted", float(seen["pull"][end].mean()), WEIGHT, 1e-3, unit="N", source="T = m g", reason="statics is exact",
        )  # fmt: skip
        yield between(
            f"{name}.sign", float(seen["pull"].min()), -1e-9, math.inf, unit="N", theory=0.0, source="T >= 0", reason="a bound of the solve",
        )  # fmt: skip
