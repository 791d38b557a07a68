"""Everything a user reads: the same number in file, page and test."""

from taut.measure.names import Names, Quantity, UnknownName, contact_forces

__all__ = ["Names", "Quantity", "UnknownName", "contact_forces"]
