"""The closing words of a sweep: what came out, where the extremes lie, what they depend on, what failed and why."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence

import numpy as np

from taut.record.wording import number
from taut.sweep.results import Results

#: failures told one by one; the rest is counted
_TOLD = 3
#: rank correlation above which a result is said to go with a value [-]
_CLEAR = 0.5


def summary(results: Results) -> list[str]:
    """The sweep in lines that a person can read."""
    done, failed = int(results.done.sum()), int(results.failed.sum())
    left = len(results) - done - failed
    head = f"{results.title or 'sweep'}: {len(results)} {'case' if len(results) == 1 else 'cases'}, {done} done, {failed} failed"
    lines = [head + (f", {left} open" if left else "")]
    for name in results.measures:
        lines += _measure(results, name)
    return lines + _failures(results)


def _measure(results: Results, name: str) -> list[str]:
    values, unit = results.measure(name), results.units[name]
    known = results.done & np.isfinite(values)
    if not known.any():
        return [f"  {name}: no result that is a number"]
    picked = values[known]
    low, high = (int(np.flatnonzero(known)[k]) for k in (picked.argmin(), picked.argmax()))
    lines = [
        f"  {name}",
        f"    least    {number(values[low], unit)}, case {results.case[low]} ({_values(results, low)})",
        f"    median   {number(float(np.median(picked)), unit)}, mean {number(float(picked.mean()), unit)}, "
        f"95 % below {number(float(np.quantile(picked, 0.95)), unit)}",
        f"    largest  {number(values[high], unit)}, case {results.case[high]} ({_values(results, high)})",
    ]
    told = [f"{other} ({rank:+.2f})" for other, rank in correlations(results, name) if abs(rank) >= _CLEAR]
    return [*lines, f"    goes with {', '.join(told)} (rank correlation)"] if told else lines


def correlations(results: Results, measure: str) -> list[tuple[str, float]]:
    """Spearman's rank correlation of a result with each name whose values are numbers, the strongest first [-]."""
    from scipy.stats import spearmanr

    values = results.measure(measure)
    known = results.done & np.isfinite(values)
    found = []
    for name in results.names:
        numbers = results.numbers(name)
        if numbers is None or known.sum() < 3:
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # one value only: there is no rank, and none is told
            rank = float(spearmanr(numbers[known], values[known]).statistic)
        if np.isfinite(rank):
            found.append((name, rank))
    return sorted(found, key=lambda item: -abs(item[1]))


def _values(results: Results, row: int) -> str:
    return ", ".join(f"{name}={_short(results.vary(name)[row])}" for name in results.names)


def _short(text: str) -> str:
    head, _, rest = text.partition(" ")
    try:
        return f"{float(head):.4g} {rest}".rstrip()
    except ValueError:
        return text


def _failures(results: Results) -> list[str]:
    rows: Sequence[int] = np.flatnonzero(results.failed).tolist()
    lines = [f"  failed: case {results.case[k]} ({_values(results, k)}): {results.reasons[k]}" for k in rows[:_TOLD]]
    if len(rows) > _TOLD:
        reasons = Counter(results.reasons[k].partition(": ")[2] or results.reasons[k] for k in rows)
        lines.append(f"  ... and {len(rows) - _TOLD} more; {len(reasons)} different reasons in all")
    return lines
