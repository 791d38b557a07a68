"""What is shown and written: a table, a JSON file, one HTML page with its pictures inside."""

from __future__ import annotations

import base64
import html
import io
import json
import platform
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path

from taut import __version__
from taut.validate import beside
from taut.validate.item import Item
from taut.validate.lab import Plot
from taut.validate.papers import PAPERS, Found, account, tally

PAGE = "validation.html"
WORD = {True: "ok", False: "FAIL", None: "info"}
STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #1c2733 }
table { border-collapse: collapse; width: 100%; font-size: 13px } th, td { text-align: left; padding: .3em .6em; vertical-align: top;
overflow-wrap: break-word }
table.sets { width: auto } tr { border-bottom: 1px solid #d8dee4 } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
@media (max-width: 90em) { table.items th, table.items td { padding: .3em .3em } table.items { font-size: 12px } }
.ok { color: #1a7f37 } .FAIL { color: #fff; background: #cf222e; font-weight: bold } .info { color: #57606a }
img { max-width: 48%; margin: .5em 1% 0 0 } pre { font-size: 12px; overflow: auto }
"""


def prepare(json_file: str | Path | None, out_dir: str | Path | None) -> None:
    """Make the folders, before the time is spent. Raises OSError."""
    if json_file is not None:
        Path(json_file).parent.mkdir(parents=True, exist_ok=True)
    if out_dir is not None:
        Path(out_dir).mkdir(parents=True, exist_ok=True)


def number(value: float | None) -> str:
    """A number as people write it."""
    return "" if value is None else f"{value:.6g}"


def verdict(items: Sequence[Item]) -> str:
    """One line: how many passed."""
    failed = [item.id for item in items if item.passed is False]
    passed = sum(item.passed is True for item in items)
    told = len(items) - passed - len(failed)
    text = f"{passed} of {passed + len(failed)} items pass, {told} for information"
    return text + (f"; failed: {', '.join(failed)}" if failed else "")


def show(items: Sequence[Item]) -> None:
    """The table on the terminal."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    if not console.is_terminal:
        for item in items:
            row = (
                WORD[item.passed],
                item.id,
                f"ours {number(item.ours)}",
                f"theory {number(item.theory)} {item.unit}",
                *((f"paper {number(item.paper)}",) if item.paper is not None else ()),
                item.tolerance,
            )
            print("  ".join((*row, item.note)).rstrip())
        print(verdict(items))
        return
    table = Table()
    for heading in ("", "item", "ours", "theory", "paper", "unit", "tolerance", "note"):
        table.add_column(
            heading, overflow="fold", justify="right" if heading in ("ours", "theory", "paper") else "left"
        )
    colour = {True: "green", False: "bold white on red", None: "dim"}
    for item in items:
        numbers = (number(item.ours), number(item.theory), number(item.paper))
        cells = (item.id, *numbers, item.unit, item.tolerance, item.note)
        table.add_row(Text(WORD[item.passed], style=colour[item.passed]), *(Text(cell) for cell in cells))
    console.print(table)
    console.print(Text(verdict(items)))


def show_papers(items: Sequence[Item]) -> None:
    """Every table and figure of the five papers with its verdict."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    found, console = account(items), Console()
    if not console.is_terminal:
        for one in found:
            place = one.place
            print(f"paper {place.paper}  {place.where}  {place.verdict}  {items_of(one)}  {place.reason}")
    else:
        table = Table(title="The five papers")
        for heading in ("paper", "place", "shows", "verdict", "items", "why"):
            table.add_column(heading, overflow="fold")
        for one in found:
            place = one.place
            cells = (str(place.paper), place.where, place.shows, place.verdict, items_of(one), place.reason)
            table.add_row(*(Text(cell) for cell in cells))
        console.print(table)
    print(tally(found))


def items_of(one: Found) -> str:
    """How the items of a place came out, in few words."""
    if not one.run:
        return "" if not one.place.items else "not run"
    parts = ((one.passed, "pass"), (one.failed, "FAIL"), (one.told, "told"))
    return ", ".join(f"{count} {word}" for count, word in parts if count)


def provenance(quick: bool) -> dict[str, object]:
    """Versions and machine."""
    names = ("numpy", "scipy", "numba", "llvmlite")
    return {
        "taut": __version__,
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "quick": quick,
        "python": platform.python_version(),
        "versions": {name: metadata.version(name) for name in names},
        "machine": {"system": platform.platform(), "processor": _processor(), "architecture": platform.machine()},
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def write_json(items: Sequence[Item], path: Path, quick: bool, costs: Mapping[str, float] | None = None) -> None:
    """Items with versions and machine; numbers that are not finite become null. `costs`: processor time by check [s]."""
    papers = [
        {**asdict(one.place), "passed": one.passed, "failed": one.failed, "told": one.told} for one in account(items)
    ]
    data = {
        **provenance(quick),
        "seconds": {name: round(cost, 3) for name, cost in (costs or {}).items()},
        "items": [asdict(item) for item in items],
        "papers": papers,
    }
    text = json.dumps(data, indent=1, allow_nan=True, ensure_ascii=False)
    strict = json.loads(text, parse_constant=lambda _: None)
    path.write_text(json.dumps(strict, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def write_html(items: Sequence[Item], plots: Sequence[Plot], folder: Path, quick: bool) -> None:
    """One page, nothing beside it; what `taut bench` and `taut soak` have left in the folder is taken into it."""
    head = "".join(
        f"<th>{name}</th>"
        for name in ("", "item", "ours", "theory", "paper", "unit", "tolerance", "source", "reason", "note")
    )
    rows = "\n".join(
        f"<tr id=set-{name}><th colspan=10>{name}</th></tr>\n" + "\n".join(_row(item) for item in own)
        for name, own in _by_set(items).items()
    )
    pictures = "\n".join(
        f'<img alt="{html.escape(plot.title)}" src="data:image/png;base64,{base64.b64encode(picture(plot)).decode()}">'
        for plot in plots
    )
    made = provenance(quick)
    about = html.escape(json.dumps(made, indent=1))
    machine = made["machine"]
    assert isinstance(machine, dict)
    told = f"taut {made['taut']}, {str(made['date'])[:10]}, {machine['processor']}" + (
        "; the quick form: smaller cases and shorter runs" if quick else ""
    )
    page = (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>Taut validation</title><style>{STYLE}</style>"
        f"<h1>Taut validation</h1><p>{html.escape(verdict(items))}. {html.escape(told)}.</p>"
        f"<p>An item passes if ours is within its tolerance of theory; the reason of the tolerance stands beside it. "
        f"<i>Told</i> is an item without a verdict, for information. A place of a paper is <i>contradicted</i> where "
        f"something else than it prints comes out: the items then hold what comes out here against theory.</p>"
        f"<p><a href=#papers>The five papers</a> · <a href=#curves>Curves</a> · "
        f"<a href=#cost>Cost beside others</a> · <a href=#long>Long runs</a> · <a href=#items>Every item</a></p>{_sets(items)}"
        f"<h2 id=papers>The five papers</h2><p>{html.escape(tally(account(items)))}.</p>{_papers(items)}"
        f"<h2 id=curves>Curves</h2>\n{pictures}\n<h2 id=cost>Cost beside others</h2>\n{beside.cost(folder)}"
        f"\n<h2 id=long>Long runs</h2>\n{beside.long_runs(folder)}\n<h2 id=items>Every item</h2><table class=items><tr>{head}</tr>\n{rows}\n</table>"
        f"<h2>Made with</h2><pre>{about}</pre></html>\n"
    )
    (folder / PAGE).write_text(page, encoding="utf-8")


def _by_set(items: Sequence[Item]) -> dict[str, list[Item]]:
    """Items by the first word of their names, in the order in which they come."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.id.partition(".")[0], []).append(item)
    return found


def _sets(items: Sequence[Item]) -> str:
    """How many of each set pass, fail and inform; failed ones by name."""
    rows = []
    for name, own in _by_set(items).items():
        failed = [item.id for item in own if item.passed is False]
        cells = (sum(item.passed is True for item in own), len(failed), sum(item.passed is None for item in own))
        rows.append(
            f"<tr><td><a href=#set-{name}>{name}</a></td>"
            + "".join(f"<td class=n>{count}</td>" for count in cells)
            + (f"<td class=FAIL>{html.escape(', '.join(failed))}</td>" if failed else "<td></td>")
        )
    head = "".join(
        f"<th{' class=n' if k else ''}>{word}</th>" for k, word in enumerate(("set", "pass", "fail", "told"))
    )
    return f"<table class=sets><tr>{head}<th></th></tr>\n" + "\n".join(rows) + "\n</table>"


def _text(words: str) -> str:
    """Escaped, commands between backticks as code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(words))


def _papers(items: Sequence[Item]) -> str:
    head = "".join(f"<th>{name}</th>" for name in ("place", "shows", "verdict", "items", "why"))
    rows, last = [], -1
    for one in account(items):
        place = one.place
        if place.paper != last:
            rows.append(f"<tr><th colspan=5>{html.escape(PAPERS[place.paper])}</th></tr>")
            last = place.paper
        word = "FAIL" if one.holds is False else "ok" if one.holds else "info"
        cells = (place.where, place.shows, place.verdict, items_of(one), place.reason)
        rows.append("<tr>" + "".join(
            f"<td{f' class={word}' if k == 3 else ''}>{_text(cell)}</td>" for k, cell in enumerate(cells)
        ))  # fmt: skip
    return f"<table><tr>{head}</tr>\n" + "\n".join(rows) + "\n</table>"


def _row(item: Item) -> str:
    word = WORD[item.passed]
    numbers = "".join(f"<td class=n>{number(value)}</td>" for value in (item.ours, item.theory, item.paper))
    words = (item.unit, item.tolerance, item.source, item.reason, item.note)
    return (
        f"<tr><td class={word}>{word}</td><td>{item.id.replace('.', '.<wbr>').replace('_', '_<wbr>')}</td>{numbers}"
        + "".join(f"<td>{_text(text)}</td>" for text in words)
    )


def picture(plot: Plot) -> bytes:
    """Its curves, drawn (PNG)."""
    # imported here: matplotlib is heavy; no window is ever opened
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.8), layout="constrained")
    axis = figure.subplots()
    for label, (x, y) in plot.curves.items():
        theory = label.startswith("theory")
        few = plot.dots or len(x) < 30
        axis.plot(
            x, y, label=label, linestyle="--" if theory else "none" if few else "-", marker="" if theory or not few else "o",
            markersize=1.0 if plot.dots else None, color="black" if theory else None, linewidth=1.0, zorder=3 if theory else 2,
        )  # fmt: skip
    axis.set_xlabel(plot.x_label)
    axis.set_ylabel(plot.y_label)
    axis.set_title(plot.title, fontsize="medium")
    if plot.log_x:
        axis.set_xscale("log")
    if plot.log_y:
        axis.set_yscale("log")
    axis.grid(True, alpha=0.3)
    axis.legend(fontsize="small")
    data = io.BytesIO()
    figure.savefig(data, format="png", dpi=110)
    return data.getvalue()
