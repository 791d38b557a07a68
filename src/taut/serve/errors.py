"""What a host or a scene asks of a server that it cannot do."""

from __future__ import annotations


class ServeError(RuntimeError):
    """A request that is refused; its text says what would be possible."""
