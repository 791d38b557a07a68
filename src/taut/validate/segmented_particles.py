"""Paper 1, section III: five particles on links, dropped from the horizontal, with the paper's stepper. Imports nothing of Taut.

Motion is in a plane, where the bend angle has a sign and its row is smooth (equation 14 is the same row with the sign taken
out of the angle). A load M hangs last; all others weigh 1 kg, links are 1 m long, g = 10 m/s^2, a step is 1/60 s:

    [ M -J^T        ] [  v+   ]   [ M v + h f ]
    [ J  eps / h^2  ] [ h lam ] = [ -phi / h  ],     x+ = x + h v+        (equations 8 to 10)

Many loads are stepped at once, one per entry of the first axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

Array = np.ndarray
Model = Literal["a", "b", "c", "d", "e"]

LINKS, GRAVITY, STEP = 5, 10.0, 1.0 / 60.0
#: what the criterion allows: links may be off by a tenth and three times the stretch of 3 M g, energy up by 5 % of M g L
OFF, GAIN = 0.1, 0.05


@dataclass
class Particles:
    """Chains of one model, one for every load."""

    model: Model
    stretch: float  # eps_d [m/N]
    extra: float  # eps_m, eps_le [m/N] or eps_a [rad/(N m)]
    loads: Array  # [kg]

    def __post_init__(self) -> None:
        count = len(self.loads)
        self.x = np.zeros((count, LINKS, 2))
        self.x[:, :, 0] = np.arange(1.0, LINKS + 1.0)
        self.v = np.zeros_like(self.x)
        self.mass = np.ones((count, LINKS))
        self.mass[:, -1] = self.loads

    def rows(self) -> tuple[Array, Array, Array]:
        """Values (count, rows), Jacobian (count, rows, 2 LINKS) and compliances (rows,) of all constraints."""
        count = len(self.loads)
        d = np.diff(np.concatenate([np.zeros((count, 1, 2)), self.x], axis=1), axis=1)
        size = np.linalg.norm(d, axis=2)
        u = d / size[..., None]
        links = np.zeros((count, LINKS, LINKS, 2))
        for i in range(LINKS):
            links[:, i, i] = u[:, i]
            if i:
                links[:, i, i - 1] = -u[:, i]
        phi, jac = [size - 1.0], [links]
        soft = [self.stretch] * LINKS
        if self.model in ("b", "d"):
            phi.append((size.sum(axis=1) - LINKS)[:, None])
            jac.append(links.sum(axis=1)[:, None])
        if self.model == "d":
            phi[0], jac[0], soft = phi[0][:, :-1], links[:, :-1], soft[:-1]
        if self.model == "c":
            far = np.linalg.norm(self.x[:, -1], axis=1)
            row = np.zeros((count, 1, LINKS, 2))
            row[:, 0, -1] = self.x[:, -1] / far[:, None]
            phi.append((far - LINKS)[:, None])
            jac.append(row)
        if self.model == "e":
            phi.append(bends(d))
            # an angle turns by (normal . change of d)/|d|; d_i and d_i+1 share the particle between them
            normal = np.stack([-u[..., 1], u[..., 0]], axis=-1) / size[..., None]
            turn = np.zeros((count, LINKS - 1, LINKS, 2))
            for i in range(LINKS - 1):
                turn[:, i, i + 1] += normal[:, i + 1]
                turn[:, i, i] -= normal[:, i + 1] + normal[:, i]
                if i:
                    turn[:, i, i - 1] += normal[:, i]
            jac.append(turn)
        soft += [self.extra] * (sum(p.shape[1] for p in phi) - len(soft))
        return np.concatenate(phi, axis=1), np.concatenate(jac, axis=1).reshape(count, -1, 2 * LINKS), np.array(soft)

    def step(self) -> None:
        """One step of the paper."""
        phi, jac, soft = self.rows()
        mass = np.repeat(self.mass, 2, axis=1)
        free = self.v.reshape(len(mass), -1) + STEP * np.tile([0.0, -GRAVITY], LINKS)
        schur = np.einsum("crk,ck,csk->crs", jac, 1.0 / mass, jac) + np.diag(soft) / STEP**2
        right = -phi / STEP - np.einsum("crk,ck->cr", jac, free)
        lam = np.linalg.solve(schur, right[..., None])[..., 0]
        v = free + np.einsum("crk,cr->ck", jac, lam) / mass
        self.v = v.reshape(self.v.shape)
        self.x = self.x + STEP * self.v

    def energy(self) -> Array:
        """Kinetic and potential, of M g L (count,)."""
        total = 0.5 * self.mass * (self.v**2).sum(axis=2) + self.mass * GRAVITY * self.x[..., 1]
        return np.asarray(total.sum(axis=1) / (self.loads * GRAVITY * LINKS))

    def stretches(self) -> Array:
        """phi_d of all links [m], shape (count, LINKS)."""
        d = np.diff(np.concatenate([np.zeros((len(self.x), 1, 2)), self.x], axis=1), axis=1)
        return np.asarray(np.linalg.norm(d, axis=2) - 1.0)

    def first_bend(self) -> Array:
        """Angle between the first two links [rad], shape (count,)."""
        d = np.diff(np.concatenate([np.zeros((len(self.x), 1, 2)), self.x], axis=1), axis=1)
        return np.asarray(bends(d)[:, 0])


def bends(d: Array) -> Array:
    """Signed angles between links that follow each other, shape (count, LINKS - 1)."""
    p, q = d[:, :-1], d[:, 1:]
    return np.asarray(np.arctan2(p[..., 0] * q[..., 1] - p[..., 1] * q[..., 0], (p * q).sum(axis=-1)))


def largest(chains: Particles, seconds: float = 15.0) -> float:
    """Largest load up to which all hold, from the lightest on [kg]; 0 when the first does not."""
    # the load enforcement of model c carries the load, in the others all links do
    carrying = chains.extra if chains.model == "c" else chains.stretch
    allowed = OFF + 3.0 * 3.0 * chains.loads * GRAVITY * carrying
    held = np.ones(len(chains.loads), bool)
    start, places = chains.energy(), chains.x.copy()
    with np.errstate(all="ignore"):
        for _ in range(round(seconds / STEP)):
            chains.step()
            held &= np.abs(chains.stretches()).max(axis=1) < allowed
            held &= chains.energy() - start < GAIN
            # a chain that is lost stands still at its start, out of the way
            chains.x[~held], chains.v[~held] = places[~held], 0.0
    count = len(held) if held.all() else int(held.argmin())
    return float(chains.loads[count - 1]) if count else 0.0


def sampled(chain: Particles, seconds: float) -> tuple[Array, Array]:
    """phi_d of the first link [m] and the first bend angle [rad] of the first chain after every step."""
    seen = []
    for _ in range(round(seconds / STEP)):
        chain.step()
        seen.append((chain.stretches()[0, 0], chain.first_bend()[0]))
    stretch_seen, bend_seen = np.array(seen).T
    return stretch_seen, bend_seen
