#!/usr/bin/env python3
"""The strike pocket as a map, from a table of pocket.yaml.

    map.py TABLE.sqlite pocket.csv    means over 32 x 32 cells of starts and sideways speeds, with 95 % bands
    map.py pocket.csv pocket.svg      draws them
"""
import csv
import math
import sqlite3
import sys

CELLS = 32
START, SIDEWAYS = 0.16, 0.4  # m, m/s: half the ranges of pocket.yaml
COLUMNS = ["x", "sideways", "throws", "felled", "felled_band", "strikes", "strikes_band"]


def find_cell(value, half):
    return min(CELLS - 1, max(0, int((value + half) / (2 * half) * CELLS)))


def write_means(table, output):
    sums = {}
    rows = sqlite3.connect(table).execute(
        "select x, sideways, felled from trials where status = 'done'")
    for x, sideways, felled in rows:
        cell = sums.setdefault((find_cell(x, START), find_cell(sideways, SIDEWAYS)), [0, 0, 0, 0])
        for k, number in enumerate((1, felled, felled * felled, felled == 10)):
            cell[k] += number
    with open(output, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        for (a, b), (n, total, squares, strikes) in sorted(sums.items()):
            mean, share = total / n, strikes / n
            spread = math.sqrt(max(0, squares / n - mean * mean))
            writer.writerow([f"{(2 * a + 1) / CELLS * START - START:.4f}",
                             f"{(2 * b + 1) / CELLS * SIDEWAYS - SIDEWAYS:.4f}", n, f"{mean:.3f}",
                             f"{1.96 * spread / math.sqrt(n):.3f}", f"{share:.4f}",
                             f"{1.96 * math.sqrt(share * (1 - share) / n):.4f}"])


def choose_colour(share):  # white, orange, dark red
    stops = [(255, 255, 255), (253, 174, 97), (165, 0, 38)]
    at = min(1.0, share) * 2
    low, part = stops[min(1, int(at))], at - min(1, int(at))
    high = stops[min(1, int(at)) + 1]
    return "#%02x%02x%02x" % tuple(round(u + part * (v - u)) for u, v in zip(low, high))


def draw(means, output):
    size, left, top = 14, 60, 40
    side = CELLS * size
    with open(means, newline="", encoding="utf-8") as file:
        cells = list(csv.DictReader(file))
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side + left + 110} {side + top + 50}" '
             'font-family="sans-serif" font-size="13">',
             f'<text x="{left}" y="22">Share of strikes by where the ball starts and how fast it moves sideways</text>']
    for cell in cells:
        column = find_cell(float(cell["x"]), START)
        row = CELLS - 1 - find_cell(float(cell["sideways"]), SIDEWAYS)
        lines.append(f'<rect x="{left + column * size}" y="{top + row * size}" width="{size}" height="{size}" '
                     f'fill="{choose_colour(float(cell["strikes"]))}"><title>{cell["strikes"]} ± {cell["strikes_band"]} '
                     f'strikes, {cell["felled"]} ± {cell["felled_band"]} pins, {cell["throws"]} throws</title></rect>')
    for k in range(5):
        lines.append(f'<text x="{left + side * k / 4}" y="{top + side + 18}" text-anchor="middle">{START * (k - 2) / 2:.2f}</text>')
        lines.append(f'<text x="{left - 6}" y="{top + side - side * k / 4 + 5}" text-anchor="end">{SIDEWAYS * (k - 2) / 2:.1f}</text>')
        lines.append(f'<rect x="{left + side + 20}" y="{top + 20 * k}" width="20" height="20" fill="{choose_colour(k / 4)}" stroke="#888"/>')
        lines.append(f'<text x="{left + side + 46}" y="{top + 20 * k + 15}">{25 * k} %</text>')
    lines.append(f'<text x="{left + side / 2}" y="{top + side + 40}" text-anchor="middle">start across the lane, m</text>')
    lines.append(f'<text transform="translate(16 {top + side / 2}) rotate(-90)" text-anchor="middle">sideways speed, m/s</text>')
    lines.append("</svg>")
    with open(output, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    (draw if sys.argv[2].endswith(".svg") else write_means)(sys.argv[1], sys.argv[2])
