"""Settings of the solver. The defaults are right for almost every scene."""

from typing import Annotated, Any, Literal

from pydantic import model_validator

from taut.scene import units
from taut.scene.quantity import Count, Quantity, Typed, refuse
from taut.scene.spec import Spec


class PassCount(Typed):
    """'auto' or a small whole number."""

    def read(self, value: object) -> int | str:
        if isinstance(value, str) and value.strip().lower() == "auto":
            return "auto"
        try:
            return Count(1, 10).read(value)
        except ValueError:
            raise refuse("expected auto, or a whole number from 1 to 10") from None

    def schema(self) -> dict[str, Any]:
        return {"anyOf": [{"const": "auto"}, {"type": "integer", "minimum": 1, "maximum": 10}]}


#: two passes in every step and five times the least damping: joints of light cables open half as far when loads snatch
ROBUST = {"passes": 2, "damping_floor": 0.5}


class SolverSettings(Spec):
    """How each step is solved; `solver: robust` is a preset for violent motion."""

    kind: Literal["direct", "gauss_seidel"] = "direct"
    """direct: the whole system at once; gauss_seidel: set by set, over and over (a chain is one set, every other joint
    and every contact one), without geometric stiffness, second passes and relinearisation: see residual.speed."""
    iterations: Annotated[int, Count(1, 100_000)] = 10
    """Sweeps per step of gauss_seidel; it stops earlier when nothing changes any more [-]."""
    stepper: Literal["variational", "first_order"] = "variational"
    """variational: the regularised variational stepper; first_order: the form printed in the papers."""
    passes: Annotated[int | Literal["auto"], PassCount()] = "auto"
    """Outer passes per step, each with the tensions of the one before; auto adds one where tension jumps [-]."""
    geometric_stiffness: Annotated[float, Quantity(units.NUMBER, least=0.0, most=10.0)] = 1.0
    """Weight of the geometric stiffness; 0 leaves it out [-]."""
    damping_floor: Annotated[float, Quantity(units.NUMBER, least=0.0, most=1000.0)] = 0.1
    """Least damping time of every row, in steps [-]."""
    refinements: Annotated[int, Count(0, 10)] = 3
    """Refinements of the linear solution with the same factor [-]."""
    relinearise: Annotated[int, Count(0, 100)] = 0
    """Most repetitions of the constraint solve at the new positions; 0 is none [-]."""
    friction_iterations: Annotated[int, Count(1, 10_000)] = 50
    """Most iterations on the bounds of friction [-]."""
    contact_capacity: Annotated[int, Count(1, 1_000_000)] | None = None
    """Contact points that are kept room for; None is chosen from the scene [-]."""

    @model_validator(mode="before")
    @classmethod
    def _by_name(cls, value: Any) -> Any:
        """`solver: gauss_seidel` is short for its kind, `solver: robust` for settings that forgive violent motion."""
        if value == "robust":
            return dict(ROBUST)
        return {"kind": value} if isinstance(value, str) else value
