"""The lattice: arrangements, calibration, laws of springs, and mistakes in words."""

from dataclasses import replace

import numpy as np
import pytest

from taut.cables.honeycomb import PRINTED, Elastic, Honeycomb, HoneycombError, HoneycombWarning, Surroundings
from taut.cables.honeycomb.arrangement import ARRANGEMENTS, arrangement
from taut.cables.honeycomb.arrays import INVERSE, MASS, PER_LAYER
from taut.cables.honeycomb.calibration import Constants, calibrate, closed_form, stiffness
from taut.cables.honeycomb.lattice import build
from taut.cables.honeycomb.springs import pull, slope, stored
from taut.cables.honeycomb.turning import turn_layers

LINE = [(0, 0, 0), (0.16, 0, 0)]
TABLE = [(0.0, 0.0), (0.02, 0.02 * 1120.0), (0.1, 0.02 * 1120.0 + 0.08 * 5000.0)]


def test_arrangements_give_320_masses() -> None:
    """Paper 4: 16 x 20, 20 x 16 and 10 x 32; 1204 springs of the four families for three hexagons."""
    counts = {name: arrangement(name).count for name in ARRANGEMENTS}
    assert counts == {"hexagon": 7, "two_hexagons": 10, "three_hexagons": 16, "four_hexagons": 20}
    assert len(build(PRINTED, 19 * 0.016, 20, "three_hexagons", False, None).spring) == 1204
    assert len(build(PRINTED, 45 * 0.016, 46, "hexagon", False, None).spring) == 1005


def test_closed_form_of_the_hexagon() -> None:
    """EA = (6 k_o + k_c) h + 24 k_D h^3/l^2, EI = 3 k_o d^2 h + 6 k_D d^2 h^3/l^2, GJ = 9 k_D d^4 h/l^2."""
    d, h, ko, kc, kd = 0.008, 0.011, 3e4, 5e4, 2e4
    ours = closed_form(arrangement("hexagon"), Constants(1.0, 1.0, 1.0, ko, kc, kd), d, h)
    square = h * h + d * d
    assert pytest.approx((6 * ko + kc) * h + 24 * kd * h**3 / square) == ours.EA
    assert pytest.approx(2 * [3 * ko * d * d * h + 6 * kd * d * d * h**3 / square]) == ours.EI
    assert pytest.approx(9 * kd * d**4 * h / square) == ours.GJ


def test_section_that_gives_way_is_softer_in_tension_as_springs_in_series() -> None:
    """Breathing of the ring: K_r = 6 k_s + 18 k_t + 12 k_b in series with the diagonals (derived in the module)."""
    d = h = 0.01
    k = Constants(3e4, 2e4, 1e4, 1e4, 1e4, 2e4)
    square = h * h + d * d
    ring = 6 * k.structural + 18 * k.torsion + 12 * k.bending
    diagonals = 24 * k.diagonal * h**3 / square / (1.0 + 24 * k.diagonal * d * d / (square * ring))
    assert pytest.approx(7e4 * h + diagonals) == stiffness(arrangement("hexagon"), k, d, h).EA


@pytest.mark.parametrize("EA, EI, GJ", [(4e5, 0.3, 0.15), (1.2e7, 20.0, 8.0), (2e5, 3.2, 2.47)])
def test_calibration_returns_what_was_asked(EA: float, EI: float, GJ: float) -> None:
    section = arrangement("hexagon")
    ours = stiffness(section, calibrate(section, EA, EI, GJ, 0.008, 0.008), 0.008, 0.008)
    assert (ours.EA, ours.mean_EI, ours.GJ) == pytest.approx((EA, EI, GJ), rel=1e-9)


@pytest.mark.parametrize(
    "quadratic, one_sided, table",
    [(False, False, None), (True, False, None), (False, True, None), (False, False, TABLE)],
)
def test_energy_and_slope_are_those_of_the_force(quadratic: bool, one_sided: bool, table: list | None) -> None:
    """f = dU/dl and slope = df/dl by central differences, away from kinks."""
    lattice = build(replace(PRINTED, quadratic=quadratic), 0.16, 11, "hexagon", one_sided, table)
    for s in (0, 20):
        rest = lattice.law[s, 2]
        for strain in (-0.2, -0.05, 0.013, 0.06, 0.3):
            l, e = rest * (1.0 + strain), 1e-7 * rest
            args = (lattice.law, s, lattice.table)
            assert (stored(*args, l + e) - stored(*args, l - e)) / (2 * e) == pytest.approx(pull(*args, l), abs=1e-5)
            assert (pull(*args, l + e) - pull(*args, l - e)) / (2 * e) == pytest.approx(
                slope(*args, l), rel=1e-5, abs=1e-4
            )
            if one_sided:
                assert pull(*args, l) * lattice.law[s, 3] >= 0.0


