"""The scene: everything a person describes, in Python or in a file."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field, ValidationError, model_validator

from taut.scene import checks, overrides, reader, units, writer
from taut.scene.bodies import Body
from taut.scene.cables import Cable
from taut.scene.chains import Chain
from taut.scene.clips import seats
from taut.scene.forms import Gravity
from taut.scene.joints import Joint
from taut.scene.materials import Material
from taut.scene.problems import Problem, SceneError
from taut.scene.quantity import PositiveTime, Quantity, Typed, refuse
from taut.scene.reader import Document
from taut.scene.rest import Rest, without
from taut.scene.segments import Strand, strands
from taut.scene.solver import SolverSettings
from taut.scene.spec import MOST_PROBLEMS, Spec, problems_of
from taut.scene.view import ViewSettings
from taut.scene.wind import Wind

FORMAT = 1


class FormatVersion(Typed):
    """The version of the file format."""

    def read(self, value: object) -> int:
        if value == FORMAT and not isinstance(value, bool):
            return FORMAT
        raise refuse(f"expected {FORMAT}, the version of the format that this version of Taut reads")

    def schema(self) -> dict[str, Any]:
        return {"const": FORMAT}


class Scene(Spec):
    """A scene. Names are the keys of `bodies`, `joints`, `chains` and `cables`, and are unique over all of them."""

    taut: Annotated[int, FormatVersion()] = FORMAT
    """Version of the format: 1."""
    name: str = ""
    """A short title."""
    description: str = ""
    """What it shows."""
    gravity: Gravity = (0.0, 0.0, -9.81)
    """Acceleration of free fall: one number acts downwards, or three for a vector [m/s^2]."""
    dt: Annotated[float, Quantity(units.TIME, positive=True, least=1e-6, most=1.0)] = 1.0 / 60.0
    """Time step [s]."""
    duration: PositiveTime = 10.0
    """How long a run takes unless told otherwise [s]."""
    solver: SolverSettings = SolverSettings()
    """How each step is solved; `solver: gauss_seidel` is short for its kind."""
    materials: dict[str, Material] = Field(default_factory=dict)
    """Materials by name."""
    bodies: dict[str, Body] = Field(default_factory=dict)
    """Bodies by name."""
    joints: dict[str, Joint] = Field(default_factory=dict)
    """Joints by name."""
    chains: dict[str, Chain] = Field(default_factory=dict)
    """Chains by name; each becomes bodies NAME_0, NAME_1, ... and joints NAME_joint_0, ..."""
    cables: dict[str, Cable] = Field(default_factory=dict)
    """Cables by name; a segmented one becomes bodies NAME_0, NAME_1, ... and joints NAME_joint_0, ..."""
    wind: Wind | None = None
    """The air, moving; None is no air."""
    view: ViewSettings = ViewSettings()
    """What the viewer shows first."""
    measures: tuple[str, ...] = ()
    """Quantities to report after a run, e.g. load.sway or max(hoist.tension)."""

    def __init__(self, **data: Any) -> None:
        try:
            self.__pydantic_validator__.validate_python(data, self_instance=self)
        except ValidationError as error:
            raise SceneError(_all_problems(type(self), error, data, None)) from None
        found = checks.check(self)
        if found:
            raise SceneError(found)

    __init__.__pydantic_base_init__ = True  # type: ignore[attr-defined]

    @model_validator(mode="before")
    @classmethod
    def _empty_is_absent(cls, data: Any) -> Any:
        """A heading with nothing under it, as in a file that is being written, is the same as none."""
        return {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data

    @classmethod
    def load(cls, path: str | Path, changes: Iterable[str] = ()) -> Self:
        """Read a file, with changes such as 'load.mass=2 t' applied to it. Raises SceneError with every problem."""
        document = reader.read_file(Path(path))
        return cls._from_document(document, changes, Path(path).parent)

    @classmethod
    def from_yaml(cls, text: str, file: str = "", changes: Iterable[str] = ()) -> Self:
        """Read a text; `file` is how messages call it. Raises SceneError with every problem."""
        return cls._from_document(reader.read_text(text, file), changes, None)

    def to_yaml(self) -> str:
        """The scene as text that reads back to an equal scene."""
        return writer.to_yaml(self)

    def save(self, path: str | Path) -> None:
        """Write it to a file, whole or not at all; mesh files are named as seen from there."""
        writer.save(self, Path(path))

    def with_overrides(self, changes: Iterable[str]) -> Self:
        """A copy with changes such as 'load.mass=2 t', 'dt=1/120' or 'wind.speed=8'. Raises SceneError."""
        return self._from_document(Document(writer.plain(self)), changes, None)

    def strands(self) -> dict[str, Strand]:
        """The segmented cables by name, each with what it becomes; those that are so now and then included."""
        return strands(self.cables, self.bodies)

    def ropes(self) -> dict[str, Cable]:
        """The cables that run over parts as one, massless and layered ones, and what is never anything else."""
        return {
            name: cable
            for name, cable in self.cables.items()
            if cable.model in ("massless", "layered") or (cable.model == "auto" and not cable.bare)
        }

    def autos(self) -> dict[str, Cable]:
        """The cables whose model is chosen while running."""
        return {name: cable for name, cable in self.cables.items() if cable.model == "auto"}

    def lattices(self) -> dict[str, Cable]:
        """The honeycomb cables by name."""
        return {name: cable for name, cable in self.cables.items() if cable.model == "honeycomb"}

    def rods(self) -> dict[str, Cable]:
        """The cables that are in equilibrium at every step."""
        return {name: cable for name, cable in self.cables.items() if cable.model == "rod"}

    def expanded(self) -> tuple[dict[str, Body], dict[str, Joint]]:
        """Every body and every joint, those of chains, segmented cables and clips included, in the order of the scene."""
        bodies, joints = dict(self.bodies), dict(self.joints)
        for name, chain in self.chains.items():
            links, balls = chain.expand(name)
            bodies.update(links)
            joints.update(balls)
        for strand in self.strands().values():
            segments, between = strand.expand()
            bodies.update(segments)
            joints.update(between)  # type: ignore[arg-type]
        for name, rod in self.rods().items():
            for seat, body, joint in seats(name, rod):
                bodies[seat], joints[f"{seat}_joint"] = body, joint
        return bodies, joints

    def all_bodies(self) -> dict[str, Body]:
        """Every body, those of chains included."""
        return self.expanded()[0]

    def all_joints(self) -> dict[str, Joint]:
        """Every joint, those of chains included."""
        return self.expanded()[1]

    @classmethod
    def _from_document(cls, document: Document, changes: Iterable[str], folder: Path | None) -> Self:
        problems = list(document.problems)
        data = document.data
        touched: dict[Any, Any] = {}
        if isinstance(data, dict):
            data, touched, faults = overrides.apply(data, changes, cls.model_fields)
            problems += faults
        scene: Self | None = None
        try:
            scene = cls.model_validate(data, context={"folder": folder})
            found = checks.check(scene)
        except ValidationError as error:
            found = _all_problems(cls, error, data, folder)
        found = [reader.as_written(problem, data) for problem in found]
        problems += [overrides.blame(problem, touched) or document.placed(problem) for problem in found]
        if problems or scene is None:
            raise SceneError(sorted(problems, key=lambda problem: problem.line))
        return scene


def _all_problems(cls: type[Scene], error: ValidationError, data: object, folder: Path | None) -> list[Problem]:
    """The mistakes that validation found, and those that remain to be found in what is left without them."""
    problems = problems_of(error, data)
    if not isinstance(data, Mapping) or len(problems) >= MOST_PROBLEMS:
        return problems
    rest, bad = dict(data), problems
    for depth in (3, 2, 1):
        # first without the refused fields, then without the elements that cannot do without them
        rest = without(rest, [problem.parts[:depth] for problem in bad])
        try:
            scene = cls.model_validate(rest, context={"folder": folder})
        except ValidationError as again:
            bad = problems_of(again, rest)
            continue
        return problems + Rest(data, problems).check(scene)
    return problems
