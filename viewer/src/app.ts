// The page as a whole: one selection, one clock, and everything that follows from them.

import { Vector3 } from "three";
import { Address, PageAddress, type ViewPlace } from "./address";
import { Bodies } from "./bodies";
import { setUpCard } from "./card";
import { ComparePanel } from "./compare";
import { Contacts } from "./contacts";
import { Switches, setUpDisplay, showArrowScale, showLegend } from "./display";
import { byId } from "./dom";
import { setUpExport } from "./exporting";
import { calcBodySize, calcFrameBox, calcRegion } from "./framing";
import type { Contact } from "./frames";
import { Ground } from "./ground";
import { Inspector } from "./inspector";
import { setUpKeys } from "./keys";
import { Markers } from "./markers";
import type { LiveLink } from "./live";
import { PageState } from "./page_state";
import { Picking, type Selection } from "./picking";
import { Playback } from "./playback";
import { Plots } from "./plots";
import type { Run } from "./run";
import { Stage } from "./stage";
import { showSummary } from "./summary";
import { onThemeChange } from "./theme";
import { Trails } from "./trails";
import { BodyTree } from "./tree";
import { Transport } from "./transport";

export class App {
  readonly playback: Playback;
  readonly bodies: Bodies;
  readonly contacts: Contacts;
  readonly stage: Stage;
  readonly picking: Picking;
  readonly switches = new Switches();
  selection: Selection = null;
  shownFrame = 0; // whose bodies are on the stage

  private readonly ground: Ground;
  private readonly trails: Trails;
  readonly plots: Plots;
  readonly markers: Markers;
  private readonly tree: BodyTree;
  private readonly compare: ComparePanel | null;
  private readonly transport: Transport;
  private readonly inspector: Inspector;
  private held: Contact | null = null; // the selected contact, as it was in the frame shown last
  private stale = true;
  private followed = new Vector3();
  address: Address | null = null; // once the page has started
  private readonly life = new AbortController();
  readonly ended = this.life.signal; // tells listeners outside of the viewer's elements to stop

  constructor(
    readonly run: Run,
    private readonly place: ViewPlace = new PageAddress(),
  ) {
    this.playback = new Playback(run, () => this.redraw());
    const canvas = byId<HTMLCanvasElement>("canvas");
    this.stage = new Stage(canvas, calcRegion(run), run.numBodies, this.ended);
    this.bodies = new Bodies(run);
    this.ground = new Ground(run);
    this.ground.build(this.stage.shownRegion);
    this.stage.bodySize = calcBodySize(run);
    this.contacts = new Contacts(run, this.stage.radius, this.stage.bodySize, (body) =>
      this.bodies.pose(body),
    );
    this.trails = new Trails(run, this.bodies, this.stage.renderer, () => this.redraw());
    this.stage.scene.add(this.ground.group, this.bodies.group);
    this.stage.signs.add(this.ground.axes, this.contacts.group, this.trails.mesh);
    this.picking = new Picking(this.stage, this.bodies, this.contacts, this.ground);
    this.transport = new Transport(run, this.playback);
    this.inspector = new Inspector(
      run,
      this.bodies,
      this.contacts,
      this.stage.radius,
      (selection) => this.select(selection),
      (body) => this.mark(body),
    );
    this.plots = new Plots(run, this.seek, this.ended);
    this.tree = new BodyTree(run, (body) => this.select({ kind: "body", body }));
    const paths = new Trails(run, this.bodies, this.stage.renderer, () => this.redraw());
    paths.part = 1;
    const dotSize = 0.035 * this.stage.bodySize;
    this.markers = new Markers(run, this.bodies, paths, dotSize, () => this.redraw());
    this.stage.signs.add(paths.mesh, this.markers.group);
    setUpCard(run, this.seek);
    showSummary(run, this.seek);
    this.compare = ComparePanel.make(run, this.bodies, this.seek, () => this.redraw());
  }

