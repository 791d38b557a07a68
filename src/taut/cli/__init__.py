"""The command line: parse, call, print. Heavy imports stay inside the commands: `taut --help` answers at once."""

from __future__ import annotations

import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns its exit code: 0 fine, 1 failed, 2 bad input, 130 stopped by Ctrl-C."""
    from taut.cli.app import app

    for stream in (sys.stdout, sys.stderr):
        # a terminal that lacks a letter shows a question mark in its place
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    try:
        app(args=None if arguments is None else list(arguments), prog_name="taut")
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else int(done.code is not None)
    return 0
