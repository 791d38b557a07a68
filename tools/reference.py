"""Writes the reference pages from the program itself: `python tools/reference.py`, or `--check` to see whether they are fresh.

docs/reference/scene.md comes from the JSON Schema of scene files, route.md from what may stand in a route file, api.md from the docstrings of the public names, commands.md
from the command line.
"""

from __future__ import annotations

import dataclasses
import inspect
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "docs" / "reference"
MADE = "<!-- made by tools/reference.py: edit the program, then run it -->\n\n"

#: where a description of the schema is told: the section of a scene it belongs to
SECTIONS = {
    "Bodies and what they look like": ("Body", "Box", "Sphere", "Capsule", "Cylinder", "Plane", "Mesh", "Material"),
    "How kinematic bodies move": ("ControlMotion", "VelocityMotion", "PoseMotion"),
    "Joints": ("Ball", "Hinge", "Slider", "Lock", "Distance", "PointOnLine"),
    "Motors and limits": ("LinearMotor", "AngularMotor", "LinearLimits", "AngularLimits"),
    "Chains and cables": ("Chain", "Cable", "RopeChoice", "RoundSection", "HollowSection", "RectangularSection"),
    "Parts of a route": ("End", "Free", "Via", "Ring", "Sheave", "Traction", "Winch", "DriveCurve", "Falls"),
    "Wind, solver, view": ("Wind", "Gust", "Profile", "SolverSettings", "ViewSettings", "Course", "Gate"),
}


def scene_page() -> str:
    """Every field of a scene file with unit, default and meaning."""
    from taut.scene import json_schema

    schema = json_schema()
    known = [name for names in SECTIONS.values() for name in names]
    others = [name for name in schema["$defs"] if name not in known]
    parts = [
        "# Scene files, field by field\n",
        MADE,
        "A value is a number in the unit of its row, or text with any unit of the same dimension (`12 mm`, `3 deg`, `40 kN`). "
        "Where no default stands, the field must be given. `taut schema` writes the same as a JSON Schema, with which an "
        "editor completes and checks while you type.\n",
        "\n## Scene\n\nThe file itself.\n\n" + _fields(schema),
    ]
    for title, names in {**SECTIONS, **({"More": tuple(others)} if others else {})}.items():
        parts.append(f"\n## {title}\n")
        for name in names:
            if name in schema["$defs"]:
                spec = schema["$defs"][name]
                kind = spec["properties"].get("type", {}).get("const")
                said = f" Written as `type: {kind}`." if kind else ""
                parts.append(f"\n### {name}\n\n{_line(spec.get('description', ''))}{said}\n\n" + _fields(spec))
    return "".join(parts)


#: what stands in a route file, from the outside in
ROUTE = ("Layout", "Cable", "Section", "End", "Clip", "Limits", "Part", "Connector", "Branch", "Tie")


def route_page() -> str:
    """Every field of a route file with unit, default and meaning."""
    from taut.cables.rod import route_form
    from taut.scene.spec import descriptions

    schema = route_form.Document.model_json_schema()
    parts = [
        "# Route files, field by field\n",
        MADE,
        "What `taut route`, `taut fit` and the [routing studio](../rod.md) read and write. A value is a number in the unit of its row (lengths "
        "without a unit are in metres), or text with any unit of the same dimension (`12 mm`, `8 MPa`). Material may also be a list, one value for "
        "each segment. Where no default stands, the field must be given.\n",
        "\n## Document\n\nThe file itself.\n\n" + _fields(_told(schema, descriptions(route_form.Document))),
    ]
    for name in ROUTE:
        spec = _told(schema["$defs"][name], descriptions(getattr(route_form, name)))
        parts.append(f"\n## {name}\n\n{_line(spec.get('description', ''))}\n\n" + _fields(spec))
    # shapes are those of scenes
    others = [name for name in schema["$defs"] if name not in ROUTE]
    return re.sub(rf"\(#({'|'.join(name.lower() for name in others)})\)", r"(scene.md#\1)", "".join(parts))


def _told(spec: dict[str, Any], texts: dict[str, str]) -> dict[str, Any]:
    """A part of a schema with what is written below its fields."""
    fields = {name: {"description": texts.get(name, ""), **field} for name, field in spec["properties"].items()}
    return {**spec, "properties": fields}


