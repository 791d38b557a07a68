"""A hose through a guide it can slide in, over a pipe, and a twisted rod whose loop cannot pass through itself."""

import numpy as np

import taut
from taut.cables.rod import Clamp, Hollow, Rod

hose = Rod(
    "700 mm", 80, start=Clamp((0, 0, 0)), end=Clamp("[500, 0, 0] mm"), section=Hollow("16 mm", "10 mm"), E="8 MPa",
    nu=0.45, density="1200 kg/m^3",
)  # fmt: skip
hose.solve()
lowest = hose.points[:, 2].min()
across = (np.sqrt(0.5), np.sqrt(0.5), 0, 0)
hose.add_obstacle("pipe", taut.Cylinder(radius="30 mm", length="300 mm"), (0.25, 0, lowest - 0.06), across)
for rise in range(0, 41, 10):
    hose.move_obstacle("pipe", (0.25, 0, lowest - 0.06 + 1e-3 * rise))
    found = hose.solve()
    push = hose.contact_force.get("pipe", np.zeros(3))[2]
    print(f"pipe up {rise} mm: {found.contacts} contacts, {push:.2f} N, {found.iterations} iterations")
assert hose.clearance("pipe").distance > -1e-8 and push > 0.0

hose.remove_obstacle("pipe")
hose.solve()
guide = hose.add_clip("300 mm", release="slide")
hose.solve()
hose.move_clip(guide, hose.point_at(0.3) + np.array([0.0, 0.04, 0.02]))
hose.solve()
print(
    f"the guide has the hose at {1e3 * hose.clip_arc(guide):.1f} mm and pushes with {np.linalg.norm(hose.clip_force(guide)):.2f} N"
)

loop = Rod(1.0, 60, start=Clamp((0, 0, 0)), end=Clamp((0.999, 0, 0)), EI=1, GJ=0.75, radius=0.015)
loop.solve()
loop.touch_itself()
loop.twist_end("4 rev")
loop.solve()
for slack in np.arange(0.02, 0.301, 0.02):
    loop.move_end((1.0 - slack, 0, 0))
    loop.solve()
print(f"the loop presses on itself at {len(loop.self_contacts)} places")
assert loop.self_contacts
