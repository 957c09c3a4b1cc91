// Small helpers for the page. Text always goes in as text, never as markup.

import type { Mode } from "./frames";

// Marks of contacts on the stage: their modes, and what else has a mark.
export type Sign = Mode | "joint stop" | "joint friction" | "centre of pressure";

export function byId<T extends HTMLElement = HTMLElement>(id: string): T {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no #${id}`);
  return element as T;
}

type Child = Node | string;

export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Record<string, string> = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

export function swatch(colour: string): HTMLElement {
  const dot = make("span", { class: "swatch", "aria-hidden": "true" });
  dot.style.background = colour;
  return dot;
}

// The sign of a contact's mode as it is on the stage: see contact_shaders.ts.
const kSignPaths: Record<Sign, string> = {
  separating: "M8 3a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM8 6.2a1.8 1.8 0 1 0 0 3.6a1.8 1.8 0 1 0 0-3.6z",
  sliding: "M8 2.5L14.2 13H1.8z",
  sticking: "M3 3h10v10H3z",
  touching: "M8 2L14 8L8 14L2 8z",
  "joint stop": "M6 2h4v12H6z",
  "joint friction":
    "M8 2a6 6 0 1 1 0 12a6 6 0 1 1 0-12zM8 4a4 4 0 1 0 0 8a4 4 0 1 0 0-8zM8 6a2 2 0 1 1 0 4a2 2 0 1 1 0-4z",
  "centre of pressure": "M7 2h2v5h5v2H9v5H7V9H2V7h5z",
  resting: "M8 2.6a5.4 5.4 0 1 1 0 10.8a5.4 5.4 0 1 1 0-10.8z",
};

export function modeSign(mode: Sign, colour: string): SVGElement {
  const kSpace = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(kSpace, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("class", "sign");
  svg.setAttribute("aria-hidden", "true");
  svg.dataset.mode = mode;
  const path = document.createElementNS(kSpace, "path");
  path.setAttribute("d", kSignPaths[mode]);
  path.setAttribute("fill-rule", "evenodd");
  path.setAttribute("fill", colour);
  svg.append(path);
  return svg;
}
