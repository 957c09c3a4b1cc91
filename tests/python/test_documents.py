"""The code of docs/python.md, of the front page of the docs, of the README and of the notebooks runs."""
import contextlib
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
os.environ.setdefault("MPLBACKEND", "Agg")  # figures of notebooks need no window

BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@contextlib.contextmanager
def folder_with(*files):
    """A new working folder with copies of files, given as (path in the project, name)."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        for path, name in files:
            target = pathlib.Path(folder, name)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, target)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def run_quietly(code, name, space):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
        exec(compile(code, name, "exec"), space)
    return out.getvalue()


class Pages(unittest.TestCase):
    def run_blocks(self, page, least):
        blocks = BLOCK.findall((ROOT / page).read_text())
        self.assertGreaterEqual(len(blocks), least)
        space = {}
        for k, block in enumerate(blocks):
            run_quietly(block, f"{page}, block {k + 1}", space)
        return space

    def test_python_page(self):
        problem = sorted((ROOT / "tests/record/fclib").glob("*.hdf5"))[0].relative_to(ROOT)
        with folder_with(("examples/scenes/cart-pole.yaml", "cart-pole.yaml"), ("scenes/four-balls.yaml", "four-balls.yaml"),
                         (problem, "problem.hdf5")):
            space = self.run_blocks("docs/python.md", 6)
        self.assertTrue(space["step"].through_contacts)
        self.assertTrue((space["table"]["status"] == space["table"]["status"][0]).all())

    def test_readme(self):
        with folder_with(("examples/scenes/cart-pole.yaml", "examples/scenes/cart-pole.yaml"),
                         ("scenes/four-balls.yaml", "scenes/four-balls.yaml")):
            self.run_blocks("README.md", 1)


    def test_front_page(self):
        with folder_with(("examples/scenes/cart-pole.yaml", "examples/scenes/cart-pole.yaml"),
                         ("scenes/four-balls.yaml", "scenes/four-balls.yaml")):
            self.run_blocks("docs/index.md", 1)


class Notebooks(unittest.TestCase):
    """Cell after cell, as plain Python. The last line of a cell may be a value to show."""

    def test_run(self):
        notebooks = sorted((ROOT / "examples/python").glob("*.ipynb"))
        self.assertGreaterEqual(len(notebooks), 6)
        for notebook in notebooks:
            with self.subTest(notebook=notebook.name), folder_with():
                space = {"__file__": str(notebook)}
                for k, cell in enumerate(json.loads(notebook.read_text())["cells"]):
                    if cell["cell_type"] == "code":
                        self.assertEqual(cell["outputs"], [], "committed without outputs")
                        run_quietly("".join(cell["source"]), f"{notebook.name}, cell {k + 1}", space)
                if "run" in space:
                    self.assertIn("iframe", space["run"]._repr_html_())


    @unittest.skipUnless(shutil.which("jupyter-nbconvert"), "needs jupyter-nbconvert")
    def test_run_in_jupyter(self):
        import tenpin
        environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(tenpin.__file__).parents[1])}
        notebook = ROOT / "examples/python/first_simulation.ipynb"
        with folder_with():
            out = subprocess.run(["jupyter-nbconvert", "--to", "html", "--execute", "--output-dir", ".", notebook],
                                 env=environment, capture_output=True, text=True)
            self.assertEqual(out.returncode, 0, out.stderr)
            self.assertIn("iframe", pathlib.Path("first_simulation.html").read_text())


if __name__ == "__main__":
    unittest.main()
