// Light or dark, as the reader's system says, for what CSS cannot reach: the stage and the plots.

export interface Theme {
  stageTop: string; // as in page.css
  stageBottom: string;
  ground: string;
  gridLine: string;
  sky: string;
  earth: string;
  pale: string; // mixed into signs of forces that are not unique
  axis: string; // plots: text and ticks
  grid: string; // plots: lines
  playhead: string;
}

const kLight: Theme = {
  stageTop: "#f4f6f7",
  stageBottom: "#e4e5e1",
  ground: "#f1f1ee",
  gridLine: "#c4c6c6",
  sky: "#ffffff",
  earth: "#b9b4a8",
  pale: "#ffffff",
  axis: "#4b5258",
  grid: "#e3e4e2",
  playhead: "#1d2125",
};
const kDark: Theme = {
  stageTop: "#1b2126",
  stageBottom: "#12161a",
  ground: "#343c43",
  gridLine: "#56616b",
  sky: "#e6edf5",
  earth: "#5a6068",
  pale: "#2a3238",
  axis: "#aeb6bd",
  grid: "#2c3339",
  playhead: "#f2f4f5",
};

const query = window.matchMedia("(prefers-color-scheme: dark)");

export function isDark(): boolean {
  return query.matches;
}

export function currentTheme(): Theme {
  return isDark() ? kDark : kLight;
}

// Now and whenever the theme changes, until the signal.
export function onThemeChange(apply: (theme: Theme) => void, signal: AbortSignal): void {
  apply(currentTheme());
  query.addEventListener("change", () => apply(currentTheme()), { signal });
}
