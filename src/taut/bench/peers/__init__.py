"""The hoist beside other engines: one adapter per engine, each imported only when asked for.

Optional packages may be absent: `available()` leaves their adapters out, `missing()` says which and why.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .trace import Adapter


@dataclass(frozen=True)
class Entry:
    """Where an adapter is found."""

    name: str
    module: str
    """In this package."""
    factory: str
    """Called without arguments."""


OURS = "taut"
"""Name of our own adapter, to which the ratios are formed."""

ENTRIES = (
    Entry(OURS, "ours", "Ours"),
    Entry("explicit numba", "explicit_numba", "ExplicitNumba"),
    Entry("exudyn", "exudyn_spring", "ExudynSpring"),
    Entry("exudyn ancf", "exudyn_ancf", "ExudynAncf"),
    Entry("pyelastica", "pyelastica_rod", "PyElastica"),
    Entry("newton vbd", "newton_vbd", "NewtonVbd"),
    Entry("pybullet", "pybullet_chain", "PybulletChain"),
    Entry("mujoco", "mujoco_chain", "plain"),
    Entry("mujoco damped", "mujoco_chain", "damped"),
    Entry("mujoco rod", "mujoco_chain", "rod"),
)


@functools.cache
def load(entry: Entry) -> Adapter:
    """The adapter, one for all who ask (what was found of it is kept by it); ImportError when its engine is not installed."""
    module = importlib.import_module(f"{__name__}.{entry.module}")
    adapter: Adapter = getattr(module, entry.factory)()
    return adapter


def available() -> list[Adapter]:
    """All adapters whose engines are installed."""
    return [load(entry) for entry in ENTRIES if _absence(entry) is None]


def missing() -> dict[str, str]:
    """Name and reason of every adapter that cannot be used here."""
    return {entry.name: reason for entry in ENTRIES if (reason := _absence(entry)) is not None}


def _absence(entry: Entry) -> str | None:
    try:
        importlib.import_module(f"{__name__}.{entry.module}")
    except ImportError as error:
        return str(error)
    return None
