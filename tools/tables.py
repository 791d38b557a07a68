"""Whole tables of the pages, made from docs/data: `tools/measured.py` puts them between <!--t NAME--> and <!--/t-->.

Each takes a function that hands back the content of a file of docs/data, and returns Markdown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

Data = Callable[[str], Any]
ROOT = Path(__file__).resolve().parents[1]
OURS = "taut"
#: how others are called in a head
NAMES = {
    "taut": "Taut",
    "explicit numba": "explicit numba",
    "exudyn": "Exudyn mass-spring",
    "exudyn ancf": "Exudyn ANCF",
    "pyelastica": "PyElastica",
    "newton vbd": "Newton VBD",
    "pybullet": "PyBullet",
    "mujoco": "MuJoCo",
    "mujoco damped": "MuJoCo, damped",
    "mujoco rod": "MuJoCo, damped to a rod",
}


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def number(value: float | None, digits: int = 2) -> str:
    """With so many significant digits, small ones as powers of ten; a dash for none."""
    if value is None or not math.isfinite(value):
        return "-"
    if value == 0.0:
        return "0"
    if abs(value) < 1e-3:
        return re.sub(r"e-0*", "e-", f"{value:.{digits - 1}e}")
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:,.{places}f}"


def growth(name: str, unit: str, rows_a_joint: int) -> Callable[[Data], str]:
    """A step of a chain over its size, beside LAPACK."""

    def made(data: Data) -> str:
        sizes = data(f"bench/{name}")["entries"][name]["sizes"]
        solve = f"multiple of LAPACK `dpbsv` ({rows_a_joint} rows a joint)"
        return table(
            [f"{unit}s", "step [us]", f"per {unit} [us]", solve, "with two passes"],
            [
                [
                    f"{row['links']:,}",
                    f"{1e6 * row['step']['best']:,.1f}",
                    f"{row['microseconds_per_link']:.2f}",
                    f"{row['times_lapack']:.2f}",
                    f"{row['times_lapack_two_passes']:.2f}",
                ]
                for row in sizes
            ],
        )

    return made


def _ratio(row: dict[str, Any] | None) -> str:
    if row is None or row["ratio"] is None:
        return "-"
    return ("> " if row["bound"] else "") + number(row["ratio"])


def _beside(rows: list[dict[str, Any]], by: str, unit: str, label: Callable[[Any], str]) -> str:
    """Engines in columns, what `by` says in lines; ratios of processor time."""
    engines = [name for name in dict.fromkeys(row["adapter"] for row in rows) if name != OURS]
    found = {(row[by], row["adapter"]): row for row in rows}
    # files from before the rounds were kept have no spread
    spread = all("ratio_range" in row for row in rows)
    return table(
        [unit, "ours [ms per s]", *(NAMES.get(name, name) for name in engines), *(["rounds differ by"] if spread else [])],
        [
            [
                label(value), number(1e3 * found[value, OURS]["cpu"], 3), *(_ratio(found.get((value, name))) for name in engines),
                *([_spread([row for (at, _), row in found.items() if at == value])] if spread else []),
            ]
            for value in dict.fromkeys(row[by] for row in rows)
        ],
    )  # fmt: skip


def _spread(rows: list[dict[str, Any]]) -> str:
    """By how much the ratios of the rounds differ, at most, of those that are no bounds."""
    ranges = [row["ratio_range"] for row in rows if row["adapter"] != OURS and not row["bound"] and row["ratio_range"]]
    return f"{100.0 * max(high / low - 1.0 for low, high in ranges):.0f} %" if ranges else "-"


def hoist(data: Data) -> str:
    """One rope and load, every engine at its largest accurate step."""
    return _beside(data("bench/hoist")["entries"]["hoist"]["rows"], "links", "links", str)


def segmented_hoist(data: Data) -> str:
    """The same with a segmented cable."""
    return _beside(data("bench/segmented")["entries"]["segmented"]["peers"]["rows"], "links", "segments", str)


def ratios(data: Data) -> str:
    """The same with heavier and heavier loads."""
    found = data("bench/ratios")["entries"]["ratios"]["ratios"]
    rows = [{**row, "load": load} for load, many in found.items() for row in many]
    return _beside(rows, "load", "load over link", lambda text: f"{float(text):.0e}".replace("e+0", "e"))


def falls(data: Data) -> str:
    """A load on falls: time of a step and the tension that is read."""
    rows = data("bench/massless")["entries"]["massless"]["peers"]
    engines = list(dict.fromkeys(row["engine"] for row in rows))
    by = {(row["falls"], row["engine"]): row for row in rows}
    head = {"taut": "Taut", "mujoco": "MuJoCo tendon", "exudyn": "Exudyn reeving"}

    def cell(row: dict[str, Any]) -> str:
        read = "" if row["tension"] is None else f" ({row['tension']:.0f} N)"
        return f"{1e6 * row['step']['best']:.2f}{read}"

    return table(
        ["falls", *(head.get(name, name) for name in engines), "theory"],
        [
            [str(count), *(cell(by[count, name]) for name in engines), f"{9810 / count:.1f} N"]
            for count in dict.fromkeys(row["falls"] for row in rows)
        ],
    )


def batch(data: Data) -> str:
    """Many ropes at once: time of one rope and one simulated second."""
    rows = data("bench/batch")["entries"]["batch"]["rows"]
    threads = [key for key in rows[OURS] if key.startswith("threads_")]
    return table(
        ["engine", "step [ms]", *(f"{key.removeprefix('threads_')} thread{'s' * (key != 'threads_1')}" for key in threads)],
        [
            [NAMES.get(name, name), number(1e3 * row["step"], 3), *(f"{1e6 * row[key]:,.0f}" for key in threads)]
            for name, row in rows.items()
        ],
    )  # fmt: skip


def cantilever(data: Data) -> str:
    """Statics of a cantilever at equal accuracy."""
    rows = data("bench/cantilever")["entries"]["cantilever"]["rows"]
    return table(
        ["engine", "segments", "error of the tip", "ms", "times ours"],
        [
            [
                row["engine"],
                str(row["segments"]),
                number(row["error"]),
                number(1e3 * row["solve"]["best"], 3),
                number(row["times_ours"]),
            ]
            for row in rows
        ],
    )


def cosserat(data: Data) -> str:
    """Scores of cosseratbench, solver by solver."""
    entry = data("bench/cosserat")["entries"]["cosserat"]
    found, unranked = entry["experiments"], entry["unranked"]
    solvers = list(dict.fromkeys(solver for rows in found.values() for solver in rows))
    lines = []
    for name, rows in found.items():
        metrics = sorted(
            {metric for row in rows.values() for metric in row["metrics"] if metric != "settling_residual"}
        )
        for metric in metrics:
            scores = [rows.get(solver, {}).get("metrics", {}).get(metric) for solver in solvers]
            what = metric.replace("_", " ") + (", no truth known" if metric in unranked else "")
            lines.append([name, what, *(number(score) for score in scores)])
        lines.append([name, "time [s]", *(number(rows.get(solver, {}).get("wall")) for solver in solvers)])
    return table(["experiment", "error", *solvers], lines)


def cosserat_trouble(data: Data) -> str:
    """What did not run, in words."""
    entry = data("bench/cosserat")["entries"]["cosserat"]
    found: dict[tuple[str, str], list[str]] = {}
    for name, rows in entry["experiments"].items():
        for solver, row in rows.items():
            if row["trouble"]:
                found.setdefault((solver, " ".join(row["trouble"].split())), []).append(name)
    lines = [f"- {solver}, {', '.join(names)}: `{trouble}`" for (solver, trouble), names in found.items()]
    lines += [f"- {solver}, all: `{reason}`" for solver, reason in entry["missing"].items()]
    return "\n".join(lines) or "- nothing"


def cosserat_ranking(data: Data) -> str:
    """Mean places."""
    entry = data("bench/cosserat")["entries"]["cosserat"]
    return table(
        ["solver", "mean place", "first", "experiments done"],
        [
            [row["solver"], f"{row['place']:.2f}", f"{row['first']} of {row['scores']}", f"{row['done']} of {len(entry['experiments'])}"]
            for row in entry["ranking"]
        ],
    )  # fmt: skip


def soak(data: Data) -> str:
    """Every scene of the library: how long it was driven, what it met, the worst of what is watched."""
    lines = []
    for file in sorted((ROOT / "src" / "taut" / "scenes").glob("*.yaml")):
        if not (ROOT / "docs" / "data" / "soak" / f"{file.stem}.json").exists():
            lines.append([f"`{file.stem}`", "not run", *[""] * 11])
            continue
        run = data(f"soak/{file.stem}")
        held = {one["name"]: one for one in run["held"]}
        met = run["events"]
        lines.append(
            [
                f"`{file.stem}`", "passed" if run["passed"] else "**not passed**", _span(run["simulated"]), f"{run['steps']:,}", str(run["redone"]),
                f"{met['went_slack']:,}" if met["went_slack"] else "", f"{met['landings']:,}" if met["landings"] else "",
                _worst(held, "energy not accounted for"), _worst(held, "miss of a row", 1e3),
                _worst(held, "opening of rigid joints", 1e3), _worst(held, "rope gained or lost"),
                "" if run["grown"] is None else f"{run['grown'] / 2**20:.1f}", run["date"][:10],
            ]
        )  # fmt: skip
    head = [
        "scene", "", "simulated", "steps", "redone", "went slack", "landings", "energy not accounted for", "row missed [mm/s]",
        "joint open beyond [mm]", "rope gained or lost [m]", "memory grown [MB]", "date",
    ]  # fmt: skip
    return table(head, lines)


def soak_lost(data: Data) -> str:
    """Scenes that did not pass: what gave way, by how much, and when."""
    found = [
        (file.stem, data(f"soak/{file.stem}")) for file in sorted((ROOT / "docs" / "data" / "soak").glob("*.json"))
    ]
    lines = [[f"`{name}`", str(run["seed"]), _fate(run)] for name, run in found if not run["passed"]]
    return table(["scene", "seed", "what gave way"], lines or [["none", "", ""]])


def library(data: Data) -> str:
    """Every scene of the library: processor time of its steps, and what the page needs of it."""
    rows = data("bench/page")["entries"]["page"]["library"]
    head = ["scene", "step [ms]", "99 of 100", "worst", "page: cores to step", "in all", "real time"]
    return table(
        head,
        [
            [
                f"`{row['scene']}`", *(number(1e3 * row[key]) for key in ("mean", "most", "worst")),
                f"{row['stepping']:.2f}", f"{row['cores']:.2f}", f"{row['factor']:.2f}",
            ]
            for row in sorted(rows, key=lambda row: -float(row["mean"]))
        ],
    )  # fmt: skip


def page_wire(data: Data) -> str:
    """What a browser hears of the page, and when the solver was called."""
    found = data("bench/page")["entries"]["page"]
    head = [
        "scene",
        "updates a second",
        "MB a second",
        "calls of the solver",
        "late by a picture",
        "of these by others",
    ]
    head += ["longest time between two [ms]", "real time", "from a key to motion, median and worst [ms]"]
    return table(
        head,
        [
            [
                title, f"{one['rate']:.0f}", f"{one['bytes'] / 1e6:.2f}", f"{sum(one['histogram']):,}", str(one["late"]),
                str(one["others"]), f"{1e3 * one['worst']:.1f}", f"{one['factor']:.2f}",
                f"{1e3 * median(one['latency']):.0f}, {1e3 * max(one['latency']):.0f}" if one["latency"] else "-",
            ]
            for title, one in found.items() if title != "library"
        ],
    )  # fmt: skip


def page_delays(data: Data) -> str:
    """Histogram of the times between two calls of the solver, in time steps of the scene."""
    found = data("bench/page")["entries"]["page"]
    head = ["scene", "below 0.5", "0.5 to 1.1", "1.1 to 1.5", "1.5 to 2", "2 to 3", "more"]
    rows = [[title, *map(str, one["histogram"])] for title, one in found.items() if title != "library"]
    return table(head, rows)


def page_memory(data: Data) -> str:
    """Memory of the page's process, minute by minute."""
    memory = data("bench/page_long")["entries"]["page"]["gantry"]["memory"]
    head = ["minute", *(f"{minute:g}" for minute, _ in memory)]
    return table(head, [["MB", *(f"{size / 1e6:.1f}" for _, size in memory)]])


