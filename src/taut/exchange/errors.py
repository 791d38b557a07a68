"""What cannot be written for, or read from, another tool."""

from __future__ import annotations


class ExchangeError(RuntimeError):
    """A file that cannot be written or understood; its text says why and what would be possible."""
