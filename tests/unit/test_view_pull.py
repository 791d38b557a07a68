"""Bodies and ropes pulled by a pointer, through a spring."""

import numpy as np
import pytest

from taut import Body, Box, Cable, End, Scene, Sphere
from taut.scenes import open_scene
from taut.view.live import LivePlayer
from taut.view.springs import Grip


def test_a_pull_moves_a_body_to_the_pointer_and_lets_go() -> None:
    player = LivePlayer(open_scene("gantry"))
    player.advance(10)
    hook = list(player.scene.bodies).index("hook")
    start = player.frame((), False).positions[hook].astype(float)
    player.pull(Grip("hook", arm=np.zeros(3)), start + [0.5, 0.0, 0.0])
    player.advance(60)
    moved = player.frame((), False).positions[hook].astype(float)
    assert moved[0] > start[0] + 0.05 and np.linalg.norm(player.pulling) > 100.0
    player.pull(None)
    player.advance(1)
    assert not player.sim.state.body_push.any()


def test_a_rope_is_pulled_aside_and_pulls_at_its_ends() -> None:
    """A weight of 100 kg on a rope of 10 m: in the middle of it, a force f pulls it aside by f L / (4 T)."""
    player = LivePlayer(
        Scene(
            bodies={"load": Body(mass=100.0, shape=Sphere(radius=0.2), position=(0.0, 0.0, 0.0))},
            cables={"rope": Cable(axial_stiffness=1e7, route=(End(at=(0.0, 0.0, 10.0)), End(on="load")))},
        )
    )
    player.advance(30)
    length = player.sim.read("rope.rope_out")
    player.pull(Grip("rope", span=0, share=0.5), np.array([1.0, 0.0, 5.0]))
    player.advance(1)
    for _ in range(30):
        tension = player.sim.read("rope.tension")
        player.advance(1)
    frame = player.frame((), False)
    aside = frame.cables["rope"].bend
    assert aside is not None
    # about half of the way, since the pointer is as stiff as the rope was
    assert 0.3 < aside[0, 4, 0] < 0.8
    assert aside[0, 1, 0] == pytest.approx(0.4 * aside[0, 4, 0])
    assert player.pulling[0] == pytest.approx(4.0 * tension / 10.0 * aside[0, 4, 0], rel=0.03)
    assert player.frame((), False).positions[0, 0] > 0.01, "half of the force moves the load"
    # what is kept for later knows nothing of it
    kept = player.keep()
    player.pull(None)
    player.advance(1)
    assert player.sim.read("rope.rope_out") == pytest.approx(length, abs=1e-9)
    assert not player.sim.state.body_push.any() and player.frame((), False).cables["rope"].bend is None
    player.recall(kept)
    assert player.sim.read("rope.rope_out") == pytest.approx(length, abs=1e-9)
    assert not player.sim.state.body_push.any()


def test_a_taut_rope_between_two_walls_gets_tighter_when_it_is_pulled_aside() -> None:
    """Strain of a kink in the middle: 2 (d / L)^2, times the stiffness."""
    player = LivePlayer(
        Scene(
            bodies={"wall": Body(kind="static", shape=Box(size=(0.1, 1.0, 1.0)), position=(8.0, 0.0, 2.0))},
            cables={
                "rope": Cable(
                    axial_stiffness=1e6, tension=1000.0, route=(End(at=(0.0, 0.0, 2.0)), End(on="wall", at=(8.0, 0, 2)))
                )
            },
        )
    )
    player.advance(5)
    player.pull(Grip("rope", span=0, share=0.5), np.array([4.0, 0.0, 3.0]))
    for _ in range(200):
        player.advance(1)
    rope = player.frame((), False).cables["rope"]
    assert rope.bend is not None
    aside = rope.bend[0, 4, 2]
    expected = 1000.0 + 1e6 * 2.0 * (aside / 8.0) ** 2
    assert 0.05 < aside < 0.5
    assert player.sim.read("rope.tension") == pytest.approx(expected, rel=0.05)


def test_a_segmented_cable_is_pulled_where_it_is_taken() -> None:
    player = LivePlayer(open_scene("heavy_pendulum"))
    player.advance(10)
    links = player.scene.strands()["rope"].link_names()
    k = player.sim.compiled.bodies.index[links[len(links) // 2]]
    free = LivePlayer(open_scene("heavy_pendulum"))
    free.advance(70)
    start = player.sim.state.body_pos[k].copy()
    player.pull(Grip("rope", share=0.5), start + [0.0, 1.0, 0.0])
    for _ in range(60):
        player.advance(1)
    assert player.sim.state.body_pos[k, 1] > free.sim.state.body_pos[k, 1] + 0.01
    player.pull(None)
    player.advance(1)
    assert not player.sim.state.body_push.any()
