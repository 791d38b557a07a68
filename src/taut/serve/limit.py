"""How large a step may be when a host applies forces that were computed from poses: the limit of an explicit spring.

A rope of stiffness k = EA/L and damping time tau pulls a body of the host with f = -k (phi + tau phi'). The host moves it
with that force over a step h (semi-implicit Euler). In a mode of frequency omega,

    v+ = v - h omega^2 (x + tau v),   x+ = x + h v+      is stable for      omega^2 (h^2 + 2 h tau) < 4.

(The eigenvalue -1 of the step: 2 (2 - h omega^2 tau) = h^2 omega^2.) omega^2 is the largest eigenvalue of M^-1 G^T K G over
all ropes and all bodies of the host at once.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.massless.columns import A_ROWS, P_SEGMENT, P_SOFTNESS, P_TAU
from taut.core.model import B_AT, B_BODY, G_BLOCK, G_DIM, G_START


def fastest(sim: Any, bodies: list[int], masses: np.ndarray) -> tuple[float, float]:
    """omega^2 [1/s^2] of the fastest mode of the ropes with these bodies, and the largest damping time [s].

    masses: mass and principal inertia of each body, shape (bodies, 4). The Jacobian is that of the last step.
    """
    rows, stiffness, tau = _rows(sim, bodies)
    if not len(rows):
        return 0.0, 0.0
    inverse = np.concatenate([[1 / m] * 3 + [1 / min(i)] * 3 for m, *i in masses.tolist()])
    # the least moment of inertia for all axes: never too large a step
    scaled = rows * np.sqrt(inverse) * np.sqrt(stiffness)[:, None]
    return float(np.linalg.norm(scaled, 2) ** 2), tau


def largest_step(omega2: float, tau: float) -> float:
    """The step at which omega^2 (h^2 + 2 h tau) = 4 [s]."""
    return math.inf if omega2 == 0.0 else math.sqrt(tau * tau + 4.0 / omega2) - tau


def _rows(sim: Any, bodies: list[int]) -> tuple[np.ndarray, np.ndarray, float]:
    """Jacobian of all segments over the bodies, shape (segments, 6 bodies), their stiffness [N/m], largest damping [s]."""
    w, model, table = sim.work, sim.model, sim.compiled.ropes
    rows, stiffness, tau = [], [], 0.0
    for r in range(0 if table is None else len(table.names)):
        g = len(sim.compiled.joints.groups) + r
        start, dim = (int(w.group_int[g, k]) for k in (G_START, G_DIM))
        first, count = int(model.rope_int[r, P_SEGMENT]), int(sim.state.rope_live[r, A_ROWS])
        block = np.zeros((dim, 6 * len(bodies)))
        for e in range(int(w.group_int[g, G_BLOCK]), int(w.group_int[g + 1, G_BLOCK])):
            body, at = int(w.block_int[e, B_BODY]), int(w.block_int[e, B_AT])
            if body in bodies:
                k = 6 * bodies.index(body)
                block[:, k : k + 6] += w.jac[at : at + 6 * dim].reshape(dim, 6)
        if not block.any():
            continue
        rows.append(block[:count])
        stiffness.append(1.0 / (model.rope_law[r, P_SOFTNESS] * sim.state.rope_length[first : first + count]))
        # no row is damped less than the solver's floor
        tau = max(tau, float(model.rope_law[r, P_TAU]), sim.compiled.settings.floor * sim.dt)
        del start
    if not rows:
        return np.zeros((0, 6 * len(bodies))), np.zeros(0), 0.0
    return np.concatenate(rows), np.concatenate(stiffness), tau
