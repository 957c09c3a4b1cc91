// Several overlaid runs of one scene: the page of `tenpin compare`. The run that the page
// shows is made of all of them; the reference is solid, the others are ghosts.

import type { Material, Mesh } from "three";
import type { Bodies } from "./bodies";
import { byId, make, swatch } from "./dom";
import { formatNumber } from "./format";
import { kSolidLayer } from "./occlusion";
import { Plot } from "./plot";
import type { Run } from "./run";
import type { Series } from "./series";

interface Parting {
  t: number; // s
  body: string;
  distance: number; // m
  situation: string;
  reasons: string[];
}

interface Layer {
  label: string;
  colour: string;
  bodies: number[]; // of the page's run, in the same order in every layer
  status: string;
  message: string;
  t: number; // s   reached
  steps: number;
  energy: number; // J   at the end
  residual: number; // the worst
  penetration: number; // m
  cpu: number; // s
  endDistance: number; // m
  endBody: string;
  distances: number[]; // m   at `times`, as far as the run goes
  energies: number[]; // J
  parting: Parting | null;
}

interface Comparison {
  tolerance: number; // m
  times: number[]; // s
  layers: Layer[]; // the reference first
  refused: { label: string; message: string }[];
}

const kGhostOpacity = 0.45;

function comparisonOf(run: Run): Comparison | null {
  return (run.header as { comparison?: Comparison | null }).comparison ?? null;
}

// The layer that each body belongs to; the reference, and what never moves, is 0.
export function layersOfBodies(run: Run): Int32Array {
  const layers = new Int32Array(run.header.bodies.length);
  comparisonOf(run)?.layers.forEach((layer, i) => {
    for (const body of layer.bodies) layers[body] = i;
  });
  return layers;
}

// Makes a batch of bodies as solid as its layer and the page's switch want it. Ghosts stand behind
// the solid bodies that they coincide with.
export function setOpacity(mesh: Mesh, layer: number, seeThrough: boolean): void {
  const material = mesh.material as Material;
  const opacity = (seeThrough ? 0.3 : 1) * (layer > 0 ? kGhostOpacity : 1);
  material.transparent = opacity < 1;
  material.opacity = opacity;
  material.depthWrite = opacity === 1;
  material.polygonOffset = layer > 0;
  material.polygonOffsetFactor = material.polygonOffsetUnits = 2 * layer;
  material.needsUpdate = true;
  mesh.castShadow = opacity === 1;
  if (opacity === 1) mesh.layers.enable(kSolidLayer);
  else mesh.layers.disable(kSolidLayer);
}

// Labels without what all of them share: the settings where the method is the same.
function shorten(labels: string[]): string[] {
  const methods = new Set(labels.map((label) => label.split(":", 1)[0]));
  return labels.map((label) => {
    const [method, ...settings] = label.split(":");
    const words = methods.size > 1 || settings.length === 0 ? [method, ...settings] : settings;
    return words.join(", ");
  });
}

export class ComparePanel {
  private readonly plots: Plot[] = [];
  private readonly times: Float64Array;
  private readonly bodyPlot = make("div");
  private shownBody: Plot | null = null;
  private slot = 0; // which of each layer's bodies
  private axis = 2;
  private time = 0;

  // Nothing on a page of one run.
  static make(run: Run, bodies: Bodies, seek: (time: number) => void, redraw: () => void) {
    const comparison = comparisonOf(run);
    return comparison ? new ComparePanel(run, comparison, bodies, seek, redraw) : null;
  }

  private constructor(
    private readonly run: Run,
    private readonly comparison: Comparison,
    private readonly bodies: Bodies,
    private readonly seek: (time: number) => void,
    private readonly redraw: () => void,
  ) {
    this.times = Float64Array.from(comparison.times);
    const short = shorten(comparison.layers.map((layer) => layer.label));
    comparison.layers.forEach((layer, i) => (layer.label = short[i]));
    byId("summary").replaceChildren(
      make("span", {}, `${comparison.layers.length} overlaid runs`),
      make("span", {}, `the verdict is that of ${short[0]}`),
    );
    const section = make("section", { class: "compare", "aria-label": "Methods" });
    section.append(make("h2", {}, "Methods"), ...comparison.layers.map((_, i) => this.entry(i)));
    for (const { label, message } of comparison.refused)
      section.append(make("p", { class: "hint" }, `${label} refused the scene: ${message}`));
    const reference = comparison.layers[0].label;
    section.append(
      this.addPlot(`Distance from ${reference}`, "m", (layer) => layer.distances, 1),
      this.addPlot("Energy", "J", (layer) => layer.energies, 0),
      this.bodySection(),
      make("p", { class: "hint" }, `Contacts and the curves below are those of ${reference}.`),
    );
    byId("selection").closest("aside")?.prepend(section);
    this.showBody();
  }

