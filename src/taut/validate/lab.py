"""Where the checks are made: simulations come from here, curves for the report go here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np

from taut.scene import Scene
from taut.simulation import Simulation
from taut.validate.item import Item

Array = np.ndarray
T = TypeVar("T")


@dataclass(frozen=True)
class Plot:
    """Curves in one picture, ours and theory together: label -> (x, y). A label that begins with 'theory' is dashed."""

    title: str
    x_label: str
    y_label: str
    curves: Mapping[str, tuple[Array, Array]]
    log_x: bool = False
    log_y: bool = False
    dots: bool = False


@dataclass
class Lab:
    """Made once per validation. A test may hand in one whose simulations have a fault, to see the items turn red."""

    quick: bool = False
    plots: list[Plot] = field(default_factory=list)

    def simulate(self, scene: Scene) -> Simulation:
        """The scene, ready to run."""
        return Simulation(scene)

    def chains(self, chains: T) -> T:
        """Chains of particles of a paper's own stepper, ready to step."""
        return chains

    def choose(self, quick: T, full: T) -> T:
        """The one or the other."""
        return quick if self.quick else full

    def plot(
        self, title: str, x_label: str, y_label: str, curves: Mapping[str, tuple[Sequence[float] | Array, Sequence[float] | Array]],
        *, log_x: bool = False, log_y: bool = False, dots: bool = False,
    ) -> None:  # fmt: skip
        """Keep curves for the report."""
        arrays = {label: (np.asarray(x, float), np.asarray(y, float)) for label, (x, y) in curves.items()}
        self.plots.append(Plot(title, x_label, y_label, arrays, log_x, log_y, dots))


def triple(values: Iterable[float]) -> tuple[float, float, float]:
    """Three numbers as a scene takes them."""
    x, y, z = (float(value) for value in values)
    return (x, y, z)


#: makes its simulations in a lab and yields items
Check = Callable[[Lab], Iterator[Item]]
