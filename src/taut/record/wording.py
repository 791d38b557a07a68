"""Numbers as a person reads them: 14.2 kN +- 0.1, 3.5 mm, 0.02 %. The one place where they are put into words."""

from __future__ import annotations

import math

_DOWN = {1e-9: "n", 1e-6: "u", 1e-3: "m", 1.0: ""}
_UP = {1e3: "k", 1e6: "M", 1e9: "G", 1e12: "T"}
#: which prefixes people use with a unit; a unit that is not here stands as it is
_PREFIXES: dict[str, dict[float, str]] = {
    "m": {**_DOWN, 1e3: "k"},
    "m/s": _DOWN,
    "s": {1e-9: "n", 1e-6: "u", 1e-3: "m", 1.0: ""},
    **{unit: {1e-6: "u", 1e-3: "m", 1.0: "", **_UP} for unit in ("N", "J", "W", "N m")},
    "Pa": {1.0: "", **_UP},
}
#: significant digits: as many as are shown without an error bar, and at most with one
DIGITS, MOST_DIGITS = 4, 6


def number(value: float, unit: str = "-", digits: int = DIGITS) -> str:
    """A value with its unit, in engineering prefixes: 14210 N is '14.21 kN'."""
    if not math.isfinite(value):
        return "not known" if math.isnan(value) else f"{'-' if value < 0.0 else ''}infinite {unit}".removesuffix(" -")
    factor, shown = scaled_unit(value, unit)
    return f"{_plain(value / factor, digits)} {shown}".strip()


def with_error(value: float, error: float, unit: str = "-") -> str:
    """A value and its error bar, both to the digit that the error leaves: '14.2 kN +- 0.1'."""
    if not math.isfinite(value) or not math.isfinite(error):
        return f"{number(value, unit)} +- {number(error, unit)}"
    factor, shown = scaled_unit(max(abs(value), abs(error)), unit)
    value, error = value / factor, error / factor
    size = max(abs(value), error)
    finest = MOST_DIGITS - 1 - _power(size) if size > 0.0 else 0
    places = min(_error_places(error), finest) if error > 0.0 else DIGITS - 1 - _power(size) if size > 0.0 else 0
    unit_text = f" {shown}" if shown else ""
    if abs(places) > 9:
        return f"{value:.3g}{unit_text} +- {error:.1g}"
    if round(error, places) == 0.0:
        error_text = f"less than {_fixed(10.0**-places, places)}" if error > 0.0 else "0"
    else:
        error_text = _fixed(error, places)
    return f"{_fixed(value, places)}{unit_text} +- {error_text}"


def percent(part: float, whole: float) -> str:
    """A part of a whole: '0.02 %'."""
    if not math.isfinite(part) or not math.isfinite(whole) or whole == 0.0:
        return "0 %" if part == 0.0 else "not known"
    return f"{_plain(100.0 * part / whole, 2)} %"


def size(count: int) -> str:
    """A number of bytes: '1.2 MB'."""
    for factor, prefix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if count >= factor:
            return f"{_plain(count / factor, 3)} {prefix}B"
    return f"{count} B"


def scaled_unit(value: float, unit: str) -> tuple[float, str]:
    """Factor and unit with the prefix that suits a value: (1000.0, 'kN')."""
    bare = "" if unit == "-" else unit
    prefixes = _PREFIXES.get(unit)
    if prefixes is None or value == 0.0 or not math.isfinite(value):
        return 1.0, bare
    # a length of 0.25 m stays in metres, one of 0.05 m becomes 50 mm
    least = 0.1 if unit in ("m", "m/s", "s") else 1.0
    fitting = [factor for factor in prefixes if abs(value) >= factor * (least if factor == 1.0 else 1.0) * 0.9999995]
    # what is smaller than the smallest prefix stands with an exponent
    factor = max(fitting, default=1.0)
    return factor, prefixes[factor] + bare


def _power(value: float) -> int:
    """Place of the first digit: 0 for 1 to 9.99."""
    return math.floor(math.log10(abs(value)) + 1e-12)


def _error_places(error: float) -> int:
    """Decimal places that an error leaves: one digit, two if the first is a one."""
    power = _power(float(f"{error:.0e}"))
    first = round(error / 10.0**power, 6)
    return 1 - power if first < 1.95 and first > 1.05 else -power


def _fixed(value: float, places: int) -> str:
    rounded = round(value, places) + 0.0  # no minus zero
    return f"{rounded:.{max(0, places)}f}"


def _plain(value: float, digits: int) -> str:
    """Significant digits without an exponent where that is readable."""
    if value == 0.0:
        return "0"
    power = _power(float(f"{value:.{digits - 1}e}"))
    if -4 <= power < 7:
        text = f"{value:.{max(0, digits - 1 - power)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    mantissa, _, exponent = f"{value:.{digits - 1}e}".partition("e")
    return f"{mantissa.rstrip('0').rstrip('.')}e{int(exponent)}"
