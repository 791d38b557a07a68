"""A long chain is factorised piece by piece: the same numbers, to the last bit, as all at once."""

from __future__ import annotations

import pytest

import taut
from taut.core.model import BOUNDED, NEARBY

CHAIN = """
taut: 1
bodies:
  load: {{mass: 1 t, position: [5, 0, 1.34], shape: {{type: sphere, radius: 0.3}}, collide: false}}
cables:
  rope:
    model: segmented
    segments: {segments}
    diameter: 11 mm
    modulus: 200 GPa
    density: 7850
    route:
      - {{type: end, at: [0, 0, 10]}}
      - {{type: end, on: load, at: [5, 0, 1.34]}}
"""


@pytest.mark.parametrize("segments", [3, 7, 40, 101])
def test_in_pieces_and_at_once(segments: int) -> None:
    scene = taut.Scene.from_yaml(CHAIN.format(segments=segments))
    pieces, whole = taut.Simulation(scene), taut.Simulation(scene)
    pieces.run(60)
    # the load hangs on one end of the chain, and leaves first: it and its joint are loaded before all others
    assert pieces.work.count[NEARBY] == (3 if segments > 8 else 1) and pieces.work.count[BOUNDED] == 0
    whole.run(1)
    for _ in range(59):
        whole.work.count[NEARBY] = 0
        whole.run(1)
    assert (pieces.compiled.state.floats == whole.compiled.state.floats).all()
