"""The public names: a short list, all importable, all documented."""

import inspect

import taut


def test_every_public_name_exists_and_is_documented() -> None:
    for name in taut.__all__:
        value = getattr(taut, name)
        if name != "__version__" and not isinstance(value, str):
            assert inspect.getdoc(value), f"{name} has no docstring"


def test_the_list_is_sorted_and_complete() -> None:
    assert taut.__all__ == sorted(taut.__all__)
    assert set(dir(taut)) == set(taut.__all__)


def test_unrolled_kernels_are_up_to_date() -> None:
    import runpy
    from pathlib import Path

    tool = runpy.run_path(str(Path(__file__).resolve().parents[2] / "tools" / "unroll.py"))
    assert tool["TARGET"].read_text(encoding="utf-8") == tool["text"](), "run `python tools/unroll.py`"
