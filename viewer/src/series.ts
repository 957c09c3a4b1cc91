// Which curves the page offers, and how each is read from the run.

import { calcBodyForce, calcPairForce, calcReaction, type ReactionPart } from "./contact_series";
import { seriesColour } from "./palette";
import type { Run, StepColumn, Track } from "./run";

export interface Series {
  label: string;
  unit: string;
  values: ArrayLike<number>;
  colour: string; // CSS, perhaps a variable of the style sheet
  dashed: boolean;
  shown: boolean;
}

// A recorded quantity: of every step, or of one body in every frame.
export type Quantity = { label: string; unit: string } & (
  | { key: string }
  | { ofTrack: (track: Track) => ArrayLike<number>; needs?: "hinge" | "slider" }
  | {
      ofBody: (run: Run, body: number) => ArrayLike<number>;
      needs?: "hinge" | "slider" | "reaction";
    }
  | { ofLoop: (run: Run) => ArrayLike<number> }
  | { ofPair: (run: Run, pair: [number, number]) => ArrayLike<number> }
);

const kStored = ["kinetic", "potential", "total"];

// Stored energy in full lines; the work of each stage, summed from the start, dashed. Stages
// without work are left out; those that never reach a thousandth of the scale start switched off.
export function energySeries(run: Run): Series[] {
  const columns = run.header.stepColumns;
  const scale = Math.max(...kStored.map((key) => swing(run.stepCurve(key))), 1e-300);
  const stages = columns.filter(
    (column) => column.key.startsWith("work_") && swing(run.stepCurve(column.key)) > 0,
  );
  const picked = [...kStored.map((key) => find(columns, key)), ...stages];
  return picked.map((column, i) => {
    const values = run.stepCurve(column.key);
    const stored = i < kStored.length;
    return {
      label: column.label,
      unit: column.unit,
      values,
      dashed: !stored,
      colour: seriesColour(i),
      shown: stored || swing(values) > 1e-3 * scale,
    };
  });
}

export function columnSeries(run: Run, keys: string[]): Series[] {
  return keys.map((key, i) => {
    const column = find(run.header.stepColumns, key);
    return {
      label: column.label,
      unit: column.unit,
      values: run.stepCurve(key),
      dashed: i > 0,
      colour: seriesColour(i),
      shown: true,
    };
  });
}

export function quantities(run: Run): Quantity[] {
  const perStep = run.header.stepColumns.map(({ key, label, unit }) => ({ key, label, unit }));
  return [
    ...bodyQuantities(),
    ...jointQuantities(),
    ...reactionQuantities(),
    ...contactQuantities(),
    ...loopQuantities(run),
    ...perStep,
  ];
}

// Does the quantity exist for this body? Bodies that move freely have no joint to react.
export function suits(quantity: Quantity, run: Run, body: number): boolean {
  if (!("needs" in quantity) || !quantity.needs) return true;
  const { joint, parent } = run.header.bodies[body] ?? { joint: "free", parent: -1 };
  if (quantity.needs !== "reaction") return quantity.needs === joint;
  return joint !== "free" && !(parent < 0 && ["fixed", "prescribed", "planar"].includes(joint));
}

const kAxes = ["x", "y", "z"];

function reactionQuantities(): Quantity[] {
  const vector = (part: ReactionPart, unit: string): Quantity[] =>
    ["", ...kAxes].map((axis, i) => ({
      label: `joint ${part} ${axis}`.trim(),
      unit,
      ofBody: (run, body) => calcReaction(run, body, part, (i + 3) % 4),
      needs: "reaction",
    }));
  const along = (part: ReactionPart, joint: "hinge" | "slider"): Quantity => ({
    label: `joint ${part}`,
    unit: joint === "hinge" ? "N m" : "N",
    ofBody: (run, body) => calcReaction(run, body, part),
    needs: joint,
  });
  return [
    ...vector("force", "N"),
    ...vector("torque", "N m"),
    ...(["hinge", "slider"] as const).flatMap((joint) => [
      along("drive", joint),
      along("stop", joint),
    ]),
  ];
}

function loopQuantities(run: Run): Quantity[] {
  return run.header.loops.flatMap((name, loop) =>
    ["", ...kAxes].map((axis, i) => ({
      label: `loop ${name} force ${axis}`.trim(),
      unit: "N",
      ofLoop: (of: Run) => calcReaction(of, -1 - loop, "force", (i + 3) % 4),
    })),
  );
}

function jointQuantities(): Quantity[] {
  const read = (part: number) => (track: Track) =>
    Float64Array.from(track.times, (_, k) => track.joint?.[2 * k + part] ?? NaN);
  return [
    { label: "hinge angle", unit: "rad", ofTrack: read(0), needs: "hinge" },
    { label: "hinge rate", unit: "rad/s", ofTrack: read(1), needs: "hinge" },
    { label: "slider position", unit: "m", ofTrack: read(0), needs: "slider" },
    { label: "slider rate", unit: "m/s", ofTrack: read(1), needs: "slider" },
  ];
}

function contactQuantities(): Quantity[] {
  const force = (label: string, component: number): Quantity => ({
    label,
    unit: "N",
    ofBody: (run, body) => calcBodyForce(run, body, component),
  });
  return [
    force("contact force", 3),
    ...["x", "y", "z"].map((axis, i) => force(`contact force ${axis}`, i)),
    { label: "normal force", unit: "N", ofPair: (run, pair) => calcPairForce(run, pair, "normal") },
    {
      label: "friction force",
      unit: "N",
      ofPair: (run, pair) => calcPairForce(run, pair, "tangential"),
    },
  ];
}

function bodyQuantities(): Quantity[] {
  const pick = (
    label: string,
    unit: string,
    width: 3 | 6,
    read: (numbers: Float32Array, at: number) => number,
  ): Quantity => ({
    label,
    unit,
    ofTrack: (track) => {
      const numbers = width === 3 ? track.position : track.twist;
      return Float64Array.from(track.times, (_, k) => (numbers ? read(numbers, width * k) : NaN));
    },
  });
  const size = (from: number) => (n: Float32Array, at: number) =>
    Math.hypot(n[at + from], n[at + from + 1], n[at + from + 2]);
  const axes = ["x", "y", "z"];
  return [
    ...axes.map((axis, i) => pick(axis, "m", 3, (n, at) => n[at + i])),
    pick("speed", "m/s", 6, size(0)),
    ...axes.map((axis, i) => pick(`velocity ${axis}`, "m/s", 6, (n, at) => n[at + i])),
    pick("spin", "rad/s", 6, size(3)),
    ...axes.map((axis, i) => pick(`spin ${axis}`, "rad/s", 6, (n, at) => n[at + 3 + i])),
  ];
}

function find(columns: StepColumn[], key: string): StepColumn {
  const column = columns.find((candidate) => candidate.key === key);
  if (!column) throw new Error(`the page has no curve ${key}`);
  return column;
}

function swing(values: ArrayLike<number>): number {
  let low = Infinity;
  let high = -Infinity;
  for (let i = 0; i < values.length; ++i) {
    low = Math.min(low, values[i]);
    high = Math.max(high, values[i]);
  }
  return high >= low ? high - low : 0;
}

// The last sample that is not after t, or the first; -1 when there is none.
export function indexAt(times: Float64Array, t: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle] <= t) low = middle;
    else high = middle - 1;
  }
  return high;
}
