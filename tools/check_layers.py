#!/usr/bin/env python3
"""Fails when a file of src/ includes a module that its line in src/layers.txt does not name, when
one contact method includes another, when a library is included outside the folder that owns it, or
when the table itself has a cycle."""
import pathlib
import re
import sys

from project_files import CXX, ROOT, project_files

INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')

# Which folders (or files) may name a library, by the beginning of its header's path. A change of
# library then stays inside one folder. Headers without a folder or suffix belong to the standard library.
LIBRARY_OWNERS = {
    "Eigen/": ["src/math/"],
    "tenpin/": ["src/simulation/"],
    "boost/multiprecision/": ["src/complementarity/"],
    "boost/asio/": ["src/lab/serve.cpp"],
    "boost/beast/": ["src/lab/serve.cpp"],
    "fmt/": ["src/", "apps/"],
    "yaml-cpp/": ["src/scene/"],
    "H5": ["src/record/"],
    "hdf5": ["src/record/"],
    "sqlite3": ["src/lab/study/sqlite.cpp"],
    "libqhull_r/": ["src/shapes/"],
    "libqhullcpp/": ["src/shapes/"],
    "coin/": ["src/complementarity/linear_program.cpp"],
    "nlohmann/": ["src/lab/", "apps/"],
    "CLI/": ["apps/"],
    "emscripten/": ["apps/playground/"],
}
# Headers of the C library and POSIX, for functions that the C++ library lacks: files, sockets, signals.
SYSTEM = re.compile(r"[a-z_0-9]+$|(sys|arpa|netinet)/[a-z_]+\.h$|[a-z]+\.h$")


def read_layers(src):
    layers = {}
    for line in (src / "layers.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            name, _, allowed = line.partition(":")
            unknown = set(allowed.split()) - set(layers)
            if unknown:
                sys.exit(f"layers.txt: {name.strip()} names {sorted(unknown)}, not listed above it")
            layers[name.strip()] = set(allowed.split())
    return layers


def module_problem(here, there, layers):
    """Why the file at path `here` (parts below src/) may not include `there`, or None."""
    if here[0] not in layers:
        return f"folder {here[0]} is not in layers.txt"
    if there[0] not in layers:
        return f'"{"/".join(there)}" is not <module>/<file>.h'
    if there[0] != here[0] and there[0] not in layers[here[0]]:
        return f"{here[0]} may not include {there[0]}"
    if here[0] == there[0] == "methods" and min(len(here), len(there)) > 2 and here[1] != there[1]:
        return f"method {here[1]} may not include method {there[1]}"
    return None


def library_problem(file, header):
    """Why the file (path from the root) may not include the library header, or None."""
    for prefix, owners in LIBRARY_OWNERS.items():
        if header.startswith(prefix):
            allowed = any(file.startswith(owner) for owner in owners)
            return None if allowed else f"<{header}> belongs to {' and '.join(owners)} alone"
    return None if SYSTEM.match(header) else f"<{header}> is of no library that LIBRARY_OWNERS lists"


def problems(root):
    layers = read_layers(root / "src")
    for path in project_files(CXX, root / "src") + project_files(CXX, root / "apps"):
        file = path.relative_to(root)
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            problem = None
            if match[2]:
                problem = library_problem(str(file), match[2])
            elif file.parts[0] == "src":
                there = pathlib.PurePosixPath(match[1]).parts
                problem = module_problem(file.parts[1:], there, layers)
            if problem:
                yield f"{file}:{number}: {problem}"


if __name__ == "__main__":
    found = list(problems(ROOT))
    print("\n".join(found) or "layers ok")
    sys.exit(bool(found))
