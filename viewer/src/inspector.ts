// The values of whatever is selected, at the time shown.

import { byId, make, modeSign, swatch } from "./dom";
import type { Bodies } from "./bodies";
import { formatNumber, formatVector } from "./format";
import { modeColour } from "./palette";
import type { Selection } from "./picking";
import type { Contacts } from "./contacts";
import type { Contact } from "./frames";
import type { Run } from "./run";

const kMostNames = 2000; // in the list that helps typing

export class Inspector {
  private readonly panel = byId("selection");
  private shown = "";

  constructor(
    private readonly run: Run,
    private readonly bodies: Bodies,
    private readonly contacts: Contacts,
    private readonly size: number, // m   of the scene
    private readonly choose: (selection: Selection) => void,
    private readonly mark: (body: number) => void,
  ) {
    this.setUpSearch();
  }

  // The panel is rebuilt only when it would change, so that its links keep the focus. The contacts
  // are those of the frame.
  show(selection: Selection, frame: number): void {
    const state = JSON.stringify([selection, selection || this.run.header.loops.length ? frame : 0]);
    if (state === this.shown) return;
    this.shown = state;
    if (!selection) {
      this.panel.replaceChildren(
        make(
          "p",
          { class: "hint" },
          "Click a body or a contact, or type a name, to see its values here.",
        ),
        ...this.makeLoopTable(),
      );
    } else if (selection.kind === "body") this.showBody(selection.body, frame);
    else this.showContact(this.contacts.contact(selection.contact));
  }

  private showBody(index: number, frame: number): void {
    const body = this.run.header.bodies[index];
    const pose = this.bodies.pose(index);
    const twist = this.run.twist(index, frame);
    const colour = `#${this.bodies.colours[index].getHexString()}`;
    const rows: [string, string][] = [
      ["joint", this.describeJoint(index)],
      ["material", this.run.header.materials[body.material] ?? ""],
      ["position", `${formatVector(pose.subarray(0, 3), 4, this.size)} m`],
    ];
    if (body.mass > 0) rows.splice(2, 0, ["mass", `${formatNumber(body.mass)} kg`]);
    if (twist && this.run.slotOfBody[index] >= 0) {
      rows.push(
        ["velocity", `${formatVector(twist.subarray(0, 3))} m/s`],
        ["speed", `${formatNumber(Math.hypot(twist[0], twist[1], twist[2]), 3)} m/s`],
        ["spin", `${formatNumber(Math.hypot(twist[3], twist[4], twist[5]), 3)} rad/s`],
      );
    }
    rows.push(...this.jointRows(index));
    rows.push(...this.touchRows(index));
    const nodes: Node[] = [make("h3", {}, swatch(colour), body.name), makeTable(rows)];
    if (this.run.slotOfBody[index] >= 0) {
      const mark = make(
        "button",
        { type: "button", class: "link", title: "A point of the body that draws its path" },
        "Mark the clicked point",
      );
      mark.addEventListener("click", () => this.mark(index));
      nodes.push(mark);
    }
    this.panel.replaceChildren(...nodes);
  }

  private describeJoint(index: number): string {
    const { joint, parent } = this.run.header.bodies[index];
    return parent < 0 ? joint : `${joint} on ${this.run.header.bodies[parent].name}`;
  }

  // What its contacts do to a body, summed.
  private touchRows(body: number): [string, string][] {
    const sum = [0, 0, 0];
    let count = 0;
    let duration = 0;
    for (let c = 0; c < this.contacts.numContacts; ++c) {
      const { bodyA, bodyB, impulse, duration: acted } = this.contacts.contact(c);
      const sign = bodyB === body ? 1 : bodyA === body ? -1 : 0;
      if (sign === 0) continue;
      ++count;
      duration = acted;
      for (let i = 0; i < 3; ++i) sum[i] += sign * impulse[i];
    }
    const rows: [string, string][] = [["contacts", String(count)]];
    if (count > 0) {
      rows.push(["contact impulse", `${formatVector(sum)} N s`]);
      if (duration > 0)
        rows.push(["contact force", `${formatVector(sum.map((p) => p / duration))} N`]);
    }
    return rows;
  }

  // Reaction of a body's joint.
  private jointRows(body: number): [string, string][] {
    const reaction = this.contacts.reactions.find((r) => r.of === body);
    if (!reaction) return [];
    const unit = this.run.header.bodies[body].joint === "slider" ? "N" : "N m";
    const rows: [string, string][] = [
      ["joint force", `${formatVector(reaction.force)} N`],
      ["joint impulse", `${formatVector(reaction.impulse)} N s`],
      ["joint torque", `${formatVector(reaction.torque)} N m`],
    ];
    if (reaction.drive !== 0) rows.push(["drive", `${formatNumber(reaction.drive)} ${unit}`]);
    if (reaction.stop !== 0) rows.push(["stop", `${formatNumber(reaction.stop)} ${unit}`]);
    return rows;
  }