def _fields(spec: dict[str, Any]) -> str:
    rows = ["| field | takes | default | what it is |\n", "|---|---|---|---|\n"]
    for name, field in spec["properties"].items():
        if "const" in field and name == "type":
            continue
        needed = name in spec.get("required", ())
        default = "" if needed else _default(field)
        rows.append(f"| `{name}` | {_takes(field)} | {default} | {_line(field.get('description', ''))} |\n")
    return "".join(rows) if len(rows) > 2 else "No fields.\n"


def _default(field: dict[str, Any]) -> str:
    value = field.get("default")
    if value is None or value in ("", []):
        return "none"
    if isinstance(value, dict):
        return "its own defaults"
    if isinstance(value, float) and 0.016 < value < 0.017:
        return "`1/60`"
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"


def _takes(field: dict[str, Any]) -> str:
    """What a field takes, in words: its unit, its choices or the kind of thing."""
    text = json.dumps(field)
    units = re.findall(r'"x-unit": "([^"]+)"', text)
    if units:
        count = re.search(r'"minItems": (\d)', text)
        many = f"{count.group(1)} x " if count else ""
        return many + (f"[{units[0]}]" if units[0] != "-" else "number")
    choices = field.get("enum") or next((one["enum"] for one in field.get("anyOf", ()) if "enum" in one), None)
    if choices:
        also = re.findall(r'"#/\$defs/(\w+)"', text)
        return ", ".join([*(f"`{choice}`" for choice in choices), *(f"[{name}](#{name.lower()})" for name in also)])
    if "const" in field:
        return f"`{field['const']}`"
    named = list(dict.fromkeys(re.findall(r'"#/\$defs/(\w+)"', text)))
    if named:
        words = ", ".join(f"[{name}](#{name.lower()})" for name in named)
        by_name = field.get("type") == "object" and "additionalProperties" in field
        return f"name: {words}" if by_name else f"list of {words}" if field.get("type") == "array" else words
    kinds = re.findall(r'"type": "(\w+)"', text)
    plain = {
        "string": "text",
        "boolean": "true or false",
        "integer": "whole number",
        "array": "list",
        "object": "names",
    }
    return next((plain.get(kind, kind) for kind in kinds if kind != "null"), "a value")


def api_page() -> str:
    """The public names of the package with their docstrings."""
    import taut
    from taut.scene.spec import Spec

    described = [name for name in taut.__all__ if name != "__version__" and not _is(getattr(taut, name), Spec)]
    specs = [name for name in taut.__all__ if name != "__version__" and _is(getattr(taut, name), Spec)]
    parts = [
        "# Python interface\n",
        MADE,
        "Everything below is imported as `taut.NAME`. Descriptions of a scene take the fields of the "
        "[scene reference](scene.md) as keyword arguments: "
        + ", ".join(f"[`{name}`](scene.md#{name.lower()})" for name in specs)
        + ".\n",
    ]
    parts += [_thing(name, getattr(taut, name)) for name in described]
    parts.append("\n## Beside the package\n\nNames of modules, imported from there.\n")
    parts += [_thing(f"{module}.{name}", _load(module, name), short=True) for module, name in BESIDE]
    return "".join(parts)


BESIDE = (
    ("taut.sweep", "make_plan"),
    ("taut.sweep", "sweep"),
    ("taut.sweep", "Results"),
    ("taut.sweep", "Processes"),
    ("taut.serve", "Server"),
    ("taut.serve", "Client"),
    ("taut.record", "Recording"),
    ("taut.record", "Recorder"),
    ("taut.scenes", "library"),
    ("taut.scene.ropes", "RopeChoice"),
    ("taut.cables.rod.export", "export"),
)


def _load(module: str, name: str) -> Any:
    import importlib

    found = getattr(importlib.import_module(module), name)
    if hasattr(found, "model_rebuild"):
        found.model_rebuild()  # a description knows its fields only once it is built
    return found


def _is(value: Any, base: type) -> bool:
    return inspect.isclass(value) and issubclass(value, base)


