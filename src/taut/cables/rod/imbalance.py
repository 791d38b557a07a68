"""Which cable is furthest from balance where no shape was found, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from taut.cables.rod import arrays as col
from taut.cables.rod.chain import Chain
from taut.cables.rod.values import plain

if TYPE_CHECKING:
    from taut.cables.rod.network import Network


def furthest(net: Network) -> str:
    """The cable that was furthest from balance when the iteration ended, and by how much; empty where nothing can be told."""
    words, worst = "", 0.0
    for chain in net.asked.chains:
        share, told = _off(net, chain)
        if share > worst or not np.isfinite(share):
            worst, words = share, f"{chain.name} is furthest from balance ({told})" if chain.name else told
    return words


def _off(net: Network, chain: Chain) -> tuple[float, str]:
    """How far a chain is off as a share of the scales of the solve [-], and in words."""
    arrays, (scale, length) = net.arrays, net.scales[:2].tolist()
    rows = chain.seg_rows
    free = arrays.rod[rows, col.LOCK : col.LOCK + 3] == 0.0
    reach = np.maximum(arrays.rod[rows, col.SEG], arrays.rod[rows, col.JOINT])[:, None]
    # the segments at its ends are held by what they end on
    forces = (np.abs(arrays.block[rows, col.GRAD : col.GRAD + 3]) * free / reach)[1:-1]
    force = float(forces.max()) if forces.size else 0.0
    own = np.isin(arrays.row[: arrays.tally[col.ROWS], col.ROW_A].astype(int), rows)
    held = own & (arrays.row[: arrays.tally[col.ROWS], col.PUSHES] == 0.0)
    gaps = np.abs(arrays.row[: arrays.tally[col.ROWS], col.GAP][held])
    gap = float(gaps.max()) if gaps.size else 0.0
    if not np.isfinite(force) or not np.isfinite(gap):
        return np.inf, "its forces grow without end"
    if gap / length > force / scale:
        return gap / length, f"it misses what holds it by {plain(1e3 * gap)} mm"
    return force / scale, f"by {plain(force)} N"