def stages(data: Data) -> str:
    """Parts of a step of a chain, by its size."""
    found = data("bench/chain")["entries"]["chain"]["stages"]
    sizes = list(found)
    parts = {
        size: {name: time for name, time in found[size].items() if name not in ("rest", "whole")} for size in sizes
    }
    all_of = {size: sum(part.values()) for size, part in parts.items()}
    names = [name for name in parts[sizes[-1]] if max(parts[size][name] / all_of[size] for size in sizes) >= 0.01]
    return table(
        ["stage", *(f"{int(size):,} links" for size in sizes)],
        [
            *([f"`{name}`", *(f"{100.0 * parts[size][name] / all_of[size]:.0f} %" for size in sizes)] for name in names),
            ["stages one by one [us]", *(f"{1e6 * all_of[size]:,.0f}" for size in sizes)],
            ["the whole step [us]", *(f"{1e6 * found[size]['whole']:,.0f}" for size in sizes)],
        ],
    )  # fmt: skip


def papers(data: Data) -> str:
    """Every table and figure of the five papers, its verdict, and the items that speak of it as they were stored."""
    from types import SimpleNamespace

    from taut.validate.papers import PAPERS, account

    files = sorted((ROOT / "docs" / "data" / "validate").glob("*.json"))
    stored: Any = [SimpleNamespace(**item) for file in files for item in data(f"validate/{file.stem}")["items"]]
    lines: list[list[str]] = []
    for one in account(stored):
        place = one.place
        if not lines or lines[-1][0] != str(place.paper):
            lines.append([PAPERS[place.paper].partition(": ")[2], "", "", "", ""])
        counts = ((one.passed, "pass"), (one.failed, "FAIL"), (one.told, "told"))
        ran = ", ".join(f"{count} {word}" for count, word in counts if count)
        names = ", ".join(f"`{pattern}`" for pattern in place.items)
        items = f"{names}: {ran}" if ran else f"{names}, not stored yet" if names else ""
        lines.append([str(place.paper), place.where, place.shows, f"**{place.verdict}**: {place.reason}", items])
    for line in lines:
        if not line[1]:
            line[0] = f"**{line[0]}**"
    return table(["paper", "place", "shows", "verdict", "items"], lines)


