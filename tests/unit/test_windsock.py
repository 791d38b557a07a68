"""The windsock: it points where the wind blows to, and every three knots stretch one ring more."""

import numpy as np
import pytest

import taut
from taut.measure.air import blowing
from taut.scenes import open_scene
from taut.view.bounds import bounds
from taut.view.reach import points_of
from taut.view.stage import camera
from taut.view.windsock import (
    BESIDE,
    MAST,
    PER_RING,
    RINGS,
    SOCK,
    boxes_of,
    flying,
    hidden,
    in_sight,
    ring_lengths,
    sock_points,
    standing,
    words,
)

TOP = np.array([1.0, 2.0, 5.0])


@pytest.mark.parametrize("rings", range(1, RINGS + 1))
def test_every_three_knots_stretch_one_ring_more(rings: int) -> None:
    wind = (rings + 1e-6) * PER_RING * np.array([0.6, -0.8, 0.0])
    _, way = flying(wind, TOP, 2.0)
    level = np.abs(way[:, 2]) < 1e-9
    assert level.tolist() == [k < rings for k in range(RINGS)]
    np.testing.assert_allclose(way[:rings, :2], [[0.6, -0.8]] * rings, atol=1e-12)


def test_rings_hang_on_each_other() -> None:
    position, way = flying(np.array([3.0, 0.0, 0.0]), TOP, 2.0)
    lengths = ring_lengths(2.0)
    np.testing.assert_allclose(position[0], TOP)
    np.testing.assert_allclose(position[1:], position[:-1] + lengths[:-1, None] * way[:-1])
    assert lengths.sum() == pytest.approx(2.0)


def test_without_wind_it_hangs_down() -> None:
    _, way = flying(np.zeros(3), TOP, 2.0)
    np.testing.assert_allclose(way, [[0.0, 0.0, -1.0]] * RINGS)
    assert words(np.zeros(3)) == ""


def test_the_mast_stands_on_the_ground_and_outside_of_the_scene() -> None:
    scene = open_scene("gantry")
    low, high = bounds(scene.all_bodies(), points_of(scene))
    foot = standing(scene, low, high, 1.0)
    assert foot[2] == 0.0
    assert (foot[:2] < low[:2]).any() or (foot[:2] > high[:2]).any()


@pytest.mark.parametrize("name", ["gantry", "tower_crane", "mobile_crane", "yard", "snag", "mooring"])
def test_it_is_seen_in_the_first_picture_of_any_window(name: str) -> None:
    scene = open_scene(name)
    low, high = bounds(scene.all_bodies(), points_of(scene))
    size = float((high - low).max())
    foot = standing(scene, low, high, BESIDE * size, MAST * size, SOCK * size)
    assert in_sight(*camera(scene, low, high), foot, MAST * size, SOCK * size)
    assert ((foot < low) | (foot > high))[:2].any(), "beside the scene"


def test_nothing_of_the_gantry_hides_it() -> None:
    scene = open_scene("gantry")
    low, high = bounds(scene.all_bodies(), points_of(scene))
    size = float((high - low).max())
    foot = standing(scene, low, high, BESIDE * size, MAST * size, SOCK * size)
    eye, target = camera(scene, low, high)
    legs = [box for box in boxes_of(scene) if box[2][2] > 3.0]
    assert len(legs) == 4
    assert not hidden(eye, sock_points(eye, target, foot, MAST * size, SOCK * size), boxes_of(scene))


def test_a_box_hides_what_is_behind_it_and_nothing_else() -> None:
    eye, ahead = np.array([0.0, -10.0, 1.0]), np.array([1.0, 0.0, 0.0, 0.0])
    quarter = np.array([np.sqrt(0.5), 0.0, 0.0, np.sqrt(0.5)])
    wall = [(np.array([0.0, 0.0, 1.0]), ahead, np.array([2.0, 0.1, 1.0]))]
    behind, before, beside = [[0.0, 5.0, 1.0]], [[0.0, -5.0, 1.0]], [[4.0, 5.0, 1.0]]
    assert hidden(eye, np.array(behind), wall)
    assert not hidden(eye, np.array(before + beside), wall)
    turned = [(wall[0][0], quarter, wall[0][2])]
    assert not hidden(eye, np.array([[1.5, 5.0, 1.0]]), turned)
    assert hidden(eye, np.array([[1.5, 5.0, 1.0]]), wall)


def test_gusts_are_those_that_bodies_feel() -> None:
    """A feather, lighter than the air it displaces in a step, goes with the wind: its speed is the wind's."""
    wind = taut.Wind(speed=5.0, direction=(0.0, 2.0, 0.0), gust=taut.Gust(amplitude=2.0, period=3.0))
    feather = taut.Body(shape=taut.Sphere(radius=1.0), mass=1e-6, position=(0, 0, 10))
    sim = taut.Simulation(taut.Scene(bodies={"feather": feather}, wind=wind, gravity=(0, 0, 0)))
    for steps in (45, 90):
        sim.run(steps)
        # drag is implicit in |u|: u+ = u / (1 + k), k = h rho Cd A |u| / 2 m, so that k u stays: at most 2 m / (h rho Cd A) is left
        left = 2.0 * 1e-6 / (sim.dt * 1.225 * 0.4)
        felt = blowing(wind, 5.0, sim.time - sim.dt)
        np.testing.assert_allclose(sim.read("feather.velocity"), felt, atol=10.0 * left)
    np.testing.assert_allclose(sim.read("wind.velocity"), blowing(wind, 5.0, sim.time))
