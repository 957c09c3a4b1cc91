#!/usr/bin/env python3
"""docs/reliability.md tells the truth: each line of the catalogue has a test, or a reason why not."""
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["TENPIN_SOURCE"])
PAGE = (SOURCE / "docs/reliability.md").read_text()
NUM_LINES = {"A": 14, "B": 11, "C": 13, "D": 14, "E": 5, "F": 7, "G": 6, "H": 9, "I": 7, "R": 18, "L": 8, "N": 17}
CATALOGUE = {f"{letter}{k}" for letter, count in NUM_LINES.items() for k in range(1, count + 1)}
ROW = re.compile(r"^\| ([A-Z]\d[^|]*) \| ([^|]*) \| ([^|]*) \|$", re.MULTILINE)


def lines_of(cell):
    """A1-A3, N5: A1 A2 A3 N5"""
    found = set()
    for part in cell.split(","):
        first, _, last = part.strip().partition("-")
        letter = first[0]
        end = int((last or first)[1:])
        found |= {f"{letter}{k}" for k in range(int(first[1:]), end + 1)}
    return found


def lines_of_tests():
    """Those in the names of the tests of this folder."""
    names = {}
    for path in sorted((SOURCE / "tests/faults").glob("*_test.py")):
        for name in re.findall(r"def test_(\w+)", path.read_text()):
            for line in re.findall(r"(?:^|(?<=_))[A-Z]\d+(?=_)", name):
                names.setdefault(line, set()).add(path.name)
    return names


class Catalogue(unittest.TestCase):
    def test_each_line_has_a_test_or_a_reason(self):
        sections = PAGE.split("## ")
        catalogue = next(s for s in sections if s.startswith("The catalogue"))
        untested = next(s for s in sections if s.startswith("Not tested"))
        own, elsewhere = catalogue.split("These lines are tested elsewhere")
        by_name = lines_of_tests()
        covered = set()
        for cell, _, link in ROW.findall(own):
            file = pathlib.Path(re.search(r"\(([^)]*)\)", link).group(1)).name
            for line in lines_of(cell):
                self.assertIn(file, by_name.get(line, ()), f"no test of {file} has {line} in its name")
                covered.add(line)
        for cell, test, link in ROW.findall(elsewhere):
            path = SOURCE / "docs" / re.search(r"\(([^)]*)\)", link).group(1)
            self.assertIn(test.strip("`"), path.read_text(), f"{cell}: {path}")
            covered |= lines_of(cell)
        reasons = set().union(*(lines_of(cell) for cell, _, _ in ROW.findall(untested)))
        self.assertEqual(covered & reasons, set())
        self.assertEqual(CATALOGUE - covered - reasons, set(), "neither a test nor a reason")


if __name__ == "__main__":
    unittest.main()
