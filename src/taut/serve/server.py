"""The server: one scene, a fixed step, one host at a time, on the loopback interface."""

from __future__ import annotations

import contextlib
import errno
import gc
import socket
import threading
from collections.abc import Callable

import numpy as np

from taut.measure import poses
from taut.scene import Scene, SceneError
from taut.serve import messages as m
from taut.serve.coupling import Coupling, check, kinematic, own_masses, with_masses
from taut.serve.errors import ServeError
from taut.serve.lines import lines_of
from taut.simulation import Simulation, SimulationError

HOST = "127.0.0.1"
PORT = 7345
#: most steps of one message
MOST_STEPS = 100_000


class Server:
    """Serves a scene: `with Server(scene, port=0) as server: server.start(); ... server.port`."""

    def __init__(
        self,
        scene: Scene,
        mode: int = m.PLAIN,
        couple: tuple[str, ...] = (),
        port: int = PORT,
        say: Callable[[str], None] | None = None,
    ) -> None:
        """Compile the scene and listen; port 0 takes a free one. Raises ServeError, SceneError and OSError.

        `say` is told, in words, the largest stable step wherever there is one, and what a host was refused.
        """
        names = list(couple)
        check(scene, names, mode)
        self._mode, self._names = mode, names
        self._say = say or (lambda _: None)
        given = own_masses(scene, names) if mode == m.FORCES else None
        self._scene = kinematic(scene, names) if mode == m.FORCES else scene
        self._own = [f"{name}.{kind}[{c}]" for name in names for kind in ("velocity", "spin") for c in range(3)]
        self._use(Simulation(self._scene))
        self._sim.prepare()
        #: largest stable step [s] with the masses of the scene, infinite without a limit
        self.limit = float("inf") if given is None else self._limit(given)
        try:
            self._listener = socket.create_server((HOST, port), backlog=1)
        except OSError as error:
            if error.errno != errno.EADDRINUSE:
                raise
            raise ServeError(
                f"port {port} of {HOST} is taken, perhaps by another `taut serve`; choose another with --port, 0 takes a free one"
            ) from None
        self.port = int(self._listener.getsockname()[1])
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None

    def _use(self, sim: Simulation) -> None:
        self._sim = sim
        self._coupling = Coupling(sim, self._names, self._mode)
        # what moves the host's bodies is not for the host to steer
        self._controls = [name for name in sim.controls if not (self._mode == m.FORCES and name in self._own)]
        self._lines = lines_of(sim)
        self._ready = self._mode == m.PLAIN

    # ---- life --------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Serve from a thread of its own."""
        self._thread = threading.Thread(target=self.run, name="serve", daemon=True)
        self._thread.start()

    def run(self) -> None:
        """Serve one host after the other until `close`."""
        gc.collect()
        gc.freeze()  # what is there stays: no collection looks through it in the middle of a frame
        while not self._stop.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                with contextlib.suppress(ConnectionError):
                    self._attend(connection)

    def close(self) -> None:
        """Stop listening."""
        self._stop.set()
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- a host ------------------------------------------------------------------------------------------------------

    def _attend(self, connection: socket.socket) -> None:
        """Everything with one host, from hello to bye. Each starts from the start of the scene."""
        self._sim.reset()
        self._ready = self._mode == m.PLAIN
        bodies = [name for name in self._sim.compiled.bodies.names if name in self._sim.scene.all_bodies()]
        hello = m.Hello(
            self._mode, self._sim.dt, self._controls, bodies, [line.name for line in self._lines], self._names,
            np.array([self._sim.controls[name] for name in self._controls]),
        )  # fmt: skip
        m.send(connection, m.HELLO, m.pack_hello(hello))
        while not self._stop.is_set():
            try:
                kind, payload = m.receive(connection)
                if kind == m.BYE:
                    return
                answer = self._answer(kind, payload)
            except m.ProtocolError as error:
                m.send(connection, m.ERROR, str(error).encode())
                return  # after a message that makes no sense, nothing that follows does
            except (ServeError, SceneError, SimulationError, ValueError) as error:
                m.send(connection, m.ERROR, str(error).encode())
                continue
            m.send(connection, *answer)

    def _answer(self, kind: int, payload: bytes) -> tuple[int, bytes]:
        if kind == m.SETUP:
            return m.READY, np.array([self._set_up(m.unpack_setup(payload, len(self._names)))], "<f8").tobytes()
        if kind == m.STEP:
            return m.STATE, self._step(m.unpack_step(payload, len(self._controls), len(self._names)))
        raise m.ProtocolError(f"a message of kind {kind}; expected SETUP ({m.SETUP}), STEP ({m.STEP}) or BYE ({m.BYE})")

    def _set_up(self, masses: np.ndarray) -> float:
        """Take the host's masses; returns the largest stable step [s]. Raises ServeError beyond it."""
        if self._mode == m.PLAIN:
            raise ServeError("SETUP is for coupled bodies; this scene is served with --mode plain")
        changed = with_masses(self._scene, self._names, masses) if self._mode == m.COUPLED else self._scene
        self._use(Simulation(changed))
        self._sim.prepare()
        limit = self._limit(masses)
        told = ", ".join(f"{name} {row[0]:g} kg" for name, row in zip(self._names, masses))
        if not self._sim.dt < limit:
            refused = (
                f"refused: with {told} the ropes allow a step of at most {1e3 * limit:.3g} ms when forces are given out, and "
                f"dt is {1e3 * self._sim.dt:.3g} ms. Use --mode coupled, which has no limit, or --set dt={0.9 * limit:.2g}"
            )
            self._say(refused)
            raise ServeError(refused)
        if limit < float("inf"):
            self._say(f"a host with {told}: stable below {1e3 * limit:.3g} ms")
        self._ready = True
        return limit

    def _limit(self, masses: np.ndarray) -> float:
        """The largest stable step of a host with these masses [s], infinite without a limit."""
        # one step and back: it leaves the ropes' rows behind, of which the limit is computed
        self._sim.run(1)
        limit = self._coupling.limit(masses)
        self._sim.reset()
        return limit

    def _step(self, asked: m.Asked) -> bytes:
        if not self._ready:
            raise ServeError("send SETUP with mass and inertia of the coupled bodies before the first STEP")
        if asked.steps > MOST_STEPS or (self._names and asked.steps > 1):
            raise ServeError(f"{asked.steps} steps in one message; at most {1 if self._names else MOST_STEPS}")
        sim = self._sim
        if asked.flags & m.RESET:
            sim.reset()
        for name, value in zip(self._controls, asked.controls.tolist()):
            sim.controls[name] = value
        pulled = np.zeros((len(self._names), 6))
        if asked.steps and self._names:
            self._coupling.put(asked.coupled)
        if asked.steps:
            sim.run(asked.steps)
            if self._names:
                pulled = self._coupling.take()
        count = len(sim.compiled.bodies.names) - 1
        seen = np.concatenate([poses.positions(sim)[:count], poses.orientations(sim)[:count]], axis=1)
        points = [] if asked.flags & m.NO_POINTS else [line.points() for line in self._lines]
        points = points or [np.zeros((0, 3))] * len(self._lines)
        return m.pack_state(
            sim.steps, sim.time, seen, np.array([line.pull() for line in self._lines]).reshape(-1, 2), pulled, points
        )
