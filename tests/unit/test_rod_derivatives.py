"""Gradient and Hessian of the rod's energy against an energy written down independently, in complex arithmetic."""

from itertools import pairwise

import numpy as np
import pytest

from taut.cables.rod import Clamp, Free, Pin, Rod
from taut.cables.rod.arrays import DIAG, GRAD, JOINT, REST, STIFF, TRY, TRY_TURNED, UPPER
from taut.cables.rod.assemble import assemble

STEP = 1e-30


def product(p, q):
    """Quaternion product of complex quadruples."""
    pw, pv, qw, qv = p[0], p[1:], q[0], q[1:]
    return np.concatenate([[pw * qw - pv @ qv], pw * qv + qw * pv + np.cross(pv, qv)])


def turned(q, phi):
    """q exp(phi/2), by the series of sin(a)/a and cos(a): exact for the small and complex phi used here."""
    a2 = (phi @ phi) / 4
    cosine = 1 - a2 / 2 + a2**2 / 24 - a2**3 / 720
    sinc = 1 - a2 / 6 + a2**2 / 120 - a2**3 / 5040
    return product(q, np.concatenate([[cosine], 0.5 * sinc * phi]))


def lagrangian(rod, phi):
    """Elastic energy, weight by its points, loads and holders: none of the shortcuts of the kernel."""
    net, chain = rod._net, rod._chain
    arrays, n = net.arrays, rod.segments
    frames = [turned(q.astype(complex), p) for q, p in zip(arrays.quat[1:-1], phi)]
    chain_frames = [arrays.quat[0].astype(complex), *frames, arrays.quat[-1].astype(complex)]
    energy = 0.0
    for j, (a, b) in enumerate(pairwise(chain_frames)):
        relative = product(a * np.array([1, -1, -1, -1]), b)
        relative = relative if relative[0].real >= 0 else -relative
        l = arrays.rod[j, JOINT]
        strain = 2 * relative[1:] / l - arrays.rod[j, REST : REST + 3]
        energy += l / 2 * (arrays.rod[j, STIFF : STIFF + 3] * strain) @ strain
    l = rod.length / n
    points = [net.asked.bodies[0].point.astype(complex)]
    for w, x, y, z in frames:
        points.append(points[-1] + l * np.array([2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)]))

    def at(share):
        i = min(int(share * n), n - 1)
        return points[i] + (share * n - i) * (points[i + 1] - points[i])

    for i in range(n):
        mass = chain.properties.mass[i] * l
        energy -= mass * chain.gravity @ ((points[i] + points[i + 1]) / 2)
    for load in chain.loads.values():
        energy -= load.point @ at(load.share)
    holders = [(handle.share, handle.point) for handle in chain.handle_order]
    if chain.held[1] != "free":
        holders.append((1.0, net.asked.bodies[1].point))
    for (share, point), force in zip(holders, arrays.force.reshape(-1, 3)):
        energy += force @ (at(share) - point)
    return energy


def wild(ends: str) -> Rod:
    """Everything at once: anisotropic, not uniform, rest strain, loads, a handle, large random angles."""
    rng = np.random.default_rng(3)
    n = 7
    rod = Rod(
        1.4, n, start=Pin((0.1, 0.2, 0.3)) if ends == "pinned" else Clamp((0.1, 0.2, 0.3), (1, 2, 0.5)),
        end=Free() if ends == "free" else Clamp((0.9, 0.1, 0.0), (1, -1, 0.2)), EI=rng.uniform(0.5, 2.0, (n, 2)),
        GJ=rng.uniform(0.5, 2.0, n), mass_per_length=rng.uniform(1.0, 3.0, n),
        rest_curvature=rng.uniform(-1, 1, (n, 2)),
        rest_twist=rng.uniform(-1, 1, n), gravity=(1.0, -2.0, -9.0),
    )  # fmt: skip
    rod.add_load(0.9, (3.0, -1.0, 2.0))
    rod.add_handle(0.7, (0.4, 0.1, 0.2))
    net = rod._net
    net.rebuild()
    net.set_lengths([1.4])
    targets = net.asked.targets()
    net.place(np.array([target.point for target in targets]), [target.frame for target in targets])
    quat = net.arrays.quat
    quat[0], quat[-1] = net.asked.bodies[0].frame, net.asked.bodies[1].frame
    quat[1:-1] = rng.normal(size=(n, 4)) + np.array([4.0, 0, 0, 0])
    quat[1:-1] /= np.linalg.norm(quat[1:-1], axis=1, keepdims=True)
    quat[3] *= -1.0  # q and -q are the same frame
    net.arrays.force[:] = rng.normal(size=net.arrays.force.shape)
    for body, pose in zip(net.arrays.body, net.asked.bodies):
        body[TRY : TRY + 3], body[TRY_TURNED : TRY_TURNED + 4] = pose.point, pose.frame
    return rod


