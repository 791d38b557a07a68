"""The stages of a step as compiled units, in their order. Each takes what it needs out of the context and calls the
kernels that do the work; `taut.step.pipeline` is the page that calls the stages. Which of them a scene needs is said in
`taut.step.features`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from taut.cables.massless.rows import add_transfers, assemble_ropes
from taut.cables.massless.stiffness import stiffen_ropes
from taut.cables.massless.transfers import commit_ropes, yield_transfers
from taut.cables.massless.watch import watch_winches
from taut.cables.massless.weight import commit_weights, weigh_ropes, weigh_transfers
from taut.cables.massless.winch import run_winches
from taut.cables.segmented.feed import grow, haul, set_lengths
from taut.cables.segmented.rows import assemble_segments
from taut.cables.segmented.watch import carry_along, due, slid_over
from taut.contact.work import Families
from taut.core.buffers import column, indices
from taut.core.model import BUILT, COUNT, COUNTER, LEDGER, PLAN_SIZE, PLANS, RUBBING, TIME
from taut.core.order import RUB, Stage
from taut.core.plan import NODES, PLAN_OK
from taut.core.stage import call_stage, has_stage, model_of, settings_of, state_of, work_of
from taut.step.assemble import assemble_joints
from taut.step.border import solve_cones_of_border, unit_response
from taut.step.collide import collide
from taut.step.drive import follow_controls, move_kinematic
from taut.step.features import BY_SETS, OUTSIDE, Form
from taut.step.forces import add_wind, body_blocks, free_motion
from taut.step.gauss_seidel import sweep
from taut.step.geometric import add_geometric_stiffness, keep_stiffness
from taut.step.guard import first_bad_body
from taut.step.integrate import integrate
from taut.step.joint_sets import factorise_set, plan_sets, substitute_set
from taut.step.ledger import account_bodies, account_rows
from taut.step.onset import count_age
from taut.step.pipeline import run
from taut.step.relinearise import relinearise
from taut.step.rocking import add_rocking_stiffness, keep_rocking
from taut.step.rubbing import solve_rubbing
from taut.step.snatch import flag_redundant, tension_jumped
from taut.step.solve import BEGUN, IN_PLACE, solve_rows
from taut.step.system import build_plan, factorise_system, solve_in_place, substitute


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


def _make_collide(round_round, box_round, box_box, cylinder_round, plane_cylinder, convex, mesh, mesh_plane, mesh_mesh):
    """Contacts become rows. Pair tests that the scene's shapes cannot need are None: they are not compiled."""

    def _collide(context, h, extra):
        families = Families(
            round_round, box_round, box_box, cylinder_round, plane_cylinder, convex, mesh, mesh_plane, mesh_mesh
        )
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


def _feed(context, h, extra):
    """What segments that are paid out weigh, from their lengths."""
    set_lengths(model_of(context), state_of(context))
    return 0


def _haul(context, h, extra):
    """Rows of the ends at which cables are paid out or reeled in: their points run along the cable."""
    haul(settings_of(context), model_of(context), state_of(context), work_of(context), h, extra)
    return 0


def _watch(context, h, extra):
    """Segments that are paid out grow, merged ones are carried along; 1 when segments are to be merged, split or parted."""
    settings, m, s, w = settings_of(context), model_of(context), state_of(context), work_of(context)
    ready = grow(settings, m, s, w, h)
    carry_along(m, s)
    return max(ready, due(m, s, w, h), slid_over(m, s))


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


def _make_stiffen(rocking):
    """Mass matrices, with the geometric stiffness of the tensions at hand; `rocking` is None where no capsules touch."""

    def _stiffen(context, h, extra):
        settings, m, s, w = settings_of(context), model_of(context), state_of(context), work_of(context)
        body_blocks(m, w)
        if settings.geometric > 0.0:
            add_geometric_stiffness(settings, m, s, w, h)
            if rocking is not None:
                add_rocking_stiffness(settings, m, s, w, h)
        return 0

    return _stiffen


def _solve(context, h, extra):
    """Equalities and bounds in one problem, through FACTORISE and SUBSTITUTE; 1 when the tensions jumped, -1 when CONES
    or RUB is needed and not there."""
    m, s, w = model_of(context), state_of(context), work_of(context)
    if indices(w, COUNT)[RUBBING] == 0:
        if not solve_rows(context, settings_of(context), s, w, h):
            return -1
    elif has_stage(context, RUB):
        call_stage(RUB, context, h, extra)
    else:
        return -1
    flag_redundant(m, s, w)
    return 1 if tension_jumped(s, w) else 0


def _cones(context, h, extra):
    """Few contacts that go round in circles, by interior points."""
    solve_cones_of_border(state_of(context), work_of(context))
    return 0


def _rub(context, h, extra):
    """The same with friction that is iterated together with the bounds."""
    solve_rubbing(context, settings_of(context), state_of(context), work_of(context), h)
    return 0


def _make_factorise(wide):
    """Load the blocks of the free rows and factorise; `wide` is None where no joint has six rows in a chain."""

    def _factorise(context, h, extra):
        factorise_system(model_of(context), state_of(context), work_of(context), wide)
        return 0

    return _factorise


