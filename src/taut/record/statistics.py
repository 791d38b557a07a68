"""Largest, least, mean, root mean square and last value of anything that can be read, without storing it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from taut.measure.names import CALL, name_in
from taut.record.layout import reader_of

#: what can be asked of a name; a name alone asks for all of them
STATISTICS = ("max", "min", "mean", "rms", "final")


#: a name with at most so many components, as a vector, asks for each of them; of more, all count together
MOST_APART = 4


class Measure(NamedTuple):
    """A statistic of a name: max(hoist.tension). Of more than four components, as tensions along a rope, all count."""

    statistic: str
    name: str

    def __str__(self) -> str:
        return f"{self.statistic}({self.name})"


class Value(NamedTuple):
    """A measure's value, and when it was met [s]: of max and min the moment, of the others the end."""

    value: float
    time: float


def measures_of(text: str, sim: Any) -> list[Measure]:
    """What a text such as max(hoist.tension) or hoist.tension asks for. Raises UnknownName."""
    from taut.measure import UnknownName

    match = CALL.match(text)
    name = name_in(text)
    quantity, _ = reader_of(sim, name)
    whole = bool(quantity.size) and "[" not in name
    names = [f"{name}[{k}]" for k in range(quantity.size)] if whole and quantity.size <= MOST_APART else [name]
    several = whole and quantity.size > MOST_APART
    if match is None:
        wanted = [statistic for statistic in STATISTICS if not (several and statistic == "final")]
        return [Measure(statistic, one) for one in names for statistic in wanted]
    if match["statistic"] not in STATISTICS:
        raise UnknownName(f"{text!r}: no statistic {match['statistic']!r}; there are {', '.join(STATISTICS)}")
    if several and match["statistic"] == "final":
        raise UnknownName(f"{text!r}: {name} has {quantity.size} components; name one, e.g. final({name}[0])")
    return [Measure(match["statistic"], one) for one in names]


class Tally:
    """Statistics of one name so far."""

    def __init__(self) -> None:
        self.count = 0
        self.low, self.high = math.inf, -math.inf
        self.low_time = self.high_time = self.time = math.nan
        self.total = self.squares = 0.0
        self.last = math.nan

    def add(self, value: Any, time: float) -> None:
        """Count a value, or all components of an array, at a time [s]."""
        if isinstance(value, np.ndarray) and value.ndim:
            low, high, size = float(value.min()), float(value.max()), value.size
            total, squares = float(value.sum()), float((value * value).sum())
        else:
            low = high = total = float(value)
            size, squares = 1, total * total
        # written so that what is not a number is kept, not skipped
        if not low >= self.low:
            self.low, self.low_time = low, time
        if not high <= self.high:
            self.high, self.high_time = high, time
        self.count += size
        self.total += total
        self.squares += squares
        self.last, self.time = high, time

    def value(self, statistic: str) -> Value:
        """The value of a statistic; not a number before the first value."""
        if not self.count:
            return Value(math.nan, math.nan)
        if statistic == "max":
            return Value(self.high, self.high_time)
        if statistic == "min":
            return Value(self.low, self.low_time)
        if statistic == "mean":
            return Value(self.total / self.count, self.time)
        if statistic == "rms":
            return Value(math.sqrt(self.squares / self.count), self.time)
        return Value(self.last, self.time)


class Watch:
    """Keeps the statistics of some names of a simulation up to date: call `note` after every step."""

    def __init__(self, sim: Any, names: Iterable[str]) -> None:
        self._sim = sim
        self.tallies: dict[str, Tally] = {}
        self.units: dict[str, str] = {}
        self._readers = []
        for name in dict.fromkeys(names):
            quantity, read = reader_of(sim, name)
            self.tallies[name] = Tally()
            self.units[name] = quantity.unit
            self._readers.append((read, self.tallies[name]))

    def note(self) -> None:
        """Count the present state."""
        time = self._sim.time
        for read, tally in self._readers:
            tally.add(read(self._sim), time)

    def value(self, measure: Measure) -> Value:
        """The value of a measure so far."""
        return self.tallies[measure.name].value(measure.statistic)
