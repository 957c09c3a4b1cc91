#!/usr/bin/env python3
"""Numbers at the edge: right with code 0, or an honest code 2, 3 or 5, within bounded work.

Each scene has an answer that is known without computing: boxes that rest stay where they are, a ball that
falls freely is where Galilei says.
"""
import itertools
import json
import math
import os
import resource
import unittest

from program import FaultTest

METHODS = {"order 2": "{{time-stepping: {{step: {step}}}}}", "order 1": "{{time-stepping: {{step: {step}, order: 1}}}}",
           "impulse": "{{impulse: {{interval: {step}}}}}", "analytic": "{{analytic: {{max_step: {step}}}}}",
           "compliant": "{{time-stepping: {{step: {step}, order: 1, contact: {{compliance: 0.03}}}}}}"}
NUM_STEPS = 10
CPU_SECONDS = int(os.environ.get("TENPIN_EDGE_SECONDS", "120"))  # of processor time; none takes a tenth on a quiet machine


def text(bodies, step, method, friction=0.5, gravity=9.81):
    lines = ["tenpin: 1", f"gravity: [0, 0, -{gravity:g}]",
             f"materials: {{m: {{friction: {friction:g}, restitution: 0}}}}", "bodies:",
             "  - {name: floor, fixed: true, material: m, shapes: [{plane: {normal: [0, 0, 1]}}]}"]
    lines += [f"  - {body}" for body in bodies]
    lines += [f"method: {METHODS[method].format(step=f'{step:g}')}", f"until: {NUM_STEPS * step:g}"]
    return "\n".join(lines) + "\n"


def box(name, size, mass, z, more=""):
    return (f"{{name: {name}, material: m, mass: {mass:g}, position: [0, 0, {z!r}]{more}, "
            f"shapes: [{{box: {{size: [{size:g}, {size:g}, {size:g}]}}}}]}}")


class Edges(FaultTest):
    def positions(self, content, context):
        """Of the moving bodies at the end; None after an honest failure."""
        outcome = self.run_scene(content, "--json", "--step-limit", "30",
                                 limits={resource.RLIMIT_CPU: CPU_SECONDS})
        self.expect_honest(outcome)
        self.codes[outcome.code] = self.codes.get(outcome.code, 0) + 1
        if outcome.code != 0:
            return None
        bodies = json.loads(outcome.out)["bodies"]
        found = [body["position"] for body in bodies if body["name"] != "floor"]
        self.assertTrue(all(math.isfinite(x) for p in found for x in p), context)
        return found

    def expect_rest(self, content, heights, size, context):
        """Nothing sinks or jumps by more than a thousandth of its size; compliant contacts, which are springs, by no
        more than the half that their certificate allows."""
        found = self.positions(content, context)
        sag = 0.5 if context[0] == "compliant" else 1e-3
        for position, z in zip(found or [], heights):
            self.assertLess(abs(position[2] - z), sag * size, context)
            self.assertLess(max(abs(position[0]), abs(position[1])), 1e-3 * size, context)

    def setUp(self):
        super().setUp()
        self.codes = {}

    def each(self, *lists):
        for values in itertools.product(METHODS, *lists):
            yield values
        self.assertGreater(self.codes.get(0, 0), 0, "nothing succeeded")
        print(self._testMethodName, dict(sorted(self.codes.items())))

    def test_C12_mass_ratios_at_the_edge(self):
        for method, ratio in self.each((1e-9, 1e-6, 1e-3, 1e3, 1e6, 1e9)):
            bodies = [box("below", 1, 1, 0.5), box("above", 1, ratio, 1.5)]
            self.expect_rest(text(bodies, 0.01, method), [0.5, 1.5], 1, (method, ratio))

    def test_D2_sizes_at_the_edge(self):
        for method, size in self.each((1e-6, 1e-4, 1e-2, 1e2, 1e4, 1e6)):
            step = 0.01 * math.sqrt(min(size, 1.0))
            bodies = [box("a", size, min(max(size ** 3 * 1000, 1e-12), 1e12), size / 2)]
            self.expect_rest(text(bodies, step, method), [size / 2], size, (method, size))

    def test_F1_steps_at_the_edge(self):
        for method, step in self.each((1e-9, 1e-6, 1e-4, 0.1, 1, 10)):
            self.expect_rest(text([box("a", 1, 1, 0.5)], step, method), [0.5], 1, (method, step))

    def test_F1_free_fall_with_steps_at_the_edge(self):
        for method, step in self.each((1e-9, 1e-6, 1e-3, 0.1, 1, 10)):
            t = NUM_STEPS * step
            fall = 9.81 * t * t / 2
            start = 2 * fall + 10
            found = self.positions(text([box("a", 1, 1, start)], step, method), (method, step))
            if found:
                # The first order is off by one step's fall.
                self.assertLess(abs(found[0][2] - start + fall), (1 / NUM_STEPS + 1e-6) * fall + 1e-12 * start,
                                (method, step))

    def test_C10_friction_at_the_edge(self):
        for method, friction in self.each((0, 1e-12, 100, 1e3, 1e6)):
            bodies = [box("a", 1, 1, 0.5), box("b", 1, 1, 1.5)]
            self.expect_rest(text(bodies, 0.01, method, friction=friction), [0.5, 1.5], 1, (method, friction))

    def test_C13_gravity_at_the_edge(self):
        for method, gravity in self.each((0, 1e-12, 1e-6, 1e3, 1e5, 1e9)):
            self.expect_rest(text([box("a", 1, 1, 0.5)], 0.01, method, gravity=gravity), [0.5], 1, (method, gravity))


if __name__ == "__main__":
    unittest.main()
