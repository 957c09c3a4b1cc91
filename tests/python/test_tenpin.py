"""Tests of the Python package: views, controls, errors, runs, threads, signals and random calls."""
import doctest
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import tenpin
from tenpin import _environment, _run, _scene, _simulation, _solve, _study

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(tenpin.__file__).parent / "program"


def falling_ball(**more):
    return {"bodies": [{"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
                       {"name": "ball", "mass": 1, "position": [0, 0, 0.5], "shapes": [{"sphere": {"radius": 0.1}}]}],
            **more}


class Views(unittest.TestCase):
    def test_follow_the_simulation_without_copies(self):
        sim = tenpin.load(ROOT / "examples/scenes/cart-pole.yaml")
        q, v = sim.q, sim.v
        self.assertEqual(q["pole"], 0.2)
        before = q.ctypes.data
        for _ in range(20):
            sim.step()
        self.assertNotEqual(q["pole"], 0.2)
        self.assertEqual(q.ctypes.data, before)
        self.assertIs(sim.q, q)
        self.assertEqual(len(v), 2)

    def test_outlive_the_simulation(self):
        q = tenpin.load(falling_ball()).q
        np.ones(100000)
        self.assertEqual(q["ball"][2], 0.5)

    def test_are_read_only_and_set_by_assignment(self):
        sim = tenpin.load(falling_ball())
        with self.assertRaises(ValueError):
            sim.q[2] = 3.0
        q = np.array(sim.q)
        q[2] = 2.0
        sim.q = q
        self.assertEqual(sim.position("ball")[2], 2.0)

    def test_force_is_written_in_place_and_holds(self):
        sim = tenpin.load(falling_ball())
        sim.force["ball"][2] = 9.81
        sim.advance_to(0.3)
        self.assertAlmostEqual(sim.position("ball")[2], 0.5, 12)
        sim.force["ball"] = [0, 0, 2 * 9.81, 0, 0, 0]
        sim.advance_to(0.6)
        self.assertGreater(sim.position("ball")[2], 0.6)


class Contacts(unittest.TestCase):
    def test_are_a_structured_array(self):
        sim = tenpin.load(falling_ball())
        sim.advance_to(1.0)
        contacts = sim.contacts
        self.assertEqual(contacts.dtype["impulse"].shape, (3,))
        self.assertEqual(len(contacts), 1)
        self.assertAlmostEqual(contacts["force"][0][2], 9.81, 3)
        self.assertEqual(tenpin.MODES[contacts["mode"][0]] in ("resting", "sticking"), True)
        self.assertEqual(sim.body_names[contacts["body_b"][0]], "ball")

    def test_touching_has_a_name(self):
        scene = falling_ball(gravity=[0, 0, 0])
        scene["bodies"][1]["position"] = [0, 0, 0.1]
        sim = tenpin.load(scene)
        sim.step()
        self.assertEqual([tenpin.MODES[mode] for mode in sim.contacts["mode"]], ["touching"])

    def test_reactions_carry_the_weight(self):
        sim = tenpin.load(ROOT / "examples/scenes/cart-pole.yaml", set={"bodies.pole.joint.hinge.at": 0})
        sim.step()
        cart, pole = sim.reactions
        self.assertAlmostEqual(cart["force"][2], 1.1 * 9.81, 6)
        self.assertAlmostEqual(pole["force"][2], 0.1 * 9.81, 6)


class Bits(unittest.TestCase):
    def test_are_those_of_the_program(self):
        scene = ROOT / "scenes/four-balls.yaml"
        run = tenpin.simulate(scene, until=0.4)
        out = subprocess.run([PROGRAM, "run", scene, "--set", "until=0.4", "--json"], check=True, capture_output=True, text=True)
        self.assertIn(f"{run.state_hash:016x}", out.stdout)

    def test_snapshots_and_clones_continue(self):
        sim = tenpin.load(ROOT / "scenes/four-balls.yaml")
        sim.advance_to(0.2)
        there = sim.save()
        other = sim.clone()
        sim.advance_to(0.5)
        other.advance_to(0.5)
        first = sim.state_hash
        self.assertEqual(other.state_hash, first)
        sim.restore(there)
        sim.advance_to(0.5)
        self.assertEqual(sim.state_hash, first)

    def test_batches_are_those_of_single_simulations(self):
        scene = ROOT / "examples/scenes/cart-pole.yaml"
        batch = tenpin.Batch(scene, 5, threads=3)
        forces = np.linspace(-1, 1, 5)
        batch.force[:, 0] = forces
        batch.step(40)
        for k, force in enumerate(forces):
            sim = tenpin.load(scene)
            sim.force["cart"] = force
            for _ in range(40):
                sim.step()
            self.assertEqual(batch._hash(k), sim.state_hash)
            self.assertTrue((batch.q[k] == sim.q).all())
        batch.reset(np.array([True, False, False, False, False]))
        self.assertEqual(batch.time[0], 0)
        self.assertGreater(batch.time[1], 0)

    def test_two_threads_run_two_simulations(self):
        scene = ROOT / "scenes/four-balls.yaml"
        hashes = []

        def run():
            sim = tenpin.load(scene)
            sim.advance_to(0.3)
            hashes.append(sim.state_hash)

        team = [threading.Thread(target=run) for _ in range(3)]
        for member in team:
            member.start()
        for member in team:
            member.join()
        self.assertEqual(len(hashes), 3)
        self.assertEqual(len(set(hashes)), 1)


    def test_methods_keep_the_settings_of_the_scene(self):
        scene = falling_ball(method={"time-stepping": {"step": 0.02}})
        for method in (None, "time-stepping", "time-stepping:order=1"):
            sim = tenpin.load(scene, method=method)
            sim.step()
            self.assertEqual(sim.time, 0.02)
        self.assertEqual(tenpin.load(scene, method="impulse").scene.method, "impulse")


class Errors(unittest.TestCase):
    def test_of_scenes_have_all_problems(self):
        with self.assertRaises(tenpin.InputError) as caught:
            tenpin.load("tenpin: 1\nbodies:\n  - {name: a, mass: -1}\n  - {nam: b}\nuntil: 1\n")
        problems = caught.exception.problems
        self.assertGreaterEqual(len(problems), 2)
        self.assertEqual((problems[0].line, problems[0].path), (3, "bodies[0].mass"))
        self.assertIsInstance(caught.exception, ValueError)

    def test_name_the_argument(self):
        sim = tenpin.load(falling_ball())
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
        ]
        for argument, call in cases:
            with self.assertRaises(tenpin.InputError) as caught:
                call()
            self.assertIn(argument, str(caught.exception).split(":")[0], argument)
        self.assertTrue(sim.step().certified)

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


