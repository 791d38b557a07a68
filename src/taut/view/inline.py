"""A simulation inside a notebook: the page in a frame under the cell."""

from __future__ import annotations

import atexit
from html import escape
from typing import TYPE_CHECKING

from taut.view.page import Page

if TYPE_CHECKING:
    from taut.simulation import Simulation


class Inline:
    """The page of a simulation, shown where a notebook shows the value of a cell.

    The page moves the simulation itself, from where it stands: pause it there before stepping it by hand. `close` ends the
    page; the simulation stays.
    """

    def __init__(self, sim: Simulation, height: int = 560, play: bool = False, port: int = 0) -> None:
        self._height = height
        self.page = Page(sim, port=port, play=play)
        self.page.start()
        atexit.register(self.close)

    @property
    def url(self) -> str:
        """Where the page is served, on this machine only."""
        return self.page.url

    def close(self) -> None:
        """End the page."""
        atexit.unregister(self.close)
        self.page.stop()

    def _repr_html_(self) -> str:
        frame = f'<iframe src="{escape(self.url)}" width="100%" height="{self._height}" style="border:none"></iframe>'
        return f'<div style="border:1px solid #ddd">{frame}</div>'
