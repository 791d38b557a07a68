"""One rope and one load beside other engines, each at the largest step at which it is accurate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from taut.bench.display import Display
from taut.bench.peers import OURS, available, missing
from taut.bench.peers.case import HOIST
from taut.bench.peers.harness import Row, compare, table
from taut.bench.peers.reference import reference
from taut.bench.peers.trace import Adapter

LINKS = (10, 25, 100, 400)
#: processor time that one run of an engine may take before it is given up, and of one timed run [s]
BUDGET, ROUND_TIME, ROUNDS = 60.0, 0.1, 5
#: a ratio from here on is called on par [-]
ON_PAR = 0.9


@dataclass(frozen=True)
class Target:
    """At `links` links our step should be `ratio` times as cheap as that of `engine`."""

    engine: str
    links: int
    ratio: float


MUJOCO = {25: 2.0, 100: 20.0, 400: 200.0}
TARGETS = (
    *(Target(engine, n, r) for engine in ("mujoco", "mujoco damped", "mujoco rod") for n, r in MUJOCO.items()),
    *(Target("exudyn", n, 2.5) for n in (25, 100, 400)),
    Target("explicit numba", 10, ON_PAR),
    *(Target("explicit numba", n, 1.0) for n in (25, 100, 400)),
)


def run(
    display: Display,
    links: Sequence[int] = LINKS,
    adapters: Sequence[Adapter] | None = None,
    *,
    budget: float = BUDGET,
    rounds: int = ROUNDS,
    round_time: float = ROUND_TIME,
    targets: Sequence[Target] = TARGETS,
) -> dict[str, Any]:
    """Compare, show, and hand back the numbers."""
    engines = available() if adapters is None else adapters
    with display.progress("looking for the largest accurate steps") as progress:
        rows = compare(engines, links, progress, budget=budget, rounds=rounds, round_time=round_time)
    absent = missing() if adapters is None else {}
    target = reference()
    display.note(
        f"rope {HOIST.length:g} m, {HOIST.density:g} kg/m, load {HOIST.load:g} kg, released at 30 degrees, "
        f"{HOIST.seconds:g} s; period {target.period:.4f} s, mean tension {target.mean_tension:.1f} N"
    )
    display.note(
        "taut runs with its solver's defaults; ratio: processor time over ours; < and >: no accurate step found"
    )
    display.note(table(rows))
    for name, reason in absent.items():
        display.note(f"not compared: {name} ({reason})")
    verdicts = judge(rows, targets)
    if verdicts:
        display.table(
            "targets: how many times as much processor time the other engine takes",
            ("engine", "links", "target", "ratio", ""),
            [(v["engine"], str(v["links"]), f"{v['target']:g}", _ratio(v), v["verdict"]) for v in verdicts],
        )
    return {"rows": [_plain(row) for row in rows], "targets": verdicts, "missing": absent, "settings": "defaults"}


def judge(rows: Sequence[Row], targets: Sequence[Target] = TARGETS) -> list[dict[str, Any]]:
    """Each target beside the ratio that was measured, where it was."""
    found = {(row.adapter, row.links): row for row in rows if row.adapter != OURS and row.ratio is not None}
    verdicts = []
    for target in targets:
        row = found.get((target.engine, target.links))
        if row is not None and row.ratio is not None:
            verdicts.append(
                {
                    "engine": target.engine, "links": target.links, "target": target.ratio, "ratio": row.ratio,
                    "bound": row.bound, "verdict": _verdict(row.ratio, target.ratio, row.bound),
                }
            )  # fmt: skip
    return verdicts


def _verdict(ratio: float, target: float, bound: bool) -> str:
    """A lower bound that stays below the target decides nothing."""
    return "reached" if ratio >= target else "open" if bound else "missed"


def _ratio(verdict: dict[str, Any]) -> str:
    return f"{'>' if verdict['bound'] else ''}{verdict['ratio']:.2f}"


def _plain(row: Row) -> dict[str, Any]:
    return {**asdict(row), "errors": None if row.bound else asdict(row.errors)}
