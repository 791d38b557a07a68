"""The JSON Schema of scene files, for editors: completion, descriptions and red lines while typing."""

from typing import Any

from taut.scene.checks import NAME, SECTIONS
from taut.scene.scene import Scene
from taut.scene.solver import SolverSettings
from taut.scene.spec import Spec, descriptions


def json_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a scene. A quantity is a number in the unit 'x-unit', or text with any unit."""
    schema = Scene.model_json_schema()
    _describe(schema, Scene)
    for cls in _all(Spec):
        if cls.__name__ in schema["$defs"]:
            _describe(schema["$defs"][cls.__name__], cls)
    for spec in schema["$defs"].values():
        # the type has a default in Python, where the class says it; a file must name it
        if "const" in spec["properties"].get("type", {}):
            spec["required"] = ["type", *spec.get("required", [])]
    for section in SECTIONS:
        schema["properties"][section]["propertyNames"] = {"pattern": f"^{NAME.pattern}$"}
    solver = schema["properties"]["solver"]
    kinds = schema["$defs"][SolverSettings.__name__]["properties"]["kind"]["enum"]
    solver["anyOf"] = [{"$ref": solver.pop("$ref")}, {"enum": [*kinds, "robust"]}]
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Taut scene"}


def _describe(schema: dict[str, Any], cls: type[Spec]) -> None:
    """Write below each field of a description what it is."""
    for name, text in descriptions(cls).items():
        if name in schema["properties"]:
            schema["properties"][name].setdefault("description", text)


def _all(cls: type[Spec]) -> list[type[Spec]]:
    return [found for below in cls.__subclasses__() for found in (below, *_all(below))]
