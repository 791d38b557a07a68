"""How long a rod should be: stretched between its ends, or as long as a given pull makes it.

The automatic length minimises E*(L) + T L, E* the least energy at length L and T a tension [N]: the rod pays T for each
metre. At the minimum n.t + B k^2/2 = T everywhere, which does not depend on the mesh (the paper's sum of k/2 L_i^2 does).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from taut.cables.rod.reach import stops
from taut.cables.rod.results import Results
from taut.cables.rod.slide import lagrangian, slide
from taut.cables.rod.values import RodError, number, sized
from taut.scene import units

#: step of the central difference, as a share of the length
DIFFERENCE = 1e-5
#: the length is found to this share
ENOUGH = 1e-7


class Lengths(Results):
    """The part of a rod that is about its length."""

    def stretched_length(self, slack: float = 0.0) -> float:
        """Sum of the distances between what is held, times 1 + slack [m]."""
        points = [point for _, _, point in stops(self._chain, self._net.asked.bodies, sliding=True)]
        if len(points) < 2:
            raise RodError("stretched_length: the rod is held at one place only; hold its other end too")
        if isinstance(slack, bool) or not isinstance(slack, int | float) or not 0.0 <= slack < 10.0:
            raise RodError(f"slack: {slack!r} - expected a share of the distance from 0 to 10, e.g. 0.05")
        return float(np.linalg.norm(np.diff(points, axis=0), axis=1).sum()) * (1.0 + slack)

    def length_force(self) -> float:
        """Derivative of the least energy by the length [N]: below 0 it wants to be longer."""
        net, which = self._net, self._which
        lengths, values = list(net.lengths), []
        step = DIFFERENCE * lengths[which]
        for sign in (1.0, -1.0):
            net.set_lengths([size + sign * step * (k == which) for k, size in enumerate(lengths)])
            values.append(lagrangian(net))
        net.set_lengths(lengths)
        lagrangian(net)
        return (values[0] - values[1]) / (2.0 * step)

    def automatic_length(self, tension: Any) -> float:
        """Change to the length at which E*(L) + tension L is least [m], and return it. The rod is solved there, with sliding
        clips where they come to rest: at fixed shares of the length the derivative is the same, as nothing drives them."""
        pull = number("tension", tension, units.FORCE, positive=True)
        low, high = self.stretched_length() * (1.0 + 1e-4), np.inf
        now = max(self._chain.length, low * 1.02)
        force = self._force_at(now) + pull
        before: tuple[float, float] | None = None
        refused = ""
        for _ in range(60):
            low, high = (now, high) if force < 0.0 else (low, now)
            # secant inside the bracket, else halve it or grow
            next_ = now - force * (now - before[0]) / (force - before[1]) if before and force != before[1] else np.nan
            if not low < next_ < high:
                next_ = 1.3 * low if np.isinf(high) else 0.5 * (low + high)
            next_ = min(next_, 1.3 * now)
            if abs(next_ - now) <= ENOUGH * now:
                if refused and low > now * (1.0 - 4.0 * ENOUGH):
                    raise RodError(f"automatic_length: it pulls itself shorter than {sized(now)}, where {refused}")
                return float(now)
            try:
                found = self._force_at(next_) + pull
            except RodError as error:
                if next_ > now:
                    raise
                # too short for a shape between its clamps: the length sought lies beyond
                low, before, refused = next_, None, str(error)
                continue
            before, now, force = (now, force), next_, found
        raise RodError(f"automatic_length: not found within 60 steps; the last length {sized(now)} is kept")

    def _force_at(self, length: float) -> float:
        """Solve at a length [m]; the derivative of the least energy there [N]."""
        self._chain.length = length
        slide(self._net, 1e-10, 60, True)
        return self.length_force()
