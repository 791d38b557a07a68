"""Many runs: sweeps over the parameters of a scene, here or on a cluster, and batches of simulations in threads.

from taut.sweep import make_plan, sweep, Results
plan = make_plan(taut.open_scene("pendulum"), ["load.mass=1000:5000:5"], measures=["max(rope.tension)"])
sweep(plan, "sweep.h5")
Results("sweep.h5").measure("max(rope.tension)")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

#: public names and their modules; imported on first use
_HOME = {
    "Batch": "batch",
    "Cluster": "cluster",
    "Plan": "plan",
    "Processes": "processes",
    "Results": "results",
    "SweepError": "errors",
    "SweepInput": "errors",
    "make_plan": "plan",
    "sweep": "run",
}

__all__ = sorted(_HOME)

if TYPE_CHECKING:
    from taut.sweep.batch import Batch as Batch
    from taut.sweep.cluster import Cluster as Cluster
    from taut.sweep.errors import SweepError as SweepError
    from taut.sweep.errors import SweepInput as SweepInput
    from taut.sweep.plan import Plan as Plan
    from taut.sweep.plan import make_plan as make_plan
    from taut.sweep.processes import Processes as Processes
    from taut.sweep.results import Results as Results
    from taut.sweep.run import sweep as sweep


def __getattr__(name: str) -> Any:
    if name in _HOME:
        import importlib

        return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
