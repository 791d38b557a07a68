"""The hand-written explicit chain for many ropes: the same kernel, one rope after the other."""

from __future__ import annotations

from taut.core.jit import kernel

from .explicit_numba import advance


@kernel(entry=True)
def advance_many(  # type: ignore[no-untyped-def]
    position, velocity, force, stiffness, rest, inverse_mass, gravity, h, steps
):
    """`steps` leapfrog steps of every rope; position (ropes, 3, n+1), velocity (ropes, 3, n), the rest as of `advance`."""
    for r in range(position.shape[0]):
        advance(position[r], velocity[r], force, stiffness, rest, inverse_mass, gravity, h, steps)
