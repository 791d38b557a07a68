"""A cable that gets another model while it runs, by the hand of a person: the scene compiled with it, its state taken over.

Between massless and layered the rope stays in its tables and gets or loses its waves. To segments and back it goes by way of an auto
cable, which has both its rope and its segments in the tables: what was compiled is carried into such a one, that changes its model
as it would by itself (taut.compile.switching), and is carried on into the scene that is wanted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from taut.cables.massless.drum import V_ROPE
from taut.compile.carry import carry_over
from taut.compile.choices import SEGMENTED
from taut.compile.switching import set_rope, switched
from taut.compile.system import compile_scene, compile_tables
from taut.scene.models import kept_model

if TYPE_CHECKING:
    from taut.compile.system import Compiled
    from taut.scene import Scene
    from taut.scene.cables import Cable

AUTO = "auto"


def remodelled(old: Compiled, work: Any, scene: Scene) -> Compiled:
    """A scene that differs by the models of cables, with the state of `old`; `work` is the scratch of its last step.

    Raises SceneError, or ValueError for what cannot be taken over."""
    before, after = old.scene.cables, scene.cables
    changed = {name: cable for name, cable in after.items() if cable.model != before[name].model}
    _check(old, changed)
    by_auto = {name for name in changed if {before[name].model, after[name].model} & {SEGMENTED, AUTO}}
    last = old
    if by_auto:
        both = {
            name: (cable if cable.model in (SEGMENTED, AUTO) else after[name]).model_copy(update={"model": AUTO})
            if name in by_auto
            else cable
            for name, cable in before.items()
        }
        now = {name: old.choices.get(name, before[name].model) for name in by_auto}
        last = _compiled(old, old.scene.model_copy(update={"cables": both}), {**old.choices, **now})
        then = {name: after[name].model if after[name].model != AUTO else now[name] for name in by_auto}
        if then != now:
            last = switched(last, work, {**last.choices, **then})
    new = _compiled(last, scene, {name: last.choices[name] for name in scene.autos() if name in last.choices})
    for name in changed.keys() - by_auto:
        set_rope(last, new, work, name, before[name].model, after[name].model)
    return new


def _compiled(old: Compiled, scene: Scene, choices: Mapping[str, str]) -> Compiled:
    """A scene with the state of another one, whose cables lie in segments as they do there."""
    tables = compile_tables(scene, old.grips)
    laid = {pool.name: layout for pool, layout in zip(old.pools, old.layouts)}
    layouts = tuple(
        laid.get(pool.name, pool.as_laid() if choices.get(pool.name, SEGMENTED) == SEGMENTED else pool.asleep())
        for pool in tables.pools
    )
    new = compile_scene(scene, old.grips, layouts or None, tables, choices, old.chosen)
    carry_over(old, new)
    # which counts the rope from the start
    laws = dict(zip(_winches(old), old.constants.winch_law))
    for k, winch in enumerate(_winches(new)):
        new.constants.winch_law[k] = laws.get(winch, new.constants.winch_law[k])
    return new


def _winches(c: Compiled) -> list[tuple[str, str]]:
    """Every winch by its rope and its name."""
    if c.ropes is None:
        return []
    return [(c.ropes.names[row[V_ROPE]], name) for row, name in zip(c.ropes.winch_int, c.ropes.winch_names)]


def _check(old: Compiled, changed: Mapping[str, Cable]) -> None:
    parted = [pool.name for pool, layout in zip(old.pools, old.layouts) if layout.parted]
    for name, cable in changed.items():
        model = old.scene.cables[name].model
        why = kept_model(old.scene.cables[name], cable.model)
        if why:
            raise ValueError(f"{name}.model: {cable.model} - {why}")
        if name in parted:
            raise ValueError(f"{name}.model: it has parted, and stays segmented")
        held = {grip.a for grip in old.grips.values()} | {grip.b for grip in old.grips.values()}
        if SEGMENTED in (model, cable.model) and any(body.rpartition("_")[0] == name for body in held if body):
            raise ValueError(f"{name}.model: something has hold of it; let go of it first")
