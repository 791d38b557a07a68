"""URDF and MJCF in: MuJoCo reads the file, and what it has compiled becomes a scene.

MuJoCo's own reader knows defaults, includes, compiler settings and both formats; we take over bodies, geoms, joints, limits,
equalities, tendons over sites, and velocity or position actuators of joints. What changes the mechanics and cannot be
taken over is an error that lists all of it; what is left out without harm is a note.
"""

from __future__ import annotations

import importlib.util
import itertools
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from taut.exchange.errors import ExchangeError
from taut.exchange.geoms import Skin, geoms_of
from taut.scene import Scene
from taut.scene.mesh_file import SUFFIXES as MESHES

SUFFIXES = (".urdf", ".xml", ".mjcf")
#: share of a body's mass that a shape has which is not centred on it and becomes a body of its own [-]
SKIN_SHARE = 1e-3
#: stiffness of a tendon that has none: as stiff as a steel rope of 12 mm [N]
TENDON_STIFFNESS = 6e6


@dataclass
class Imported:
    """A scene, and what is to be said about it."""

    scene: Scene
    notes: list[str]


@dataclass
class _Draft:
    """The scene while it is put together."""

    bodies: dict[str, Any] = field(default_factory=dict)
    joints: dict[str, Any] = field(default_factory=dict)
    cables: dict[str, Any] = field(default_factory=dict)
    materials: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    owner: dict[int, str] = field(default_factory=dict)
    """Our name of each of MuJoCo's bodies; world for those that stand still."""
    jointed: dict[int, str] = field(default_factory=dict)
    """Our name of each of MuJoCo's joints."""

    def name(self, wanted: str) -> str:
        """A name that we can use and that is not taken."""
        plain = re.sub(r"\W", "_", wanted, flags=re.ASCII) or "part"
        plain = f"_{plain}" if plain[0].isdigit() else plain
        taken = {*self.bodies, *self.joints, *self.cables, "world"}
        found, k = plain, 2
        while found in taken:
            found, k = f"{plain}_{k}", k + 1
        return found


def read_robot(path: str | Path) -> Imported:
    """Read a URDF or MJCF file. Raises ExchangeError and SceneError."""
    file = Path(path)
    if importlib.util.find_spec("mujoco") is None:
        raise ExchangeError(
            "URDF and MJCF are read by the package 'mujoco'; install it with pip install 'taut[robots]'"
        )
    if file.suffix.lower() in MESHES:
        raise ExchangeError(
            f"{file}: a mesh is no scene of its own; name it in one as the shape of a body: "
            f"shape: {{type: mesh, file: {file.name}, unit: mm, up: z}}"
        )
    if file.suffix.lower() not in SUFFIXES:
        raise ExchangeError(f"{file}: expected a file ending in {', '.join(SUFFIXES)}")
    if not file.is_file():
        raise ExchangeError(f"{file}: no such file")
    import mujoco

    try:
        spec = mujoco.MjSpec.from_file(str(file))
        model = spec.compile()
    except (ValueError, RuntimeError) as error:
        raise ExchangeError(f"{file}: MuJoCo cannot read it: {' '.join(str(error).split())[:400]}") from None
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    draft = _Draft()
    _refuse_the_rest(model, draft)
    for i in range(model.nbody):
        _add_body(mujoco, model, data, i, draft, file.parent)
    _add_joints(mujoco, model, data, draft)
    _add_equalities(mujoco, model, data, draft)
    _add_tendons(mujoco, model, data, draft)
    _add_actuators(mujoco, model, draft)
    _spare_cylinders(draft)
    if draft.errors:
        raise ExchangeError("\n".join([f"{file}: cannot be taken over:", *(f"  {text}" for text in draft.errors)]))
    scene = Scene(
        name=file.stem, gravity=tuple(model.opt.gravity.tolist()), bodies=draft.bodies, joints=draft.joints,
        cables=draft.cables, materials=draft.materials,
    )  # fmt: skip
    return Imported(scene, list(dict.fromkeys(draft.notes)))


