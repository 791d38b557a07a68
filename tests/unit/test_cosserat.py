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


def test_what_cannot_be_done_is_said() -> None:
    from taut.bench.cosserat import _outcome
    from taut.bench.peers.cosserat import Taut

    assert _outcome("capstan", Taut())["trouble"].startswith("cannot: cylinder_contact")
