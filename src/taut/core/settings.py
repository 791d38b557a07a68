"""Numbers of the whole run, as the kernels read them."""

from __future__ import annotations

from typing import NamedTuple


class Settings(NamedTuple):
    """Numbers of the whole run."""

    dt: float  # time step [s]
    gravity_x: float  # [m/s^2]
    gravity_y: float
    gravity_z: float
    floor: float  # smallest damping time of a row, in steps
    geometric: float  # factor of the geometric stiffness, 0 switches it off
    passes: int  # solves per step; 0: a second one only when tensions jump
    first_order: int  # 1: the papers' stepper instead of the variational one
    relinearise: int  # largest number of constraint corrections after the solve
    refinements: int  # refinements of the linear solve when its residual asks for it
    bound_iterations: int  # largest number of active sets tried in a step
    gauss_seidel: int  # 0: direct; else iterations of the block Gauss-Seidel of paper 1
    contact_margin: float  # contacts are looked for within this distance [m]
