"""The table of cases: a grid, a Latin hypercube or a CSV file, the same for the same request wherever it is made."""

from __future__ import annotations

import csv
import itertools
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from taut.sweep.errors import SweepInput
from taut.sweep.ranges import Variation

#: most cases of one sweep
MOST_CASES = 1_000_000
_SAMPLE = re.compile(r"^\s*(?P<kind>[a-z]+)\s*:\s*(?P<count>\d{1,7})\s*$")
_PART = re.compile(r"^\s*(?P<start>\d*)\s*:\s*(?P<stop>\d*)\s*$")


@dataclass(frozen=True)
class Cases:
    """Names, and for each case the value of every name as text. The number of a case is its place in the whole table."""

    names: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    first: int = 0
    """Number of the first row; not zero for a part of a table."""

    def __len__(self) -> int:
        return len(self.rows)

    def part(self, text: str) -> Cases:
        """Cases `start:stop` of the table, for one job of an array. Raises SweepInput."""
        match = _PART.match(text)
        if match is None:
            raise SweepInput(f"--cases {text!r}: expected FIRST:END, as in 0:100 for the first hundred")
        start, stop = int(match["start"] or 0), int(match["stop"] or len(self.rows))
        if not start < min(stop, len(self.rows)):
            raise SweepInput(f"--cases {text!r}: none of the {len(self.rows)} cases lies there; they count from 0")
        return Cases(self.names, self.rows[start:stop], start)


def grid(variations: Sequence[Variation]) -> Cases:
    """Every combination, the last name changing fastest. Raises SweepInput."""
    axes = [variation.grid() for variation in variations]
    total = math.prod(len(axis) for axis in axes)
    _check_size(total)
    return Cases(_names(variations), tuple(itertools.product(*axes)))


def sampled(variations: Sequence[Variation], text: str, seed: int) -> Cases:
    """`lhs:200`: a Latin hypercube of 200 cases. Ranges are drawn from anywhere, lists evenly. Raises SweepInput."""
    match = _SAMPLE.match(text)
    if match is None or match["kind"] != "lhs" or int(match["count"]) < 1:
        raise SweepInput(f"--sample {text!r}: expected lhs:COUNT, as in lhs:200 (a Latin hypercube)")
    if not variations:
        raise SweepInput(f"--sample {text}: there is nothing to draw from; name it with --vary load.mass=500:2000")
    from scipy.stats.qmc import LatinHypercube

    count = int(match["count"])
    _check_size(count)
    places = LatinHypercube(len(variations), rng=seed).random(count)
    columns = [variation.drawn(places[:, k]) for k, variation in enumerate(variations)]
    return Cases(_names(variations), tuple(zip(*columns)))


def from_csv(path: Path, columns: Sequence[str] = ()) -> Cases:
    """A table with a heading of names and a row for each case; `columns` picks some of them. Raises SweepInput."""
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            rows = [row for row in csv.reader(file) if any(cell.strip() for cell in row)]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise SweepInput(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(rows) < 2:
        raise SweepInput(f"{path}: expected a heading with names such as load.mass, and a row for each case")
    heading = [name.strip() for name in rows[0]]
    if len(set(heading)) < len(heading):
        raise SweepInput(f"{path}: a name stands twice in the heading: {', '.join(heading)}")
    if missing := [name for name in columns if name not in heading]:
        raise SweepInput(f"{path}: no column {', '.join(missing)}; its columns are {', '.join(heading)}")
    _check_size(len(rows) - 1)
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(heading) or not all(cell.strip() for cell in row):
            raise SweepInput(f"{path}: row {number} has {sum(map(bool, row))} values; the heading has {len(heading)}")
    names = tuple(columns or heading)
    places = [heading.index(name) for name in names]
    return Cases(names, tuple(tuple(row[k].strip() for k in places) for row in rows[1:]))


def crossed(table: Cases, variations: Sequence[Variation]) -> Cases:
    """Every row of a table with every combination of the variations. Raises SweepInput."""
    more = grid(variations)
    _check_size(len(table) * len(more))
    if twice := set(table.names) & set(more.names):
        raise SweepInput(f"{', '.join(sorted(twice))}: varied by the table and by --vary; name it once")
    return Cases((*table.names, *more.names), tuple(a + b for a in table.rows for b in more.rows))


def _names(variations: Sequence[Variation]) -> tuple[str, ...]:
    names = tuple(variation.name for variation in variations)
    if len(set(names)) < len(names):
        raise SweepInput(f"--vary: a name stands twice: {', '.join(names)}")
    return names


def _check_size(total: int) -> None:
    if total > MOST_CASES:
        raise SweepInput(f"these are {total} cases; at most {MOST_CASES} fit one sweep")
