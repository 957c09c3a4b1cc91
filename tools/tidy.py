#!/usr/bin/env python3
"""Runs clang-tidy over every source file of src/ and apps/, each at most once per content.

Nearly all of clang-tidy's time goes into the headers of Eigen, which it visits again for every
file. So files are checked in batches that define no name twice and are included in a single translation
unit: the headers are visited once per batch. A batch that complains is halved until the complaint is
one file's own, and that verdict counts. A file found clean is not checked again until it, a project header it includes,
its flags, the rules or clang-tidy itself change.
"""
import argparse
import concurrent.futures
import hashlib
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

from project_files import ROOT, project_files

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# Functions, types, constants and aliases that begin a line.
DEFINED = re.compile(
    r"^(?!return|using|namespace|#)[\w:<>,&* \[\]]*?([\w:]+)\(|^(?:struct|class|enum class) (\w+)"
    r"|^(?:inline )?(?:constexpr|const|using|namespace) .*?(\w+)(?:\[\])? =", re.MULTILINE)
BATCH = 16  # files
TAKES_VALUE = {"-isystem", "-I", "-D"}
NOT_FOR_TIDY = re.compile(r"-(c|o|g.*|O.*|W.*|M.*)$|.*\.(o|cpp)$")


def reached(path, seen):
    """Adds path and every project header it includes, directly or not, to seen."""
    if path in seen or not path.is_file():
        return seen
    seen.add(path)
    for name in INCLUDE.findall(path.read_text()):
        for folder in (ROOT / "src", path.parent):
            reached((folder / name).resolve(), seen)
    return seen


def compile_flags(build):
    """The options of the compiler for each file that matter here, as a list of words."""
    flags = {}
    for entry in json.loads((build / "compile_commands.json").read_text()):
        words = iter(shlex.split(entry["command"]))
        kept = []
        for word in words:
            if word in ("-include", "-x"):  # precompiled headers: each file must include what it uses
                next(words)
            elif word in TAKES_VALUE:
                kept.append((word, next(words)))
            elif word.startswith("-") and not NOT_FOR_TIDY.match(word):
                kept.append((word,))
        flags[pathlib.Path(entry["file"]).resolve()] = kept
    return flags


def union(lists):
    return list(dict.fromkeys(itertools.chain.from_iterable(lists)))


class Tidy:
    def __init__(self, build):
        self.cache = build / "tidy-cache"
        self.cache.mkdir(exist_ok=True)
        self.flags = compile_flags(build)
        version = subprocess.run(["clang-tidy", "--version"], capture_output=True, text=True).stdout
        self.rules = version + (ROOT / ".clang-tidy").read_text()

    def flags_of(self, path):
        # Headers and files that are compiled in batches have no command of their own. The options of all
        # files are used for them, except those of other engines, which use another standard.
        return self.flags.get(path) or union(
            flags for file, flags in self.flags.items() if "bench" not in file.parts)

    def stamp(self, path):
        """The file whose existence means that `path`, with its current contents, has been found clean."""
        digest = hashlib.sha256(f"{self.rules}{self.flags_of(path)}".encode())
        for file in sorted(reached(path, set())):
            digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes() + b"\0")
        return self.cache / digest.hexdigest()

    def complaints(self, paths):
        """The complaints of clang-tidy about these files, read as one; empty if there are none."""
        flags = itertools.chain.from_iterable(union(self.flags_of(p) for p in paths))
        name = hashlib.sha256("".join(map(str, paths)).encode()).hexdigest()[:16]
        unit = self.cache / f"{name}.cpp"
        unit.write_text("".join(f'#include "{p}"\n' for p in paths))
        run = subprocess.run(
            ["clang-tidy", "--quiet", f"--config-file={ROOT / '.clang-tidy'}", unit, "--", *flags],
            capture_output=True, text=True)
        unit.unlink()
        return "" if run.returncode == 0 else run.stdout + (run.stdout == "") * run.stderr

    def check(self, batch):
        text = self.complaints(batch)
        if text and len(batch) > 1:
            half = len(batch) // 2
            return self.check(batch[:half]) | self.check(batch[half:])
        if text:
            return {batch[0]: text}
        for path in batch:
            self.stamp(path).touch()
        return {}


def defined_names(path):
    """The names that a file defines outside of braces other than a namespace's. A missed name only costs time."""
    text = path.read_text()
    module = path.relative_to(ROOT).parts[1]
    return {(module, name) for name in itertools.chain.from_iterable(DEFINED.findall(text)) if name}


def make_batches(paths):
    """Each file goes, largest first, into the first batch with room that defines none of its names."""
    batches = []
    for path in sorted(paths, key=lambda p: -p.stat().st_size):
        names = defined_names(path)
        for batch, taken in batches:
            if len(batch) < BATCH and not names & taken:
                break
        else:
            batch, taken = [], set()
            batches.append((batch, taken))
        batch.append(path)
        taken |= names
    return [batch for batch, _ in batches]


def files_to_check():
    """All source files, and the headers that none of them includes, except files that only emscripten compiles."""
    files = [p for top in ("src", "apps") for p in project_files({".h", ".cpp"}, ROOT / top)]
    files = [p for p in files if "playground" not in p.parts and p.name != "library_gaps.h"]
    sources = [p for p in files if p.suffix == ".cpp"]
    covered = set()
    for path in sources:
        reached(path, covered)
    return sources + [p for p in files if p not in covered]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release",
                        help="a configured build folder; the cache is kept in it")
    parser.add_argument("-j", "--jobs", type=int, default=os.cpu_count())
    parser.add_argument("files", nargs="*", type=pathlib.Path, help="default: all")
    args = parser.parse_args()

    tidy = Tidy(args.build.resolve())
    files = [p.resolve() for p in args.files] or files_to_check()
    stamps = {p: tidy.stamp(p) for p in files}
    changed = [p for p in files if not stamps[p].exists()]
    dirty = {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for found in pool.map(tidy.check, make_batches(changed)):
            dirty |= found
            print("\n".join(found.values()), end="", flush=True)
    if not args.files:
        for old in set(tidy.cache.iterdir()) - set(stamps.values()):
            old.unlink()
    print(f"tidy: {len(files)} files, {len(changed)} checked now, {len(dirty)} not clean")
    for path in dirty:
        print(f"  {path.relative_to(ROOT)}")
    return bool(dirty)


if __name__ == "__main__":
    sys.exit(main())