def _refuse_the_rest(model: Any, draft: _Draft) -> None:
    """What MuJoCo has and we do not, as a whole."""
    for count, what in (
        (model.nflex, "flexible bodies (flex)"),
        (model.nskin, "skins"),
        (model.nhfield, "height fields"),
        (model.nplugin, "plugins"),
    ):
        if count:
            draft.errors.append(f"{what}: {count} of them; take them out of the file")
    if model.nmocap:
        draft.notes.append(f"{model.nmocap} mocap bodies stand still; give them a motion in the scene")
    if model.nsensor:
        draft.notes.append(f"{model.nsensor} sensors are left out: every quantity can be read by its name")
    if model.nu and model.na:
        draft.notes.append("actuators with a state of their own follow at once")
    if model.dof_damping.any() or model.jnt_stiffness.any() or model.dof_frictionloss.any():
        draft.notes.append("damping, springs and friction of joints are left out")
    if model.dof_armature.any():
        draft.notes.append("armature (added inertia of joints) is left out")


def _spare_cylinders(draft: _Draft) -> None:
    """Cylinders touch planes and spheres; beside anything else they are only drawn."""
    colliding = [body for body in draft.bodies.values() if "shape" in body and body.get("collide", True)]
    round_ones = [body for body in colliding if body["shape"]["type"] == "cylinder"]
    others = [body for body in colliding if body["shape"]["type"] in ("box", "capsule")]
    if round_ones and (others or len(round_ones) > 1):
        for body in round_ones:
            body["collide"] = False
            body.pop("material", None)
        draft.notes.append(
            f"{len(round_ones)} cylinders are drawn and do not collide: they can touch planes and spheres only"
        )


def _label(mujoco: Any, model: Any, kind: Any, i: int, otherwise: str) -> str:
    return mujoco.mj_id2name(model, kind, i) or otherwise


def _add_body(mujoco: Any, model: Any, data: Any, i: int, draft: _Draft, folder: Path) -> None:
    """One of MuJoCo's bodies: ours lies in its centre of mass, along its principal axes."""
    name = _label(mujoco, model, mujoco.mjtObj.mjOBJ_BODY, i, f"body_{i}")
    parent = int(model.body_parentid[i])
    still = i == 0 or (model.body_jntnum[i] == 0 and draft.owner.get(parent) == "world")
    frame = (data.xipos[i].copy(), np.zeros(4))
    mujoco.mju_mat2Quat(frame[1], data.ximat[i])
    skins = geoms_of(mujoco, model, data, i, folder, draft.notes, draft.errors)
    if still:
        draft.owner[i] = "world"
        for k, skin in enumerate(skins):
            own = draft.name(skin.name or (name if i else "ground") + (f"_{k}" if len(skins) > 1 else ""))
            draft.bodies[own] = {"kind": "static", **_pose(*skin.frame), **_looks(skin, draft)}
        return
    own = draft.name(name)
    mass, inertia = float(model.body_mass[i]), model.body_inertia[i].copy()
    if mass <= 0.0 or inertia.min() <= 0.0:
        draft.errors.append(f"body {name}: it moves but has no mass or inertia")
        return
    free = model.body_jntnum[i] > 0 and model.jnt_type[model.body_jntadr[i]] == mujoco.mjtJoint.mjJNT_FREE
    first = next((skin for skin in skins if skin.centred_on(*frame)), None)
    others = [skin for skin in skins if skin is not first]
    share = SKIN_SHARE * len(others)
    body = {"mass": (1.0 - share) * mass, "inertia": tuple(((1.0 - share) * inertia).tolist()), **_pose(*frame)}
    # the axes of the shape, along which the moments are given: those of the body may be turned against them
    if first is not None:
        body |= _looks(first, draft) | _pose(frame[0], first.frame[1])
        body["inertia"] = _turned((1.0 - share) * inertia, frame[1], first.frame[1])
    draft.bodies[own] = body
    draft.owner[i] = own
    for skin in others:
        _add_skin(own, skin, SKIN_SHARE * mass, bool(free), draft)


