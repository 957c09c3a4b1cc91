"""A run from a dictionary: where the ball is, what its energy did, and a page to look at."""
import sys

import tenpin

scene = {
    "name": "Bouncing ball",
    "materials": {"rubber": {"friction": 0.5, "restitution": 0.8}},
    "bodies": [
        {"name": "table", "fixed": True, "material": "rubber", "shapes": [{"plane": {}}]},
        {"name": "ball", "mass": 0.5, "material": "rubber", "position": [0, 0, 1.1], "velocity": [0.5, 0, 0],
         "shapes": [{"sphere": {"radius": 0.1}}]},
    ],
    "method": {"time-stepping": {"step": 0.001, "restitution": "newton"}},
    "until": 1.2,
}
run = tenpin.simulate(scene)
height = run.position["ball"][:, 2] - 0.1
bounced = height[run.t > 0.46].max()
lost = -(run.ledger["work_normal"].sum() + run.ledger["work_friction"].sum())
print(run)
print(f"bounced to {bounced:.3f} m; contacts took {lost:.3f} J; worst residual {run.certificate['residual']:.1e}")
if len(sys.argv) > 1:
    run.html(sys.argv[1])
sys.exit(not 0.6 < bounced < 0.66)
