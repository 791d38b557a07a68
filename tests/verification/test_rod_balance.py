"""Forces and moments of the rod: derivatives of the energy, balance of the whole, and symmetries."""

import numpy as np
import pytest

from taut.cables.rod import Clamp, Free, Pin, Rod
from taut.cables.rod.ends import from_vector, multiply, rotate


def twisted() -> Rod:
    """Nothing symmetric about it."""
    rod = Rod(
        1.0, 40, start=Clamp((0.1, 0.0, 0.2), (1, 0.3, 0.1)), end=Clamp((0.6, 0.2, 0.1), (1, -1, 0.4)),
        EI=(1.0, 2.5), GJ=0.8, mass_per_length=2.0, rest_curvature=(2.0, -1.0), rest_twist=1.0,
    )  # fmt: skip
    rod.solve()
    rod.twist_end("100 deg")
    rod.solve(tolerance=1e-11)
    return rod


def energy(change) -> float:
    rod = twisted()
    change(rod)
    rod.solve(tolerance=1e-11)
    return rod.energy


def test_end_forces_are_derivatives_of_the_energy() -> None:
    rod, h = twisted(), 1e-4
    for which, point in (("start", np.array([0.1, 0.0, 0.2])), ("end", np.array([0.6, 0.2, 0.1]))):
        for c in range(3):
            step = h * np.eye(3)[c]
            ahead = energy(lambda rod, p=point + step, w=which: rod.move_end(p, w))
            behind = energy(lambda rod, p=point - step, w=which: rod.move_end(p, w))
            # central difference, h^2 = 1e-8 relative to lengths of 0.1 and more
            assert (ahead - behind) / (2 * h) == pytest.approx(rod.end_force(which)[c], rel=1e-5, abs=1e-5)


def test_end_moments_are_derivatives_of_the_energy() -> None:
    rod, h = twisted(), 1e-4
    for which in ("start", "end"):
        for axis in np.eye(3):
            ahead = energy(lambda rod, a=axis, w=which: rod.rotate_end(a, h, w))
            behind = energy(lambda rod, a=axis, w=which: rod.rotate_end(a, -h, w))
            assert (ahead - behind) / (2 * h) == pytest.approx(rod.end_moment(which) @ axis, rel=1e-5, abs=1e-5)


def test_forces_and_moments_balance() -> None:
    """Weight at the middles of segments, holders, load: sum and moment vanish, exactly in the discrete rod too."""
    rod = twisted()
    handle = rod.add_handle(0.37, rod.point_at(0.37) + np.array([0.0, 0.02, 0.05]))
    rod.add_load(0.71, (1.0, -2.0, 0.5))
    rod.solve(tolerance=1e-11)
    x = rod.points
    weights = np.tile([0.0, 0.0, -9.81 * 2.0 / 40], (40, 1))
    pairs = [
        (rod.end_force("start"), x[0]),
        (rod.end_force("end"), x[-1]),
        (rod.handle_force(handle), rod.point_at(0.37)),
    ]
    pairs += [(np.array([1.0, -2.0, 0.5]), rod.point_at(0.71)), *zip(weights, 0.5 * (x[1:] + x[:-1]))]
    assert sum(force for force, _ in pairs) == pytest.approx(np.zeros(3), abs=1e-9)
    moments = sum(np.cross(point, force) for force, point in pairs) + rod.end_moment("start") + rod.end_moment("end")
    assert moments == pytest.approx(np.zeros(3), abs=1e-8)


def test_tension_is_what_hangs_below() -> None:
    """A soft rope hanging straight down carries the weight below each place."""
    rod = Rod(2.0, 50, start=Pin((0, 0, 3)), end=Free(), EI=1e-3, GJ=1e-3, mass_per_length=0.5)
    rod.add_load(2.0, (0, 0, -10))
    assert rod.solve().is_minimum
    middle = 0.5 * (rod.arc_length[1:] + rod.arc_length[:-1])
    assert rod.tension == pytest.approx(10.0 + 0.5 * 9.81 * (2.0 - middle), rel=1e-9)
    assert rod.end_force("start") == pytest.approx([0, 0, 10.0 + 9.81], rel=1e-9)
    assert rod.end_moment("start") == pytest.approx(np.zeros(3), abs=1e-12)


