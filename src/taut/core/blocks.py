"""Dense kernels on small blocks, the arithmetic of the sparse factorisation.

A block lies row-major in a flat array at an offset. With A = L D L^T (no pivoting: the blocks are definite, of either
sign) and neighbour block B the elimination of a node needs three operations:

    factor     A -> L below the diagonal, 1/D in `inv`
    columns    Y = L^-1 B,  B <- Z = D^-1 Y
    update     C -= Z_i^T Y_j, for a run of neighbours j at once

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
def columns_any(n, m, L, l, inv, p, B, b, Y, first):
    """Y = L^-1 B and B <- D^-1 Y for the columns from `first` on of the (n, m) block at B[b:]."""
    for i in range(n):
        for c in range(first, m):
            Y[i * m + c] = B[b + i * m + c]
        for k in range(i):
            f = L[l + i * n + k]
            for c in range(first, m):
                Y[i * m + c] -= f * Y[k * m + c]
        d = inv[p + i]
        for c in range(first, m):
            B[b + i * m + c] = Y[i * m + c] * d


@kernel(fused=True)
def take_rows(n, width, Z, z, y, x, p):
    """x -= Z y with Z (n, width) at Z[z:] and x at x[p:]."""
    for i in range(n):
        at = z + i * width
        # four sums side by side: one alone would wait for each addition
        a, b, c, d = 0.0, 0.0, 0.0, 0.0
        j = 0
        while j + 3 < width:
            a += Z[at + j] * y[j]
            b += Z[at + j + 1] * y[j + 1]
            c += Z[at + j + 2] * y[j + 2]
            d += Z[at + j + 3] * y[j + 3]
            j += 4
        while j < width:
            a += Z[at + j] * y[j]
            j += 1
        x[p + i] -= (a + b) + (c + d)
