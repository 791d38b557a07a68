"""The binary messages, little-endian, every number aligned to its size; `taut.h` says the same in C.

Each message is a head of 16 bytes, magic "TAUT", kind (u32), bytes that follow (u64), and then:

    HELLO  1  to the host      u32 version, mode, controls, bodies, ropes, coupled; f64 dt [s]
                               names of 64 bytes each, zero at the end: controls, bodies, ropes, coupled bodies;
                               f64 controls[] as the scene starts
    SETUP  2  to the server    for each coupled body: f64 mass [kg], inertia[3] about its centre of mass along its axes [kg m^2]
    READY  3  to the host      f64 largest stable step [s], infinite when there is no limit
    STEP   4  to the server    u32 steps, flags (1: reset first, 2: no rope points); f64 controls[]
                               for each coupled body: f64 position[3] [m], orientation[4] (w, x, y, z), velocity[3] [m/s],
                               spin[3] [rad/s], force[3] [N], torque[3] [N m], world axes; force and torque from the host
                               besides gravity, torque about the centre of mass
    STATE  5  to the host      u64 step; f64 time [s]
                               for each body: f64 position[3] [m], orientation[4]
                               for each rope: f64 tension at its start, at its end [N]
                               for each coupled body: f64 linear[3], angular[3]: impulse [N s, N m s] or force [N, N m]
                               u32 points[] of each rope and one more if that makes them even; f64 point[3] of all [m]
    ERROR  6  to the host      text, UTF-8; the last good state stands
    BYE    7  to the server    nothing
"""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

import numpy as np

VERSION = 1
MAGIC = b"TAUT"
HELLO, SETUP, READY, STEP, STATE, ERROR, BYE = range(1, 8)
#: modes: Taut moves everything; coupled bodies, impulses out; poses in, forces out
PLAIN, COUPLED, FORCES = 0, 1, 2
MODES = ("plain", "coupled", "forces")
#: flags of STEP
RESET, NO_POINTS = 1, 2
NAME_BYTES = 64
#: numbers of a coupled body in STEP
COUPLED_NUMBERS = 19
#: longest message that is taken [B]
MOST_BYTES = 64 * 1024 * 1024
_HEAD = struct.Struct("<4sIQ")
_HELLO = struct.Struct("<6Id")
_STEP = struct.Struct("<2I")
_STATE = struct.Struct("<Qd")


class ProtocolError(RuntimeError):
    """A message that cannot be understood."""


class Hello(NamedTuple):
    """What a server tells first."""

    mode: int
    dt: float
    controls: list[str]
    bodies: list[str]
    ropes: list[str]
    coupled: list[str]
    start: np.ndarray  # values of the controls as the scene starts, shape (controls,)


class Asked(NamedTuple):
    """A step that a host asks for."""

    steps: int
    flags: int
    controls: np.ndarray
    coupled: np.ndarray


class Told(NamedTuple):
    """What a host hears after a step."""

    step: int
    time: float
    poses: np.ndarray  # position and quaternion of each body [m, -], shape (bodies, 7)
    tensions: np.ndarray  # at the start and the end of each rope [N], shape (ropes, 2)
    coupled: np.ndarray  # impulse [N s, N m s] or force [N, N m] on each coupled body, shape (coupled, 6)
    points: list[np.ndarray]  # of each rope [m]


def send(connection: socket.socket, kind: int, payload: bytes = b"") -> None:
    """Send a message in one piece."""
    connection.sendall(_HEAD.pack(MAGIC, kind, len(payload)) + payload)


def receive(connection: socket.socket) -> tuple[int, bytes]:
    """The next message; (BYE, nothing) when the other side has gone. Raises ProtocolError."""
    head = _exactly(connection, _HEAD.size)
    if head is None:
        return BYE, b""
    magic, kind, size = _HEAD.unpack(head)
    if magic != MAGIC:
        raise ProtocolError(f"a message begins with {magic!r}; expected {MAGIC!r}: is this another protocol?")
    if size > MOST_BYTES:
        raise ProtocolError(f"a message of {size} bytes; at most {MOST_BYTES} are taken")
    payload = _exactly(connection, size) if size else b""
    return (BYE, b"") if payload is None else (kind, payload)


