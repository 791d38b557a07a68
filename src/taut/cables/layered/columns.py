"""Columns of the tables of layered cables in model, state and scratch."""

from __future__ import annotations

#: columns of wave_mode (state): displacement and velocity of a mode along both directions of the span's frame
M_Q, M_P = 0, 2
#: columns of mode_work (scratch): velocity at the end of the step, own mass (pre-warped). Few and together: they are gone over again and
#: again
X_NEW, X_OWN, X_COLUMNS = 0, 2, 3

#: columns of wave_span (model): rope, its first mode, number of modes, row of its motion along itself within the rope's group, pair
#: block of its two bodies or -1. The first spans of a rope are the live ones, in the order of its path; a rope with obstacles
#: has more than it starts with
V_ROPE, V_FIRST, V_COUNT, V_AXIAL, V_PAIR = 0, 1, 2, 3, 4
#: columns of wave_law (model, per rope): mass per length (0: not layered), damping of the waves, 1: pre-warped, first span, last,
#: 1: by the explicit scheme
Y_DENSITY, Y_DAMPING, Y_WARPED, Y_SPAN, Y_SPAN_END, Y_EXPLICIT = 0, 1, 2, 3, 4, 5
#: columns of wave_frame (state): direction of the chord, first direction across it
Z_CHORD, Z_FIRST = 0, 3
#: columns of wave_row (scratch, per segment): tension expected and the change of stretch that goes with it; Sigma and right side
#: that were put in place of the plain ones, the sums of the modes among them, the row's own; Sigma and right side of the row without
#: waves; rate of chords and flows over the last step, stretch half a step back, rate of
#: the stretch that is damped
(
    R_EXPECTED, R_CHANGE, R_ADDED_SIGMA, R_ADDED_SIDE, R_MODES_SIGMA, R_MODES_SIDE, R_LAW_SIGMA, R_LAW_SIDE, R_PLAIN_SIGMA,
    R_PLAIN_SIDE, R_CHORDS, R_STRETCH, R_RATES,
) = range(13)  # fmt: skip
#: places in wave_energy (state): kinetic and potential energy of layered ropes, the latter of what drums have taken in as well; kinetic
#: energy that rope has come by because its mass is another, at other places or in other directions, than in the step before
E_KINETIC, E_POTENTIAL, E_WOUND, E_CARRIED, E_COUNT = 0, 1, 2, 3, 4

#: columns of span_work (scratch): chord, mass, gravity along both directions, arc at the start and mean arc of the step, change
#: of the velocity of both ends along both directions, 1: pre-warped. What follows is the engine's: direction of the chord and the two across
#: it, arms of both ends on their bodies, weight on both ends, sums of the modes (below), what was added to the masses across
#: (own, cross), rope speed relative to the parts over the last step and over this one, row, forces on both ends, parts at
#: both ends
(
    C_LENGTH, C_MASS, C_GRAVITY, C_ARC, C_MEAN, C_ENDS, C_WARPED, C_CHORD, C_FIRST, C_SECOND, C_ARM_A, C_ARM_B, C_WEIGHT_A,
    C_WEIGHT_B, C_SUMS, C_OWN, C_CROSS, C_FLOW, C_FLOW_NEW, C_ROW, C_FORCE_A, C_FORCE_B, C_PART_A, C_PART_B, C_COLUMNS,
) = 0, 1, 2, 4, 5, 6, 10, 11, 14, 17, 20, 23, 26, 29, 32, 45, 46, 47, 48, 49, 50, 53, 56, 57, 58  # fmt: skip

#: places of the sums that a span hands on, see taut.cables.layered.modes.condense_modes. A, B are the two ends, with a number
#: for each of the two directions
S_AA, S_AB, S_GA, S_GB, S_FA, S_FB, S_GG, S_GP, S_GF, S_COUNT = 0, 1, 2, 4, 6, 8, 10, 11, 12, 13

#: places in the law of a segment, see taut.cables.layered.tension: mean rate of chords and flows over the step, stretch half a step
#: back, stiffness, damping time, rate of chords and flows over this step
L_KNOWN, L_STRETCH, L_STIFFNESS, L_TAU, L_RATE, L_COUNT = 0, 1, 2, 3, 4, 5