def _thing(name: str, value: Any, short: bool = False) -> str:
    level = "###" if short else "##"
    if not inspect.isclass(value):
        return f"\n{level} {name}\n\n`{name.rpartition('.')[2]}{_signature(value)}`\n\n{_doc(value)}\n"
    made = "" if _is(value, BaseException) else f"`{name.rpartition('.')[2]}{_signature(value)}`\n\n"
    text = f"\n{level} {name}\n\n{made}{_doc(value)}\n"
    rows = [
        f"| `{key}{_signature(member) if callable(member) else ''}` | {_line(_doc(member))} |\n"
        for key, member in _members(value)
    ]
    return text + ("\n| | |\n|---|---|\n" + "".join(rows) if rows else "")


def _members(cls: type) -> list[tuple[str, Any]]:
    """Public methods and properties that are ours and documented, in the order of the source."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        if not base.__module__.startswith("taut"):
            continue
        for key, member in vars(base).items():
            plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
            is_ours = inspect.isfunction(plain) or isinstance(plain, property)
            if not key.startswith("_") and is_ours and inspect.getdoc(plain):
                found[key] = plain
    return list(found.items())


def _signature(value: Any) -> str:
    try:
        signature = inspect.signature(value)
    except (TypeError, ValueError):
        return "()"
    hidden = ("self", "cls")
    words = []
    for parameter in signature.parameters.values():
        if parameter.name in hidden:
            continue
        if parameter.default is not parameter.empty and dataclasses.is_dataclass(parameter.default):
            parameter = parameter.replace(default=inspect.Parameter.empty)
        words.append(re.sub(r":[^=]*(?= =|$)", "", str(parameter).split(":")[0]) + _default_of(parameter))
    return f"({', '.join(words)})"


def _default_of(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty or ":" not in str(parameter):
        return ""
    text = repr(parameter.default)
    return f"={text}" if " at 0x" not in text and len(text) < 40 else "=..."


def _doc(value: Any) -> str:
    return inspect.getdoc(value) or ""


def _line(text: str) -> str:
    """Docstring in one line of a table: no line ends, no column marks."""
    return re.sub(r"\s+", " ", text).strip().replace("|", "\\|").replace("<", "&lt;")


def commands_page() -> str:
    """Every command with its arguments and options."""
    import typer

    from taut.cli.app import app

    group: Any = typer.main.get_command(app)
    parts = ["# Commands\n", MADE, "`taut COMMAND --help` says the same.\n"]
    for name, command in group.commands.items():
        arguments = [_argument(p) for p in command.params if p.param_type_name == "argument"]
        parts.append(f"\n## taut {name}\n\n`{' '.join(['taut', name, *arguments])}`\n\n{_doc_of(command)}\n")
        rows = [_option(p) for p in command.params if p.name != "help" and not getattr(p, "hidden", False)]
        parts += ["\n| | |\n|---|---|\n", *rows] if rows else []
    return "".join(parts)


def _argument(parameter: Any) -> str:
    word = parameter.metavar or parameter.name.upper()
    word += "..." if parameter.nargs == -1 and not word.endswith("...") else ""
    return word if parameter.required else f"[{word.strip('[]')}]"


def _option(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        return f"| {_argument(parameter).strip('[]')} | {_line(getattr(parameter, 'help', '') or '')} |\n"
    names = ", ".join(f"`{name}`" for name in (*parameter.opts, *parameter.secondary_opts))
    word = f" {parameter.metavar}" if parameter.metavar and not parameter.is_flag else ""
    default = parameter.default if not callable(parameter.default) else None
    said = f" Default {default}." if default not in (None, False, True, ()) else ""
    return f"| {names}{word} | {_line((parameter.help or '') + said)} |\n"


def _doc_of(command: Any) -> str:
    return re.sub(r"[\f\b]", "", command.help or "").strip()


PAGES: dict[str, Callable[[], str]] = {
    "scene.md": scene_page,
    "route.md": route_page,
    "api.md": api_page,
    "commands.md": commands_page,
}


def main(check: bool) -> int:
    """Write the pages, or say which are stale; the exit code."""
    stale = []
    for name, page in PAGES.items():
        text, file = page(), FOLDER / name
        if not file.exists() or file.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text, encoding="utf-8")
    if stale:
        print(("stale: " if check else "written: ") + ", ".join(stale))
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
