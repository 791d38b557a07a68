"""Everything a user reads: the same number in file, page and test."""

from taut.measure.contacts import ContactTable
from taut.measure.contacts import forces as contact_forces
from taut.measure.names import Names, UnknownName
from taut.measure.quantity import Quantity

__all__ = ["ContactTable", "Names", "Quantity", "UnknownName", "contact_forces"]
