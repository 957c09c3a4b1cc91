"""A quadruped stands by PD control of its joints, and is pushed from the side for a moment."""
import pathlib
import sys

import numpy as np

import tenpin

MODEL = pathlib.Path(__file__).parent.parent / "scenes" / "quadruped.xml"

sim = tenpin.load(MODEL)
joints = slice(6, 14)  # of v: the trunk's six velocities come first
wanted = np.array(sim.q[7:15])
while sim.time < 2:
    sim.force[joints] = 150 * (wanted - sim.q[7:15]) - 4 * sim.v[joints]
    sim.set_body_force("trunk", [0, 20 if 1 <= sim.time < 1.1 else 0, 0])
    report = sim.step()
    assert report.certified, report.message
height = sim.position("trunk")[2]
tilt = np.degrees(np.arccos(np.clip(sim.pose("trunk")[2, 2], -1, 1)))
load = sum(contact["force"][2] for contact in sim.contacts)
print(f"trunk at {height:.3f} m, tilted by {tilt:.2f} degrees; feet carry {load:.1f} N of {9.81 * 9.6:.1f} N")
sys.exit(not (height > 0.3 and tilt < 5))