  start(link?: LiveLink): void {
    onThemeChange((theme) => {
      this.ground.applyTheme(theme);
      this.contacts.paint();
      showLegend(this.contacts);
      this.stage.touch();
    }, this.ended);
    this.picking.onClick((selection) => this.select(selection));
    this.stage.controls.addEventListener("change", () => this.redraw());
    setUpDisplay(this.bodies, this.contacts, this.trails, () => this.redraw());
    this.setUpSwitches();
    setUpKeys(this);
    setUpExport(this);
    this.refresh();
    window.tenpin = new PageState(this);
    const address = new Address(this, this.place);
    this.address = address;
    let last = performance.now();
    const loop = (now: number) => {
      if (this.ended.aborted) return;
      this.playback.tick(Math.min(0.1, (now - last) / 1000));
      last = now;
      link?.tick(this.playback.frame);
      this.refresh();
      address.tick(now);
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  // Ends the app, so that another one can show another run: everything outside of the viewer's
  // elements is let go; the elements themselves are the caller's to replace. The view is in `place`.
  stop(): void {
    if (this.address) this.place.write(this.address.make());
    this.playback.playing = false;
    this.life.abort();
  }

  redraw(): void {
    this.stale = true;
  }

  select(selection: Selection): void {
    this.selection = selection;
    this.held = selection?.kind === "contact" ? this.contacts.contact(selection.contact) : null;
    const body = selection?.kind === "body" ? selection.body : -1;
    this.bodies.select(body);
    this.tree.select(body);
    const held = this.held;
    this.plots.setSelection(selection, held ? [held.bodyA, held.bodyB] : null);
    if (body >= 0) {
      this.followed.fromArray(this.bodies.pose(body));
    } else if (this.switches.isOn("follow")) this.switches.set("follow", false);
    if (this.trails.mesh.visible) this.rebuildTrails();
    this.redraw();
  }

  selectBodyBy(step: number): void {
    const count = this.run.numBodies;
    const from = this.selection?.kind === "body" ? this.selection.body : step > 0 ? -1 : count;
    this.select({ kind: "body", body: (from + step + count) % count });
  }

  selectContactBy(step: number): void {
    const count = this.contacts.numContacts;
    if (count === 0) return;
    const from =
      this.selection?.kind === "contact" ? this.selection.contact : step > 0 ? -1 : count;
    this.select({ kind: "contact", contact: (from + step + count) % count });
  }

  // Fixes a marker where the body was clicked last, or to its origin.
  mark(body: number): void {
    const clicked = this.picking.lastHit;
    const origin = new Vector3().fromArray(this.bodies.pose(body));
    this.markers.add(body, clicked?.body === body ? clicked.point : origin);
    this.redraw();
  }

  // Brings everything in line with the clock and the selection.
  refresh(): void {
    if (this.stale) this.update();
    this.stage.render();
  }

  // The run has more frames, or has ended.
  takeNews(): void {
    showSummary(this.run, this.seek);
    const last = this.shownFrame;
    if (this.run.store.block(last)) this.widen(last);
    this.redraw();
  }

  takeCurves(): void {
    this.plots.refresh();
    if (this.trails.mesh.visible) this.rebuildTrails();
  }

  private readonly seek = (time: number): void => {
    this.playback.playing = false;
    this.playback.setTime(time);
  };

  private update(): void {
    this.stale = false;
    const { frame, fraction, time } = this.playback;
    const block = this.run.store.block(frame);
    if (block) {
      this.shownFrame = frame;
      this.bodies.update(frame, fraction);
      this.follow();
      this.contacts.update(frame, block, this.stage.width, this.stage.height);
      showArrowScale(this.contacts);
      this.keepContact();
      this.inspector.show(this.selection, frame);
    } else this.redraw(); // until it is here
    if (this.trails.mesh.visible) this.trails.update(time);
    if (this.markers.count > 0) this.markers.update(time);
    this.transport.update();
    this.plots.setTime(time);
    this.compare?.setTime(time);
    this.stage.touch();
  }

  private follow(): void {
    if (!this.switches.isOn("follow") || this.selection?.kind !== "body") return;
    const now = new Vector3().fromArray(this.bodies.pose(this.selection.body));
    this.stage.shift(now.clone().sub(this.followed));
    this.followed = now;
  }

  // A contact's number differs from frame to frame: the selection goes on to the nearest contact of
  // the same two bodies, and ends when there is none.
  private keepContact(): void {
    const { held, contacts } = this;
    if (this.selection?.kind !== "contact" || !held) return;
    let best = -1;
    let least = Infinity;
    for (let c = 0; c < contacts.numContacts; ++c) {
      const other = contacts.contact(c);
      if (other.bodyA !== held.bodyA || other.bodyB !== held.bodyB) continue;
      const away = Math.hypot(...[0, 1, 2].map((i) => other.position[i] - held.position[i]));
      if (away < least) [best, least] = [c, away];
    }
    this.selection = best < 0 ? null : { kind: "contact", contact: best };
    this.held = best < 0 ? null : contacts.contact(best);
  }

  // Bodies of a growing run may leave the region that was known at its start.
  private widen(frame: number): void {
    const region = this.stage.shownRegion;
    const box = calcFrameBox(this.run, frame);
    if (box.isEmpty() || region.containsBox(box)) return;
    const wider = region.clone().union(box);
    wider.expandByScalar(0.1 * wider.getSize(new Vector3()).length());
    this.stage.setRegion(wider);
    this.ground.build(this.stage.shownRegion);
    this.contacts.measure(this.stage.radius);
  }

  private rebuildTrails(): void {
    this.trails.rebuild(this.selection?.kind === "body" ? this.selection.body : -1);
    this.redraw();
  }

  private setUpSwitches(): void {
    const add = (name: Parameters<Switches["add"]>[0], action: (on: boolean) => void) =>
      this.switches.add(name, (on) => {
        action(on);
        this.redraw();
      });
    add("contacts", (on) => {
      this.contacts.group.visible = on;
      byId("contact-legend").hidden = !on;
    });
    add("normals", (on) => (this.contacts.showNormals = on));
    add("cones", (on) => (this.contacts.showCones = on));
    add("slip", (on) => (this.contacts.showSlip = on));
    add("see-through", (on) => {
      this.bodies.setSeeThrough(on);
      this.contacts.setSeeThrough(on);
      this.stage.isSolid = !on;
    });
    add("collision", (on) => this.bodies.setCollisionVisible(on));
    byId("switch-collision").hidden = !this.run.hasCollisionShapes;
    add("grid", (on) => this.ground.setGrid(on));
    add("loop", (on) => (this.playback.loop = on));
    add("smooth", (on) => (this.playback.interpolate = on));
    add("trails", (on) => {
      this.trails.mesh.visible = on;
      if (on) this.rebuildTrails();
    });
    add("follow", (on) => {
      if (!on) return;
      if (this.selection?.kind !== "body")
        this.select({ kind: "body", body: this.run.movers[0] ?? 0 });
      const selection = this.selection;
      if (selection?.kind !== "body") return;
      this.followed.fromArray(this.bodies.pose(selection.body));
      this.stage.shift(this.followed.clone().sub(this.stage.controls.target));
    });
    byId("frame-all").addEventListener("click", () => this.stage.frameAll());
    byId("help-dialog").addEventListener("close", () => byId("canvas").focus());
    byId("help").addEventListener("click", () =>
      byId<HTMLDialogElement>("help-dialog").showModal(),
    );
  }
}
