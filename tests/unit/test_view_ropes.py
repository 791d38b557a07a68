"""Ropes in the page: tied to their bodies, straight when taut, as long as they are when slack."""

import numpy as np
import pytest

from taut import Body, Distance, Scene, Sphere
from taut.view.frame import Frame
from taut.view.mirror import start_frame
from taut.view.ropes import Ropes

SCENE = Scene(
    bodies={
        "load": Body(mass=1.0, shape=Sphere(radius=0.1), position=(0.0, 0.0, 1.0)),
        "other": Body(mass=1.0, shape=Sphere(radius=0.1), position=(2.0, 0.0, 3.0)),
    },
    joints={
        "hoist": Distance(b="load", rope=True, point_a=(0.0, 0.0, 4.0), point_b=(0.0, 0.0, 1.1)),
        "line": Distance(a="load", b="other", rope=True),
    },
)


def moved(slack: dict[str, float]) -> Frame:
    """The load turned half about x and shifted: its point of the rope is then below it."""
    start = start_frame(SCENE)
    positions = start.positions + np.array([[0.5, 0.0, 0.0], [0.0, 0.0, 0.0]], np.float32)
    turns = np.array([[0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]], np.float32)
    return Frame(1.0, 60, positions, turns, slack)


def test_ends_follow_the_bodies_that_hold_them() -> None:
    ends = Ropes(SCENE, 0.01).ends(moved({}))
    assert ends[0, 0] == pytest.approx([0.0, 0.0, 4.0])
    assert ends[0, 1] == pytest.approx([0.5, 0.0, 0.9], abs=1e-6)
    assert ends[1, 1] == pytest.approx([2.0, 0.0, 3.0])


def test_a_taut_rope_is_one_straight_piece() -> None:
    ropes = Ropes(SCENE, 0.01)
    ends = ropes.ends(moved({}))
    middle, _, scale = ropes.transforms(moved({}))
    drawn = scale.reshape(2, ropes.pieces, 3)
    assert drawn[:, 0, 2] == pytest.approx(np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1))
    assert (drawn[:, 1:] == 0.0).all()
    assert middle.reshape(2, ropes.pieces, 3)[:, 0] == pytest.approx(ends.mean(axis=1))


@pytest.mark.parametrize("slack", [0.02, 0.2, 0.6])
def test_a_slack_rope_shows_its_length(slack: float) -> None:
    ropes = Ropes(SCENE, 0.01)
    frame = moved({"hoist": slack, "line": slack})
    points = ropes.points(frame)
    chord = np.linalg.norm(points[:, -1] - points[:, 0], axis=1)
    along = np.linalg.norm(np.diff(points, axis=1), axis=2).sum(axis=1)
    # the arc of sag d over c is longer by 8/3 (d/c)^2 - 32/5 (d/c)^4: the second term is a fifth of the first here
    assert along - chord == pytest.approx([slack, slack], rel=0.2)


def test_a_slack_rope_hangs_down() -> None:
    points = Ropes(SCENE, 0.01).points(moved({"line": 0.3}))[1]
    middle = points[len(points) // 2]
    assert middle[2] < 0.5 * (points[0, 2] + points[-1, 2])


def test_a_scene_without_ropes_draws_none() -> None:
    scene = Scene(bodies={"load": Body(mass=1.0, shape=Sphere(radius=0.1))})
    assert Ropes(scene, 0.01).ties == []
