"""Bad input: an exception with the argument's name, never a crash, and the object stays usable."""
import math
import os
import pathlib
import random
import tempfile
import unittest

import numpy as np

import tenpin

ROOT = pathlib.Path(__file__).resolve().parents[2]


def falling_ball(**more):
    return {"bodies": [{"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
                       {"name": "ball", "mass": 1, "position": [0, 0, 0.5], "shapes": [{"sphere": {"radius": 0.1}}]}],
            **more}


class Errors(unittest.TestCase):
    def test_of_scenes_have_all_problems(self):
        with self.assertRaises(tenpin.InputError) as caught:
            tenpin.load("tenpin: 1\nbodies:\n  - {name: a, mass: -1}\n  - {nam: b}\nuntil: 1\n")
        problems = caught.exception.problems
        self.assertGreaterEqual(len(problems), 2)
        self.assertEqual((problems[0].line, problems[0].path), (3, "bodies[0].mass"))
        self.assertIsInstance(caught.exception, ValueError)
        self.assertFalse(str(caught.exception).endswith("\n"))

    def test_name_the_argument(self):
        sim = tenpin.load(falling_ball())
        run = tenpin.simulate(falling_ball(), until=0.02)
        table = tenpin.compare(falling_ball(), ["impulse"], until=0.02)
        nan = float("nan")
        cases = [
            ("force", lambda: sim.set_body_force("ball", [1, 2])),
            ("force", lambda: sim.set_body_force("ball", [nan, 0, 0])),
            ("body", lambda: sim.set_body_force("bell", [0, 0, 0])),
            ("body", lambda: sim.pose(99)),
            ("gravity", lambda: setattr(sim, "gravity", "down")),
            ("q", lambda: sim.set_state([1.0], sim.v)),
            ("q", lambda: sim.set_state(np.zeros((2, 2)), sim.v)),
            ("t", lambda: sim.advance_to(nan)),
            ("force", lambda: setattr(sim, "force", np.zeros(3))),
            ("M", lambda: tenpin.solve_lcp([[1, 2]], [1])),
            ("W", lambda: tenpin.solve_friction(np.eye(2), [1, 2, 3], 0.1)),
            ("law", lambda: tenpin.impact(np.eye(3), [0, 0, -1], law="hooke")),
            ("e", lambda: tenpin.impact(np.eye(3), [0, 0, -1], e=2)),
            ("mask", lambda: tenpin.Batch(falling_ball(), 2).reset([True])),
            ("scene", lambda: tenpin.load(3)),
            ("scene", lambda: tenpin.Scene(None)),
            ("eps", lambda: sim.linearize(eps=-1)),
            ("duration", lambda: sim.linearize(duration=nan)),
            ("q", lambda: tenpin.solve_friction(np.eye(4), [1, 2, 3, 4], 0.1)),
            ("mu", lambda: tenpin.solve_friction(np.eye(3), [1, 2, 3], [0.1, 0.2])),
            ("q, mu", lambda: tenpin.solve_friction(np.eye(3))),
            ("tolerance", lambda: tenpin.solve_friction(np.eye(3), [1, 2, 3], 0.1, tolerance=nan)),
            ("tolerance", lambda: tenpin.solve_lcp([[1]], [1], tolerance=nan)),
            ("threads", lambda: tenpin.Batch(falling_ball(), 2, threads=10 ** 6)),
            ("steps", lambda: tenpin.Batch(falling_ball(), 2).step(-1)),
            ("index", lambda: tenpin.Batch(falling_ball(), 2).set_state(2, sim.q, sim.v)),
            ("actuators", lambda: tenpin.gymnasium.make(falling_ball(), actuators=["floor"])),
            ("limit", lambda: tenpin.gymnasium.make(falling_ball(), actuators=["ball"], limit=nan)),
            ("action", lambda: tenpin.gymnasium.make(falling_ball(), actuators=["ball"]).step([nan] * 6)),
            # the wrong type
            ("t", lambda: sim.advance_to("soon")),
            ("snapshot", lambda: sim.restore(None)),
            ("eps", lambda: sim.linearize(eps="small")),
            ("target", lambda: sim.set_motor_target("ball", "up")),
            ("body", lambda: sim.pose(True)),
            ("b", lambda: sim.distance("ball", "ball")),
            ("value", lambda: sim.force.__setitem__("ball", "up")),
            ("value", lambda: sim.force.__setitem__("ball", [1, 2])),
            ("threads", lambda: tenpin.load(falling_ball(), threads=1.5)),
            ("threads", lambda: tenpin.simulate(falling_ball(), threads=-3)),
            ("set", lambda: tenpin.load(falling_ball(), set=3)),
            ("count", lambda: tenpin.Batch(falling_ball(), "two")),
            ("steps", lambda: tenpin.Batch(falling_ball(), 2).step(1.5)),
            ("methods", lambda: tenpin.compare(falling_ball(), "impulse")),
            ("vary", lambda: tenpin.Study(falling_ball(), vary=None)),
            ("vary", lambda: tenpin.Study(falling_ball(), vary={"speed": 3})),
            ("trials", lambda: tenpin.Study(falling_ball(), vary={}, trials="all")),
            ("W", lambda: tenpin.solve_friction([["a"]], [1, 2, 3], 0.1)),
            ("q", lambda: tenpin.solve_friction(np.eye(3), ["a", 2, 3], 0.1)),
            ("mu", lambda: tenpin.impact(np.eye(3), [0, 0, -1], mu="rough")),
            ("limit", lambda: tenpin.gymnasium.make(falling_ball(), actuators=["ball"], limit=[1, 2])),
            ("limit", lambda: tenpin.gymnasium.make_vec(falling_ball(), 2, actuators=["ball"], limit=nan)),
            ("num_envs", lambda: tenpin.gymnasium.make_vec(falling_ball(), "two", actuators=["ball"])),
            ("actuators", lambda: tenpin.gymnasium.make(falling_ball(), actuators=3)),
            ("actuators", lambda: tenpin.gymnasium.make(falling_ball(), actuators=[["ball"]])),
            ("reward", lambda: tenpin.gymnasium.make(falling_ball(), actuators=["ball"], reward=3)),
            ("set", lambda: tenpin.simulate(falling_ball(), set=3)),
            ("set", lambda: tenpin.compare(falling_ball(), ["impulse"], set=3)),
            ("progress", lambda: tenpin.simulate(falling_ball(), progress="yes")),
            ("file", lambda: tenpin.simulate(falling_ball(), file=3)),
            ("file", lambda: tenpin.read(3)),
            ("file", lambda: run.save(3)),
            ("file", lambda: run.html(1)),
            ("file", lambda: run.html(True)),
            ("file", lambda: table.html(1)),
            ("a", lambda: sim.set_material_pair(3, "felt", 0.1, 0)),
            ("friction", lambda: sim.set_material_pair("felt", "felt", "x", 0)),
            ("restitution", lambda: sim.set_material_pair("felt", "felt", 0.1, None)),
            ("reach", lambda: sim.contact_rows("x")),
            ("vary", lambda: tenpin.Study(falling_ball(), vary={"speed": ("bodies.ball.mass", 3)})),
            ("sampling", lambda: tenpin.Study(falling_ball(), vary={}, sampling=3)),
        ]
        for argument, call in cases:
            with self.assertRaises(tenpin.InputError) as caught:
                call()
            self.assertIn(argument, str(caught.exception).split(":")[0], argument)
        self.assertTrue(sim.step().certified)
        os.fstat(1)  # a page is never written into an open file of the process, which would close it

    def test_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            broken = os.path.join(folder, "broken.h5")
            pathlib.Path(broken).write_bytes(b"not HDF5 at all")
            for call in (tenpin.read, tenpin.solve_friction):
                with self.assertRaises((OSError, tenpin.InputError)) as caught:
                    call(broken)
                self.assertIn("broken.h5", str(caught.exception))
                with self.assertRaises((OSError, tenpin.InputError)):
                    call(os.path.join(folder, "gone.h5"))
            with self.assertRaises(OSError):
                tenpin.simulate(falling_ball(), until=0.1, file=os.path.join(folder, "no", "run.h5"))
            run = tenpin.simulate(falling_ball(), until=0.1, file=os.path.join(folder, "run.h5"))
            os.remove(os.path.join(folder, "run.h5"))
            with self.assertRaises((OSError, tenpin.InputError)):
                run.html()
            self.assertEqual(run.position["ball"].shape[1], 3)

    def test_of_callbacks_pass_through(self):
        class Mine(Exception):
            pass

        def raises(t, until):
            raise Mine("enough")

        with self.assertRaises(Mine):
            tenpin.simulate(falling_ball(), until=1e6, progress=raises)
        env = tenpin.gymnasium.make(falling_ball(), actuators=["ball"], reward=lambda sim, action: 1 / 0)
        env.reset()
        with self.assertRaises(ZeroDivisionError):
            env.step(np.zeros(6))
        self.assertTrue(env.sim.step().ok)

    def test_numerical_failure_is_a_status(self):
        # No arithmetic of doubles meets such a tolerance on a box that tumbles and slides.
        scene = falling_ball(method={"time-stepping": {"order": 1, "solver": "lemke", "tolerance": 1.1e-15}})
        scene["bodies"].append({"name": "box", "density": 1000, "position": [0.5, 0, 0.1], "velocity": [2, 1, -3],
                                "angular_velocity": [3, 2, 1], "shapes": [{"box": {"size": [0.2, 0.3, 0.1]}}]})
        sim = tenpin.load(scene)
        while sim.time < 1 and sim.step().ok:
            pass
        report = sim.report
        self.assertFalse(report.ok)
        self.assertEqual(report.status, "certificate failed")
        self.assertIn("residual", report.message)


def unexplained(error):
    """The text of an error that names no argument: of pybind11, unless only the number of arguments is wrong."""
    text = str(error)
    return "" if "_hash" in text or text.startswith("step(") else text


class RandomCalls(unittest.TestCase):
    """Whatever is called with whatever: a Python exception or an answer, never a crash."""

    CALLS = 100000

    def setUp(self):
        before = os.getcwd()
        folder = tempfile.TemporaryDirectory()  # for files with names like "ball"
        os.chdir(folder.name)
        self.addCleanup(folder.cleanup)
        self.addCleanup(os.chdir, before)

    def test_never_crash(self):
        rng = random.Random(7)
        sims = [tenpin.load(falling_ball()), tenpin.load(ROOT / "examples/scenes/cart-pole.yaml"),
                tenpin.load(falling_ball(), method="impulse"), tenpin.load(ROOT / "examples/scenes/gripper.yaml")]
        starts = [s.save() for s in sims]
        values = [0, 1, -1, 99, 2 ** 40, 0.5, -3.0, float("nan"), float("inf"), 1e30, None, "", "ball", "cart", "hand",
                  "left", [], [1, 2], [1, 2, 3], [0, 0, float("nan")], np.zeros(3), np.zeros(6), np.zeros((2, 2)),
                  np.eye(3), np.array(["a"]), {}, b"x", True, object()]
        methods = ["pose", "position", "velocity", "set_body_force", "set_motor_target", "set_motion", "point_jacobian",
                   "forward_dynamics", "inverse_dynamics", "distance", "delassus", "mass_matrix", "bias_forces",
                   "smooth_forces", "contact_rows", "set_state", "set_material_pair", "step", "save", "restore", "reset",
                   "contact_force", "joint_effort", "clone", "_repr_html_"]
        batch = tenpin.Batch(falling_ball(), 3)
        run = tenpin.simulate(falling_ball(), until=0.05)
        envs = tenpin.gymnasium.make_vec(ROOT / "examples/scenes/cart-pole.yaml", 2, max_steps=3)
        env = tenpin.gymnasium.make(ROOT / "examples/scenes/cart-pole.yaml")
        others = [sims[0].linearize, batch.step, batch.reset, batch.set_state, batch._hash, env.step, env.reset, tenpin.solve_lcp,
                  tenpin.solve_friction, tenpin.impact, tenpin.load, tenpin.Scene, tenpin.read, tenpin.Batch,
                  tenpin.Study, tenpin.gymnasium.make, tenpin.gymnasium.make_vec, tenpin.compare, tenpin.simulate, run.plot,
                  envs.step]
        writers = [run.save, run.html]  # never called with the name of a file of the project
        good = [falling_ball(until=0.05), str(ROOT / "examples/scenes/cart-pole.yaml"), "impulse", ["impulse"], 0.05, None]
        properties = ["q", "v", "force", "gravity", "contacts", "ledger", "certificate", "time", "report", "reactions",
                      "state_hash", "kinetic_energy", "body_names"]
        allowed = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RuntimeError, OSError)
        few = [x for x in values if not (isinstance(x, (int, float)) and math.isfinite(x) and x > 100)]  # no run is that long
        answers = failures = 0
        for count in range(self.CALLS):
            k = rng.randrange(len(sims))
            sim = sims[k]
            try:
                what = rng.random()
                if what < 0.02:  # times that are near, and whatever else is not a time
                    t = rng.choice(values)
                    is_far = isinstance(t, (int, float)) and math.isfinite(t) and t > sim.time
                    sim.advance_to(sim.time + 0.02 * rng.random() if is_far else t)
                elif what < 0.6:
                    arguments = [rng.choice(values) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]
                    getattr(sim, rng.choice(methods))(*arguments)
                elif what < 0.7:
                    pool = few if rng.random() < 0.9 else good
                    call = rng.choice(others + writers if pool is few else others)
                    call(*[rng.choice(pool) for _ in range(rng.choice([1, 2, 2, 3, 3]))])
                elif what < 0.8:
                    getattr(sim, rng.choice(properties))
                elif what < 0.9:
                    setattr(sim, rng.choice(properties), rng.choice(values))
                else:
                    sim.force[rng.choice(values[:15])] = rng.choice(values)
                answers += 1
            except allowed as error:
                failures += 1
                self.assertNotIn("incompatible function arguments", unexplained(error))
            if count % 1000 == 999:
                sim.restore(starts[k])
        self.assertGreater(answers, self.CALLS // 10)
        self.assertGreater(failures, self.CALLS // 10)
        for sim, start in zip(sims, starts):
            sim.restore(start)
            self.assertTrue(sim.step().ok)


if __name__ == "__main__":
    unittest.main()
