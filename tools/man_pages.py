#!/usr/bin/env python3
"""Writes the manual pages of the program from its own help texts: tenpin.1, and tenpin-run.1 and so on for its
commands.   man_pages.py --program build/tenpin --out build/man"""
import argparse
import pathlib
import re
import subprocess


def read_help(program, *command):
    out = subprocess.run(["tenpin", *command, "--help"], executable=program, check=True, capture_output=True, text=True)
    return out.stdout


def read_version(program):
    out = subprocess.run(["tenpin", "--version"], executable=program, check=True, capture_output=True, text=True)
    return out.stdout.split()[-1]


def parse(text):
    """Splits a help text into (description, usage, {section: [(term, text)] or [line]}, closing lines)."""
    lines = text.splitlines()
    usage = next(k for k, line in enumerate(lines) if line.startswith("Usage: "))
    description = " ".join(lines[:usage]).strip()
    sections, section, closing = {}, None, []
    for line in lines[usage + 1:]:
        if re.fullmatch(r"[A-Z][A-Za-z ]*:", line):
            section = line[:-1]
            sections[section] = []
        elif not line.strip():
            continue
        elif section is None or not line.startswith(" "):
            section = None
            closing.append(line)
        elif section == "Start here":
            sections[section].append(re.split(r"  +", line.strip(), maxsplit=1))
        elif re.match(r"  \S", line):
            sections[section].append((re.split(r"  +", line.strip(), maxsplit=1) + [""])[:2])
        else:  # the text of a term that was too long for its line
            term, before = sections[section][-1]
            sections[section][-1] = [term, (before + " " + line.strip()).strip()]
    return description, lines[usage].removeprefix("Usage: "), sections, closing


def escape(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return r"\&" + text if text[:1] in (".", "'") else text


def list_terms(rows):
    for term, text in rows:
        yield from (".TP", r"\fB" + escape(term) + r"\fR", escape(text) or r"\&")


def make_page(name, version, text, others):
    """Makes one page in the language of man(7)."""
    description, usage, sections, closing = parse(text)
    page = [f'.TH {name.upper()} 1 "" "tenpin {version}" "User Commands"', ".SH NAME",
            f"{escape(name)} \\- {escape(description)}", ".SH SYNOPSIS", r"\fB" + escape(usage) + r"\fR"]
    for title, rows in sections.items():
        heading = {"Subcommands": "COMMANDS", "Positionals": "ARGUMENTS", "Start here": "EXAMPLES"}.get(title, title.upper())
        page += [f".SH {heading}", *list_terms(rows)]
    codes = " ".join(closing)
    if codes.startswith("Exit codes: "):
        page += [".SH EXIT STATUS", escape(codes.removeprefix("Exit codes: "))]
    elif codes:
        page += [".SH NOTES", escape(codes)]
    page += [".SH SEE ALSO", ", ".join(rf"\fB{escape(other)}\fR(1)" for other in others)]
    return "\n".join(page) + "\n"


def write_pages(program, out):
    out.mkdir(parents=True, exist_ok=True)
    version = read_version(program)
    whole = read_help(program)
    commands = [term for term, _ in parse(whole)[2]["Subcommands"]]
    names = [f"tenpin-{command}" for command in commands]
    (out / "tenpin.1").write_text(make_page("tenpin", version, whole, names))
    for command, name in zip(commands, names):
        (out / f"{name}.1").write_text(make_page(name, version, read_help(program, command), ["tenpin"]))
    return ["tenpin.1", *(f"{name}.1" for name in names)]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    options = parser.parse_args()
    write_pages(options.program.resolve(), options.out)


if __name__ == "__main__":
    main()
