"""What a step costs, beside others: one entry per question, each in a module of its own.

An entry is a module with `run(display) -> dict`: it measures, shows its tables and hands back its numbers for the JSON
file. To add one, write the module and its line in ENTRIES.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class Entry:
    """A benchmark: its name, which is that of its module too, and what it answers."""

    name: str
    about: str
    long: bool = False
    """Whether it has a long form: `run(display, long=True)`."""


ENTRIES = (
    Entry("chain", "a hanging chain, 10 to 10,000 links: cost per link, by stage, and beside LAPACK's banded solve"),
    Entry("segmented", "a segmented cable, 10 to 10,000 segments, beside LAPACK; a hoist beside other engines"),
    Entry("solver", "the linear algebra alone on chain, loop, tree and stack"),
    Entry("contact_basics", "boxes on a plane, a stack, a pile of spheres: cost per contact"),
    Entry("contact", "rope on the ground beside free rope, the broad phase to 100,000 segments, a heap beside MuJoCo"),
    Entry("hoist", "one rope and load beside other engines, each at its largest accurate step"),
    Entry("ratios", "the same with loads of 1e1 to 1e7 links: who holds them, with what step, at what cost"),
    Entry("massless", "ropes over sheaves: cost by parts, worst frame of a crane, the same hoist in other engines"),
    Entry(
        "layered", "ropes with sag and waves: cost by spans and modes beside the paper's scheme, steps of a tower crane"
    ),
    Entry(
        "honeycomb", "the honeycomb rope: steps a second, implicit against explicit, growth with the number of masses"
    ),
    Entry("rod", "a converged frame of the rod: dragging, contact, harness; beside the paper's scheme and Exudyn"),
    Entry("cantilever", "a cantilever at rest under its own weight beside other engines, at equal accuracy"),
    Entry("batch", "many at once: 512 ropes beside other engines, and steps a second of a crane for learning"),
    Entry("cosserat", "the experiments of cosseratbench with every solver of it that is installed"),
    Entry("sweep", "what a sweep costs beside its runs"),
    Entry(
        "page",
        "the page on the wire: updates and bytes a second, late steps, memory, from a key to motion; every scene of the library at its own rate",
        long=True,
    ),
    Entry("start", "from the command to the page, to the first motion, with cold and warm cache", long=True),
)

#: read when a linear algebra library is loaded: one thread, so that times compare
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


def main(
    name: str | None = None, json_file: str | Path | None = None, long: bool = False, out: str | Path | None = None
) -> int:
    """Run one entry, or all; returns the exit code: 0, or 2 for a name or file that cannot be used.

    `long`: those that have a long form, in that form; `out`: a folder for numbers, tables and plots.
    """
    chosen = [entry for entry in ENTRIES if name in (None, entry.name)]
    if not chosen:
        print(f"no benchmark {name!r}; there are: {', '.join(entry.name for entry in ENTRIES)}", file=sys.stderr)
        return 2
    target = None if json_file is None else Path(json_file)
    if target is not None and not target.absolute().parent.is_dir():
        print(f"{target}: its folder does not exist", file=sys.stderr)
        return 2
    folder = None if out is None else Path(out)
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            print(f"{folder}: cannot write there ({error.strerror or error})", file=sys.stderr)
            return 2
    for variable in ONE_THREAD:
        os.environ.setdefault(variable, "1")

    from taut.bench.display import Display
    from taut.bench.report import begin, write

    display, report = Display(record=folder is not None), begin()
    display.note(f"{report['machine']['processor']}, {report['machine']['cores']} cores, {report['date']}")
    begun = time.monotonic()
    for number, entry in enumerate(chosen, 1):
        display.title(entry.name, entry.about)
        report["entries"][entry.name] = run_entry(entry, display, long)
        if len(chosen) > 1:
            display.note(
                f"{number} of {len(chosen)} benchmarks done, {(time.monotonic() - begun) / 60.0:.1f} min so far"
            )
        # after each: what is measured is kept when a later one is interrupted
        if target is not None:
            write(report, target)
        if folder is not None:
            from taut.bench.plots import write_all

            made = write_all(report, display.seen(), folder)
    if folder is not None:
        display.note(f"wrote {', '.join(file.name for file in made)} to {folder}")
    return 0


def run_entry(entry: Entry, display: Any, long: bool = False) -> dict[str, Any]:
    """Measure one entry, in its long form if it has one and that is wanted; its numbers, ready for JSON."""
    module = importlib.import_module(f"{__name__}.{entry.name}")
    found: dict[str, Any] = module.run(display, long=True) if long and entry.long else module.run(display)
    return found
