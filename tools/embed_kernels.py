#!/usr/bin/env python3
"""Writes the C++ source that holds the kernels' PTX: embed_kernels.py OUTPUT [FLOAT.ptx DOUBLE.ptx].

Without the two files the program contains no kernels. Comments and blank lines of the PTX are left out."""
import sys

PIECE = 8192  # characters in a literal, because compilers limit its length


def read_ptx(path):
    with open(path, encoding="ascii") as file:
        lines = [line.strip() for line in file]
    return "\n".join(line for line in lines if line and not line.startswith("//")) + "\n"


def write_literals(text):
    pieces = [text[i:i + PIECE] for i in range(0, len(text), PIECE)] or [""]
    return "\n".join(f'    R"ptx({piece})ptx"' for piece in pieces)


def main():
    output, *inputs = sys.argv[1:]
    texts = [read_ptx(path) for path in inputs] or ["", ""]
    with open(output, "w", encoding="ascii") as file:
        file.write('#include "batch/gpu_batch.h"\n\nnamespace tenpin::batch {\n\n')
        for real, text in zip(("float", "double"), texts):
            file.write(f"template <>\nstd::string_view get_kernels<{real}>() {{\n"
                       f"  return\n{write_literals(text)};\n}}\n\n")
        file.write("}  // namespace tenpin::batch\n")


if __name__ == "__main__":
    main()