def gradient(rod: Rod) -> np.ndarray:
    """From the kernel, at the frames as they are."""
    a = rod._net.arrays
    assemble(a.rod, a.chain, a.body, a.row, a.quat, a.force, a.block, a.tally)
    return a.block[1:-1, GRAD : GRAD + 3].copy()


@pytest.mark.parametrize("ends", ["clamped", "pinned", "free"])
def test_gradient_is_that_of_the_energy(ends: str) -> None:
    rod = wild(ends)
    ours = gradient(rod)
    by_steps = np.empty_like(ours)
    for i in range(rod.segments):
        for c in range(3):
            phi = np.zeros((rod.segments, 3), complex)
            phi[i, c] = 1j * STEP
            by_steps[i, c] = lagrangian(rod, phi).imag / STEP
    # complex step has no truncation error: what remains is round-off of sums of size max|gradient|
    assert np.abs(ours - by_steps).max() < 1e-12 * np.abs(ours).max()


@pytest.mark.parametrize("ends", ["clamped", "pinned", "free"])
def test_hessian_is_that_of_the_energy(ends: str) -> None:
    """Second derivatives along phi at phi = 0: complex step in one direction, central difference in the other."""
    rod = wild(ends)
    gradient(rod)
    n, h = rod.segments, 1e-4
    block = rod._net.arrays.block[1:-1]
    ours = np.zeros((3 * n, 3 * n))
    for i in range(n):
        xx, yx, yy, zx, zy, zz = block[i, DIAG : DIAG + 6]
        ours[3 * i : 3 * i + 3, 3 * i : 3 * i + 3] = [[xx, yx, zx], [yx, yy, zy], [zx, zy, zz]]
        if i < n - 1:
            upper = block[i, UPPER : UPPER + 9].reshape(3, 3)
            ours[3 * i : 3 * i + 3, 3 * i + 3 : 3 * i + 6] = upper
            ours[3 * i + 3 : 3 * i + 6, 3 * i : 3 * i + 3] = upper.T
    by_steps = np.empty_like(ours)
    for r in range(3 * n):
        for c in range(3 * n):
            ahead, behind = np.zeros((2, 3 * n), complex)
            ahead[c], behind[c] = h, -h
            ahead[r] += 1j * STEP
            behind[r] += 1j * STEP
            change = lagrangian(rod, ahead.reshape(n, 3)).imag - lagrangian(rod, behind.reshape(n, 3)).imag
            by_steps[r, c] = change / STEP / (2 * h)
    # central difference: relative error h^2/6 times a fourth derivative of order one
    assert np.abs(ours - by_steps).max() < 1e-7 * np.abs(ours).max()


def test_the_clamps_receive_the_moments_that_are_reported() -> None:
    from taut.cables.rod.ends import rotate

    rod = Rod(
        1.0, 20, start=Clamp((0, 0, 0)), end=Clamp((0.6, 0.2, 0.1), (1, 1, 0)), EI=(1.0, 3.0), GJ=2.0,
        mass_per_length=3.0,
    )  # fmt: skip
    rod.solve()
    a = rod._net.arrays
    assemble(a.rod, a.chain, a.body, a.row, a.quat, a.force, a.block, a.tally)
    for which, row in (("start", 0), ("end", -1)):
        assert rod.end_moment(which) == pytest.approx(rotate(a.quat[row], a.block[row, GRAD : GRAD + 3]), abs=1e-12)
