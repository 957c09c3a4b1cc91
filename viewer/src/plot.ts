// One uPlot chart with a playhead and a legend that shows the values at the time on the clock.

import uPlot from "uplot";
import { make, swatch } from "./dom";
import { formatNumber } from "./format";
import { indexAt, type Series } from "./series";
import { currentTheme } from "./theme";

const kHeight = 132; // px
const kLeastResidual = 1e-17; // below it there is nothing to see; zeros are drawn there

export class Plot {
  readonly element = make("div", { class: "plot" });
  private readonly frame = make("div", { class: "plot-frame" });
  private readonly legend = make("div", { class: "legend" });
  private readonly playhead = make("div", { class: "playhead" });
  private readonly values: HTMLElement[] = [];
  private chart: uPlot | null = null;
  private time = 0;

  constructor(
    private readonly title: string,
    private times: Float64Array,
    private readonly series: Series[],
    private readonly log: boolean,
    private readonly seek: (time: number) => void,
    private readonly least = 1e-300, // an axis that is not logarithmic does not magnify less
  ) {
    this.element.append(this.legend, this.frame);
    this.frame.setAttribute("role", "img");
    this.frame.setAttribute("aria-label", `${title} over time`);
    series.forEach((one, i) => this.legend.append(this.makeKey(one, i)));
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
    if (this.chart) this.chart.setData(this.calcColumns());
    else this.fit();
    this.setTime(this.time);
  }

  setTime(time: number): void {
    this.time = time;
    const at = indexAt(this.times, time);
    this.series.forEach((one, i) => {
      this.values[i].textContent = at < 0 ? "" : formatNumber(one.values[at], 3);
    });
    if (!this.chart) return;
    const x = this.chart.valToPos(time, "x");
    this.playhead.style.transform = `translateX(${x.toFixed(1)}px)`;
  }

  private fit(): void {
    const width = Math.floor(this.frame.clientWidth);
    if (width < 40 || this.times.length === 0) return;
    if (this.chart) this.chart.setSize({ width, height: kHeight });
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
    };
    const numbers = (_: uPlot, splits: number[]) =>
      splits.map((v) => (v === null ? "" : formatNumber(v, 3)));
    this.chart = new uPlot(
      {
        width,
        height: kHeight,
        padding: [6, 8, 0, 0],
        legend: { show: false },
        cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
        scales: { x: { time: false }, y: this.calcYScale() },
        axes: [
          { ...axis, size: 24, values: numbers },
          {
            ...axis,
            size: 58,
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
    chart.over.addEventListener("pointerdown", (event) => {
      chart.over.setPointerCapture(event.pointerId);
      seek(event);
    });
    chart.over.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
    });
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
