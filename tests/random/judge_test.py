#!/usr/bin/env python3
"""The judge sees what it should: each law is broken by hand in a run that keeps them all."""
import copy
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy as np

import geometry
import impact_laws
import judge
import laws
import scenes


def parts_of(shapes):
    """Placed parts of two shapes: (kind, parameters, position, orientation, vertices)."""
    made = []
    for kind, parameters, position, quaternion, vertices in shapes:
        part = geometry.Part(kind, np.array(parameters, float), np.zeros(3), np.eye(3),
                             np.array(vertices, float))
        made.append(geometry.Placed(part, np.array(position, float),
                                    geometry.rotations(quaternion)))
    return made


class Distance(unittest.TestCase):
    turned = [np.cos(0.4), np.sin(0.4), 0, 0]  # by 0.8 rad about x

    def apart(self, *shapes):
        return geometry.calc_separation(*parts_of(shapes), np.inf)[0]

    def test_round_shapes_have_closed_forms(self):
        ball = (geometry.SPHERE, [0.5, 0, 0], [0, 0, 2], [1, 0, 0, 0], [])
        self.assertAlmostEqual(self.apart(ball, (geometry.SPHERE, [1, 0, 0], [0, 0, 0],
                                                 [1, 0, 0, 0], [])), 0.5, 9)
        self.assertAlmostEqual(self.apart((geometry.BOX, [1, 1, 1], [0, 0, 0], [1, 0, 0, 0], []),
                                          ball), 0.5, 9)
        rod = (geometry.CAPSULE, [0.1, 1, 0], [0, 0, 0], [1, 0, 0, 0], [])
        self.assertAlmostEqual(self.apart(ball, rod), 2 - 1 - 0.1 - 0.5, 9)

    def test_capsules_that_cross_askew(self):
        """Their axes are nearest within both: at a distance of 0.3 along x."""
        rod = (geometry.CAPSULE, [0.1, 1, 0], [0, 0.2, 0.4], [1, 0, 0, 0], [])
        other = (geometry.CAPSULE, [0.25, 2, 0], [0.3, 0.1, 0.3], self.turned, [])
        self.assertAlmostEqual(self.apart(rod, other), 0.3 - 0.35, 12)
        far = (geometry.CAPSULE, [0.25, 0.5, 0], [0.3, 0.2, 2.4], [1, 0, 0, 0], [])
        self.assertAlmostEqual(self.apart(rod, far), np.hypot(0.3, 0.5) - 0.35, 12)

    def test_ball_and_rim(self):
        """Nearest is a point of the rim: (1, 0, 0.5) to (2, 0, 1.5)."""
        disc = (geometry.CYLINDER, [1, 0.5, 0], [0, 0, 0], [1, 0, 0, 0], [])
        ball = (geometry.SPHERE, [0.5, 0, 0], [2, 0, 1.5], [1, 0, 0, 0], [])
        self.assertAlmostEqual(self.apart(disc, ball), np.sqrt(2) - 0.5, 6)

    def test_overlap_is_the_shortest_way_out(self):
        box = (geometry.BOX, [1, 1, 1], [0, 0, 0], [1, 0, 0, 0], [])
        other = (geometry.BOX, [1, 1, 1], [0.3, 0.2, 1.9], [1, 0, 0, 0], [])
        self.assertAlmostEqual(self.apart(box, other), -0.1, 9)

    def test_crossed_edges(self):
        """Two rods of square section, on edge and at right angles, touch between the edges."""
        corners = [[x, y, z] for x in (-2, 2) for y, z in ((0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5))]
        lower = (geometry.POLYHEDRON, [0, 0, 0], [0, 0, 0], [1, 0, 0, 0], corners)
        half = np.sqrt(0.5)
        upper = (geometry.POLYHEDRON, [0, 0, 0], [0, 0, 1.25], [half, 0, 0, half], corners)
        self.assertAlmostEqual(self.apart(lower, upper), 0.25, 9)

    def test_planes_and_bowls(self):
        floor = (geometry.PLANE, [0, 0, 0], [0, 0, 0], [1, 0, 0, 0], [])
        disc = (geometry.CYLINDER, [1, 0.5, 0], [0, 0, 1], self.turned, [])
        height = 1 - np.sin(0.8) - 0.5 * np.cos(0.8)
        self.assertAlmostEqual(self.apart(floor, disc), height, 9)
        bowl = (geometry.BOWL, [3, 0, 0], [0, 0, 0], [1, 0, 0, 0], [])
        disc = (geometry.CYLINDER, [1, 0.5, 0], [0, 0, 1], [1, 0, 0, 0], [])
        self.assertAlmostEqual(self.apart(bowl, disc), 3 - np.hypot(1, 1.5), 9)


