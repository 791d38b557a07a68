"""The stages of a step as compiled units, in their order. Each takes what it needs out of the context and calls the
kernels that do the work; `taut.step.pipeline` is the page that calls the stages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from taut.cables.massless.columns import P_TWIST
from taut.cables.massless.rows import assemble_ropes
from taut.cables.massless.stiffness import stiffen_ropes
from taut.cables.massless.transfers import commit_ropes, yield_transfers
from taut.cables.massless.winch import run_winches
from taut.cables.segmented.rows import assemble_segments
from taut.contact.work import Families
from taut.core.buffers import column, indices
from taut.core.model import BUILT, COUNT, COUNTER, LEDGER, PLAN_SIZE, PLANS, TIME
from taut.core.order import Stage
from taut.core.plan import NODES, PLAN_OK
from taut.core.stage import model_of, settings_of, state_of, work_of
from taut.step.assemble import assemble_joints
from taut.step.border import unit_response
from taut.step.collide import collide
from taut.step.drive import follow_controls, move_kinematic
from taut.step.forces import add_wind, body_blocks, free_motion
from taut.step.gauss_seidel import sweep
from taut.step.geometric import add_geometric_stiffness, keep_stiffness
from taut.step.guard import first_bad_body
from taut.step.integrate import integrate
from taut.step.joint_sets import factorise_set, plan_sets, substitute_set
from taut.step.ledger import account_bodies, account_rows
from taut.step.onset import count_age
from taut.step.relinearise import relinearise
from taut.step.snatch import flag_redundant, tension_jumped
from taut.step.solve import BEGUN, solve_rows
from taut.step.system import build_plan, factorise_system, substitute


def _drive(context, h, extra):
    """Controls and their ramps, kinematic bodies."""
    m, s, w = model_of(context), state_of(context), work_of(context)
    follow_controls(m, s, h)
    move_kinematic(m, s, w, h)
    return 0


def _forces(context, h, extra):
    """What every body would do on its own."""
    free_motion(settings_of(context), model_of(context), state_of(context), work_of(context), h)
    return 0


def _wind(context, h, extra):
    """Drag of the wind."""
    add_wind(model_of(context), state_of(context), work_of(context), h)
    return 0


def _make_collide(round_round, box_round, box_box, cylinder_sphere, plane_cylinder):
    """Contacts become rows. Pair tests that the scene's shapes cannot need are None: they are not compiled."""

    def _collide(context, h, extra):
        families = Families(round_round, box_round, box_box, cylinder_sphere, plane_cylinder)
        return collide(families, settings_of(context), model_of(context), state_of(context), work_of(context), h)

    return _collide


