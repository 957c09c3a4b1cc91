"""Friction problems from numpy: the forces under a box, by the library's solver alone."""
import sys

import numpy as np

import tenpin

sim = tenpin.load({
    "materials": {"wood": {"friction": 0.4}},
    "bodies": [
        {"name": "table", "fixed": True, "material": "wood", "shapes": [{"plane": {}}]},
        {"name": "box", "mass": 2, "material": "wood", "position": [0, 0, 0.1], "shapes": [{"box": {"size": [0.4, 0.3, 0.2]}}]},
    ],
})
h = 0.01  # s
contacts, J, drive, mu = sim.contact_rows(reach=1e-6)
W = sim.delassus(J)  # how contact velocities follow impulses
v_free = h * np.array([3.0 / 2, 0, -9.81, 0, 0, 0])  # what weight and a push of 3 N make of the velocity
answer = tenpin.solve_friction(W, J @ v_free + drive, mu)
force = sum(axis * r for axis, r in zip(J[:, :3], answer.r)) / h
print(f"{len(contacts)} contacts, residual {answer.residual:.1e}, force on the box {np.round(force, 3)} N")
sys.exit(not np.allclose(force, [-3, 0, 2 * 9.81], atol=1e-4))
