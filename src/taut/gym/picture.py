"""A crane as a picture: seen from the side, drawn in software, for `render_mode="rgb_array"`."""

from __future__ import annotations

import numpy as np

from taut.gym.task import CraneTask

#: size of the picture [pixels], and what it shows: along the girder and in height [m]
WIDTH, HEIGHT = 480, 320
_LEFT, _RIGHT, _LOW = -8.0, 8.0, -0.3
_SCALE = WIDTH / (_RIGHT - _LEFT)
_SKY, _GROUND, _STEEL, _YELLOW, _RED, _STONE, _TARGET = (
    (236, 240, 244), (120, 128, 120), (50, 59, 71), (255, 176, 0), (224, 52, 43), (169, 166, 157), (40, 160, 90),
)  # fmt: skip


def draw(task: CraneTask, i: int) -> np.ndarray:
    """Crane `i` with its target, shape (height, width, 3), 8 bits."""
    from PIL import Image, ImageDraw

    image = Image.new("RGB", (WIDTH, HEIGHT), _SKY)
    pen = ImageDraw.Draw(image)

    def box(
        x: float, z: float, width: float, height: float, colour: tuple[int, int, int], outline: bool = False
    ) -> None:
        corners = [*_pixel(x - width / 2, z + height / 2), *_pixel(x + width / 2, z - height / 2)]
        pen.rectangle(corners, outline=colour, width=2) if outline else pen.rectangle(corners, fill=colour)

    box(0.0, -0.25, 20.0, 0.5, _GROUND)
    for leg in (-7.0, 7.0):
        box(leg, 4.4, 0.34, 8.8, _YELLOW)
    box(0.0, 8.9, 16.0, 0.8, _YELLOW)
    box(4.6, 0.55, 3.4, 1.1, (70, 97, 122))
    place = task.batch.state.body_pos[i]
    trolley, hook, load = place[task.trolley], place[task.hook], place[task.load]
    box(task.target[i, 0], task.target[i, 1], 2.6, 1.1, _TARGET, outline=True)
    for side in (-0.9, 0.9):
        for fall in (-0.15, 0.15):
            pen.line([_pixel(trolley[0] + side + fall, trolley[2]), _pixel(hook[0] + side, hook[2])], _STEEL, 1)
        pen.line([_pixel(hook[0] + side, hook[2]), _pixel(load[0] + 1.28 * side, load[2] + 0.55)], _STEEL, 1)
    box(trolley[0], trolley[2], 3.2, 0.3, _STEEL)
    box(hook[0], hook[2], 2.5, 0.34, _RED)
    box(load[0], load[2], 2.6, 1.1, _STONE)
    return np.asarray(image)


def _pixel(x: float, z: float) -> tuple[float, float]:
    return (x - _LEFT) * _SCALE, HEIGHT - (z - _LOW) * _SCALE
