// Colours that people with any kind of colour vision can tell apart: those of bodies are Okabe and
// Ito's (2008); those of modes are as far apart in lightness, too.

import { kModes, type Mode } from "./frames";
import { isDark } from "./theme";

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
export const kVeilColour = "#d81b60"; // of shapes that touch, over those that are drawn

// Of a mode on a light and on a dark stage.
const kModeColours: Record<Mode, [light: string, dark: string]> = {
  separating: ["#88ccee", "#ebffec"],
  sliding: ["#d55e00", "#fbbc0c"],
  sticking: ["#007a5a", "#3aa863"],
  resting: ["#6b2f8a", "#8e81ae"],
  touching: ["#cc00fc", "#db23ff"],
};

export function modeColour(mode: Mode): string {
  return kModeColours[mode][isDark() ? 1 : 0];
}

// Modes in the order of their codes, then a joint at its stop, friction in a joint, a centre of pressure.
export function signColours(): string[] {
  const others = isDark() ? ["#ff7a6b", "#b4bcc2", "#e0b020"] : ["#c22f2f", "#7d8489", "#b98a00"];
  return [...kModes.map(modeColour), ...others];
}

// Curves take theirs from the style sheet, which has one set for light and one for dark.
export const kNumSeriesColours = 10;
export function seriesColour(series: number): string {
  return `var(--series-${series % kNumSeriesColours})`;
}

// Residuals from 1e-16 to 1e-6: from dark blue to yellow, rising in lightness. Cividis at five
// points.
export const kRampColours: [number, number, number][] = [
  [0, 0.133, 0.306],
  [0.255, 0.302, 0.42],
  [0.486, 0.482, 0.471],
  [0.733, 0.686, 0.443],
  [0.996, 0.91, 0.22],
];
