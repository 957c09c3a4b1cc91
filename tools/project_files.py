"""The files of the project, without the files that builds and package managers add."""
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent
NOT_OURS = {".git", "build", "out", "node_modules", "__pycache__"}
CXX = {".h", ".cpp", ".cu"}


def project_files(suffixes, root=ROOT):
    """Returns every file below root with one of the suffixes, sorted by path."""
    found = (p for p in root.rglob("*") if p.suffix in suffixes and p.is_file())
    return sorted(p for p in found if not NOT_OURS & set(p.relative_to(root).parts))