def _worst(held: dict[str, Any], name: str, factor: float = 1.0) -> str:
    return number(held[name]["worst"] * factor) if name in held else ""


def _span(seconds: float) -> str:
    return (
        f"{seconds / 3600:.2g} h"
        if seconds > 3590
        else f"{seconds / 60:.3g} min"
        if seconds > 90
        else f"{seconds:.0f} s"
    )


def _fate(run: dict[str, Any]) -> str:
    lost = [f"{one['name']} {number(one['worst'])} {one['unit']} at {one['at']:.1f} s, {number(one['limit'])} allowed" for one in run["held"] if not one["passed"]]  # fmt: skip
    lost += [f"stopped at {run['simulated']:.1f} s"] if run["stopped"] else []
    lost += [] if run["same"] else ["not the same from a snapshot"]
    grown = run["grown"]
    lost += [f"memory grown by {grown / 2**20:.1f} MB"] if grown is not None and grown > run["memory_limit"] else []
    return "; ".join(lost)


def materials(_: Data) -> str:
    """What hoses and cables are made of: from the table that the studio offers."""
    from taut.cables.rod.material_cards import cards

    return table(
        ["card", "what it is", "E", "such things have", "nu", "density [kg/m³]", "such things have", "where from, and what is left out"],
        [
            [
                one.name, one.about, one.given()["E"], one.stiffness, f"{one.nu:g}", f"{one.density.value:g}",
                f"{one.density.least:g} to {one.density.most:g}", one.basis,
            ]
            for one in cards().values()
        ],
    )  # fmt: skip


TABLES: dict[str, Callable[[Data], str]] = {
    "chain": growth("chain", "link", 3),
    "segmented": growth("segmented", "segment", 6),
    "hoist": hoist,
    "segmented_hoist": segmented_hoist,
    "ratios": ratios,
    "falls": falls,
    "batch": batch,
    "cantilever": cantilever,
    "cosserat": cosserat,
    "cosserat_trouble": cosserat_trouble,
    "cosserat_ranking": cosserat_ranking,
    "stages": stages,
    "papers": papers,
    "soak": soak,
    "soak_lost": soak_lost,
    "library": library,
    "page_wire": page_wire,
    "page_delays": page_delays,
    "page_memory": page_memory,
    "materials": materials,
}
