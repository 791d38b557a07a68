"""Layered ropes: spans with their waves at rest, and lengths and tensions that go with them."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from taut.cables.layered.columns import C_COLUMNS
from taut.cables.massless.columns import (
    N_TRANSFER,
    P_PATH,
)
from taut.compile.rope_table import Threading
from taut.compile.rope_winches import count_stored
from taut.compile.waves import Segment, frame_of, refusal, start_of_span


def hang(rope: Threading, laid, placed, spans, segments, twist, slots):  # type: ignore[no-untyped-def]
    """Spans with their waves at rest, and lengths and tensions that go with them; and room for spans that wraps will make."""
    table, cable, density = rope.table, rope.cable, rope.cable.line_mass()
    ends = [(a.at(span[0]), b.at(span[1])) for (a, b), span in zip(pairwise(placed), spans)]
    first, rows = len(table.wave_span), segments + twist
    explicit = cable.scheme == "explicit"
    warped = float(cable.prewarp and not explicit)
    ends_at = first + len(spans) + slots
    table.wave_law.append([density, cable.wave_damping, warped, first, ends_at, float(explicit)])
    segment_of = [
        int(row) for row in np.cumsum([0] + [part[N_TRANSFER] >= 0 for part in table.part_int[rope.first + 1 :]])
    ]
    factor = 1.0 if cable.length is None else cable.length / sum(laid)
    if 1.0 / factor - 1.0 > 0.2:
        rope.problem(
            f"the rope is {cable.length:.4g} m long, but its path takes {sum(laid):.4g} m: {100 / factor - 100:.1f} % of stretch",
            "length", value=f"{cable.length:g}",
        )  # fmt: skip
        return
    out, bent = 0.0, 0.0
    for n, path in enumerate(laid):
        mine = [k for k in range(len(spans)) if segment_of[k] == n]
        chords = [ends[k][1] - ends[k][0] for k in mine]
        arcs = path - sum(float(np.linalg.norm(chord)) for chord in chords)
        run = Segment(chords, arcs, density, cable.stiffness(), cable.modes, rope.gravity)
        try:
            hanging = run.of_length(path * factor) if cable.tension is None else run.under(cable.tension)
        except ValueError as least:
            rope.problem(
                f"the rope is too heavy to hang between its parts with so little tension: expected more than {least} N",
                "tension", value=f"{cable.tension:g}",
            )  # fmt: skip
            return
        if explicit and (reason := refusal(run, hanging, rope.dt)):
            rope.problem(reason, "scheme", value="explicit")
            return
        table.lengths.append(hanging.unstretched)
        table.tensions.append(hanging.tension if cable.attached else 0.0)
        table.stored += 0.5 * table.tensions[-1] ** 2 * hanging.unstretched / cable.stiffness()
        out += hanging.unstretched
        bent += hanging.unstretched * (1.0 + hanging.tension / cable.stiffness())
        for k, mass, modes in zip(mine, hanging.masses, hanging.modes):
            u, across = frame_of(ends[k][1] - ends[k][0], rope.gravity)
            pair = -1 if rope.obstacles else table.spans[len(table.spans) - len(spans) + k][1]
            table.wave_span.append([rope.r, len(table.wave_mode), cable.modes, rows + k, pair])
            table.wave_mode += modes.tolist()
            table.wave_frame.append([*u, *across])
            middle = 0.5 * (ends[k][0] + ends[k][1])
            weight = (1.0 - (-1.0) ** np.arange(1, cable.modes + 1)) / (math.pi * np.arange(1, cable.modes + 1))
            shift = weight @ modes[:, :2] @ np.array([across, np.cross(u, across)])
            arc = hanging.arc_of(modes, float(np.linalg.norm(ends[k][1] - ends[k][0])))
            pull = hanging.tension * float(np.linalg.norm(ends[k][1] - ends[k][0])) / arc * u
            where = rope.first + k, rope.row + n
            table.span_work.append(start_of_span(ends[k], u, across, mass, arc, where, pull, 0.5 * mass * rope.gravity))
            table.wave_potential -= mass * float(rope.gravity @ (middle + shift))
    for k in range(slots):
        table.wave_span.append([rope.r, len(table.wave_mode), cable.modes, rows + len(spans) + k, -1])
        table.wave_mode += [[0.0] * 4] * cable.modes
        table.wave_frame.append([1.0, 0.0, 0.0, 0.0, 1.0, 0.0])
        table.span_work.append([0.0] * C_COLUMNS)
    table.laws[rope.r][P_PATH] = bent
    table.lengths += [0.0] * (segments - len(laid))
    table.tensions += [0.0] * (rows - len(laid) + len(spans) + slots)
    count_stored(rope, out)
