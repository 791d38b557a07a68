"""Every table and every numbered figure of the five papers, and what became of it here; of their text what claims a number.

`reproduced`: the items named give the paper's numbers, or its theory better than the paper did. `contradicted`: what comes
out is something else, and the reason is given. `not determined`: the text does not say enough to run it, and what is missing
is named. `no numbers`: a drawing or a snapshot, with nothing to compare; what can be seen of it here is named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from taut.validate.item import Item

REPRODUCED, CONTRADICTED, OPEN, NONE = "reproduced", "contradicted", "not determined", "no numbers"

PAPERS = (
    "paper 0: massless cables, M. Servin and C. Lacoursiere",
    "paper 1: rigid-body cables, M. Servin and C. Lacoursiere",
    "paper 2: layered hoisting cables, I. Garcia-Fernandez et al.",
    "paper 3: one-dimensional flexible parts, M. Gregoire and E. Schoemer",
    "paper 4: honeycomb ropes, W. Wang et al.",
)


@dataclass(frozen=True)
class Place:
    """A table or figure: its paper, what it shows, the verdict with its reason, and the items that speak of it."""

    paper: int
    where: str
    shows: str
    verdict: str
    reason: str
    items: tuple[str, ...] = ()  # patterns of identifiers


@dataclass(frozen=True)
class Found:
    """A place after a run: how many of its items passed and failed; none of both when its set was not run."""

    place: Place
    passed: int
    failed: int
    told: int

    @property
    def holds(self) -> bool | None:
        """Whether its items pass; None when none were run, or none has a verdict: what is only told proves nothing."""
        if self.failed:
            return False
        return True if self.passed else None

    @property
    def run(self) -> int:
        """How many of its items were run, those without a verdict too."""
        return self.passed + self.failed + self.told


PLACES = (
    Place(0, "Figs 1 to 4", "drawings of cables, deformations and the test system", NONE, "drawings"),
    Place(0, "Fig. 5", "stretch and force over time, c_s = 10, 1e3, 1e6 N/m", REPRODUCED, "periods and force = c times stretch; the printed period of 1e6 is stretched by the step as the stepper's theory says", ("massless.stretch.*", "massless.force.stretch.*")),
    Place(0, "Fig. 6", "energy in the stretch tests", REPRODUCED, "loss per period of the printed stepper, and none of ours", ("massless.loss.stretch.*", "massless.energy.stretch")),
    Place(0, "Fig. 7", "twist and torque over time, c_t = 10, 1e3, 1e6 N m/rad", REPRODUCED, "periods and torque = c times twist, over full turns", ("massless.twist.1e*", "massless.force.twist.*")),
    Place(0, "Fig. 8", "energy in the twist tests", REPRODUCED, "loss per period of the printed stepper, and none of ours", ("massless.loss.twist.*", "massless.energy.twist")),
    Place(0, "Fig. 9", "four cables and six bodies, snapshot; opposite spins are claimed", REPRODUCED, "the geometry is given as ranges, ours is the scene paper0_demo; stable for 300 s with opposite spins", ("massless.fig9.*",)),
    Place(0, "Fig. 10", "fishing rod: toss, rewind, lift", CONTRADICTED, "with the printed xi = 0.05 and w = -0.5 the stall tension is 10 N, the weight of the box: it cannot lift; 0.02 can. The velocity row as printed has the units of another (xi/dt^2)", ("massless.slip.*",)),
    Place(1, "Figs 1, 6 to 9", "drawings and snapshots", NONE, "drawings; the experiments of Fig. 9 are those of Figs 11 and 12"),
    Place(1, "section I-A", "six requirements on a hoisting cable", REPRODUCED, "one item each; real time is told, for it says as much about the machine", ("segmented.requirement.*",)),
    Place(1, "Table I", "largest mass ratio of particle chains, rows a to e", REPRODUCED, "its own stepper gives six of nine rows as printed, and rows c with up to four decades more; this engine every row or more, but 1e14 for the stiffest row e: a scene ends at 1e15 N", ("segmented.table1.*",)),
    Place(1, "Figs 2 and 3", "distribution of phi_d and phi_a, models a and e", REPRODUCED, "the trend: phi_a falls by more than a decade; the figures' axes are not in the text", ("segmented.fig_2_3",)),
    Place(1, "Fig. 4", "return maps of models a and e", REPRODUCED, "the trend, as correlation from step to step; our map of model a is less chaotic than described, the start is not printed", ("segmented.fig_4",)),
    Place(1, "Fig. 5", "spectra of the bend angle for three eps_a", REPRODUCED, "the trend: share above 5 Hz falls with stiffness", ("segmented.fig_5",)),
    Place(1, "Fig. 10", "stretch, three materials, N = 3 to 24", REPRODUCED, "independent of N to round-off, with half lengths in eq. (34); the printed 1e7 N is half of nylon's EA, steel would take 1e9 N for the printed 50 %", ("segmented.stretch.*",)),
    Place(1, "Fig. 11", "twist to 233 rad; steel with N = 24 unstable at 15 rad", CONTRADICTED, "all materials and N twist to 233 rad exactly; the text's torques fit a shear modulus multiplied where it should be divided. Greenhill's buckling is the likely cause of the instability", ("segmented.twist.*", "segmented.greenhill.*")),
    Place(1, "Fig. 12", "bend radius, error 10 % (N = 6) to 2.5 % (N = 24)", CONTRADICTED, "the error of the fit through the middles follows (theta/2)/tan(theta/2), of second order in 1/N, not of first", ("segmented.bend.*",)),
    Place(1, "Table II", "largest mass ratio by modulus and section", REPRODUCED, "in a plane, within a decade or better; in space the paper's joint, which bends in one direction only, holds 1e1 to 1e2 (contradicted), six rows with geometric stiffness 1e9. Length, mass and motion are assumed, two values of beta are unreadable", ("segmented.table2.*",)),
    Place(1, "Fig. 13", "time of a step over the number of segments, 3 iterations", OPEN, "missing: the processor, a Pentium M of 2005, and the curve's numbers; `taut bench segmented` has ours: linear, as claimed"),
    Place(1, "Fig. 14", "the gantry crane, snapshot", NONE, "the scene gantry_sling"),
    Place(1, "section VIII", "the crane holds mass ratios of 1e3, and 1e4 only with inertia x20", CONTRADICTED, "the limit is of its solver: with six rows, geometric stiffness and a direct solve the same crane holds far more, its inertia as it is", ("segmented.crane.ratio",)),
    Place(1, "Fig. 15", "a slack cable over the load, snapshot", NONE, "the scenes gantry_sling and four_leg_sling", ("segmented.requirement.vi.slack",)),
    Place(1, "Fig. 16", "energy of the swinging crane: -20 % in 15 s", CONTRADICTED, "geometry and swing are not printed; the crane with the printed stiffness and masses loses a hundredth of that of its swing, and a steel rope with ten tonnes keeps its account for a minute", ("segmented.fig_16", "segmented.steel.energy.*")),
    Place(1, "section VII-B", "mass ratios of 1e3 with 3 Gauss-Seidel iterations, 1e5 with 20, 1e9 with a direct solver", REPRODUCED, "with heavy end segments, as the paper has them; with a light first segment 20 iterations hold 1e1. The direct solver holds 1e9 everywhere", ("segmented.table2.gauss_seidel.*", "chain.ratio.1e+09.*")),
    Place(2, "Figs 1 to 7", "drawings and pictures", NONE, "drawings"),
    Place(2, "section 4.1", "the oscillation is suspended where its explicit scheme would be unstable; hardly observable, the text says", CONTRADICTED, "at 60 Hz with 20 pieces a span the waves of its crane are suspended in half of all steps; implicit ones never are", ("layered.explicit.suspended", "layered.stability.*")),
    Place(2, "Fig. 8", "energy of the hook over time, three densities: one rate of decay is claimed", CONTRADICTED, "by linear theory and here the rate depends on the density: 0.79 to 1.00 of the massless one without, 0.94 to 1.17 with damping of the waves", ("layered.decay.*",)),
    Place(2, "Fig. 9", "lift delay of a tower crane, snapshots", REPRODUCED, "delay = slack to haul in over speed; the paper gives no numbers", ("layered.lift.*",)),
    Place(2, "section 5.1", "the pendulum's frequency does not depend on the rope", CONTRADICTED, "true of the paper's model, not of ropes: 1 + m/12M, Bessel functions for heavy ones", ("layered.pendulum.*",)),
    Place(2, "section 5.3", "0.02 to 1.3 ms a step for 10 to 100 nodes and subdivisions", OPEN, "missing: the machine; `taut bench layered` runs the same sizes here"),
    Place(2, "Fig. 10", "the crane simulator, picture", NONE, "the scene tower_crane"),
    Place(3, "Fig. 1", "bending and torsion of a piece, drawing", REPRODUCED, "drawn by `taut validate rod --out`: bending alone has no twist", ("rod.figure.1",)),
    Place(3, "Fig. 2", "the frames along a cable, drawing", REPRODUCED, "twist is constant along a round cable without rest curvature", ("rod.figure.2", "rod.torsion*")),
    Place(3, "Fig. 3", "influence of the radius on the shape, picture", REPRODUCED, "the trend; radii, ends and material are not printed, 4, 8 and 16 mm here", ("rod.figure.3", "rod.hanging.*")),
    Place(3, "Fig. 4", "points and frames of the discretisation, drawing", REPRODUCED, "points follow from the frames by summation; the paper ties them by penalties", ("rod.figure.4",)),
    Place(3, "Table 1", "which interaction acts on positions, which on orientations", NONE, "a scheme of the paper's model; here orientations alone are unknown, positions are their sums, and only weight, contact and the held end speak of positions"),
    Place(3, "Fig. 5", "influence of torsion, picture", REPRODUCED, "the trend; ends and angles are not printed, twisted shapes are compared with a boundary-value problem as well", ("rod.figure.5", "rod.space.*")),
    Place(3, "Fig. 6", "rest curvature: the phone cord, picture", REPRODUCED, "its look; no numbers are given, a free helix is compared with its closed form as well", ("rod.figure.6", "rod.helix.*")),
    Place(3, "Fig. 7", "contact force over depth, drawing", REPRODUCED, "gap and push are never negative and one of them is zero, without the integral force that must first turn negative", ("rod.figure.7",)),
    Place(3, "Fig. 8", "contact with a plane, picture", REPRODUCED, "no numbers; contact is compared with complementarity", ("rod.figure.8", "rod.contact.*")),
    Place(3, "Fig. 9", "time over the number of points: about linear", REPRODUCED, "the trend: iterations of a frame do not grow with n; machine and numbers are not in the text, times by `taut bench rod`", ("rod.figure.9", "rod.frame.*")),
    Place(3, "Fig. 10", "structure of the matrix", CONTRADICTED, "its band is as drawn; the frames alone, which the paper holds to be full, are block tridiagonal with a border of three rows", ("rod.figure.10",)),
    Place(3, "Fig. 11", "the window of the program, picture", NONE, "`taut route harness` has its handles, radius, length, material and export", ("rod.figure.11",)),
    Place(3, "Fig. 12", "a brake hose, measured and simulated, picture", OPEN, "missing: the measured points; a known hose is recovered from two noisy shapes and predicted in a third", ("rod.figure.12",)),
    Place(3, "section 3", "two attempts that were given up: shooting, and an angle on the curve's own frame", REPRODUCED, "shooting fails from far starts and the frame of a straight cable is noise, as the text says; a minimum of the energy has neither trouble", ("rod.attempt.*",)),
    Place(4, "Figs 1, 2 and 7", "drawings of section, lattice and program", NONE, "drawings"),
    Place(4, "Figs 3 and 4", "the four families of springs, drawings", CONTRADICTED, "torsion and bending springs lie inside a layer: as printed nothing resists bending and twist between layers; diagonals leave one mechanism", ("honeycomb.mechanisms.*",)),
    Place(4, "section 3.1", "Verlet with a trapezoid corrector is more accurate than the others", CONTRADICTED, "the printed corrector holds no force: it does not converge, and halves the effect of every force in each pass; with the force in it, it is of second order", ("honeycomb.order.*", "honeycomb.fall.*")),
    Place(4, "Fig. 5", "force over strain of a rope, sketch", OPEN, "missing: numbers on the axes; a rope takes any such curve as `force_strain`"),
    Place(4, "Fig. 6", "a rope stretched too far, pictures; its cure is a limit of strain", REPRODUCED, "the printed constants hang with 14 %; the limit holds within a tenth of itself, at rest and in the scene honeycomb_hoist", ("honeycomb.printed.*", "honeycomb.limit.*", "honeycomb.hoist.*")),
    Place(4, "Table 1", "time of 1000 steps by five methods", CONTRADICTED, "force evaluations give the order of all but the paper's own: it contains a whole Verlet step and cannot cost half of one", ("honeycomb.table_1.*",)),
    Place(4, "Fig. 8", "a rope falls and comes to rest, pictures", REPRODUCED, "it comes to rest, by steps of ours: the corrector as printed takes away part of gravity (free fall at 2/3, 2/5, 2/9 g)", ("honeycomb.rest.*",)),
    Place(4, "Fig. 9", "time until it lies, over epsilon", REPRODUCED, "the trend, which is the fault of the corrector: more passes, slower fall", ("honeycomb.figure_9.*",)),
)  # fmt: skip


def account(items: Sequence[Item]) -> list[Found]:
    """What a run says about every place of the papers."""
    found = []
    for place in PLACES:
        own = [item for item in items if any(fnmatchcase(item.id, pattern) for pattern in place.items)]
        found.append(
            Found(
                place,
                sum(item.passed is True for item in own),
                sum(item.passed is False for item in own),
                sum(item.passed is None for item in own),
            )
        )
    return found


def tally(found: Sequence[Found]) -> str:
    """One line for all five papers."""
    counts = {word: sum(one.place.verdict == word for one in found) for word in (REPRODUCED, CONTRADICTED, OPEN, NONE)}
    words = ", ".join(f"{count} {word}" for word, count in counts.items())
    failed = [f"{one.place.paper} {one.place.where}" for one in found if one.holds is False]
    return f"five papers, {len(found)} places (tables, figures, claims of the text): {words}" + (
        f"; items failed in: {', '.join(failed)}" if failed else ""
    )
