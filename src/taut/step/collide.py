"""Contacts of the step as bounded rows: one normal row and two friction rows each, after the rows of the joints.

Normal row, gap d, n from a to b:   G = [-n, -(r_a x n)] on a, [n, r_b x n] on b
    d > 0:   n.v+ >= -d / h                           (may close the gap, not more)
    d <= 0:  n.v+ + Sigma lam >= max(-4 gamma d / h, -e n.v)    Sigma = 4 gamma / (h^2 k)
Friction rows: t.v+ + Sigma_t lam_t = 0 while sticking, at the limit mu lam_n while sliding (taut.step.solve).

Without a given stiffness k = STIFFNESS / (h^2 w), w the inverse mass felt along n: a body at rest sinks in by
g h^2 / STIFFNESS, a quarter of a micrometre at 1/60 s. A segment of a rope carries what hangs on the rope, up to a million times its
own weight: its contacts are stiffer than its joints, so that the rope's own stretch is more than what it sinks in.
"""

from __future__ import annotations

import math

from taut.contact.detect import detect
from taut.contact.shapes import FEATURES, Shapes
from taut.contact.work import PRESSED_TALLY, Contacts, DetectWork
from taut.core.buffers import column, index_table, indices, table
from taut.core.codes import FREE, LOW, SLIDE
from taut.core.jit import kernel
from taut.core.model import (
    B_AT,
    B_BODY,
    BLOCK_INT,
    BODY_DYNAMIC,
    BODY_MASS,
    BODY_NEW,
    BODY_POS,
    BODY_QUAT,
    BODY_THREAD,
    BODY_VEL,
    BODY_WORLD_INERTIA,
    BUILT,
    C_A,
    C_B,
    C_GAP,
    C_KEY,
    C_MATERIAL,
    C_NORMAL,
    C_POINT,
    C_ROCK,
    C_TANGENT,
    CONTACT_COUNT,
    CONTACT_GEOMETRY,
    CONTACT_INT,
    COUNT,
    EXCLUDED,
    FOUND_A,
    FOUND_B,
    FOUND_GAP,
    FOUND_KEY,
    FOUND_NORMAL,
    FOUND_POINT,
    FOUND_SHAPE_A,
    FOUND_SHAPE_B,
    G_BLOCK,
    G_START,
    GROUP_INT,
    GROUPS,
    JAC,
    JOINT_GROUPS,
    MAT_FRICTION,
    MAT_RESTITUTION,
    MAT_STATIC,
    MAT_STIFFNESS,
    MAT_TAU,
    MATERIAL,
    MOST_CONTACTS,
    NODE_RHS,
    OLD_GEOMETRY,
    OLD_INT,
    R_CONE,
    R_FRICTION,
    R_HIGH,
    R_LOW,
    R_RATE,
    R_RHO,
    R_RHS,
    R_SIGMA,
    R_STICK,
    ROW,
    ROW_BOUND,
    ROW_INT,
    ROW_LAM,
    ROW_PHI,
    RUBBING,
    SHAPE_BODY,
    SHAPE_DATA,
    SHAPE_FALL,
    SHAPE_FOUND,
    SHAPE_GROUP,
    SHAPE_HIGH,
    SHAPE_LOCAL,
    SHAPE_LOW,
    SHAPE_MASK,
    SHAPE_MATERIAL,
    SHAPE_ORDER,
    SHAPE_PAIR,
    SHAPE_PLACE,
    SHAPE_POS,
    SHAPE_POSE,
    SHAPE_PRESSED,
    SHAPE_QUAT,
    SHAPE_RAW,
    SHAPE_SIZE,
    SHAPE_SKIN,
    SHAPE_SLAB,
    SHAPE_START,
    SHAPE_TALLY,
    SHAPE_TYPE,
    SOLID_BESIDE,
    SOLID_BRANCH,
    SOLID_CORNER,
    SOLID_FACE,
    SOLID_FACING,
    SOLID_LOOP,
    SOLID_TREE,
    SOLID_TRIANGLE,
    SOLID_UPRIGHT,
)
from taut.core.rows import row_rates
from taut.step.features import FEW_BODIES, FEW_CONTACTS
from taut.step.friction import FRICTION_SOFTNESS

