// Colours that people with any kind of colour vision can tell apart (Okabe and Ito, 2008).

import type { Mode } from "./run";

export const kBodyColours = [
  "#0072b2",
  "#e69f00",
  "#009e73",
  "#cc79a7",
  "#56b4e9",
  "#d55e00",
  "#f0e442",
];
export const kFixedColour = "#8d949b";

export const kModeColours: Record<Mode, string> = {
  separating: "#56b4e9",
  sliding: "#d55e00",
  sticking: "#009e73",
  resting: "#cc79a7",
};

// Curves take theirs from the style sheet, which has one set for light and one for dark.
export const kNumSeriesColours = 10;
export function seriesColour(series: number): string {
  return `var(--series-${series % kNumSeriesColours})`;
}

// From dark blue to yellow, rising in lightness: cividis at five points.
const kRamp = [
  [0, 34, 78],
  [65, 77, 107],
  [124, 123, 120],
  [187, 175, 113],
  [254, 232, 56],
];

// Position of a residual on the ramp: 1e-16 and below is 0, 1e-6 and above is 1.
export function residualShade(residual: number): number {
  if (!(residual > 0)) return 0;
  return Math.min(1, Math.max(0, (Math.log10(residual) + 16) / 10));
}

export function rampColour(shade: number): [number, number, number] {
  const x = Math.min(1, Math.max(0, shade)) * (kRamp.length - 1);
  const i = Math.min(kRamp.length - 2, Math.floor(x));
  const mix = (c: number) => (kRamp[i][c] + (x - i) * (kRamp[i + 1][c] - kRamp[i][c])) / 255;
  return [mix(0), mix(1), mix(2)];
}
