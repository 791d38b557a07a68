"""The exercises of the slewing cranes can be driven: a patient hand leads the load through every gate and lets it rest."""

import math

import numpy as np
import pytest

from taut.compile import frames
from taut.scenes import open_scene
from taut.simulation import Simulation
from taut.view import hoops
from taut.view.attempt import Attempt

#: steps between two moves of the levers
PAUSE = 3


@pytest.mark.parametrize(
    ("name", "carrier", "ahead", "reach", "way"),
    [("tower_crane", "trolley", 0.0, "traverse.speed", 1.0), ("mobile_crane", "boom", 7.0, "luff.speed", -1.0)],
)
def test_a_patient_hand_drives_through_the_course(
    name: str, carrier: str, ahead: float, reach: str, way: float
) -> None:
    scene = open_scene(name)
    course = scene.view.course
    assert course is not None
    sim, attempt = Simulation(scene), Attempt(course, hoops.of_scene(scene))
    while not attempt.done and sim.time < 240.0:
        load = np.asarray(sim.read("load.position"))
        touching = bool(np.any(sim.read("load.contact_force"))) if sim.steps else True
        attempt.note(
            sim.time,
            load,
            float(sim.read("load.speed")),
            float(sim.read("load.sway")),
            touching,
            sim.read("load.orientation"),
        )
        goal = np.asarray(course.gates[min(attempt.passed, len(course.gates) - 1)].position)
        # where the rope hangs from
        tip = sim.read(f"{carrier}.position") + frames.rotate(
            sim.read(f"{carrier}.orientation"), np.array([ahead, 0.0, 0.0])
        )
        # above the gate first, and after the load where it swings
        round_ = turn(goal, tip) + 0.6 * turn(load, tip)
        out = math.hypot(*goal[:2]) - math.hypot(*tip[:2]) + 0.6 * (math.hypot(*load[:2]) - math.hypot(*tip[:2]))
        free = attempt.passed > 0
        sim.controls["slew.speed"] = float(np.clip(0.1 * round_, -0.05, 0.05)) if free else 0.0
        sim.controls[reach] = float(np.clip(0.1 * way * out, -0.3, 0.3)) if free else 0.0
        sim.controls["hoist.speed"] = float(np.clip(goal[2] - load[2], -0.6, 0.6))
        sim.run(PAUSE)
    assert attempt.done, (attempt.passed, load, sim.time)
    assert attempt.touches == 0, "it hit nothing"


def turn(to: np.ndarray, of: np.ndarray) -> float:
    """The angle about the mast from one point to another [rad]."""
    found = math.atan2(to[1], to[0]) - math.atan2(of[1], of[0])
    return math.remainder(found, 2.0 * math.pi)
