"""Numbers of a benchmark as plots: whatever an entry measured over a size, or of several things side by side.

An entry hands back lists of rows. A row with times in it (best, median, worst of several rounds) is a point; rows that differ in a
number (links, parts, masses) make a curve on logarithmic axes, rows that differ in a word (engine, scheme) make curves or bars.
"""

from __future__ import annotations

import base64
import html
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from taut.bench.report import plain, write

#: what a time is known by
TIME = ("best", "median", "worst")


def _times(row: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """The times in a row, by name."""
    return {key: value for key, value in row.items() if isinstance(value, dict) and all(word in value for word in TIME)}


def _words(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(value for value in row.values() if isinstance(value, str))


def _size(rows: list[dict[str, Any]]) -> str | None:
    """The first whole number that differs between the rows: what the times are drawn over."""
    for key, value in rows[0].items():
        if isinstance(value, int) and not isinstance(value, bool) and len({row.get(key) for row in rows}) > 1:
            return key
    return None


def measured(entry: dict[str, Any], at: str = "") -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """All lists of rows with times in an entry, with where they are found."""
    for key, value in entry.items():
        where = f"{at}.{key}" if at else key
        if isinstance(value, list) and value and all(isinstance(row, dict) for row in value) and _times(value[0]):
            yield where, value
        elif isinstance(value, dict) and not all(word in value for word in TIME):
            yield from measured(value, where)


def draw(title: str, rows: list[dict[str, Any]]) -> bytes:
    """One list of rows as a picture (PNG)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.2), layout="constrained")
    axes = figure.subplots()
    size = _size(rows)
    if size is not None:
        curves: dict[str, list[tuple[float, dict[str, Any]]]] = {}
        for row in rows:
            for name, time in _times(row).items():
                label = ", ".join((*_words(row), name.replace("_", " ")))
                curves.setdefault(label, []).append((float(row[size]), time))
        for label, points in curves.items():
            places = [place for place, _ in points]
            best = [time["best"] for _, time in points]
            above = [time["worst"] - time["best"] for _, time in points]
            axes.errorbar(
                places, best, yerr=([0.0] * len(best), above), marker="o", markersize=3, capsize=2, label=label
            )
        axes.set(xscale="log", yscale="log", xlabel=size.replace("_", " "))
    else:
        for row in rows:
            for name, time in _times(row).items():
                label = ", ".join((*_words(row), name.replace("_", " ")))
                axes.barh(label, time["best"], xerr=[[0.0], [time["worst"] - time["best"]]], capsize=2)
        axes.set(xscale="log")
    unit = next(iter(_times(rows[0]).values())).get("unit", "s")
    (axes.set_ylabel if size is not None else axes.set_xlabel)(f"{unit}: best, bar to the worst")
    if size is not None:
        axes.legend(fontsize="small")
    axes.grid(True, which="both", alpha=0.2)
    axes.set_title(title, loc="left", fontsize="medium")
    out = io.BytesIO()
    figure.savefig(out, format="png", dpi=110)
    return out.getvalue()


def write_all(report: dict[str, Any], tables: str, folder: Path) -> list[Path]:
    """bench.json, one picture for each list of times, and bench.html with tables and pictures in one file."""
    write(report, folder / "bench.json")
    made, parts = [folder / "bench.json"], []
    for name, entry in plain(report)["entries"].items():
        for where, rows in measured(entry):
            picture = draw(f"taut bench {name}: {where.replace('_', ' ')}", rows)
            file = folder / f"{name}_{where.replace('.', '_').replace(' ', '_')}.png"
            file.write_bytes(picture)
            made.append(file)
            parts.append(
                f'<img alt="{html.escape(where)}" src="data:image/png;base64,{base64.b64encode(picture).decode()}">'
            )
    machine = report["machine"]
    told = html.escape(f"{machine['processor']}, {machine['cores']} cores, {report['date']}, taut {report['taut']}")
    page = (
        '<!doctype html><meta charset="utf-8"><title>taut bench</title>'
        "<style>body{font:15px system-ui;max-width:1000px;margin:2em auto}pre{font-size:12px;overflow:auto}</style>"
        f"<h1>taut bench</h1><p>{told}</p><pre>{html.escape(tables)}</pre>" + "\n".join(parts)
    )
    (folder / "bench.html").write_text(page, encoding="utf-8")
    return [*made, folder / "bench.html"]
