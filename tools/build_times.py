#!/usr/bin/env python3
"""Shows where the time of a build went:  build_times.py [build/release] [--target tenpin] [--most 10]

Reads ninja's log, which has the last duration of each command: the sum is the time that one core would need if the
machine had nothing else to do."""
import argparse
import collections
import pathlib
import re
import subprocess


def read_log(folder):
    """Seconds by output; commands with several outputs count once."""
    seconds, seen = {}, set()
    for line in (folder / ".ninja_log").read_text().splitlines():
        if line.startswith("#"):
            continue
        start, end, _, output, command = line.split("\t")
        if (start, end, command) not in seen:
            seconds[output] = (int(end) - int(start)) / 1000
        seen.add((start, end, command))
    return seconds


def list_inputs(folder, target):
    text = subprocess.run(["ninja", "-C", folder, "-t", "inputs", target], check=True, capture_output=True, text=True).stdout
    return set(text.splitlines()) | {target}


def find_module(output):
    match = re.search(r"CMakeFiles/(?:tenpin_)?(\w+)\.dir/", output)
    return match[1] if match else "other"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", default="build/release", type=pathlib.Path)
    parser.add_argument("--target", default="apps/tenpin/tenpin", help="count only what this target needs")
    parser.add_argument("--most", type=int, default=10, help="commands to list")
    args = parser.parse_args()
    needed = list_inputs(args.folder, args.target)
    seconds = {output: s for output, s in read_log(args.folder).items() if output in needed}
    modules = collections.Counter()
    for output, s in seconds.items():
        modules[find_module(output)] += s
    print(f"{sum(seconds.values()):7.1f} s  all that {args.target} needs")
    for name, s in modules.most_common():
        print(f"{s:7.1f} s  {name}")
    print()
    for output, s in sorted(seconds.items(), key=lambda item: -item[1])[:args.most]:
        print(f"{s:7.1f} s  {output}")


if __name__ == "__main__":
    main()