def _add_skin(owner: str, skin: Skin, mass: float, free: bool, draft: _Draft) -> None:
    """A shape that is not centred on its body: a light body of its own, locked to it."""
    name = draft.name(skin.name or f"{owner}_shape")
    moment = 0.4 * mass * skin.reach**2
    looks = _looks(skin, draft)
    if not free and looks.get("collide", True):
        looks["collide"] = False
        draft.notes.append(
            f"{name}: the shape of a jointed body that is not centred on it is drawn and does not collide"
        )
    draft.bodies[name] = {"mass": mass, "inertia": (moment,) * 3, **_pose(*skin.frame), **looks}
    draft.joints[draft.name(f"{name}_lock")] = {"type": "lock", "a": owner, "b": name}


def _turned(inertia: np.ndarray, of: np.ndarray, into: np.ndarray) -> tuple[float, ...]:
    """Principal moments along the axes `of`, along the axes `into`: xx, yy, zz, xy, xz, yz."""
    from taut.compile.frames import matrix

    turn = matrix(into).T @ matrix(of)
    tensor = turn @ np.diag(inertia) @ turn.T
    return tuple(float(tensor[k]) for k in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))


def _pose(position: np.ndarray, turn: np.ndarray) -> dict[str, Any]:
    return {"position": tuple(position.tolist()), "orientation": tuple((turn / np.linalg.norm(turn)).tolist())}


def _looks(skin: Skin, draft: _Draft) -> dict[str, Any]:
    found: dict[str, Any] = {"shape": skin.shape, "color": skin.color}
    if not skin.collides:
        found["collide"] = False
    elif skin.friction is not None:
        material = f"friction_{skin.friction:g}".replace(".", "_").replace("-", "_")
        draft.materials[material] = {"friction": skin.friction}
        found["material"] = material
    return found


def _add_joints(mujoco: Any, model: Any, data: Any, draft: _Draft) -> None:
    kinds = mujoco.mjtJoint
    for i in range(1, model.nbody):
        if i not in draft.owner or draft.owner[i] == "world":
            continue
        body, parent = draft.owner[i], draft.owner.get(int(model.body_parentid[i]), "world")
        joints = range(model.body_jntadr[i], model.body_jntadr[i] + model.body_jntnum[i])
        if len(joints) > 1:
            draft.errors.append(
                f"body {body}: {len(joints)} joints in one place; put a small body between them, or use a ball joint"
            )
            continue
        if not len(joints):
            draft.joints[draft.name(f"{body}_lock")] = {"type": "lock", "a": parent, "b": body}
            continue
        j = joints[0]
        kind = model.jnt_type[j]
        if kind == kinds.mjJNT_FREE:
            continue
        name = draft.name(_label(mujoco, model, mujoco.mjtObj.mjOBJ_JOINT, j, f"{body}_joint"))
        joint: dict[str, Any] = {"a": parent, "b": body, "at": tuple(data.xanchor[j].tolist())}
        if kind == kinds.mjJNT_BALL:
            joint["type"] = "ball"
            if model.jnt_limited[j]:
                draft.notes.append(f"{name}: a ball joint without its limit")
        else:
            joint |= {"type": "hinge" if kind == kinds.mjJNT_HINGE else "slider", "axis": tuple(data.xaxis[j].tolist())}
            if model.jnt_limited[j]:
                start = float(model.qpos0[model.jnt_qposadr[j]])
                low, high = (float(end) - start for end in model.jnt_range[j])
                joint["limits"] = {"lower": low, "upper": high}
        draft.joints[name] = joint
        draft.jointed[j] = name


