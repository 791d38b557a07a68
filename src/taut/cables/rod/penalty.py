"""The paper's own scheme, corrected: points and quaternions as unknowns, tied by penalties and integral forces.

M. Gregoire and E. Schoemer keep x_i and q_i apart and pull them together by energies: length and coherence (here as one,
x_(i+1) - x_i = l d3(q_i)), unit length of q, bending from the chord 2 vec(conj(q_i) q_(i+1))/l. What a penalty leaves over is
taken by an integral force that grows until it is gone (PI control, which is the multiplier method). Corrected are the
joint length in the bending energy, half joints at the clamps, and the masses; the descent methods of the paper's cascade are
replaced by Newton with inertia shifts, which needs a tenth of the iterations.

    E = sum l/2 K (2 v/l)^2 + sum [f_i.c_i + k/2 c_i^2] + sum [g_i (q.q - 1)/2 + k_q/4 (q.q - 1)^2] - weights.x,   c_i = x_(i+1) - x_i - l d3(q_i)

The Hessian is a band of half width 10, factored without exchanges.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from taut.cables.rod.arrays import Array
from taut.cables.rod.ends import Clamp
from taut.cables.rod.values import RodError
from taut.core.jit import kernel

#: penalties over EI/l^3 (coherence, per length) and EI/l (norm), the best measured for this scheme
STIFF, UNIT = 10.0, 10.0
#: half width of the band: a node has seven unknowns, x and q, and is tied to the next point
BAND = 10
#: outer iterations, inner ones, and shifts of one matrix
OUTER, INNER, SHIFTINGS = 60, 60, 40


@kernel
def _chord(a: Array, b: Array, v: Array) -> float:
    """vec(conj(a) b) into v; returns the scalar part."""
    v[0] = a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]
    v[1] = a[0] * b[2] + a[1] * b[3] - a[2] * b[0] - a[3] * b[1]
    v[2] = a[0] * b[3] - a[1] * b[2] + a[2] * b[1] - a[3] * b[0]
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@kernel
def _rows(b: Array, side: int, out: Array) -> None:
    """Derivative of vec(conj(a) b) by a (side 0, given b) or by b (side 1, given a), shape (3, 4)."""
    s = -1.0 if side == 0 else 1.0
    w, x, y, z = b[0], b[1], b[2], b[3]
    # by a: v = a0 vec(b) - b0 vec(a) - vec(a) x vec(b); by b the same with the roles exchanged
    if side == 0:
        out[0, 0], out[0, 1], out[0, 2], out[0, 3] = x, s * w, -z, y
        out[1, 0], out[1, 1], out[1, 2], out[1, 3] = y, z, s * w, -x
        out[2, 0], out[2, 1], out[2, 2], out[2, 3] = z, -y, x, s * w
    else:
        out[0, 0], out[0, 1], out[0, 2], out[0, 3] = -x, w, z, -y
        out[1, 0], out[1, 1], out[1, 2], out[1, 3] = -y, -z, w, x
        out[2, 0], out[2, 1], out[2, 2], out[2, 3] = -z, y, -x, w


@kernel
def _put(H: Array, i: int, j: int, value: float) -> None:
    """Add to the lower band."""
    if i >= j:
        H[j, i - j] += value
    else:
        H[i, j - i] += value


@kernel
def measure(z: Array, force: Array, fixed: Array, given: Array, gradient: Array, H: Array, work: Array) -> float:
    """Energy, gradient and Hessian at z, shape (n, 7): points 0 to n - 1 and frames of the n segments.

    given: length of a segment, EI1, EI2, GJ, weight of a segment (3), penalties k and k_q. fixed: frames of both clamps and
    the two end points, shape (2, 7). The last point and the first are not unknown.
    """
    n = z.shape[0]
    for i in range(n):
        for c in range(7):
            gradient[i, c] = 0.0
            for b in range(BAND + 1):
                H[7 * i + c, b] = 0.0
    energy = _tie(z, force, fixed, given, gradient, H, work)
    energy += _unit(z, force, given, gradient, H) + _bend(z, fixed, given, gradient, H, work)
    for c in range(3):
        # the first point is given
        gradient[0, c] = 0.0
        for b in range(BAND + 1):
            H[c, b] = 0.0
        H[c, 0] = 1.0
    return energy


@kernel
def _tie(z: Array, force: Array, fixed: Array, given: Array, gradient: Array, H: Array, work: Array) -> float:
    """Coherence of points and frames, and weight; returns their energy."""
    n, l, k, energy = z.shape[0], given[0], given[7], 0.0
    for i in range(n):
        q = z[i, 3:7]
        w, x, y, t = q[0], q[1], q[2], q[3]
        # coherence: c = next - x - l d3
        D = work[7:10, :4]
        D[0, 0], D[0, 1], D[0, 2], D[0, 3] = 2 * y, 2 * t, 2 * w, 2 * x
        D[1, 0], D[1, 1], D[1, 2], D[1, 3] = -2 * x, -2 * w, 2 * t, 2 * y
        D[2, 0], D[2, 1], D[2, 2], D[2, 3] = 2 * w, -2 * x, -2 * y, 2 * t
        d = work[10]
        d[0], d[1], d[2] = 2 * (x * t + w * y), 2 * (y * t - w * x), w * w - x * x - y * y + t * t
        for c in range(3):
            after = z[i + 1, c] if i + 1 < n else fixed[1, c]
            gap = after - z[i, c] - l * d[c]
            pull = force[i, c] + k * gap
            energy += gap * (force[i, c] + 0.5 * k * gap)
            gradient[i, c] -= pull
            _put(H, 7 * i + c, 7 * i + c, k)
            if i + 1 < n:
                gradient[i + 1, c] += pull
                _put(H, 7 * (i + 1) + c, 7 * (i + 1) + c, k)
                _put(H, 7 * (i + 1) + c, 7 * i + c, -k)
            for a in range(4):
                gradient[i, 3 + a] -= pull * l * D[c, a]
                _put(H, 7 * i + 3 + a, 7 * i + c, k * l * D[c, a])
                if i + 1 < n:
                    _put(H, 7 * (i + 1) + c, 7 * i + 3 + a, -k * l * D[c, a])
                for b in range(a + 1):
                    _put(H, 7 * i + 3 + a, 7 * i + 3 + b, k * l * l * D[c, a] * D[c, b])
            # second derivative of d3, times the pull
            p = -2.0 * l * pull
            if c == 0:
                _put(H, 7 * i + 5, 7 * i + 3, p)
                _put(H, 7 * i + 6, 7 * i + 4, p)
            elif c == 1:
                _put(H, 7 * i + 4, 7 * i + 3, -p)
                _put(H, 7 * i + 6, 7 * i + 5, p)
            else:
                _put(H, 7 * i + 3, 7 * i + 3, p)
                _put(H, 7 * i + 4, 7 * i + 4, -p)
                _put(H, 7 * i + 5, 7 * i + 5, -p)
                _put(H, 7 * i + 6, 7 * i + 6, p)
            # weight: half on either node
            energy -= 0.5 * given[4 + c] * (z[i, c] + after)
            gradient[i, c] -= 0.5 * given[4 + c]
            if i + 1 < n:
                gradient[i + 1, c] -= 0.5 * given[4 + c]
    return energy


@kernel
def _unit(z: Array, force: Array, given: Array, gradient: Array, H: Array) -> float:
    """Unit length of the quaternions; returns its energy."""
    n, kq, energy = z.shape[0], given[8], 0.0
    for i in range(n):
        q = z[i, 3:7]
        off = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1.0
        unit_pull = kq * off + force[i, 3]
        energy += 0.25 * kq * off * off + 0.5 * force[i, 3] * off
        for a in range(4):
            gradient[i, 3 + a] += unit_pull * q[a]
            for b in range(a + 1):
                _put(H, 7 * i + 3 + a, 7 * i + 3 + b, 2.0 * kq * q[a] * q[b] + (unit_pull if a == b else 0.0))
    return energy


@kernel
def _bend(z: Array, fixed: Array, given: Array, gradient: Array, H: Array, work: Array) -> float:
    """Bending and torsion of all joints; returns their energy, infinite where neighbours have opposite signs."""
    n, l, energy = z.shape[0], given[0], 0.0
    v, A, B = work[0], work[1:4, :4], work[4:7, :4]
    for j in range(n + 1):
        first = fixed[0, 3:7] if j == 0 else z[j - 1, 3:7]
        last = fixed[1, 3:7] if j == n else z[j, 3:7]
        size = 0.5 * l if j == 0 or j == n else l
        sign = 1.0 if _chord(first, last, v) >= 0.0 else -1.0
        _rows(last, 0, A)
        _rows(first, 1, B)
        for c in range(3):
            K = given[1 + c]
            energy += 2.0 * K * v[c] * v[c] / size
            s, h = 4.0 * K * v[c] / size, 4.0 * K / size
            for a in range(4):
                if j > 0:
                    gradient[j - 1, 3 + a] += s * A[c, a]
                if j < n:
                    gradient[j, 3 + a] += s * B[c, a]
                for b in range(4):
                    if j > 0 and b <= a:
                        _put(H, 7 * j - 4 + a, 7 * j - 4 + b, h * A[c, a] * A[c, b])
                    if j < n and b <= a:
                        _put(H, 7 * j + 3 + a, 7 * j + 3 + b, h * B[c, a] * B[c, b])
                    if 0 < j < n:
                        _put(H, 7 * j + 3 + a, 7 * j - 4 + b, h * B[c, a] * A[c, b])
            if 0 < j < n:
                # v is bilinear: its mixed derivative is a constant sign pattern
                for a in range(4):
                    unit = work[11]
                    for b in range(4):
                        unit[b] = 1.0 if b == a else 0.0
                    _rows(unit, 0, work[12:15, :4])
                    for b in range(4):
                        _put(H, 7 * j + 3 + a, 7 * j - 4 + b, s * work[12 + c, b])
        if sign < 0.0:
            energy = math.inf  # frames of opposite sign: the caller keeps them coherent
    return energy


@kernel
def factor(H: Array, shift: float, L: Array) -> int:
    """L D L' of the band plus a shift; returns the number of negative pivots, or -1."""
    n, negative = H.shape[0], 0
    for j in range(n):
        for b in range(BAND + 1):
            L[j, b] = H[j, b]
        L[j, 0] += shift
    for j in range(n):
        d = L[j, 0]
        if not abs(d) > 1e-300:
            return -1
        negative += int(d < 0.0)
        top = min(BAND, n - 1 - j)
        for a in range(1, top + 1):
            f = L[j, a] / d
            for b in range(a, top + 1):
                L[j + a, b - a] -= f * L[j, b]
        for a in range(1, top + 1):
            L[j, a] /= d
    return negative


