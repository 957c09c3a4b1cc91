"""Closes a gripper at 0.2 s, lifts a block and shakes it; prints how far the block slipped."""
import pathlib
import sys

import numpy as np

import tenpin

SCENE = pathlib.Path(__file__).parent.parent / "scenes" / "gripper.yaml"

sim = tenpin.load(SCENE)
sim.advance_to(0.2)
for finger in ("left", "right"):
    sim.set_motor_target(finger, 0.06)
sim.advance_to(0.5)
held = sim.position("block") - sim.position("hand")
sim.set_motion("hand", [0, 0, 0.3])  # lift by 12 cm
sim.advance_to(0.9)
for i in range(8):  # shake
    sim.set_motion("hand", [0, 0.5 if i % 2 == 0 else -0.5, 0])
    report = sim.advance_to(0.9 + 0.05 * (i + 1))
    assert report.certified, report.message
block = sim.body_names.index("block")
contacts = sim.contacts
mine = contacts[(contacts["body_a"] == block) | (contacts["body_b"] == block)]
grip = mine["normal_impulse"].sum() / report.duration
slipped = np.linalg.norm(sim.position("block") - sim.position("hand") - held)
print(f"grip {grip:.1f} N in {len(mine)} points, block slipped by {1e3 * slipped:.2f} mm")
sys.exit(not slipped < 5e-3)  # a jerk of 1 m/s slips for some milliseconds
