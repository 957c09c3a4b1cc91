#!/usr/bin/env python3
"""Writes docs/equations.md: which file implements and which test checks each item of each paper.

The table comes from the tags in comments: [KEY, eq. (n)-(m); Table 1; ...]. With --check, writes
nothing and fails when the page is out of date. Either way fails on a tag whose KEY is not in
docs/references.bib. Files are listed without line numbers, so that the page changes only when a
file starts or stops citing an equation.
"""
import collections
import os
import re
import sys

from project_files import CXX, ROOT, project_files

PAGE = ROOT / "docs" / "equations.md"
COLUMNS = {"src": "code", "tests": "tests", "experiments": "experiments"}
TAG = re.compile(r"\[([A-Z]{1,4}\d{2})(?:, ([^\]]+))?\]")
CONTINUED = re.compile(r"\n[ \t]*(?://|#)[ \t]*")  # a comment that continues on the next line
ENTRY = re.compile(r"^@\w+\{(\w+),.*?^\}", re.MULTILINE | re.DOTALL)
HEAD = """# Equations

Where each equation, section, figure and table of the papers is, by the tags in the sources.
Written by `make docs`; do not edit. The keys are those of [references.bib](references.bib).
"""


def read_references(root):
    """Returns {key: title} of the bibliography."""
    text = (root / "docs" / "references.bib").read_text()
    title = re.compile(r"^\s*title\s*=\s*\{(.*)\},?$", re.MULTILINE)
    return {match[1]: re.sub(r"[{}]", "", title.search(match[0])[1])
            for match in ENTRY.finditer(text)}


def tags(root):
    """Returns {key: {item: {top folder: [file, ...]}}}; the item is '' if a paper is cited as a whole."""
    found = collections.defaultdict(lambda: collections.defaultdict(
        lambda: collections.defaultdict(list)))
    for top in COLUMNS:
        for path in project_files(CXX | {".py", ".yaml", ".json"}, root / top):
            for key, items in TAG.findall(CONTINUED.sub(" ", path.read_text())):
                for item in re.split(r"[;,]\s+(?!errata)", items):
                    files = found[key][item.strip()][top]
                    name = str(path.relative_to(root))
                    if name not in files:
                        files.append(name)
    return found


def natural(item):
    """Sorts equations before sections before the rest, numbers by value."""
    kind = next((i for i, word in enumerate(("", "eq.", "cond.", "§")) if word and
                 item.startswith(word)), 9)
    return kind, [(int(n) if n else 0, word) for n, word in re.findall(r"(\d*)(\D*)", item)]


def make_page(root):
    lines = [HEAD]
    references = read_references(root)
    for key, items in sorted(tags(root).items()):
        lines.append(f"## {key}: {references[key]}\n")
        lines.append(f"| item | {' | '.join(COLUMNS.values())} |\n|---|---|---|---|")
        for item in sorted(items, key=natural):
            cells = [", ".join(f"[{os.path.basename(f)}](../{f})" for f in items[item][top])
                     for top in COLUMNS]
            lines.append(f"| {item or 'as a whole'} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines)


def main():
    unknown = set(tags(ROOT)) - set(read_references(ROOT))
    if unknown:
        return f"cited, but not in docs/references.bib: {', '.join(sorted(unknown))}"
    page = make_page(ROOT)
    if "--check" not in sys.argv[1:]:
        PAGE.write_text(page)
    elif not PAGE.exists() or PAGE.read_text() != page:
        return "docs/equations.md is out of date: run `make docs`"
    return 0


if __name__ == "__main__":
    sys.exit(main())
