"""Many worlds at once, on the CPU; a GPU where there is one."""
import sys
import unittest

import numpy as np
import tenpin

METHOD = {"time-stepping": {"step": 0.001, "order": 1, "solver": "cone", "contact": {"compliance": 0.03}}}


def ball():
    return {
        "materials": {"wood": {"friction": 0.3}},
        "bodies": [
            {"name": "floor", "fixed": True, "material": "wood", "shapes": [{"plane": {}}]},
            {"name": "ball", "material": "wood", "mass": 2, "position": [0, 0, 0.1], "velocity": [1, 0, 0],
             "shapes": [{"sphere": {"radius": 0.1}}]},
        ],
        "method": METHOD,
    }


class BatchTest(unittest.TestCase):
    def test_agrees_with_simulations(self):
        batch = tenpin.Batch(ball(), 3, device="cpu-batch", threads=2)
        batch.step(100)
        sim = tenpin.load(ball())
        for _ in range(100):
            sim.step()
        self.assertLess(np.abs(batch.q - sim.q).max(), 1e-9)
        self.assertTrue(batch.certified.all() and batch.ok.all())
        self.assertEqual(batch._hash(0), batch._hash(2))
        self.assertAlmostEqual(batch.time[1], 0.1)
        self.assertIn("threads of the CPU", batch.device)
        report = batch.report
        self.assertEqual(report["path"].tolist(), ["batch"] * 3)
        self.assertEqual(report["steps"].tolist(), [100] * 3)
        self.assertLess(report["residual"].max(), 1e-6)
        self.assertLess(report["friction"].max(), 0)
        self.assertLess(np.abs(report["closure"]).max(), 1e-12)

    def test_views_follow_without_a_copy(self):
        for precision, dtype in (("f64", np.float64), ("f32", np.float32)):
            batch = tenpin.Batch(ball(), 4, device="cpu-batch", precision=precision)
            q, arrays = batch.q, batch.arrays
            before = q.copy()
            batch.step(10)
            self.assertGreater(np.abs(q - before).max(), 0.005)
            self.assertFalse(q.flags.writeable)
            self.assertEqual(arrays.position.shape, (4, 1, 3))
            self.assertEqual(arrays.velocity.shape, (4, 1, 6))
            self.assertEqual(arrays.position.dtype, dtype)
            self.assertFalse(arrays.position.flags.owndata or arrays.position.flags.writeable)
            self.assertGreater(arrays.position.strides[0], arrays.position[0].nbytes)
            self.assertTrue((arrays.position[:, 0] + arrays.origin == q[:, :3]).all())
            self.assertEqual(arrays.bodies, [1])

    def test_worlds_have_starts_and_numbers_of_their_own(self):
        masses = [1.0, 2.0, 3.0]
        for device in ("cpu", "cpu-batch"):
            batch = tenpin.Batch(ball(), 3, device=device, vary={"bodies.ball.mass": masses})
            q, v = batch.q.copy(), batch.v.copy()
            q[:, 2] = [0.2, 0.3, 0.4]
            v[:] = 0
            batch.set_starts(q, v)
            batch.step(5)
            for mass, fallen, row in zip(masses, batch.q[:, 2], batch.report):
                self.assertAlmostEqual(row["potential"], mass * 9.81 * fallen)
            moved = batch.q.copy()
            batch.reset(np.array([False, True, False]))
            self.assertTrue((batch.q[1] == q[1]).all())
            self.assertTrue((batch.q[2] == moved[2]).all())
            self.assertEqual(batch.time[1], 0)

    def test_contacts_are_one_table(self):
        batch = tenpin.Batch(ball(), 2, device="cpu-batch")
        self.assertEqual(len(batch.contacts), 0)
        batch.step(30)
        contacts = batch.contacts
        self.assertEqual(contacts["world"].tolist(), [0, 1])
        self.assertEqual(contacts["body_b"].tolist(), [1, 1])
        np.testing.assert_allclose(contacts["force"][:, 2], 2 * 9.81, rtol=1e-6)
        self.assertEqual([tenpin.MODES[k] for k in contacts["mode"]], ["sliding", "sliding"])

    def test_worlds_that_are_too_fast_are_handed_on(self):
        batch = tenpin.Batch(ball(), 2, device="cpu-batch")
        v = batch.v[0].copy()
        v[5] = 1500
        batch.set_state(0, batch.q[0], v)
        batch.step(5)
        self.assertEqual(batch.report["path"].tolist(), ["stepper", "batch"])
        self.assertEqual(batch.messages, ["run by the stepper: too fast at step 1", ""])
        self.assertEqual(batch.report["steps"].tolist(), [5, 5])

    def test_arguments_are_refused_by_name(self):
        batch = tenpin.Batch(ball(), 2, device="cpu-batch")
        door = {"bodies": [{"name": "door", "mass": 1, "inertia": [1, 1, 1], "joint": {"hinge": {"axis": [0, 0, 1]}}}], "method": METHOD}
        for name, call in (
                ("device", lambda: tenpin.Batch(ball(), 2, device="tpu")),
                ("precision", lambda: tenpin.Batch(ball(), 2, device="gpu", precision="f16")),
                ("precision", lambda: tenpin.Batch(ball(), 2, precision="f32")),
                ("vary", lambda: tenpin.Batch(ball(), 2, vary={"bodies.ball.mass": [1]})),
                ("vary", lambda: tenpin.Batch(ball(), 2, vary={"bodies.ball.mass": 1})),
                ("forces", lambda: batch.force),
                ("arrays", lambda: tenpin.Batch(ball(), 2).arrays),
                ("q", lambda: batch.set_starts(batch.q[:1], batch.v)),
                ("q", lambda: batch.set_state(0, batch.q[0][:3], batch.v[0])),
                ("mask", lambda: batch.reset([True])),
                ("text:1:", lambda: tenpin.Batch(door, 2, device="cpu-batch"))):
            with self.assertRaises(tenpin.InputError) as caught:
                call()
            self.assertTrue(str(caught.exception).startswith(name), str(caught.exception))

    def test_a_missing_gpu_is_told(self):
        batch = tenpin.Batch(ball(), 2, device="auto")
        if not batch.reason:
            self.skipTest(batch.device)
        with self.assertRaises(RuntimeError) as caught:
            tenpin.Batch(ball(), 2, device="gpu")
        self.assertEqual(str(caught.exception), batch.reason)

    def test_gpu_arrays_describe_themselves(self):
        array = tenpin._batch.GpuArray(None, address=4096, shape=(5, 2, 3), strides=(5000, 24, 8), size=8)
        self.assertEqual(array.__cuda_array_interface__,
                         {"version": 3, "typestr": "<f8", "shape": (5, 2, 3), "strides": (5000, 24, 8), "data": (4096, False)})

    def test_a_gpu_has_the_bits_of_the_cpu(self):
        try:
            gpu = tenpin.Batch(ball(), 3, device="gpu")
        except RuntimeError as error:
            self.skipTest(str(error))
        cpu = tenpin.Batch(ball(), 3, device="cpu-batch")
        for batch in (gpu, cpu):
            batch.step(300)
        self.assertTrue((gpu.q == cpu.q).all() and (gpu.v == cpu.v).all())
        self.assertIn("data", gpu.arrays.velocity.__cuda_array_interface__)


if __name__ == "__main__":
    sys.exit(unittest.main())
