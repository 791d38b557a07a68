"""The stages of a step by name; their numbers are their places in the table of addresses."""

from enum import IntEnum


class Stage(IntEnum):
    """Names of the stages, in the order of paper 1's Algorithm 1; profile, trace and docs use them. RUN calls the others."""

    DRIVE = 0
    FORCES = 1
    WIND = 2
    COLLIDE = 3
    ASSEMBLE = 4
    PLAN = 5
    STIFFEN = 6
    SOLVE = 7
    FACTORISE = 8
    SUBSTITUTE = 9
    RELINEARISE = 10
    INTEGRATE = 11
    GUARD = 12
    REEVE = 13
    TENSE = 14
    YIELD = 15
    PAY = 16
    BEND = 17
    LAY = 18
    CONDENSE = 19
    RIPPLE = 20
    SETTLE = 21
    WEAVE = 22
    KNIT = 23
    UNKNIT = 24
    FASTEN = 25
    FLEX = 26
    HOLD = 27
    RELAX = 28
    REST = 29
    ROD_LOOK = 30
    ROD_FACTOR = 31
    ROD_STEP = 32
    FEED = 33
    HAUL = 34
    WATCH = 35
    WRAP = 36
    RUB = 37
    RUN = 38
    ROD_LEAN = 39
    LEAN_FOLLOW = 40
    ROD_FOLLOW = 41
    SLIDE_RUN = 42
    CONES = 43


#: the same for compiled code
(
    DRIVE, FORCES, WIND, COLLIDE, ASSEMBLE, PLAN, STIFFEN, SOLVE, FACTORISE, SUBSTITUTE, RELINEARISE, INTEGRATE, GUARD,
    REEVE, TENSE, YIELD, PAY, BEND, LAY, CONDENSE, RIPPLE, SETTLE, WEAVE, KNIT, UNKNIT, FASTEN, FLEX, HOLD, RELAX, REST,
    ROD_LOOK, ROD_FACTOR, ROD_STEP, FEED, HAUL, WATCH, WRAP, RUB, RUN, ROD_LEAN, LEAN_FOLLOW,
    ROD_FOLLOW, SLIDE_RUN, CONES,
) = (int(stage) for stage in Stage)  # fmt: skip

#: what a step comes back with when it is fine, and segments of cables are to be merged, split or parted before the next one
DUE = 1
