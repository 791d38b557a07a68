"""The page on the wire: how often poses come, how much that is, how late steps are, from a key to the first motion; and every scene of the library.

The page runs in a process of its own; a socket here plays the browser, so that no renderer takes its share of the machine.
"""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np

from taut.bench import library
from taut.bench.display import Display
from taut.bench.processes import LIMIT, Child

#: how long each scene is watched [s]; the long form shows that memory stays flat
SHORT, LONG = 8.0, 600.0
#: presses of a key, and the rest between two of them [s]
KEYS, REST = 8, 2.5
#: how much longer than it is watched the page runs where no key is pressed [s]
LITTLE = 3.0
#: a picture of the page [s]: a step that comes later than this is seen, whatever the step of its scene
FRAME = 1.0 / 60.0
#: targets: updates a second, bytes a second, time from a key to the wire [s]
RATE, BYTES, LATENCY = 30.0, 1e6, 0.05
SCENES = {
    "gantry": ("gantry", ()),
    "tower_crane": ("tower_crane", ()),
    "yard": ("yard", ()),
    "2,000 segments": ("heavy_pendulum", ("rope.segments=2000",)),
}
PAGE = """
import array, json, os, resource, sys, time
from taut.view import Page
page = Page(sys.argv[1], port=0, changes=sys.argv[3:])
page.start()
while not (page.runner and page.runner.frame and page.runner.frame.step):
    page.wait(0.01)
    if page.trouble or (page.runner and page.runner.failure):
        sys.exit(page.trouble or str(page.runner.failure))
# room for all of them from the start: what is measured must not grow by being measured
runner, gaps = page.runner, array.array("d", bytes(8 * int(400 * float(sys.argv[2]))))
advance = runner._advance
last, count = [time.perf_counter()], [0]
first = last[0]
def watched(steps):
    now = time.perf_counter()
    gaps[min(count[0], len(gaps) - 1)] = now - last[0]
    count[0] += 1
    last[0] = now
    advance(steps)
runner._advance = watched
def memory():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * resource.getpagesize()
def taken():
    # time for which cores were taken from this machine, and for which threads of this process waited for one [s]
    with open("/proc/stat") as file:
        found = int(file.readline().split()[8]) / os.sysconf("SC_CLK_TCK")
    for task in os.listdir("/proc/self/task"):
        try:
            with open(f"/proc/self/task/{task}/schedstat") as file:
                found += 1e-9 * int(file.read().split()[1])
        except OSError:
            pass
    return found
def used():
    # processor time of the whole process and of the thread that steps, and steps so far
    try:
        with open(f"/proc/self/task/{runner.native_id}/schedstat") as file:
            stepping = 1e-9 * int(file.read().split()[0])
    except OSError:
        stepping = 0.0
    return [time.process_time(), stepping, runner.frame.step]
# enough looks for all of the time, and room for them
looks = array.array("d", bytes(16 * int(30 * float(sys.argv[2]))))
sizes = array.array("d", bytes(16 * int(3 * float(sys.argv[2]) + 3)))
print(json.dumps({"port": page.port}), flush=True)
start, sized, looked, used_before = time.perf_counter(), 0, 0, used()
begun = first - start
while (now := time.perf_counter() - start) < float(sys.argv[2]):
    if not sized or now - sizes[2 * sized - 2] >= 0.5:
        sizes[2 * sized], sizes[2 * sized + 1] = now, memory()
        sized += 1
    if 2 * looked < len(looks):
        looks[2 * looked], looks[2 * looked + 1] = now, taken()
        looked += 1
    time.sleep(0.05)
print(json.dumps({"dt": runner.player.dt, "begun": begun, "gaps": list(gaps[:count[0]]), "memory": list(sizes[:2 * sized]),
                  "looks": list(looks[:2 * looked]), "factor": runner.status.factor,
                  "used": [after - before for before, after in zip(used_before, used())]}), flush=True)
page.stop()
"""


