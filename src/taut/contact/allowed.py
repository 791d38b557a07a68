"""Which pairs of shapes may touch at all."""

from __future__ import annotations

from taut.core.jit import kernel


@kernel
def may_touch(i, j, body, group, mask, body_dynamic, excluded):
    """Neither of one body, both unmoved, masked out nor excluded."""
    a, b = body[i], body[j]
    if a > b:
        a, b = b, a
    if a == b or body_dynamic[a] + body_dynamic[b] == 0:
        return False
    if mask[i] & group[j] == 0 or mask[j] & group[i] == 0:
        return False
    key = a * body_dynamic.shape[0] + b
    first, last = 0, excluded.shape[0]
    while first < last:
        middle = (first + last) // 2
        if excluded[middle] == key:
            return False
        if excluded[middle] < key:
            first = middle + 1
        else:
            last = middle
    return True
