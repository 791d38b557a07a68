"""Contact geometry: which shapes touch, where, along which normal and how deep. Forces are solved in the step."""

from taut.contact.detect import detect
from taut.contact.shapes import Shapes, make_shapes
from taut.contact.work import Contacts, DetectWork, make_contacts, make_work

__all__ = [
    "Contacts",
    "DetectWork",
    "Shapes",
    "detect",
    "make_contacts",
    "make_shapes",
    "make_work",
]
