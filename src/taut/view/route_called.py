"""Another name for something in a route that is solved: the shape stands, and only what it is called changes."""

from __future__ import annotations

from typing import Any

from taut.cables.rod.route import Route
from taut.view.route_names import name_of, rename
from taut.view.route_places import BODY, CABLE, CLIP, PART


def call(route: Route, key: str, new: str) -> None:
    """Give another name to what a key stands for, in the data and in the harness that was made of it."""
    old, kind = name_of(route.data, key), key.partition("/")[0]
    rename(route.data, key, new)
    net = route.harness._net
    both = [net.asked] if net.asked is net.kept else [net.asked, net.kept]
    if kind == CABLE:
        route.harness[old].name = new
        for table in (route.harness._cables, route.limits, route.clips, route.tensions):
            _rename(table, old, new)
        for asked in both:
            _call([chain for chain in asked.chains if chain.name == old], new)
            for side in ("start", "end"):
                _call([body for body in asked.bodies if body.name == f"{old}.{side}"], f"{new}.{side}")
    elif kind == CLIP:
        cable = key.partition("/")[2].partition("/")[0]
        number = route.clips[cable][old]
        _rename(route.clips[cable], old, new)
        for asked in both:
            _call([chain.clips[number] for chain in asked.chains if chain.name == cable and number in chain.clips], new)
    elif kind == PART:
        for table in (route.shapes, route.harness._solids, net.shape_rows, *(asked.obstacles for asked in both)):
            _rename(table, old, new)
    elif kind == BODY:
        _rename(route.plugs, old, new)
        for asked in both:
            index = next(k for k, body in enumerate(asked.bodies) if body.name == old)
            held = [one for chain in asked.chains for one in chain.handles.values() if one.body == index]
            _call([asked.bodies[index], *held], new)


def _call(named: list[Any], new: str) -> None:
    for one in named:
        one.name = new


def _rename(table: dict[str, Any], old: str, new: str) -> None:
    """In its place of the table."""
    items = [(new if name == old else name, value) for name, value in table.items()]
    table.clear()
    table.update(items)
