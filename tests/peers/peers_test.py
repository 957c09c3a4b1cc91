#!/usr/bin/env python3
"""The driver of the benchmark measures our engine on small scenes, and its page tells what recorded numbers say."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["TENPIN_SOURCE"])
PROGRAMS = pathlib.Path(os.environ["TENPIN_PEERS"])
STEP = 1 / 240  # s


def cells(page, row):
    """The cells of the table row that begins with a title."""
    for line in re.findall(r"<tr>.*?</tr>", page, re.DOTALL):
        found = [re.sub(r"<[^>]*>", "", cell).strip() for cell in re.findall(r"<td.*?</td>", line, re.DOTALL)]
        if found and found[0] == row:
            return found
    raise AssertionError(f"no row {row}")


class OwnEngine(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        programs = cls.folder / "programs"
        programs.mkdir()
        for name in ("peer_tenpin", "peers_page"):  # and no other engine, installed or not
            (programs / name).symlink_to(PROGRAMS / name)
        command = [sys.executable, str(SOURCE / "bench/peers/run.py"), "--build", str(programs), "--out",
                   str(cls.folder), "--quick", "--only", "slide-to-roll", "--only", "cradle", "--only", "pool"]
        subprocess.run(command, check=True, capture_output=True, text=True)
        cls.results = json.loads((cls.folder / "results.json").read_text())
        cls.page = (cls.folder / "index.html").read_text()

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def entry(self, rows, engine):
        return next(e for e in rows["engines"] if e["engine"] == engine)

    def test_errors_are_those_of_the_methods(self):
        slide = next(r for r in self.results["accuracy"] if r["scene"] == "slide-to-roll")
        stepped = self.entry(slide, "Tenpin")["error"]
        self.assertLess(stepped, 2.0 * STEP)  # first order: the way of one step
        self.assertGreater(stepped, 1e-6)  # it is not an exact method that was measured
        self.assertLess(self.entry(slide, "Tenpin analytic")["error"], 1e-9)

    def test_cradle_passes_the_impulse_on(self):
        rows = [r for r in self.results["accuracy"] if r["scene"] == "cradle"]
        last = next(r for r in rows if r["measure"] == "last")
        energy = next(r for r in rows if r["measure"] == "energy")
        self.assertLess(self.entry(last, "Tenpin analytic")["error"], 1e-9)
        self.assertLess(self.entry(energy, "Tenpin")["error"], 1e-9)

    def test_error_falls_with_the_step(self):
        curve = self.results["work_precision"][0]["curves"][0]
        errors = [p["error"] for p in curve["points"]]
        self.assertEqual(len(errors), 3)
        self.assertEqual(errors, sorted(errors, reverse=True))

    def test_speed_is_measured_to_the_end(self):
        pool = next(r for r in self.results["speed"] if r["scene"] == "pool")
        entry = self.entry(pool, "Tenpin")
        self.assertEqual(entry["status"], "done")
        self.assertEqual(entry["steps"], 480)
        self.assertGreater(entry["ms_per_step"], 0)
        self.assertLess(entry["overlap"], 1e-6)

    def test_page_stands_alone(self):
        for outside in ("src=", "<link", "@import", "<script", "nan"):
            self.assertNotIn(outside, self.page)
        self.assertIn("certified to 1e-06", self.page)


class RecordedNumbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "index.html"
            recorded = SOURCE / "tests/peers/recorded.json"
            subprocess.run([str(PROGRAMS / "peers_page"), str(recorded), str(page)], check=True)
            cls.page = page.read_text()

    def test_ratio_is_to_the_fastest_that_came_to_the_end(self):
        # The engine that is faster still did not.
        self.assertEqual(cells(self.page, "pile")[2:], ["3 (2x)", "1.5 (1x)", "1 (0.67x) limit", "cannot"])

    def test_errors_and_refusals_are_told(self):
        self.assertEqual(cells(self.page, "Ramp <1 %".replace("<", "&lt;"))[2:], ["1.0e-13", "2.0e-02", "failed"])
        self.assertIn("has no contact between bricks", self.page)
        self.assertIn("it &lt;fell&gt; over", self.page)

    def test_friction_problems_name_the_best(self):
        self.assertEqual(cells(self.page, "nsgs"), ["nsgs", "3", "2", "1", "5", "10"])
        self.assertIn("2.5 times faster in the median", self.page)

    def test_malformed_results_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            bad = pathlib.Path(folder) / "bad.json"
            bad.write_text("{}")
            done = subprocess.run([str(PROGRAMS / "peers_page"), str(bad), str(bad.with_suffix(".html"))],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 2)
            self.assertIn("bad.json", done.stderr)


if __name__ == "__main__":
    unittest.main()
