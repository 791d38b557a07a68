"""Where the hanging chain ends: kicks on one link, no geometric stiffness, a drop from the horizontal, 200 links."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from taut.simulation import Simulation
from taut.validate import reference
from taut.validate.chain_scene import Hanging
from taut.validate.item import Item, below, between, told
from taut.validate.lab import Lab
from taut.validate.watch import Watched, separation, watch

#: a chain whose joints stand further apart than this is lost [link]
LOST = 0.1


def kicks(lab: Lab) -> Iterator[Item]:
    """1 m/s on one link: in the start velocities, where it contradicts the joints, and as an impulse under way."""
    seconds = 14.0
    for name in ("start", "impulse"):
        case = Hanging(kick=1.0 if name == "start" else 0.0)
        sim = lab.simulate(case.scene())
        calm = watch(sim, 2.0, {"gap": lambda s: separation(s) / case.link_length})
        if name == "impulse":
            # one step of force m v / h
            sim.push(case.middle, (0.0, 1.0 / case.dt, 0.0))
            sim.run(1)
            sim.push(case.middle)
        seen = watch(sim, seconds - 2.0, {"gap": lambda s: separation(s) / case.link_length})
        gap = np.concatenate([calm["gap"], seen["gap"]])
        lab.plot(
            f"Separation after a kick of 1 m/s on one link ({name})", "time [s]", "part of a link",
            {"ours": (np.concatenate([calm.time, seen.time]), gap)}, log_y=True,
        )  # fmt: skip
        yield below(
            f"chain.kick.{name}", gap.max(), 2e-2, unit="link", source="rigid joints do not open", reason="acceptance",
            note=f"ratio 1e9, {seconds:.0f} s",
        )  # fmt: skip
        first, last = gap[: len(gap) // 2].max(), gap[-120:].max()
        yield between(
            f"chain.kick.{name}.decay", last / first, 0.0, 1.0 + 1e-6, unit="-", theory=None,
            source="a disturbance decays", reason="largest of the last two seconds over largest of the first half",
        )  # fmt: skip


def without_geometric_stiffness(lab: Lab) -> Iterator[Item]:
    """The same chain with a frozen force direction: stable only while the load is light."""
    case = Hanging(push=0.5)
    times, gaps = {}, {}
    for name, weight in (("with", 1.0), ("without", 0.0)):
        seen = _until_lost(lab, case, lab.choose(10.0, 30.0), weight)
        times[name], gaps[name] = seen.lost, seen
    lab.plot(
        "Geometric stiffness, ratio 1e9", "time [s]", "separation, part of a link",
        {f"ours, {name}": (seen.time, seen["gap"]) for name, seen in gaps.items()}, log_y=True,
    )  # fmt: skip
    lost = times["without"]
    yield between(
        "chain.without_geometric_stiffness", 1e9 if lost is None else lost, 0.0, 5.0, unit="s", theory=None,
        source="tension times a frozen direction is explicit: stable up to 4 T h^2 / (m l) of about 1",
        reason="lost within seconds at ratio 1e9, while the chain with it holds",
        note="time at which a joint stands open by a tenth of a link",
    )  # fmt: skip
    yield between(
        "chain.with_geometric_stiffness", 1e9 if times["with"] is None else 0.0, 1e9, 1e9, unit="s", theory=None,
        source="the same, with it", reason="never lost (1e9 stands for never)",
    )  # fmt: skip
    held = 0.0
    for ratio in (1e0, 1e1, 1e2, 1e3, 1e4):
        if _until_lost(lab, Hanging(push=0.5, ratio=ratio), 10.0, 0.0).lost is not None:
            break
        held = ratio
    yield told(
        "chain.without_geometric_stiffness.limit", held, unit="-", source="scan of ratios 1e0 to 1e4, 10 s",
        note="largest mass ratio that holds without geometric stiffness",
    )  # fmt: skip


def _until_lost(lab: Lab, case: Hanging, seconds: float, weight: float) -> Watched:
    sim = lab.simulate(case.scene(geometric_stiffness=weight))
    return watch(
        sim, seconds, {"gap": lambda s: separation(s) / case.link_length}, until=lambda seen: bool(seen["gap"][-1] > LOST)
    )


def limits(lab: Lab) -> Iterator[Item]:
    """Dropped from the horizontal, and 200 links: how far each joint opens and where the energy goes, stated."""
    seconds = lab.choose(10.0, 30.0)
    ratios = lab.choose((1e1, 1e9), tuple(10.0**n for n in range(1, 10)))
    horizontal = 0.5 * np.pi
    for links, angle, word in ((24, horizontal, "horizontal"), (200, np.pi / 6, "200_links"), (200, horizontal, "200_links_horizontal")):
        held, gaps = 0.0, []
        for ratio in ratios if links == 24 else (ratios[0], ratios[-1]):
            case = Hanging(links=links, ratio=ratio, angle=angle)
            sim = lab.simulate(case.scene())
            seen, gain, loss = _drop(sim, case, seconds)
            gap = seen["gap"].max(initial=0.0)
            gaps.append(gap)
            if seen.lost is None and gap < 2e-2:
                held = ratio
            yield told(
                f"chain.{word}.{ratio:.0e}", gap, unit="link", source=f"{links} links, {seconds:.0f} s",
                note=f"largest separation; energy {100 * gain:+.3f} / {100 * loss:+.3f} % of M g L; "
                + (f"lost at {seen.lost:.2f} s" if seen.lost is not None else f"{sim.read('step.redone')} steps redone"),
            )  # fmt: skip
        yield told(
            f"chain.{word}.limit", held, unit="-", source=f"{links} links, {seconds:.0f} s",
            note="largest mass ratio at which no joint opens by more than 2 % of a link",
        )  # fmt: skip


def _drop(sim: Simulation, case: Hanging, seconds: float) -> tuple[Watched, float, float]:
    scale = (case.load + case.links) * reference.G * case.length
    seen = watch(
        sim,
        seconds,
        {
            "gap": lambda s: separation(s) / case.link_length,
            "energy": lambda s: (s.read("energy.mechanical") - s.start_energy) / scale,
        },
        until=lambda w: not w["gap"][-1] < LOST,
    )
    return seen, float(seen["energy"].max(initial=0.0)), float(seen["energy"].min(initial=0.0))