STIFFNESS = 1.0e4
#: stiffness of a contact of a rope, in stiffnesses of its joints
THREAD = 4.0
#: largest factor by which a contact of a rope is stiffer than that of another body, and by which it creeps less while it sticks
FIRMEST, FIRMEST_STICK = 1.0e3, 1.0e2
#: least change of speed in a step that counts as weight [m/s]
SLOW_FALL = 1e-6
#: where contacts are many, each gives way by this part of the inverse mass felt for what its force differs from the one before: of the
#: forces that would do, of which there are many, the nearest are meant, and Newton's method finds them [-]
LAG = 1.0e-3
PUSH_OUT = 1.0  # a body found deep inside another leaves at no more than this speed [m/s]
#: slip up to which a contact is at rest: static friction holds it [m/s]
AT_REST = 1e-3


@kernel
def _inverse_mass(mass, i, rx, ry, rz, nx, ny, nz):
    """n . M^-1 . n at arm r of a body with world inertia i."""
    tx, ty, tz = ry * nz - rz * ny, rz * nx - rx * nz, rx * ny - ry * nx
    a, b, c, d, e, f = i[0], i[1], i[2], i[3], i[4], i[5]
    p, q, r = d * f - e * e, c * e - b * f, b * e - c * d
    det = a * p + b * q + c * r
    ux = p * tx + q * ty + r * tz
    uy = q * tx + (a * f - c * c) * ty + (b * c - a * e) * tz
    uz = r * tx + (b * c - a * e) * ty + (a * d - b * b) * tz
    return 1.0 / mass + (ux * tx + uy * ty + uz * tz) / det


@kernel
def _fill_row(jac, at, sign, rx, ry, rz, ex, ey, ez):
    jac[at], jac[at + 1], jac[at + 2] = sign * ex, sign * ey, sign * ez
    jac[at + 3] = sign * (ry * ez - rz * ey)
    jac[at + 4] = sign * (rz * ex - rx * ez)
    jac[at + 5] = sign * (rx * ey - ry * ex)


@kernel
def _tangent(nx, ny, nz, ox, oy, oz):
    """Unit vector normal to n, as near to o as possible; any one when o is of no use."""
    d = ox * nx + oy * ny + oz * nz
    tx, ty, tz = ox - d * nx, oy - d * ny, oz - d * nz
    s = math.sqrt(tx * tx + ty * ty + tz * tz)
    if s < 1e-3:
        if abs(nx) < 0.7:
            tx, ty, tz = 1.0 - nx * nx, -nx * ny, -nx * nz
        else:
            tx, ty, tz = -ny * nx, 1.0 - ny * ny, -ny * nz
        s = math.sqrt(tx * tx + ty * ty + tz * tz)
    return tx / s, ty / s, tz / s


@kernel
def _note_pressed(s, w):
    """List the pairs of shapes that pressed on each other in the last step."""
    now, lam, pressed = index_table(s, CONTACT_INT), column(s, ROW_LAM), indices(w, SHAPE_PRESSED)
    first, count = index_table(w, GROUP_INT)[indices(w, COUNT)[JOINT_GROUPS], G_START], 0
    for c in range(indices(s, CONTACT_COUNT)[0]):
        pair = now[c, C_KEY] // FEATURES
        if lam[first + 3 * c] > 0.0 and (count == 0 or pressed[count - 1] != pair):
            pressed[count] = pair
            count += 1
    indices(w, SHAPE_TALLY)[PRESSED_TALLY] = count


