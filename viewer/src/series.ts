// Which curves the page offers, and how each is read from the run.

import { seriesColour } from "./palette";
import type { Run, StepColumn } from "./run";

export interface Series {
  label: string;
  unit: string;
  values: ArrayLike<number>;
  colour: string; // CSS, perhaps a variable of the style sheet
  dashed: boolean;
  shown: boolean;
}

export interface Quantity {
  label: string;
  unit: string;
  ofBody: boolean;
  times: (run: Run) => Float64Array;
  read: (run: Run, body: number) => ArrayLike<number>;
}

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
  const perStep = run.header.stepColumns.map((column): Quantity => ({
    label: column.label,
    unit: column.unit,
    ofBody: false,
    times: (r) => r.stepTimes,
    read: (r) => r.stepCurve(column.key),
  }));
  return [...bodyQuantities(run), ...perStep];
}

function bodyQuantities(run: Run): Quantity[] {
  const frames = (r: Run) => r.frameTimes;
  const list: Quantity[] = ["x", "y", "z"].map((axis, i) => ({
    label: axis,
    unit: "m",
    ofBody: true,
    times: frames,
    read: (r, body) => r.positionCurve(body, i),
  }));
  if (!run.hasTwists) return list;
  const component = (
    label: string,
    unit: string,
    pick: (twist: Float32Array) => number,
  ): Quantity => ({
    label,
    unit,
    ofBody: true,
    times: frames,
    read: (r, body) =>
      Float64Array.from(r.frameTimes, (_, frame) =>
        pick(r.twist(body, frame) ?? new Float32Array(6)),
      ),
  });
  list.push(component("speed", "m/s", (t) => Math.hypot(t[0], t[1], t[2])));
  ["x", "y", "z"].forEach((axis, i) =>
    list.push(component(`velocity ${axis}`, "m/s", (t) => t[i])),
  );
  list.push(component("spin", "rad/s", (t) => Math.hypot(t[3], t[4], t[5])));
  return list;
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
