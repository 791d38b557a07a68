"""Mesh files that are added to a route: kept beside it, and nothing that lies there is ever written over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from taut.cables.rod.values import RodError
from taut.scene import mesh_file


class Upload:
    """A mesh file on its way into a folder and a route."""

    def __init__(self, folder: Path, name: str, content: bytes) -> None:
        self.name, self._folder, self._content = name, folder, content
        self.part = ""
        """The part that it became."""
        self.file: Path | None = None
        """Under which name it is kept."""
        self._written = False  # by us, and not there before
        self._stem = re.sub(r"[^A-Za-z0-9_]", "_", Path(name).stem) or "part"

    def add(self, data: dict[str, Any], unit: str, up: str) -> None:
        """Keep it, and add it to the data of a route as a part. Raises RodError."""
        suffix = Path(self.name).suffix.lower()
        if suffix not in mesh_file.SUFFIXES:
            raise RodError(f"{self.name}: expected a mesh file ({', '.join(sorted(mesh_file.SUFFIXES))})")
        try:
            self.file = self._keep(suffix)
            mesh_file.read(str(self.file), unit, up, 1.0)
        except OSError as error:
            raise RodError(f"{self.file or self._folder}: {error.strerror}") from None
        except mesh_file.MeshError as error:
            raise RodError(f"{self.name}: {error}") from None
        parts = data["route"].setdefault("parts", {})
        self.part = next(word for word in _numbered(self._stem, "_") if word not in parts)
        parts[self.part] = {"shape": {"type": "mesh", "file": self.file.name, "unit": unit, "up": up}}

    def drop(self) -> None:
        """It was refused: nothing of it stays."""
        if self._written and self.file is not None:
            self.file.unlink(missing_ok=True)
            self._written = False

    @property
    def told(self) -> str:
        """Under which other name it is kept, in words; empty where it has its own."""
        if self.file is None or self.file.stem == self._stem:
            return ""
        return f"the folder has another file {self._stem}{self.file.suffix}, which stays as it is: this one is kept as {self.file.name}"

    def _keep(self, suffix: str) -> Path:
        """The file of this content, written where there is none yet: another content of that name gets another name."""
        for word in _numbered(self._stem, "-"):
            file = self._folder / f"{word}{suffix}"
            try:
                with file.open("xb") as made:  # never over one that is there
                    self.file, self._written = file, True
                    made.write(self._content)
                return file
            except FileExistsError:
                if file.is_file() and file.read_bytes() == self._content:
                    return file
        raise AssertionError("numbers do not end")


def _numbered(stem: str, sign: str) -> Iterator[str]:
    """A name, and with numbers after it."""
    yield stem
    count = 1
    while True:
        count += 1
        yield f"{stem}{sign}{count}"
