// The page as a whole: one selection, one clock, and everything that follows from them.

import { Vector3 } from "three";
import { Bodies } from "./bodies";
import { Contacts } from "./contacts";
import { Switches, setUpDisplay } from "./display";
import { byId } from "./dom";
import { calcRegion } from "./framing";
import { Ground } from "./ground";
import { Inspector } from "./inspector";
import { listenToKeys, showKeys, type Key } from "./keyboard";
import { Picking, type Selection } from "./picking";
import { Playback } from "./playback";
import { Plots } from "./plots";
import { PageState } from "./page_state";
import type { Run } from "./run";
import { Stage } from "./stage";
import { showSummary } from "./summary";
import { onThemeChange } from "./theme";
import { Trails } from "./trails";
import { Transport } from "./transport";

export class App {
  readonly playback: Playback;
  readonly bodies: Bodies;
  readonly contacts: Contacts;
  readonly stage: Stage;
  readonly picking: Picking;
  selection: Selection = null;

  private readonly ground: Ground;
  private readonly trails: Trails;
  private readonly plots: Plots;
  private readonly transport: Transport;
  private readonly inspector: Inspector;
  private readonly switches = new Switches();
  private stale = true;
  private followed = new Vector3();

  constructor(readonly run: Run) {
    const seek = (time: number) => {
      this.playback.playing = false;
      this.playback.setTime(time);
    };
    this.playback = new Playback(run, () => (this.stale = true));
    this.stage = new Stage(byId<HTMLCanvasElement>("canvas"), calcRegion(run));
    this.bodies = new Bodies(run);
    this.ground = new Ground(run, this.stage.centre, this.stage.radius);
    this.contacts = new Contacts(run, this.stage.radius);
    this.trails = new Trails(run, this.bodies, this.stage.renderer);
    this.stage.scene.add(this.ground.group, this.bodies.group, this.contacts.group);
    this.picking = new Picking(this.stage, this.bodies, this.contacts, this.ground);
    this.transport = new Transport(run, this.playback);
    this.inspector = new Inspector(run, this.bodies, (selection) => this.select(selection));
    this.plots = new Plots(run, seek);
    showSummary(run, seek);
  }

  start(): void {
    const redraw = () => (this.stale = true);
    onThemeChange((theme) => {
      this.ground.applyTheme(theme);
      this.stage.touch();
    });
    this.picking.onClick((selection) => this.select(selection));
    this.stage.controls.addEventListener("change", redraw);
    setUpDisplay(
      this.bodies,
      this.contacts,
      this.trails,
      this.run.endTime - this.run.startTime,
      redraw,
    );
    this.setUpSwitches();
    this.setUpKeys();
    this.refresh();
    window.tenpin = new PageState(this);
    let last = performance.now();
    const loop = (now: number) => {
      this.playback.tick(Math.min(0.1, (now - last) / 1000));
      last = now;
      this.refresh();
      requestAnimationFrame(loop);
    };
    requestAnimationFrame(loop);
  }

  select(selection: Selection): void {
    this.selection = selection;
    const body = selection?.kind === "body" ? selection.body : -1;
    this.bodies.select(body);
    if (body >= 0) {
      this.plots.setBody(body);
      this.followed.fromArray(this.bodies.pose(body));
    } else if (this.switches.isOn("follow")) this.switches.set("follow", false);
    if (this.trails.visible) this.rebuildTrails();
    this.stale = true;
  }

  // Brings everything in line with the clock and the selection.
  refresh(): void {
    if (this.stale) this.update();
    this.stage.render();
  }