def _assemble(context, h, extra):
    """Rows of the joints."""
    assemble_joints(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _bend(context, h, extra):
    """Rows of the joints of segmented cables."""
    assemble_segments(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _plan(context, h, extra):
    """Elimination plan, when the set of rows changed."""
    w = work_of(context)
    status = build_plan(model_of(context), w)
    if status == PLAN_OK:
        indices(w, COUNT)[BUILT] = 1
        indices(state_of(context), COUNTER)[PLANS] += 1
    return status


def _plan_sets(context, h, extra):
    """Elimination plan of the sets of joints, once: contacts are sets of their own and need none."""
    w = work_of(context)
    if indices(w, PLAN_SIZE)[NODES] == 0:
        status = plan_sets(w)
        if status != PLAN_OK:
            indices(w, PLAN_SIZE)[NODES] = 0
            return status
        indices(state_of(context), COUNTER)[PLANS] += 1
    indices(w, COUNT)[BUILT] = 1
    return PLAN_OK


def _stiffen(context, h, extra):
    """Mass matrices, with the geometric stiffness of the tensions at hand."""
    settings, m, w = settings_of(context), model_of(context), work_of(context)
    body_blocks(m, w)
    if settings.geometric > 0.0:
        add_geometric_stiffness(settings, m, state_of(context), w, h)
    return 0


def _solve(context, h, extra):
    """Equalities and bounds in one problem, through FACTORISE and SUBSTITUTE; 1 when the tensions jumped."""
    m, s, w = model_of(context), state_of(context), work_of(context)
    solve_rows(context, settings_of(context), s, w, h)
    flag_redundant(m, s, w)
    return 1 if tension_jumped(s, w) else 0


def _make_factorise(wide):
    """Load the blocks of the free rows and factorise; `wide` is None where no joint has six rows in a chain."""

    def _factorise(context, h, extra):
        factorise_system(model_of(context), state_of(context), work_of(context), wide)
        return 0

    return _factorise


def _make_substitute(wide):
    """Triangular solves, new velocities and multipliers; BEGUN: FACTORISE took the right side along; below zero the
    answer to one contact row alone."""

    def _substitute(context, h, extra):
        if extra < 0.0:
            unit_response(model_of(context), work_of(context), int(-1.0 - extra), wide)
        else:
            substitute(model_of(context), state_of(context), work_of(context), extra == BEGUN, wide)
        return 0

    return _substitute


def _gauss_seidel(context, h, extra):
    """Set by set instead of all at once; never asks for a second pass."""
    sweep(context, settings_of(context), model_of(context), state_of(context), work_of(context), h)
    return 0


def _factorise_set(context, h, extra):
    """Load the blocks of one set, number `extra`, and factorise."""
    factorise_set(state_of(context), work_of(context), int(extra))
    return 0


def _substitute_set(context, h, extra):
    """Right side and triangular solves of one set."""
    substitute_set(state_of(context), work_of(context), int(extra))
    return 0


def _relinearise(context, h, extra):
    """Constraints to convergence."""
    relinearise(context, settings_of(context), model_of(context), state_of(context), work_of(context), h)
    return 0


def _integrate(context, h, extra):
    """Energy account while the old velocities are still there, then the new state."""
    m, s, w = model_of(context), state_of(context), work_of(context)
    account_rows(m, s, w, h)
    account_bodies(settings_of(context), m, s, w, h)
    count_age(s, w)
    keep_stiffness(s, w)
    integrate(m, s, w, h)
    column(s, LEDGER)[TIME] += h
    return 0


def _guard(context, h, extra):
    """First body that cannot be trusted, -1 when all is well."""
    return first_bad_body(work_of(context))


def _make_reeve(twist):
    """What the drives of winches do, then the rows of ropes; `twist` is None where no rope resists it."""

    def _reeve(context, h, extra):
        m, s, w = model_of(context), state_of(context), work_of(context)
        run_winches(m, s, w, h)
        assemble_ropes(settings_of(context), m, s, w, h, extra, twist)
        return 0

    return _reeve


def _tense(context, h, extra):
    """Geometric stiffness of ropes."""
    stiffen_ropes(settings_of(context), model_of(context), state_of(context), work_of(context), h)
    return 0


def _yield(context, h, extra):
    """Sheaves and drums hold their rope or let it run; 1: one of them changed, 2: forces did. `extra` has 1 after new
    factors, and 2 where only one may change."""
    return yield_transfers(
        model_of(context), state_of(context), work_of(context), h, int(extra) % 2 == 1, int(extra) >= 2
    )


def _pay(context, h, extra):
    """Rope that has run over sheaves and off drums, after the step."""
    commit_ropes(model_of(context), state_of(context), work_of(context), h)
    return 0


class Features(NamedTuple):
    """What decides which code a scene needs."""

    wind: bool
    families: tuple[int | None, ...] | None  # pair tests of taut.contact.work.Families, or None: nothing can touch
    relinearise: bool
    gauss_seidel: bool
    ropes: bool
    twist: bool
    segments: bool
    layered: bool
    wraps: bool


#: the two solvers: the stages that differ
def _at_once(wide: int | None) -> dict[Stage, Callable[..., Any]]:
    return {
        Stage.PLAN: _plan,
        Stage.SOLVE: _solve,
        Stage.FACTORISE: _make_factorise(wide),
        Stage.SUBSTITUTE: _make_substitute(wide),
    }


_BY_SETS = {
    Stage.PLAN: _plan_sets,
    Stage.SOLVE: _gauss_seidel,
    Stage.FACTORISE: _factorise_set,
    Stage.SUBSTITUTE: _substitute_set,
}


def features_of(compiled: Any) -> Features:
    """The features of a compiled scene."""
    families = None if compiled.families is None else tuple(compiled.families)
    settings = compiled.settings
    return Features(
        compiled.wind is not None,
        families,
        settings.relinearise > 0,
        settings.gauss_seidel > 0,
        compiled.ropes is not None,
        compiled.ropes is not None and any(row[P_TWIST] for row in compiled.ropes.integers),
        compiled.joints.segmented,
        compiled.ropes is not None and bool(compiled.ropes.wave_span),
        compiled.ropes is not None and bool(compiled.ropes.wrap_state),
    )


def functions_for(features: Features) -> dict[Stage, Callable[..., Any]]:
    """The stages that a scene with these features needs."""
    found: dict[Stage, Callable[..., Any]] = {
        Stage.DRIVE: _drive,
        Stage.FORCES: _forces,
        Stage.ASSEMBLE: _assemble,
        Stage.STIFFEN: _stiffen,
        Stage.INTEGRATE: _integrate,
        Stage.GUARD: _guard,
    }
    found |= _BY_SETS if features.gauss_seidel else _at_once(1 if features.segments else None)
    if features.wind:
        found[Stage.WIND] = _wind
    if features.families is not None:
        found[Stage.COLLIDE] = _make_collide(*features.families)
    if features.ropes:
        found |= {
            Stage.REEVE: _make_reeve(1 if features.twist else None),
            Stage.TENSE: _tense,
            Stage.YIELD: _yield,
            Stage.PAY: _pay,
        }
    if features.segments:
        found[Stage.BEND] = _bend
    if features.layered:
        from taut.step.wave_stages import WAVE_STAGES  # only here: kernels take time to load

        found |= WAVE_STAGES
    if features.wraps:
        from taut.step.wrap_stage import wrap  # only here: kernels take time to load

        found[Stage.WRAP] = wrap
    if features.relinearise:
        found[Stage.RELINEARISE] = _relinearise
    return found
