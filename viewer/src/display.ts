// Switches for what is drawn, and the sizes and colours of it.

import type { Bodies, ColourBy } from "./bodies";
import type { ArrowsShow } from "./arrow_scale";
import type { ContactsAs } from "./contact_arrays";
import type { ContactColour, Contacts } from "./contacts";
import { byId, make, modeSign, type Sign } from "./dom";
import { formatLength, formatNumber } from "./format";
import { kModes } from "./frames";
import { kRampColours, signColours } from "./palette";
import type { Trails } from "./trails";

export const kSwitches = [
  "contacts",
  "normals",
  "cones",
  "slip",
  "trails",
  "see-through",
  "collision",
  "follow",
  "loop",
  "smooth",
  "grid",
] as const;
export type Switch = (typeof kSwitches)[number];

export class Switches {
  private readonly actions = new Map<Switch, (on: boolean) => void>();

  add(name: Switch, action: (on: boolean) => void): void {
    this.actions.set(name, action);
    this.button(name).addEventListener("click", () => this.flip(name));
  }

  flip(name: Switch): void {
    this.set(name, !this.isOn(name));
  }

  isOn(name: Switch): boolean {
    return this.button(name).getAttribute("aria-pressed") === "true";
  }

  set(name: Switch, on: boolean): void {
    this.button(name).setAttribute("aria-pressed", String(on));
    this.actions.get(name)?.(on);
  }

  private button(name: Switch): HTMLElement {
    return byId(`switch-${name}`);
  }
}

export function setUpDisplay(
  bodies: Bodies,
  contacts: Contacts,
  trails: Trails,
  changed: () => void,
): void {
  const colourBodies = byId<HTMLSelectElement>("colour-bodies");
  colourBodies.value = bodies.defaultColouring();
  colourBodies.addEventListener("change", () => {
    bodies.paint(colourBodies.value as ColourBy);
    changed();
  });
  const colourContacts = byId<HTMLSelectElement>("colour-contacts");
  colourContacts.addEventListener("change", () => {
    contacts.colourBy = colourContacts.value as ContactColour;
    showLegend(contacts);
    changed();
  });
  const show = (element: HTMLSelectElement) => {
    if (element.id === "contacts-as") contacts.as = element.value as ContactsAs;
    else contacts.arrowsShow = element.value as ArrowsShow;
    contacts.measure();
    showLegend(contacts);
    changed();
  };
  const arrowsShow = byId<HTMLSelectElement>("arrows-show");
  arrowsShow.value = contacts.arrowsShow;
  for (const element of [arrowsShow, byId<HTMLSelectElement>("contacts-as")])
    element.addEventListener("change", () => show(element));
  onSlide("arrow-length", (value) => contacts.setStretch(10 ** value), changed);
  onSlide("trail-length", (value) => (trails.part = value), changed);
  showLegend(contacts);
}

function onSlide(id: string, apply: (value: number) => void, changed: () => void): void {
  const slider = byId<HTMLInputElement>(id);
  slider.addEventListener("input", () => {
    apply(Number(slider.value));
    changed();
  });
}

// The quantity that an arrow's length shows.
export function showArrowScale(contacts: Contacts): void {
  const { scale, slipScale } = contacts;
  const arrows = `Arrows ${formatLength(scale.length)} = ${formatNumber(scale.amount)} ${contacts.unit}`;
  const slip = `slip ${formatLength(slipScale.length)} = ${formatNumber(slipScale.amount)} m/s`;
  const text = contacts.showSlip ? `${arrows}, ${slip}` : arrows;
  const element = byId("arrow-scale");
  if (element.textContent !== text) element.textContent = text;
}

// Shapes tell the mode, whatever the colours tell.
export function showLegend(contacts: Contacts): void {
  const byResidual = contacts.colourBy === "residual";
  const joints: Sign[] = contacts.joints;
  const signs: Sign[] =
    contacts.as === "pairs" ? ["centre of pressure", ...joints] : [...kModes, ...joints];
  const all: Sign[] = [...kModes, "joint stop", "joint friction", "centre of pressure"];
  const items = signs.map((sign) => {
    const colour = byResidual ? "currentColor" : signColours()[all.indexOf(sign)];
    return make("li", {}, modeSign(sign, colour), sign);
  });
  if (contacts.hasOpen)
    items.push(make("li", {}, make("span", { class: "pale", "aria-hidden": "true" }), "force not unique"));
  if (byResidual) items.push(make("li", {}, "residual 1e−16", makeRamp(), "1e−6"));
  byId("contact-legend").replaceChildren(...items);
}

function makeRamp(): HTMLElement {
  const bar = make("span", { class: "ramp", "aria-hidden": "true" });
  const stops = kRampColours.map((rgb) => `rgb(${rgb.map((c) => Math.round(255 * c)).join()})`);
  bar.style.background = `linear-gradient(to right, ${stops.join()})`;
  return bar;
}