@kernel
def substitute(L: Array, x: Array) -> None:
    """Solve in place."""
    n = L.shape[0]
    for j in range(n):
        for a in range(1, min(BAND, n - 1 - j) + 1):
            x[j + a] -= L[j, a] * x[j]
    for j in range(n):
        x[j] /= L[j, 0]
    for j in range(n - 1, -1, -1):
        for a in range(1, min(BAND, n - 1 - j) + 1):
            x[j] -= L[j, a] * x[j + a]


@kernel(entry=True)
def descend(
    z: Array, force: Array, fixed: Array, given: Array, scratch: Array, H: Array, L: Array, work: Array, limit: float
) -> int:  # fmt: skip
    """Newton at fixed integral forces until the gradient is below the limit; returns the iterations, negative if lost."""
    n = z.shape[0]
    gradient, trial, step = scratch[0], scratch[1], scratch[2]
    energy = measure(z, force, fixed, given, gradient, H, work)
    shift, scale = 0.0, given[8]
    for iteration in range(INNER):
        worst = 0.0
        for i in range(n):
            for c in range(7):
                worst = max(worst, abs(gradient[i, c]) / (1.0 if c < 3 else given[0]))
        if worst <= limit:
            return iteration
        shift = 0.0 if shift < 1e-8 * scale else 0.1 * shift
        tries = 0
        while factor(H, shift, L) != 0 and tries < SHIFTINGS:
            shift = max(4.0 * shift, 1e-6 * scale)
            tries += 1
        flat = step.reshape(7 * n)
        for i in range(n):
            for c in range(7):
                step[i, c] = -gradient[i, c]
        substitute(L, flat)
        slope = 0.0
        for i in range(n):
            for c in range(7):
                slope += step[i, c] * gradient[i, c]
        part = 1.0
        while True:
            for i in range(n):
                for c in range(7):
                    trial[i, c] = z[i, c] + part * step[i, c]
            after = measure(trial, force, fixed, given, gradient, H, work)
            if after <= energy + 1e-4 * part * slope + 1e-12 * (abs(energy) + scale):
                break
            part *= 0.5
            if part < 1e-9:
                return -1 - iteration
        energy = after
        for i in range(n):
            for c in range(7):
                z[i, c] = trial[i, c]
    return -1 - INNER


