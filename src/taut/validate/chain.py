"""Validation of the hanging chain: rigid links, ball joints, a load up to 1e9 times a link, 60 steps a second."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.validate import reference
from taut.validate.chain_limits import kicks, limits, without_geometric_stiffness
from taut.validate.chain_scene import Hanging
from taut.validate.item import Item, below, between, close
from taut.validate.lab import Check, Lab
from taut.validate.watch import separation, watch

SPHERICAL = "spherical pendulum, x'' = -g e_z - lam x, integrated (DOP853)"


def released_and_pushed(lab: Lab) -> Iterator[Item]:
    """Released at 30 degrees with a sideways push of the whole chain."""
    case = Hanging(push=0.5)
    seconds = lab.choose(20.0, 60.0)
    sim = lab.simulate(case.scene())
    scale = case.load * reference.G * case.length
    seen = watch(
        sim,
        seconds,
        {
            "x": lambda s: s.read("load.position"),
            "energy": lambda s: (s.read("energy.mechanical") - s.start_energy) / scale,
            "gap": lambda s: separation(s) / case.link_length,
            "tension": lambda s: s.read(f"{case.last_joint}.tension") / case.load,
        },
    )
    # the velocity of the start belongs to the middle of the step before: the run is half a step ahead
    at = seen.time + 0.5 * case.dt
    truth, pull = reference.spherical_pendulum(
        case.length, case.length * case.down, np.array([0.0, case.push, 0.0]), np.concatenate([[0.0], at])
    )
    lab.plot(
        f"Chain, 24 links, load 1e9 times a link: {seconds:.0f} s", "time [s]", "position of the load [m]",
        {
            "ours, x": (seen.time, seen["x"][:, 0]), "theory, x": (at, truth[1:, 0]),
            "ours, y": (seen.time, seen["x"][:, 1]), "theory, y": (at, truth[1:, 1]),
        },
    )  # fmt: skip
    lab.plot(
        "Time-centred mechanical energy", "time [s]", "change / M g L",
        {"ours": (seen.time, seen["energy"]), "theory": (seen.time, 0.0 * seen.time)},
    )  # fmt: skip
    lab.plot(
        "Largest joint separation", "time [s]", "part of a link",
        {"ours": (seen.time, seen["gap"]), "theory: allowed": (seen.time, 1e-3 + 0.0 * seen.time)}, log_y=True,
    )  # fmt: skip
    yield below(
        "chain.separation", seen["gap"].max(), 1e-3, unit="link", source="rigid joints do not open",
        reason="acceptance; h^2 w^2 / 2 of the linearised joint is 5e-5", note=f"{seconds:.0f} s, ratio 1e9",
    )  # fmt: skip
    for name, value in (("highest", seen["energy"].max()), ("lowest", seen["energy"].min())):
        yield between(
            f"chain.energy.{name}", value, -1e-2, 1e-3, unit="M g L", source="conservation of energy", theory=0.0,
            reason="acceptance: no gain beyond 0.1 %, no loss beyond 1 %", note=f"time-centred, {seconds:.0f} s",
        )  # fmt: skip
    yield close(
        "chain.period", reference.period(seen.time, seen["x"][:, 0]), reference.period(at, truth[1:, 0]), 5e-3, unit="s",
        source=SPHERICAL, reason="acceptance; (w h)^2/24 of the stepper is 1e-5",
    )  # fmt: skip
    miss = np.linalg.norm(seen["x"] - truth[1:], axis=1).max() / case.length
    yield below(
        "chain.path", miss, 5e-3 * seconds / 20.0, unit="L", source=SPHERICAL, reason="phase error of 0.05 % grows with time",
    )  # fmt: skip
    # the force of a step belongs to its start
    miss = np.abs(seen["tension"][1:] - pull[1:-1]) / reference.G
    yield below(
        "chain.tension", miss[60:].max(), 5e-3, unit="M g", source=SPHERICAL + ", T = lam l",
        reason="phase error of 0.05 % over the run times a swing of 0.4 M g, and the step's own (w h)^2",
    )  # fmt: skip
    yield below(
        "chain.tension.release", miss[:60].max(), 5e-3, unit="M g", source="T = m g cos a at the release",
        reason="a rigid chain carries the load from the first step on", note="largest error of the first second",
    )  # fmt: skip


def ratios(lab: Lab) -> Iterator[Item]:
    """From a load like two links to one of 1e9: period against the chain of rods, or the compound pendulum."""
    seconds = lab.choose(20.0, 40.0)
    found, known = [], []
    all_ratios = lab.choose((1e1, 1e3, 1e6, 1e9), (1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9))
    for ratio in all_ratios:
        case = Hanging(ratio=ratio)
        sim = lab.simulate(case.scene())
        seen = watch(
            sim,
            seconds,
            {"x": "load.position", "gap": separation, "energy": "energy.mechanical", "pull": "rope_joint_0.tension"},
        )
        if ratio < 1e3:
            theory = reference.rod_chain_period(case.links, case.length, case.links, case.load, case.angle)
            source = "chain of hinged rods in absolute angles, integrated (DOP853)"
        else:
            theory = reference.pendulum_period(
                reference.compound_length(case.length, case.links, case.load), case.angle
            )
            source = "compound pendulum, 4 sqrt(l/g) K(k)"
        ours = reference.period(seen.time, seen["x"][:, 0])
        found.append(ours)
        known.append(theory)
        yield close(
            f"chain.ratio.{ratio:.0e}.period", ours, theory, 5e-3, unit="s", source=source, reason="acceptance",
            note=f"largest separation {seen['gap'].max() / case.link_length:.1e} of a link",
        )  # fmt: skip
        scale = (case.load + case.links) * reference.G * case.length
        drift = (seen["energy"] - sim.start_energy) / scale
        yield between(
            f"chain.ratio.{ratio:.0e}.energy", drift[np.abs(drift).argmax()], -1e-2, 1e-3, unit="M g L", theory=0.0,
            source="conservation of energy", reason="acceptance",
        )  # fmt: skip
        if ratio >= 1e3:
            yield close(
                f"chain.ratio.{ratio:.0e}.weight", float(np.mean(seen["pull"])) / (case.load + case.links) / reference.G,
                _mean_pull(case, seen.time), 5e-3, unit="M g", source="mean of T = m (g cos a + l a'^2) over the run",
                reason="the chain's own mass counts half in the pull, up to 1.2 % of the load, and half of that cancels",
            )  # fmt: skip
    lab.plot(
        "Period over the mass ratio", "load / link", "period [s]",
        {"ours": (all_ratios, found), "theory": (all_ratios, known)}, log_x=True,
    )  # fmt: skip


def _mean_pull(case: Hanging, times: np.ndarray) -> float:
    """Mean over these times of the pull of a simple pendulum, relative to its weight."""
    _, pull = reference.spherical_pendulum(case.length, case.length * case.down, np.zeros(3), times)
    return float(pull.mean()) / reference.G


CHECKS: tuple[Check, ...] = (released_and_pushed, ratios, kicks, without_geometric_stiffness, limits)
