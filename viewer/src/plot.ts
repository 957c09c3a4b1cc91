// One uPlot chart with a playhead and a legend that shows the values at the time on the clock.

import uPlot from "uplot";
import { make, swatch } from "./dom";
import { formatNumber } from "./format";
import { indexAt, type Series } from "./series";
import { currentTheme } from "./theme";

const kHeight = 158; // px
const kMostLetters = 24; // of an axis title
const kLeastResidual = 1e-17; // below it there is nothing to see; zeros are drawn there

export type Range = [number, number]; // s

export class Plot {
  readonly element = make("div", { class: "plot" });
  private readonly frame = make("div", { class: "plot-frame" });
  private readonly legend = make("div", { class: "legend" });
  private readonly playhead = make("div", { class: "playhead" });
  private readonly values: HTMLElement[] = [];
  private readonly hoverTime = make("span", { class: "hover-time" });
  private chart: uPlot | null = null;
  private time = 0;
  private range: Range | null = null; // null: all of it
  private scale = 0; // of all values: what is far below it reads 0

  constructor(
    private readonly title: string,
    private times: Float64Array,
    private readonly series: Series[],
    private readonly log: boolean,
    private readonly seek: (time: number) => void,
    private readonly least = 1e-300, // an axis that is not logarithmic does not magnify less
    private readonly zoomed: (range: Range | null) => void = (range) => this.setRange(range),
  ) {
    this.scale = calcScale(series);
    this.element.append(this.legend, this.frame);
    this.frame.setAttribute("role", "img");
    this.frame.setAttribute("aria-label", `${title} over time`);
    series.forEach((one, i) => this.legend.append(this.makeKey(one, i)));
    this.legend.append(this.hoverTime);
    new ResizeObserver(() => this.fit()).observe(this.frame);
  }

  // Charts are made when first seen and again when the theme changes.
  draw(): void {
    this.chart?.destroy();
    this.chart = null;
    this.fit();
  }

  // The same curves, longer.
  setValues(times: Float64Array, values: ArrayLike<number>[]): void {
    this.times = times;
    this.series.forEach((one, i) => (one.values = values[i]));
    this.scale = calcScale(this.series);
    if (this.chart) this.chart.setData(this.calcColumns());
    else this.fit();
    this.setTime(this.time);
  }

  setTime(time: number): void {
    this.time = time;
    this.showValues(indexAt(this.times, time));
    this.placePlayhead();
  }

