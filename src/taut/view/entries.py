"""Fields of the panel that the scene fills in and a person types over."""

from __future__ import annotations

from typing import Any


class Entry:
    """A field of viser's beside a value of the scene.

    A change takes a while to be made, and a person types on meanwhile: what is typed and not yet handed over is theirs. The
    scene writes only where its own last word still stands, or what was handed over. Where both
    write at the same moment the script of the page decides for the person (`static/typed.js`).
    """

    def __init__(self, field: Any) -> None:
        self._field = field
        self._stood: Any = field.value  # nobody has typed since
        self._said: Any = None

    @property
    def value(self) -> Any:
        """As it stands there."""
        return self._field.value

    def hand_over(self) -> Any:
        """What stands there, to be made true: the scene is taken to say so until it says something else."""
        self._stood = self._said = self._field.value
        return self._stood

    def say(self, value: Any, anyway: bool = False) -> None:
        """The scene says this now; `anyway` also over what is typed."""
        news, self._said = value != self._said, value
        if anyway or (news and self._field.value == self._stood):
            self._stood = value
            if self._field.value != value:
                self._field.value = value
