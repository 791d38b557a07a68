"""What was kept of a run tells a quantity as it was, to the bit, or says that it does not."""

import math

import numpy as np
import pytest

from taut.scenes import open_scene
from taut.view.live import LivePlayer


@pytest.mark.parametrize(
    ("scene", "told", "not_told"),
    [
        ("pendulum", ("rope.tension", "load.speed", "load.position[2]", "energy.kinetic"), "load.contact_force[0]"),
        ("tower_crane", ("hoist.tension", "hoist.tensions[0]", "hook.speed"), "hoist.sag_ratio"),
        ("heavy_pendulum", ("rope.tension", "rope.tensions[3]", "load.speed"), "contact.force"),
    ],
)
def test_it_is_what_it_was(scene: str, told: tuple[str, ...], not_told: str) -> None:
    player = LivePlayer(open_scene(scene))
    kept, values = [], []
    for _ in range(6):
        player.advance(8)
        kept.append((player.frame((), account=False), player.keep()))
        values.append([float(player.sim.read(name)) for name in told])
    before = player.sim.snapshot()
    for (frame, state), row in zip(reversed(kept), reversed(values)):
        assert [player.value_then(name, frame, state) for name in told] == pytest.approx(row, rel=1e-6)
        assert player.value_then(not_told, frame, state) is None
    after = player.sim.snapshot()
    assert np.array_equal(before.floats, after.floats) and np.array_equal(before.ints, after.ints), (
        "the run is not touched"
    )


def test_of_the_start_no_force_is_told_that_no_step_has_found() -> None:
    player = LivePlayer(open_scene("pendulum"))
    frame, state = player.frame((), account=False), player.keep()
    assert math.isnan(player.value_then("rope.tension", frame, state) or 0.0)
    assert player.value_then("load.speed", frame, state) == 0.0
    player.advance(30)
    assert player.value_then("load.speed", frame, state) == 0.0