  private update(): void {
    this.stale = false;
    const { frame, fraction, time } = this.playback;
    this.bodies.update(frame, fraction);
    this.follow();
    this.contacts.update(frame, this.stage.camera);
    this.trails.update(frame);
    this.keepContact(frame);
    this.inspector.show(this.selection, frame);
    this.transport.update();
    this.plots.setTime(time);
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
  private keepContact(frame: number): void {
    if (this.selection?.kind !== "contact") return;
    const { run } = this;
    const old = this.selection.contact;
    const [begin, end] = run.contactRange(frame);
    if (old >= begin && old < end) return;
    let best = -1;
    let least = Infinity;
    for (let c = begin; c < end; ++c) {
      if (
        run.contactBody[2 * c] !== run.contactBody[2 * old] ||
        run.contactBody[2 * c + 1] !== run.contactBody[2 * old + 1]
      )
        continue;
      const away = Math.hypot(
        ...[0, 1, 2].map((i) => run.contactPosition[3 * c + i] - run.contactPosition[3 * old + i]),
      );
      if (away < least) [best, least] = [c, away];
    }
    this.selection = best < 0 ? null : { kind: "contact", contact: best };
  }

  private rebuildTrails(): void {
    const old = this.trails.mesh;
    this.trails.rebuild(this.selection?.kind === "body" ? this.selection.body : -1);
    if (old && old !== this.trails.mesh) this.stage.scene.remove(old);
    if (this.trails.mesh) this.stage.scene.add(this.trails.mesh);
  }

  private setUpSwitches(): void {
    const add = (name: Parameters<Switches["add"]>[0], action: (on: boolean) => void) =>
      this.switches.add(name, (on) => {
        action(on);
        this.stale = true;
      });
    add("contacts", (on) => {
      this.contacts.group.visible = on;
      byId("contact-legend").hidden = !on;
    });
    add("normals", (on) => (this.contacts.showNormals = on));
    add("see-through", (on) => this.bodies.setSeeThrough(on));
    add("loop", (on) => (this.playback.loop = on));
    add("smooth", (on) => (this.playback.interpolate = on));
    add("trails", (on) => {
      this.trails.visible = on;
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

  private setUpKeys(): void {
    const { playback, switches, stage } = this;
    const help = byId<HTMLDialogElement>("help-dialog");
    const keys: Key[] = [
      { keys: [" "], shown: "Space", does: "play or pause", run: () => playback.toggle() },
      { keys: ["ArrowLeft"], shown: "←", does: "one frame back", run: () => playback.stepBy(-1) },
      { keys: ["ArrowRight"], shown: "→", does: "one frame on", run: () => playback.stepBy(1) },
      {
        keys: ["Shift+ArrowLeft"],
        shown: "Shift ←",
        does: "ten frames back",
        run: () => playback.stepBy(-10),
      },
      {
        keys: ["Shift+ArrowRight"],
        shown: "Shift →",
        does: "ten frames on",
        run: () => playback.stepBy(10),
      },
      { keys: ["Home"], shown: "Home", does: "to the start", run: () => playback.setFrame(0) },
      {
        keys: ["End"],
        shown: "End",
        does: "to the end",
        run: () => playback.setFrame(this.run.numFrames),
      },
      { keys: ["+", "="], shown: "+", does: "faster", run: () => playback.changeSpeed(1) },
      { keys: ["-"], shown: "−", does: "slower", run: () => playback.changeSpeed(-1) },
      { keys: ["l"], shown: "L", does: "loop", run: () => switches.flip("loop") },
      { keys: ["c"], shown: "C", does: "contacts", run: () => switches.flip("contacts") },
      { keys: ["n"], shown: "N", does: "contact normals", run: () => switches.flip("normals") },
      { keys: ["t"], shown: "T", does: "trails", run: () => switches.flip("trails") },
      {
        keys: ["x"],
        shown: "X",
        does: "see through bodies",
        run: () => switches.flip("see-through"),
      },
      {
        keys: ["f"],
        shown: "F",
        does: "follow the selected body",
        run: () => switches.flip("follow"),
      },
      { keys: ["]"], shown: "]", does: "select the next body", run: () => this.selectBy(1) },
      { keys: ["["], shown: "[", does: "select the one before", run: () => this.selectBy(-1) },
      {
        keys: ["a", "d"],
        shown: "A D",
        does: "turn the camera",
        run: (key) => stage.orbit(key === "a" ? -0.1 : 0.1, 0, 1),
      },
      {
        keys: ["w", "s"],
        shown: "W S",
        does: "raise or lower it",
        run: (key) => stage.orbit(0, key === "w" ? 0.08 : -0.08, 1),
      },
      {
        keys: ["q", "e"],
        shown: "Q E",
        does: "zoom in or out",
        run: (key) => stage.orbit(0, 0, key === "q" ? 0.9 : 1 / 0.9),
      },
      { keys: ["0"], shown: "0", does: "see everything", run: () => stage.frameAll() },
      { keys: ["Escape"], shown: "Esc", does: "select nothing", run: () => this.select(null) },
      { keys: ["?"], shown: "?", does: "this help", run: () => help.showModal() },
    ];
    showKeys(keys);
    listenToKeys(keys);
  }

  private selectBy(step: number): void {
    const count = this.run.numBodies;
    const from = this.selection?.kind === "body" ? this.selection.body : step > 0 ? -1 : count;
    this.select({ kind: "body", body: (from + step + count) % count });
  }
}
