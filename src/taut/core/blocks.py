"""Dense kernels on small blocks, the arithmetic of the sparse factorisation.

A block lies row-major in a flat array at an offset. With A = L D L^T (no pivoting: the blocks are definite, of either
sign) and neighbour block B the elimination of a node needs three operations:

    factor     A -> L below the diagonal, 1/D in `inv`
    columns    Y = L^-1 B,  B <- Z = D^-1 Y
    update     C -= Z_i^T Y_j

Chains, which are most of the work, have these operations unrolled in taut.core.unrolled.
"""

from __future__ import annotations

from taut.core.jit import kernel


@kernel
def factor_any(n, A, a, inv, p):
    """L D L^T of the (n, n) block at A[a:], lower part in place."""
    for j in range(n):
        for k in range(j):
            u = A[a + j * n + k]
            l = u * inv[p + k]
            A[a + j * n + j] -= l * u
            A[a + j * n + k] = l
        inv[p + j] = 1.0 / A[a + j * n + j]
        for r in range(j + 1, n):
            s = A[a + r * n + j]
            for k in range(j):
                s -= A[a + r * n + k] * A[a + j * n + k]
            A[a + r * n + j] = s


@kernel
def columns_any(n, m, L, l, inv, p, B, b, Y):
    """Y = L^-1 B and B <- D^-1 Y for the (n, m) block at B[b:]."""
    for i in range(n):
        for c in range(m):
            Y[i * m + c] = B[b + i * m + c]
        for k in range(i):
            f = L[l + i * n + k]
            for c in range(m):
                Y[i * m + c] -= f * Y[k * m + c]
        d = inv[p + i]
        for c in range(m):
            B[b + i * m + c] = Y[i * m + c] * d


@kernel
def update_any(n, m, q, C, c, Z, z, Y, y):
    """C -= Z^T Y with Z (n, m) at Z[z:], Y (n, q) at Y[y:], C (m, q) at C[c:]."""
    for i in range(m):
        for k in range(n):
            f = Z[z + k * m + i]
            for j in range(q):
                C[c + i * q + j] -= f * Y[y + k * q + j]
