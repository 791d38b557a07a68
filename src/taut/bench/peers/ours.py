"""Ours: rigid links joined by ball joints, the load a small ball on a ball joint of its own, solver defaults.

What limits the step is the geometric stiffness, which slows the swing by 0.46 (omega h)^2: 0.41 % at h = 0.093 s, where
the energy, too, is 1 % off; links make no difference, from 10 to 400. Chosen by trial, at 25 links:
- the defaults stay: one solve per step, a second one only where the tension jumps (twice, at the release);
- half the geometric stiffness would allow 0.13 s, but is not what a user gets;
- constraints re-linearised once would allow 0.108 s, at 1.5 times the cost of a step;
- one pass only, without looking, is lost: the first step does not know the tension yet.
"""

from __future__ import annotations

from typing import Any

from taut.scene import Body, Cable, Chain, End, Scene, Sphere
from taut.simulation import Simulation, SimulationError

from .case import HOIST, Hoist
from .trace import Recorder, Trace, steps_between_samples

LOAD_RADIUS = 0.05
"""[m]; nothing turns the load, so that it does not matter."""
PULL = "rope.tension[0]"
EA, EI, GJ = 1.0e7, 20.0, 15.0
"""Of the segmented cable: [N], [N m^2]."""
RELEASE_STEP = 1e-5
"""[s]; the tension at the moment of release is that of one step so short that nothing has moved."""


def hoist_scene(hoist: Hoist, links: int, dt: float, **solver: Any) -> Scene:
    """Rope and load with `links` links and time step `dt` [s]."""
    sin, minus_cos = hoist.direction()
    end = (hoist.length * sin, 0.0, hoist.length * minus_cos)
    load = Body(shape=Sphere(radius=LOAD_RADIUS), mass=hoist.load, position=end, collide=False)
    rope = Chain(start=(0.0, 0.0, 0.0), end=end, links=links, mass_per_length=hoist.density, b="load")
    return Scene(dt=dt, gravity=hoist.gravity, solver=solver, bodies={"load": load}, chains={"rope": rope})


def cable_scene(hoist: Hoist, links: int, dt: float, **solver: Any) -> Scene:
    """The same as a segmented cable that stretches, bends and twists as 10 mm of steel rope; it starts stretched."""
    sin, minus_cos = hoist.direction()
    end = (hoist.length * sin, 0.0, hoist.length * minus_cos)
    load = Body(shape=Sphere(radius=LOAD_RADIUS), mass=hoist.load, position=end, collide=False)
    rope = Cable(
        model="segmented", segments=links, axial_stiffness=EA, bending_stiffness=EI, torsional_stiffness=GJ,
        mass_per_length=hoist.density, diameter=0.01, tension=-hoist.load * hoist.gravity * minus_cos,
        route=(End(at=(0.0, 0.0, 0.0)), End(on="load", at=end)),
    )  # fmt: skip
    return Scene(dt=dt, gravity=hoist.gravity, solver=solver, bodies={"load": load}, cables={"rope": rope})


class OurRunner:
    """The chain at one number of links and one step."""

    def __init__(
        self, hoist: Hoist, links: int, dt: float, solver: dict[str, Any], scene: Any = hoist_scene, pull: str = PULL
    ) -> None:
        self.hoist, self.dt, self.pull = hoist, dt, pull
        release = Simulation(scene(hoist, links, RELEASE_STEP, **solver))
        release.run(1)
        self.release_tension = float(release.read(pull))
        self.sim = Simulation(scene(hoist, links, dt, **solver))
        self.sim.prepare()

    def reset(self) -> None:
        """Back to the release."""
        self.sim.reset()

    def run(self, seconds: float, record: bool = True) -> Trace:
        """See `Runner.run`; without a record all steps are one call."""
        total = round(seconds / self.dt)
        recorder = Recorder(self.hoist)
        chunk = steps_between_samples(self.dt) if record else total
        alive = not record or self.sample(recorder)
        done = 0
        while alive and done < total:
            count = min(chunk, total - done)
            try:
                self.sim.run(count)
            except SimulationError:
                break  # a lost run is a result here
            done += count
            alive = not record or self.sample(recorder)
        return recorder.trace()

    def sample(self, recorder: Recorder) -> bool:
        """Add the state to the trace; the energy is time-centred, the tension is the mean over the last step."""
        sim = self.sim
        x, _, z = sim.read("load.position")
        tension = float(sim.read(self.pull)) if sim.steps else self.release_tension
        return recorder.add(sim.steps * self.dt, float(x), float(z), tension, float(sim.read("energy.mechanical")))


class Ours:
    """Taut's chain of rigid links; `solver` are settings other than the defaults."""

    name = "taut"

    def __init__(self, hoist: Hoist = HOIST, **solver: Any) -> None:
        self.hoist, self.solver = hoist, solver

    def prepare(self, links: int, dt: float) -> OurRunner:
        """See `Adapter.prepare`."""
        return OurRunner(self.hoist, links, dt, self.solver)


class Segmented(Ours):
    """Taut's segmented cable, under the name that ratios are taken to."""

    def prepare(self, links: int, dt: float) -> OurRunner:
        """See `Adapter.prepare`."""
        return OurRunner(self.hoist, links, dt, self.solver, cable_scene, "rope.tensions[0]")
