#!/usr/bin/env python3
"""Draws the tables of docs/benchmarks.md as charts: docs/images/benchmarks-accuracy.svg and benchmarks-speed.svg.
benchmark_charts.py --check fails if a chart is not what it would draw."""
import html
import math
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
COLOURS = ["#0072b2", "#56b4e9", "#d55e00", "#009e73", "#e69f00", "#cc79a7", "#7a5195", "#666666", "#8c2d19"]
SHAPES = ["circle", "square", "diamond", "triangle"]
LEAST = 1e-16  # smaller errors are rounding
LABELS, WIDTH, RIGHT, ROW, TOP = 300, 900, 24, 26, 78  # px


def read_table(text, first_cell):
    """Reads the header and rows of the Markdown table whose header begins with that cell."""
    lines = text.splitlines()
    begin = next(i for i, line in enumerate(lines) if line.startswith(f"| {first_cell} |"))
    rows = []
    for line in lines[begin:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows[0][1:], rows[2:]


def read_number(cell):
    """The number of a cell; None if an engine does not support the scene, or if the run did not reach its end."""
    if "limit" in cell or not re.match(r"[\d.]", cell):
        return None
    return float(re.match(r"[\d.]+(?:e[+-]?\d+)?", cell)[0])


def mark(shape, x, y, colour, title):
    tip = f"<title>{html.escape(title)}</title>"
    fill = f'fill="{colour}" fill-opacity="0.9"'
    if shape == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5" {fill}>{tip}</circle>'
    points = {"square": [(-4.5, -4.5), (4.5, -4.5), (4.5, 4.5), (-4.5, 4.5)],
              "diamond": [(0, -6), (6, 0), (0, 6), (-6, 0)],
              "triangle": [(0, -5.5), (5.5, 4.5), (-5.5, 4.5)]}[shape]
    text = " ".join(f"{x + a:.1f},{y + b:.1f}" for a, b in points)
    return f'<polygon points="{text}" {fill}>{tip}</polygon>'


def draw(title, axis, engines, rows, least):
    """Draws one row per scene and one mark per engine, on a logarithmic axis; better results are on the left."""
    numbers = [max(n, least) for _, values in rows for n in values if n is not None]
    low = math.floor(math.log10(min(numbers)))
    high = math.ceil(math.log10(max(numbers)))
    place = lambda n: LABELS + (WIDTH - LABELS - RIGHT) * (math.log10(max(n, least)) - low) / (high - low)
    height = TOP + ROW * len(rows) + 46
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" font-family="system-ui, sans-serif" font-size="13">',
           f'<rect width="{WIDTH}" height="{height}" fill="#ffffff"/>',
           f'<text x="14" y="24" font-size="16" font-weight="600" fill="#1d2125">{html.escape(title)}</text>']
    x = 14
    for k, engine in enumerate(engines):
        out.append(mark(SHAPES[k % len(SHAPES)], x + 5, 45, COLOURS[k % len(COLOURS)], engine))
        out.append(f'<text x="{x + 15}" y="49.5" fill="#1d2125">{html.escape(engine)}</text>')
        x += 32 + 7.2 * len(engine)
    bottom = TOP + ROW * len(rows)
    every = max(1, (high - low) // 9)
    for power in range(low, high + 1, every):
        at = place(10.0**power)
        out.append(f'<path d="M{at:.1f} {TOP - 6}V{bottom}" stroke="#e2e2de"/>')
        label = f"{10 ** power:g}" if -3 <= power <= 3 else f"1e{power}"
        out.append(f'<text x="{at:.1f}" y="{bottom + 18}" text-anchor="middle" fill="#5a6268">{label}</text>')
    out.append(f'<text x="{(LABELS + WIDTH) / 2}" y="{bottom + 38}" text-anchor="middle" fill="#5a6268">{html.escape(axis)}</text>')
    for r, (name, values) in enumerate(rows):
        y = TOP + ROW * (r + 0.5)
        out.append(f'<path d="M{LABELS} {y + ROW / 2}H{WIDTH - RIGHT}" stroke="#f0f0ec"/>')
        out.append(f'<text x="{LABELS - 12}" y="{y + 4.5}" text-anchor="end" fill="#1d2125">{html.escape(name)}</text>')
        for k, number in reversed(list(enumerate(values))):
            if number is not None:
                out.append(mark(SHAPES[k % len(SHAPES)], place(number), y, COLOURS[k % len(COLOURS)], f"{engines[k]}: {number:g}"))
    return "\n".join(out + ["</svg>", ""])


def make_charts(text):
    engines, rows = read_table(text, "error in")
    accuracy = draw("Distance from the exact value, steps of 1/240 s: left is better", "error (0 and rounding at 1e-16)", engines,
                    [(re.sub(r" \([^)]*\)$", "", row[0]), [read_number(c) for c in row[1:]]) for row in rows], LEAST)
    engines, rows = read_table(text, "ms per step")
    speed = draw("CPU time of a step, runs that came to their end: left is faster", "ms", engines,
                 [(row[0], [read_number(c) for c in row[1:]]) for row in rows], 1e-6)
    return {"benchmarks-accuracy.svg": accuracy, "benchmarks-speed.svg": speed}


def main():
    for name, chart in make_charts((ROOT / "docs" / "benchmarks.md").read_text()).items():
        file = ROOT / "docs" / "images" / name
        if "--check" not in sys.argv:
            file.write_text(chart)
        elif not file.exists() or file.read_text() != chart:
            sys.exit(f"docs/images/{name} is not up to date: run tools/benchmark_charts.py")


if __name__ == "__main__":
    main()
