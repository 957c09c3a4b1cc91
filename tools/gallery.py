#!/usr/bin/env python3
"""Writes docs/gallery.md: every scene and every experiment with its picture and how to run it.
gallery.py --check fails if the page differs from what it would write, or if a scene has no picture."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]

HEAD = """# Gallery

Every scene and every experiment of the project. `make pictures` makes the pictures with the program itself; `tools/gallery.py` generates
this page from the scenes and the README files of the experiments.
"""


def comment(text):
    """The sentences at the head of a scene file."""
    lines = []
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.lstrip("# "))
    return " ".join(lines)


def picture(root, path, title):
    return f"![{title}](images/{path})\n\n" if (root / "docs" / "images" / path).exists() else ""


def scene_entry(root, path):
    text = path.read_text()
    title = re.search(r"^name: *\"?([^\"\n]+)", text, re.MULTILINE)[1].strip()
    return (f"### {title}\n\n{picture(root, f'scenes/{path.stem}.png', title)}{comment(text)}\n\n"
            f"    tenpin run scenes/{path.name} --html page.html\n")


def first_paragraph(text):
    """Of prose: indented blocks are commands."""
    blocks = (block.strip("\n") for block in text.split("\n\n"))
    return next((block for block in blocks if block and not block.startswith("    ")), "")


def experiment_entry(root, folder):
    name = folder.relative_to(root / "experiments").as_posix()
    lines = (folder / "README.md").read_text().splitlines()
    title = lines[0].lstrip("# ")
    text = first_paragraph("\n".join(lines[1:]))
    image = picture(root, f"experiments/{name.replace('/', '-')}.png", title)
    return (f"### [{title}](../experiments/{name}/README.md)\n\n{image}{text}\n\n"
            f"    tenpin reproduce {name} --html out\n")


def list_missing(root=ROOT):
    """Scenes without a picture."""
    scenes = sorted((root / "scenes").glob("*.yaml"))
    return [p.stem for p in scenes if not (root / "docs" / "images" / "scenes" / f"{p.stem}.png").exists()]


def make_page(root=ROOT):
    scenes = [scene_entry(root, p) for p in sorted((root / "scenes").glob("*.yaml"))]
    folders = sorted(p.parent for p in (root / "experiments").glob("*/*/expected.json"))
    experiments = [experiment_entry(root, p) for p in folders if (p / "README.md").exists()]
    return "\n".join([HEAD, "## Scenes\n", *scenes, "## Experiments\n", *experiments])


def main():
    page = ROOT / "docs" / "gallery.md"
    text = make_page()
    if "--check" not in sys.argv:
        page.write_text(text)
        return
    if not page.exists() or page.read_text() != text:
        sys.exit("docs/gallery.md is not up to date: run tools/gallery.py")
    if missing := list_missing():
        sys.exit(f"scenes without a picture: {', '.join(missing)}: run tools/pictures.py {' '.join(missing)}")


if __name__ == "__main__":
    main()
