#!/usr/bin/python3
"""The site is built as a whole: no link leads nowhere, search knows every page, and messages on the page of
troubleshooting are the program's own."""
import json
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
import importlib.util  # noqa: E402

spec = importlib.util.spec_from_file_location("tenpin_site", ROOT / "tools" / "make_site.py")
tenpin_site = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tenpin_site)


def build(root, out, playground=None):
    tenpin_site.Site(root, out, playground).build()


class WholeSite(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.folder.name).resolve() / "site"
        build(ROOT, cls.out)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_no_link_leads_nowhere(self):
        self.assertEqual(tenpin_site.find_dead_links(self.out), [])

    def test_every_page_is_in_menu_and_search(self):
        known = {page for _, pages in tenpin_site.read_outline(ROOT) for page, _ in pages}
        self.assertEqual({p.stem for p in (ROOT / "docs").glob("*.md")}, known)
        text = (self.out / "search.js").read_text()
        entries = json.loads(text[text.index("["):text.rindex("]") + 1])
        found = {entry["url"].split("#")[0].removesuffix(".html") for entry in entries}
        self.assertEqual(found, known)
        self.assertTrue(any("Lemke" in entry["text"] for entry in entries))

    def test_pages_need_nothing_from_elsewhere(self):
        for page in self.out.glob("*.html"):
            self.assertNotRegex(page.read_text(), r'(src|<link[^>]*href)="https?:', page.name)

    def test_sections_and_tables_are_rendered(self):
        page = (self.out / "scene-format.html").read_text()
        self.assertIn('<h3 id="time-stepping">', page)
        self.assertIn("<td><code>step</code></td>", page)
        self.assertNotIn("```", (self.out / "tutorial.html").read_text())

    def test_messages_are_the_programs(self):
        code = "".join(p.read_text() for folder in ("src", "apps") for p in (ROOT / folder).rglob("*.cpp"))
        code = re.sub(r'"\s*\n\s*"', "", code)  # literals that go on in the next line
        text = (ROOT / "docs" / "troubleshooting.md").read_text()
        rows = re.findall(r"^\| (`.*?) \|", text.split("## Messages about scenes")[1], re.MULTILINE)
        messages = [message for row in rows for message in re.findall(r"`([^`]+)`", row)]
        self.assertGreater(len(messages), 15)
        for message in messages:
            self.assertIn(message, code)

    def test_every_message_about_scenes_is_explained(self):
        page = (ROOT / "docs" / "troubleshooting.md").read_text()
        known = set(re.findall(r"`([^`]+)`", page))
        found = set()
        for path in (ROOT / "src" / "scene").rglob("*.cpp"):
            code = re.sub(r'"\s*\n\s*"', "", path.read_text())
            # A problem begins with a letter or a sign; the rest of these literals are ends of problems.
            found |= set(re.findall(r"\"([\w<'-][^\"\\\n]*?), got[ ,]", code))
        self.assertGreater(len(found), 100)
        self.assertEqual(sorted(found - known), [])


class SmallSite(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        for name, text in {
            "docs/site.txt": "Start\n  index The start\n",
            "docs/index.md": "# A\n\n[scene](../scenes/ball.yaml) [below](#part) [code](../src)\n\n## Part\n",
            "docs/images/a.svg": "<svg/>",
            "scenes/ball.yaml": "tenpin: 1\n",
            "src/a.cpp": "int a = 1 < 2;\n",
            "play/index.html": "<p>play</p>",
            "tools/site/site.css": "", "tools/site/site.js": "",
        }.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        self.out = self.root / "out"

    def test_sources_are_shown_and_scenes_can_be_played(self):
        build(self.root, self.out, self.root / "play")
        self.assertEqual(tenpin_site.find_dead_links(self.out), [])
        self.assertIn("1 &lt; 2", (self.out / "files/src/a.cpp.html").read_text())
        self.assertIn("playground/index.html#example=ball", (self.out / "index.html").read_text())

    def test_dead_links_are_found(self):
        build(self.root, self.out)
        (self.out / "index.html").write_text('<a href="none.html">x</a><a href="#none">y</a><img src="http://a.b/c.png">')
        dead = "\n".join(tenpin_site.find_dead_links(self.out))
        for link in ("none.html", "#none", "http://a.b/c.png"):
            self.assertIn(link, dead)


if __name__ == "__main__":
    unittest.main()
