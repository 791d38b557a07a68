"""The scale of tension in the corner of a picture."""

from __future__ import annotations

import numpy as np
import pytest

from taut.view.colours import HOT, SLACK, as_bytes
from taut.view.scale_bar import with_scale


@pytest.mark.parametrize("size", [(200, 320), (720, 1280)])
def test_a_picture_by_tension_has_its_scale_in_the_corner(size: tuple[int, int]) -> None:
    picture = np.full((*size, 3), 90, np.uint8)
    drawn = with_scale(picture, 12_345.0)
    assert drawn.shape == picture.shape and (picture == 90).all(), "the picture itself is as it was"
    for colour in (SLACK, HOT):
        rows, columns = np.nonzero((drawn == as_bytes(colour)).all(axis=2))
        assert len(rows) and rows.min() > size[0] / 2 and columns.max() < size[1] / 2, (
            "from slack to hot, at the lower left"
        )
    assert (drawn[: size[0] // 2] == 90).all() and (drawn[:, size[1] // 2 :] == 90).all()
    other = with_scale(picture, 500.0)
    assert (other != drawn).any(), "it says of how many newtons"
