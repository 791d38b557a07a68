"""What has gone wrong with ropes: said beside the picture as long as it is so, for a wreck should not look like a slack rope."""

from __future__ import annotations

from collections.abc import Collection

from taut.scene import Scene
from taut.view.frame import Frame

#: names that are told one by one
FEW = 3


def may_part(scene: Scene) -> list[str]:
    """Cables that are never unhooked: where one of them is loose, it has parted."""
    return [name for name, cable in scene.ropes().items() if cable.reach is None]


def words(frame: Frame | None, names: Collection[str]) -> str:
    """Which of these cables have parted; empty: none."""
    if frame is None:
        return ""
    parted = [name for name in names if (rope := frame.cables.get(name)) is not None and rope.loose is not None]
    if not parted:
        return ""
    told = ", ".join(parted) if len(parted) <= FEW else f"{', '.join(parted[:FEW])} and {len(parted) - FEW} more"
    return f"{told} {'has' if len(parted) == 1 else 'have'} parted"


def run_together(frame: Frame | None) -> str:
    """Cables of which parts were hauled into each other, where their forces mean nothing any more; empty: none."""
    if frame is None:
        return ""
    return " · ".join(f"{name}: {rope.reached}" for name, rope in frame.cables.items() if rope.reached)
