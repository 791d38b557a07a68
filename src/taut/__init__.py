"""Taut: real-time simulation of cables and what hangs on them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

#: public names and the modules they come from; imported on first use, so that `taut --help` answers at once
_HOME = {
    **{
        name: "taut.scene"
        for name in [
            "AngularLimits",
            "AngularMotor",
            "Ball",
            "Body",
            "Box",
            "Cable",
            "Capsule",
            "Chain",
            "ControlMotion",
            "Course",
            "Cylinder",
            "Distance",
            "DriveCurve",
            "End",
            "Falls",
            "Gate",
            "Gust",
            "HeightField",
            "Hinge",
            "Hull",
            "LinearLimits",
            "LinearMotor",
            "Lock",
            "Material",
            "Mesh",
            "Plane",
            "PointOnLine",
            "PoseMotion",
            "Problem",
            "Profile",
            "Ring",
            "Scene",
            "SceneError",
            "Sheave",
            "Slider",
            "SolverSettings",
            "Sphere",
            "VelocityMotion",
            "ViewSettings",
            "Wind",
            "Traction",
            "Winch",
        ]
    },
    **{
        name: "taut.cables.rod"
        for name in ("Clamp", "Free", "Harness", "Hollow", "On", "Pin", "Rectangular", "Rod", "RodError", "Round")
    },
    "Batch": "taut.sweep",
    "Honeycomb": "taut.cables.honeycomb",
    "HoneycombError": "taut.cables.honeycomb",
    "Simulation": "taut.simulation",
    "SimulationError": "taut.simulation",
    "Snapshot": "taut.simulation",
    "open_scene": "taut.scenes",
}

__all__ = sorted([*_HOME, "__version__"])

if TYPE_CHECKING:
    from taut.cables.honeycomb import Honeycomb as Honeycomb
    from taut.cables.honeycomb import HoneycombError as HoneycombError
    from taut.cables.rod import *  # noqa: F403
    from taut.scene import *  # noqa: F403
    from taut.scenes import open_scene as open_scene
    from taut.simulation import Simulation as Simulation
    from taut.simulation import SimulationError as SimulationError
    from taut.simulation import Snapshot as Snapshot
    from taut.sweep import Batch as Batch


def __getattr__(name: str) -> Any:
    if name in _HOME:
        import importlib

        return getattr(importlib.import_module(_HOME[name]), name)
    raise AttributeError(f"module 'taut' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
