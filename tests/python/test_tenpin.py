"""Tests of the Python package: views, controls, runs, solvers, environments and signals."""
import contextlib
import io
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np

import tenpin

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


class Parameters(unittest.TestCase):
    """Numbers that expressions of a scene use, changed from outside."""

    TEXT = """tenpin: 1
parameters: {speed: 2, radius: 0.1}
gravity: [0, 0, 0]
bodies:
  - {name: ball, mass: 1, velocity: ["${speed}", 0, 0], shapes: [{sphere: {radius: "${radius}"}}]}
until: 0.1
"""
    SCENE = {"parameters": {"speed": 2, "radius": 0.1}, "gravity": [0, 0, 0], "until": 0.1,
             "bodies": [{"name": "ball", "mass": 1, "velocity": ["${speed}", 0, 0],
                         "shapes": [{"sphere": {"radius": "${radius}"}}]}]}

    def sources(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        file = pathlib.Path(folder.name, "scene.yaml")
        file.write_text(self.TEXT)
        return self.TEXT, self.SCENE, file, str(file)

    def test_are_set_in_single_simulations(self):
        for source in self.sources():
            self.assertEqual(tenpin.load(source).v["ball"][0], 2)
            self.assertEqual(tenpin.load(source, set={"parameters.speed": 3}).v["ball"][0], 3)
            run = tenpin.simulate(source, set={"parameters.speed": 4})
            self.assertAlmostEqual(run.position["ball"][-1][0], 0.4, 12)
            self.assertEqual(tenpin.Batch(source, 2, set={"parameters.speed": 5}).v[1, 0], 5)
            with self.assertRaises(tenpin.InputError):
                tenpin.load(source, set={"parameters.sped": 3})

    def test_vary_in_studies(self):
        tables = []
        for source in self.sources():
            study = tenpin.Study(source, vary={"speed": ("parameters.speed", 1, 3), "radius": ("parameters.radius", [0.1, 0.2])},
                                 measures={"way": "bodies.ball.position.x"}, trials=3, seed=1)
            tables.append(study.run())
            self.assertEqual(len(tables[-1]), 6)
            np.testing.assert_allclose(tables[-1]["way"], 0.1 * tables[-1]["speed"], rtol=1e-9)
            self.assertTrue((tables[-1] == tables[0]).all())
        with self.assertRaises(tenpin.InputError):  # a Scene has numbers in place of its parameters
            tenpin.Study(tenpin.Scene(self.TEXT), vary={"speed": ("parameters.speed", 1, 3)}, measures={}, trials=3).run()

    def test_studies_of_scenes_with_files_beside_them(self):
        study = tenpin.Study(ROOT / "scenes/stools.yaml", vary={"until": ("until", [0.02, 0.03])})
        table = study.run()
        self.assertEqual(table["status"].tolist(), ["done", "done"])


class Texts(unittest.TestCase):
    def test_of_all_objects_say_what_they_are(self):
        sim = tenpin.load(falling_ball(name="Mine"))
        study = tenpin.Study(falling_ball(), vary={"mass": ("bodies.ball.mass", 1, 2)})
        self.assertEqual(repr(sim.scene), "<tenpin.Scene 'Mine' by time-stepping>")
        self.assertEqual(repr(sim.save()), "<tenpin.Snapshot at t = 0.000000 s>")
        self.assertEqual(repr(tenpin.Batch(falling_ball(), 3)), "<tenpin.Batch of 3, 3 of them well>")
        self.assertEqual(repr(study), "<tenpin.Study of mass: ball_x, ball_y, ball_z>")

    def test_of_progress_end_with_the_end(self):
        with contextlib.redirect_stderr(io.StringIO()) as out:
            tenpin.simulate(falling_ball(), until=0.1, progress=True)
        self.assertTrue(out.getvalue().endswith("0.100 s, reached the end\n"), out.getvalue())


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
    """Calls that would take for ever: a test that hangs has failed.

    What must be short is the processor time from the signal to the exception, by each thread of the call: other
    processes on a busy machine do not count."""

    PATIENCE = 0.1  # s

    def interrupt(self, call, threads=1):
        started = threading.Event()
        sent = []

        def send():
            started.wait()
            time.sleep(0.05)
            sent.append(time.process_time())
            os.kill(os.getpid(), signal.SIGINT)

        sender = threading.Thread(target=send)
        sender.start()
        with self.assertRaises(KeyboardInterrupt):
            started.set()
            call()
        took = time.process_time()
        sender.join()
        self.assertLess(took - sent[0], self.PATIENCE * threads)

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
        self.interrupt(lambda: batch.step(2 ** 31 - 1), threads=2)
        batch.step(2)
        self.assertTrue(batch.ok.all())
        study = tenpin.Study(falling_ball(until=1e5), vary={"speed": ("bodies.ball.velocity.0", 1, 3)},
                             measures={"way": "bodies.ball.position.x"}, trials=3)
        self.interrupt(lambda: study.run(threads=2), threads=2)
        self.interrupt(lambda: tenpin.compare(falling_ball(), ["time-stepping"], until=1e5))

    def test_ctrl_c_is_seen_at_the_next_look_of_a_run(self):
        times = []

        def progress(t, until):
            times.append(t)
            if len(times) == 2:
                os.kill(os.getpid(), signal.SIGINT)

        with self.assertRaises(KeyboardInterrupt):
            tenpin.simulate(falling_ball(), until=1e5, progress=progress)
        self.assertLessEqual(len(times), 3)


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


if __name__ == "__main__":
    unittest.main()
