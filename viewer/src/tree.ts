// The bodies as a tree: what hangs from what, by which joint. Built when it is first opened.

import { byId, make } from "./dom";
import type { Run } from "./run";

const kMostRows = 2000; // the search field finds the others

export class BodyTree {
  private readonly rows = new Map<number, HTMLElement>();
  private selected = -1;

  constructor(
    private readonly run: Run,
    private readonly choose: (body: number) => void,
  ) {
    const panel = byId<HTMLDetailsElement>("tree");
    byId("tree-count").textContent = String(run.numBodies);
    panel.addEventListener("toggle", () => {
      if (panel.open && this.rows.size === 0) this.build();
    });
  }

  select(body: number): void {
    this.rows.get(this.selected)?.setAttribute("aria-pressed", "false");
    this.selected = body;
    const row = this.rows.get(body);
    row?.setAttribute("aria-pressed", "true");
    row?.scrollIntoView({ block: "nearest" });
  }

  private build(): void {
    const { bodies } = this.run.header;
    const children = new Map<number, number[]>();
    bodies.slice(0, kMostRows).forEach(({ parent }, body) => {
      const siblings = children.get(parent);
      if (siblings) siblings.push(body);
      else children.set(parent, [body]);
    });
    const list = (parent: number): HTMLElement =>
      make(
        "ul",
        {},
        ...(children.get(parent) ?? []).map((body) =>
          make("li", {}, this.makeRow(body), ...(children.has(body) ? [list(body)] : [])),
        ),
      );
    const panel = byId("tree-list");
    panel.replaceChildren(list(-1));
    if (bodies.length > kMostRows)
      panel.append(
        make("p", { class: "hint" }, `And ${bodies.length - kMostRows} more: type a name above.`),
      );
    this.select(this.selected);
  }

  private makeRow(body: number): HTMLElement {
    const { name, joint } = this.run.header.bodies[body];
    const row = make(
      "button",
      { type: "button", class: "row-button", "aria-pressed": "false" },
      make("span", {}, name),
      make("span", { class: "unit" }, joint),
    );
    row.addEventListener("click", () => this.choose(body));
    this.rows.set(body, row);
    return row;
  }
}
