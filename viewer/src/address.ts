// Keeps the view outside of the page's memory, usually in its address: a link shows the same moment
// from the same place.

import type { App } from "./app";
import { kSwitches, type Switch } from "./display";

const kInterval = 500; // ms   browsers refuse addresses that change too often

// Where the view is kept, as words like "t=1.5&body=ball".
export interface ViewPlace {
  read(): string;
  write(words: string): void;
  link(words: string): string;
  onChange(changed: () => void, signal: AbortSignal): void; // by the reader
}

// The part of the page's address after "#".
export class PageAddress implements ViewPlace {
  read(): string {
    return location.hash.slice(1);
  }
  write(words: string): void {
    history.replaceState(null, "", words ? `#${words}` : location.pathname + location.search);
  }
  link(words: string): string {
    return location.href.replace(/#.*/, "") + (words ? `#${words}` : "");
  }
  onChange(changed: () => void, signal: AbortSignal): void {
    window.addEventListener("hashchange", changed, { signal });
  }
}

export class Address {
  private written: string;
  private at = 0; // ms   when the address was last compared
  private readonly usual: Map<Switch, boolean>; // switches as the page has them

  constructor(
    private readonly app: App,
    private readonly place: ViewPlace,
  ) {
    this.usual = new Map(kSwitches.map((name) => [name, app.switches.isOn(name)]));
    this.written = place.read();
    this.read();
    place.onChange(() => {
      if (place.read() !== this.written) this.read();
    }, app.ended);
  }

  // Once per picture.
  tick(now: number): void {
    if (now - this.at < kInterval || this.app.playback.playing || this.app.playback.live) return;
    this.at = now;
    const wanted = this.make();
    if (wanted === this.written) return;
    this.written = wanted;
    this.place.write(wanted);
  }

  // A link to what is shown.
  get link(): string {
    return this.place.link(this.make());
  }

  make(): string {
    const { app } = this;
    const words: string[] = [];
    if (app.playback.time !== app.run.startTime) words.push(`t=${Number(app.playback.time.toPrecision(9))}`);
    const view = app.stage.view;
    if (view) words.push(`view=${view.map((x) => Number(x.toPrecision(5))).join()}`);
    if (app.selection?.kind === "body")
      words.push(`body=${encodeURIComponent(app.run.header.bodies[app.selection.body].name)}`);
    const flipped = kSwitches.filter((name) => app.switches.isOn(name) !== this.usual.get(name));
    if (flipped.length > 0) words.push(`flip=${flipped.join()}`);
    return words.join("&");
  }

  private read(): void {
    const { app } = this;
    const words = new URLSearchParams(this.place.read());
    const view = words.get("view")?.split(",").map(Number);
    if (view?.length === 6 && view.every(Number.isFinite)) app.stage.view = view;
    const time = Number(words.get("t") ?? NaN);
    if (Number.isFinite(time)) {
      app.playback.playing = false;
      app.playback.setTime(time);
    }
    const body = app.run.header.bodies.findIndex(({ name }) => name === words.get("body"));
    if (body >= 0) app.select({ kind: "body", body });
    const flipped = words.get("flip")?.split(",") ?? [];
    for (const name of kSwitches)
      if (app.switches.isOn(name) !== (this.usual.get(name) !== flipped.includes(name)))
        app.switches.flip(name);
  }
}
