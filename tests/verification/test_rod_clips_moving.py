"""Rods of a scene between clips: the shapes of `taut.Rod`, forces in balance, light bodies at rest, moving clips followed."""

from __future__ import annotations

import math

import numpy as np
import pytest

from taut import Scene, SceneError, Simulation
from taut.cables.rod import Clamp, Rod
from taut.scene import Body, Box, Cable, End
from taut.scene.parts import Clip

LENGTH, DIAMETER, E, DENSITY = 1.2, 0.012, 6e6, 1200.0
LINE = DENSITY * math.pi / 4.0 * DIAMETER**2
ALONG = (1.0, 0.0, 0.0)
CLAMPED = {"hold": "pose", "direction": ALONG}
PLACES = (((0.35, 0.1, -0.1), (1.0, 0.5, 0.2), 0.5), ((0.55, 0.2, 0.0), (1.0, -0.5, 0.0), 0.8))


def hose(*between: Clip, **more: object) -> Cable:
    """A hose from the world over clips to the world."""
    route = (End(at=(0, 0, 0), **CLAMPED), *between, End(at=(0.8, 0.1, 0.1), **CLAMPED))
    given = {"length": LENGTH, "modulus": E, "density": DENSITY, "diameter": DIAMETER, "segments": 60}
    return Cable(model="rod", route=route, **(given | more))


def clips(release: str, on: str = "world") -> list[Clip]:
    return [
        Clip(on=on, at=at, s=s, direction=None if release == "ball" else way, release=release) for at, way, s in PLACES
    ]


@pytest.mark.parametrize("release", ["fixed", "twist", "ball"])
def test_the_shape_is_that_of_a_rod_with_clips(release: str) -> None:
    """The scene's hose is untwisted, so is the other: its clips and its end are rolled as the scene found them."""
    sim = Simulation(Scene(cables={"hose": hose(*clips(release))}))
    ups = [None, *[_up(sim, k) for k in range(3)]]
    fourth = math.pi * DIAMETER**4 / 64.0
    rod = Rod(
        LENGTH, 60, start=Clamp((0, 0, 0)), end=Clamp((0.8, 0.1, 0.1), up=ups[3]), EI=E * fourth,
        GJ=E / 2.6 * 2.0 * fourth, mass_per_length=LINE, radius=0.5 * DIAMETER,
    )  # fmt: skip
    for k, (at, way, s) in enumerate(PLACES):
        rod.add_clip(s, Clamp(at, way, ups[k + 1] if release == "fixed" else None), release)
    rod.solve()
    for steps in (0, 30):
        sim.run(steps)
        points = sim.read("hose.shape").reshape(-1, 3)
        # residuals of 1e-8 on both sides; what sits in a clip weighs 1e-7 of the hose
        assert np.abs(points - rod.points).max() < 1e-6 * LENGTH
    force = [sim.read(f"hose.{what}_force") for what in ("start", "clip_1", "clip_2", "end")]
    assert sum(force) == pytest.approx(np.array([0.0, 0.0, 9.81 * LINE * LENGTH]), abs=1e-6)
    assert force[1] == pytest.approx(rod.clip_force(1), abs=1e-5)
    assert sim.read("hose.clip_2_moment") == pytest.approx(rod.clip_moment(2), abs=1e-6)
    assert sim.read("hose.unsolved") == 0.0


def _up(sim: Simulation, span: int) -> list[float]:
    """First axis of the frame at the end of a span."""
    from taut.compile import frames

    first, count = sim.model.rod_int[span, :2]
    return list(frames.rotate(sim.state.rod_frame[first + count - 1], np.array([1.0, 0.0, 0.0])))


@pytest.mark.parametrize("release", ["fixed", "twist", "ball"])
@pytest.mark.parametrize("mass", [1.0, 1e-3])
def test_a_body_held_by_clips_comes_to_rest(release: str, mass: float) -> None:
    """A box that only the hose holds, at 1/60 s: what the clips do to the hose is the weight of both, less what the ends carry."""
    box = Body(mass=mass, shape=Box(size=(0.2, 0.1, 0.02)), position=(0.45, 0.15, -0.05), collide=False)
    cable = hose(*clips(release, "box"), damping_time=0.05)
    sim = Simulation(Scene(bodies={"box": box}, cables={"hose": cable}))
    sim.run(900)
    assert sim.read("box.speed") < 1e-3
    on_box = -(sim.read("hose.clip_1_force") + sim.read("hose.clip_2_force"))
    scale = 9.81 * (mass + LINE * LENGTH)
    assert on_box == pytest.approx(np.array([0.0, 0.0, 9.81 * mass]), abs=1e-3 * scale)


def test_both_clips_on_one_free_body_let_it_fall_freely() -> None:
    """A weightless hose whose ends and clips all sit on one body does not hold it back."""
    ends = [End(on="box", at=at, **CLAMPED) for at in ((0.0, 0, 0), (0.8, 0.1, 0.1))]
    cable = Cable(
        model="rod", length=1.2, bending_stiffness=1.0, torsional_stiffness=1.0, mass_per_length=1e-6, segments=40,
        diameter=0.01, route=(ends[0], *clips("fixed", "box"), ends[1]),
    )  # fmt: skip
    box = Body(mass=0.01, shape=Box(size=(0.2, 0.1, 0.02)), position=(0.4, 0, 0), collide=False, spin=(0.3, 0.0, 0.0))
    sim = Simulation(Scene(bodies={"box": box}, cables={"hose": cable}))
    sim.run(30)
    assert sim.read("box.velocity") == pytest.approx(np.array([0.0, 0.0, -9.81 * 0.5]), abs=2e-3)


def test_a_moving_clip_is_followed() -> None:
    """A clip on a body that moves as told: at every step the shape is the one of the place where it is."""
    body = Body(kind="kinematic", velocity=(0.0, 0.0, 0.2), position=PLACES[0][0])
    at, way, s = PLACES[0]
    cable = hose(Clip(on="lever", at=at, s=s, direction=way), length=1.4)
    sim = Simulation(Scene(bodies={"lever": body}, cables={"hose": cable}))
    sim.run(60)
    points = sim.read("hose.shape").reshape(-1, 3)
    near = np.linalg.norm(points - (np.array(at) + [0.0, 0.0, 0.2]), axis=1)
    assert near.min() < 1e-7
    assert sim.read("hose.unsolved") == 0.0
    assert sim.read("hose.clip_1_force")[2] > 0.0


@pytest.mark.parametrize(
    ("clip", "words"),
    [
        ({"s": 0.01}, "two segments"),
        ({"at": None}, "missing: where the clip is"),
        ({"direction": None}, "missing: the direction"),
        ({"at": (2.0, 0.0, 0.0)}, "needs some slack"),
        ({"up": ALONG, "direction": ALONG}, "must not lie along"),
        ({"release": "twist", "up": (0.0, 0.0, 1.0)}, "does not roll"),
    ],
)
def test_mistakes_are_told(clip: dict[str, object], words: str) -> None:
    given = {"at": PLACES[0][0], "direction": PLACES[0][1], "s": PLACES[0][2]} | clip
    with pytest.raises(SceneError, match="route") as error:
        Scene(cables={"hose": hose(Clip(**given))})
    assert words in str(error.value)
