"""A solve that nobody waits for any more is left from within the compiled iteration, and one that creeps gives up by itself."""

from __future__ import annotations

import numpy as np
import pytest

from taut.cables.rod.imbalance import furthest
from taut.cables.rod.newton import LEAVE, newton
from taut.cables.rod.route import Route
from taut.cables.rod.stopping import Stop, StoppedError, hearing, stoppable
from taut.cables.rod.values import plain
from taut.cables.rod.walk import StuckError, walk

DATA = {
    "taut": 1,
    "route": {
        "cables": {
            "hose": {
                "length": "380 mm", "segments": 20, "section": {"diameter": "12 mm"}, "E": "6 MPa", "nu": 0.45, "density": "1200 kg/m^3",
                "start": {"point": [0, 0, 0]}, "end": {"point": ["300 mm", 0, 0]},
            }
        }
    },
}  # fmt: skip


def test_the_compiled_iteration_is_left_when_it_is_told_so() -> None:
    route = Route.of(DATA)
    route.solve()
    net = route.harness._net
    stop = Stop()
    with stoppable(stop), pytest.raises(StoppedError), hearing(net.report, LEAVE):
        stop.set()
        assert net.report[LEAVE] == 1.0
        before = net.arrays.quat.copy()
        newton(net.arrays, net.obstacles, net.scales, 1e-8, 100, net.report)
        assert np.array_equal(net.arrays.quat, before) and net.report[0] == np.inf
    assert net.report[LEAVE] == 0.0
    # the next one is not left
    assert net.newton(1e-8, 100)


def test_a_walk_that_is_tired_ends_at_its_next_failure() -> None:
    route = Route.of(DATA)
    targets = route.harness._net.asked.targets()
    old = np.array([target.point for target in targets])
    tried = []
    with pytest.raises(StuckError):
        walk(targets, old, 0.1, 0.05, lambda place: bool(tried.append(place)), tired=lambda: len(tried) >= 2)
    assert len(tried) == 2


def test_the_cable_that_is_furthest_from_balance_is_named_in_newtons() -> None:
    route = Route.of(DATA)
    route.solve()
    net = route.harness._net
    assert not net.newton(0.0, 0)
    told = furthest(net)
    assert told.startswith("hose is furthest from balance (") and told.endswith((" N)", " mm)"))


def test_numbers_are_plain() -> None:
    assert (plain(183.2, 2), plain(4312.0), plain(0.01234, 2), plain(1e6)) == ("180", "4310", "0.012", "1000000")