def run(display: Display, long: bool = False) -> dict[str, Any]:
    """Measure, show, and hand back the numbers. `long`: ten minutes of the gantry, for the memory."""
    found: dict[str, Any] = {}
    seconds = LONG if long else SHORT
    for title, (scene, changes) in ({"gantry": SCENES["gantry"]} if long else SCENES).items():
        with display.progress(f"{title}: {seconds:g} s"):
            found[title] = _watch(scene, changes, seconds)
    display.table(
        f"on the wire (aims: {RATE:g} updates/s, {BYTES / 1e6:g} MB/s)",
        ("scene", "updates/s", "MB/s", "steps late by a frame", "worst gap", "real time", "memory per minute"),
        [_row(title, one) for title, one in found.items()],
    )
    if long:
        display.table(
            "memory of the page's process; the slope above leaves out the first third",
            ("minute", *(f"{minute:g}" for minute, _ in found["gantry"]["memory"])),
            [("MB", *(f"{size / 1e6:.1f}" for _, size in found["gantry"]["memory"]))],
        )
    else:
        display.note("memory grows while the last minute fills; `--long` shows that it stays then")
    display.table(
        "time between two calls of the solver, in frames of the scene",
        ("scene", *(f"< {edge:g}" for edge in EDGES[1:-1]), "more"),
        [(title, *(str(count) for count in one["histogram"])) for title, one in found.items()],
    )
    if any(one["others"] for one in found.values()):
        display.note(
            "by others: the machine's host had taken a core, or other programs had it, for at least half of the delay"
        )
    keys = found["gantry"]["latency"]
    display.note(
        f"from a key to the first motion on the wire: median {1e3 * np.median(keys):.0f} ms, worst {1e3 * max(keys):.0f} ms "
        f"of {len(keys)} presses (aim {1e3 * LATENCY:.0f} ms)"
    )
    if not long:
        with display.progress("every scene of the library") as progress:
            rows = library.run(lambda scene: _watch(scene, (), library.SHOWN, LITTLE), progress)
        display.table(
            f"every scene: processor time of its steps, and {library.SHOWN:g} s in the page",
            library.HEAD,
            [library.cells(row) for row in rows],
        )
        slow = [row for row in rows if row["factor"] < library.KEEPS_UP]
        # a run that lost time in no other way than by cores that were taken from it would have kept up
        taken = [row["scene"] for row in slow if row["late"] and row["late"] == row["others"]]
        own = [row["scene"] for row in slow if row["scene"] not in taken]
        display.note(f"behind the clock: {', '.join(own)}" if own else "all of them keep up with the clock")
        if taken:
            display.note(f"behind only while the cores were taken from them: {', '.join(taken)}")
        found["library"] = rows
    return found


#: edges of the histogram, in time steps of the scene
EDGES = (0.0, 0.5, 1.1, 1.5, 2.0, 3.0, np.inf)


def _row(title: str, one: dict[str, Any]) -> tuple[str, ...]:
    return (
        title,
        f"{one['rate']:.0f}",
        f"{one['bytes'] / 1e6:.2f}",
        f"{one['late']} of {sum(one['histogram'])}" + (f", {one['others']} by others" if one["others"] else ""),
        f"{1e3 * one['worst']:.1f} ms",
        f"{one['factor']:.2f}",
        f"{one['slope'] / 1e6:+.2f} MB",
    )


