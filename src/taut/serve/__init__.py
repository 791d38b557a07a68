"""Taut inside another engine: a server on the loopback interface, its messages, and a host in Python.

`taut.h` beside this file is the whole of the host's side in C.
"""

from __future__ import annotations

from pathlib import Path

from taut.serve.client import Client, RoundTrip
from taut.serve.errors import ServeError
from taut.serve.messages import COUPLED, FORCES, MODES, PLAIN
from taut.serve.server import PORT, Server

__all__ = ["COUPLED", "FORCES", "HEADER", "MODES", "PLAIN", "PORT", "Client", "RoundTrip", "ServeError", "Server"]

#: the C header
HEADER = Path(__file__).with_name("taut.h")