def _exactly(connection: socket.socket, size: int) -> bytes | None:
    parts = []
    while size:
        part = connection.recv(min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


# ---- what the server writes and the host reads -----------------------------------------------------------------------


def pack_hello(hello: Hello) -> bytes:
    """HELLO. Raises ProtocolError for a name that is too long."""
    lists = (hello.controls, hello.bodies, hello.ropes, hello.coupled)
    head = _HELLO.pack(VERSION, hello.mode, *(len(names) for names in lists), hello.dt)
    names = b"".join(_name(name) for names in lists for name in names)
    return head + names + np.asarray(hello.start, "<f8").tobytes()


def _name(name: str) -> bytes:
    text = name.encode()
    if len(text) >= NAME_BYTES:
        raise ProtocolError(f"the name {name!r} has {len(text)} bytes; at most {NAME_BYTES - 1} fit a message")
    return text.ljust(NAME_BYTES, b"\0")


def unpack_hello(payload: bytes) -> Hello:
    """Read HELLO. Raises ProtocolError for another version."""
    version, mode, *counts, dt = _HELLO.unpack_from(payload)
    if version != VERSION:
        raise ProtocolError(f"the server speaks version {version} of the messages, this is {VERSION}")
    at = _HELLO.size
    lists = []
    for count in counts:
        slots = [payload[at + k * NAME_BYTES : at + (k + 1) * NAME_BYTES] for k in range(count)]
        lists.append([slot.rstrip(b"\0").decode() for slot in slots])
        at += count * NAME_BYTES
    controls, bodies, ropes, coupled = lists
    start = np.frombuffer(payload, "<f8", counts[0], at).astype(float)
    return Hello(mode, dt, controls, bodies, ropes, coupled, start)


def pack_state(
    step: int, time: float, poses: np.ndarray, tensions: np.ndarray, coupled: np.ndarray, points: list[np.ndarray]
) -> bytes:
    """STATE."""
    counts = np.zeros(len(points) + len(points) % 2, "<u4")
    counts[: len(points)] = [len(line) for line in points]
    numbers = [np.ascontiguousarray(part, "<f8").tobytes() for part in (poses, tensions, coupled)]
    lines = b"".join(np.ascontiguousarray(line, "<f8").tobytes() for line in points)
    return b"".join([_STATE.pack(step, time), *numbers, counts.tobytes(), lines])


def unpack_state(payload: bytes, hello: Hello) -> Told:
    """Read STATE."""
    step, time = _STATE.unpack_from(payload)
    at = _STATE.size
    tables = []
    for rows, columns in ((len(hello.bodies), 7), (len(hello.ropes), 2), (len(hello.coupled), 6)):
        tables.append(np.frombuffer(payload, "<f8", rows * columns, at).reshape(rows, columns))
        at += 8 * rows * columns
    ropes = len(hello.ropes)
    counts = np.frombuffer(payload, "<u4", ropes, at)
    at += 4 * (ropes + ropes % 2)
    points = []
    for count in counts.tolist():
        points.append(np.frombuffer(payload, "<f8", 3 * count, at).reshape(count, 3))
        at += 24 * count
    poses, tensions, coupled = tables
    return Told(step, time, poses, tensions, coupled, points)


# ---- what the host writes and the server reads -----------------------------------------------------------------------


def pack_step(steps: int, flags: int, controls: np.ndarray, coupled: np.ndarray) -> bytes:
    """STEP."""
    numbers = [np.ascontiguousarray(part, "<f8").tobytes() for part in (controls, coupled)]
    return b"".join([_STEP.pack(steps, flags), *numbers])


def unpack_step(payload: bytes, controls: int, coupled: int) -> Asked:
    """Read STEP. Raises ProtocolError for a message of another size."""
    expected = _STEP.size + 8 * (controls + COUPLED_NUMBERS * coupled)
    if len(payload) != expected:
        raise ProtocolError(
            f"STEP has {len(payload)} bytes; {controls} controls and {coupled} coupled bodies take {expected}"
        )
    steps, flags = _STEP.unpack_from(payload)
    numbers = np.frombuffer(payload, "<f8", offset=_STEP.size)
    if not np.isfinite(numbers).all():
        raise ProtocolError("STEP holds a number that is not finite")
    return Asked(steps, flags, numbers[:controls], numbers[controls:].reshape(coupled, COUPLED_NUMBERS))


def unpack_setup(payload: bytes, coupled: int) -> np.ndarray:
    """Read SETUP: mass and inertia of each coupled body, shape (coupled, 4). Raises ProtocolError."""
    if len(payload) != 32 * coupled:
        raise ProtocolError(f"SETUP has {len(payload)} bytes; {coupled} coupled bodies take {32 * coupled}")
    return np.frombuffer(payload, "<f8").reshape(coupled, 4)
