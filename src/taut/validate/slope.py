"""Coulomb friction in closed form: on a slope a block sticks, slides, rolls or tips over."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from taut.scene import Body, Box, Material, Plane, Scene, Sphere
from taut.scene.shapes import Shape
from taut.validate import reference
from taut.validate.item import Item, below, close, told
from taut.validate.lab import Lab, triple
from taut.validate.watch import Probe, watch

DT = 1.0 / 60.0


def slope_scene(
    angle: float, friction: float, shape: Shape, height: float, speed: float = 0.0, mass: float = 10.0
) -> Scene:
    """A body resting on a plane that falls towards +x, sliding down at a speed."""
    turn = (math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0)
    return Scene(
        dt=DT,
        materials={"stone": Material(friction=friction)},
        bodies={
            "slope": Body(kind="static", shape=Plane(), orientation=turn, material="stone"),
            "body": Body(
                shape=shape, mass=mass, position=triple(height * out_of_slope(angle)), orientation=turn,
                velocity=triple(speed * down_slope(angle)), material="stone",
            ),
        },
    )  # fmt: skip


def down_slope(angle: float) -> np.ndarray:
    """Direction of steepest descent."""
    return np.array([math.cos(angle), 0.0, -math.sin(angle)])


def out_of_slope(angle: float) -> np.ndarray:
    """Normal of the plane."""
    return np.array([math.sin(angle), 0.0, math.cos(angle)])


CUBE = Box(size=(0.6, 0.6, 0.2))


def sticking(lab: Lab) -> Iterator[Item]:
    """A hundredth below the friction angle it stays, a hundredth above it goes."""
    friction = 0.5
    limit = math.atan(friction)
    ways = {}
    for word, factor in (("below", 0.99), ("above", 1.01)):
        angle = factor * limit
        sim = lab.simulate(slope_scene(angle, friction, CUBE, 0.1))
        sim.run(300)
        ways[word] = float(sim.read("body.position") @ down_slope(angle))
    yield below(
        "contact.sticks", ways["below"], 1e-4, unit="m", source="tan(slope) < mu", reason="a sticking row creeps by its softness, 1e-6 of v",
        note="5 s, one per cent below the friction angle",
    )  # fmt: skip
    angle = 1.01 * limit
    theory = float(reference.falling_steps(_pull(angle, friction), DT, np.array(300)))
    yield close(
        "contact.slides", ways["above"], theory, 1e-2, unit="m", source="a = g (sin a - mu cos a)",
        reason="a small difference of large terms: 0.01 % of each is 1 % of it", note="one per cent above",
    )  # fmt: skip


def _speed(angle: float) -> Probe:
    return lambda sim: float(sim.read("body.velocity") @ down_slope(angle))


def _pull(angle: float, friction: float) -> float:
    return reference.G * (math.sin(angle) - friction * math.cos(angle))


def sliding(lab: Lab) -> Iterator[Item]:
    """Acceleration on a slope, for several angles."""
    friction, seconds = 0.3, 2.0
    angles = [math.radians(a) for a in lab.choose((20.0, 30.0, 45.0), (18.0, 20.0, 25.0, 30.0, 35.0, 45.0, 60.0))]
    found = []
    for angle in angles:
        sim = lab.simulate(slope_scene(angle, friction, CUBE, 0.1))
        seen = watch(sim, seconds, {"v": _speed(angle), "n": "contact.force"})
        rate = float(np.polyfit(seen.time[30:], seen["v"][30:], 1)[0])
        found.append(rate)
        yield close(
            f"contact.slope.{math.degrees(angle):.0f}", rate, _pull(angle, friction), 1e-3, unit="m/s^2", source="a = g (sin a - mu cos a)",
            reason="acceptance; a constant force makes exact steps",
        )  # fmt: skip
        yield close(
            f"contact.slope.{math.degrees(angle):.0f}.normal", float(np.mean(seen["n"][30:])), 10.0 * reference.G * math.cos(angle), 1e-3,
            unit="N", source="N = m g cos a", reason="acceptance",
        )  # fmt: skip
    grid = np.radians(np.linspace(0.0, 65.0, 100))
    lab.plot(
        "Block on a slope, mu = 0.3", "slope [degrees]", "acceleration [m/s^2]",
        {"ours": (np.degrees(angles), found), "theory": (np.degrees(grid), np.maximum(0.0, [_pull(a, friction) for a in grid]))},
    )  # fmt: skip


def fast_block(lab: Lab) -> Iterator[Item]:
    """A block that slides fast on level ground must not lift: Coulomb friction is no convex program."""
    speed, friction = 20.0, 0.5
    sim = lab.simulate(slope_scene(0.0, friction, CUBE, 0.1, speed))
    seen = watch(sim, 4.0, {"z": "body.position[2]", "v": "body.velocity[0]"})
    yield below(
        "contact.fast.gap", float(np.abs(seen["z"] - 0.1).max()), 1e-5, unit="m", source="the gap does not grow",
        reason="rest depth g h^2/1e4 is 0.3 micrometres; a convex relaxation would lift it by mu v h = 0.17 m",
    )  # fmt: skip
    slide = seen["v"] > 0.2
    yield close(
        "contact.fast.brakes", -float(np.polyfit(seen.time[slide], seen["v"][slide], 1)[0]), friction * reference.G, 1e-3, unit="m/s^2",
        source="a = mu g", reason="constant force: exact steps",
    )  # fmt: skip


def rolling(lab: Lab) -> Iterator[Item]:
    """A ball rolls down with 5/7 g sin a while mu > 2/7 tan a, and slips beyond."""
    angle, radius = math.radians(25.0), 0.2
    ball = Sphere(radius=radius)
    sim = lab.simulate(slope_scene(angle, 0.6, ball, radius))
    seen = watch(sim, 2.0, {"v": _speed(angle), "w": "body.spin[1]"})
    yield close(
        "contact.rolling", float(np.polyfit(seen.time[10:], seen["v"][10:], 1)[0]), 5.0 / 7.0 * reference.G * math.sin(angle), 1e-3,
        unit="m/s^2", source="a = 5/7 g sin a", reason="acceptance; the softness of sticking is 1e-6",
    )  # fmt: skip
    yield below(
        "contact.rolling.slip", float(np.abs(seen["v"][10:] - radius * seen["w"][10:]).max()), 1e-4, unit="m/s", source="v = w r",
        reason="the softness of sticking, 1e-6 of the impulse",
    )  # fmt: skip
    sim = lab.simulate(slope_scene(angle, 0.1, ball, radius))
    seen = watch(sim, 2.0, {"v": _speed(angle), "w": "body.spin[1]"})
    yield close(
        "contact.slipping", float(np.polyfit(seen.time[10:], seen["v"][10:], 1)[0]), _pull(angle, 0.1), 1e-3, unit="m/s^2",
        source="a = g (sin a - mu cos a), mu < 2/7 tan a", reason="constant force: exact steps",
    )  # fmt: skip
    yield close(
        "contact.slipping.spin", float(np.polyfit(seen.time[10:], seen["w"][10:], 1)[0]), 2.5 * 0.1 * reference.G * math.cos(angle) / radius,
        1e-3, unit="rad/s^2", source="w' = 5/2 mu g cos a / r", reason="constant force: exact steps",
    )  # fmt: skip


def tipping(lab: Lab) -> Iterator[Item]:
    """A tall box on a rough slope tips when tan a > width / height."""
    width, height = 0.4, 1.0
    limit = math.atan(width / height)
    box = Box(size=(width, 0.4, height))
    for word, factor in (("stands", 0.97), ("falls", 1.03)):
        angle = factor * limit
        sim = lab.simulate(slope_scene(angle, 2.0, box, 0.5 * height))
        seen = watch(sim, 3.0, {"q": "body.orientation"}, every=5)
        turned = 2.0 * np.arccos(
            np.clip(np.abs(seen["q"] @ [math.cos(0.5 * angle), 0.0, math.sin(0.5 * angle), 0.0]), 0.0, 1.0)
        )
        if word == "stands":
            yield below(
                "contact.tipping.stands", float(turned.max()), 1e-3, unit="rad", source="tan a < width/height",
                reason="the edge sinks in by micrometres", note="three per cent below the tipping angle",
            )  # fmt: skip
        else:
            yield close(
                "contact.tipping.falls", float(turned[-1] > 0.5), 1.0, 0.0, unit="-", source="tan a > width/height",
                reason="it lies on its side, or does not", note="three per cent above",
            )  # fmt: skip
    yield told(
        "contact.tipping.angle",
        math.degrees(limit),
        unit="degrees",
        source="atan(width/height)",
        note="friction 2: it cannot slide",
    )