def make_scene():
    """A ball that slides and falls on a box that rests, and a spinning plate beside them."""
    return {"tenpin": 1, "materials": {"ground": {"friction": 0.4}},
            "bodies": [
                {"name": "ground", "fixed": True, "material": "ground",
                 "shapes": [{"plane": {"normal": [0, 0, 1]}}]},
                {"name": "box", "material": "ground", "mass": 2, "position": [0, 0, 0.1],
                 "shapes": [{"box": {"half": [0.2, 0.2, 0.1]}}]},
                {"name": "ball", "material": "ground", "mass": 1, "position": [-0.1, 0, 0.31],
                 "velocity": [0.5, 0, 0], "shapes": [{"sphere": {"radius": 0.1}}]},
                {"name": "wheel", "material": "ground", "mass": 0.5, "position": [1, 0, 0.5],
                 "joint": {"hinge": {"axis": [0, 0, 1], "rate": 2, "limits": [-3, 3],
                                     "stiffness": 0.5}},
                 "shapes": [{"cylinder": {"radius": 0.2, "length": 0.1}}]}],
            "method": scenes.SETTINGS["default"]("none"),
            "record": {"every": scenes.STEP, "contacts": "steps"}, "until": 0.3}


class Laws(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder)
            judge.write_file(make_scene(), path / "scene.yaml")
            subprocess.run([os.environ["TENPIN"], "run", path / "scene.yaml", "-o", path / "run.h5",
                            "-q"], check=True, capture_output=True)
            cls.good = laws.Run(make_scene(), path / "run.h5")

    def setUp(self):
        self.run_ = copy.deepcopy(self.good)

    def kinds(self, law):
        return {kind for kind, _ in law(self.run_)}

    def test_good_run_keeps_all(self):
        for law in laws.LAWS:
            self.assertEqual(self.kinds(law), set(), law.__name__)

    def test_energies_are_those_of_the_run_file(self):
        kinetic, potential = laws.calc_energies(self.run_)
        rows = self.run_.steps[np.searchsorted(self.run_.steps["step"], self.run_.step[1:])]
        np.testing.assert_allclose(kinetic[1:].sum(axis=1), rows["kinetic"], rtol=1e-12)
        np.testing.assert_allclose(potential[1:].sum(axis=1), rows["potential"], rtol=1e-12)

    def test_faster_is_seen(self):
        self.run_.v_com[40:, 2] *= 1.01
        first = self.run_.v_begin[2]
        for _, _, v in self.run_.step_ends[40:]:
            v[first:first + 3] *= 1.01
        self.assertIn("energy", self.kinds(laws.check_energy))
        self.assertIn("momentum", self.kinds(laws.check_momentum))

    def test_slow_gain_is_seen(self):
        """Too little in each step, too much in all."""
        self.run_.v_com[:, 2] *= np.linspace(1, 1.15, len(self.run_.t))[:, None]
        self.assertIn("energy", self.kinds(laws.check_energy))

    def test_overlap_is_seen(self):
        self.run_.pose[30, 2, 2] -= 0.01
        self.assertEqual(self.kinds(laws.check_overlap), {"overlap"})

    def test_overlap_that_is_not_reported_is_seen(self):
        self.run_.pose[60, 2, 2] -= 0.0005
        self.assertEqual(self.kinds(laws.check_overlap), {"unreported"})

    def test_friction_beyond_the_cone_is_seen(self):
        loaded = np.flatnonzero(self.run_.contacts["normal_impulse"] > 0)[0]
        self.run_.contacts["impulse"][loaded, 0] += 0.45 * self.run_.contacts["normal_impulse"][loaded]
        self.run_.contacts["impulse"][loaded, 1] += 0.45 * self.run_.contacts["normal_impulse"][loaded]
        self.assertEqual(self.kinds(laws.check_friction), {"friction"})

    def test_pull_is_seen(self):
        loaded = np.flatnonzero(self.run_.contacts["normal_impulse"] > 0)[0]
        self.run_.contacts["impulse"][loaded] *= -1
        self.assertEqual(self.kinds(laws.check_friction), {"friction"})

    def test_impulse_that_is_not_recorded_is_seen(self):
        self.run_.contacts["impulse"][-1] *= 0.9
        self.assertEqual(self.kinds(laws.check_momentum), {"momentum"})

    def test_false_verdicts_are_seen(self):
        touching = np.flatnonzero(self.run_.contacts["body_b"] == 2)[-1]
        contact = self.run_.contacts[touching]
        self.run_.contacts["no_acceleration_solution"][touching] = True
        self.assertEqual(self.kinds(laws.check_verdicts), {"verdict"}, "A of a ball is positive")
        contact["painleve"], contact["free_acceleration"] = -1, -1
        self.run_.contacts[touching] = contact
        self.run_.contacts["no_acceleration_solution"][touching] = True
        self.assertEqual(self.kinds(laws.check_verdicts), {"verdict"}, "whatever it is said to be")

    def test_ledger_that_does_not_close_is_seen(self):
        self.run_.steps["closure"][40] = 1e-6 * self.run_.steps["kinetic"].max()
        self.assertEqual(self.kinds(laws.check_ledger), {"ledger"})

    def test_bounce_that_is_too_fast_is_seen(self):
        """The wheel of the scene that touches nothing is hit by hand: at 3 m/s, and leaves at 1."""
        self.hit_by_hand(after=[0, 0, 1])
        self.assertEqual(self.kinds(impact_laws.check_restitution), {"restitution"})

    def test_bounce_that_is_missing_is_seen(self):
        self.hit_by_hand(after=[0, 0, 0], e=0.5, mu=0)
        self.assertEqual(self.kinds(impact_laws.check_restitution), {"restitution"})
        self.hit_by_hand(after=[0, 0, 1.5], e=0.5, mu=0)
        self.assertEqual(self.kinds(impact_laws.check_restitution), set())

    def test_impact_that_gives_energy_is_seen(self):
        self.hit_by_hand(after=[5, 0, 0], impulse=[5, 0, 3])
        self.assertEqual(self.kinds(impact_laws.check_contact_work), {"work"})
        self.hit_by_hand(after=[-1, 0, 0], impulse=[-1, 0, 3])
        self.assertEqual(self.kinds(impact_laws.check_contact_work), set())

    def test_friction_that_gives_energy_is_seen(self):
        loaded = np.flatnonzero(self.run_.contacts["normal_impulse"] > 0)[0]
        self.run_.contacts["friction_work"][loaded] = 1e-6 * self.run_.steps["kinetic"].max()
        self.assertEqual(self.kinds(impact_laws.check_friction_work), {"work"})

    def test_friction_that_does_not_rub_is_seen(self):
        self.hit_by_hand(before=[8, 0, -3], after=[8, 0, 0], impulse=[0, 0, 3])
        self.assertEqual(self.kinds(impact_laws.check_friction_work), {"work"})
        self.hit_by_hand(before=[8, 0, -3], after=[6.8, 0, 0], impulse=[-1.2, 0, 3])
        self.assertEqual(self.kinds(impact_laws.check_friction_work), set())

    def hit_by_hand(self, after, before=(0, 0, -3), impulse=(0, 0, 3), e=0.0, mu=0.4):
        """A run of two frames in which the ball hits the floor, at its lowest point, and does not spin."""
        run = self.run_ = copy.deepcopy(self.good)
        ball, ground = 2, 0
        run.restitution[:], run.friction[:] = e, mu
        run.impact_law = "newton"
        run.contacts = run.contacts[run.contacts["body_b"] == ball][:1].copy()
        contact = run.contacts[0]
        contact["body_a"], contact["normal"], contact["impulse"] = ground, [0, 0, 1], impulse
        contact["normal_impulse"], contact["friction_work"] = impulse[2], 0
        contact["position"] = run.com[1, ball] - [0, 0, 0.1]
        run.contacts[0] = contact
        run.frame_of = np.array([1])
        run.t = run.t[:2]
        run.velocity[:2, ball, 3:] = 0
        run.v_com[0, ball], run.v_com[1, ball] = before, after
        run.touches = None

    def test_limits_are_seen(self):
        self.run_.q[10, self.run_.q_begin[3]] = 3.1
        self.assertEqual(self.kinds(laws.check_joints), {"limits"})

    def test_numbers_that_are_none_are_seen(self):
        self.run_.v[3, 0] = np.nan
        self.assertEqual(self.kinds(laws.check_finite), {"nan"})


class Scenes(unittest.TestCase):
    def test_cases_are_kept(self):
        for path in scenes.CASES.glob("*.json"):
            family, seed = path.stem.split("-")
            kept = json.loads(path.read_text())
            self.assertEqual(scenes.make_scene(family, int(seed), "default")["bodies"], kept["bodies"])

    def test_same_seed_same_scene(self):
        for family in scenes.FAMILIES:
            self.assertEqual(scenes.make_scene(family, 3, "default"),
                             scenes.make_scene(family, 3, "default"))
            self.assertNotEqual(scenes.make_scene(family, 3, "default")["bodies"],
                                scenes.make_scene(family, 4, "default")["bodies"])


if __name__ == "__main__":
    unittest.main()
