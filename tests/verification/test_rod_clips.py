"""Clips and handles: what they hold, what they let go, and the arc length that a sliding one finds."""

import math

import numpy as np
import pytest

from taut.cables.rod import Clamp, Free, Hollow, Pin, Rod, RodError
from taut.cables.rod.ends import rotate

KIND = {"EI": 1.0, "GJ": 0.8, "mass_per_length": 20.0, "gravity": (0, 0, -1)}


def hung(**more) -> Rod:
    rod = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), **{**KIND, **more})
    rod.solve()
    return rod


def lifted(release, **more) -> tuple[Rod, int]:
    rod = hung(**more)
    clip = rod.add_clip(0.4, release=release)
    rod.solve()
    rod.move_clip(clip, rod.point_at(0.4) + np.array([0.0, 0.03, 0.08]))
    rod.rotate_clip(clip, (0, 0, 1), "20 deg")
    assert rod.solve().is_minimum
    return rod, clip


def test_a_fixed_clip_is_the_end_of_two_rods() -> None:
    """Both parts of the rod are rods of their own between clamps: exactly, as a clip has half a joint on either side."""
    rod, clip = lifted("fixed")
    pose = rod._chain.clips[clip]
    one = Rod(0.4, 24, start=Clamp((0, 0, 0)), end=Clamp(pose.point, quaternion=pose.frame), **KIND)
    other = Rod(0.6, 36, start=Clamp(pose.point, quaternion=pose.frame), end=Clamp((0.6, 0, 0)), **KIND)
    one.solve()
    other.solve()
    assert rod.points[:25] == pytest.approx(one.points, abs=1e-7)
    assert rod.points[24:] == pytest.approx(other.points, abs=1e-7)
    assert rod.clip_force(clip) == pytest.approx(one.end_force() + other.end_force("start"), abs=1e-5)
    assert rod.clip_moment(clip) == pytest.approx(one.end_moment() + other.end_moment("start"), abs=1e-6)


def test_forces_and_moments_balance_with_a_clip() -> None:
    rod, clip = lifted("twist")
    x, middle = rod.points, 0.5 * (rod.points[1:] + rod.points[:-1])
    weight = -20.0 * np.diff(rod.arc_length)[:, None] * np.array([0.0, 0.0, 1.0])
    at = rod.point_at(0.4)
    forces = rod.end_force("start") + rod.end_force() + rod.clip_force(clip) + weight.sum(axis=0)
    assert forces == pytest.approx(np.zeros(3), abs=1e-9)
    moments = np.cross(x[0], rod.end_force("start")) + np.cross(x[-1], rod.end_force())
    moments += np.cross(at, rod.clip_force(clip)) + np.cross(middle, weight).sum(axis=0)
    moments += rod.end_moment("start") + rod.end_moment() + rod.clip_moment(clip)
    assert moments == pytest.approx(np.zeros(3), abs=1e-6)


@pytest.mark.parametrize(("release", "axes"), [("twist", [2]), ("ball", [0, 1, 2]), (["bend1"], [0]), (["bend2"], [1])])
def test_no_moment_about_what_is_released(release, axes) -> None:
    rod, clip = lifted(release)
    frame = rod._net.arrays.quat[rod._kept.clip_rows[0]]
    moment = np.array([rod.clip_moment(clip) @ rotate(frame, axis) for axis in np.eye(3)])
    assert moment[axes] == pytest.approx(np.zeros(len(axes)), abs=1e-6)
    held = [axis for axis in range(3) if axis not in axes]
    assert all(abs(moment[axis]) > 1e-2 for axis in held)
    assert rod.point_at(0.4) == pytest.approx(rod._chain.clips[clip].point, abs=1e-7)


def test_no_force_across_where_that_is_released() -> None:
    rod, clip = lifted(["across1"])
    axis = rotate(rod._chain.clips[clip].frame, np.array([1.0, 0.0, 0.0]))
    assert rod.clip_force(clip) @ axis == pytest.approx(0.0, abs=1e-9)
    assert np.linalg.norm(rod.clip_force(clip)) > 1.0


@pytest.mark.parametrize("release", ["slide", "both", "duct"])
def test_a_sliding_clip_rests_where_the_energy_is_least(release) -> None:
    """Held at arc lengths beside the one found the energy is larger, and flat to first order."""
    rod, clip = lifted(release)
    s, pose = rod.clip_arc(clip), rod._chain.clips[clip]
    held = [kind for kind in ("twist", "bend1", "bend2") if kind in pose.releases]
    energy = []
    for shift in (-0.004, 0.0, 0.004):
        still = hung()
        where = still.add_clip(s + shift, release=held)
        still.move_clip(where, pose.point)
        still.rotate_clip(where, (0, 0, 1), 0.0)
        still._chain.clips[where].turn_to(pose.frame)
        still.solve()
        energy.append(still.energy)
    assert min(energy[0], energy[2]) > energy[1]
    # the segments are dealt out anew for a clip that is put there: second order in their length
    assert energy[1] == pytest.approx(rod.energy, rel=1e-3)
    # parabola through three points: its lowest is where the rod slid to, to a share of the segment length 1/60
    slope, bend = (energy[2] - energy[0]) / 0.008, (energy[2] - 2 * energy[1] + energy[0]) / 0.004**2
    assert abs(slope / bend) < 1e-3