def test_a_turned_world_gives_the_turned_shape() -> None:
    q = from_vector(np.array([0.7, -1.1, 0.4]))
    plain = Rod(
        1.0,
        30,
        start=Clamp((0, 0, 0)),
        end=Clamp((0.5, 0.1, 0)),
        EI=(1, 3),
        GJ=1,
        mass_per_length=4,
        rest_curvature=2.0,
    )
    turned = Rod(
        1.0, 30, start=Clamp((0, 0, 0), quaternion=multiply(q, Clamp((0, 0, 0)).frame("start"))),
        end=Clamp(rotate(q, np.array([0.5, 0.1, 0])), quaternion=-multiply(q, Clamp((0, 0, 0)).frame("end"))),
        EI=(1, 3), GJ=1, mass_per_length=4, rest_curvature=2.0, gravity=rotate(q, np.array([0, 0, -9.81])),
    )  # fmt: skip
    plain.solve()
    turned.solve()
    assert turned.points == pytest.approx(rotate(q, plain.points), abs=1e-7)
    assert turned.energy == pytest.approx(plain.energy, rel=1e-9)


def test_a_rod_read_from_its_other_end_is_the_same_rod() -> None:
    """Start and end exchanged, tangents reversed: the same centreline."""
    one = Rod(
        1.0, 40, start=Clamp((0, 0, 0), (1, 0, 1)), end=Clamp((0.5, 0.3, 0), (0, 1, 0)), EI=1, GJ=0.7, mass_per_length=5
    )
    other = Rod(
        1.0,
        40,
        start=Clamp((0.5, 0.3, 0), (0, -1, 0)),
        end=Clamp((0, 0, 0), (-1, 0, -1)),
        EI=1,
        GJ=0.7,
        mass_per_length=5,
    )
    one.solve()
    other.solve()
    # twist differs by how the default frames stand to each other: compare with the twist taken out
    for rod in (one, other):
        rod.hold("end", Pin(rod.points[-1]))
        rod.solve()
        rod.hold("start", Pin(rod.points[0]))
        rod.solve()
    assert other.points[::-1] == pytest.approx(one.points, abs=1e-6)


def test_stiffness_in_series_and_uneven_weight() -> None:
    """Two stiffnesses, small load: d = P (L^3 - a^3)/(3 B1) + P a^3/(3 B2), a the length of the outer part."""
    n, load = 100, 1e-4
    EI = np.where(np.arange(n) < 60, 2.0, 0.5)
    rod = Rod(1.0, n, start=Clamp((0, 0, 0)), end=Free(), EI=EI, GJ=1.0)
    rod.add_load(1.0, (0, 0, -load))
    rod.solve()
    a = 0.4
    assert -rod.points[-1, 2] == pytest.approx(load * ((1 - a**3) / 6.0 + a**3 / 1.5), rel=5e-4)
    # weight on the outer half only: d = w (L^4/8 - integral over the inner half) for EI = 1
    mass = np.where(np.arange(n) < 50, 0.0, 1e-3)
    heavy = Rod(1.0, n, start=Clamp((0, 0, 0)), end=Free(), EI=1.0, GJ=1.0, mass_per_length=mass, gravity=(0, 0, -1))
    heavy.solve()
    x = np.linspace(0.5, 1.0, 2001)
    tip = 1e-3 * np.trapezoid(x**2 * (3.0 - x) / 6.0, x)
    assert -heavy.points[-1, 2] == pytest.approx(tip, rel=5e-4)