class PenaltyRod:
    """A rod between two clamps in the paper's formulation; EI, GJ [N m^2], lengths in m."""

    def __init__(
        self, length: float, segments: int, *, start: Clamp, end: Clamp, EI: float, GJ: float, mass_per_length: float = 0.0,
        gravity: Any = (0.0, 0.0, -9.81), shape: Array | None = None, frames: Array | None = None,
    ) -> None:  # fmt: skip
        """shape and frames to begin with: points (n + 1, 3) and quaternions (n, 4), as of a solved Rod."""
        n, l = segments, length / segments
        self.length, self.segments = length, segments
        k, kq = STIFF * EI / l**3, UNIT * EI / l
        self._given = np.array([l, EI, EI, GJ, *(mass_per_length * l * np.asarray(gravity, float)), k, kq])
        self._fixed = np.array(
            [[*clamp.position(name), *clamp.frame(name)] for name, clamp in (("start", start), ("end", end))]
        )
        self._z, self._force = np.zeros((n, 7)), np.zeros((n, 4))
        if shape is None or frames is None:
            raise RodError(
                "shape, frames: the paper's scheme has no first guess of its own; give those of a solved Rod"
            )
        self._z[:, :3], self._z[:, 3:] = shape[:-1], frames
        self._scratch, self._work = np.zeros((3, n, 7)), np.zeros((16, 7))
        self._H, self._L = np.zeros((7 * n, BAND + 1)), np.zeros((7 * n, BAND + 1))

    def move_end(self, point: Any) -> None:
        """Move the last point [m]."""
        self._fixed[1, :3] = np.asarray(point, float)

    def turn_end(self, quaternion: Array) -> None:
        """Turn the last clamp."""
        self._fixed[1, 3:] = quaternion

    @property
    def points(self) -> Array:
        """Nodes [m], shape (n + 1, 3)."""
        return np.vstack([self._z[:, :3], self._fixed[1, :3]])

    def solve(self, tolerance: float = 1e-6) -> tuple[int, int]:
        """To a gap of the coherence of `tolerance` times the length; returns outer and inner iterations."""
        z, chain = self._z, np.vstack([self._fixed[0, 3:], self._z[:, 3:], self._fixed[1, 3:]])
        for i in range(1, len(chain)):
            # q and -q are one frame: keep neighbours on one side
            if chain[i] @ chain[i - 1] < 0.0:
                chain[i] *= -1.0
        z[:, 3:], self._fixed[1, 3:] = chain[1:-1], chain[-1]
        scale = float(self._given[1:4].max()) / self.length**2 + float(np.abs(self._given[4:7]).sum()) * self.segments
        inner = 0
        for outer in range(1, OUTER + 1):
            made = descend(
                z, self._force, self._fixed, self._given, self._scratch, self._H, self._L, self._work, tolerance * scale
            )
            if made < 0:
                raise RodError(f"the penalty scheme is lost after {inner - made} iterations")
            inner += made
            gap, off = self._gap(), (z[:, 3:] ** 2).sum(axis=1) - 1.0
            if max(np.abs(gap).max() / self.length, np.abs(off).max()) <= tolerance:
                return outer, inner
            self._force[:, :3] += self._given[7] * gap
            self._force[:, 3] += self._given[8] * off
        raise RodError(f"the penalty scheme has not converged in {OUTER} rounds (gap {np.abs(gap).max():.1e} m)")

    def _gap(self) -> Array:
        w, x, y, t = self._z[:, 3:].T
        d3 = np.column_stack([2 * (x * t + w * y), 2 * (y * t - w * x), w * w - x * x - y * y + t * t])
        return np.diff(self.points, axis=0) - self._given[0] * d3
