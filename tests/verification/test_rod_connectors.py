"""Connectors with a shape: free ones lie on parts, fixed ones are asked whether they can be fitted."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

import taut
from taut.cables.rod import Hollow
from taut.cables.rod.fitting import fit
from taut.cables.rod.harness import Harness, On
from taut.cables.rod.route import Route
from taut.cables.rod.values import RodError
from taut.cli import main
from taut.view.route_studio import Studio

MASS = 0.06


def hanging(
    shape: Any, obstacle: Any, at: tuple[float, float, float], turned: tuple[float, ...] = (1, 0, 0, 0)
) -> Harness:
    """A plug on a hose that hangs down to 0.46 m below its other end."""
    harness = Harness()
    harness.add_connector("wall", (0, 0, 0))
    harness.add_connector("plug", (0.4, 0, -0.1), fixed=False, mass=MASS, centre=(0.02, 0, 0), shape=shape)
    harness.add_cable(
        "hose", "500 mm", 50, On("wall"), On("plug"), section=Hollow("12 mm", "8 mm"), E="6 MPa", nu=0.45,
        density="1200 kg/m^3",
    )  # fmt: skip
    harness.add_obstacle("floor", obstacle, at, turned)
    return harness


@pytest.mark.parametrize(
    "shape",
    [taut.Sphere(radius=0.02), taut.Capsule(radius=0.01, length=0.04), taut.Box(size=(0.05, 0.03, 0.02)), taut.Cylinder(radius=0.015, length=0.05)],
)  # fmt: skip
def test_a_free_plug_lies_on_the_floor(shape: Any) -> None:
    """The floor comes up from below: what it pushes with and what the wall holds is the weight of plug and hose."""
    harness = hanging(shape, taut.Plane(), (0, 0, -0.6))
    harness.solve()
    assert harness.contact_force == {}
    weight = 9.81 * (MASS + float(harness["hose"]._chain.properties.mass[0]) * 0.5)
    for z in np.arange(-0.575, -0.33, 0.025):
        harness.move_obstacle("floor", (0.0, 0.0, float(z)))
        found = harness.solve()
        assert found.residual < 1e-8
    assert abs(harness.connector_clearance("plug").distance) < 1e-8
    up = harness.contact_force["floor"]
    assert up[2] > 0.5 and up[:2] == pytest.approx(0.0, abs=1e-12)
    assert up[2] + harness["hose"].end_force("start")[2] == pytest.approx(weight, rel=1e-9)
    force, moment = harness.load("plug")
    assert force == pytest.approx(0.0, abs=1e-7) and moment == pytest.approx(0.0, abs=1e-8)
    # it is let go again
    harness.move_obstacle("floor", (0.0, 0.0, -0.7))
    harness.solve()
    assert harness.contact_force == {} and harness.pose("plug")[0][2] < -0.44


def test_a_plug_leans_on_a_pipe() -> None:
    """A ball on a round thing: the curvature of both is in the matrix, or Newton would not settle."""
    harness = hanging(
        taut.Sphere(radius=0.02), taut.Cylinder(radius=0.05, length=0.3), (0.3, 0, -0.47), (0.7071, 0.7071, 0, 0)
    )
    harness.solve()
    for x in np.arange(0.28, 0.14, -0.02):
        harness.move_obstacle("floor", (float(x), 0.0, -0.47))
        found = harness.solve()
        assert found.residual < 1e-8 and found.iterations < 60
    away = harness.pose("plug")[0]
    push = harness.contact_force["floor"]
    assert push[0] < 0.0 and away[0] < 0.14
    assert harness.connector_clearance("plug").distance == pytest.approx(0.0, abs=1e-9)


PLUG: dict[str, Any] = {
    "taut": 1,
    "route": {
        "parts": {
            "socket": {"shape": {"type": "box", "size": [0.06, 0.08, 0.08]}, "point": [0.65, 0, 0]},
            "shelf": {"shape": {"type": "box", "size": [0.3, 0.2, 0.01]}, "point": [0.45, 0, 0.09]},
        },
        "connectors": {
            "rail": {"point": [0, 0, 0]},
            "plug": {"point": [0.58, 0, 0], "centre": [0.02, 0, 0], "shape": {"type": "box", "size": [0.044, 0.03, 0.02]}},
        },
        "cables": {
            "lead": {
                "length": 0.64, "segments": 60, "section": {"diameter": "8 mm"}, "E": "20 MPa", "nu": 0.4,
                "density": "1400 kg/m^3", "start": {"at": "rail"}, "end": {"at": "plug"}, "limits": {"end_force": "5 N"},
            }
        },
    },
}  # fmt: skip


def solved() -> Route:
    route = Route.of(PLUG)
    route.solve()
    return route


def test_a_plug_comes_out_of_its_socket() -> None:
    """It sits in the socket by 2 mm: coming out is not running into it."""
    way = fit(solved(), ("plug",), by="[-60, 0, 0] mm")
    assert way.fits and way.done == 1.0 and not way.meets
    assert "fits" in way.lines()[0]


def test_a_plug_goes_no_deeper() -> None:
    way = fit(solved(), ("plug",), by="[20, 0, 0] mm")
    assert not way.fits and way.meets == "socket"


def test_a_plug_runs_into_the_shelf() -> None:
    """The shelf begins at 85 mm, the plug ends at 10 mm: after 75 mm they meet, seen in the next frame."""
    way = fit(solved(), ("plug",), to="[580, 0, 120] mm")
    assert not way.fits and way.meets == "shelf"
    assert 0.075 <= way.meets_at * 0.12 <= 0.0801


def test_a_lead_that_is_too_short_is_told_how_long() -> None:
    """The socket is taken 120 mm away with its plug: 700 mm from rail to plug. Cables grow by 1 % at a time."""
    way = fit(solved(), ("plug", "socket"), by="[120, 0, 0] mm")
    assert not way.fits and not way.meets
    assert 0.04 < way.done * 0.12 <= 0.06
    assert 0.7 < way.needed["lead"] < 0.7 / 0.995 * 1.01
    assert any("would do" in line for line in way.lines())


@pytest.mark.parametrize(("moved", "words"), [(("nothing",), "known: rail, plug"), (("plug",), "give either")])
def test_mistakes_are_told(moved: tuple[str, ...], words: str) -> None:
    with pytest.raises(RodError, match=words):
        fit(solved(), moved, by="[1, 0, 0] mm", to="[0, 0, 0]" if moved == ("plug",) else None)


def test_the_command_says_whether_it_fits(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    file = tmp_path / "plug.yaml"
    file.write_text(yaml.safe_dump(PLUG), encoding="utf-8")
    assert main(["route", str(file), "--fit", "plug", "--by", "[-60, 0, 0] mm"]) == 0
    assert "plug: 60 mm by [-60, 0, 0] mm: fits" in capsys.readouterr().out
    assert main(["route", str(file), "--fit", "plug", "--to", "[580, 0, 120] mm"]) == 1
    assert "runs into shelf after 80 mm" in capsys.readouterr().out
    assert main(["route", str(file), "--fit", "plug"]) == 2
    assert "--to or --by" in capsys.readouterr().err
    # as it stands: 2 mm in its socket
    main(["route", str(file), "--no-view", "--export", str(tmp_path / "lead.csv")])
    assert "it is inside of socket" in capsys.readouterr().out


def test_the_studio_shows_a_connector_and_how_near_it_is() -> None:
    studio = Studio(Route.of(PLUG), Path(), "127.0.0.1", 0)
    try:
        assert "plug clearance -2 mm: it is inside of socket" in studio._state.content
        assert studio.scene._plugs["plug"].position == pytest.approx([0.6, 0.0, 0.0])
    finally:
        studio.stop()


def test_a_plug_that_would_hang_through_the_floor_is_laid_on_it_without_long_attempts() -> None:
    """Two leads bundled by a tie, one with a loose plug: hanging freely it goes through the floor, from where contacts lead nowhere."""
    lead = {"length": 0.4, "segments": 40, "section": {"diameter": 0.008}, "E": 20e6, "nu": 0.4, "density": 1400}
    box = {"type": "box", "size": [0.04, 0.024, 0.016]}
    cables = {
        "trunk": {**lead, "length": 0.38, "section": {"diameter": 0.014}, "start": {"at": "plug"}, "end": {"at": "fork"}},
        "lead_a": {**lead, "start": {"at": "fork", "direction": [1, 0.2, 0], "point": [0, 0.005, 0]}, "end": {"at": "sensor"}},
        "lead_b": {**lead, "start": {"at": "fork", "direction": [1, -0.2, 0], "point": [0, -0.005, 0]}, "end": {"at": "loose"}},
    }  # fmt: skip
    data = {
        "parts": {"floor": {"shape": {"type": "box", "size": [1, 1, 0.02]}, "point": [0.3, 0, -0.16]}},
        "connectors": {
            "plug": {"point": [0, 0, 0]},
            "sensor": {"point": [0.6, 0.15, 0]},
            "loose": {"point": [0.56, -0.15, 0], "held": "free", "mass": 0.03, "shape": box, "centre": [0.02, 0, 0]},
        },
        "branches": {"fork": {"point": [0.3, 0, -0.05]}},
        "ties": {"strap": {"cables": {"lead_a": 0.06, "lead_b": 0.06}, "point": [0.35, 0, -0.06]}},
        "cables": cables,
    }
    route = Route.of({"taut": 1, "route": data})
    found = route.harness.solve()
    # an attempt that leads nowhere is left after a tenth of all its iterations, which are 2500
    assert found.iterations < 1000 and found.residual < 1e-8
    assert abs(route.harness.connector_clearance("loose").distance) < 1e-8
