"""Columns of the tables of layered cables in model, state and scratch."""

from __future__ import annotations

#: columns of wave_mode (state): displacement and velocity of a mode along both directions of the span's frame
M_Q, M_P = 0, 2
#: columns of mode_work (scratch): displacement at the middle of the step, velocity at its end, own mass (pre-warped)
X_MID, X_NEW, X_OWN, X_COLUMNS = 0, 2, 4, 5

#: columns of span_work (scratch): chord, mass, gravity along both directions, arc at the start and mean arc of the step, change
#: of the velocity of both ends along both directions; what follows is the engine's: the chord's direction and both others,
#: sums of the modes (below), forces on both ends, axial row
C_LENGTH, C_MASS, C_GRAVITY, C_ARC, C_MEAN, C_ENDS, C_CHORD, C_FIRST, C_SECOND, C_SUMS, C_FORCE, C_COLUMNS = (
    0, 1, 2, 4, 5, 6, 10, 13, 16, 19, 33, 39,
)  # fmt: skip

#: places of the sums that a span hands on, see taut.cables.layered.modes.condense_modes. A, B are the two ends, with a number
#: for each of the two directions
S_AA, S_AB, S_GA, S_GB, S_FA, S_FB, S_GG, S_GP, S_GF, S_COUNT = 0, 1, 2, 4, 6, 8, 10, 11, 12, 13

#: places in the law of a segment, see taut.cables.layered.tension: Sigma, right side, its part per sum g p, rate of the chords,
#: 1: one-sided potential, stretch at the start of the step, stiffness, damping time
L_SIGMA, L_SIDE, L_WEIGHT, L_KNOWN, L_EXACT, L_STRETCH, L_STIFFNESS, L_TAU, L_COUNT = 0, 1, 2, 3, 4, 5, 6, 7, 8
