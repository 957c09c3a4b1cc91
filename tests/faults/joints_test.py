#!/usr/bin/env python3
"""Faults E1 to E5, F1 to F7 and G1 to G6: mechanisms, settings and starts."""
import json
import unittest

from program import BALL, FLOOR, FaultTest, scene


def link(name, more, parent=""):
    return f"{{name: {name}, {parent}mass: 1, shapes: [{{sphere: {{radius: 0.1}}}}], {more}}}"


class Joints(FaultTest):
    def test_E1_joints_to_themselves(self):
        self.refuse(scene([link("a", "joint: {hinge: {axis: [0, 0, 1]}}", "parent: a, ")]), "parent")
        bar = "{name: bar, distance: {bodies: [world, world], anchors: [[0, 0, 0], [1, 0, 0]]}}"
        self.refuse(scene([BALL], head=f"loops: [{bar}]"))

    def test_E2_redundant_loops(self):
        """A parallelogram with a third bar: more constraints than freedoms, and it moves."""
        bodies = [link("a", "position: [0, 0, 0], joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 1]}}"),
                  link("b", "position: [1, 0, 0], joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 1]}}"),
                  link("c", "position: [2, 0, 0], joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 1], at: 0}}")]
        bars = ", ".join(f"{{name: {x}{y}, distance: {{bodies: [{x}, {y}], anchors: [[0, 0, 0], [0, 0, 0]]}}}}"
                         for x, y in ("ab", "bc", "ac"))
        self.accept(scene(bodies, head=f"loops: [{bars}]"))

    def test_E3_loops_that_cannot_close(self):
        bodies = [link("a", "joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 1]}}"),
                  link("b", "position: [9, 0, 0], joint: {hinge: {axis: [0, 1, 0], anchor: [0, 0, 1]}}")]
        outcome = self.run_scene(scene(bodies, head="loops: [{name: rod, "
                                       "distance: {bodies: [a, b], anchors: [[0, 0, 0], [0, 0, 0]], length: 1}}]"))
        self.assertIn(outcome.code, (2, 3), outcome.text)
        self.assertIn("rod", outcome.text)

    def test_E4_axes_and_limits(self):
        self.refuse(scene([link("a", "joint: {hinge: {axis: [0, 0, 0]}}")]), "axis")
        self.refuse(scene([link("a", "joint: {hinge: {axis: [0, 0, 1], limits: [1, -1]}}")]), "limits")
        self.refuse(scene([link("a", "joint: {hinge: {axis: [0, 0, 1], limits: [.nan, 1]}}")]), "limits")

    def test_E5_long_chain(self):
        chain = ("{name: link, mass: 1, inertia: [1, 1, 1], position: [0, 0, -1], joint: {hinge: {axis: [0, 1, 0], "
                 "anchor: [0, 0, 1]}}, repeat: {chain: 10000}}")
        self.expect_honest(self.run_scene(scene([chain], until="0.02"), "--set", "method.time-stepping.order=1"))