def test_table_is_the_force_of_the_whole_rope() -> None:
    lattice = build(PRINTED, 0.16, 11, "hexagon", False, TABLE)
    axial = np.flatnonzero(lattice.family == 1)[:7]
    for strain, force in ((0.01, 11.2), (0.05, 22.4 + 0.03 * 5000.0), (0.2, 22.4 + 0.18 * 5000.0)):
        total = sum(pull(lattice.law, s, lattice.table, 0.016 * (1.0 + strain)) for s in axial)
        assert total == pytest.approx(force)


@pytest.mark.parametrize(
    "change, words",
    [
        ({"layers": 1}, "2 to 100000"),
        ({"layers": 2.5}, "whole number"),
        ({"material": replace(PRINTED, structural=-1.0)}, "at least 0 N/m"),
        ({"material": replace(PRINTED, mass=0.0)}, "greater than 0"),
        ({"material": replace(PRINTED, tension=0.0)}, "hang together"),
        ({"substeps": 2}, "above the stability limit of 0.00"),
        ({"scheme": "euler"}, "verlet, predictor_corrector, implicit, paper"),
        ({"arrangement": "square"}, "hexagon, two_hexagons"),
        ({"length": "9 m"}, "expected a length from"),
        ({"route": [(0, 0, 0)]}, "at least 2"),
        ({"strain_limit": -0.1}, "greater than 0"),
        ({"start": "glued"}, "clamp, pin, free"),
        ({"force_strain": [(0, 0), (0.1, 1.0)]}, "EA = 1120 N"),
        ({"surroundings": Surroundings(air_drag=-1.0)}, "at least 0"),
        ({"material": Elastic(EA=1e3, EI=1.0, GJ=0.1, diameter=0.01, mass_per_length=1.0)}, "d >= "),
        ({"material": Elastic(EA=1e3, EI=1.0)}, "missing GJ, diameter"),
    ],
)  # fmt: skip
def test_mistakes_are_answered_with_what_is_allowed(change: dict, words: str) -> None:
    given = {"route": LINE, "material": PRINTED} | change
    with pytest.raises(HoneycombError, match=None) as caught:
        Honeycomb(given.pop("route"), given.pop("material"), **given)
    assert words in str(caught.value)


def test_two_bending_stiffnesses_cannot_be_calibrated() -> None:
    with pytest.raises(HoneycombError, match="three_hexagons"):
        calibrate(arrangement("four_hexagons"), 1e5, 1.0, 0.5, 0.01, 0.01)


def test_microsecond_steps_are_announced_with_the_model_to_use() -> None:
    nylon = Elastic(EA=4e5, EI=0.3, GJ=0.15, diameter=0.016, mass_per_length=0.16)
    with pytest.warns(HoneycombWarning, match="implicit.*segmented"):
        rope = Honeycomb(LINE, nylon)
    assert rope.stable_step == pytest.approx(1.95e-6, rel=0.02)


def test_a_newton_step_turns_layers_and_does_not_stretch_them() -> None:
    """A step w x r of a whole layer about its centre ends as the turn by w; what is beside it is added as it is, and the
    centre of every layer goes where the step would take it."""
    rope = Honeycomb(LINE, PRINTED, start="clamp")
    a = rope._a
    per, rng = a.size[PER_LAYER], np.random.default_rng(3)
    before, mass = a.pos.copy().reshape(-1, per, 3), a.node[:, MASS].reshape(-1, per, 1)
    free = (a.node[:, INVERSE] > 0.0).reshape(-1, per).all(axis=1)
    centre = (mass * before).sum(axis=1, keepdims=True) / mass.sum(axis=1, keepdims=True)
    turn, shift = rng.normal(size=(len(before), 1, 3)) * 0.3, rng.normal(size=(len(before), 1, 3)) * 0.01
    step = np.where(free[:, None, None], np.cross(turn, before - centre) + shift, 0.0)
    turn_layers(a, np.ascontiguousarray(step.reshape(-1, 3)))
    after = a.pos.reshape(-1, per, 3)
    for n in np.flatnonzero(free):
        apart = [np.linalg.norm(x[n][:, None] - x[n][None], axis=2) for x in (before, after)]
        assert apart[1] == pytest.approx(apart[0], abs=1e-15)
    moved = (mass * (after - before)).sum(axis=1) / mass.sum(axis=1)
    assert moved == pytest.approx((mass * step).sum(axis=1) / mass.sum(axis=1), abs=1e-15)
    assert (after[~free] == before[~free]).all()
