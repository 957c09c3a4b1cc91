#!/usr/bin/env python3
"""Exported arrays as NumPy reads them, against the run file's own tables."""
import os
import pathlib
import subprocess
import tempfile
import unittest

import h5py
import numpy as np

TENPIN = os.environ["TENPIN"]
SCENE = pathlib.Path(os.environ["TENPIN_SOURCE"]) / "scenes" / "mixed-shapes.yaml"


class Arrays(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = pathlib.Path(cls.folder.name)
        cls.tenpin("run", SCENE, "-q", "--set", "until=0.4", "-o", cls.at / "run.h5")
        cls.tenpin("export", cls.at / "run.h5", "--hdf5", cls.at / "all.h5",
                   "--quantity", "steps,bodies,contacts")
        cls.file = h5py.File(cls.at / "run.h5")
        cls.all = h5py.File(cls.at / "all.h5")

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.all.close()
        cls.folder.cleanup()

    @staticmethod
    def tenpin(*args):
        subprocess.run([TENPIN, *map(str, args)], check=True, stdout=subprocess.DEVNULL)

    def test_steps_and_contacts_are_the_tables(self):
        for table in ("steps", "contacts"):
            rows = self.file[table][: self.file["committed"][table]]
            self.assertGreater(len(rows), 0)
            for name in rows.dtype.names:
                np.testing.assert_array_equal(self.all[f"{table}/{name}"][:], rows[name], name)

    def test_bodies_are_the_frames(self):
        pose = self.file["frames/pose"][: self.file["committed"]["frames"]]
        velocity = self.file["frames/velocity"][: self.file["committed"]["frames"]]
        for i, name in enumerate(s.decode() for s in self.file["bodies/name"]):
            body = self.all[f"bodies/{name}"]
            np.testing.assert_array_equal(body["position"][:], pose[:, i, :3])
            np.testing.assert_array_equal(body["orientation"][:], pose[:, i, 3:])
            np.testing.assert_array_equal(body["velocity"][:], velocity[:, i, :3])
            np.testing.assert_array_equal(body["angular_velocity"][:], velocity[:, i, 3:])
        np.testing.assert_array_equal(self.all["frames/t"][:], self.file["frames/t"][: len(pose)])

    def test_units_and_words_are_told(self):
        self.assertEqual(self.all["steps/kinetic"].attrs["unit"], b"J")
        self.assertEqual(self.all["steps/residual"].dtype, np.float64)
        self.assertEqual(self.all["steps/num_contacts"].dtype, np.int64)
        self.assertEqual(self.all["contacts/mode"].attrs["names"].split()[1], b"sliding")

    def test_contact_times_are_those_of_their_steps(self):
        ends = dict(zip(self.all["steps/step"][:], self.all["steps/t"][:]))
        expected = [ends[step] for step in self.all["contacts/step"][:]]
        np.testing.assert_array_equal(self.all["contacts/t"][:], expected)

    def test_csv_has_the_same_numbers(self):
        self.tenpin("export", self.at / "run.h5", "--csv", self.at / "steps.csv",
                    "--quantity", "steps.kinetic,steps.potential")
        rows = np.genfromtxt(self.at / "steps.csv", delimiter=",", names=True)
        np.testing.assert_array_equal(rows["stepskinetic"], self.all["steps/kinetic"][:])
        np.testing.assert_array_equal(rows["t"], self.all["steps/t"][:])


if __name__ == "__main__":
    unittest.main()
