"""One line of the validation: what theory or a paper says, what is computed here, and whether that is good enough."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True)
class Item:
    """A comparison. Without a verdict (`passed` is None) it is information: a limit, stated."""

    id: str  # set.name, unique
    source: str  # where theory comes from: equation, paper, conservation law
    paper: float | None  # the number that a paper prints, if there is one
    theory: float | None  # what should come out
    ours: float | None  # what comes out
    unit: str
    tolerance: str  # in words: "0.5 %", "< 1e-3"
    reason: str  # why this tolerance
    passed: bool | None
    note: str = ""


def close(
    id: str, ours: float, theory: float, tolerance: float, *, unit: str, source: str, reason: str, note: str = "",
    paper: float | None = None,
) -> Item:  # fmt: skip
    """Ours equals theory to a relative tolerance."""
    miss = abs(ours - theory)
    passed = bool(math.isfinite(ours) and miss <= tolerance * abs(theory))
    return Item(id, source, paper, theory, float(ours), unit, _share(tolerance), reason, passed, note)


def below(
    id: str, ours: float, limit: float, *, unit: str, source: str, reason: str, note: str = "", paper: float | None = None
) -> Item:  # fmt: skip
    """The size of ours, which should be zero, stays below a limit."""
    passed = bool(math.isfinite(ours) and abs(ours) <= limit)
    return Item(id, source, paper, 0.0, float(ours), unit, f"< {limit:.3g}", reason, passed, note)


def between(
    id: str, ours: float, low: float, high: float, *, unit: str, source: str, reason: str, note: str = "",
    theory: float | None = None,
) -> Item:  # fmt: skip
    """Ours lies in a range."""
    passed = bool(math.isfinite(ours) and low <= ours <= high)
    return Item(id, source, None, theory, float(ours), unit, f"{low:.3g} to {high:.3g}", reason, passed, note)


def told(id: str, ours: float | None, *, unit: str, source: str, note: str, theory: float | None = None) -> Item:
    """Information without a verdict."""
    return Item(id, source, None, theory, None if ours is None else float(ours), unit, "", "", None, note)


def _share(tolerance: float) -> str:
    return f"{100.0 * tolerance:.3g} %" if tolerance >= 1e-5 else f"{tolerance:.1e} relative"
