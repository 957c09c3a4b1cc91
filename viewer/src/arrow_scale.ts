// How long an arrow is: round numbers that the legend can state.

import type { Run } from "./run";

export type ArrowsShow = "force" | "impulse";

const kTypicalLength = 1.7; // arrow of a typical force, in body sizes
const kMostTypicalLength = 0.35; // of it, in scene radii
const kMostLength = 0.8; // of any arrow, in scene radii
const kEven = 1.01; // steps that differ by less than this factor count as equally long

export interface ArrowScale {
  length: number; // m   of the scene
  amount: number; // N, N s or m/s   that an arrow of this length stands for
  most: number; // m   longer arrows are cut
}

// Between the nine-tenths quantile, which one blow does not move, and the size above which half of the whole sum
// lies, which many small ones do not move.
export function calcTypical(values: Float32Array): number {
  const sizes: number[] = [];
  const stride = 3 * Math.max(1, Math.floor(values.length / 30000));
  for (let i = 0; i + 2 < values.length; i += stride) {
    const size = Math.hypot(values[i], values[i + 1], values[i + 2]);
    if (size > 1e-12) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  const usual = sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 0;
  let rest = sizes.reduce((sum, size) => sum + size, 0) / 2;
  const large = sizes.find((size) => (rest -= size) <= 0) ?? usual;
  return Math.sqrt(usual * large);
}

// `length` is a power of ten, `amount` 1, 2 or 5 times one.
export function makeScale(
  typical: number,
  bodySize: number,
  radius: number,
  stretch: number,
): ArrowScale {
  const wanted = Math.min(kTypicalLength * bodySize, kMostTypicalLength * radius);
  const length = 10 ** Math.floor(Math.log10(wanted));
  const amount = round125((typical > 0 ? typical : 1) * (length / wanted) / stretch);
  return { length, amount, most: kMostLength * radius };
}

export function round125(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const step = [1, 2, 5, 10].find((s) => s * power >= 0.8 * value) ?? 10;
  return Number((step * power).toPrecision(1));
}

// Impulses over equally long steps are forces; over steps from event to event they are not.
export function hasEvenSteps(run: Run): boolean {
  const t = run.stepTimes;
  if (t.length <= 2) return run.header.method !== "analytic"; // a run that has just begun
  let least = Infinity;
  let most = 0;
  for (let i = 1; i + 1 < t.length; ++i) {
    least = Math.min(least, t[i] - t[i - 1]);
    most = Math.max(most, t[i] - t[i - 1]);
  }
  return most <= kEven * least;
}

// s   of the step that ended at a time; 0 if it is not known.
export function calcStepDuration(run: Run, time: number): number {
  const t = run.stepTimes;
  if (t.length === 0) return 0;
  let low = 0;
  let high = t.length - 1;
  const slack = 1e-9 * Math.max(1, Math.abs(time));
  while (low < high) {
    const middle = (low + high) >> 1;
    if (t[middle] >= time - slack) high = middle;
    else low = middle + 1;
  }
  const before = low > 0 ? t[low - 1] : run.startTime;
  return Math.max(0, (t[low] - before) / Math.max(1, run.header.stepStride));
}

