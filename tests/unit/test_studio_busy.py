"""The studio while something is solved that takes long: it says so, tells for how long, and can be stopped."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import numpy as np
import pytest
import yaml
from waiting import wait_for

from taut.cables.rod import beginning
from taut.cables.rod.material_cards import cards
from taut.cables.rod.network import Network
from taut.cables.rod.route import Route
from taut.cables.rod.routing import LIBRARY
from taut.view.route_studio import Studio
from taut.view.route_tools import set_material


@pytest.fixture
def studio():
    made = Studio(Route.load(LIBRARY / "harness.yaml"), LIBRARY, "127.0.0.1", 0)
    yield made
    made.stop()


def test_what_takes_long_is_told_and_can_be_stopped(studio, monkeypatch) -> None:
    real, begun = Network.newton, threading.Event()

    def slow(net: Network, tolerance: float, most: int) -> bool:
        begun.set()
        time.sleep(0.1)
        real(net, tolerance, most)
        return False

    before, data = studio.route.harness["hose"].points.copy(), yaml.safe_dump(studio.route.data)
    monkeypatch.setattr(Network, "newton", _heard(slow))
    studio._cable.value, studio._card.value = "hose", "rubber hose"
    studio._length.value = 600.0
    work = threading.Thread(
        target=studio.guarded(
            lambda: studio.edit(
                lambda: set_material(studio._data(), cards()["steel brake line"].given(), 0.016),
                "material steel brake line",
            )
        )
    )
    work.start()
    begun.wait(10.0)
    wait_for(lambda: studio.busy._note.visible)
    assert "material steel brake line is being solved" in studio.busy._note.content and studio.busy._button.visible
    studio.busy._stopped(None)
    work.join(20.0)
    assert not work.is_alive()
    assert studio.message == "material steel brake line was stopped: all is as it was before"
    assert np.array_equal(studio.route.harness["hose"].points, before) and yaml.safe_dump(studio.route.data) == data
    wait_for(lambda: not studio.busy._note.visible)


def _heard(slow):
    """Whoever wants to stop is heard before each call, as it is."""
    from taut.cables.rod.stopping import check_stop

    def newton(net: Network, tolerance: float, most: int) -> bool:
        check_stop()
        return slow(net, tolerance, most)

    return newton


def test_what_is_quick_says_nothing(studio) -> None:
    told = []
    studio.busy._tell = told.append
    studio.guarded(lambda: studio.chosen.choose("cable/hose"))()
    time.sleep(0.5)
    assert not told and not studio.busy._note.visible


@pytest.mark.parametrize("card", ["rubber hose", "cable harness", "steel brake line"])
def test_another_material_is_found_from_the_shape_that_stands(studio, monkeypatch, card: str) -> None:
    """At once or brought on in many steps it is the same shape, which is the one that the hose of now becomes; from a guess it may be
    another one, and takes longer."""
    near, found = studio.route, {}
    data = yaml.safe_dump(near.data)
    for steps in (1, 4):
        monkeypatch.setattr(beginning, "STEPS", (steps,))
        made = Route.of(yaml.safe_load(data), Path(LIBRARY))
        set_material(made.data["route"]["cables"]["hose"], cards()[card].given(), 0.016)
        found[steps] = Route.of(made.data, Path(LIBRARY))
        found[steps].solve(near)
    assert found[1].harness["hose"].points == pytest.approx(found[4].harness["hose"].points, abs=1e-5)
    guessed = Route.of(yaml.safe_load(yaml.safe_dump(found[1].data)), Path(LIBRARY))
    guessed.solve()
    assert found[1].harness._net.solution.iterations < guessed.harness._net.solution.iterations


def test_a_cable_that_is_new_does_not_move_the_others(studio) -> None:
    lead = studio.route.harness["lead_a"].points.copy()
    studio._picks.value = "new cable"
    studio.grab("housing", np.array([0.30, 0.04, 1.0]), np.array([0.0, 0.0, -1.0]))
    studio.grab("housing", np.array([0.32, -0.05, 1.0]), np.array([0.0, 0.0, -1.0]))
    assert studio.message == ""
    assert studio.route.harness["lead_a"].points == pytest.approx(lead, abs=1e-7)
