"""What a chain must satisfy beyond its single fields."""

import math
from collections.abc import Iterator

from taut.scene.chains import Chain, bow_side
from taut.scene.joint_checks import check_on_particle
from taut.scene.known import Known
from taut.scene.problems import Problem, shown
from taut.scene.quantity import SMALLEST


def check_chain(chain: Chain, known: Known) -> Iterator[Problem]:
    """Every mistake of a chain whose fields are all valid."""
    yield from known.check_material(chain.material)
    for field, point, place in (("a", chain.start, "start"), ("b", chain.end, "end")):
        name = getattr(chain, field)
        if name is not None:
            yield from known.check_body_name(name, field, ", or null for a free end")
            if known.is_particle(name):
                yield from check_on_particle(point, name, place, known)
    chord = math.dist(chain.start, chain.end)
    if chord <= SMALLEST:
        yield Problem("expected another place than start: the chain has no direction", ("end",), shown(chain.end))
        return
    yield from _links(chain)
    if chain.slack > 0.0:
        yield from _bow(chain, chord)


def _links(chain: Chain) -> Iterator[Problem]:
    length = chain.link_length
    if chain.link_radius >= 0.5 * length:
        reason = f"a link is {length:.4g} m long and must be longer than thick; expected less than {0.5 * length:.4g} m"
        yield Problem(reason, ("radius",), shown(chain.radius))
    if not chain.mass_per_length * length >= SMALLEST:
        yield Problem(
            f"a link would weigh less than {SMALLEST:g} kg", ("mass_per_length",), shown(chain.mass_per_length)
        )


def _bow(chain: Chain, chord: float) -> Iterator[Problem]:
    if chain.links < 2:
        yield Problem("a single link cannot hang in a bow; expected 0, or more links", ("slack",), shown(chain.slack))
    x, y, z = ((q - p) / chord for p, q in zip(chain.start, chain.end))
    if chain.bow is not None and bow_side((x, y, z), chain.bow) == (0.0, 0.0, 0.0):
        yield Problem("expected a direction across the line from start to end", ("bow",), shown(chain.bow))
