"""What is allowed and cannot be meant all the same, in words: mesh parts in another unit, segments that are too long, cables that would fold
into themselves."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from taut.cables.rod.sense import long_segments
from taut.cables.rod.values import plain, sized
from taut.scene.mesh_file import METRES
from taut.scene.shapes import Mesh

if TYPE_CHECKING:
    from taut.cables.rod.judging import Row
    from taut.cables.rod.route import Route

#: a mesh that is larger than the longest cable by this factor, or smaller than it by that one and thinner than every cable
LARGE, SMALL = 30.0, 500.0


def odd(route: Route) -> list[str]:
    """Of a route as it is read, before it is solved."""
    return [*long_segments(route), *unlike_sizes(route)]


def unlike_sizes(route: Route) -> list[str]:
    """Mesh parts out of all proportion to the cables: their unit may be another one."""
    cables = route.harness.cables.values()
    longest = max((cable.length for cable in cables), default=0.0)
    thinnest = min((2.0 * cable.radius for cable in cables if cable.radius > 0.0), default=0.0)
    found = []
    for word, shapes in (("parts", route.shapes), ("connectors", route.plugs)):
        for name, shape in shapes.items():
            if not isinstance(shape, Mesh) or longest <= 0.0:
                continue
            size = float(np.ptp(shape.content().vertices, axis=0).max())
            if size > LARGE * longest:
                told, meant = f"{plain(size / longest)} times as large as the longest cable is long", "mm"
            elif size < longest / SMALL and size < thinnest:
                told, meant = "less than every cable is thick", "m"
            else:
                continue
            file = route.data["route"][word][name]["shape"]["file"]
            # only a unit that would bring it nearer
            nearer = (METRES[meant] < METRES[shape.unit]) == (size > longest) and meant != shape.unit
            hint = f": were {meant} meant (unit: {meant})?" if nearer else ""
            found.append(
                f"{name}: {_last(file)} is {sized(float(plain(size)))} large with unit: {shape.unit}, {told}{hint}"
            )
    return found


def folds(found: list[Row], route: Route) -> list[str]:
    """Cables whose centreline is bent more sharply than they are thick: findings, as they stand or of a motion."""
    words = []
    for one, when in found:
        if one.what == "bend_radius" and one.value < (radius := route.harness[one.cable].radius):
            at = " ".join(word for word in (one.where, when) if word)
            words.append(
                f"{one.cable}: its bend radius of {sized(float(plain(one.value)))} {at} is less than half of its outer diameter "
                f"({sized(float(plain(2.0 * radius)))}): it would fold into itself; shape and forces are not those of a hose"
            )
    return words


def _last(file: Any) -> str:
    return str(file).replace("\\", "/").rpartition("/")[2]
