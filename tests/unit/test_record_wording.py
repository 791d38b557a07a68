"""Numbers in words."""

from __future__ import annotations

import math

import pytest

from taut.record.wording import number, percent, size, with_error


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (14210.0, "N", "14.21 kN"),
        (999.96, "N", "1000 N"),
        (1000.0, "N", "1 kN"),
        (2.5e6, "J", "2.5 MJ"),
        (-9810.0, "J", "-9.81 kJ"),
        (0.05, "m", "50 mm"),
        (0.25, "m", "0.25 m"),
        (12.0, "m", "12 m"),
        (4.77e-4, "m", "477 um"),
        (8.3e-15, "m/s", "8.3e-15 m/s"),
        (1.0 / 60.0, "s", "16.67 ms"),
        (0.0, "N", "0 N"),
        (3.0, "-", "3"),
        (0.5236, "rad", "0.5236 rad"),
        (123456.0, "kg m/s", "123456 kg m/s"),
        (1e9, "-", "1e9"),
        (math.nan, "N", "not known"),
    ],
)
def test_number(value: float, unit: str, text: str) -> None:
    assert number(value, unit) == text


@pytest.mark.parametrize(
    ("value", "error", "unit", "text"),
    [
        (14213.0, 100.0, "N", "14.2 kN +- 0.1"),
        (14213.0, 96.0, "N", "14.2 kN +- 0.1"),
        (14213.0, 130.0, "N", "14.21 kN +- 0.13"),
        (14213.0, 7.0, "N", "14.213 kN +- 0.007"),
        (14213.0, 1e-6, "N", "14.2130 kN +- less than 0.0001"),
        (14213.0, 0.0, "N", "14.21 kN +- 0"),
        (400.0, 3000.0, "N", "0 kN +- 3"),
        (0.0123, 0.0004, "m", "12.3 mm +- 0.4"),
        (-1.5, 0.02, "m", "-1.50 m +- 0.02"),
        (1234.0, 40.0, "-", "1230 +- 40"),
        (0.0, 0.0, "N", "0 N +- 0"),
    ],
)
def test_with_error(value: float, error: float, unit: str, text: str) -> None:
    assert with_error(value, error, unit) == text


def test_small_words() -> None:
    assert percent(0.2, 1000.0) == "0.02 %"
    assert percent(0.0, 0.0) == "0 %"
    assert [size(count) for count in (12, 5785485, 1000)] == ["12 B", "5.79 MB", "1 kB"]
