// The column of charts beside the stage.

import { byId, make } from "./dom";
import { seriesColour } from "./palette";
import { Plot, zoomRange, type Range } from "./plot";
import type { Selection } from "./picking";
import type { Run } from "./run";
import {
  columnSeries,
  energySeries,
  quantities,
  suits,
  type Quantity,
  type Series,
} from "./series";
import { onThemeChange } from "./theme";

const kLeastOverlap = 1e-12; // m   less is rounding
const kQuantityAtFirst = 2; // z of a body

interface Chart {
  plot: Plot;
  series: () => Series[];
  labels: string;
  section: HTMLElement;
  title: string;
  log: boolean;
  least?: number;
}

// A curve that the reader has chosen; of a body, of two bodies, or of every step.
interface Curve {
  quantity: Quantity;
  body: number;
  pair: [number, number];
  label: string;
  times: Float64Array;
  values: ArrayLike<number>;
}

export class Plots {
  private charts: Chart[] = [];
  private chosen: { plot: Plot; curves: Curve[] }[] = []; // one per unit and list of times
  private kept: Curve[] = []; // stay when another is chosen
  private shown: Curve | null = null;
  private readonly list;
  private readonly select = byId<HTMLSelectElement>("quantity");
  private body = 0;
  private pair: [number, number] | null = null;
  private time = 0;
  private range: Range | null = null;
  private asked = 0; // counts requests for a body's curve: an answer to an old one is ignored

  constructor(
    private readonly run: Run,
    private readonly seek: (time: number) => void,
    ended: AbortSignal,
  ) {
    this.list = quantities(run);
    this.add("Energy", () => energySeries(run), false);
    this.add("Residual", () => columnSeries(run, ["residual"]), true);
    this.add("Penetration", () => columnSeries(run, ["penetration"]), false, kLeastOverlap);
    this.add("Contacts", () => columnSeries(run, ["num_contacts", "num_active"]), false);
    this.body = run.movers[0] ?? 0;
    this.fillSelect(run.movers.length > 0 ? kQuantityAtFirst : this.list.length - 1);
    this.select.addEventListener("change", () => this.showChosen());
    this.showChosen();
    this.setUpButtons();
    onThemeChange(() => this.all.forEach((plot) => plot.draw()), ended);
  }

  setTime(time: number): void {
    this.time = time;
    for (const plot of this.all) plot.setTime(time);
  }

  setSelection(selection: Selection, pair: [number, number] | null): void {
    const body = selection?.kind === "body" ? selection.body : this.body;
    if (body === this.body && pair?.join() === this.pair?.join()) return;
    this.body = body;
    this.pair = pair;
    this.fillSelect(Number(this.select.value));
    this.showChosen();
  }

  // The run has grown.
  refresh(): void {
    for (const chart of this.charts) {
      const series = chart.series();
      if (listLabels(series) === chart.labels)
        chart.plot.setValues(
          this.run.stepTimes,
          series.map((one) => one.values),
        );
      else this.fill(chart, series);
    }
    for (const curve of this.kept) this.load(curve, () => {});
    this.showChosen();
  }

  // The chosen curves as columns; those of other times have a column of times of their own.
  makeCsv(): string {
    const columns = this.chosen.flatMap(({ curves }) => [
      ["time (s)", curves[0].times] as const,
      ...curves.map((one) => [`${one.label} (${one.quantity.unit || "-"})`, one.values] as const),
    ]);
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const count = Math.max(0, ...columns.map(([, values]) => values.length));
    const rows = Array.from({ length: count }, (_, k) =>
      columns.map(([, values]) => (k < values.length ? String(values[k]) : "")).join(),
    );
    return [columns.map(([name]) => quote(name)).join(), ...rows].join("\n") + "\n";
  }

  private get all(): Plot[] {
    return [...this.charts.map((chart) => chart.plot), ...this.chosen.map(({ plot }) => plot)];
  }

  private readonly zoom = (range: Range | null): void => {
    this.range = range;
    byId<HTMLButtonElement>("zoom-all").disabled = range === null;
    for (const plot of this.all) plot.setRange(range);
  };

  private setUpButtons(): void {
    const zoomBy = (factor: number) => {
      const times = this.run.frameTimes;
      const range = this.range ?? [this.run.startTime, this.run.endTime];
      this.zoom(zoomRange(range, this.time, factor, times));
    };
    byId("zoom-in").addEventListener("click", () => zoomBy(0.5));
    byId("zoom-out").addEventListener("click", () => zoomBy(2));
    byId("zoom-all").addEventListener("click", () => this.zoom(null));
    byId("keep-curve").addEventListener("click", () => {
      if (this.shown && !this.kept.some((one) => one.label === this.shown?.label))
        this.kept.push(this.shown);
      this.drawChosen();
    });
    byId("clear-curves").addEventListener("click", () => {
      this.kept = [];
      this.drawChosen();
    });
  }