@kernel
def _detect(families, settings, m, s, w, h):
    """Geometry of all contacts into the FOUND fields; returns their number or a negative code."""
    shapes = Shapes(
        indices(m, SHAPE_TYPE), table(m, SHAPE_SIZE), indices(m, SHAPE_BODY), table(m, SHAPE_POS), table(m, SHAPE_QUAT),
        indices(m, SHAPE_MATERIAL), indices(m, SHAPE_GROUP), indices(m, SHAPE_MASK),
        index_table(m, SHAPE_DATA), index_table(m, SHAPE_SKIN), table(m, SOLID_CORNER), index_table(m, SOLID_FACE), indices(m, SOLID_LOOP),
        table(m, SOLID_FACING), index_table(m, SOLID_TRIANGLE), table(m, SOLID_TREE), index_table(m, SOLID_BRANCH),
        index_table(m, SOLID_BESIDE), table(m, SOLID_UPRIGHT),
    )  # fmt: skip
    _note_pressed(s, w)
    fall = column(w, SHAPE_FALL)
    fall[0], fall[1], fall[2] = h * h * settings.gravity_x, h * h * settings.gravity_y, h * h * settings.gravity_z
    work = DetectWork(
        families, table(w, SHAPE_POSE), table(w, SHAPE_LOW), table(w, SHAPE_HIGH), indices(w, SHAPE_SLAB),
        indices(w, SHAPE_PLACE), indices(w, SHAPE_START), indices(w, SHAPE_ORDER),
        indices(w, SHAPE_PAIR), indices(w, SHAPE_RAW), indices(m, EXCLUDED), table(w, SHAPE_FOUND), table(w, SHAPE_LOCAL), indices(w, SHAPE_TALLY),
        indices(w, SHAPE_PRESSED), fall,
    )  # fmt: skip
    found = Contacts(
        indices(w, FOUND_A), indices(w, FOUND_B), indices(w, FOUND_SHAPE_A), indices(w, FOUND_SHAPE_B),
        table(w, FOUND_POINT), table(w, FOUND_NORMAL), column(w, FOUND_GAP), indices(w, FOUND_KEY),
    )  # fmt: skip
    return detect(
        shapes, table(s, BODY_POS), table(s, BODY_QUAT), table(s, BODY_VEL), indices(m, BODY_DYNAMIC), h,
        settings.contact_margin, work, found,
    )  # fmt: skip


@kernel
def _remember(s, w, before, joint_rows):
    """Keep last step's contacts: bodies, keys, directions and multipliers."""
    now, geometry = index_table(s, CONTACT_INT), table(s, CONTACT_GEOMETRY)
    lam, bound, sigma = column(s, ROW_LAM), indices(s, ROW_BOUND), column(s, ROW_PHI)
    old, old_geometry = index_table(w, OLD_INT), table(w, OLD_GEOMETRY)
    for c in range(before):
        old[c, 0], old[c, 1], old[c, 2] = now[c, C_A], now[c, C_B], now[c, C_KEY]
        for k in range(3):
            old[c, 3 + k] = bound[joint_rows + 3 * c + k]
            old_geometry[c, k] = geometry[c, C_NORMAL + k]
            old_geometry[c, 3 + k] = geometry[c, C_TANGENT + k]
            old_geometry[c, 6 + k] = lam[joint_rows + 3 * c + k]
        old_geometry[c, 9] = sigma[joint_rows + 3 * c + 1]
        old_geometry[c, 10] = geometry[c, C_ROCK]


@kernel
def _carry_over(now, geometry, c, old, old_geometry, before, o, lam, bound, sigma, r):
    """Start contact c from the old one with the same key, if there is one; both lists are sorted by pair."""
    pair = now[c, C_KEY] // FEATURES
    while o < before and old[o, 2] // FEATURES < pair:
        o += 1
    k = o
    found = -1
    while k < before and old[k, 2] // FEATURES == pair:
        if old[k, 2] == now[c, C_KEY]:
            found = k
        k += 1
    nx, ny, nz = geometry[c, C_NORMAL], geometry[c, C_NORMAL + 1], geometry[c, C_NORMAL + 2]
    if found >= 0:
        tx, ty, tz = _tangent(nx, ny, nz, old_geometry[found, 3], old_geometry[found, 4], old_geometry[found, 5])
        for k in range(3):
            lam[r + k] = old_geometry[found, 6 + k]
            bound[r + k] = old[found, 3 + k]
        sigma[r + 1], geometry[c, C_ROCK] = old_geometry[found, 9], old_geometry[found, 10]
    else:
        tx, ty, tz = _tangent(nx, ny, nz, 0.0, 0.0, 0.0)
        touching = geometry[c, C_GAP] <= 0.0
        for k in range(3):
            lam[r + k] = 0.0
            bound[r + k] = FREE if touching else (LOW if k == 0 else SLIDE)
        sigma[r + 1], geometry[c, C_ROCK] = 0.0, 0.0
    geometry[c, C_TANGENT], geometry[c, C_TANGENT + 1], geometry[c, C_TANGENT + 2] = tx, ty, tz
    return o


