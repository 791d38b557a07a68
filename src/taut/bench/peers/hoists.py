"""The same hoist, a load of 1 t on n falls, in Taut, MuJoCo (spatial tendon) and Exudyn (reeving system): a step of each."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from taut.scene import Body, Box, Cable, Falls, Scene, Winch
from taut.simulation import Simulation

HEIGHT, MASS, STIFFNESS, RADIUS = 10.0, 1000.0, 2.0e7, 0.2
#: a step that all three can make [s]
STEP = 1.0e-3


def ours(falls: int) -> tuple[Callable[[int], object], Callable[[], float]]:
    """What makes steps, and what reads the tension of a fall [N]."""
    load = Body(shape=Box(size=(1, 1, 1)), mass=MASS, position=(0, 0, 0), collide=False)
    route = (
        Winch(at=(RADIUS, 0, HEIGHT + 1.0), axis=(0, 1, 0), radius=RADIUS),
        Falls(count=falls, lower="load", upper_at=(0, 0, HEIGHT), lower_at=(0, 0, 0.6), axis=(0, 1, 0), radius=RADIUS),
    )
    tension = MASS * 9.81 / falls
    sim = Simulation(Scene(bodies={"load": load}, cables={"rope": Cable(route=route, axial_stiffness=STIFFNESS, tension=tension)}, dt=STEP))  # fmt: skip
    return sim.run, lambda: float(sim.read("rope.tension"))


def mujoco_tendon(falls: int) -> tuple[Callable[[int], object], Callable[[], float]]:
    """A spatial tendon through points: MuJoCo knows no sheave that turns."""
    import mujoco

    def sites(name: str, numbers: range, height: float) -> str:
        return "".join(f'<site name="{name}{k}" pos="{0.1 * k} 0 {height}"/>' for k in numbers)

    path = "".join(f'<site site="{"hook" if k % 2 else "top"}{k}"/>' for k in range(falls + 1))
    rest = (HEIGHT - 0.5) * falls
    model = mujoco.MjModel.from_xml_string(
        f'<mujoco><option timestep="{STEP}" integrator="implicitfast"/><worldbody>{sites("top", range(0, falls + 1, 2), HEIGHT)}'
        f'<body pos="0 0 0"><freejoint/><geom type="box" size=".5 .5 .5" mass="{MASS}" contype="0" conaffinity="0"/>'
        f"{sites('hook', range(1, falls + 1, 2), 0.5)}</body></worldbody><tendon>"
        f'<spatial stiffness="{STIFFNESS / rest}" springlength="0 {rest}">{path}</spatial></tendon></mujoco>'
    )
    data = mujoco.MjData(model)
    return (
        lambda steps: mujoco.mj_step(model, data, steps),
        lambda: float(STIFFNESS / rest * max(0.0, data.ten_length[0] - rest)),
    )


def exudyn_reeving(falls: int) -> tuple[Callable[[int], object], Callable[[], float]]:
    """Exudyn's reeving system with its implicit solver."""
    import exudyn as exu
    import exudyn.utilities as tools
    from exudyn import itemInterface as items  # noqa: N813

    container = exu.SystemContainer()
    system: Any = container.AddSystem()
    ground = system.CreateGround()
    body = system.CreateRigidBody(
        referencePosition=[0, 0, 0],
        inertia=tools.InertiaCuboid(density=MASS, sideLengths=[1, 1, 1]),
        gravity=[0, 0, -9.81],
    )
    markers, radii = [], []
    for k in range(falls + 1):
        on, height = (body, 0.6) if k % 2 else (ground, HEIGHT)
        markers.append(
            system.AddMarker(
                items.MarkerBodyRigid(bodyNumber=_number(system, on), localPosition=[0.1 * k, 0.0, height])
            )
        )
        radii.append(RADIUS if 0 < k < falls else 0.0)
    axes = exu.Vector3DList()
    for _ in range(falls + 1):
        axes.Append([0, 1, 0])
    length = (HEIGHT - 0.6) * falls + math.pi * RADIUS * (falls - 1)
    rope = system.AddObject(
        items.ReevingSystemSprings(
            markerNumbers=markers,
            stiffnessPerLength=STIFFNESS,
            dampingPerLength=1e-3 * STIFFNESS,
            referenceLength=length,
            sheavesAxes=axes,
            sheavesRadii=radii,
        )
    )
    system.Assemble()
    settings: Any = exu.SimulationSettings()
    settings.timeIntegration.verboseMode = 0
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.coordinatesSolutionFileName = ""
    settings.timeIntegration.simulateInRealtime = False
    settings.timeIntegration.newton.useModifiedNewton = True

    def run(steps: int) -> None:
        settings.timeIntegration.numberOfSteps = steps
        settings.timeIntegration.endTime = steps * STEP
        system.SolveDynamic(settings, updateInitialValues=False)

    def tension() -> float:
        return float(system.GetObjectOutput(rope, exu.OutputVariableType.ForceLocal))

    return run, tension


def _number(system: Any, item: Any) -> Any:
    """Body number of what a create function returned."""
    if isinstance(item, dict):
        return item.get("bodyNumber", item)
    return item


PEERS = {"taut": ours, "mujoco": mujoco_tendon, "exudyn": exudyn_reeving}
