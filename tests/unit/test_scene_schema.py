"""The JSON Schema for editors: complete, sound, and of one mind with the reader."""

import json
import re
from collections.abc import Iterator
from typing import Any

import jsonschema
import pytest
import yaml
from test_scene_files import EVERYTHING

from taut.scene import json_schema

SCHEMA = json_schema()


def _resolve(schema: dict[str, Any]) -> dict[str, Any]:
    return SCHEMA["$defs"][schema["$ref"].rsplit("/", 1)[1]] if "$ref" in schema else schema


def _fits(value: Any, schema: dict[str, Any]) -> bool:
    """As much of JSON Schema as ours uses; an independent reading of it."""
    schema = {**schema, **_resolve(schema)}
    for key, choose in (("anyOf", any), ("oneOf", lambda found: sum(found) == 1)):
        if key in schema and not choose([_fits(value, option) for option in schema[key]]):
            return False
    if "const" in schema and value != schema["const"]:
        return False
    if "enum" in schema and value not in schema["enum"]:
        return False
    kinds = {
        "number": isinstance(value, int | float) and not isinstance(value, bool),
        "integer": isinstance(value, int) and not isinstance(value, bool),
        "string": isinstance(value, str),
        "boolean": isinstance(value, bool),
        "null": value is None,
        "array": isinstance(value, list),
        "object": isinstance(value, dict),
    }
    if "type" in schema and not kinds[schema["type"]]:
        return False
    if kinds["number"] and not _in_range(value, schema):
        return False
    if isinstance(value, list):
        count = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", len(value))
        return count and all(_fits(item, schema.get("items", {})) for item in value)
    return _object_fits(value, schema) if isinstance(value, dict) else True


def _in_range(value: float, schema: dict[str, Any]) -> bool:
    above = value > schema.get("exclusiveMinimum", -1e300) and value >= schema.get("minimum", -1e300)
    return above and value <= schema.get("maximum", 1e300)


def _object_fits(value: dict[str, Any], schema: dict[str, Any]) -> bool:
    known, other = schema.get("properties", {}), schema.get("additionalProperties", True)
    pattern = schema.get("propertyNames", {}).get("pattern", "")
    if not set(schema.get("required", [])) <= set(value) or not all(re.search(pattern, key) for key in value):
        return False
    options = {key: known.get(key, other) for key in value}
    return all(option is True or (option is not False and _fits(value[key], option)) for key, option in options.items())


def _fields() -> Iterator[tuple[str, dict[str, Any]]]:
    for name, spec in {**SCHEMA["$defs"], "Scene": SCHEMA}.items():
        for field, schema in spec["properties"].items():
            yield f"{name}.{field}", schema


def test_it_is_json_and_every_reference_leads_somewhere() -> None:
    text = json.dumps(SCHEMA)
    assert set(re.findall(r'"#/\$defs/(\w+)"', text)) == set(SCHEMA["$defs"])
    assert SCHEMA["$schema"].startswith("https://json-schema.org/")


def test_every_field_is_described_and_every_quantity_has_its_unit() -> None:
    for name, schema in _fields():
        assert schema.get("description"), name
        units = re.findall(r'"x-unit": "([^"]+)"', json.dumps(schema))
        for unit in units:
            assert all(f"[{part}]" in schema["description"] for part in unit.split(" or ")), name


def test_every_quantity_may_be_a_number_or_text() -> None:
    quantities = [(name, schema) for name, schema in _fields() if "x-unit" in json.dumps(schema)]
    assert len(quantities) > 60
    for name, schema in quantities:
        assert '"type": "string"' in json.dumps(schema), name


def test_what_we_write_fits() -> None:
    data = yaml.safe_load(EVERYTHING.to_yaml())
    # the one number that yaml 1.1 takes for text is a name here
    assert data["name"] == "1e9" and _fits(data, SCHEMA)


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("{taut: 1, dt: 1/60 s, solver: gauss_seidel}", True),
        ("{solver: robust}", True),
        (
            "{bodies: {b: {mass: 1 t, shape: {type: box, size: 1 2 3 m}, orientation: {axis: 0 0 1, angle: 3 deg}}}}",
            True,
        ),
        ("{joints: {j: {type: hinge, b: b, axis: [0, 0, 1], motor: {target: 30 rpm}}}}", True),
        ("{taut: 2}", False),
        ("{dt: 0}", False),
        ("{dt: [1]}", False),
        ("{gravty: 1}", False),
        ("{solver: drect}", False),
        ("{bodies: {b: {mass: -1}}}", False),
        ("{bodies: {b c: {mass: 1}}}", False),
        ("{bodies: {b: {shape: {type: bx}}}}", False),
        ("{bodies: {b: {shape: {size: [1, 2, 3]}}}}", False),
        ("{bodies: {b: {position: [1, 2]}}}", False),
        ("{joints: {j: {b: b}}}", False),
        ("{joints: {j: {type: hinge, b: b}}}", False),
        ("{chains: {c: {links: 3}}}", False),
    ],
)
def test_it_agrees_with_the_reader(text: str, fits: bool) -> None:
    assert _fits(yaml.safe_load(text), SCHEMA) is fits


def test_a_full_validator_agrees() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(yaml.safe_load(EVERYTHING.to_yaml()))
