"""The command: run the checks of one set or of all, show a table, write JSON and the report."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from taut.validate.item import Item
from taut.validate.lab import Check, Lab

#: without a terminal, one line of progress in so many seconds
QUIET = 20.0
#: sets of checks by name and the module whose CHECKS they are; a model adds its own by one line
SETS = {
    "chain": "taut.validate.chain",
    "solver": "taut.validate.solver",
    "contact_basics": "taut.validate.contact_basics",
    "contact": "taut.validate.contact",
    "rod": "taut.validate.rod",
    "honeycomb": "taut.validate.honeycomb",
    "massless": "taut.validate.massless",
    "segmented": "taut.validate.segmented",
    "layered": "taut.validate.layered",
    "wrapping": "taut.validate.wrapping",
}


def checks_of(name: str) -> tuple[Check, ...]:
    """The checks of a set."""
    return tuple(importlib.import_module(SETS[name]).CHECKS)


def main(
    name: str | None = None, quick: bool = False, json_file: str | Path | None = None, out_dir: str | Path | None = None,
    jobs: int = 1,
) -> int:  # fmt: skip
    """Run and report, in so many processes; 0 when every item passes, 1 when one fails, 2 for an unknown name or a folder that cannot be."""
    from taut.validate import report

    if name is not None and name not in SETS:
        print(f"no validation {name!r}; there are: {', '.join(SETS)}", file=sys.stderr)
        return 2
    try:
        report.prepare(json_file, out_dir)
    except OSError as error:
        print(f"cannot write there: {error}", file=sys.stderr)
        return 2
    lab = Lab(quick=quick)
    costs: dict[str, float] = {}
    items = run_sets((name,) if name is not None else tuple(SETS), lab, costs, jobs)
    report.show(items)
    if name is None:
        report.show_papers(items)
    if json_file is not None:
        report.write_json(items, Path(json_file), quick, costs)
    if out_dir is not None:
        report.write_html(items, lab.plots, Path(out_dir), quick)
    return 1 if any(item.passed is False for item in items) else 0


def run_sets(names: tuple[str, ...], lab: Lab, costs: dict[str, float], jobs: int = 1) -> list[Item]:
    """All items of these sets, with progress shown; `costs` takes the processor time of each check [s]."""
    from taut.validate.crew import carry_out, run_checks

    checks = [(name, number) for name in names for number in range(len(checks_of(name)))]
    with _progress(len(checks)) as told:
        if jobs > 1:
            done = run_checks(checks, lab.quick, jobs, told)
        else:
            done = []
            for k, (name, number) in enumerate(checks):
                told(k, f"{name}: {checks_of(name)[number].__name__.replace('_', ' ')}")
                done.append(carry_out(name, number, lab.quick))
    for (name, number), result in zip(checks, done):
        costs[f"{name}.{checks_of(name)[number].__name__}"] = result.cost
        lab.plots.extend(result.plots)
    return [item for result in done for item in result.items]


def run_check(check: Check, lab: Lab) -> Iterator[Item]:
    """The items of one check; a check that cannot be carried out is a failed item, not the end of the validation."""
    try:
        yield from check(lab)
    except Exception as error:
        yield stopped(check, error)


def stopped(check: Check, error: Exception) -> Item:
    """The failed item of a check that could not be carried out."""
    name = f"{check.__module__.rpartition('.')[2]}.{check.__name__}"
    return Item(name, "", None, None, None, "", "", "", False, f"stopped: {type(error).__name__}: {error}")


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    """A bar on stderr; a line now and then when it is no terminal."""
    if not sys.stderr.isatty():
        last = time.monotonic()

        def tell(done: int, text: str) -> None:
            nonlocal last
            if time.monotonic() - last >= QUIET:
                last = time.monotonic()
                print(f"{done} of {total} checks; {text}", file=sys.stderr, flush=True)

        yield tell
        return
    from rich import progress
    from rich.console import Console

    bar = progress.Progress(
        progress.SpinnerColumn(), progress.BarColumn(), progress.MofNCompleteColumn(), progress.TextColumn("{task.description}"),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    with bar:
        task = bar.add_task("", total=total)
        yield lambda done, text: bar.update(task, completed=done, description=text)
