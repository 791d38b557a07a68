"""The base of every description in a scene: frozen, strict, and with mistakes explained in plain words."""

import ast
import inspect
import re
import textwrap
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Any, ClassVar, Self, get_args

from pydantic import BaseModel, ConfigDict, ModelWrapValidatorHandler, ValidationError, model_validator
from pydantic.fields import FieldInfo
from pydantic_core import InitErrorDetails

from taut.scene.problems import Part, Problem, SceneError, did_you_mean, item, listed, shown
from taut.scene.quantity import Quantity, refuse

MISSING = "taut_missing"
"""The type of a mistake where nothing was written, so that there is no value to show."""

UNKNOWN = "taut_unknown"
"""The type of a mistake where a name is none of those known."""
MOST_PROBLEMS = 200
"""Mistakes that are told one by one; nobody reads on, and a large file may hold millions."""


class Spec(BaseModel):
    """A frozen description. Fields are keyword-only; a mistake raises SceneError with every problem found."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)

    elsewhere: ClassVar[dict[str, str]] = {}
    """Fields that are looked for here but stand in another place, and that place in words."""

    def __init__(self, **data: Any) -> None:
        try:
            self.__pydantic_validator__.validate_python(data, self_instance=self)
        except ValidationError as error:
            problems = problems_of(error, data)
            named = [Problem(p.message, (type(self).__name__, *p.parts), p.value) for p in problems]
            raise SceneError(named) from None

    # says that this __init__ only validates: nested descriptions then need not be built through it
    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="wrap")
    @classmethod
    def _explained(cls, value: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            return handler(value)
        except ValidationError as error:
            details = [_explain(cls, dict(one)) for one in error.errors(include_url=False)[:MOST_PROBLEMS]]
            raise ValidationError.from_exception_data(cls.__name__, details) from None


def problems_of(error: ValidationError, data: object) -> list[Problem]:
    """The mistakes of a validation, placed in the data as the person wrote it."""
    problems = []
    for one in error.errors(include_url=False):
        message = one["msg"]
        if one["type"] == UNKNOWN:
            known = one["ctx"]["known"]
            hint = did_you_mean(one["ctx"]["name"], known)
            message += f"{', ' + hint if hint else ''} (known here: {listed(known, 30)})"
        value = "" if one["type"] == MISSING else shown(one["input"])
        problems.append(Problem(message, written_place(one["loc"], data), value))
    return problems


def written_place(loc: tuple[Part, ...], data: object) -> tuple[Part, ...]:
    """The keys down to a mistake, without the marks that validation adds: the chosen type, and '[key]'."""
    parts: list[Part] = []
    chosen = False
    for part in loc:
        if part == "[key]":
            continue
        kind = data.get("type") if isinstance(data, Mapping) else None
        if not chosen and isinstance(kind, str) and part == kind and parts:
            chosen = True
            continue
        parts.append(part)
        chosen = False
        data = item(data, part)
    return tuple(parts)


def _explain(cls: type[Spec], error: dict[str, Any]) -> InitErrorDetails:
    """One mistake of validation, in words. Those of inner descriptions are in words already."""
    kind, place, value = error["type"], error["loc"], error["input"]
    name = str(place[0]) if place else ""
    if kind.startswith("taut"):
        words = refuse(error["msg"], kind, **error.get("ctx", {}))
    elif kind == "missing":
        words = refuse(f"missing: {_about(cls, name)}", MISSING)
    elif kind == "union_tag_not_found":
        words, place = refuse(f"missing: what it is, one of {listed(_types(cls, name))}", MISSING), (*place, "type")
    elif kind == "union_tag_invalid":
        tag, known = str(error["ctx"]["tag"]), _types(cls, name)
        words = refuse("no such type", UNKNOWN, name=tag, known=known)
        place, value = (*place, "type"), tag
    elif kind == "extra_forbidden":
        where = cls.elsewhere.get(str(place[-1]))
        what = f"no such field here: it belongs {where}" if where else "no such field"
        words = refuse(what, UNKNOWN, name=str(place[-1]), known=list(cls.model_fields))
    else:
        words = refuse(_message(cls, name, error))
    return InitErrorDetails(type=words, loc=place, input=value)


def _message(cls: type[Spec], name: str, error: dict[str, Any]) -> str:
    kind = error["type"]
    if kind == "literal_error":
        return f"expected {error['ctx']['expected']}"
    if kind in ("bool_type", "bool_parsing"):
        return "expected true or false"
    if kind.startswith("string"):
        return "expected text (in quotes if it looks like a number)"
    if kind in ("tuple_type", "list_type"):
        return "expected a list, as in [first, second]"
    if kind in ("dict_type", "model_type", "model_attributes_type"):
        fields = f" (known here: {listed(cls.model_fields, 30)})" if not error["loc"] else ""
        return f"expected fields and their values{fields}"
    return f"expected {_about(cls, name)}"


@cache
def descriptions(cls: type[Spec]) -> dict[str, str]:
    """What each field is: the text below it in the source.

    Read when it is asked for: pydantic would read it at every start, which takes a tenth of a second.
    """
    found: dict[str, str] = {}
    for base in reversed(cls.__mro__):
        if issubclass(base, Spec):
            lines = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0].body  # type: ignore[attr-defined]
            for line, below in pairwise(lines):
                text = (
                    below.value.value if isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant) else None
                )
                if isinstance(line, ast.AnnAssign) and isinstance(line.target, ast.Name) and isinstance(text, str):
                    found[line.target.id] = inspect.cleandoc(text)
    return found


def unit_of(cls: type[Spec], name: str) -> str:
    """SI unit of a field, e.g. 'kg'; '-' where it has none."""
    field = cls.model_fields[name]
    return next((kind.unit for one in _parts(field) if (kind := getattr(one, "kind", None)) is not None), "-")


def kind_name(cls: type[Spec], name: str) -> str:
    """What a field takes, with an example: "a mass, e.g. '5 t'"."""
    kinds = (kind for one in _parts(cls.model_fields[name]) if (kind := getattr(one, "kind", None)) is not None)
    kind = next(kinds, None)
    if kind is None:
        return "a value"
    return f"{kind.name}, e.g. '{kind.example}'" if kind.example else str(kind.name)


def labelled(cls: type[Spec], name: str) -> str:
    """A field as a person reads it, with its unit: 'breaking load [N]'."""
    unit = unit_of(cls, name)
    return name.replace("_", " ") + ("" if unit == "-" else f" [{unit}]")


def summary(cls: type[Spec], name: str) -> str:
    """What a field is: its description up to the first semicolon, without the unit."""
    text = " ".join(descriptions(cls).get(name, "").split())
    return re.sub(r"\s*\[[^]]*\]\.?$", "", re.split(r"[;.](?:\s|$)", text)[0])


def _parts(field: FieldInfo) -> Iterator[Any]:
    """What an annotation is made of, and what it is annotated with, at any depth."""
    yield from field.metadata
    pending = [field.annotation]
    while pending:
        one = pending.pop()
        yield from getattr(one, "__metadata__", ())
        pending += get_args(one)


def _about(cls: type[Spec], name: str) -> str:
    """What a field is, from its own description, with an example or its choices."""
    field = cls.model_fields.get(name)
    description = descriptions(cls).get(name)
    if field is None or not description:
        return "something else"
    text = " ".join(description.split()).rstrip(".")
    parts = [*field.metadata, *get_args(field.annotation)]
    examples = [f", e.g. 2.5 or '{one.kind.example}'" for one in parts if isinstance(one, Quantity)]
    choices = [one for one in parts if isinstance(one, str)]
    return text[0].lower() + text[1:] + "".join(examples[:1]) + (f": {listed(choices)}" if choices else "")


def _types(cls: type[Spec], name: str) -> list[str]:
    """The types to choose from in a field."""
    field = cls.model_fields.get(name)
    return [spec.model_fields["type"].default for spec in _specs(field.annotation)] if field is not None else []


def _specs(annotation: Any) -> list[type[Spec]]:
    if isinstance(annotation, type) and issubclass(annotation, Spec):
        return [annotation]
    return [spec for inner in get_args(annotation) for spec in _specs(inner)]
