"""What `taut route` does without a page: begin, solve, move, judge, write."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from taut.cables.rod.clearance import sunk
from taut.cables.rod.ends import rotate
from taut.cables.rod.envelope import envelope as swept
from taut.cables.rod.export import export
from taut.cables.rod.judging import kept, notes, rows, rows_off, table, touches
from taut.cables.rod.jumps import told as told_jumps
from taut.cables.rod.material_cards import usual
from taut.cables.rod.motion import Cycle, read_motion, run_motion
from taut.cables.rod.proportion import folds
from taut.cables.rod.route import Route, RouteError
from taut.cables.rod.tolerance import Spread, Tolerance, spread
from taut.cables.rod.touch import solid_mesh
from taut.cables.rod.tube_import import read_tube
from taut.cables.rod.values import RodError, sized
from taut.scene import mesh_file
from taut.scene.problems import did_you_mean

#: tells what goes on, as `taut.cli.waiting` does
Waiting = Callable[[str], AbstractContextManager[Callable[[str], None]]]
LIBRARY = Path(__file__).resolve().parents[2] / "scenes" / "routes"
#: a connector nearer to a part touches it [m]
TOUCHES = 1e-7
#: formats that are in metres with y up by their own definition
SELF_TOLD = (".glb", ".gltf")


def has_meshes(sources: list[str]) -> bool:
    """Whether a new route is begun among parts."""
    return any(Path(one).suffix.lower() in mesh_file.SUFFIXES for one in sources)


def lacks_unit(sources: list[str], hose: str | None) -> bool:
    """Whether there is a mesh file that does not say its unit."""
    suffixes = [Path(one).suffix.lower() for one in [*sources, *([hose] if hose else [])]]
    return any(one in mesh_file.SUFFIXES and one not in SELF_TOLD for one in suffixes)


def begin(sources: list[str], hose: str | None, unit: str | None, up: str) -> tuple[Route, Path]:
    """A route from a file, from the library, a new one from meshes, or one without anything."""
    if not sources and not hose:
        return _empty(), Path.cwd()
    meshes = [one for one in sources if Path(one).suffix.lower() in mesh_file.SUFFIXES]
    if meshes or hose:
        if len(meshes) != len(sources):
            raise RouteError("give either one route file or mesh files, not both")
        return _from_meshes(meshes, hose, unit, up), Path.cwd()
    if len(sources) != 1:
        raise RouteError(f"expected one route file, got {len(sources)}")
    known = {file.stem: file for file in sorted(LIBRARY.glob("*.yaml"))}
    path = Path(sources[0])
    if not path.exists() and sources[0] in known:
        # what is made of it does not belong into the library
        return Route.load(known[sources[0]]), Path.cwd()
    if not path.exists():
        hint = did_you_mean(sources[0], known)
        meant = f", {hint}" if hint else f"; library routes: {', '.join(known)}"
        raise RouteError(f"{sources[0]}: no such file, and no library route of that name{meant}")
    return Route.load(path), path.parent


def extent(route: Route) -> str:
    """How large all of a route is before it is solved, in words: its parts and the ends of its cables."""
    points = [target.point[None] for target in route.harness._net.asked.bodies]
    for name, target in route.harness._net.asked.obstacles.items():
        points.append(target.point + rotate(target.frame, solid_mesh(route.shapes[name])[0]))
    sizes = np.ptp(np.vstack(points), axis=0)
    return " x ".join(sized(round(size, 4)) for size in sizes.tolist())


def _from_meshes(meshes: list[str], hose: str | None, unit: str | None, up: str) -> Route:
    """Parts around a new cable, or around an imported one."""
    if unit is not None and unit not in mesh_file.METRES:
        raise RouteError(f"--unit: {unit!r} - expected {', '.join(mesh_file.METRES)}")
    if unit is None and lacks_unit(meshes, hose):
        sizes = ", ".join(_size(one) for one in [*meshes, *([hose] if hose else [])])
        raise RouteError(
            f"mesh files do not say their unit: give --unit mm, cm, m or in. As numbers they are {sizes} large"
        )
    if up not in ("y", "z"):
        raise RouteError(f"--up: {up!r} - expected y or z")
    parts = {
        Path(one).stem: {"shape": {"type": "mesh", "file": str(Path(one).resolve()), **_told(one, unit, up)}}
        for one in meshes
        if one != hose
    }
    cable: dict[str, Any] = {**usual().given(), "segments": 100}
    if hose is not None:
        content = _content(hose, **_told(hose, unit, up))
        tube = read_tube(content.vertices, content.faces, hose)
        cable |= {"section": {"outer": _mm(2 * tube.radius), "inner": _mm(1.25 * tube.radius)}}
        cable["length"] = _mm(tube.length)
        for word, at, way in (("start", 0, tube.directions[0]), ("end", -1, tube.directions[1])):
            cable[word] = {
                "point": [_mm(x) for x in tube.centreline[at]],
                "direction": [round(float(x), 6) for x in way],
            }
    else:
        corners = np.vstack([_content(one, **_told(one, unit, up)).vertices for one in meshes])
        low, high = corners.min(axis=0), corners.max(axis=0)
        size, top = float(np.linalg.norm(high - low)), float(high[2])
        across = 0.25 * size
        middle = 0.5 * (low + high)
        cable |= {
            "length": _mm(0.8 * size),
            "start": {
                "point": [_mm(middle[0] - across), _mm(middle[1]), _mm(top + 0.2 * size)],
                "direction": [1, 0, 0],
            },
            "end": {"point": [_mm(middle[0] + across), _mm(middle[1]), _mm(top + 0.2 * size)], "direction": [1, 0, 0]},
        }
    return Route.of(
        {"taut": 1, "route": {"parts": parts, "cables": {"cable": cable}}}, None, Path(hose or meshes[0]).stem
    )


def _empty() -> Route:
    """No parts yet; its cable lies far above all that may come until a person says where it goes."""
    cable: dict[str, Any] = {"length": "300 mm", "segments": 100, **usual().given()}
    for word, x in (("start", "-100 mm"), ("end", "100 mm")):
        cable[word] = {"point": [x, 0, "10 m"], "direction": [1, 0, 0]}
    return Route.of({"taut": 1, "route": {"cables": {"cable": cable}}}, Path.cwd(), "route")


def _mm(value: float) -> str:
    """A length [m] as a person writes it: to a micrometre."""
    return f"{round(1e3 * float(value), 3):.10g} mm"


def _told(file: str, unit: str | None, up: str) -> dict[str, str]:
    """Unit and up axis of a mesh file: those of its format, or what a person says."""
    if Path(file).suffix.lower() in SELF_TOLD:
        return {"unit": "m", "up": "y"}
    return {"unit": unit or "m", "up": up}


def _content(file: str, unit: str, up: str) -> mesh_file.MeshContent:
    try:
        return mesh_file.read(file, unit, up, 1.0)
    except mesh_file.MeshError as error:
        raise RouteError(f"{file}: {error}") from None


def _size(file: str) -> str:
    content = _content(file, "m", "z")
    return f"{Path(file).name}: {' x '.join(f'{x:.4g}' for x in np.ptp(content.vertices, axis=0))}"


@contextmanager
def _silent(_text: str) -> Iterator[Callable[[str], None]]:
    """Tells nothing."""
    yield lambda _text: None


def run(
    route: Route, folder: Path, say: Callable[[str], None], motion: Path | None = None, report: Path | None = None,
    tolerance: bool = False, exports: tuple[Path, ...] = (), envelope: Path | None = None, waiting: Waiting = _silent,
) -> bool:  # fmt: skip
    """Solve, judge and write; returns whether every limit is kept. waiting: tells what takes long."""
    with waiting("solving"):
        try:
            route.solve()
        except RodError as error:
            raise RodError(f"{route.file or route.name}: {error}") from None
    for text in sunk(route.harness._net):
        say(f"warning: {text}; as it is, the cable is pushed out the nearest way")
    cycle: Cycle | None = None
    off: Spread | None = None
    if motion is not None:
        frames = len(read_motion(motion, route))
        with waiting(f"motion, {frames} frames") as tell:
            cycle = run_motion(route, motion, lambda done: tell(f"motion, frame {done} of {frames}"))
        say(f"{len(cycle.times)} frames")
    if tolerance:
        assumed = Tolerance()
        with waiting("tolerances"):
            off = spread(route.data, folder, assumed)
        say("as it stands:" if cycle is None else "worst of the motion:")
    found = rows(route, cycle)
    # of a motion there are none over time: theirs are of its last frame, and are told apart
    told = {name: plug_clearance(route, name) for name in route.plugs}
    plugs = [(name, *words.partition(": ")[::2]) for name, words in told.items() if words]
    for line in table(found, plugs if cycle is None else ()):
        say(line)
    for line in folds(found, route):
        say(f"warning: {line}")
    for line in [*notes(route), *((*cycle.notes, *told_jumps(cycle.jumps)) if cycle is not None else ())]:
        say(line)
    for line in touches(route):
        say(line if cycle is None else f"after the motion: {line}")
    if off is not None:
        found += (more := rows_off(off))
        say(f"worst within tolerances ({assumed}):")
        for line in table(more):
            say(line)
        if not more:
            say("no limits are set: nothing to judge")
        for name, far in off.farthest.items():
            say(f"{name}: up to {1e3 * far:.1f} mm from where it stands")
        for text in off.failed:
            say(f"no equilibrium: {text}")
    for name, value, where in plugs if cycle is not None else ():
        say(f"{name}: clearance {value} after the motion, {where}")
    for file in exports:
        _export(route, file, say)
    if envelope is not None:
        with waiting("envelope"):
            _envelope(route, cycle, off, envelope)
        say(f"{envelope} written")
    if report is not None:
        from taut.view.route_report import write_report  # only here: it brings the page with it

        with waiting("report"):
            write_report(route, report, cycle, off)
        say(f"{report} written")
    return kept(found)


def plug_clearance(route: Route, name: str) -> str:
    """How near a connector that has a shape is to a part, in words; none where there is no part."""
    near = route.harness.connector_clearance(name)
    if not near.name:
        return ""
    touches = abs(near.distance) < TOUCHES
    how = "lies on" if touches else "is inside of" if near.distance < 0.0 else "is free of"
    return f"{0.0 if touches else 1e3 * near.distance:.4g} mm: it {how} {near.name}"


def _export(route: Route, file: Path, say: Callable[[str], None]) -> None:
    cables = route.harness.cables
    for name, cable in cables.items():
        target = file if len(cables) == 1 else file.with_stem(f"{file.stem}_{name}")
        export(cable, target, name)
        say(f"{target} written")


def _envelope(route: Route, cycle: Cycle | None, off: Spread | None, file: Path) -> None:
    import trimesh

    shapes = cycle.shapes if cycle is not None else off.shapes if off is not None else {}
    made = []
    for name, lines in shapes.items():
        vertices, faces = swept(lines, route.harness[name].radius)
        made.append(
            trimesh.Trimesh(1e3 * vertices if file.suffix.lower() == ".stl" else vertices, faces, process=False)
        )
    trimesh.util.concatenate(made).export(file)