def test_sliding_through_a_straight_sleeve_equalises_the_configurational_force() -> None:
    """In a frictionless sleeve n.t + B k^2/2 + C t^2/2 is the same on both sides (the rod's material force)."""
    rod, clip = lifted("slide")
    i = int(np.argmin(np.abs(rod.arc_length - rod.clip_arc(clip))))
    arrays, row = rod._net.arrays, rod._kept.clip_rows[0]
    from taut.cables.rod import arrays as col
    from taut.cables.rod.ends import conjugate, multiply

    sides = []
    for j, segment in ((row - 1, i - 1), (row, i)):
        relative = multiply(conjugate(arrays.quat[j]), arrays.quat[j + 1])
        relative = relative if relative[0] > 0 else -relative
        strain = 2.0 * relative[1:] / arrays.rod[j, col.JOINT]
        sides.append(rod.tension[segment] + 0.5 * (arrays.rod[j, col.STIFF : col.STIFF + 3] * strain**2).sum())
    # continuous statement on a mesh of 60: first order in the half segment beside the clip
    assert sides[0] == pytest.approx(sides[1], rel=0.05, abs=0.5)


def test_handles_equally_spaced_and_a_free_start() -> None:
    rod = hung()
    numbers = rod.add_handles(3)
    rod.solve()
    assert len(numbers) == 3
    assert all(np.linalg.norm(rod.handle_force(number)) < 1e-3 for number in numbers)
    free = Rod(1.0, 40, start=Free(), end=Clamp((0.6, 0, 0), (-1, 0, 0)), **KIND)
    turned = Rod(1.0, 40, start=Clamp((0.6, 0, 0), (1, 0, 0)), end=Free(), **KIND)
    assert free.solve().is_minimum
    turned.solve()
    assert free.points == pytest.approx(turned.points[::-1], abs=1e-7)
    assert free.end_force("start") == pytest.approx(np.zeros(3), abs=1e-9)


def test_a_pulled_clip_turns_with_whole_turns() -> None:
    rod = hung()
    clip = rod.add_clip(0.5)
    rod.solve()
    tangent = rotate(rod._chain.clips[clip].frame, np.array([0.0, 0.0, 1.0]))
    rod.rotate_clip(clip, tangent, "1 rev")
    rod.solve()
    # one turn more before the clip, one less behind it, over half a metre each, but for what becomes writhe
    assert rod.twist[:28].mean() - rod.twist[32:].mean() == pytest.approx(4 * 2 * np.pi, rel=0.1)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda rod: rod.add_clip(2.0), "the rod goes from 0 to 1 m"),
        (lambda rod: rod.add_clip(0.02), "less than two segments"),
        (lambda rod: rod.add_clip(0.5, release="loose"), "release: 'loose' - expected a kind"),
        (lambda rod: rod.add_clip(0.5, release=["twist", "bend1"]), "have no axis that stays"),
        (lambda rod: rod.add_clip(0.5, Pin((0, 0, 0))), "expected a Clamp"),
        (lambda rod: rod.move_clip(7, (0, 0, 0)), "clip 7 - there is none"),
    ],
)
def test_mistakes_with_clips(act, words) -> None:
    with pytest.raises(RodError) as caught:
        act(hung())
    assert words in str(caught.value)


def test_clips_in_the_wrong_order_are_named() -> None:
    """Two clips exchanged: the rod between them would have to be longer than it is."""
    rod = hung()
    one, two = rod.add_clip(0.3), rod.add_clip(0.4)
    rod.solve()
    before = rod.points
    rod.move_clip(one, (0.05, 0, 0))
    with pytest.raises(RodError, match=rf"clip {one} and clip {two} are .* too short; the last shape is kept"):
        rod.solve()
    assert rod.points == pytest.approx(before, abs=0.0)


def test_a_sliding_clip_needs_a_uniform_rod() -> None:
    rod = Rod(1.0, 20, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0, 0)), EI=np.linspace(1, 2, 20), GJ=1.0)
    with pytest.raises(RodError, match="the same all along"):
        rod.add_clip(0.5, Clamp((0.3, 0, 0)), "slide")


def test_an_end_is_pulled_away_through_a_sliding_clip() -> None:
    """The rod behind the clip is nearly stretched: what is missing there comes through it."""
    rod = Rod(
        "600 mm", 60, start=Clamp((0, 0, 0)), end=Clamp("[350, 80, 40] mm"), section=Hollow("12 mm", "8 mm"),
        E="6 MPa", nu=0.45, density="1200 kg/m^3",
    )  # fmt: skip
    rod.solve()
    clip = rod.add_clip("300 mm", Clamp("[180, 40, -60] mm"), release="slide")
    rod.solve()
    before = rod.clip_arc(clip)
    rod.move_end("[370, 80, 65] mm")
    assert rod.solve().residual < 1e-8
    behind = rod.length - rod.clip_arc(clip)
    assert behind > math.dist((0.37, 0.08, 0.065), (0.18, 0.04, -0.06)) > rod.length - before
    # what cannot be done is taken back as a whole
    rod.move_end("[900, 80, 65] mm")
    with pytest.raises(RodError):
        rod.solve()
    assert rod.points[-1] == pytest.approx([0.37, 0.08, 0.065], abs=1e-9)