class Runs(unittest.TestCase):
    def test_are_saved_and_read(self):
        run = tenpin.simulate(falling_ball(), until=0.5)
        self.assertEqual(run.position["ball"].shape, (51, 3))
        self.assertEqual(run.orientation["ball"].shape, (51, 4))
        self.assertAlmostEqual(run.position["ball"][-1][2], 0.1, 5)
        self.assertGreater(len(run.contacts), 0)
        self.assertLess(abs(run.ledger["closure"]).max(), 1e-9)
        with tempfile.TemporaryDirectory() as folder:
            file = os.path.join(folder, "run.h5")
            run.save(file)
            again = tenpin.read(file)
            self.assertTrue((again.q == run.q).all())
            run.html(os.path.join(folder, "page.html"))
            self.assertGreater(os.path.getsize(os.path.join(folder, "page.html")), 10000)
        self.assertIn("iframe", run._repr_html_())

    def test_are_compared(self):
        table = tenpin.compare(falling_ball(), ["time-stepping", "impulse"], until=0.3)
        self.assertEqual([row["label"] for row in table.rows], ["time-stepping", "impulse"])
        self.assertIn("impulse", repr(table))
        self.assertGreater(len(table.html()), 10000)

    def test_of_studies_do_not_depend_on_threads(self):
        study = tenpin.Study(falling_ball(until=0.2), vary={"speed": ("bodies.ball.velocity.0", 1, 3)},
                             measures={"way": "bodies.ball.position.x"}, trials=6, seed=3)
        one, three = study.run(threads=1), study.run(threads=3)
        self.assertTrue((one == three).all())
        np.testing.assert_allclose(one["way"], 0.2 * one["speed"], rtol=1e-9)
        plain = tenpin.Study(falling_ball(until=0.2), vary={"speed": ("bodies.ball.velocity.0", 1, 3)}, trials=6, seed=3).run()
        self.assertTrue((plain["ball_x"] == one["way"]).all())