def _make_substitute(wide):
    """Triangular solves, new velocities and multipliers; BEGUN: FACTORISE took the right side along; IN_PLACE: the right side stands
    in x, where the solution is left; below zero the answer to one contact row alone."""

    def _substitute(context, h, extra):
        if extra < 0.0:
            unit_response(model_of(context), work_of(context), int(-1.0 - extra), wide)
        elif extra == IN_PLACE:
            solve_in_place(work_of(context), wide)
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
    keep_rocking(s, w)
    integrate(m, s, w, h)
    column(s, LEDGER)[TIME] += h
    return 0


def _guard(context, h, extra):
    """First body that cannot be trusted, -1 when all is well."""
    return first_bad_body(work_of(context))


def _make_reeve(twist, weight):
    """What the drives of winches do, then the rows of ropes; `twist` and `weight` are None where no rope has them."""

    def _reeve(context, h, extra):
        m, s, w = model_of(context), state_of(context), work_of(context)
        run_winches(m, s, h)
        settings = settings_of(context)
        assemble_ropes(settings, m, s, w, h, extra, twist)
        if weight is not None:
            weigh_transfers(settings, m, s, w)
        add_transfers(m, s, w, h)
        return 0

    return _reeve


def _make_tense(weight):
    """Geometric stiffness of ropes, and their weight on the parts; `weight` is None where none has any."""

    def _tense(context, h, extra):
        settings, m, s, w = settings_of(context), model_of(context), state_of(context), work_of(context)
        stiffen_ropes(settings, m, s, w, h)
        if weight is not None:
            weigh_ropes(settings, m, s, w, h, False)
        return 0

    return _tense


def _yield(context, h, extra):
    """Sheaves and drums hold their rope or let it run; 1: one of them changed, 2: forces did. `extra` has 1 after new
    factors, and 2 where only one may change."""
    return yield_transfers(
        model_of(context), state_of(context), work_of(context), h, int(extra) % 2 == 1, int(extra) >= 2
    )


def _make_pay(weight):
    """Rope that has run over sheaves and off drums, and what winches watch, after the step."""

    def _pay(context, h, extra):
        settings, m, s, w = settings_of(context), model_of(context), state_of(context), work_of(context)
        if weight is not None:
            commit_weights(settings, m, s, w, h)
        commit_ropes(m, s, w, h)
        watch_winches(settings, m, s, w, h)
        return 0

    return _pay


def _run(context, h, extra):
    """The page of the step; `extra` is the number of steps."""
    return run(context, h, extra)


#: stages that come in one form
_PLAIN: dict[Stage, Callable[..., Any]] = {
    Stage.DRIVE: _drive,
    Stage.FORCES: _forces,
    Stage.WIND: _wind,
    Stage.ASSEMBLE: _assemble,
    Stage.BEND: _bend,
    Stage.FEED: _feed,
    Stage.HAUL: _haul,
    Stage.WATCH: _watch,
    Stage.RELINEARISE: _relinearise,
    Stage.INTEGRATE: _integrate,
    Stage.GUARD: _guard,
    Stage.YIELD: _yield,
    Stage.CONES: _cones,
    Stage.RUB: _rub,
    Stage.RUN: _run,
}
#: stages that are made for what a scene has
_MADE: dict[Stage, Callable[..., Callable[..., Any]]] = {
    Stage.COLLIDE: _make_collide,
    Stage.STIFFEN: _make_stiffen,
    Stage.REEVE: _make_reeve,
    Stage.TENSE: _make_tense,
    Stage.PAY: _make_pay,
    Stage.FACTORISE: _make_factorise,
    Stage.SUBSTITUTE: _make_substitute,
    Stage.PLAN: lambda: _plan,
    Stage.SOLVE: lambda: _solve,
}
#: the same for the solver that goes set by set
_BY_SETS: dict[Stage, Callable[..., Any]] = {
    Stage.PLAN: _plan_sets,
    Stage.SOLVE: _gauss_seidel,
    Stage.FACTORISE: _factorise_set,
    Stage.SUBSTITUTE: _substitute_set,
}


def function_of(stage: Stage, form: Form) -> Callable[..., Any]:
    """The function of a stage in one of its forms, to be compiled."""
    if form == BY_SETS:
        return _BY_SETS[stage]
    if stage in _MADE:
        return _MADE[stage](*form)
    if stage in _PLAIN:
        return _PLAIN[stage]
    # rooms of their own, loaded where they are needed
    if OUTSIDE.get(stage) == "cables/rod":
        from taut.cables.rod.stages import ROD_STAGES

        return ROD_STAGES[stage](*form)
    if OUTSIDE.get(stage) == "cables/honeycomb":
        from taut.step.lattice_stages import LATTICE_STAGES

        return LATTICE_STAGES[stage](*form)
    if stage == Stage.WRAP:
        from taut.step.wrap_stage import make_wrap

        return make_wrap(*form)
    from taut.step.wave_stages import WAVE_STAGES

    return WAVE_STAGES[stage]
