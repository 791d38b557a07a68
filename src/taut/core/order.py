"""The stages of a step by name; their numbers are their places in the table of addresses."""

from enum import IntEnum


class Stage(IntEnum):
    """Names of the stages, in the order of paper 1's Algorithm 1; profile, trace and docs use them."""

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
    WRAP = 22


#: the same for compiled code
(
    DRIVE, FORCES, WIND, COLLIDE, ASSEMBLE, PLAN, STIFFEN, SOLVE, FACTORISE, SUBSTITUTE, RELINEARISE, INTEGRATE, GUARD,
    REEVE, TENSE, YIELD, PAY, BEND, LAY, CONDENSE, RIPPLE, SETTLE, WRAP,
) = (int(stage) for stage in Stage)  # fmt: skip
