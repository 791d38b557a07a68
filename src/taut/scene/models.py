"""Which models a cable can have while it runs, what else a change of its model changes, and why others are not possible."""

import re
from typing import TYPE_CHECKING, Any, get_args

from taut.scene.cable_checks import check_cable
from taut.scene.cables import Cable
from taut.scene.known import Known

if TYPE_CHECKING:
    from taut.scene.scene import Scene

#: all models, as a scene has them
MODELS: tuple[str, ...] = get_args(Cable.model_fields["model"].annotation)
#: those of which one can be taken over into another while it runs
TAKEN_OVER = ("massless", "layered", "segmented", "auto")
#: what a model has no use for and is left out with it, and what then stands there; taking the change back brings it back
_SEGMENTS: dict[str, Any] = {
    "segments": None, "segment_length": None, "detail": "fixed", "collide": False, "group": None, "meets": None, "bending_damping_time": None,
}  # fmt: skip
_WITHOUT: dict[str, dict[str, Any]] = {
    "massless": _SEGMENTS,
    "layered": {**_SEGMENTS, "weight": False, "lifted": False},
    "segmented": {"weight": False, "lifted": False},
    "auto": {"weight": False, "lifted": False},
}
#: advice of a message that is meant for somebody who writes a file
_ADVICE = re.compile(r"[:,;] set (the )?model.*$")


def kept_model(cable: Cable, model: str) -> str:
    """Why a cable cannot go over to a model while it runs; empty if it can."""
    for one in (cable.model, model):
        if one not in TAKEN_OVER and model != cable.model:
            return f"a {one} cable has its own shape from the start on: choose this in the file"
    if model == cable.model:
        return ""
    if cable.obstacles:
        return "a cable that wraps round things keeps its model while it runs"
    if "segmented" in (cable.model, model) and not cable.bare:
        return "only a cable from one end straight to another goes into segments or out of them"
    return ""


def beside(cable: Cable, model: str) -> dict[str, Any]:
    """Other fields of a cable that change with its model."""
    unlike = _WITHOUT.get(model, {}).items()
    return {field: value for field, value in unlike if getattr(cable, field) != value}


def why_not(scene: "Scene", name: str, model: str) -> str:
    """Why a cable of a scene cannot have a model while it runs; empty if it can."""
    cable = scene.cables[name]
    if model == cable.model:
        return ""
    if kept := kept_model(cable, model):
        return kept
    wanted = cable.model_copy(update={"model": model, **beside(cable, model)})
    found = next(check_cable(wanted, Known.of(scene, {})), None)
    if found is None:
        return ""
    field = f"{found.parts[-1]}: " if found.parts and found.parts[-1] != "model" else ""
    return field + _ADVICE.sub("", found.message)
