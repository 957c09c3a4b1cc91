"""Tests of the Python package beside others: threads, forked processes, and packages that need not be installed."""
import importlib.util
import os
import pathlib
import threading
import unittest

import numpy as np

import tenpin

ROOT = pathlib.Path(__file__).resolve().parents[2]


def falling_ball():
    return {"bodies": [{"name": "floor", "fixed": True, "shapes": [{"plane": {}}]},
                       {"name": "ball", "mass": 1, "position": [0, 0, 0.5], "shapes": [{"sphere": {"radius": 0.1}}]}]}


class Sharing(unittest.TestCase):
    def test_one_simulation_in_two_threads_raises(self):
        sim = tenpin.load(falling_ball())
        started = threading.Event()
        ended = []

        def run():
            started.set()
            sim.advance_to(200)
            ended.append(True)

        member = threading.Thread(target=run)
        member.start()
        started.wait()
        errors = 0
        while not ended:
            try:
                sim.time
            except RuntimeError as error:
                self.assertIn("in use by another thread", str(error))
                errors += 1
        member.join()
        self.assertGreater(errors, 0)
        self.assertTrue(sim.step().certified)

    def test_a_forked_process_goes_on_with_the_same_bits(self):
        sim = tenpin.load(ROOT / "scenes/four-balls.yaml", threads=2)
        sim.advance_to(0.1)
        ours, theirs = os.pipe()
        child = os.fork()
        if child == 0:
            sim.advance_to(0.2)
            os.write(theirs, str(sim.state_hash).encode())
            del sim
            os._exit(0)
        os.close(theirs)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        sim.advance_to(0.2)
        self.assertEqual(os.read(ours, 100).decode(), str(sim.state_hash))
        os.close(ours)


def has(*modules):
    return unittest.skipUnless(all(importlib.util.find_spec(m) for m in modules), "needs " + ", ".join(modules))


class OtherPackages(unittest.TestCase):
    """What works with packages that need not be installed."""

    @has("matplotlib")
    def test_plots(self):
        import matplotlib
        matplotlib.use("Agg")
        run = tenpin.simulate(falling_ball(), until=0.1)
        for what in ("energy", "residual", "penetration"):
            axes = run.plot(what)
            self.assertEqual(axes.get_ylabel(), what)
            axes.figure.clf()
        with self.assertRaises(tenpin.InputError):
            run.plot("weather")

    @has("pandas")
    def test_tables(self):
        run = tenpin.simulate(falling_ball(), until=0.1)
        table = run.to_pandas()
        self.assertEqual(len(table), len(run.steps))
        self.assertTrue((table["kinetic"] == run.steps["kinetic"]).all())

    @has("scipy")
    def test_sparse_matrices(self):
        from scipy import sparse
        W = np.array([[2, 0.3, 0], [0.3, 2, 0], [0, 0, 1]])
        dense = tenpin.solve_friction(W, [-1, 0.3, 0.1], 0.5)
        for kind in (sparse.csr_matrix, sparse.csc_matrix, sparse.coo_matrix, sparse.lil_matrix, sparse.dia_matrix):
            self.assertTrue((tenpin.solve_friction(kind(W), [-1, 0.3, 0.1], 0.5).r == dense.r).all())
        twice = sparse.coo_matrix(([1, 1, 2, 1, 0.3, 0.3], ([0, 0, 1, 2, 0, 1], [0, 0, 1, 2, 1, 0])), shape=(3, 3))
        self.assertTrue((tenpin.solve_friction(twice, [-1, 0.3, 0.1], 0.5).r == dense.r).all())

    @has("gymnasium")
    def test_gymnasium_takes_our_environments_for_its_own(self):
        import gymnasium
        from gymnasium.utils.env_checker import check_env
        scene = str(ROOT / "examples/scenes/cart-pole.yaml")
        check_env(tenpin.gymnasium.make(scene, limit=20), skip_render_check=True)
        env = gymnasium.make("tenpin/Scene-v0", scene=scene)
        self.assertEqual(env.reset(seed=1)[0].shape, (4,))
        envs = gymnasium.make_vec("tenpin/Scene-v0", num_envs=3, scene=scene, vectorization_mode="vector_entry_point")
        self.assertIsInstance(envs, gymnasium.vector.VectorEnv)
        self.assertEqual(envs.reset(seed=1)[0].shape, (3, 4))


if __name__ == "__main__":
    unittest.main()
