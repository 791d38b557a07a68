"""Theory and papers against what is computed here, as a list of items that pass or fail."""

from taut.validate.item import Item
from taut.validate.lab import Check, Lab
from taut.validate.run import SETS, checks_of, main

__all__ = ["SETS", "Check", "Item", "Lab", "checks_of", "main"]
