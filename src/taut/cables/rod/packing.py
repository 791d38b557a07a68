"""A route to be passed on: its file and the meshes of its parts in one ZIP, with names that hold wherever it is unpacked."""

from __future__ import annotations

import copy
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from taut.cables.rod import route_text
from taut.cables.rod.values import RodError

if TYPE_CHECKING:
    from taut.cables.rod.route import Route

#: where the meshes lie in the archive
FOLDER = "meshes"
#: the name of such an archive ends so
ENDING = ".zip"


def packed(route: Route) -> bytes:
    """The archive: NAME/NAME.yaml and NAME/meshes. Comments and layout of the route file stay. Raises RodError."""
    route.keep_slid()
    folder = route.folder or Path()
    text = route.text(folder)
    data, files = copy.deepcopy(yaml.safe_load(text)), dict[Path, str]()
    for word in ("parts", "connectors"):
        for one in (data["route"].get(word) or {}).values():
            shape = one.get("shape") or {}
            if "file" in shape:
                shape["file"] = f"{FOLDER}/{_name((folder / shape['file']).resolve(), files)}"
    name = route.name or "route"
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"{name}/{name}.yaml", route_text.changed(text, data))
        for file, called in files.items():
            try:
                archive.write(file, f"{name}/{FOLDER}/{called}")
                for other in _with(file):
                    archive.write(file.parent / other, f"{name}/{FOLDER}/{other}")
            except OSError as error:
                raise RodError(f"{file.name}: {(error.strerror or str(error)).lower()}") from None
    return made.getvalue()


def _name(file: Path, files: dict[Path, str]) -> str:
    """What a mesh is called there: as it is, or with a number where another one is called so already."""
    count = 1
    while file not in files:
        called = file.name if count == 1 else f"{file.stem}_{count}{file.suffix}"
        if called.lower() not in {one.lower() for one in files.values()}:
            files[file] = called
        count += 1
    return files[file]


def _with(file: Path) -> list[str]:
    """Files that a glTF file needs beside it."""
    if file.suffix.lower() != ".gltf":
        return []
    try:
        told: Any = json.loads(file.read_text(encoding="utf-8"))
        needed = [one.get("uri", "") for one in told.get("buffers", [])]
    except (ValueError, AttributeError):
        return []
    return [
        one
        for one in needed
        if one and not one.startswith("data:") and ".." not in one and (file.parent / one).is_file()
    ]
