#!/usr/bin/env python3
"""The commands of docs/tutorial.md, one after the other, in an empty folder: each must work, and
print what the page shows of it."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(os.environ["TENPIN_SOURCE"])
BLOCK = re.compile(r"^```(\w+)(?: ([\w.-]+))?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def run(command, folder, env):
    result = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=env,
                            capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{command}\nended with {result.returncode}: {result.stderr}")
    return result.stdout


def check_output(shown, printed, command):
    """Every line shown is printed, in that order; numbers that depend on the machine are dots."""
    lines = iter(printed.splitlines())
    for line in filter(str.strip, shown.splitlines()):
        pattern = r"\s+".join(re.escape(word) for word in line.split()).replace(r"\.\.\.", ".*")
        if not any(re.search(pattern, candidate) for candidate in lines):
            sys.exit(f"{command}\ndoes not print {line!r}, but:\n{printed}")


def main():
    text = (SOURCE / "docs" / "tutorial.md").read_text()
    commands = 0
    with tempfile.TemporaryDirectory() as folder:
        tools = pathlib.Path(folder) / ".tools"
        tools.mkdir()
        (tools / "tenpin").symlink_to(os.environ["TENPIN"])
        (tools / "python3").symlink_to("/usr/bin/python3")
        env = dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}")
        printed = command = ""
        for language, name, body in BLOCK.findall(text):
            if name:  # a file that the reader writes
                (pathlib.Path(folder) / name).write_text(body)
            elif language == "sh":
                command = body
                printed = run(command, folder, env)
                commands += 1
            elif language == "text":
                check_output(body, printed, command)
        made = sorted(p.name for p in pathlib.Path(folder).iterdir() if p != tools)
    if commands < 8:
        sys.exit(f"only {commands} commands found")
    print(commands, "commands work and leave", ", ".join(made))


if __name__ == "__main__":
    main()
