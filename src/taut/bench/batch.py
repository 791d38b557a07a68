"""Many at once: 512 ropes beside MuJoCo's rollout and a hand-written explicit batch, then a crane for learning.

Each engine takes the largest step at which the path of its load stays within 2 % of the swing's amplitude of the
reference for ten seconds; what is compared is the time for one rope and one simulated second. Rounds go over all engines
in turn; the best of each counts, and the spread is told.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from taut.bench.display import Display
from taut.bench.peers import OURS, available, missing
from taut.bench.peers.case import HOIST
from taut.bench.peers.reference import swing
from taut.bench.peers.trace import Adapter, Trace
from taut.bench.timing import interleaved

ROPES, LINKS = 512, 25
#: largest distance of the load from the reference, relative to the amplitude [-]
PATH_ERROR = 0.02
#: steps that are tried: from the first one down by this factor [s, -]
FIRST_STEP, FACTOR, LEAST_STEP = 0.12, 1.2, 2e-5
#: least time of one timed round, and rounds, of which the best counts [s, -]
ROUND_TIME, ROUNDS = 0.5, 3
TARGETS = {"explicit numba": 1.5, "mujoco": 2.0, "mujoco damped": 2.0}
SCALING = 1.8

#: makes so many steps of all ropes with so many threads
Rollout = Callable[[int], None]


def run(display: Display, ropes: int = ROPES, links: int = LINKS, round_time: float = ROUND_TIME) -> dict[str, Any]:
    """Measure, show, and hand back the numbers."""
    names = (OURS, "explicit numba", "mujoco", "mujoco damped", "mujoco rod")
    engines = [AtRest() if adapter.name == OURS else adapter for adapter in available() if adapter.name in names]
    found: dict[str, dict[str, Any]] = {}
    jobs: dict[tuple[str, int], Callable[[], float]] = {}
    with display.progress("looking for the largest accurate steps") as progress:
        for adapter in engines:
            progress(f"{adapter.name}: the largest accurate step")
            step = largest_step(adapter, links)
            if step is None:
                continue
            found[adapter.name] = {"step": step}
            for threads in (1, 2):
                progress(f"{adapter.name}: {ropes} ropes, {threads} threads")
                rollout = _ROLLOUTS[adapter.name.partition(" ")[0]](adapter, ropes, links, step, threads)
                jobs[adapter.name, threads] = _round(rollout, step, round_time, ropes)
        for (name, threads), timing in interleaved(jobs, ROUNDS, progress).items():
            found[name][f"threads_{threads}"] = timing.best
            found[name][f"rounds_{threads}"] = timing.plain("rope and simulated second")
    _show(display, found, ropes, links)
    from taut.bench.crane import run as run_crane

    return {"ropes": ropes, "links": links, "rows": found, "missing": missing(), "crane": run_crane(display)}


def path_error(trace: Trace) -> float:
    """Largest distance of the load from the reference, relative to the amplitude [-]; infinite if the run was lost."""
    if len(trace.time) < 4 or trace.time[-1] < HOIST.seconds - 0.2:
        return float("inf")
    true = swing(8)
    x, z = (np.interp(trace.time, true.time, values) for values in (true.load_x, true.load_z))
    distance = float(np.hypot(trace.load_x - x, trace.load_z - z).max())
    return distance / (HOIST.length * HOIST.direction()[0]) if np.isfinite(distance) else float("inf")


def largest_step(adapter: Adapter, links: int) -> float | None:
    """Largest step of the ladder at which the path is accurate [s]; None if there is none."""
    step = FIRST_STEP
    while step > LEAST_STEP:
        runner = adapter.prepare(links, step)
        runner.reset()
        if path_error(runner.run(HOIST.seconds)) <= PATH_ERROR:
            return step
        step /= FACTOR
    return None


def _round(rollout: Rollout, step: float, round_time: float, ropes: int) -> Callable[[], float]:
    """One round, long enough to be timed: it hands back the time for one rope and one simulated second [s]."""
    rollout(1)
    steps, taken = 1, 0.0
    while True:
        begun = time.perf_counter()
        rollout(steps)
        taken = time.perf_counter() - begun
        if taken >= round_time:
            break
        steps = max(steps + 1, min(10 * steps, round(1.2 * steps * round_time / max(taken, 1e-6))))

    def timed() -> float:
        begun = time.perf_counter()
        rollout(steps)
        return (time.perf_counter() - begun) / (steps * step * ropes)

    return timed


class AtRest:
    """Our adapter, released at rest at the time zero as the leapfrog of the explicit chain is.

    Our velocities are means over a step, as a leapfrog's are: those of a release at rest are not zero but half a step
    before it, -h/2 times the acceleration. Zero would be a release half a step earlier, a shift of the whole path.
    """

    name = OURS

    def prepare(self, links: int, dt: float) -> Any:
        """See `Adapter.prepare`."""
        from taut.bench.peers.ours import Ours

        runner = Ours().prepare(links, dt)
        plain = runner.reset

        def reset() -> None:
            plain()
            at_rest(runner.sim)

        runner.reset = reset  # type: ignore[method-assign]
        return runner


def at_rest(sim: Any) -> None:
    """Set the velocities of a hoist to those of a release at rest.

    The straight rope turns as one rod: alpha = g sin(angle) (M L + m L / 2) / (M L^2 + m L^2 / 3), towards the vertical.
    """
    from taut.compile.frames import matrix

    rope = HOIST.density * HOIST.length
    moment = (HOIST.load + 0.5 * rope) * HOIST.length * HOIST.gravity * HOIST.direction()[0]
    alpha = moment / ((HOIST.load + rope / 3.0) * HOIST.length**2)
    spin = np.array([0.0, -0.5 * sim.dt * alpha, 0.0])  # the acceleration turns x to -z, about +y
    state, model = sim.state, sim.model
    for i in range(len(model.body_mass) - 1):
        state.body_vel[i] = [*np.cross(spin, state.body_pos[i]), *spin]
        axes = matrix(state.body_quat[i])
        state.body_momentum[i] = axes @ (model.body_inertia[i] * (axes.T @ spin))


def _ours(adapter: Any, ropes: int, links: int, step: float, threads: int) -> Rollout:
    from taut.bench.peers.ours import hoist_scene
    from taut.sweep import Batch

    batch = Batch(hoist_scene(HOIST, links, step), ropes, threads=threads)
    at_rest(batch[0])
    batch.reset(state=batch[0].snapshot())

    def rollout(steps: int) -> None:
        if batch.step(None, steps).any():
            raise RuntimeError("a rope diverged")

    return rollout


def _explicit(adapter: Any, ropes: int, links: int, step: float, threads: int) -> Rollout:
    from concurrent.futures import ThreadPoolExecutor

    from taut.bench.peers.explicit_batch import advance_many

    one = adapter.prepare(links, step)
    position, velocity = np.tile(one.position, (ropes, 1, 1)), np.tile(one.velocity, (ropes, 1, 1))
    parts = np.array_split(np.arange(ropes), threads)
    pool = ThreadPoolExecutor(threads)

    def advance(part: np.ndarray, steps: int) -> None:
        rows = slice(int(part[0]), int(part[-1]) + 1)
        advance_many(
            position[rows], velocity[rows], np.zeros_like(one.force), one.stiffness, one.rest, one.inverse_mass,
            one.gravity, step, steps,
        )  # fmt: skip

    def rollout(steps: int) -> None:
        list(pool.map(lambda part: advance(part, steps), parts))

    return rollout


def _mujoco(adapter: Any, ropes: int, links: int, step: float, threads: int) -> Rollout:
    import mujoco
    from mujoco.rollout import Rollout as Pool

    runner = adapter.prepare(links, step)
    runner.reset()
    size = mujoco.mj_stateSize(runner.model, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    first = np.zeros(size)
    mujoco.mj_getState(runner.model, runner.data, first, mujoco.mjtState.mjSTATE_FULLPHYSICS)
    state = np.tile(first, (ropes, 1))
    data = [mujoco.MjData(runner.model) for _ in range(threads)]
    pool = Pool(nthread=threads)
    most = 64  # its output holds every step: in pieces that stay small

    def rollout(steps: int) -> None:
        nonlocal state
        while steps > 0:
            count = min(steps, most)
            states, _ = pool.rollout(runner.model, data, state, nstep=count)
            state = np.ascontiguousarray(states[:, -1])
            steps -= count

    return rollout


_ROLLOUTS: dict[str, Callable[[Any, int, int, float, int], Rollout]] = {
    "taut": _ours,
    "explicit": _explicit,
    "mujoco": _mujoco,
}


def _show(display: Display, found: dict[str, dict[str, Any]], ropes: int, links: int) -> None:
    display.note(
        f"{ropes} ropes of {links} segments, 10 m, load 1000 kg; every engine at the largest step at which the load's "
        f"path is within {PATH_ERROR:.0%} of the amplitude over {HOIST.seconds:g} s"
    )
    ours = found[OURS]
    rows: list[Sequence[str]] = []
    for name, row in found.items():
        one, two = row["threads_1"], row["threads_2"]
        ratio = one / ours["threads_1"]
        verdict = (
            "" if name not in TARGETS else f"{TARGETS[name]:g} {'reached' if ratio >= TARGETS[name] else 'missed'}"
        )
        if name == OURS:
            verdict = f"scaling {SCALING:g} {'reached' if one / two >= SCALING else 'missed'}"
        rows.append(
            (name, f"{1e3 * row['step']:.3g}", f"{1e6 * one:.1f}", f"{1e6 * two:.1f}", f"{one / two:.2f}",
             f"{ratio:.2f}", f"{two / ours['threads_2']:.2f}", f"{row['rounds_1']['spread']:.1%}", verdict)
        )  # fmt: skip
    display.table(
        "time for one rope and one simulated second",
        ("engine", "step [ms]", "1 thread [us]", "2 threads [us]", "scaling", "ratio", "ratio, 2", "spread", "target"),
        rows,
    )
