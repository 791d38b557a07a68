"""Scenes back into files: plain data, defaults left out."""

import os
from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel

ALWAYS = ("taut", "type")
"""Fields that are written even at their default: they say what the rest is."""


def plain(spec: BaseModel) -> dict[str, Any]:
    """A description as dicts, lists, numbers and text, less what is at its default."""
    data: dict[str, Any] = {}
    for name, field in type(spec).model_fields.items():
        value = getattr(spec, name)
        if name in ALWAYS or value != field.get_default(call_default_factory=True):
            data[name] = _plain(value)
    # the type first: it is what a reader looks for
    return {"type": data.pop("type"), **data} if "type" in data else data


def _plain(value: Any) -> Any:
    if isinstance(value, BaseModel):
        return plain(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


class Dumper(yaml.SafeDumper):
    """Vectors on one line, everything else in blocks."""

    def ignore_aliases(self, data: Any) -> bool:
        """The same vector twice is two vectors to a reader, not an anchor and an alias."""
        return True


def _list(dumper: yaml.SafeDumper, data: list[Any]) -> yaml.Node:
    flow = not any(isinstance(item, dict) for item in data)
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flow)


Dumper.add_representer(list, _list)


def to_yaml(spec: BaseModel) -> str:
    """As text. Floats are written so that they read back bit by bit."""
    return _text(plain(spec))


def save(spec: BaseModel, path: Path) -> None:
    """Write a file, whole or not at all, with mesh files named as seen from it."""
    data = plain(spec)
    for body in data.get("bodies", {}).values():
        shape = body.get("shape", {})
        if shape.get("type") == "mesh":
            shape["file"] = _seen_from(path.parent, shape["file"])
    draft = path.with_name(path.name + ".part")
    draft.write_text(_text(data), encoding="utf-8")
    draft.replace(path)


def _text(data: dict[str, Any]) -> str:
    return yaml.dump(data, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120)


def _seen_from(folder: Path, file: str) -> str:
    try:
        return Path(os.path.relpath(file, folder)).as_posix()
    except ValueError:  # another drive on Windows has no relative name
        return Path(file).absolute().as_posix()