def _add_equalities(mujoco: Any, model: Any, data: Any, draft: _Draft) -> None:
    kinds = mujoco.mjtEq
    for k in range(model.neq):
        label = _label(mujoco, model, mujoco.mjtObj.mjOBJ_EQUALITY, k, f"equality_{k}")
        kind = model.eq_type[k]
        if kind not in (kinds.mjEQ_CONNECT, kinds.mjEQ_WELD) or model.eq_objtype[k] != mujoco.mjtObj.mjOBJ_BODY:
            draft.errors.append(f"equality {label}: only connect and weld between bodies can be taken over")
            continue
        a, b = (draft.owner.get(int(ids[k]), "world") for ids in (model.eq_obj1id, model.eq_obj2id))
        if b == "world":
            a, b = b, a
        joint: dict[str, Any] = {"type": "ball" if kind == kinds.mjEQ_CONNECT else "lock", "a": a, "b": b}
        if kind == kinds.mjEQ_CONNECT:
            one = int(model.eq_obj1id[k])
            joint["at"] = tuple((data.xpos[one] + data.xmat[one].reshape(3, 3) @ model.eq_data[k, :3]).tolist())
        draft.joints[draft.name(label)] = joint


def _add_tendons(mujoco: Any, model: Any, data: Any, draft: _Draft) -> None:
    """Tendons over sites become ropes; the rest of MuJoCo's tendons does not."""
    site = mujoco.mjtWrap.mjWRAP_SITE
    for k in range(model.ntendon):
        label = _label(mujoco, model, mujoco.mjtObj.mjOBJ_TENDON, k, f"tendon_{k}")
        wraps = range(model.tendon_adr[k], model.tendon_adr[k] + model.tendon_num[k])
        if any(model.wrap_type[w] != site for w in wraps):
            draft.errors.append(
                f"tendon {label}: only sites can be taken over; a sheave is a part of a cable in a scene"
            )
            continue
        sites = [int(model.wrap_objid[w]) for w in wraps]
        places = [data.site_xpos[s] for s in sites]
        path = float(sum(np.linalg.norm(b - a) for a, b in itertools.pairwise(places)))
        limited, stiffness = bool(model.tendon_limited[k]), float(model.tendon_stiffness[k])
        if not limited and not stiffness:
            draft.notes.append(f"tendon {label}: it neither holds nor pulls, and is left out")
            continue
        length = float(model.tendon_range[k, 1]) if limited else float(model.tendon_lengthspring[k, 1])
        length = length if length > 0.0 else path
        route: list[dict[str, Any]] = []
        for n, (s, place) in enumerate(zip(sites, places)):
            on = draft.owner.get(int(model.site_bodyid[s]), "world")
            kind = "end" if n in (0, len(sites) - 1) else "ring"
            route.append({"type": kind, "at": tuple(place.tolist()), **({"on": on} if on != "world" else {})})
        if not stiffness:
            draft.notes.append(f"tendon {label}: it has no stiffness; the rope gets EA = {TENDON_STIFFNESS / 1e6:g} MN")
        axial = stiffness * length if stiffness else TENDON_STIFFNESS
        draft.cables[draft.name(label)] = {"axial_stiffness": axial, "length": length, "route": route}


def _add_actuators(mujoco: Any, model: Any, draft: _Draft) -> None:
    """Velocity and position actuators of hinges and slides become motors."""
    for k in range(model.nu):
        label = _label(mujoco, model, mujoco.mjtObj.mjOBJ_ACTUATOR, k, f"actuator_{k}")
        joint = draft.jointed.get(int(model.actuator_trnid[k, 0]))
        ours = draft.joints.get(joint or "", {})
        if model.actuator_trntype[k] != mujoco.mjtTrn.mjTRN_JOINT or ours.get("type") not in ("hinge", "slider"):
            draft.notes.append(f"actuator {label}: left out; only those of hinges and slides become motors")
            continue
        gain, bias = model.actuator_gainprm[k], model.actuator_biasprm[k]
        if bias[1] == 0.0 and bias[2] == 0.0:
            draft.notes.append(f"actuator {label}: a force; left out, push a body or write a motor instead")
            continue
        motor: dict[str, Any] = {"mode": "position" if bias[1] else "speed"}
        if bias[1]:
            motor["stiffness"] = float(gain[0])
        if model.actuator_forcelimited[k]:
            motor["force_limit"] = float(np.abs(model.actuator_forcerange[k]).max())
        ours["motor"] = motor