class Solvers(unittest.TestCase):
    def test_take_fclib_files(self):
        for name in ("FrictionContact3D_1c.hdf5", "Box_Stacks-i0035-31-0_global.hdf5"):
            answer = tenpin.solve_friction(ROOT / "tests/record/fclib" / name)
            self.assertTrue(answer.solved, name)
            self.assertLess(answer.residual, 1e-8)
            self.assertEqual(answer.r.shape, answer.u.shape)
            normal = answer.r.reshape(-1, 3)[:, 0]
            self.assertGreaterEqual(normal.min(), -1e-9)

    def test_scenes_are_built_in_python(self):
        scene = tenpin.Scene(falling_ball(name="Mine"), method="impulse", set={"bodies.ball.mass": 3})
        self.assertEqual((scene.name, scene.method), ("Mine", "impulse"))
        again = tenpin.Scene(scene.to_yaml())
        self.assertEqual(tenpin.load(again).state_hash, tenpin.load(scene).state_hash)


class Derivatives(unittest.TestCase):
    def test_balance_a_pole(self):
        sim = tenpin.load(ROOT / "examples/scenes/cart-pole.yaml", set={"bodies.pole.joint.hinge.at": 0})
        step = sim.linearize()
        whole = sim.linearize(by_differences=True)
        self.assertTrue(step.smooth and step.through_contacts and not whole.through_contacts)
        np.testing.assert_allclose(step.A, whole.A, atol=1e-7)
        np.testing.assert_allclose(step.B, whole.B, atol=1e-7)
        self.assertGreater(abs(np.linalg.eigvals(step.A)).max(), 1)

    def test_say_where_there_is_none(self):
        sim = tenpin.load(falling_ball(gravity=[0, 0, 0], bodies=[
            {"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
            {"name": "ball", "mass": 1, "position": [0, 0, 0.1], "shapes": [{"sphere": {"radius": 0.1}}]}]))
        step = sim.linearize()
        self.assertFalse(step.smooth)
        self.assertIn("floor and ball", step.kinks[0])


class Environments(unittest.TestCase):
    SCENE = ROOT / "examples/scenes/cart-pole.yaml"

    def episode(self, seed):
        env = tenpin.gymnasium.make(self.SCENE, actuators=["cart"], limit=20, max_steps=30,
                                    start=lambda sim, rng: sim.set_state(sim.q, 0.1 * rng.standard_normal(2)),
                                    terminated=lambda sim: abs(sim.q["pole"]) > 1.5)
        x, info = env.reset(seed=seed)
        self.assertTrue(env.observation_space.contains(x))
        xs = [x]
        while True:
            x, reward, terminated, truncated, info = env.step([3.0])
            xs.append(x)
            self.assertEqual(reward, 1.0)
            if terminated or truncated:
                return np.array(xs), terminated, info

    def test_repeat_with_their_seed(self):
        first, terminated, info = self.episode(5)
        again, _, _ = self.episode(5)
        other, _, _ = self.episode(6)
        self.assertTrue((first == again).all())
        self.assertFalse(np.array_equal(first[0], other[0]))
        self.assertTrue(info["certified"])

    def test_clip_actions(self):
        env = tenpin.gymnasium.make(self.SCENE, actuators=["cart"], limit=2)
        env.reset()
        env.step([1e6])
        self.assertEqual(env.sim.force["cart"], 2)

    def test_in_many_rows_have_the_bits_of_one(self):
        envs = tenpin.gymnasium.make_vec(self.SCENE, 3, actuators=["cart"], limit=20, steps=4, max_steps=5)
        one = tenpin.load(self.SCENE)
        x, _ = envs.reset()
        forces = np.array([[-1.0], [0.5], [2.0]])
        for _ in range(4):
            x, rewards, terminated, truncated, info = envs.step(forces)
        one.force["cart"] = 0.5
        for _ in range(16):
            one.step()
        self.assertTrue((x[1] == np.concatenate([one.q, one.v])).all())
        start = envs._batch.q[0].copy()
        x, _, _, truncated, info = envs.step(forces)
        self.assertTrue(truncated.all())
        self.assertFalse((info["final_observation"][0, :2] == x[0, :2]).all())
        self.assertEqual(x[0, 1], 0.2)
        self.assertFalse((start == x[0, :2]).all())


class Signals(unittest.TestCase):
    """Calls that would take for ever: a test that hangs has failed."""

    def interrupt(self, call):
        started = threading.Event()

        def send():
            started.wait()
            time.sleep(0.05)
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=send)
        sender.start()
        with self.assertRaises(KeyboardInterrupt):
            started.set()
            call()
        sender.join()

    def test_ctrl_c_stops_a_long_call_and_leaves_the_simulation_usable(self):
        for method in ("time-stepping", "impulse", "analytic"):
            sim = tenpin.load(falling_ball(), method=method)
            self.interrupt(lambda: sim.advance_to(1e6))
            t = sim.time
            self.assertTrue(sim.step().ok)
            self.assertGreater(sim.time, t)

    def test_ctrl_c_stops_runs_batches_and_studies(self):
        self.interrupt(lambda: tenpin.simulate(falling_ball(), until=1e5))
        batch = tenpin.Batch(falling_ball(), 3, threads=2)
        self.interrupt(lambda: batch.step(2 ** 31 - 1))
        batch.step(2)
        self.assertTrue(batch.ok.all())
        study = tenpin.Study(falling_ball(until=1e5), vary={"speed": ("bodies.ball.velocity.0", 1, 3)},
                             measures={"way": "bodies.ball.position.x"}, trials=3)
        self.interrupt(lambda: study.run(threads=2))
        self.interrupt(lambda: tenpin.compare(falling_ball(), ["time-stepping"], until=1e5))


