"""The studio without a browser: stiffness and mass told directly, connectors that hold nothing, and shapes that slid through a clip."""

import numpy as np
import pytest
import yaml
from waiting import wait_for

from taut.cables.rod.leading import elsewhere
from taut.cables.rod.route import Route
from taut.cables.rod.routing import LIBRARY
from taut.view.route_places import every, idle
from taut.view.route_studio import Studio


@pytest.fixture
def studio():
    made = Studio(Route.load(LIBRARY / "harness.yaml"), LIBRARY, "127.0.0.1", 0)
    made._cable.value = "hose"
    made._fill()
    yield made
    made.stop()


def properties(studio):
    return studio.route.harness["hose"]._chain.properties


def test_stiffness_and_mass_are_told_in_place_of_the_material(studio, tmp_path) -> None:
    EI, _, GJ = properties(studio).stiffness[0]
    assert studio._bending.value == pytest.approx(EI, rel=1e-5)
    assert studio._torsion.value == pytest.approx(GJ, rel=1e-5)
    mass = properties(studio).mass[0]
    assert studio._mass.value == pytest.approx(mass, rel=1e-5)
    studio._bending.value = 3.0 * EI
    studio._set_direct(studio._bending, 0)
    assert properties(studio).stiffness[0] == pytest.approx([3.0 * EI, 3.0 * EI, GJ], rel=1e-5), "round as before"
    studio._mass.value = 0.5
    studio._set_direct(studio._mass, 2)
    assert properties(studio).mass[0] == 0.5
    assert studio._data()["EI"].endswith("N m^2") and not {"E", "nu", "density"} & set(studio._data())
    studio.save(str(tmp_path / "stiff.yaml"))
    again = Route.load(tmp_path / "stiff.yaml")
    assert again.harness["hose"]._chain.properties.stiffness[0] == pytest.approx([3 * EI, 3 * EI, GJ], rel=1e-5)
    studio.undo()
    studio.undo()
    assert properties(studio).stiffness[0] == pytest.approx([EI, EI, GJ]) and properties(studio).mass[0] == mass
    assert studio._bending.value == pytest.approx(EI, rel=1e-5), "the fields go along"


def test_nonsense_is_refused_and_changes_nothing(studio) -> None:
    before = yaml.safe_dump(studio.route.data)
    for which, box, value in ((0, studio._bending, 0.0), (1, studio._torsion, -1.0), (2, studio._mass, -0.1)):
        box.value = value
        studio._set_direct(box, which)
        assert f"{value:g}" in studio.message and "refused" in studio.message
    assert yaml.safe_dump(studio.route.data) == before
    assert studio._bending.value > 0.0


def test_connectors_that_hold_nothing_are_chosen_and_moved_too(studio) -> None:
    assert {"body/plate", "body/inlet", "body/bulkhead"} <= set(idle(studio.route)) <= set(every(studio.route))
    # a click on its shape
    studio.pick("body/plate")
    assert studio.chosen.key == "body/plate"
    place, frame = studio.route.harness.pose("plate")
    solves = studio.solves
    studio.drag("body/plate", place + [0.0, 0.0, 0.02], frame)
    wait_for(lambda: studio.solves > solves)
    assert studio.route.harness.pose("plate")[0][2] == pytest.approx(place[2] + 0.02)
    assert np.asarray(studio.scene._plugs["plate"].position)[2] == pytest.approx(place[2] + 0.02, abs=1e-6)
    assert "-20 mm" in str(studio.route.data["route"]["connectors"]["plate"]["point"])


def test_a_cable_that_slid_through_its_clip_lies_where_the_file_leads(studio, tmp_path) -> None:
    """Its nodes lie closer on one side of the clip then: the shape is the same."""
    cable = studio.route.harness["hose"]
    place = cable.points[len(cable.points) // 2]
    studio.take("hose", place + [0.0, 0.0, 1.0], np.array([0.0, 0.0, -1.0]))
    solves = studio.solves
    studio.drag("hand/hose", place + [0.0, 0.0, 0.1], np.array([1.0, 0.0, 0.0, 0.0]))
    wait_for(lambda: studio.solves > solves)
    studio.chosen.release.value = "sliding clip"
    studio.set_clip()
    studio._length.value = 800.0
    studio._set_length()
    studio.save(str(tmp_path / "slid.yaml"))
    assert "another shape" not in studio.message
    again = Route.load(tmp_path / "slid.yaml")
    again.solve()
    apart = studio.route.harness._net.nodes(studio.route.harness["hose"]._chain) - again.harness._net.nodes(
        again.harness["hose"]._chain
    )
    assert np.linalg.norm(apart, axis=1).max() > 0.02, "nodes lie elsewhere along it"
    assert not elsewhere(again)


def test_a_tab_that_is_back_before_the_route_is_there_is_left_alone(studio) -> None:
    studio.scene._around = None
    studio.scene._fit(object())  # it would have no camera to set
