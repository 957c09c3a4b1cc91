// Switches for what is drawn, and the sizes and colours of it.

import type { Bodies, ColourBy } from "./bodies";
import type { ContactColour, Contacts } from "./contacts";
import { byId, make, modeSign } from "./dom";
import { kModes } from "./frames";
import { kModeColours, kRampColours } from "./palette";
import type { Trails } from "./trails";

export type Switch =
  "contacts" | "normals" | "trails" | "see-through" | "follow" | "loop" | "smooth";

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
    const by = colourContacts.value as ContactColour;
    contacts.colourBy = by;
    showLegend(by);
    changed();
  });
  onSlide("arrow-length", (value) => contacts.setArrowScale(10 ** value), changed);
  onSlide("trail-length", (value) => (trails.part = value), changed);
  showLegend("mode");
}

function onSlide(id: string, apply: (value: number) => void, changed: () => void): void {
  const slider = byId<HTMLInputElement>(id);
  slider.addEventListener("input", () => {
    apply(Number(slider.value));
    changed();
  });
}

// Shapes tell the mode, whatever the colours tell.
function showLegend(by: ContactColour): void {
  const plain = "currentColor";
  const items = kModes.map((mode) =>
    make("li", {}, modeSign(mode, by === "mode" ? kModeColours[mode] : plain), mode),
  );
  if (by === "residual") items.push(make("li", {}, "residual 1e−16", makeRamp(), "1e−6"));
  byId("contact-legend").replaceChildren(...items);
}

function makeRamp(): HTMLElement {
  const bar = make("span", { class: "ramp", "aria-hidden": "true" });
  const stops = kRampColours.map((rgb) => `rgb(${rgb.map((c) => Math.round(255 * c)).join()})`);
  bar.style.background = `linear-gradient(to right, ${stops.join()})`;
  return bar;
}
