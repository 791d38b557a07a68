"""The hoist with heavier and heavier loads beside other engines: who still holds it, with what step, at what cost.

The rope of `taut bench hoist`, 25 links, and a load of 1e1 to 1e7 links. Ropes that stretch are made stiffer with the load, so
that they always stretch by a thousandth under it: a rope that parts would be no comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import Any

from taut.bench.display import Display
from taut.bench.peers import OURS, missing
from taut.bench.peers.case import HOIST, Hoist
from taut.bench.peers.harness import Row, compare
from taut.bench.peers.trace import Adapter

LINKS = 25
RATIOS = (1e1, 1e3, 1e5, 1e7)
STRAIN = 1e-3
#: processor time of one run after which an engine is given up [s]
BUDGET, ROUND_TIME, ROUNDS = 6.0, 0.1, 3

Engines = Callable[[Hoist], list[Adapter]]


def hoist_of(ratio: float, links: int = LINKS) -> Hoist:
    """The hoist whose load is `ratio` links."""
    load = ratio * HOIST.density * HOIST.length / links
    return replace(HOIST, load=load, stretch_stiffness=max(HOIST.stretch_stiffness, load * HOIST.gravity / STRAIN))


def _mujoco(hoist: Hoist) -> Adapter:
    from taut.bench.peers.mujoco_chain import MujocoChain, vibration_damping

    return MujocoChain("mujoco damped", vibration_damping(hoist, 0.1), hoist=hoist)


def _exudyn(hoist: Hoist) -> Adapter:
    from taut.bench.peers.exudyn_spring import ExudynSpring

    return ExudynSpring(hoist=hoist)


def _pybullet(hoist: Hoist) -> Adapter:
    from taut.bench.peers.pybullet_chain import PybulletChain

    return PybulletChain(hoist=hoist)


#: those whose rope can hold such loads at all; PyElastica and Newton find no accurate step for the lightest of them (`taut bench hoist`)
PEERS: dict[str, Callable[[Hoist], Adapter]] = {
    "exudyn": _exudyn,
    "mujoco damped": _mujoco,
    "pybullet": _pybullet,
}


def installed(hoist: Hoist) -> list[Adapter]:
    """Ours and every peer that is installed, for this load."""
    from taut.bench.peers.explicit_numba import ExplicitNumba
    from taut.bench.peers.ours import Ours

    found: list[Adapter] = [Ours(hoist=hoist), ExplicitNumba(hoist=hoist)]
    absent = missing()
    return found + [make(hoist) for name, make in PEERS.items() if name not in absent]


def run(
    display: Display, ratios: Sequence[float] = RATIOS, engines: Engines = installed, *, links: int = LINKS,
    budget: float = BUDGET, rounds: int = ROUNDS, round_time: float = ROUND_TIME,
) -> dict[str, Any]:  # fmt: skip
    """Measure, show, and hand back the numbers."""
    found: dict[str, list[dict[str, Any]]] = {}
    shown: list[tuple[str, ...]] = []
    with display.progress("heavier and heavier loads") as tell:
        for ratio in ratios:
            hoist = hoist_of(ratio, links)
            rows = compare(
                engines(hoist), (links,), tell, hoist=hoist, budget=budget, rounds=rounds, round_time=round_time
            )
            found[f"{ratio:.0e}"] = [asdict(row) for row in rows]
            shown += [_line(ratio, row) for row in rows]
    display.table(
        f"load of so many links, {links} links: largest accurate step and processor time",
        ("load", "engine", "step [ms]", "ms per s", "times ours", "by round"),
        shown,
    )
    lost = sum(row["bound"] for rows in found.values() for row in rows if row["adapter"] != OURS)
    display.note(f"given up, no accurate step within {budget:g} s of processor time: {lost} cases, marked > and <")
    absent = {name: reason for name, reason in missing().items() if name in PEERS}
    for name, reason in absent.items():
        display.note(f"not compared: {name} ({reason})")
    return {"links": links, "ratios": found, "missing": absent}


def _line(ratio: float, row: Row) -> tuple[str, ...]:
    times = "-" if row.ratio is None else f"{'>' if row.bound else ''}{row.ratio:.2f}"
    cost = f"{'>' if row.bound else ''}{1e3 * row.cpu:.3f}"
    rounds = "-" if row.ratio_range is None else "{:.2f} to {:.2f}".format(*row.ratio_range)
    return (f"{ratio:.0e}", row.adapter, f"{'<' if row.bound else ''}{1e3 * row.dt:.3g}", cost, times, rounds)