@kernel
def lay_out_contacts(m, s, w, found):
    """Make the contacts found the contacts of the state, with the multipliers of those that were there before."""
    point, normal, gap = table(w, FOUND_POINT), table(w, FOUND_NORMAL), column(w, FOUND_GAP)
    body_a, body_b, key = indices(w, FOUND_A), indices(w, FOUND_B), indices(w, FOUND_KEY)
    shape_a, shape_b, material = indices(w, FOUND_SHAPE_A), indices(w, FOUND_SHAPE_B), indices(m, SHAPE_MATERIAL)
    now, geometry = index_table(s, CONTACT_INT), table(s, CONTACT_GEOMETRY)
    old, old_geometry = index_table(w, OLD_INT), table(w, OLD_GEOMETRY)
    lam, bound, count = column(s, ROW_LAM), indices(s, ROW_BOUND), indices(w, COUNT)
    group, block = index_table(w, GROUP_INT), index_table(w, BLOCK_INT)
    joints = count[JOINT_GROUPS]
    before = indices(s, CONTACT_COUNT)[0]
    _remember(s, w, before, group[joints, G_START])
    same = found == before
    materials = int(math.sqrt(table(m, MATERIAL).shape[0]) + 0.5)
    o = 0
    for c in range(found):
        now[c, C_A], now[c, C_B], now[c, C_KEY] = body_a[c], body_b[c], key[c]
        now[c, C_MATERIAL] = material[shape_a[c]] * materials + material[shape_b[c]]
        for k in range(3):
            geometry[c, C_POINT + k] = point[c, k]
            geometry[c, C_NORMAL + k] = normal[c, k]
        geometry[c, C_GAP] = gap[c]
        same = same and old[c, 0] == now[c, C_A] and old[c, 1] == now[c, C_B]
        o = _carry_over(
            now, geometry, c, old, old_geometry, before, o, lam, bound, column(s, ROW_PHI), group[joints + c, G_START]
        )
        e = group[joints + c, G_BLOCK]
        block[e, B_BODY], block[e + 1, B_BODY] = now[c, C_A], now[c, C_B]
    indices(s, CONTACT_COUNT)[0] = found
    count[GROUPS] = joints + found
    if not same:
        count[BUILT] = 0


@kernel
def _rubs(m, s, w):
    """Whether contacts are too many to be solved one by one, or lie along ropes, where they lean on each other too much for it."""
    now, thread, found = index_table(s, CONTACT_INT), column(m, BODY_THREAD), indices(s, CONTACT_COUNT)[0]
    if found <= FEW_CONTACTS:
        return False
    if found > MOST_CONTACTS or table(w, NODE_RHS).shape[0] > FEW_BODIES:
        return True
    most = 0.0
    for c in range(found):
        most = max(most, thread[now[c, C_A]], thread[now[c, C_B]])
    return most > 0.0


