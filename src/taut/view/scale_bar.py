"""The scale of tension in the corner of a picture that is drawn without a page."""

from __future__ import annotations

import numpy as np

from taut.view.colours import as_bytes, from_hex, heat
from taut.view.readout import newtons

INK, PAPER = as_bytes(from_hex("#1c2733")), as_bytes(from_hex("#ffffff"))
#: least height of its letters, and their part of the picture [px, -]
LEAST, PART = 11, 0.025


def with_scale(picture: np.ndarray, highest: float) -> np.ndarray:
    """The picture, shape (height, width, 3), with a bar from 0 to the tension that is drawn as hot [N] at its lower left."""
    from PIL import Image, ImageDraw, ImageFont

    image = Image.fromarray(np.ascontiguousarray(picture, np.uint8))
    letters = max(LEAST, round(PART * image.height))
    wide, high, edge = 12 * letters, letters // 2, letters // 2
    left, top = 2 * edge, image.height - 3 * edge - high - round(1.2 * letters)
    pen, font = ImageDraw.Draw(image), ImageFont.load_default(letters)
    pen.rectangle((edge, top - edge, left + wide + edge, image.height - edge), PAPER)
    ramp = np.repeat(heat(np.linspace(0.0, 1.0, wide))[None], high, axis=0)
    image.paste(Image.fromarray(ramp), (left, top))
    pen.text((left, top + high + edge), "0", INK, font)
    pen.text((left + wide, top + high + edge), newtons(highest), INK, font, anchor="ra")
    return np.asarray(image)
