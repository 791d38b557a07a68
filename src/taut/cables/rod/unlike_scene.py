"""What of a route no scene can hold, all of it at once, with what to change."""

from __future__ import annotations

from taut.cables.rod import arrays as col
from taut.cables.rod.chain import FREED
from taut.cables.rod.harness import Cable
from taut.cables.rod.route import Route
from taut.cables.rod.targets import CLIPS
from taut.scene.problems import Problem

#: what a person can do in place of a scene
STAYS = "`taut route` solves it as it is, also over a --motion"
#: who pushes where it is no cable
CONNECTOR = "a connector"


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
        who = owner.get(int(row[col.ROW_A]), CONNECTOR)
        what = parts[int(row[col.KEY])] if row[col.KEY] >= 0.0 else ""
        pair = (who, what) if what else (f"{who} and {owner.get(int(row[col.ROW_B]), who)}", "")
        found[pair] = found.get(pair, 0.0) + push
    return found


def _leaning(route: Route) -> list[Problem]:
    """Connectors that lie on parts: bodies of a scene touch by its own contacts, with friction."""
    found = []
    for (who, part), push in _pushes(route).items():
        if part and who == CONNECTOR:
            reason = (
                f"a connector that is let go leans on it with {push:.3g} N, and in a scene only cables lean on parts. Hold the connector "
                f"(held: fixed) or move the part away; {STAYS}"
            )
            found.append(Problem(reason, ("parts", part)))
    return found


def _crossing(route: Route) -> list[Problem]:
    """Cables that lie on each other."""
    who = [f"{pair} with {push:.3g} N" for (pair, part), push in _pushes(route).items() if not part]
    if not who:
        return []
    reason = (
        f"cables lean on each other ({', '.join(who)}), and in a scene rods do not touch each other. Bundle them by a tie, or leave "
        f"`itself` out; {STAYS}"
    )
    return [Problem(reason, ("itself",))]
