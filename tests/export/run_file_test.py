#!/usr/bin/env python3
"""docs/run-file.md against a run file: it names every dataset and every field, and nothing else."""
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

import h5py

SOURCE = pathlib.Path(os.environ["TENPIN_SOURCE"])
PAGE = (SOURCE / "docs" / "run-file.md").read_text()


def section(title):
    """The text below a heading that begins with `title`."""
    match = re.search(rf"^## {title}.*?$(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL)
    assert match, title
    return match[1]


def rows(title):
    """Names in the first cells of a section's table, with unit and type: {name: (type, unit)}."""
    found = {}
    for line in section(title).splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        names = re.findall(r"`([^`]+)`", cells[0]) if line.startswith("|") else []
        for name in names:
            assert name not in found, f"{name} twice in {title}"
            found[name] = tuple(cells[1:3])
    return found


class RunFile(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = pathlib.Path(cls.folder.name) / "run.h5"
        subprocess.run([os.environ["TENPIN"], "run", SOURCE / "scenes" / "mixed-shapes.yaml", "-q",
                        "--set", "until=0.4", "-o", path], check=True, stdout=subprocess.DEVNULL)
        cls.file = h5py.File(path)

    @classmethod
    def tearDownClass(cls):
        cls.file.close()
        cls.folder.cleanup()

    def datasets(self):
        names = []
        self.file.visititems(lambda n, o: names.append(n) if isinstance(o, h5py.Dataset) else None)
        return set(names)

    def test_every_dataset_is_described_and_there(self):
        described = set(rows("Header")) | {f"frames/{name}" for name in rows("Frames")}
        described |= {"restarts", "restart_words", "steps", "contacts", "reactions", "messages", "status", "committed",
                      "checks"}
        self.assertEqual(self.datasets(), described)

    def test_every_field_is_described_with_its_unit(self):
        for table in ("restarts", "steps", "contacts", "reactions", "messages", "status", "committed"):
            described = rows(table.capitalize())
            dtype = self.file[table].dtype
            self.assertEqual(set(dtype.names), set(described), table)
            units = self.file[table].attrs.get("units", [])
            for name, unit in zip(dtype.names, (u.decode() for u in units)):
                self.assertEqual(described[name][1], unit, f"{table}.{name}")

    def test_every_field_is_described_with_its_type(self):
        for table in ("restarts", "steps", "contacts", "reactions", "messages", "status", "committed"):
            for name, (type_, _) in rows(table.capitalize()).items():
                dtype = self.file[table].dtype[name]
                if h5py.check_enum_dtype(dtype):
                    found = "enum"
                elif dtype.kind == "S":
                    found = f"text {dtype.itemsize}"
                else:
                    found = str(dtype.base) + "".join(f" × {n}" for n in dtype.shape)
                self.assertEqual(type_, found, f"{table}.{name}")

    def test_every_word_of_an_enumeration_is_listed(self):
        for table in ("steps", "contacts", "reactions", "status"):
            for name in self.file[table].dtype.names:
                words = h5py.check_enum_dtype(self.file[table].dtype[name])
                for word in words or {}:
                    if word not in ("FALSE", "TRUE"):
                        self.assertIn(f"`{word}`", section(table.capitalize()), f"{table}.{name}")

    def test_shapes_are_as_described(self):
        header = self.file
        sizes = {"n": len(header["bodies/name"]), "m": len(header["materials/name"]),
                 "p": len(header["parts/body"]), "v": len(header["meshes/vertices"]),
                 "f": len(header["meshes/face_begin"]) - 1, "s": len(header["visuals/body"])}
        for name, (shape, _) in rows("Header").items():
            if shape == "":
                self.assertIn(self.file[name].shape, ((), (1,)), name)
                continue
            if shape == "…":
                continue
            expected = tuple(
                int(part) if part.isdigit() else sizes[part[0]] + part.count("+1")
                for part in shape.split("×"))
            self.assertEqual(self.file[name].shape, expected, name)


if __name__ == "__main__":
    unittest.main()
