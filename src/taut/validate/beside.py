"""What other commands have left in the folder of a report: cost beside other programs, and long runs."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

#: as `taut bench --out DIR` calls its page, and where `taut soak --out DIR/soak` puts its reports
BENCH, SOAK = "bench.html", "soak"
#: what is shown of a long run: heading, name of the watch, factor
WATCHED = (
    ("energy not accounted for", "energy not accounted for", 1.0),
    ("rope gained or lost [m]", "rope gained or lost", 1.0),
    ("row missed [mm/s]", "miss of a row", 1e3),
    ("joint open beyond [mm]", "opening of rigid joints", 1e3),
)


def cost(folder: Path) -> str:
    """Tables and plots of `taut bench`, or how to get them."""
    file = folder / BENCH
    if not file.exists():
        return "<p>Not measured here: <code>taut bench --out DIR</code>, before this command and with its folder, puts tables and plots in this place.</p>"
    return file.read_text(encoding="utf-8").partition("</h1>")[2]


def long_runs(folder: Path) -> str:
    """A table of what `taut soak` has left, or how to get it."""
    runs = [
        (file.stem, run)
        for file in sorted((folder / SOAK).glob("*.json"))
        if "held" in (run := json.loads(file.read_text(encoding="utf-8")))
    ]
    if not runs:
        return "<p>Not run here: <code>taut soak --all --out DIR/soak</code>, before this command and with its folder, puts a table in this place.</p>"
    head = ("scene", "", "simulated [s]", "steps", "redone", *(title for title, _, _ in WATCHED), "memory grown [MB]", "twice the same", "date")  # fmt: skip
    rows = "\n".join(_run(name, run) for name, run in runs)
    passed = sum(bool(run["passed"]) for _, run in runs)
    return (
        f"<p>{passed} of {len(runs)} scenes passed.</p><table><tr>"
        + "".join(f"<th>{title}</th>" for title in head)
        + f"</tr>\n{rows}\n</table>"
    )


def _run(name: str, run: dict[str, Any]) -> str:
    held = {one["name"]: one for one in run["held"]}
    word = "ok" if run["passed"] else "FAIL"
    worst = [f"{factor * held[watch]['worst']:.2g}" if watch in held else "" for _, watch, factor in WATCHED]
    grown = "" if run["grown"] is None else f"{run['grown'] / 2**20:.2f}"
    same = f"{run['repeats']} times" if run["same"] else "no"
    numbers = (f"{run['simulated']:.0f}", f"{run['steps']:,}", str(run["redone"]), *worst, grown, same)
    return (
        f"<tr><td>{html.escape(name)}</td><td class={word}>{'passed' if run['passed'] else 'not passed'}</td>"
        + "".join(f"<td class=n>{text}</td>" for text in numbers)
        + f"<td class=n>{html.escape(str(run['date'])[:10])}</td>"
    )
