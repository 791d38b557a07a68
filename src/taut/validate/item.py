"""One line of the validation: what theory or a paper says, what is computed here, and whether that is good enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

Number = float | np.floating[Any]


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
    id: str, ours: Number, theory: Number, tolerance: float, *, unit: str, source: str, reason: str, note: str = "",
    paper: float | None = None,
) -> Item:  # fmt: skip
    """Ours equals theory to a relative tolerance."""
    mine, known = float(ours), float(theory)
    passed = math.isfinite(mine) and abs(mine - known) <= tolerance * abs(known)
    return Item(id, source, paper, known, mine, unit, _share(tolerance), reason, passed, note)


def below(
    id: str, ours: Number, limit: Number, *, unit: str, source: str, reason: str, note: str = "", paper: float | None = None
) -> Item:  # fmt: skip
    """The size of ours, which should be zero, stays below a limit."""
    mine, most = float(ours), float(limit)
    passed = math.isfinite(mine) and abs(mine) <= most
    return Item(id, source, paper, 0.0, mine, unit, f"< {most:.3g}", reason, passed, note)


def between(
    id: str, ours: Number, low: Number, high: Number, *, unit: str, source: str, reason: str, note: str = "",
    theory: float | None = None, paper: float | None = None,
) -> Item:  # fmt: skip
    """Ours lies in a range."""
    mine = float(ours)
    passed = math.isfinite(mine) and float(low) <= mine <= float(high)
    return Item(id, source, paper, theory, mine, unit, f"{low:.3g} to {high:.3g}", reason, passed, note)


def told(
    id: str, ours: Number | None, *, unit: str, source: str, note: str, theory: float | None = None,
    paper: float | None = None,
) -> Item:  # fmt: skip
    """Information without a verdict."""
    return Item(id, source, paper, theory, None if ours is None else float(ours), unit, "", "", None, note)


def _share(tolerance: float) -> str:
    return f"{100.0 * tolerance:.3g} %" if tolerance >= 1e-5 else f"{tolerance:.1e} relative"