  private placePlayhead(): void {
    if (!this.chart) return;
    const { min, max } = this.calcXRange();
    const x = this.chart.valToPos(this.time, "x");
    this.playhead.hidden = this.time < min || this.time > max;
    if (Number.isFinite(x)) this.playhead.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  // Shows that part of the time; null is all of it.
  setRange(range: Range | null): void {
    this.range = range;
    this.chart?.setScale("x", this.calcXRange());
    this.setTime(this.time);
  }

  private calcXRange(): { min: number; max: number } {
    const [min, max] = this.range ?? [this.times[0] ?? 0, this.times.at(-1) ?? 1];
    return { min, max: max > min ? max : min + 1e-9 };
  }

  private showValues(at: number): void {
    this.series.forEach((one, i) => {
      const value = one.values[at];
      this.values[i].textContent = at < 0 || Number.isNaN(value) ? "" : formatNumber(value, 3, this.log ? 0 : this.scale);
    });
  }

  // The values under the pointer, as long as it is there.
  private hover(chart: uPlot): void {
    const at = chart.cursor.idx;
    const isOver = at !== null && at !== undefined && (chart.cursor.left ?? -1) >= 0;
    this.element.classList.toggle("hovered", isOver);
    this.showValues(isOver ? at : indexAt(this.times, this.time));
    this.hoverTime.textContent = isOver ? `at ${formatNumber(this.times[at], 5)} s` : "";
  }

  private fit(): void {
    const width = Math.floor(this.frame.clientWidth);
    if (width < 40 || this.times.length === 0) return;
    if (this.chart && this.chart.width !== width) this.chart.setSize({ width, height: kHeight });
    else if (this.chart) return;
    else this.makeChart(width);
    this.setTime(this.time);
  }

  private makeChart(width: number): void {
    const theme = currentTheme();
    const axis = {
      stroke: theme.axis,
      font: "11px system-ui, sans-serif",
      grid: { stroke: theme.grid, width: 1 },
      ticks: { show: false },
      labelFont: "11px system-ui, sans-serif",
      labelSize: 16,
      labelGap: 0,
    };
    const units = new Set(this.series.map((one) => one.unit));
    const unit = units.size === 1 ? [...units][0] : "";
    const numbers = (_: uPlot, splits: number[]) =>
      splits.map((v) => (v === null ? "" : formatNumber(v, 3)));
    this.chart = new uPlot(
      {
        width,
        height: kHeight,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 } },
        scales: { x: { time: false, range: () => Object.values(this.calcXRange()) as Range }, y: this.calcYScale() },
        hooks: { setCursor: [(chart) => this.hover(chart)], draw: [() => this.placePlayhead()] },
        axes: [
          { ...axis, size: 22, values: numbers, label: "time (s)" },
          {
            ...axis,
            size: 54,
            label: nameAxis(this.title, unit),
            values: numbers,
            splits: this.log ? decades : undefined,
            filter: keepAll,
          },
        ],
        series: [
          {},
          ...this.series.map((one) => ({
            label: one.label,
            stroke: resolveColour(one.colour, this.element),
            width: 1.5,
            show: one.shown,
            spanGaps: true,
            dash: one.dashed ? [5, 3] : undefined,
            points: { show: this.times.length === 1 },
          })),
        ],
      },
      this.calcColumns(),
      this.frame,
    );
    this.chart.over.append(this.playhead);
    this.scrub(this.chart);
  }

  private calcYScale(): uPlot.Scale {
    return this.log
      ? { distr: 3, range: (_, low, high) => padDecades(low, high) }
      : { range: (_, low, high) => padRange(low, high, this.least) };
  }

  private calcColumns(): uPlot.AlignedData {
    const columns = this.series.map((one) =>
      Array.from(one.values, (v) => (this.log ? Math.max(v, kLeastResidual) : v)),
    );
    return [this.times, ...columns] as unknown as uPlot.AlignedData;
  }

  private scrub(chart: uPlot): void {
    const seek = (event: PointerEvent) => {
      const x = event.clientX - chart.over.getBoundingClientRect().left;
      this.seek(chart.posToVal(x, "x"));
    };
    const timeAt = (event: MouseEvent) =>
      chart.posToVal(event.clientX - chart.over.getBoundingClientRect().left, "x");
    let from: number | null = null; // with Shift: where the part to be magnified begins
    chart.over.addEventListener("pointerdown", (event) => {
      chart.over.setPointerCapture(event.pointerId);
      from = event.shiftKey ? timeAt(event) : null;
      if (from === null) seek(event);
    });
    chart.over.addEventListener("pointermove", (event) => {
      if (event.buttons & 1 && from === null) seek(event);
    });
    chart.over.addEventListener("pointerup", (event) => {
      const to = timeAt(event);
      if (from !== null && to !== from) this.zoomed([Math.min(from, to), Math.max(from, to)]);
      from = null;
    });
    chart.over.addEventListener("dblclick", () => this.zoomed(null));
    chart.over.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.shiftKey) return; // the page scrolls
        event.preventDefault();
        const { min, max } = this.calcXRange();
        const turn = event.deltaY || event.deltaX;
        this.zoomed(zoomRange([min, max], timeAt(event), turn > 0 ? 1.25 : 0.8, this.times));
      },
      { passive: false },
    );
  }

  private makeKey(one: Series, index: number): HTMLElement {
    const value = make("span", { class: "value" });
    this.values.push(value);
    const mark = swatch(one.colour);
    if (one.dashed) mark.classList.add("dashed");
    const key = make(
      "button",
      {
        type: "button",
        class: "key",
        "aria-pressed": String(one.shown),
        "aria-label": `${this.title}: ${one.label}`,
      },
      mark,
      make("span", {}, one.label),
      value,
      make("span", { class: "unit" }, one.unit),
    );
    key.addEventListener("click", () => {
      one.shown = !one.shown;
      key.setAttribute("aria-pressed", String(one.shown));
      this.chart?.setSeries(index + 1, { show: one.shown });
    });
    return key;
  }
}

// Magnifies about a time; null when all of it is shown again.
export function zoomRange(
  [min, max]: Range,
  about: number,
  factor: number,
  times: Float64Array,
): Range | null {
  const [first, last] = [times[0] ?? 0, times.at(-1) ?? 1];
  const low = Math.max(first, about - factor * (about - min));
  const high = Math.min(last, about + factor * (max - about));
  return low <= first && high >= last ? null : [low, high];
}

function calcScale(series: Series[]): number {
  let most = 0;
  for (const { values } of series)
    for (let i = 0; i < values.length; ++i) if (Math.abs(values[i]) > most) most = Math.abs(values[i]);
  return most;
}

// As much as there is room for.
function nameAxis(title: string, unit: string): string {
  const full = unit ? `${title} (${unit})` : title;
  return full.length <= kMostLetters ? full : unit || title.slice(0, kMostLetters);
}

// A canvas knows no CSS variables.
function resolveColour(colour: string, element: HTMLElement): string {
  const name = colour.match(/^var\((.*)\)$/)?.[1];
  return name ? getComputedStyle(element).getPropertyValue(name) : colour;
}

// Flat curves still deserve an axis.
function padRange(low: number | null, high: number | null, least: number): [number, number] {
  if (low === null || high === null) return [0, 1];
  const middle = (low + high) / 2;
  const half = Math.max((high - low) / 2, 0.05 * Math.abs(middle), least / 2);
  if (high - low < least && low >= 0 && low < least) return [0, least]; // of a size, next to zero
  return [middle - 1.12 * half, middle + 1.12 * half];
}

// Whole decades, two at least.
function padDecades(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [kLeastResidual, 1];
  const first = Math.floor(Math.log10(low) + 1e-9);
  const last = Math.max(first + 2, Math.ceil(Math.log10(high) - 1e-9));
  return [10 ** first, 10 ** last];
}

// Of the ticks that were asked for.
function keepAll(_: uPlot, splits: number[]): number[] {
  return splits;
}

// At most six powers of ten.
function decades(_: uPlot, __: number, low: number, high: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const stride = Math.max(1, Math.ceil((last - first) / 5));
  const powers = [];
  for (let power = first; power <= last; power += stride) powers.push(10 ** power);
  return powers;
}
