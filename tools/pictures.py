#!/usr/bin/env python3
"""Takes the pictures of the README and the docs again:  pictures.py [--program build/tenpin] [name ...]

Names are those of scenes and of experiments (MC95/pool), or readme, tutorial, experiments; none means everything. Needs Chromium."""
import argparse
import pathlib
import re
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"

# The most interesting moments, in seconds; other scenes are shown at a third of their time.
MOMENTS = {"four-balls": 0.45, "falling-rod": 0.39, "chain": 0.55, "dominoes": 0.8, "mixed-shapes": 0.3,
           "pile-of-balls": 0.6, "double-pendulum": 0.3, "newtons-cradle": 0.3, "ramp-slide": 1.2,
           "ten-pins": 0.36, "trapdoor": 0.45}


class Camera:
    def __init__(self, program, work):
        self.program, self.work = pathlib.Path(program).resolve(), pathlib.Path(work)

    def tenpin(self, *args):
        subprocess.run([self.program, *map(str, args)], check=True, cwd=self.work,
                       stdout=subprocess.DEVNULL)

    def page(self, page, out, *options):
        out.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run([ROOT / "tools" / "picture.mjs", self.work / page, out, *map(str, options)],
                       check=True)

    def scene(self, path):
        name = path.stem
        self.tenpin("run", path, "-q", "-o", "scene.h5")
        until = float(re.search(r"^until: *(\S+)", path.read_text(), re.MULTILINE)[1])
        out = IMAGES / "scenes" / f"{name}.png"
        out.parent.mkdir(parents=True, exist_ok=True)
        self.tenpin("export", "scene.h5", "--png", out, "--time", MOMENTS.get(name, until / 3),
                    "--width", 560, "--height", 320, "--no-contacts")

    def readme(self):
        self.tenpin("run", ROOT / "scenes" / "ten-pins.yaml", "-q", "-o", "showcase.h5", "--html", "showcase.html")
        self.page("showcase.html", IMAGES / "showcase.png", "--time", 0.31)
        # The moving picture, slower than real time and small enough for a page that is read on a phone.
        self.tenpin("run", ROOT / "scenes" / "ten-pins.yaml", "-q", "-o", "film.h5", "--set", "until=0.95")
        self.tenpin("export", "film.h5", "--gif", IMAGES / "showcase.gif", "--width", 640, "--height", 340,
                    "--speed", 0.3, "--rate", 12, "--no-contacts")

    def tutorial(self):
        text = (ROOT / "docs" / "tutorial.md").read_text()
        scene = re.search(r"^```yaml bounce.yaml\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[1]
        (self.work / "bounce.yaml").write_text(scene)
        self.tenpin("run", "bounce.yaml", "-q", "-o", "bounce.h5", "--html", "bounce.html")
        self.tenpin("report", "bounce.h5", "-o", "report.html")
        self.tenpin("compare", "bounce.yaml", "-q", "--html", "compare.html", "--methods",
                    "time-stepping,time-stepping:restitution=none")
        self.page("bounce.html", IMAGES / "tutorial-view.png", "--time", 0.9, "--size", "1100x620")
        self.page("report.html", IMAGES / "tutorial-report.png", "--size", "900x700",
                  "--select", "figure svg")
        self.page("compare.html", IMAGES / "compare.png", "--time", 0.7, "--size", "1100x620")

    def experiments(self, name="all"):
        self.tenpin("reproduce", name, "--html", "pages")
        for page in sorted((self.work / "pages").glob("*-*.html")):
            self.page(page, IMAGES / "experiments" / f"{page.stem}.png", "--size", "900x900",
                      "--select", "figure svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", default=ROOT / "build" / "tenpin")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    scenes = {path.stem: path for path in sorted((ROOT / "scenes").glob("*.yaml"))}
    wanted = args.names or ["readme", "tutorial", "experiments", *scenes]
    with tempfile.TemporaryDirectory() as work:
        camera = Camera(args.program, work)
        for name in wanted:
            print(name, flush=True)
            if name in scenes:
                camera.scene(scenes[name])
            elif "/" in name:
                camera.experiments(name)
            else:
                {"readme": camera.readme, "tutorial": camera.tutorial,
                 "experiments": camera.experiments}[name]()
    subprocess.run([ROOT / "tools" / "gallery.py"], check=True)


if __name__ == "__main__":
    main()
