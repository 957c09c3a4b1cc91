#!/usr/bin/env python3
"""Faults C1 to C13: masses, inertias, rotations and coefficients."""
import json
import unittest

from program import BALL, FLOOR, FaultTest, scene


def body(more):
    return f"{{name: a, shapes: [{{sphere: {{radius: 1}}}}], {more}}}"


class Numbers(FaultTest):
    def test_C1_mass(self):
        for mass in ("0", "-1", ".nan"):
            with self.subTest(mass=mass):
                self.refuse(scene([body(f"mass: {mass}")]), "mass")

    def test_C2_inertia_that_no_body_has(self):
        self.refuse(scene([body("mass: 1, inertia: [1, 1, 3]")]), "inertia", "3")

    def test_C3_inertia_not_symmetric_or_not_positive(self):
        for inertia in ("[[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]", "[-1, 1, 1]", "[0, 0, 0]"):
            with self.subTest(inertia=inertia):
                self.refuse(scene([body(f"mass: 1, inertia: {inertia}")]), "inertia")

    def test_C4_tiny_inertia(self):
        outcome = self.run_scene(scene([FLOOR, BALL.replace("mass: 1", "mass: 1, inertia: [1e-30, 1e-30, 1e-30]")]))
        self.expect_honest(outcome)

    def test_C5_point_masses_and_rods(self):
        self.refuse(scene(["{name: a, mass: 1}"]), "inertia")
        rod = body("mass: 1, inertia: [1, 1, 0]")
        self.expect_honest(self.run_scene(scene([rod])))

    def test_C6_quaternions(self):
        for q in ("[0, 0, 0, 0]", "[1.1, 0, 0, 0]", "[.nan, 0, 0, 0]"):
            with self.subTest(q=q):
                self.refuse(scene([body(f"mass: 1, orientation: {q}")]), "orientation")
        self.accept(scene([body("mass: 1, orientation: [1.0000000001, 0, 0, 0]")]))

    def test_C7_reflections(self):
        self.refuse(scene([body("mass: 1, orientation: {matrix: [[1, 0, 0], [0, 1, 0], [0, 0, -1]]}")]),
                    "orientation")

    def test_C8_positions_out_of_range(self):
        for x in ("1e308", "1e18"):
            with self.subTest(x=x):
                self.refuse(scene([body(f"mass: 1, position: [{x}, 0, 0]")]), "position")

    def test_C9_fast_bodies(self):
        ball = BALL.replace("position: [0, 0, 0.1]", "position: [0, 0, 1]")
        for motion in ("velocity: [0, 0, -1e9]", "angular_velocity: [1e6, 0, 0]"):
            for method in ("{time-stepping: {step: 0.01}}", "{impulse: {}}", "{analytic: {}}"):
                with self.subTest(motion=motion, method=method):
                    text = scene([FLOOR, ball.replace("mass: 1", f"mass: 1, {motion}")], method=method, until="0.02")
                    self.write("scene.yaml", text)
                    outcome = self.call("run", "scene.yaml", "-q", "--json")
                    self.expect_honest(outcome)
                    if outcome.code == 0:
                        z = json.loads(outcome.out)["bodies"][1]["position"][2]
                        self.assertGreater(z, -1e-3, "through the floor")

    def test_C10_friction(self):
        for mu in ("-0.1", ".nan", "1e9", ".inf"):
            with self.subTest(mu=mu):
                self.refuse(scene(head=f"materials: {{wood: {{friction: {mu}}}}}"), "friction")

    def test_C11_restitution(self):
        for e in ("-0.1", "1.0000001", "2"):
            with self.subTest(e=e):
                self.refuse(scene(head=f"materials: {{wood: {{restitution: {e}}}}}"), "restitution")

    def test_C12_mass_ratios(self):
        for mass in ("1e3", "1e6", "1e9"):
            with self.subTest(mass=mass):
                top = f"{{name: top, mass: {mass}, position: [0, 0, 0.3], shapes: [{{sphere: {{radius: 0.1}}}}]}}"
                self.write("scene.yaml", scene([FLOOR, BALL, top]))
                outcome = self.call("run", "scene.yaml", "-q", "--json")
                self.expect_honest(outcome, codes=(0, 3))
                if outcome.code == 0:
                    summary = json.loads(outcome.out)
                    self.assertGreater(summary["bodies"][1]["position"][2], 0.099, "sinks in silence")

    def test_C13_gravity(self):
        self.refuse(scene(head="gravity: [0, 0, .nan]"), "gravity")
        for g in ("0", "-1e6"):
            with self.subTest(g=g):
                self.accept(scene(head=f"gravity: [0, 0, {g}]"))


if __name__ == "__main__":
    unittest.main()
