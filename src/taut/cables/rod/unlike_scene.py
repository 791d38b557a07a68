"""What of a route no scene can hold, all of it at once, with what to change."""

from __future__ import annotations

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.chain import FREED
from taut.cables.rod.clearance import distance_to
from taut.cables.rod.detect import ENDS
from taut.cables.rod.harness import Cable
from taut.cables.rod.route import Route
from taut.cables.rod.targets import CLIPS
from taut.cables.rod.values import RodError
from taut.scene.problems import Problem

#: what a person can do in place of a scene
STAYS = "`taut route` solves it as it is, also over a --motion"


def unlike_scene(route: Route) -> list[Problem]:
    """Everything of a solved route that keeps it from being a scene; empty if nothing does."""
    found = [*_leaning(route), *_crossing(route)]
    for name, cable in route.harness.cables.items():
        found += _of_cable(name, cable, route.clips[name])
    return found


def _of_cable(name: str, cable: Cable, clips: dict[str, int]) -> list[Problem]:
    chain, place, found = cable._chain, ("cables", name), []
    kind = chain.properties
    for word, values in (("stiffness", kind.stiffness), ("rest strain", kind.rest), ("mass", kind.mass)):
        if not (values == values[:1]).all():
            reason = (
                f"its {word} changes along it; a scene knows one value: give one, or cut the cable there with a branch"
            )
            found.append(Problem(reason, place))
    if chain.held[0] == FREED:
        reason = "is free; in a scene only the end of a rod may be: exchange start and end"
        found.append(Problem(reason, (*place, "start")))
    for called, number in clips.items():
        releases = chain.clips[number].releases
        if releases not in CLIPS.values():
            reason = (
                f"{called} releases {', '.join(sorted(releases))}; a scene has clips of the kinds {', '.join(CLIPS)}"
            )
            found.append(Problem(reason, (*place, "clips")))
    return found


def _pushes(route: Route) -> dict[tuple[str, str], float]:
    """Sum of the pushes [N] of each cable on each part, and of cables on each other."""
    net = route.harness._net
    found: dict[tuple[str, str], float] = {}
    parts = {row: name for name, row in net.shape_rows.items()}
    owner = {int(row): name for name, cable in route.harness.cables.items() for row in cable._chain.seg_rows}
    arrays = net.arrays
    for r in range(arrays.tally[col.EQUATIONS], arrays.tally[col.ROWS]):
        row, push = arrays.row[r], -float(arrays.force[r])
        if push <= 0.0:
            continue
        who = owner.get(int(row[col.ROW_A]), "a connector")
        what = parts[int(row[col.KEY])] if row[col.KEY] >= 0.0 else ""
        pair = (who, what) if what else (f"{who} and {owner.get(int(row[col.ROW_B]), who)}", "")
        found[pair] = found.get(pair, 0.0) + push
    return found


def _leaning(route: Route) -> list[Problem]:
    """Parts that cables lie on: a rod of a scene touches nothing and would have another shape."""
    pushes = {pair: push for pair, push in _pushes(route).items() if pair[1]}
    depths = _depths(route, sorted({part for _, part in pushes}))
    found = []
    for part in dict.fromkeys(part for _, part in pushes):
        who = ", ".join(f"{cable} with {push:.3g} N" for (cable, one), push in pushes.items() if one == part)
        depth = depths.get(part, 0.0)
        inside = f"; without it they would lie {1e3 * depth:.3g} mm deep in it" if depth > 0.0 else ""
        reason = (
            f"cables lean on it ({who}), and in a scene a rod touches nothing{inside}. Move it away or leave it out, or "
            f"hold the cables by clips where they lie; {STAYS}"
        )
        found.append(Problem(reason, ("parts", part)))
    return found


def _depths(route: Route, parts: list[str]) -> dict[str, float]:
    """How deep cables would lie in parts if those were not there [m], where that has a shape."""
    if not parts:
        return {}
    given = route.data["route"]
    bare = {**route.data, "route": {**given, "parts": {k: v for k, v in given["parts"].items() if k not in parts}}}
    try:
        free = Route.of(bare, route.folder, route.name)
        free.solve()
    except RodError:
        return {}
    for part in parts:
        free._add_part(part, given["parts"][part], route.folder)
    return {part: -min(_gap(free, cable, part) for cable in free.harness.cables.values()) for part in parts}


def _gap(route: Route, cable: Cable, part: str) -> float:
    """Least distance of the nodes of a cable to a part [m], but for its ends, which may sit on it."""
    from_end = np.minimum(cable.arc_length, cable.length - cable.arc_length)
    points = cable.points[from_end >= ENDS * cable.radius]
    return distance_to(route.harness._net, part, points, np.full(len(points), cable.radius))


def _crossing(route: Route) -> list[Problem]:
    """Cables that lie on each other."""
    who = [f"{pair} with {push:.3g} N" for (pair, part), push in _pushes(route).items() if not part]
    if not who:
        return []
    reason = (
        f"cables lean on each other ({', '.join(who)}), and in a scene a rod touches nothing. Bundle them by a tie, or leave "
        f"`itself` out; {STAYS}"
    )
    return [Problem(reason, ("itself",))]
