"""Ropes coloured by what they carry, and by how they are bent."""

import numpy as np
import pytest

from taut.scenes import open_scene
from taut.view import readout
from taut.view import server as web
from taut.view.colours import HOT, SLACK, as_bytes, heat
from taut.view.curves import along_pieces
from taut.view.frame import Frame, Rope
from taut.view.mirror import Mirror, start_frame


def test_colours_go_from_slack_to_hot() -> None:
    found = heat(np.array([0.0, 0.5, 1.0, 2.0]))
    assert tuple(found[0]) == as_bytes(SLACK) and tuple(found[2]) == tuple(found[3]) == as_bytes(HOT)
    assert along_pieces(np.array([0.0, 2.0]), 3) == pytest.approx([0.0, 1.0, 2.0])
    assert along_pieces(np.zeros(0), 2) == pytest.approx([0.0, 0.0])


def test_a_hose_is_hot_where_it_is_bent_most_and_the_legend_tells_the_radius() -> None:
    """A straight piece, then a quarter of a circle of 0.2 m."""
    server, scene = web.start("127.0.0.1", 0), open_scene("robot_hose")
    try:
        mirror = Mirror(server, scene)
        name = next(iter(scene.rods()))
        count = len(mirror.rods._last[name])
        straight = count // 2
        angle = np.linspace(0.0, 0.5 * np.pi, count - straight)
        line = np.zeros((count, 3))
        line[:straight, 0] = np.linspace(-1.0, -0.02, straight)
        line[straight:] = 0.2 * np.column_stack([np.sin(angle), np.zeros(len(angle)), 1.0 - np.cos(angle)])
        start = start_frame(scene)
        bent = Rope(np.zeros(0), np.full(count, 50.0), points=line)
        frame = Frame(0.0, 1, start.positions, start.orientations, cables={name: bent})
        mirror.colour_by(False, True)
        assert mirror.rods.changed
        mirror.show(frame)
        colours = mirror.rods._handle.batched_colors
        assert tuple(colours[0]) == as_bytes(SLACK) and np.abs(colours[-2] - np.array(as_bytes(HOT), float)).max() < 3
        assert mirror.sharpest == pytest.approx(5.0, rel=0.02)
        assert "radius 200 mm" in readout.bends(5.0) and "straight" in readout.bends(0.0)
        mirror.colour_by(True, False)
        mirror.show(frame)
        assert mirror.highest == 50.0 and tuple(mirror.rods._handle.batched_colors[0]) == as_bytes(HOT)
        mirror.colour_by(False, False)
        mirror.show(frame)
        assert not mirror.rods.changed and (mirror.rods._handle.batched_colors == mirror.rods._plain).all()
    finally:
        web.stop(server)
