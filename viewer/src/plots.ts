// The column of charts beside the stage.

import { byId, make } from "./dom";
import { seriesColour } from "./palette";
import { Plot } from "./plot";
import type { Run } from "./run";
import { columnSeries, energySeries, quantities } from "./series";
import { onThemeChange } from "./theme";

export class Plots {
  private readonly fixed: Plot[] = [];
  private chosen: Plot | null = null;
  private readonly list;
  private readonly select = byId<HTMLSelectElement>("quantity");
  private body = 0;
  private time = 0;

  constructor(
    private readonly run: Run,
    private readonly seek: (time: number) => void,
  ) {
    this.list = quantities(run);
    this.add("Energy", energySeries(run), false);
    this.add("Residual", columnSeries(run, ["residual"]), true);
    this.add("Penetration", columnSeries(run, ["penetration"]), false);
    this.add("Contacts", columnSeries(run, ["num_contacts", "num_active"]), false);
    this.body = run.movers[0] ?? 0;
    this.fillSelect();
    this.select.addEventListener("change", () => this.showChosen());
    this.select.value = String(Math.min(2, this.list.length - 1));
    this.showChosen();
    onThemeChange(() => [...this.fixed, this.chosen].forEach((plot) => plot?.draw()));
  }

  setTime(time: number): void {
    this.time = time;
    for (const plot of this.fixed) plot.setTime(time);
    this.chosen?.setTime(time);
  }

  setBody(body: number): void {
    if (body === this.body) return;
    this.body = body;
    this.showChosen();
  }

  private add(title: string, series: ReturnType<typeof energySeries>, log: boolean): void {
    const plot = new Plot(title, this.run.stepTimes, series, log, this.seek);
    byId("plots").append(make("section", {}, make("h3", {}, title), plot.element));
    this.fixed.push(plot);
  }

  private fillSelect(): void {
    const ofBody = make("optgroup", { label: "Of the selected body" });
    const ofStep = make("optgroup", { label: "Of every step" });
    this.list.forEach((quantity, i) => {
      const option = make(
        "option",
        { value: String(i) },
        `${quantity.label} (${quantity.unit || "–"})`,
      );
      (quantity.ofBody ? ofBody : ofStep).append(option);
    });
    this.select.append(ofBody, ofStep);
  }

  private showChosen(): void {
    const quantity = this.list[Number(this.select.value)];
    if (!quantity) return;
    const name = quantity.ofBody ? `${this.run.header.bodies[this.body].name} ` : "";
    this.chosen = new Plot(
      name + quantity.label,
      quantity.times(this.run),
      [
        {
          label: name + quantity.label,
          unit: quantity.unit,
          values: quantity.read(this.run, this.body),
          colour: seriesColour(0),
          dashed: false,
          shown: true,
        },
      ],
      false,
      this.seek,
    );
    byId("chosen-plot").replaceChildren(this.chosen.element);
    this.chosen.draw();
    this.chosen.setTime(this.time);
  }
}
