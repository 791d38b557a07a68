"""The cards of materials: each can be laid, lies within its own range, and is told as typical."""

import math

import pytest

from taut.cables.rod.material_cards import cards, usual
from taut.cables.rod.route import Route
from taut.scene import units


def gent(shore: float) -> float:
    """Young's modulus of rubber by its hardness, Shore A [MPa] (Gent, 1958)."""
    return 0.0981 * (56.0 + 7.62336 * shore) / (0.137505 * (254.0 - 2.54 * shore))


@pytest.mark.parametrize("name", list(cards()))
def test_a_card_makes_a_cable(name: str) -> None:
    card, given = cards()[name], cards()[name].given()
    ends = {"start": {"point": [0, 0, 0]}, "end": {"point": ["280 mm", 0, 0]}}
    route = Route.of({"taut": 1, "route": {"cables": {"one": {"length": "300 mm", "segments": 30, **given, **ends}}}})
    route.solve()
    assert route.harness["one"].bend_radius[0] > 0.0
    for figure in (card.modulus, card.density):
        assert figure.least < figure.value < figure.most
    assert units.parse(given["E"], units.PRESSURE) == pytest.approx(1e6 * card.modulus.value)
    assert "Typical" in card.told and card.basis and "taut fit" in card.told


def test_rubber_is_as_stiff_as_its_hardness_says() -> None:
    """What the table says of Gent's relation is what it gives."""
    found = cards()
    assert gent(60.0) == pytest.approx(3.6, abs=0.05) and gent(75.0) == pytest.approx(7.0, abs=0.1)
    assert found["rubber tube"].modulus.value == pytest.approx(gent(65.0), rel=0.05)
    assert found["silicone tube"].modulus.value == pytest.approx(gent(60.0), rel=0.05)
    for name, low, high in (("rubber tube", 50.0, 80.0), ("silicone tube", 40.0, 70.0)):
        assert found[name].modulus.least == pytest.approx(gent(low), rel=0.15)
        assert found[name].modulus.most == pytest.approx(gent(high), rel=0.15)


def test_a_hydraulic_hose_bends_as_the_rule_says_that_it_is_taken_from() -> None:
    card = cards()["hydraulic hose"]
    outer, inner = (units.parse(card.section[word], units.LENGTH) for word in ("outer", "inner"))
    area, second = math.pi / 4 * (outer**2 - inner**2), math.pi / 64 * (outer**4 - inner**4)
    assert 1e6 * card.modulus.value * second == pytest.approx(3e7 * inner**4, rel=0.05)
    assert card.density.value * area == pytest.approx(0.42, rel=0.05)


def test_a_new_cable_is_a_rubber_hose() -> None:
    assert usual().name == "rubber hose"


def test_a_hydraulic_hose_has_the_bend_radius_of_its_standard() -> None:
    """It is measured on the inside of the bend: the centreline has half a diameter more."""
    card = cards()["hydraulic hose"]
    found = card.least_bend(12.7e-3, 20.6e-3)
    assert found is not None and found[0] == pytest.approx(0.1903) and "EN 853" in found[1]
    assert card.least_bend(50e-3, 60e-3) is None, "no such size in the table"
    assert cards()["rubber hose"].least_bend(10e-3, 16e-3) is None


def test_the_name_of_a_material_stays_in_file_and_report(tmp_path) -> None:
    from taut.view.route_report import write_report

    ends = {"start": {"point": [0, 0, 0]}, "end": {"point": ["280 mm", 0, 0]}}
    one = {
        "length": "300 mm",
        "segments": 30,
        "material": "hydraulic hose",
        **cards()["hydraulic hose"].given(),
        **ends,
    }
    Route.of({"taut": 1, "route": {"cables": {"one": one}}}).save(tmp_path / "hose.yaml")
    route = Route.load(tmp_path / "hose.yaml")
    route.solve()
    write_report(route, tmp_path / "hose.html")
    page = (tmp_path / "hose.html").read_text()
    assert "material: hydraulic hose" in (tmp_path / "hose.yaml").read_text()
    assert "<td>hydraulic hose, E 100 MPa" in page


def test_the_studio_sets_the_bend_radius_of_a_standard_where_none_is_asked_for(tmp_path) -> None:
    from taut.view.route_studio import Studio

    ends = {"start": {"point": [0, 0, 0]}, "end": {"point": ["600 mm", 0, 0]}}
    one = {
        "length": "800 mm",
        "segments": 40,
        **usual().given(),
        "section": {"outer": "20.6 mm", "inner": "12.7 mm"},
        **ends,
    }
    studio = Studio(Route.of({"taut": 1, "route": {"cables": {"one": one}}}, tmp_path), tmp_path, "127.0.0.1", 0)
    try:
        studio._card.value = "hydraulic hose"
        studio._set_card()
        data = studio.route.data["route"]["cables"]["one"]
        assert data["material"] == "hydraulic hose" and data["limits"] == {"bend_radius": "190.3 mm"}, studio.message
        assert "EN 853, 1SN: 180 mm on the inside of the bend" in studio.message
    finally:
        studio.stop()
