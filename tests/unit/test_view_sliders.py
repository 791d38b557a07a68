"""Sliders: a sensible range, step and label for every control."""

import math

import pytest

from taut import (
    AngularMotor,
    Body,
    Box,
    Cable,
    ControlMotion,
    Distance,
    End,
    Hinge,
    LinearLimits,
    LinearMotor,
    Scene,
    Winch,
    Wind,
)
from taut import Slider as SliderJoint
from taut.view import sliders
from taut.view.frame import Control

BOX = Box(size=(1.0, 1.0, 1.0))
SCENE = Scene(
    bodies={
        "load": Body(mass=100.0, shape=BOX, position=(0.0, 0.0, 2.0)),
        "cart": Body(mass=10.0, shape=BOX, position=(3.0, 0.0, 0.0)),
        "trolley": Body(kind="kinematic", position=(0.0, 0.0, 6.0), motion=ControlMotion(acceleration=1.0)),
    },
    joints={
        "hoist": Distance(a="trolley", b="load", rope=True, motor=LinearMotor()),
        "arm": Hinge(b="load", axis=(0.0, 1.0, 0.0), motor=AngularMotor(mode="position")),
        "rail": SliderJoint(
            b="cart",
            axis=(1.0, 0.0, 0.0),
            motor=LinearMotor(mode="position"),
            limits=LinearLimits(lower=-1.0, upper=2.5),
        ),
    },
    wind=Wind(speed=5.0),
)


def range_of(name: str, unit: str, value: float = 0.0, size: float = 10.0) -> sliders.Range:
    return sliders.range_of(Control(name, unit, value), SCENE, size)


@pytest.mark.parametrize(("number", "expected"), [(1.0, 1.0), (1.01, 2.0), (0.3, 0.5), (6.0, 10.0), (70.0, 100.0)])
def test_nice_numbers(number: float, expected: float) -> None:
    assert sliders.nice(number) == pytest.approx(expected)


def test_a_speed_goes_both_ways_and_through_zero() -> None:
    reach = range_of("hoist.speed", "m/s")
    assert (reach.low, reach.high) == (-1.0, 1.0)
    assert (0.0 - reach.low) / reach.step == pytest.approx(round(-reach.low / reach.step))


def test_a_fast_motor_gets_a_longer_slider() -> None:
    reach = range_of("crank.speed", "rad/s", 40.0)
    assert reach.low <= -80.0 and reach.high >= 80.0


def test_positions_go_to_their_limits() -> None:
    rail, arm = range_of("rail.position", "m"), range_of("arm.position", "rad")
    assert (rail.low, rail.high) == pytest.approx((-1.0, 2.5))
    assert arm.low <= -math.pi and arm.high >= math.pi


def test_the_wind_only_blows_one_way() -> None:
    assert range_of("wind.speed", "m/s", 5.0).low == 0.0


@pytest.mark.parametrize("value", [0.0, 2.0943951, -7.3, 123.456, 1e-3])
@pytest.mark.parametrize("unit", ["m/s", "rad/s"])
def test_the_value_now_lies_within(value: float, unit: str) -> None:
    reach = range_of("motor.speed", unit, value)
    assert reach.low <= sliders.rounded(value, reach.step) <= reach.high
    assert reach.low <= value <= reach.high
    assert 50 < (reach.high - reach.low) / reach.step <= 1000


def test_labels_are_short_and_carry_the_unit() -> None:
    assert sliders.label("hoist.speed", "m/s") == "hoist [m/s]"
    assert sliders.label("trolley.velocity[0]", "m/s") == "trolley x [m/s]"
    assert sliders.label("big_arm.position", "rad") == "big arm [deg]"


def test_the_hint_tells_which_way_a_winch_turns() -> None:
    assert "longer" in sliders.hint("hoist.speed", SCENE)


def test_stop_leaves_positions_and_the_wind_alone() -> None:
    assert sliders.is_speed(Control("hoist.speed", "m/s", 1.0))
    assert sliders.is_speed(Control("trolley.spin[2]", "rad/s", 1.0))
    assert not sliders.is_speed(Control("rail.position", "m", 1.0))
    assert not sliders.is_speed(Control("wind.speed", "m/s", 1.0))


def test_a_winch_goes_as_fast_as_it_may_and_its_switches_are_no_sliders() -> None:
    winch = Winch(at=(0.0, 0.0, 9.0), axis=(0.0, 1.0, 0.0), radius=0.2, most_speed=0.7)
    scene = Scene(
        bodies={"load": Body(mass=100.0, shape=BOX, position=(0.2, 0.0, 2.0))},
        cables={"lift": Cable(route=(winch, End(on="load", at=(0.2, 0.0, 2.5))))},
    )
    reach = sliders.range_of(Control("lift.speed", "m/s", 0.0), scene, 10.0)
    assert (reach.low, reach.high) == pytest.approx((-0.7, 0.7))
    assert "hauls in" in sliders.hint("lift.speed", scene)
    assert sliders.is_switch(Control("lift.emergency", "-", 0.0)) and sliders.is_switch(
        Control("lift.brake_fault", "-", 0.0)
    )
    assert not sliders.is_switch(Control("lift.speed", "m/s", 0.0))


def test_a_slow_drive_gets_a_short_slider() -> None:
    motor = AngularMotor(acceleration=0.05)
    scene = Scene(
        bodies={"arm": Body(mass=1.0, shape=BOX)},
        joints={"slew": Hinge(b="arm", axis=(0.0, 0.0, 1.0), motor=motor)},
    )
    assert sliders.range_of(Control("slew.speed", "rad/s", 0.0), scene, 10.0).high == pytest.approx(0.2)


def test_a_scene_says_for_which_axes_there_are_levers() -> None:
    assert not sliders.without_lever(SCENE), "all of them where nothing is said"
    runs = ControlMotion(levers="x")
    scene = Scene(bodies={"trolley": Body(kind="kinematic", motion=runs)})
    found = sliders.without_lever(scene)
    assert "trolley.velocity[0]" not in found and {"trolley.velocity[2]", "trolley.spin[2]"} <= found


def test_angles_are_shown_in_degrees_on_whole_steps() -> None:
    slew = Control("crank.speed", "rad/s", 0.1)
    reach, inner = sliders.shown_range(slew, SCENE, 40.0), sliders.range_of(slew, SCENE, 40.0)
    assert sliders.label("crank.speed", "rad/s") == "crank [deg/s]" and sliders.size(slew) * 0.1 == pytest.approx(
        5.7296, rel=1e-4
    )
    assert math.radians(reach.high) >= inner.high > math.radians(reach.high - 2.0 * reach.step)
    assert reach.low == sliders.rounded(reach.low, reach.step) < 0.0
    hoist = Control("hoist.speed", "m/s", 0.0)
    assert sliders.shown_range(hoist, SCENE, 40.0) == sliders.range_of(hoist, SCENE, 40.0)
