"""Our cable as a solver of cosseratbench, judged by its own code."""

import pytest

pytest.importorskip("cosseratbench", reason="needs cosseratbench (extra peers)")


@pytest.mark.parametrize(
    ("name", "metric", "most"),
    [("cantilever", "tip_deflection_error", 0.01), ("catenary", "shape_error", 1e-3)],
)
def test_errors_are_small(name: str, metric: str, most: float) -> None:
    from taut.bench.cosserat import _outcome
    from taut.bench.peers.cosserat import Taut

    outcome = _outcome(name, Taut())
    assert outcome["trouble"] == ""
    assert outcome["metrics"][metric] < most


def test_ropes_that_touch() -> None:
    from taut.bench.cosserat import _outcome
    from taut.bench.peers.cosserat import Taut

    # on the drum, with a fifth less than slides: it stays, but for what its segments settle
    capstan = _outcome("capstan", Taut())
    assert capstan["trouble"] == "" and abs(capstan["metrics"]["slide"]) < 1e-3
    # one rope across another: the force between them, by where they come to hang
    crossing = _outcome("crossing", Taut())
    assert crossing["trouble"] == "" and crossing["metrics"]["shape_error"] < 2e-3


def test_what_cannot_be_done_is_said() -> None:
    from dataclasses import replace

    from cosseratbench import run
    from cosseratbench.experiments.cantilever import cantilever
    from cosseratbench.solver import Capability

    from taut.bench.peers.cosserat import Taut

    result = run(replace(cantilever, requires=frozenset({Capability.SHEAR})), Taut())
    assert "shear" in result.missing
