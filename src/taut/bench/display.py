"""What a person sees while measuring, and afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table
from rich.text import Text

#: width of tables in a pipe, where no terminal tells [columns]
PIPE_WIDTH = 120
#: without a terminal, one line of progress in so many seconds
QUIET = 20.0


class Display:
    """Tables on stdout; the present activity on stderr, where that is no terminal as a line now and then."""

    def __init__(self, console: Console | None = None, record: bool = False) -> None:
        self._console = console or Console(record=record)
        if console is None and not self._console.is_terminal:
            self._console = Console(width=PIPE_WIDTH, record=record)
        self._progress = Console(stderr=True)
        self._told = time.monotonic()

    def title(self, name: str, about: str) -> None:
        """Begin an entry."""
        self._console.print()
        self._console.print(Text.assemble((name, "bold"), ": ", about))

    def note(self, text: str) -> None:
        """A line of its own."""
        self._console.print(Text(text), soft_wrap=True)

    def table(self, title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """A table: the first column to the left, numbers to the right."""
        table = Table(title=Text(title), title_justify="left")
        for k, heading in enumerate(headings):
            table.add_column(Text(heading), justify="left" if k == 0 else "right")
        for row in rows:
            table.add_row(*(Text(cell) for cell in row))  # as text: [2] is an index, not markup
        self._console.print(table)

    def seen(self) -> str:
        """All that was printed, if it is recorded."""
        return self._console.export_text(clear=False)

    @contextmanager
    def progress(self, text: str) -> Iterator[Callable[[str], None]]:
        """Show what is going on; the function that is handed out changes the text. Print nothing else meanwhile."""
        if not self._progress.is_terminal:
            yield self._tell
            return
        with self._progress.status(Text(text), refresh_per_second=4) as status:
            yield lambda now: status.update(Text(now))

    def _tell(self, now: str) -> None:
        """A line of progress, unless the last one is fresh."""
        if time.monotonic() - self._told >= QUIET:
            self._told = time.monotonic()
            self._progress.print(Text(now), soft_wrap=True)
