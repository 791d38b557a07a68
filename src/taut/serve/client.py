"""A host in Python: for tests, for trying things out, and as the shortest description of the protocol."""

from __future__ import annotations

import contextlib
import socket
import time
from types import TracebackType
from typing import NamedTuple

import numpy as np

from taut.serve import messages as m
from taut.serve.errors import ServeError


class RoundTrip(NamedTuple):
    """Time from asking for a step to having its state [s]."""

    p50: float
    p99: float
    most: float


class Client:
    """A connection to `taut serve`: `with Client(port) as host: host.step({"left.speed": 0.5}).poses`."""

    def __init__(self, port: int, host: str = "127.0.0.1", timeout: float = 30.0) -> None:
        """Connect and read what the server has. Raises OSError and ServeError."""
        self._connection = socket.create_connection((host, port), timeout)
        self._connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        kind, payload = m.receive(self._connection)
        if kind != m.HELLO:
            raise ServeError("the server did not say hello: it may be busy with another host")
        self.hello = m.unpack_hello(payload)
        self._controls = self.hello.start.copy()
        self.trips: list[float] = []

    def set_up(self, masses: np.ndarray) -> float:
        """Tell mass [kg] and inertia [kg m^2] of each coupled body, shape (coupled, 4); returns the largest stable step [s]."""
        kind, payload = self._ask(m.SETUP, np.ascontiguousarray(masses, "<f8").tobytes())
        del kind
        return float(np.frombuffer(payload, "<f8")[0])

    def step(
        self,
        controls: dict[str, float] | None = None,
        coupled: np.ndarray | None = None,
        steps: int = 1,
        flags: int = 0,
    ) -> m.Told:
        """Make steps; controls keep their values until they are set again. Raises ServeError."""
        for name, value in (controls or {}).items():
            if name not in self.hello.controls:
                raise ServeError(f"no control {name!r}; controls: {', '.join(self.hello.controls)}")
            self._controls[self.hello.controls.index(name)] = value
        bodies = np.zeros((0, m.COUPLED_NUMBERS)) if coupled is None else coupled
        begun = time.perf_counter()
        _, payload = self._ask(m.STEP, m.pack_step(steps, flags, self._controls, bodies))
        self.trips.append(time.perf_counter() - begun)
        return m.unpack_state(payload, self.hello)

    def _ask(self, kind: int, payload: bytes) -> tuple[int, bytes]:
        m.send(self._connection, kind, payload)
        kind, payload = m.receive(self._connection)
        if kind == m.ERROR:
            raise ServeError(payload.decode())
        if kind == m.BYE:
            raise ServeError("the server has gone")
        return kind, payload

    def round_trip(self) -> RoundTrip:
        """Of all steps so far."""
        return RoundTrip(*(float(np.quantile(self.trips, q)) for q in (0.5, 0.99, 1.0)))

    def close(self) -> None:
        """Say bye."""
        with contextlib.suppress(OSError):
            m.send(self._connection, m.BYE)
        self._connection.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