class RandomCalls(unittest.TestCase):
    """Whatever is called with whatever: a Python exception or an answer, never a crash."""

    CALLS = 100000

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
                   "_repr_html_"]
        batch = tenpin.Batch(falling_ball(), 3)
        env = tenpin.gymnasium.make(ROOT / "examples/scenes/cart-pole.yaml")
        others = [sims[0].linearize, batch.step, batch.reset, batch.set_state, batch._hash, env.step, env.reset, tenpin.solve_lcp,
                  tenpin.solve_friction, tenpin.impact, tenpin.load, tenpin.Scene, tenpin.read, tenpin.Batch,
                  tenpin.Study, tenpin.gymnasium.make, tenpin.compare]
        properties = ["q", "v", "force", "gravity", "contacts", "ledger", "certificate", "time", "report", "reactions",
                      "state_hash", "kinetic_energy", "body_names"]
        allowed = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RuntimeError, OSError)
        answers = failures = 0
        for count in range(self.CALLS):
            k = rng.randrange(len(sims))
            sim = sims[k]
            try:
                what = rng.random()
                if what < 0.6:
                    arguments = [rng.choice(values) for _ in range(rng.choice([0, 1, 1, 2, 2, 3, 4]))]
                    getattr(sim, rng.choice(methods))(*arguments)
                elif what < 0.7:
                    rng.choice(others)(*[rng.choice(values) for _ in range(rng.choice([1, 2, 2, 3, 3]))])
                elif what < 0.8:
                    getattr(sim, rng.choice(properties))
                elif what < 0.9:
                    setattr(sim, rng.choice(properties), rng.choice(values))
                else:
                    sim.force[rng.choice(values[:15])] = rng.choice(values)
                answers += 1
            except allowed:
                failures += 1
            if count % 1000 == 999:
                sim.restore(starts[k])
        self.assertGreater(answers, self.CALLS // 10)
        self.assertGreater(failures, self.CALLS // 10)
        for sim, start in zip(sims, starts):
            sim.restore(start)
            self.assertTrue(sim.step().ok)


class Examples(unittest.TestCase):
    def test_run(self):
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(tenpin.__file__).parents[1])}
        for example in sorted((ROOT / "examples/python").glob("*.py")):
            out = subprocess.run([sys.executable, example], env=environment, capture_output=True, text=True)
            self.assertEqual(out.returncode, 0, f"{example.name}: {out.stdout}{out.stderr}")

    def test_the_package_runs_the_program(self):
        out = subprocess.run([sys.executable, "-m", "tenpin", "--version"], capture_output=True, text=True,
                             env={**os.environ, "PYTHONPATH": str(pathlib.Path(tenpin.__file__).parents[1])})
        self.assertEqual(out.returncode, 0, out.stderr)


class Stubs(unittest.TestCase):
    def test_name_what_there_is(self):
        text = (pathlib.Path(tenpin.__file__).parent / "__init__.pyi").read_text()
        for name in tenpin.__all__:
            self.assertIn(name, text)
        more = (pathlib.Path(tenpin.__file__).parent / "gymnasium.pyi").read_text()
        for name in tenpin.gymnasium.__all__:
            self.assertIn(name, more)
        for name in dir(tenpin.Simulation):
            if not name.startswith("_"):
                self.assertIn(name, text, f"Simulation.{name} is not in __init__.pyi")


def load_tests(loader, tests, pattern):
    for module in (tenpin, _environment, _scene, _simulation, _run, _solve, _study):
        tests.addTests(doctest.DocTestSuite(module, optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL))
    return tests


if __name__ == "__main__":
    unittest.main()
