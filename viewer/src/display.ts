// Switches for what is drawn, and the sizes and colours of it.

import type { Bodies, ColourBy } from "./bodies";
import type { ContactColour, Contacts } from "./contacts";
import { byId, make, swatch } from "./dom";
import { kModeColours, rampColour } from "./palette";
import { kModes } from "./run";
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
  span: number,
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
    showLegend(contacts.colourBy);
    changed();
  });
  onSlide("arrow-length", (value) => (contacts.arrowScale = 10 ** value), changed);
  onSlide("trail-length", (value) => (trails.seconds = value * span), changed);
  showLegend(contacts.colourBy);
}

function onSlide(id: string, apply: (value: number) => void, changed: () => void): void {
  const slider = byId<HTMLInputElement>(id);
  slider.addEventListener("input", () => {
    apply(Number(slider.value));
    changed();
  });
}

function showLegend(by: ContactColour): void {
  const items =
    by === "mode"
      ? kModes.map((mode) => [kModeColours[mode], mode])
      : [0, 0.5, 1].map((shade) => [
          `rgb(${rampColour(shade)
            .map((c) => Math.round(255 * c))
            .join()})`,
          ["residual ≤ 1e−16", "1e−11", "≥ 1e−6"][2 * shade],
        ]);
  byId("contact-legend").replaceChildren(
    ...items.map(([colour, label]) => make("li", {}, swatch(colour), label)),
  );
}