  // Reactions of loops, if there are any.
  private makeLoopTable(): Node[] {
    const rows = this.contacts.reactions
      .filter((r) => r.of < 0)
      .map((r): [string, string] => [
        `loop ${this.run.header.loops[-1 - r.of]}`,
        `${formatVector(r.force)} N · ${formatVector(r.impulse)} N s, ${formatVector(r.torque)} N m`,
      ]);
    return rows.length > 0 ? [makeTable(rows)] : [];
  }

  private showContact(contact: Contact): void {
    if (contact.kind !== "surface") return this.showJointContact(contact);
    const normal = contact.normal;
    const along = normal.reduce((sum, n, i) => sum + n * contact.impulse[i], 0);
    const across = Math.hypot(...contact.impulse.map((p, i) => p - along * normal[i]));
    const size = Math.hypot(...contact.impulse);
    const rows: [string, string | Node][] = [
      ["mode", make("span", {}, modeSign(contact.mode, modeColour(contact.mode)), contact.mode)],
      ["normal impulse", this.describeImpulse(along, size)],
      ["friction", this.describeImpulse(across, size)],
      ["friction / normal", along > 0 ? formatNumber(across / along, 4, 1) : "–"],
      ["impulse on b", `${formatVector(contact.impulse)} N s`],
      ...(contact.isOpen ? [["force", "not unique: others give the same motion"] as [string, string]] : []),
      ["gap", `${formatNumber(contact.gap)} m`],
      ["slip", `${formatNumber(contact.slip)} m/s`],
      ["residual", formatNumber(contact.residual, 3)],
      ["normal work", `${formatNumber(contact.normalWork)} J`],
      ["friction work", `${formatNumber(contact.frictionWork)} J`],
      ["position", `${formatVector(contact.position, 4)} m`],
      ["normal a → b", formatVector(normal)],
    ];
    this.panel.replaceChildren(
      make(
        "h3",
        {},
        "Contact of ",
        this.makeBodyLink(contact.bodyA),
        " (a) and ",
        this.makeBodyLink(contact.bodyB),
        " (b)",
      ),
      makeTable(rows),
    );
  }

  // The force is the mean over the step.
  private describeImpulse(impulse: number, scale: number): string {
    const text = `${formatNumber(impulse, 4, scale)} N s`;
    const { duration } = this.contacts;
    return duration > 0 ? `${text} · ${formatNumber(impulse / duration, 4, scale / duration)} N` : text;
  }

  // Force of a joint's stop or dry friction along its coordinate.
  private showJointContact(contact: Contact): void {
    const body = this.run.header.bodies[contact.bodyB];
    const [impulse, gap] = body.joint === "slider" ? ["N s", "m"] : ["N m s", "rad"];
    const sign = contact.kind === "joint stop" ? "joint stop" : "joint friction";
    const rows: [string, string | Node][] = [
      ["joint", this.describeJoint(contact.bodyB)],
      ["impulse", `${formatVector(contact.impulse)} ${impulse}`],
      ["friction work", `${formatNumber(contact.frictionWork)} J`],
      ["residual", formatNumber(contact.residual, 3)],
    ];
    if (sign === "joint stop") rows.splice(2, 0, ["distance to stop", `${formatNumber(contact.gap)} ${gap}`]);
    this.panel.replaceChildren(
      make("h3", {}, sign === "joint stop" ? "Stop of " : "Friction in the joint of ", this.makeBodyLink(contact.bodyB)),
      makeTable(rows),
    );
  }

  private makeBodyLink(body: number): HTMLElement {
    const link = make(
      "button",
      { type: "button", class: "link" },
      this.run.header.bodies[body].name,
    );
    link.addEventListener("click", () => this.choose({ kind: "body", body }));
    return link;
  }

  private setUpSearch(): void {
    const input = byId<HTMLInputElement>("find");
    const { bodies } = this.run.header;
    byId("names").append(
      ...bodies.slice(0, kMostNames).map((b) => make("option", { value: b.name })),
    );
    input.addEventListener("change", () => {
      const body = bodies.findIndex((candidate) => candidate.name === input.value.trim());
      input.setCustomValidity(body < 0 && input.value ? "No body has this name" : "");
      input.reportValidity();
      if (body >= 0) this.choose({ kind: "body", body });
    });
  }
}

function makeTable(rows: [string, string | Node][]): HTMLElement {
  const list = make("dl");
  for (const [name, value] of rows) list.append(make("dt", {}, name), make("dd", {}, value));
  return list;
}