def _watch(scene: str, changes: tuple[str, ...], seconds: float, longer: float = 8.0) -> dict[str, Any]:
    """What a browser sees of a scene in so many seconds; the page runs for `longer` in all, to be reached [s]."""
    pressed = scene == "gantry" and longer > LITTLE
    spent = seconds + longer + (KEYS * (REST + 1.0) if pressed else 0.0)
    with Child("-c", PAGE, scene, str(spent), *changes, limit=spent + LIMIT) as child:
        port = json.loads(child.line())["port"]
        wire = Wire(port)
        latency = wire.keys(KEYS) if pressed else []
        rate, size = wire.listen(seconds if seconds < 60.0 else seconds - 20.0)
        wire.close()
        told = json.loads(child.line())
    whole_used, stepping, steps = told["used"]
    simulated = max(steps, 1) * told["dt"]
    gaps = np.array(told["gaps"])
    ends = told["begun"] + np.cumsum(gaps)
    late = (gaps > told["dt"] + max(FRAME, told["dt"])) & (np.arange(len(gaps)) >= 5)
    taken = taken_from(np.array(told["looks"]).reshape(-1, 2), ends[late] - gaps[late], ends[late])
    others = int((taken > 0.5 * (gaps[late] - told["dt"])).sum())
    gaps = gaps[5:]
    frames = gaps / told["dt"]
    whole = np.array(told["memory"]).reshape(-1, 2)
    memory = whole[len(whole) // 3 :]
    minutes = np.searchsorted(whole[:, 0], 60.0 * np.arange(1 + int(whole[-1, 0] / 60.0)))
    return {
        "rate": rate,
        "bytes": size,
        "latency": latency,
        "factor": told["factor"] or 0.0,
        "cores": whole_used / simulated,
        "stepping": stepping / simulated,
        "histogram": np.histogram(frames, EDGES)[0].tolist(),
        "late": int(late.sum()),
        "others": others,
        "worst": float(gaps.max()),
        "memory": [(float(k), float(whole[at, 1])) for k, at in enumerate(minutes)],
        "slope": 60.0 * float(np.polyfit(memory[:, 0], memory[:, 1], 1)[0]),
    }


def taken_from(looks: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Time for which cores were taken from the machine, or threads of the page waited for one, between the looks round each gap [s]."""
    before = np.searchsorted(looks[:, 0], begin, "right") - 1
    # the kernel books it with its next tick
    after = np.searchsorted(looks[:, 0], end + 0.05)
    last = len(looks) - 1
    found: np.ndarray = looks[np.clip(after, 0, last), 1] - looks[np.clip(before, 0, last), 1]
    return found


class Wire:
    """A browser as the server sees it: viser's socket, and the operator's."""

    def __init__(self, port: int) -> None:
        import msgspec
        import viser
        from websockets.sync.client import connect
        from websockets.typing import Subprotocol

        self._socket = connect(
            f"ws://127.0.0.1:{port}",
            subprotocols=[Subprotocol(f"viser-v{viser.__version__}")],
            max_size=None,
            compression=None,
            ping_interval=None,
        )
        self._trolley = np.zeros(3)
        # nobody listens to it for minutes, nor for an answer to a ping
        self._operator = connect(f"ws://127.0.0.1:{port}/taut/operator", ping_interval=None)
        # a client counts as one once it has said where its camera is
        camera = {
            "type": "ViewerCameraMessage", "wxyz": (1.0, 0.0, 0.0, 0.0), "position": (0.0, -9.0, 3.0), "fov": 0.8,
            "near": 0.1, "far": 100.0, "image_height": 600, "image_width": 800, "look_at": (0.0, 0.0, 0.0),
            "up_direction": (0.0, 0.0, 1.0),
        }  # fmt: skip
        self._socket.send(msgspec.msgpack.encode(camera))
        self.listen(2.0)

    def listen(self, seconds: float) -> tuple[float, float]:
        """Batches with poses, and bytes, a second."""
        start, poses, size = time.perf_counter(), 0, 0
        while (left := start + seconds - time.perf_counter()) > 0.0:
            try:
                heard, with_poses = self._hear(left)
            except TimeoutError:
                break
            size += heard
            poses += with_poses
        spent = time.perf_counter() - start
        return poses / spent, size / spent

    def keys(self, count: int) -> list[float]:
        """Time from the press of a key to the first message in which something has moved that stood still [s]."""
        lever = json.loads(self._operator.recv(timeout=30.0))
        while not lever["levers"]:
            lever = json.loads(self._operator.recv(timeout=30.0))
        which = [one["name"] for one in lever["levers"]].index("travel")
        found = []
        for k in range(count):
            self.listen(REST)
            stood = self._trolley
            deflection = [0.0] * len(lever["levers"])
            deflection[which] = 1.0 if k % 2 == 0 else -1.0
            pressed = time.perf_counter()
            self._operator.send(json.dumps({"levers": deflection}))
            # what stands still is not sent
            while np.array_equal(self._trolley, stood):
                self._hear(10.0)
            found.append(time.perf_counter() - pressed)
            self._operator.send(json.dumps({"levers": [0.0] * len(deflection)}))
        return found

    def _hear(self, seconds: float) -> tuple[int, bool]:
        """One message: its bytes, and whether it has poses. Remembers where the trolley is, to a hundredth of a millimetre."""
        data = self._socket.recv(timeout=seconds)
        assert isinstance(data, bytes)
        found = updates(data)
        for name, update in found:
            if name == "/bodies/trolley" and "batched_positions" in update:
                self._trolley = np.round(update["batched_positions"].astype(float), 5)
        return len(data), any("batched_positions" in update for _, update in found)

    def close(self) -> None:
        """Leave."""
        self._operator.close()
        self._socket.close()


def updates(data: bytes) -> list[tuple[str, dict[str, Any]]]:
    """Changes of nodes in a message of the server: the layout stands in viser's infra/_infra.py."""
    import msgspec
    import zstandard

    whole, packed = (int.from_bytes(data[k : k + 8], "little") for k in (0, 8))
    inner = zstandard.ZstdDecompressor().decompress(data[16 : 16 + packed], max_output_size=whole)
    message = msgspec.msgpack.decode(inner)
    starts, at = [], 16 + packed
    for length in message["binaryBufferLengths"]:
        at += -at % 8
        starts.append((at, length))
        at += length
    found = []
    for one in message["messages"]:
        if one["type"] != "SceneNodeUpdateMessage":
            continue
        changed = {}
        for key, value in one["updates"].items():
            if isinstance(value, dict) and "__binary_index" in value:
                start, length = starts[value["__binary_index"]]
                value = np.frombuffer(data[start : start + length], value["dtype"])
            changed[key] = value
        found.append((one["name"], changed))
    return found
