#!/usr/bin/env python3
"""Fails when the file lists of cmake/TenpinPlayground.cmake are inconsistent: when a pattern matches no
file, when a listed file includes a header whose source is not listed, or when it includes a library that the wasm
build does not have. The wasm build itself takes too long to be part of every test."""
import pathlib
import re
import sys

from check_layers import INCLUDE
from project_files import ROOT

LIST = re.compile(r'\b(ONLY|EXCEPT)\s+"?([^\s"]+)"?')
# By the beginning of a header's path. CLP's header is included only with TENPIN_CLP.
WASM_LIBRARIES = ("Eigen/", "fmt/", "nlohmann/", "yaml-cpp/", "libqhull_r/", "zlib.h", "emscripten/", "coin/",
                  "tenpin/", "sys/stat.h", "sys/random.h")
TYPES_ONLY = {"lab/serve.h"}  # headers from which the wasm build uses types but no functions
OTHER_LIBRARY = re.compile(r"/|^(sqlite3|hdf5|H5\w+)\.h$")


def find_end(text, start):
    """The position of the parenthesis that closes the one at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += (text[i] == "(") - (text[i] == ")")
        if depth == 0:
            return i
    raise ValueError("a parenthesis is not closed")


def modules(text):
    """The modules of a CMake file: name -> (ONLY or EXCEPT, pattern), or None for all files."""
    found = {}
    for call in re.finditer(r"^tenpin_module\(", text, re.MULTILINE):
        words = text[call.end():find_end(text, call.end() - 1)]
        listed = LIST.search(words)
        found[words.split()[0]] = (listed.group(1), listed.group(2)) if listed else None
    return found


def alternatives(pattern):
    """The single patterns of a(b|c)d|e: abd, acd, e. Alternatives in parentheses may be nested."""
    depth, start, parts = 0, 0, []
    for i, c in enumerate(pattern + "|"):
        depth += (c == "(") - (c == ")")
        if c == "|" and depth == 0:
            parts.append(pattern[start:i])
            start = i + 1
    if len(parts) > 1:
        return [one for part in parts for one in alternatives(part)]
    if "(" not in pattern:
        return [pattern]
    first = pattern.index("(")
    end = find_end(pattern, first)
    inside, after = pattern[first + 1:end], pattern[end + 1:]
    return [pattern[:first] + one + rest for one in alternatives(inside) for rest in alternatives(after)]


def matches(pattern, src, module, file):
    return re.fullmatch(pattern, file.relative_to(src / module).as_posix()) is not None


def includes(file):
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if found := INCLUDE.match(line):
            yield number, found.group(1), found.group(2)


def chosen(src, lists):
    """The files of the wasm build by module, and the problems of the lists."""
    wrong, files = [], {}
    for module in sorted(lists):
        every = sorted((src / module).rglob("*.cpp"))
        if not lists.get(module):
            files[module] = every
            continue
        kind, pattern = lists[module]
        for one in alternatives(pattern):
            if not any(matches(one, src, module, file) for file in every):
                wrong.append(f"cmake/TenpinPlayground.cmake: {one} fits no file of src/{module}")
        files[module] = [file for file in every if matches(pattern, src, module, file) == (kind == "ONLY")]
    return files, wrong


def problems(root):
    src = root / "src"
    lists = modules((root / "cmake/TenpinPlayground.cmake").read_text())
    text = (root / "CMakeLists.txt").read_text()
    lists |= modules(text[:text.index("TenpinPlayground")])  # modules after it are not built
    files, wrong = chosen(src, lists)
    yield from wrong
    present = {file for listed in files.values() for file in listed}
    present |= set((root / "apps/playground").glob("*.cpp"))
    # The source of a header has its name, or includes it first (the header of runs in files has three sources).
    sources = {}
    for source in src.rglob("*.cpp"):
        own = next((own for _, own, _ in includes(source) if own), "")
        if own.split("/")[0] == source.relative_to(src).parts[0]:
            sources.setdefault(own, set()).add(source)
    for source in src.rglob("*.cpp"):
        own = source.relative_to(src).with_suffix(".h").as_posix()
        if own in sources:
            sources[own] = {source}
    seen, waiting = set(present), sorted(present)
    while waiting:
        file = waiting.pop()
        for number, own, other in includes(file):
            where = f"{file.relative_to(root)}:{number}"
            if other and OTHER_LIBRARY.search(other) and not other.startswith(WASM_LIBRARIES):
                yield f"{where}: the wasm build has no {other}"
            if not own:
                continue
            if own.split("/")[0] not in files:
                yield f"{where}: the wasm build has no module {own.split('/')[0]}"
            if own in sources and own not in TYPES_ONLY and not sources[own] & present:
                yield f"{where}: no source of {own} is in cmake/TenpinPlayground.cmake"
            header = src / own
            if header.exists() and header not in seen:
                seen.add(header)
                waiting.append(header)


def main():
    found = list(problems(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
