"""Where the hanging chain ends: kicks on one link, no geometric stiffness, a drop from the horizontal, 200 links."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.validate import reference
from taut.validate.chain_scene import Hanging
from taut.validate.item import Item, below, between, told
from taut.validate.lab import Lab
from taut.validate.watch import Probe, Watched, separation, watch

#: a chain whose joints stand further apart than this is lost [link]
LOST = 0.1
#: and one that gains more energy than this [M g L]
GAINED = 0.05


def kicks(lab: Lab) -> Iterator[Item]:
    """1 m/s on one link: in the start velocities, where it contradicts the joints, and as an impulse under way."""
    calm = Hanging()
    sim = lab.simulate(calm.scene())
    still = watch(sim, 14.0, _gap(calm))["gap"]
    struck = Hanging(kick=1.0)
    yield from _kicked("start", lab, watch(lab.simulate(struck.scene()), 14.0, _gap(struck)), still)
    sim.reset()
    # one step of force m v / h, m = 1 kg
    before = watch(sim, 2.0, _gap(calm))["gap"]
    sim.push(calm.middle, (0.0, 1.0 / calm.dt, 0.0))
    sim.run(1)
    sim.push(calm.middle)
    seen = watch(sim, 14.0 - 2.0 - calm.dt, _gap(calm))
    yield from _kicked("impulse", lab, seen, still[len(before) + 1 :])
    sim.reset()
    sim.run(120)
    sim.state.body_vel[sim.compiled.bodies.index[calm.middle], 1] += 1.0
    gap = watch(sim, 12.0, _gap(calm))["gap"]
    yield told(
        "chain.kick.velocity", gap.max(), unit="link", source="1 m/s written into the velocity of one link under way",
        note=f"against its joints, as no force could; after 12 s {gap[-120:].max():.1e}",
    )  # fmt: skip


def _gap(case: Hanging) -> dict[str, Probe]:
    return {"gap": lambda s: separation(s) / case.link_length}


def _kicked(name: str, lab: Lab, seen: Watched, still: np.ndarray) -> Iterator[Item]:
    gap = seen["gap"]
    still = still[: len(gap)]
    lab.plot(
        f"Separation after a kick of 1 m/s on one link ({name})", "time [s]", "part of a link",
        {"ours": (seen.time, gap), "ours, not kicked": (seen.time, still), "theory: allowed": (seen.time, 2e-2 + 0.0 * gap)},
        log_y=True,
    )  # fmt: skip
    yield below(
        f"chain.kick.{name}", gap.max(), 2e-2, unit="link", source="rigid joints do not open", reason="acceptance",
        note="ratio 1e9, 14 s",
    )  # fmt: skip
    excess = np.abs(gap - still)
    yield below(
        f"chain.kick.{name}.decay", excess[-120:].max(), max(0.1 * excess.max(), 1e-7), unit="link",
        source="a disturbance decays", reason="to a tenth of its largest, or to what a change of the tenth digit makes",
        note=f"difference to the chain that was not kicked, last two seconds; largest {excess.max():.1e}",
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
        note="the same time; 1e9 stands for never",
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
    return watch(sim, seconds, _gap(case), until=lambda seen: not seen["gap"][-1] < LOST)


def limits(lab: Lab) -> Iterator[Item]:
    """Dropped from the horizontal, and 200 links: how far each joint opens and where the energy goes, stated."""
    ratios = lab.choose([1e1, 1e9], [10.0**n for n in range(1, 10)])
    flat, swing = math.radians(90.0), math.radians(30.0)
    for links, angle, word in (
        (24, flat, "horizontal"),
        (200, swing, "200_links"),
        (200, flat, "200_links_horizontal"),
    ):
        cases = [Hanging(links=links, ratio=ratio, angle=angle) for ratio in ratios]
        held = 0.0
        for case in cases:
            seen, item = _drop(lab, case, f"chain.{word}.{case.ratio:.0e}", lab.choose(10.0, 30.0))
            yield item
            if seen.lost is not None or seen["gap"].max() > LOST or seen["energy"].max() > GAINED:
                break
            held = case.ratio
        yield told(
            f"chain.{word}.limit", held, unit="-", source=f"{links} links, {math.degrees(angle):.0f} degrees, ratios from 10 on",
            note="largest mass ratio that holds: joints open by less than a tenth of a link, no gain beyond 5 % of M g L; "
            "0 means none does",
        )  # fmt: skip


def _drop(lab: Lab, case: Hanging, id: str, seconds: float) -> tuple[Watched, Item]:
    sim = lab.simulate(case.scene())
    scale = (case.load + case.links) * reference.G * case.length
    energy = {"energy": lambda s: (s.read("energy.mechanical") - s.start_energy) / scale}
    seen = watch(sim, seconds, {**_gap(case), **energy}, until=lambda w: not w["gap"][-1] < 1.0)
    gap, change = seen["gap"], 100.0 * seen["energy"]
    fate = "held" if seen.lost is None else f"lost at {seen.lost:.2f} s"
    note = f"largest separation; {fate}; energy {change.max():+.2f} / {change.min():+.2f} % of M g L"
    return seen, told(id, gap.max(), unit="link", source=f"{case.links} links, {seconds:.0f} s", note=note)