@kernel
def assemble_contacts(settings, m, s, w, h):
    """Rows of all contacts."""
    now, geometry, pos, vel = (
        index_table(s, CONTACT_INT),
        table(s, CONTACT_GEOMETRY),
        table(s, BODY_POS),
        table(s, BODY_VEL),
    )
    dynamic, mass, material = indices(m, BODY_DYNAMIC), column(m, BODY_MASS), table(m, MATERIAL)
    thread = column(m, BODY_THREAD)
    new, inertia, group, block = (
        table(w, BODY_NEW),
        table(w, BODY_WORLD_INERTIA),
        index_table(w, GROUP_INT),
        index_table(w, BLOCK_INT),
    )
    jac, row, cone, sigma = column(w, JAC), table(w, ROW), index_table(w, ROW_INT), column(s, ROW_PHI)
    joints, lam = indices(w, COUNT)[JOINT_GROUPS], column(s, ROW_LAM)
    rubs = _rubs(m, s, w)
    indices(w, COUNT)[RUBBING] = 1 if rubs else 0
    fall = 2.0 * h * (abs(settings.gravity_x) + abs(settings.gravity_y) + abs(settings.gravity_z))
    for c in range(indices(s, CONTACT_COUNT)[0]):
        g = joints + c
        r, law = group[g, G_START], now[c, C_MATERIAL]
        nx, ny, nz = geometry[c, C_NORMAL], geometry[c, C_NORMAL + 1], geometry[c, C_NORMAL + 2]
        tx, ty, tz = geometry[c, C_TANGENT], geometry[c, C_TANGENT + 1], geometry[c, C_TANGENT + 2]
        sx, sy, sz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
        weight, across, stretch = 0.0, 0.0, 0.0
        for side in range(2):
            body, sign = now[c, C_A + side], -1.0 if side == 0 else 1.0
            rx = geometry[c, C_POINT] - pos[body, 0]
            ry = geometry[c, C_POINT + 1] - pos[body, 1]
            rz = geometry[c, C_POINT + 2] - pos[body, 2]
            at = block[group[g, G_BLOCK] + side, B_AT]
            _fill_row(jac, at, sign, rx, ry, rz, nx, ny, nz)
            _fill_row(jac, at + 6, sign, rx, ry, rz, tx, ty, tz)
            _fill_row(jac, at + 12, sign, rx, ry, rz, sx, sy, sz)
            row_rates(row, r, 3, jac, at, vel[body], new[body], dynamic[body] == 0, side == 0)
            stretch = max(stretch, thread[body])
            if dynamic[body] == 1:
                weight += _inverse_mass(mass[body], inertia[body], rx, ry, rz, nx, ny, nz)
                across += 0.5 * _inverse_mass(mass[body], inertia[body], rx, ry, rz, tx, ty, tz)
                across += 0.5 * _inverse_mass(mass[body], inertia[body], rx, ry, rz, sx, sy, sz)
        tau = material[law, MAT_TAU]
        gamma = 1.0 / (1.0 + 4.0 * (tau / h if tau >= 0.0 else 2.0))
        stiffness = material[law, MAT_STIFFNESS]
        firm = min(max(THREAD * stretch * h * h * weight / STIFFNESS, 1.0), FIRMEST)
        if stiffness > 0.0:
            row[r, R_SIGMA] = 4.0 * gamma / (h * h * stiffness)
        else:
            row[r, R_SIGMA] = 4.0 * gamma * weight / (STIFFNESS * firm)
        gap, approach, bounce = geometry[c, C_GAP], row[r, R_RATE], material[law, MAT_RESTITUTION]
        out = -gap / h if gap > 0.0 else min(-4.0 * gamma * gap / h, PUSH_OUT)
        if bounce > 0.0 and approach < -fall - 1e-3 and gap + h * approach <= 0.0:
            out = max(out, -bounce * approach)
        load = max(across * lam[r] / max(0.5 * fall, SLOW_FALL), 1.0)
        lag = LAG / load if rubs and lam[r] > 0.0 else 0.0
        row[r, R_SIGMA] += lag * weight
        row[r, R_RHS] = out + lag * weight * lam[r]
        row[r, R_LOW], row[r, R_HIGH] = 0.0, math.inf
        cone[r, R_CONE] = -1
        slip = math.sqrt(row[r + 1, R_RATE] ** 2 + row[r + 2, R_RATE] ** 2)
        friction = material[law, MAT_FRICTION if slip > AT_REST else MAT_STATIC]
        # along a rope contacts may carry much more than its weight: they are the firmer, and creep no faster
        row[r, R_RHO] = min(firm, FIRMEST_STICK) / across
        for i in range(r + 1, r + 3):
            row[i, R_STICK] = (FRICTION_SOFTNESS / min(firm, FIRMEST_STICK, load) + lag) * across
            row[i, R_RHS] = lag * across * lam[i]
            row[i, R_SIGMA] = max(row[i, R_STICK], sigma[r + 1])  # a sliding contact goes on sliding
            row[i, R_LOW], row[i, R_HIGH] = -math.inf, math.inf
            row[i, R_FRICTION] = friction
            cone[i, R_CONE] = r


@kernel
def collide(families, settings, m, s, w, h):
    """Find contacts and make their rows; returns how many, or the negative code of a full pool."""
    found = _detect(families, settings, m, s, w, h)
    if found >= 0:
        lay_out_contacts(m, s, w, found)
        assemble_contacts(settings, m, s, w, h)
    return found