  setTime(time: number): void {
    this.time = time;
    for (const plot of this.plots) plot.setTime(time);
    this.shownBody?.setTime(time);
  }

  draw(): void {
    for (const plot of this.plots) plot.draw();
    this.shownBody?.draw();
  }

  private entry(index: number): HTMLElement {
    const layer = this.comparison.layers[index];
    const shown = make(
      "button",
      { type: "button", class: "key", "aria-pressed": "true", title: "Show or hide" },
      swatch(layer.colour),
      make("span", {}, layer.label),
    );
    shown.addEventListener("click", () => {
      const on = shown.getAttribute("aria-pressed") !== "true";
      shown.setAttribute("aria-pressed", String(on));
      this.bodies.setLayerVisible(index, on);
      this.redraw();
    });
    const facts = [
      `${layer.steps.toLocaleString("en")} steps`,
      `${formatNumber(layer.cpu, 2)} s CPU`,
      `energy ${formatNumber(layer.energy, 5)} J`,
      `residual ${formatNumber(layer.residual, 2)}`,
      index > 0 ? `ends ${formatNumber(layer.endDistance, 3)} m apart` : "reference",
    ];
    const entry = make(
      "div",
      { class: "layer" },
      shown,
      make("p", { class: "hint" }, facts.join(" · ")),
    );
    if (index > 0) entry.append(this.partingText(layer));
    if (layer.message)
      entry.append(
        make("p", { class: "hint" }, `${layer.status} at ${formatNumber(layer.t, 6)} s: ${layer.message}`),
      );
    return entry;
  }

  private partingText(layer: Layer): HTMLElement {
    const { parting } = layer;
    const tolerance = formatNumber(this.comparison.tolerance, 3);
    if (!parting) return make("p", { class: "hint" }, `Never diverges by more than ${tolerance} m.`);
    const link = make("button", { type: "button", class: "link" }, `${formatNumber(parting.t, 6)} s`);
    link.addEventListener("click", () => this.seek(parting.t));
    return make(
      "p",
      { class: "hint" },
      "Diverges at ",
      link,
      `: ${parting.body} is ${formatNumber(parting.distance, 3)} m away (${parting.situation}). `,
      parting.reasons.join("; "),
    );
  }

  private series(unit: string, values: (layer: Layer) => ArrayLike<number>, from: number): Series[] {
    return this.comparison.layers.slice(from).map((layer) => ({
      label: layer.label,
      unit,
      values: values(layer),
      colour: layer.colour,
      dashed: false,
      shown: true,
    }));
  }

  private addPlot(
    title: string,
    unit: string,
    values: (layer: Layer) => ArrayLike<number>,
    from: number,
  ): HTMLElement {
    const plot = new Plot(title, this.times, this.series(unit, values, from), false, this.seek);
    this.plots.push(plot);
    return make("section", {}, make("h3", {}, title), plot.element);
  }

  // One coordinate of one body, in every run.
  private bodySection(): HTMLElement {
    const reference = this.comparison.layers[0];
    const body = make("select", { "aria-label": "Body" });
    reference.bodies.forEach((index, slot) =>
      body.append(make("option", { value: String(slot) }, this.run.header.bodies[index].name)),
    );
    const parting = this.comparison.layers.find((layer) => layer.parting)?.parting;
    this.slot = Math.max(
      0,
      reference.bodies.findIndex((index) => this.run.header.bodies[index].name === parting?.body),
    );
    body.value = String(this.slot);
    const axis = make("select", { "aria-label": "Coordinate" });
    ["x", "y", "z"].forEach((name, i) => axis.append(make("option", { value: String(i) }, name)));
    axis.value = String(this.axis);
    const change = () => {
      [this.slot, this.axis] = [Number(body.value), Number(axis.value)];
      this.showBody();
    };
    body.addEventListener("change", change);
    axis.addEventListener("change", change);
    return make(
      "section",
      {},
      make("div", { class: "row" }, make("h3", {}, "Position of"), body, axis),
      this.bodyPlot,
    );
  }

  private showBody(): void {
    const pose = new Float32Array(7);
    const curve = (layer: Layer) =>
      Float64Array.from(this.run.frameTimes, (_, frame) => {
        this.run.calcPose(layer.bodies[this.slot], frame, 0, pose);
        return pose[this.axis];
      });
    const hasBody = this.comparison.layers[0].bodies.length > 0;
    const title = `Position ${"xyz"[this.axis]}`;
    this.shownBody = new Plot(
      title,
      this.run.frameTimes,
      hasBody ? this.series("m", curve, 0) : [],
      false,
      this.seek,
    );
    this.bodyPlot.replaceChildren(this.shownBody.element);
    this.shownBody.draw();
    this.shownBody.setTime(this.time);
  }
}
