"""Long runs under a hand that knows no mercy, with everything watched that must hold: `taut soak SCENE --hours 1`."""

from taut.soak.report import Soaked
from taut.soak.run import soak

__all__ = ["Soaked", "soak"]
