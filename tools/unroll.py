"""Writes src/taut/core/unrolled.py: the block operations of chains with every entry in a local variable.

Loops over arrays reload after each store, because the compiler cannot know that two arrays do not overlap; with local
variables the same arithmetic runs two to three times faster. Run `python tools/unroll.py` after a change; a test checks
that the file is up to date.
"""

from __future__ import annotations

from pathlib import Path

TARGET = Path(__file__).resolve().parent.parent / "src" / "taut" / "core" / "unrolled.py"

HEADER = '''"""Block operations of chains, unrolled by tools/unroll.py (do not edit): see blocks."""

from taut.core.jit import kernel

'''


def eliminate(n: int, m: int) -> str:
    """Factor an (n, n) block, its one neighbour's (n, m) columns, and update the neighbour's diagonal."""
    out = [
        "@kernel",
        f"def eliminate_{n}{m}(slots, d, b, c, inv, p):",
        f'    """Node of size {n} at d with one neighbour of size {m}: block at b, its diagonal at c."""',
    ]
    say = lambda text: out.append("    " + text)  # noqa: E731
    for i in range(n):
        for j in range(i + 1):
            say(f"a{i}{j} = slots[d + {i * n + j}]")
    for j in range(n):
        # a{j}{k}, k < j hold the unscaled products L D until row j is reached
        for k in range(j):
            say(f"l{j}{k} = a{j}{k} * i{k}")
            say(f"a{j}{j} -= l{j}{k} * a{j}{k}")
        say(f"i{j} = 1.0 / a{j}{j}")
        for r in range(j + 1, n):
            for k in range(j):
                say(f"a{r}{j} -= a{r}{k} * l{j}{k}")
    for i in range(n):
        say(f"inv[p + {i}] = i{i}")
        for j in range(i):
            say(f"slots[d + {i * n + j}] = l{i}{j}")
    for q in range(m):
        for i in range(n):
            terms = "".join(f" - l{i}{k} * y{k}{q}" for k in range(i))
            say(f"y{i}{q} = slots[b + {i * m + q}]{terms}")
        for i in range(n):
            say(f"z{i}{q} = y{i}{q} * i{i}")
            say(f"slots[b + {i * m + q}] = z{i}{q}")
        for r in range(q + 1):
            terms = " + ".join(f"z{k}{q} * y{k}{r}" for k in range(n))
            say(f"slots[c + {q * m + r}] -= {terms}")
    return "\n".join(out) + "\n\n\n"


def down(n: int, m: int) -> str:
    """Forward substitution of one node."""
    out = [
        "@kernel",
        f"def down_{n}{m}(slots, d, b, x, p, q):",
        f'    """Forward substitution of a node of size {n} with one neighbour of size {m}."""',
    ]
    say = lambda text: out.append("    " + text)  # noqa: E731
    for i in range(n):
        terms = "".join(f" - slots[d + {i * n + k}] * x{k}" for k in range(i))
        say(f"x{i} = x[p + {i}]{terms}")
    for i in range(n):
        say(f"x[p + {i}] = x{i}")
    for j in range(m):
        terms = " + ".join(f"slots[b + {i * m + j}] * x{i}" for i in range(n))
        say(f"x[q + {j}] -= {terms}")
    return "\n".join(out) + "\n\n\n"


def up(n: int, m: int) -> str:
    """Back substitution of one node."""
    out = [
        "@kernel",
        f"def up_{n}{m}(slots, d, b, inv, x, p, q):",
        f'    """Back substitution of a node of size {n} with one neighbour of size {m}."""',
    ]
    say = lambda text: out.append("    " + text)  # noqa: E731
    for j in range(m):
        say(f"w{j} = x[q + {j}]")
    for i in range(n - 1, -1, -1):
        terms = "".join(f" - slots[b + {i * m + j}] * w{j}" for j in range(m))
        terms += "".join(f" - slots[d + {k * n + i}] * x{k}" for k in range(i + 1, n))
        say(f"x{i} = x[p + {i}] * inv[p + {i}]{terms}")
    for i in range(n):
        say(f"x[p + {i}] = x{i}")
    return "\n".join(out) + "\n\n\n"


def triangles(n: int) -> str:
    """Substitution with the diagonal block of a node, forward and back."""
    out = [
        "@kernel",
        f"def lower_{n}(slots, d, x, p):",
        f'    """Forward substitution with the diagonal block of size {n} at d."""',
    ]
    for i in range(n):
        terms = "".join(f" - slots[d + {i * n + k}] * x{k}" for k in range(i))
        out.append(f"    x{i} = x[p + {i}]{terms}")
    out += [f"    x[p + {i}] = x{i}" for i in range(1, n)]
    out += [
        "",
        "",
        "@kernel",
        f"def upper_{n}(slots, d, x, p):",
        f'    """Back substitution with the diagonal block of size {n} at d."""',
    ]
    for i in range(n - 1, -1, -1):
        terms = "".join(f" - slots[d + {k * n + i}] * x{k}" for k in range(n - 1, i, -1))
        out.append(f"    x{i} = x[p + {i}]{terms}")
    out += [f"    x[p + {i}] = x{i}" for i in range(n - 1)]
    return "\n".join(out) + "\n\n\n"


def text() -> str:
    """The whole file."""
    parts = [HEADER]
    for n, m in ((6, 3), (3, 6), (6, 6)):
        parts += [eliminate(n, m), down(n, m), up(n, m)]
    parts.append(triangles(6))
    return "\n".join(line for line in "".join(parts).rstrip().split("\n")) + "\n"


if __name__ == "__main__":
    TARGET.write_text(text(), encoding="utf-8")
