// The column of charts beside the stage.

import { byId, make } from "./dom";
import { seriesColour } from "./palette";
import { Plot } from "./plot";
import type { Run } from "./run";
import { columnSeries, energySeries, quantities, type Series } from "./series";
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

export class Plots {
  private charts: Chart[] = [];
  private chosen: Plot | null = null;
  private readonly list;
  private readonly select = byId<HTMLSelectElement>("quantity");
  private body = 0;
  private time = 0;
  private asked = 0; // counts requests for a body's curve: an answer to an old one is ignored

  constructor(
    private readonly run: Run,
    private readonly seek: (time: number) => void,
  ) {
    this.list = quantities(run);
    this.add("Energy", () => energySeries(run), false);
    this.add("Residual", () => columnSeries(run, ["residual"]), true);
    this.add("Penetration", () => columnSeries(run, ["penetration"]), false, kLeastOverlap);
    this.add("Contacts", () => columnSeries(run, ["num_contacts", "num_active"]), false);
    this.body = run.movers[0] ?? 0;
    this.fillSelect();
    this.select.addEventListener("change", () => this.showChosen());
    this.select.value = String(run.movers.length > 0 ? kQuantityAtFirst : this.list.length - 1);
    this.showChosen();
    onThemeChange(() => [...this.charts.map((c) => c.plot), this.chosen].forEach((p) => p?.draw()));
  }

  setTime(time: number): void {
    this.time = time;
    for (const { plot } of this.charts) plot.setTime(time);
    this.chosen?.setTime(time);
  }

  setBody(body: number): void {
    if (body === this.body) return;
    this.body = body;
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
    this.showChosen();
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
    chart.plot = new Plot(title, this.run.stepTimes, series, log, this.seek, least);
    chart.section.replaceChildren(make("h3", {}, chart.title), chart.plot.element);
    chart.plot.draw();
    chart.plot.setTime(this.time);
  }

  private fillSelect(): void {
    const ofBody = make("optgroup", { label: "Of the selected body" });
    const ofStep = make("optgroup", { label: "Of every step" });
    this.list.forEach((quantity, i) => {
      const text = `${quantity.label} (${quantity.unit || "–"})`;
      const option = make("option", { value: String(i) }, text);
      ("key" in quantity ? ofStep : ofBody).append(option);
    });
    this.select.append(ofBody, ofStep);
  }

  private showChosen(): void {
    const quantity = this.list[Number(this.select.value)];
    if (!quantity) return;
    const asked = ++this.asked;
    if ("key" in quantity)
      return this.drawChosen(
        quantity.label,
        quantity.unit,
        this.run.stepTimes,
        this.run.stepCurve(quantity.key),
      );
    const name = `${this.run.header.bodies[this.body].name} ${quantity.label}`;
    this.run.store.track(this.body, (track) => {
      if (asked === this.asked)
        this.drawChosen(name, quantity.unit, track.times, quantity.ofTrack(track));
    });
  }

  private drawChosen(
    label: string,
    unit: string,
    times: Float64Array,
    values: ArrayLike<number>,
  ): void {
    const one = { label, unit, values, colour: seriesColour(0), dashed: false, shown: true };
    this.chosen = new Plot(label, times, [one], false, this.seek);
    byId("chosen-plot").replaceChildren(this.chosen.element);
    this.chosen.draw();
    this.chosen.setTime(this.time);
  }
}

function listLabels(series: Series[]): string {
  return series.map((one) => one.label).join();
}
