"""Balances a pole on a cart by feedback, under three contact methods."""
import pathlib
import sys

import tenpin

SCENE = pathlib.Path(__file__).parent.parent / "scenes" / "cart-pole.yaml"


def balance(method):
    """Cart position and pole angle after 5 s."""
    sim = tenpin.load(SCENE, method=method)
    q, v, force = sim.q, sim.v, sim.force  # views: they follow the simulation
    while sim.time < 5:
        force["cart"] = 9.9 * q["cart"] + 66.2 * q["pole"] + 11.0 * v["cart"] + 17.1 * v["pole"]
        report = sim.advance_to(sim.time + 0.005)
        assert report.certified, report.message
    return q["cart"], q["pole"]


if __name__ == "__main__":
    good = True
    for method in ("time-stepping", "impulse", "analytic"):
        x, angle = balance(method)
        print(f"{method:<14} cart at {x:.5f} m, pole at {angle:.5f} rad")
        good = good and abs(x) < 0.05 and abs(angle) < 0.01
    sys.exit(not good)
