"""A run to take with you: a page in one file that opens by double click, and a moving glTF model."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from taut.compile import frames
from taut.view import items
from taut.view.bounds import extent
from taut.view.cables import Cables
from taut.view.colours import WHITE
from taut.view.frame import Frame, Player
from taut.view.glb import Glb
from taut.view.paths import thickness
from taut.view.reach import points_of
from taut.view.ropes import Ropes
from taut.view.strands import Strands

if TYPE_CHECKING:
    from taut.scene import Scene

#: scripts of the live page that a replay needs: what a page without a graphics card leaves out, and lights that are not ours
SCRIPTS = [Path(__file__).parent / "static" / name for name in ("soft.js", "lights.js")]
#: how a replay is called in its picture
NAME = "position:fixed;top:0.9rem;left:1.1rem;font:600 1.05rem system-ui,sans-serif;color:#1c2733;pointer-events:none"
#: sides of a rope in a model
SIDES = 8


def silent(share: float) -> None:
    """Nobody wants to hear how much is done."""


def moments(player: Player, times: Sequence[float], told: Callable[[float], None] = silent) -> Iterator[Frame]:
    """What a recording shows at some times [s]; `told` hears what share of them is done."""
    for k, time in enumerate(times):
        player.seek(float(time))
        yield player.frame((), False)
        told((k + 1) / len(times))


def write_html(player: Player, to: Path, times: Sequence[float], told: Callable[[float], None] = silent) -> int:
    """A replay in one file that needs no server and no network; its size in bytes."""
    from taut.view import server as web
    from taut.view import stage
    from taut.view.mirror import Mirror

    server = web.start("127.0.0.1", 0)
    try:
        stage.dress(server)
        stage.set_up(server, player.scene)
        mirror = Mirror(server, player.scene)
        recording = server.get_scene_serializer()
        before = float(times[0])
        for frame in moments(player, times, told):
            recording.insert_sleep(max(0.0, frame.time - before))
            before = frame.time
            mirror.show(frame)
        page = recording.as_html()
    finally:
        web.stop(server)
    title = escape(player.scene.name or "Taut")
    start, end = page.index("<title>"), page.index("</title>") + len("</title>")
    # as the live page looks
    scripts = "".join(f"<script>{file.read_text(encoding='utf-8')}</script>" for file in SCRIPTS)
    text = f"{page[:start]}<title>{title}</title>{scripts}{page[end:]}"
    # what it is, over the picture; below it viser has the time, in seconds
    name = f'<div data-taut="title" style="{NAME}">{title}</div>'
    body = text.rindex("</body>")
    text = f"{text[:body]}{name}{text[body:]}"
    to.write_text(text, encoding="utf-8")
    return len(text)


def write_glb(player: Player, to: Path, times: Sequence[float], told: Callable[[float], None] = silent) -> int:
    """A model that moves, for Blender, Unity and Unreal: bodies as nodes, ropes as skins over joints; its size in bytes."""
    shown = list(moments(player, times, told))
    made = Glb()
    clock = made.array((np.array([frame.time for frame in shown]) - shown[0].time).astype("<f4"), True)
    _bodies(made, player.scene, shown, clock)
    for name, radius, colour, lines in _ropes(player.scene, shown):
        _rope(made, name, radius, colour, lines, clock)
    return made.write(to)


def _bodies(made: Glb, scene: Scene, shown: list[Frame], clock: int) -> None:
    solids: dict[object, int] = {}
    position = np.array([frame.positions for frame in shown], float)
    turn = np.array([frame.orientations for frame in shown], float)
    for item in items.of_scene(scene):
        key = item.key, item.colour
        if key not in solids:
            colour, corners = item.colour, {}
            if item.solid.paint is not None:
                # glTF wants linear light
                colour, corners = WHITE, {"COLOR_0": (item.solid.painted(item.colour) ** 2.2).astype("<f4")}
            solids[key] = made.mesh(item.solid.vertices, item.solid.faces, colour, **corners)
        where = position[:, item.body] + frames.rotate(turn[:, item.body], np.tile(item.position, (len(shown), 1)))
        way = frames.multiply(turn[:, item.body], np.tile(item.orientation, (len(shown), 1)))
        node = made.node(
            item.name,
            mesh=solids[key],
            translation=where[0].tolist(),
            rotation=np.roll(way[0], -1).tolist(),
            scale=[float(part) for part in item.scale],
        )
        if item.moves and len(shown) > 1:
            made.move(node, clock, where, way)


def _ropes(scene: Scene, shown: list[Frame]) -> Iterator[tuple[str, float, tuple[float, float, float], np.ndarray]]:
    """Name, radius [m], colour and points of every rope at every moment [m], shape (moments, points, 3)."""
    from taut.view.colours import CABLE

    size = extent(scene.all_bodies(), points_of(scene))
    cables, strands = Cables.still(scene), Strands.still(scene)
    of_cables = [cables.along(frame) for frame in shown]
    of_strands = [strands.along(frame) for frame in shown]
    for name, cable in scene.cables.items():
        if (rope := shown[0].cables.get(name)) is not None and rope.line is not None:
            yield name, thickness(cable, size), cable.color or CABLE, np.array([f.cables[name].line for f in shown])
            continue
        found = of_cables if name in of_cables[0] else of_strands
        if name in found[0]:
            yield name, thickness(cable, size), cable.color or CABLE, np.array([lines[name] for lines in found])
    ties = Ropes(scene, 0.0018 * size)
    points = [ties.points(frame) for frame in shown] if ties.ties else []
    for k, tie in enumerate(ties.ties):
        yield tie.name, ties.radius, tie.colour, np.array([at[k] for at in points])


def _rope(
    made: Glb, name: str, radius: float, colour: tuple[float, float, float], lines: np.ndarray, clock: int
) -> None:
    """A tube whose rings are held by joints that run along the rope."""
    turn = np.array([along(line) for line in lines])
    count = lines.shape[1]
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = radius * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(SIDES)])
    # the mesh as it lies at the first moment
    vertices = (lines[0][:, None] + frames.rotate(turn[0][:, None], np.tile(ring, (count, 1, 1)))).reshape(-1, 3)
    k, j = np.meshgrid(np.arange(count - 1), np.arange(SIDES), indexing="ij")
    a, b = (k * SIDES + j).ravel(), (k * SIDES + (j + 1) % SIDES).ravel()
    faces = np.concatenate([np.column_stack([a, b, b + SIDES]), np.column_stack([a, b + SIDES, a + SIDES])])
    joints = np.zeros((count * SIDES, 4), "<u2")
    joints[:, 0] = np.repeat(np.arange(count), SIDES)
    weights = np.zeros((count * SIDES, 4), "<f4")
    weights[:, 0] = 1.0
    mesh = made.mesh(vertices, faces, colour, JOINTS_0=joints, WEIGHTS_0=weights)
    nodes = []
    for p in range(count):
        rotation = np.roll(turn[0, p], -1).tolist()
        nodes.append(made.node(f"{name}_{p}", translation=lines[0, p].tolist(), rotation=rotation))
        if len(lines) > 1:
            made.move(nodes[-1], clock, lines[:, p], turn[:, p])
    inverse = np.tile(np.eye(4), (count, 1, 1))
    back = frames.conjugate(turn[0])
    inverse[:, :3, :3] = np.stack([frames.rotate(back, np.tile(axis, (count, 1))) for axis in np.eye(3)], axis=2)
    inverse[:, :3, 3] = -frames.rotate(back, lines[0])
    made.node(name, mesh=mesh, skin=made.skin(nodes, inverse))


def along(points: np.ndarray) -> np.ndarray:
    """Orientations with z along a line, turned as little as possible from each to the next, shape (n, 4)."""
    ahead = np.diff(points, axis=0)
    way = np.vstack([ahead[:1], ahead[:-1] + ahead[1:], ahead[-1:]]) if len(ahead) > 1 else np.vstack([ahead, ahead])
    size = np.linalg.norm(way, axis=1, keepdims=True)
    way = np.where(size > 1e-12, way / np.maximum(size, 1e-12), [0.0, 0.0, -1.0])
    side = np.array([1.0, 0.0, 0.0]) if abs(way[0, 0]) < 0.9 else np.array([0.0, 1.0, 0.0])
    made = np.zeros((len(points), 3, 3))
    for p, z in enumerate(way):
        across = side - (side @ z) * z
        if np.linalg.norm(across) < 1e-6:
            across = np.cross(z, [0.0, 1.0, 0.0] if abs(z[1]) < 0.9 else [1.0, 0.0, 0.0])
        side = across / np.linalg.norm(across)
        made[p] = np.column_stack([side, np.cross(z, side), z])
    return quaternions(made)


def quaternions(matrix: np.ndarray) -> np.ndarray:
    """Of rotation matrices, shape (n, 4), by the largest of four components."""
    m = matrix
    trace = m[:, 0, 0] + m[:, 1, 1] + m[:, 2, 2]
    diagonal = np.stack([trace, m[:, 0, 0], m[:, 1, 1], m[:, 2, 2]], axis=1)
    largest = np.argmax(diagonal, axis=1)
    rows = np.stack(
        [
            np.stack([1 + trace, m[:, 2, 1] - m[:, 1, 2], m[:, 0, 2] - m[:, 2, 0], m[:, 1, 0] - m[:, 0, 1]], 1),
            np.stack(
                [m[:, 2, 1] - m[:, 1, 2], 1 + 2 * m[:, 0, 0] - trace, m[:, 0, 1] + m[:, 1, 0], m[:, 0, 2] + m[:, 2, 0]],
                1,
            ),
            np.stack(
                [m[:, 0, 2] - m[:, 2, 0], m[:, 0, 1] + m[:, 1, 0], 1 + 2 * m[:, 1, 1] - trace, m[:, 1, 2] + m[:, 2, 1]],
                1,
            ),
            np.stack(
                [m[:, 1, 0] - m[:, 0, 1], m[:, 0, 2] + m[:, 2, 0], m[:, 1, 2] + m[:, 2, 1], 1 + 2 * m[:, 2, 2] - trace],
                1,
            ),
        ],
        axis=1,
    )
    found = rows[np.arange(len(m)), largest]
    return found / np.linalg.norm(found, axis=1, keepdims=True)