class Settings(FaultTest):
    def test_F1_steps(self):
        for step in ("0", "-1", ".nan", "1e-300", "1e9"):
            with self.subTest(step=step):
                self.refuse(scene(method=f"{{time-stepping: {{step: {step}}}}}"), "step")

    def test_F2_too_many_steps(self):
        outcome = self.run_scene(scene(method="{time-stepping: {step: 1e-9}}", until="1000"))
        self.assertEqual(outcome.code, 5, outcome.text)
        self.assertIn("--force", outcome.text)

    def test_F3_end_between_steps(self):
        self.write("scene.yaml", scene(method="{time-stepping: {step: 0.03}}", until="0.1"))
        outcome = self.call("run", "scene.yaml", "-q", "--json")
        self.assertEqual(json.loads(outcome.out)["t"], 0.1)

    def test_F4_directions(self):
        for count in ("0", "1", "2"):
            with self.subTest(count=count):
                self.refuse(scene(method=f"{{time-stepping: {{solver: lemke, directions: {count}}}}}"), "directions")
        outcome = self.run_scene(scene(method="{time-stepping: {solver: lemke, directions: 1000000}}"))
        self.assertIn(outcome.code, (2, 5), outcome.text)

    def test_F5_methods(self):
        self.refuse(scene(method="{guessing: {}}"), "guessing")
        hinge = link("a", "joint: {hinge: {axis: [0, 0, 1]}}")
        outcome = self.run_scene(scene([hinge], method="{penalty: {step: 0.01}}"))
        self.assertEqual(outcome.code, 2)
        self.assertIn("joint of a", outcome.text)

    def test_F6_tolerances(self):
        for tolerance in ("0", "1e-30", "1"):
            with self.subTest(tolerance=tolerance):
                self.refuse(scene(method=f"{{time-stepping: {{tolerance: {tolerance}}}}}"), "tolerance")

    def test_F7_seeds(self):
        for seed in ("-1", "18446744073709551616"):
            with self.subTest(seed=seed):
                self.refuse(scene(head=f"seed: {seed}"), "seed")


class Starts(FaultTest):
    def test_G1_overlaps_of_any_depth(self):
        for z in ("0.1999999999", "0.18", "0.1", "0"):
            for method in ("{time-stepping: {step: 0.01}}", "{impulse: {}}", "{analytic: {}}"):
                with self.subTest(z=z, method=method):
                    other = BALL.replace("ball", "other").replace("0.1]", f"{0.1 + float(z)}]")
                    outcome = self.run_scene(scene([FLOOR, BALL, other], method=method), "--json")
                    self.expect_honest(outcome)
                    self.assertNotIn(b"nan", outcome.out.lower())

    def test_G2_many_bodies_at_one_point(self):
        ball = BALL.replace("shapes", "repeat: {grid: [60, 1, 1], spacing: 0}, shapes")
        self.expect_honest(self.run_scene(scene([FLOOR, ball], until="0.02")))

    def test_G3_painleve(self):
        rod = ("{name: rod, mass: 1, position: [0, 0, 0.41], orientation: {axis: [0, 1, 0], degrees: 40}, "
               "velocity: [3, 0, 0], shapes: [{capsule: {radius: 0.01, length: 1}}]}")
        head = "materials: {default: {friction: 1.5}}"
        for method in ("{time-stepping: {step: 0.002}}", "{impulse: {}}", "{analytic: {}}"):
            with self.subTest(method=method):
                self.expect_honest(self.run_scene(scene([FLOOR, rod], head=head, method=method)))

    def test_G4_symmetric_stack_has_the_same_bits(self):
        boxes = [f"{{name: box {i}, mass: 1, position: [0, 0, {0.1 + 0.2 * i}], shapes: [{{box: {{size: [0.2, 0.2, 0.2]}}}}]}}"
                 for i in range(6)]
        self.assertEqual(self.state_hash(scene([FLOOR, *boxes])),
                         self.state_hash(scene([FLOOR, *boxes]), "--threads", "4"))

    def test_G5_infinitely_many_bounces(self):
        ball = BALL.replace("0.1]", "0.5]")
        head = "materials: {default: {restitution: 0.5}}"
        for method in ("{time-stepping: {step: 0.01}}", "{impulse: {}}", "{analytic: {}}"):
            with self.subTest(method=method):
                self.accept(scene([FLOOR, ball], head=head, method=method, until="2"))

    def test_G6_many_contacts(self):
        grid = BALL.replace("shapes", "repeat: {grid: [270, 270, 1], spacing: 0.3}, shapes")
        outcome = self.accept(scene([FLOOR, grid], method="{time-stepping: {step: 0.01, order: 1, contact: {compliance: 0.03}}}",
                                    until="0.02"), "--json")
        self.assertEqual(json.loads(outcome.out)["max_contacts"], 270 * 270, "every ball has its contact")


if __name__ == "__main__":
    unittest.main()
