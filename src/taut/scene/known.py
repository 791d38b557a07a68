"""The names that joints, chains and materials may refer to."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from taut.scene.bodies import Body
from taut.scene.joints import WORLD
from taut.scene.material_table import USUAL
from taut.scene.problems import Problem, did_you_mean, listed, shown
from taut.scene.quantity import Vec3

if TYPE_CHECKING:
    from taut.scene.scene import Scene

BROKEN = "broken"
"""The kind of a body that exists, but was refused: nothing more can be said of it."""


@dataclass(frozen=True)
class Known:
    """Names by what they are."""

    bodies: Mapping[str, Body]
    """Bodies of the scene that are valid; links of chains are not among them."""
    kinds: Mapping[str, str]
    """Kind of every body, links of chains and the world included."""
    declared: tuple[str, ...]
    """Names of bodies as a person wrote them, refused ones included."""
    materials: tuple[str, ...]
    """Names of the materials."""
    groups: tuple[str, ...]
    """Names of groups that bodies and cables belong to."""
    elements: frozenset[str]
    """Every name that a quantity may belong to, parts of chains included."""
    unsure: frozenset[str]
    """Sections that were refused as a whole: names that are not known may still be in there."""
    broken: tuple[str, ...]
    """Names of chains and cables of which something was refused: how many links they have is not known."""
    dt: float = 1.0 / 60.0
    """Time step [s]."""

    @staticmethod
    def of(
        scene: "Scene", also: Mapping[str, Iterable[str]], unsure: Iterable[str] = (), refused: Iterable[str] = ()
    ) -> "Known":
        """The names of a scene; `also` are names by section that exist, but whose element was refused; `refused` are chains
        and cables of which at least a field was."""
        kinds = dict.fromkeys(also.get("bodies", ()), BROKEN)
        parts: list[str] = []
        for name, chain in scene.chains.items():
            kinds |= dict.fromkeys(chain.link_names(name), "dynamic")
            parts += chain.joint_names(name)
        for strand in scene.strands().values():
            if strand.cable.model != "auto":  # whose segments are not always there
                kinds |= dict.fromkeys(strand.link_names(), "dynamic")
            parts += strand.joint_names()
        kinds |= {name: body.kind for name, body in scene.bodies.items()} | {WORLD: "static"}
        materials = tuple(dict.fromkeys([*scene.materials, *also.get("materials", ()), *USUAL]))
        written = [name for section in ("joints", "chains", "cables") for name in also.get(section, ())]
        elements = frozenset((*kinds, *scene.joints, *scene.chains, *scene.cables, *parts, *written))
        declared = tuple(dict.fromkeys([*also.get("bodies", ()), *scene.bodies]))
        named = [body.group for body in scene.bodies.values()] + [cable.group for cable in scene.cables.values()]
        groups = tuple(dict.fromkeys(name for name in named if name is not None))
        lost = (frozenset(unsure), tuple(refused))
        return Known(scene.bodies, kinds, declared, materials, groups, elements, *lost, float(scene.dt))

    def moved_by_forces(self, name: str) -> bool:
        return self.kinds.get(name) in ("dynamic", "particle", BROKEN)

    def is_particle(self, name: str) -> bool:
        return self.kinds.get(name) == "particle"

    def start_of(self, name: str) -> Vec3 | None:
        """Where a body's origin is at the start; None if it has none to speak of."""
        body = self.bodies.get(name)
        if body is None or (body.motion is not None and not getattr(body.motion, "positions", (1,))):
            return None
        return body.start_position

    def _may_exist(self, name: str) -> bool:
        return name in self.kinds or not self.unsure.isdisjoint(("bodies", "chains", "cables")) or self._part(name)

    def _part(self, name: str) -> bool:
        """Whether it may be a part of a chain or cable of which something was refused."""
        return any(name.startswith(f"{long}_") for long in self.broken[:100])

    def check_element(self, name: str) -> Iterator[Problem]:
        """What a quantity belongs to must exist."""
        unsure = not self.unsure.isdisjoint(("bodies", "joints", "chains", "cables"))
        if name not in self.elements and not unsure and not self._part(name):
            hint = did_you_mean(name, self.elements)
            yield Problem(f"no element {name}{', ' + hint if hint else ''}")

    def check_body_name(self, name: str, field: str, extra: str = "") -> Iterator[Problem]:
        if not self._may_exist(name):
            names = [*self.declared, WORLD]
            hint = did_you_mean(name, names)
            yield Problem(
                f"no such body{', ' + hint if hint else ''} (known: {listed(names)}{extra})", (field,), shown(name)
            )

    def check_groups(self, names: tuple[str, ...] | None) -> Iterator[Problem]:
        """Groups that a body says it meets must have members."""
        for k, name in enumerate(names or ()):
            if name not in self.groups and self.unsure.isdisjoint(("bodies", "cables", "groups")):
                hint = did_you_mean(name, self.groups)
                have = f"known: {listed(self.groups)}" if self.groups else "no body has a group"
                yield Problem(f"no such group{', ' + hint if hint else ''} ({have})", ("meets", k), shown(name))

    def check_material(self, name: str | None) -> Iterator[Problem]:
        if name is not None and name not in self.materials and "materials" not in self.unsure:
            hint = did_you_mean(name, self.materials)
            reason = f"no such material{', ' + hint if hint else ''} (known: {listed(self.materials)})"
            yield Problem(reason, ("material",), shown(name))
