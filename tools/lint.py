#!/usr/bin/env python3
"""Small checks of the whole tree: lint.py lengths | classes | words | links | terms. Prints file:line: problem."""
import re
import sys

from class_sizes import class_sizes
from project_files import CXX, ROOT, project_files

CODE = CXX | {".py", ".sh", ".cmake", ".ts", ".js", ".mjs"}
TEXT = CODE | {".md", ".txt", ".yaml", ".json", ".html", ".css"}

MAX_LINES = 600

# Of a class. Types without functions are plain data and may have more members.
MAX_MEMBERS = 20
MAX_FUNCTIONS = 25

# Words that make a sentence sound translated, and what to write instead.
STILTED = {
    "anew": "again", "besides": "also, in addition", "likewise": "the same, too",
    "nobody": "none, no body", "anybody": "any", "somebody": "a body, a process",
    "everybody": "all", "whoever": "a body that, a caller that", "whom": "name the thing",
    "those who": "bodies that", "heirloom": "warm start from a renamed contact",
    "restless": "awake", "at one go": "at once", "to speak of": "significant",
}
STILTED_WORD = re.compile(rf"\b({'|'.join(STILTED)})\b", re.IGNORECASE)
PROSE = re.compile(r"//.*|^ *#.*", re.MULTILINE)
# Words for unfinished work, disabled tests, and places that exist on one machine only.
# Written with brackets so that this file passes its own check.
FORBIDDEN = re.compile(
    r"\b(TOD[O]|FIXM[E]|XX[X]|DISABLE[D]_\w*)\b|(?<![\w.])/(home|root|work|Users)/")

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
TERM = re.compile(r"\| ([^|]+) \|.*\| \[[^\]]*\]\(([^)]+)\) \|$")
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


def lengths(root):
    """Finds files that are too long to read at once."""
    for path in project_files(CODE, root):
        count = len(path.read_text().splitlines())
        if count > MAX_LINES:
            yield f"{path.relative_to(root)}:{MAX_LINES + 1}: {count} lines, at most {MAX_LINES}"


def classes(root):
    """Finds classes with more members or functions than a reader can keep in mind."""
    for path in project_files(CXX, root / "src"):
        name = path.relative_to(root).as_posix()
        for size in class_sizes(path.read_text()):
            if size.functions > MAX_FUNCTIONS or (size.functions > 0 and size.members > MAX_MEMBERS):
                yield (f"{name}:{size.line}: {size.name} has {size.members} members and {size.functions} functions, "
                       f"at most {MAX_MEMBERS} and {MAX_FUNCTIONS}")


def prose(path, line):
    """The part of a line that people read: all of a page, the comment of a source file."""
    if path.suffix == ".md":
        return line
    match = PROSE.search(line) if path.suffix in CODE else None
    return match[0] if match else ""


def words(root):
    for path in project_files(TEXT, root):
        name = path.relative_to(root).as_posix()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := FORBIDDEN.search(line):
                yield f"{name}:{number}: {match[0]}"
            if match := STILTED_WORD.search(prose(path, line)):
                yield f"{name}:{number}: {match[0]}, better: {STILTED[match[0].lower()]}"


def links(root):
    """Finds relative links of Markdown files to files that do not exist."""
    for path in project_files({".md"}, root):
        text = FENCE.sub(lambda fence: "\n" * fence[0].count("\n"), path.read_text())
        for match in LINK.finditer(text):
            target = match[1].partition("#")[0]
            if target and "://" not in match[1] and not (path.parent / target).exists():
                line = text.count("\n", 0, match.start()) + 1
                yield f"{path.relative_to(root)}:{line}: no file {target}"


def terms(root):
    """Finds terms of the glossary that do not occur in the file they point to."""
    page = root / "docs" / "glossary.md"
    if not page.exists():
        return
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if not (row := TERM.match(line)):
            continue
        file = page.parent / row[2]
        text = " ".join(file.read_text().lower().replace("//", " ").split()) if file.exists() else ""
        for term in row[1].split(", "):
            if not all(word in text for word in term.lower().split()):
                yield f"docs/glossary.md:{number}: {term} does not occur in {row[2]}"


CHECKS = {"lengths": lengths, "classes": classes, "words": words, "links": links, "terms": terms}

if __name__ == "__main__":
    found = [problem for name in sys.argv[1:] or CHECKS for problem in CHECKS[name](ROOT)]
    print("\n".join(found) or "ok")
    sys.exit(bool(found))