  private add(title: string, series: () => Series[], log: boolean, least?: number): void {
    const section = make("section");
    byId("plots").append(section);
    const chart = { title, series, log, least, section } as Chart;
    this.fill(chart, series());
    this.charts.push(chart);
  }

  private fill(chart: Chart, series: Series[]): void {
    chart.labels = listLabels(series);
    const { title, log, least } = chart;
    chart.plot = new Plot(title, this.run.stepTimes, series, log, this.seek, least, this.zoom);
    chart.section.replaceChildren(make("h3", {}, chart.title), chart.plot.element);
    this.start(chart.plot);
  }

  private start(plot: Plot): void {
    plot.draw();
    plot.setRange(this.range);
    plot.setTime(this.time);
  }

  // Quantities of the selected body.
  private fillSelect(chosen: number): void {
    const ofBody = make("optgroup", { label: "Of the selected body" });
    const ofPair = make("optgroup", { label: "Of the selected contact's bodies" });
    const ofLoop = make("optgroup", { label: "Of loops" });
    const ofStep = make("optgroup", { label: "Of every step" });
    const groupOf = (quantity: Quantity) =>
      "key" in quantity
        ? ofStep
        : "ofLoop" in quantity
          ? ofLoop
          : "ofPair" in quantity
            ? ofPair
            : ofBody;
    this.list.forEach((quantity, i) => {
      if (!suits(quantity, this.run, this.body)) return;
      if ("ofPair" in quantity && !this.pair) return;
      const text = `${quantity.label} (${quantity.unit || "–"})`;
      const option = make("option", { value: String(i) }, text);
      groupOf(quantity).append(option);
    });
    const groups = [ofBody, ofPair, ofLoop, ofStep].filter((group) => group.children.length > 0);
    this.select.replaceChildren(...groups);
    this.select.value = String(chosen);
    if (this.select.value === "") this.select.selectedIndex = 0;
  }

  private showChosen(): void {
    const quantity = this.list[Number(this.select.value)];
    if (!quantity) return;
    const asked = ++this.asked;
    const nameOf = (body: number) => this.run.header.bodies[body].name;
    const pair = this.pair ?? [0, 0];
    const label =
      "key" in quantity || "ofLoop" in quantity
        ? quantity.label
        : "ofPair" in quantity
          ? `${nameOf(pair[0])} and ${nameOf(pair[1])} ${quantity.label}`
          : `${nameOf(this.body)} ${quantity.label}`;
    const times = this.run.frameTimes;
    const curve: Curve = { quantity, body: this.body, pair, label, times, values: [] };
    this.load(curve, () => {
      if (asked !== this.asked) return;
      this.shown = curve;
      this.drawChosen();
    });
  }

  // Reads a curve from the run; what a server has to send comes later.
  private load(curve: Curve, done: () => void): void {
    const { run } = this;
    const { quantity } = curve;
    curve.times = run.frameTimes;
    if ("ofTrack" in quantity)
      return run.store.track(curve.body, (track) => {
        curve.times = track.times;
        curve.values = quantity.ofTrack(track);
        done();
      });
    if ("key" in quantity) {
      curve.times = run.stepTimes;
      curve.values = run.stepCurve(quantity.key);
    } else if ("ofLoop" in quantity) curve.values = quantity.ofLoop(run);
    else if ("ofBody" in quantity) curve.values = quantity.ofBody(run, curve.body);
    else curve.values = quantity.ofPair(run, curve.pair);
    done();
  }

  // Curves of one unit share a chart.
  private drawChosen(): void {
    const curves = this.kept.filter((one) => one.label !== this.shown?.label);
    if (this.shown) curves.push(this.shown);
    byId<HTMLButtonElement>("clear-curves").disabled = this.kept.length === 0;
    const groups = new Map<string, Curve[]>();
    for (const curve of curves) {
      const key = `${curve.quantity.unit} ${curve.times.length}`;
      groups.set(key, [...(groups.get(key) ?? []), curve]);
    }
    let colour = 0;
    this.chosen = [...groups.values()].map((group) => {
      const series = group.map(({ label, quantity: { unit }, values }) => ({
        label,
        unit,
        values,
        colour: seriesColour(colour++),
        dashed: false,
        shown: true,
      }));
      const labels = new Set(group.map((one) => one.quantity.label));
      const title = labels.size === 1 ? [...labels][0] : "values";
      const plot = new Plot(title, group[0].times, series, false, this.seek, undefined, this.zoom);
      return { plot, curves: group };
    });
    byId("chosen-plot").replaceChildren(...this.chosen.map(({ plot }) => plot.element));
    for (const { plot } of this.chosen) this.start(plot);
  }
}

function listLabels(series: Series[]): string {
  return series.map((one) => one.label).join();
}
