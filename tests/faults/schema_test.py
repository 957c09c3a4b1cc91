#!/usr/bin/env python3
"""Faults B1 to B11: keys, types and references of scene files."""
import unittest

from program import BALL, FLOOR, FaultTest, scene


def body(more):
    return f"{{name: a, mass: 1, shapes: [{{sphere: {{radius: 1}}}}], {more}}}"


class Schema(FaultTest):
    def test_B1_unknown_key(self):
        self.refuse(scene(head="materials: {wood: {frction: 0.4}}"), "frction", "friction")

    def test_B2_wrong_types(self):
        self.refuse(scene(['{name: a, mass: "1", shapes: [{sphere: {radius: 1}}]}']), "mass")
        self.refuse(scene([body("position: {}")]), "position")
        self.refuse("tenpin: 1\nbodies: {}\nuntil: 1\n", "bodies")

    def test_B3_missing_field(self):
        self.refuse(scene(["{name: a, mass: 1, shapes: [{sphere: {}}]}"]), "radius")
        self.refuse("tenpin: 1\nbodies: []\n", "until")

    def test_B4_vectors_of_wrong_length(self):
        self.refuse(scene([body("position: [0, 0]")]), "position")
        self.refuse(scene([body("position: [0, 0, 0, 0]")]), "position")

    def test_B5_integers_out_of_range(self):
        for number in ("2147483648", "9223372036854775808", "-1", "1.5"):
            with self.subTest(number=number):
                method = f"{{time-stepping: {{step: 0.01, directions: {number}, solver: lemke}}}}"
                self.write("scene.yaml", scene(method=method))
                outcome = self.call("run", "scene.yaml", "-q")
                self.assertIn(outcome.code, (2, 5), outcome.text)
                self.assertIn("directions", outcome.text)

    def test_B6_bad_names(self):
        self.refuse(scene([BALL, BALL]), "ball")
        for name in ('""', "a/b", '".."', "a..b"):
            with self.subTest(name=name):
                self.refuse(scene([f"{{name: {name}, mass: 1, shapes: [{{sphere: {{radius: 1}}}}]}}"]), "name")

    def test_B7_unknown_references(self):
        self.refuse(scene([body("material: steel")]), "steel")
        self.refuse(scene([body("parent: nowhere, joint: {hinge: {axis: [0, 0, 1]}}")]), "nowhere")
        self.refuse(scene(["{name: a, mass: 1, shapes: [{mesh: {file: none.obj}}]}"]), "none.obj")

    def test_B8_version(self):
        self.refuse(scene().replace("tenpin: 1", "tenpin: 999"), "tenpin", "999")
        self.refuse(scene().replace("tenpin: 1\n", ""), "tenpin")

    def test_B9_no_bodies(self):
        self.accept(scene(bodies=()))

    def test_B10_includes_that_go_in_circles(self):
        include = "tenpin: 1\nmodels: [{{file: {}}}]\nuntil: 1\n"
        self.write("b.yaml", include.format("a.yaml"))
        self.refuse(include.format("b.yaml"), name="a.yaml")
        self.refuse(include.format("self.yaml"), name="self.yaml")
        for i in range(200):
            self.write(f"m{i}.yaml", include.format(f"m{i + 1}.yaml"))
        self.refuse(include.format("m0.yaml"), name="deep.yaml")

    def test_B11_units_where_there_are_none(self):
        self.refuse(scene([body("position: [0, 0, 10 cm]")]), "position")
        self.accept(scene([FLOOR, BALL.replace("0.1]", '"${10 cm}"]')]))


if __name__ == "__main__":
    unittest.main()
