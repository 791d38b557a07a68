"""What can go wrong with many runs, in words for the person who asked for them."""

from __future__ import annotations


class SweepError(RuntimeError):
    """A sweep that cannot be made, gone on with or read; what was finished before stays in its file."""


class SweepInput(SweepError, ValueError):
    """Something in the request that cannot be used: a range, a list, a table of cases."""
