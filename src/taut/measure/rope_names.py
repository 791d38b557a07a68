"""What can be read of ropes over wheels, and of winches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from taut.measure import autos, courses, ropes, waves
from taut.measure.quantity import Quantity
from taut.scene import Cable


def _force_on(rope: str, body: str) -> Callable[[Any], np.ndarray]:
    return lambda sim: ropes.force_on(sim, rope, body)


def _auto_rope(sim: Any, name: str) -> list[Quantity]:
    """Of a rope over wheels that has its waves now and then."""
    n = len(ropes.spans(sim, name)[0])

    def waved(read: Callable[[Any, str], Any], size: int) -> Callable[[Any], np.ndarray]:
        return lambda s: autos.spans_or_none(s, name, read, size)

    return [
        Quantity(f"{name}.model", "-", 0, "0 massless, 1 layered", lambda s: autos.number_of(s, name)),
        Quantity(
            f"{name}.upper_tension", "N", n, "at the upper end of each span", lambda s: autos.side_tensions(s, name, True)
        ),
        Quantity(
            f"{name}.lower_tension", "N", n, "at the lower end of each span", lambda s: autos.side_tensions(s, name, False)
        ),
        Quantity(f"{name}.sag", "m", n, "largest distance of each span from its chord", waved(waves.sag, n)),
        Quantity(f"{name}.sag_ratio", "-", 0, "largest sag over span", lambda s: autos.sag_ratio(s, name)),
        Quantity(f"{name}.frequency", "Hz", n, "first natural frequency of each span", lambda s: autos.frequency(s, name)),
        Quantity(f"{name}.whip", "m/s", n, "largest speed of each span across its chord", waved(waves.whip, n)),
        Quantity(
            f"{name}.bend", "m", 27 * n, "distance from the chord at nine points of each span, x y z each",
            waved(lambda s, rope: waves.bend(s, rope).ravel(), 27 * n),
        ),
    ]  # fmt: skip


def of_rope(sim: Any, name: str) -> list[Quantity]:
    k = sim.compiled.ropes.names.index(name)
    segments = sim.compiled.ropes.segments[k]
    parts = ropes.parts(sim, name)
    count = parts.stop - parts.start
    found = [
        Quantity(f"{name}.tension", "N", 0, "largest tension along the rope", lambda s: ropes.tension(s, name)),
        Quantity(f"{name}.tensions", "N", segments, "tension of each segment", lambda s: ropes.tensions(s, name)),
        Quantity(
            f"{name}.sides",
            "N",
            2 * count,
            "tension before and after each part",
            lambda s: ropes.sides(s, name).ravel(),
        ),
        Quantity(
            f"{name}.rope_out", "m", 0, "unstretched, without what is on drums", lambda s: ropes.rope_out(s, name)
        ),
        Quantity(
            f"{name}.lengths", "m", segments, "unstretched length of each segment", lambda s: ropes.unstretched(s, name)
        ),
        Quantity(f"{name}.path", "m", 0, "length of its path, arcs included", lambda s: ropes.path_length(s, name)),
        Quantity(f"{name}.wraps", "rad", count, "angle of contact at each part", lambda s: ropes.wraps(s, name)),
    ]
    if sim.compiled.ropes.specs[k].torsion()[0] is not None:
        found += [
            Quantity(f"{name}.twist", "rad", 0, "between its ends, over full turns", lambda s: ropes.twist(s, name)),
            Quantity(f"{name}.twist_torque", "N m", 0, "that resists the twist", lambda s: ropes.torque(s, name)),
        ]
    flows = ropes.flows(sim, name)
    if len(flows):
        found.append(
            Quantity(
                f"{name}.flows",
                "m/s",
                len(flows),
                "rope over each part that holds it back",
                lambda s: ropes.flows(s, name),
            )
        )
    if np.isfinite(sim.compiled.ropes.specs[k].strength()):
        found.append(
            Quantity(
                f"{name}.safety", "-", 0, "breaking load over largest tension", lambda s: ropes.safety_factor(s, name)
            )
        )
    if name in sim.compiled.choices:
        found += _auto_rope(sim, name)
    elif waves.is_layered(sim, name):
        found += _waves(name, waves.spans(sim, name))
    cable = sim.compiled.ropes.specs[k]
    if courses.wraps_round(cable):
        found += _wraps(sim, name, cable)
    for body in ropes.bodies(sim, name):
        found.append(
            Quantity(
                f"{name}.force_on_{body}",
                "N",
                3,
                f"force of the rope on {body}",
                _force_on(name, body),
            )
        )
    return found


def _on_body(read: Callable[[Any, str, str], float], rope: str, body: str) -> Callable[[Any], float]:
    return lambda sim: read(sim, rope, body)


def _wraps(sim: Any, name: str, cable: Cable) -> list[Quantity]:
    """What a cable that wraps round things can be asked."""
    size = courses.course_size(sim, name)
    found = [
        Quantity(
            f"{name}.course", "m", 3 * size, "points along its path, the last repeated, x y z each",
            lambda s: courses.course(s, name).ravel(),
        ),
        Quantity(
            f"{name}.course_tension", "N", size - 1, "tension of each piece between these points",
            lambda s: ropes.course_tension(s, name),
        ),
    ]  # fmt: skip
    for body in cable.obstacles:
        found += [
            Quantity(
                f"{name}.wraps_on_{body}", "-", 0, f"edges of {body} that it bends over, 1 for a round one",
                _on_body(courses.touches, name, body),
            ),
            Quantity(
                f"{name}.wrap_angle_on_{body}", "rad", 0, f"angle by which {body} turns it",
                _on_body(courses.wrap_angle, name, body),
            ),
            Quantity(
                f"{name}.friction_on_{body}", "N", 0, f"tension after less tension before {body}",
                _on_body(courses.friction, name, body),
            ),
        ]  # fmt: skip
    return found


def _of_spans(read: Callable[[Any, str], np.ndarray], rope: str) -> Callable[[Any], np.ndarray]:
    """A reading of every span, zero where a rope with obstacles has room for one that is not there."""
    return lambda sim: waves.padded(sim, rope, read(sim, rope)).ravel()


def _waves(name: str, spans: slice) -> list[Quantity]:
    n = spans.stop - spans.start
    return [
        Quantity(f"{name}.upper_tension", "N", n, "at the upper end of each span", _of_spans(waves.upper_tension, name)),
        Quantity(f"{name}.lower_tension", "N", n, "at the lower end of each span", _of_spans(waves.lower_tension, name)),
        Quantity(f"{name}.sag", "m", n, "largest distance of each span from its chord", _of_spans(waves.sag, name)),
        Quantity(f"{name}.sag_ratio", "-", 0, "largest sag over span", lambda s: waves.sag_ratio(s, name)),
        Quantity(f"{name}.frequency", "Hz", n, "first natural frequency of each span", _of_spans(waves.frequency, name)),
        Quantity(f"{name}.whip", "m/s", n, "largest speed of each span across its chord", _of_spans(waves.whip, name)),
        Quantity(f"{name}.rope_speed", "m/s", n, "of the rope along each span", _of_spans(waves.rope_speed, name)),
        Quantity(
            f"{name}.moving_error", "-", 0, "2 V/c, what running along itself would change in its waves",
            lambda s: waves.moving_error(s, name),
        ),
        Quantity(
            f"{name}.bend", "m", 27 * n, "distance from the chord at nine points of each span, x y z each",
            _of_spans(waves.bend, name),
        ),
    ]  # fmt: skip


def of_watch(sim: Any, name: str) -> list[Quantity]:
    """What a winch with such switches watches."""

    def seen(key: str) -> Callable[[Any], float]:
        return lambda s: ropes.winch_watch(s, name)[key]

    found = []
    spec = sim.compiled.ropes.winch_specs[sim.compiled.ropes.winch_names.index(name)]
    if getattr(spec, "two_block", None) is not None:
        found.append(Quantity(f"{name}.clearance", "m", 0, "shortest run of rope at the hook block", seen("clearance")))
    if getattr(spec, "load_moment", None) is not None:
        found += [
            Quantity(
                f"{name}.load_radius",
                "m",
                0,
                "horizontal distance of the head that the load hangs from",
                seen("load_radius"),
            ),
            Quantity(f"{name}.hook_load", "N", 0, "upward force of the rope on the hook block", seen("hook_load")),
            Quantity(f"{name}.load_share", "-", 0, "of the load rated at this radius", seen("load_share")),
        ]
    if getattr(spec, "pitch", 0.0) != 0.0:
        found += [
            Quantity(f"{name}.traverse", "m", 0, "way of the lead-off point along the drum", seen("traverse")),
            Quantity(f"{name}.fleet_angle", "rad", 0, "of the rope at the drum", lambda s: ropes.fleet_angle(s, name)),
        ]
    return found


def of_winch(sim: Any, name: str) -> list[Quantity]:
    """Of a drum or a driven sheave."""

    def state(key: str) -> Callable[[Any], float]:
        return lambda s: float(ropes.winch_state(s, name)[key])

    driven = ropes.is_driven_sheave(sim, name)
    wheel, pull = (
        ("sheave", "tension before the sheave less that after it") if driven else ("drum", "tension at the drum")
    )
    way = "towards the end of the route" if driven else "hauling"
    found = [
        Quantity(f"{name}.pull", "N", 0, pull, lambda s: ropes.winch_pull(s, name)),
        Quantity(f"{name}.line_speed", "m/s", 0, f"of the rope, {way} is positive", lambda s: ropes.winch_speed(s, name)),
        Quantity(f"{name}.drum_torque", "N m", 0, f"of the rope on the {wheel}", state("torque")),
        Quantity(f"{name}.power", "W", 0, f"of the {wheel} on the rope", state("power")),
        Quantity(f"{name}.drum_angle", "rad", 0, f"turned since the start, {way} is positive", state("angle")),
        Quantity(f"{name}.mode", "-", 0, "0 drives, 1 stops, 2 holds, 3 emergency",
                 lambda s: float(ropes.MODES.index(ropes.winch_mode(s, name)))),
    ]  # fmt: skip
    if driven:
        found += [
            Quantity(f"{name}.before", "N", 0, "tension before the sheave", lambda s: ropes.drive_sides(s, name)[0]),
            Quantity(f"{name}.after", "N", 0, "tension after the sheave", lambda s: ropes.drive_sides(s, name)[1]),
            Quantity(f"{name}.grip", "-", 0, "share of its friction in use; at 1 the rope slips",
                     lambda s: ropes.winch_grip(s, name)),
        ]  # fmt: skip
    for signal in ropes.SIGNALS:
        found.append(Quantity(f"{name}.{signal}_signal", "-", 0, "1 when it is on", state(signal)))
    return found
