"""tenpin.gymnasium where the package gymnasium is installed: that package, or the stand-in beside this file."""
import importlib.util
import pathlib
import sys
import unittest

import numpy as np

if importlib.util.find_spec("gymnasium") is None:
    sys.path.insert(0, str(pathlib.Path(__file__).parent / "stand_in"))

import gymnasium

import tenpin

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCENE = str(ROOT / "examples/scenes/cart-pole.yaml")


class Env(unittest.TestCase):
    def test_is_theirs(self):
        env = gymnasium.make("tenpin/Scene-v0", scene=SCENE, actuators=["cart"], limit=20)
        self.assertIsInstance(env.unwrapped, gymnasium.Env)
        self.assertIsInstance(env.unwrapped, tenpin.gymnasium.Env)
        self.assertIsInstance(env.action_space, gymnasium.spaces.Box)
        self.assertEqual(env.metadata["render_modes"], ["html"])

    def test_obeys_the_interface(self):
        env = tenpin.gymnasium.make(SCENE, actuators=["cart"], limit=20, max_steps=4,
                                    start=lambda sim, rng: sim.set_state(sim.q, 0.1 * rng.standard_normal(2)))
        first, info = env.reset(seed=3)
        self.assertIsNotNone(env.np_random)
        self.assertTrue(env.observation_space.contains(first))
        self.assertTrue((env.reset(seed=3)[0] == first).all())
        self.assertFalse((env.reset()[0] == first).all())
        flags = []
        for _ in range(4):
            x, reward, terminated, truncated, info = env.step(env.action_space.sample())
            self.assertTrue(env.observation_space.contains(x))
            self.assertIsInstance(reward, float)
            self.assertIs(type(terminated), bool)
            flags.append(truncated)
        self.assertEqual(flags, [False, False, False, True])
        env.close()


class VectorEnv(unittest.TestCase):
    def test_is_theirs(self):
        envs = gymnasium.make_vec("tenpin/Scene-v0", num_envs=3, scene=SCENE, actuators=["cart"], limit=20,
                                  vectorization_mode="vector_entry_point")
        self.assertIsInstance(envs, gymnasium.vector.VectorEnv)
        self.assertEqual(envs.num_envs, 3)
        self.assertEqual(envs.action_space.shape, (3, 1))
        self.assertEqual(envs.single_action_space.shape, (1,))
        self.assertEqual(envs.metadata["autoreset_mode"], gymnasium.vector.AutoresetMode.SAME_STEP)

    def test_rows_that_end_start_again_in_the_same_step(self):
        envs = tenpin.gymnasium.make_vec(SCENE, 3, actuators=["cart"], limit=20, steps=2, max_steps=5,
                                         terminated=lambda q, v: q[:, 0] > 0.001)
        start, _ = envs.reset(seed=1)
        actions = np.array([[0.0], [0.0], [20.0]])
        ended = np.zeros(3, int)
        for count in range(1, 6):
            before = envs._batch.time
            x, rewards, terminated, truncated, info = envs.step(actions)
            self.assertTrue(envs.observation_space.contains(x))
            self.assertEqual((rewards.dtype, terminated.dtype, truncated.dtype), (np.float64, np.bool_, np.bool_))
            ends = terminated | truncated
            ended += ends
            self.assertTrue((x[ends] == start[ends]).all())
            self.assertTrue((envs._batch.time[ends] == 0).all())
            self.assertTrue((envs._batch.time[~ends] > before[~ends]).all())
            if ends.any():
                self.assertEqual(info["final_obs"].shape, x.shape)
                self.assertFalse((info["final_obs"][ends] == x[ends]).all())
                self.assertTrue((info["final_obs"][terminated][:, 0] > 0.001).all())
                self.assertTrue((info["final_obs"][~ends] == x[~ends]).all())
        self.assertTrue((ended[:2] == 1).all())
        self.assertGreater(ended[2], 1)

    def test_repeats_with_its_seed(self):
        envs = tenpin.gymnasium.make_vec(SCENE, 3, actuators=["cart"], spread=0.1)
        first, _ = envs.reset(seed=1)
        again, _ = envs.reset(seed=1)
        other, _ = envs.reset(seed=2)
        self.assertTrue((first == again).all())
        self.assertFalse((first == other).all())


if __name__ == "__main__":
    unittest.main()
