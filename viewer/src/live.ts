// The page of a run that a server sends: loading, and growing while it is computed.

import type { App } from "./app";
import { byId } from "./dom";
import { LiveControls } from "./live_controls";
import type { Stream } from "./stream";

const kNewsInterval = 250; // ms
const kHandsOnInterval = 70; // ms   the same, while the reader can pull at bodies
const kCurvesInterval = 1000; // ms
const kSlow = 250; // ms   a frame that takes longer to come is said to be loading

export class LiveLink {
  private curvesAt = 0; // ms   when the curves were asked for
  private missingSince = 0; // ms   0 = the frame wanted is here
  private trouble = "";
  private readonly controls: LiveControls | null = null;

  // A view that is `atEnd` stays with the newest frame of a growing run.
  constructor(
    private readonly app: App,
    private readonly stream: Stream,
    atEnd = true,
  ) {
    stream.onArrival(
      () => {
        this.trouble = "";
        app.redraw();
      },
      (reason) => (this.trouble = reason),
    );
    if (stream.run.header.canControl) this.controls = new LiveControls(app, stream);
    if (stream.run.growing) {
      if (atEnd) app.playback.setLive(true);
      void this.followNews();
    }
  }

  // Once per picture: what will be needed next, and what is missing now.
  tick(frame: number): void {
    this.controls?.tick();
    this.stream.prefetch(frame);
    const missing = !this.stream.run.store.block(frame);
    if (!missing) this.missingSince = 0;
    else if (this.missingSince === 0) this.missingSince = performance.now();
    const slow = missing && performance.now() - this.missingSince > kSlow;
    const text =
      this.trouble && missing ? `The server does not answer: ${this.trouble}` : "Loading …";
    const element = byId("loading");
    element.hidden = !slow;
    if (element.textContent !== text) element.textContent = text;
  }

  private async followNews(): Promise<void> {
    const { run } = this.stream;
    while (run.growing && !this.app.ended.aborted) {
      const interval = this.controls ? kHandsOnInterval : kNewsInterval;
      await new Promise((resolve) => setTimeout(resolve, interval));
      if (this.app.ended.aborted) return;
      try {
        const before = run.header.verdict.steps;
        const news = await this.stream.askForNews();
        this.controls?.takeNews(news);
        const due = performance.now() - this.curvesAt > kCurvesInterval || !news.growing;
        const more = news.verdict.steps > before || !news.growing;
        if (due && more) {
          this.curvesAt = performance.now();
          await this.stream.askForCurves();
          this.app.takeCurves();
        }
      } catch (error) {
        if (!(await this.isServed())) {
          run.growing = false;
          run.isServerGone = true;
        }
        console.info(error);
      }
      if (this.app.ended.aborted) return;
      this.app.takeNews();
    }
    this.app.playback.setLive(false);
  }

  private async isServed(): Promise<boolean> {
    try {
      await this.stream.askForNews();
      return true;
    } catch {
      return false;
    }
  }
}
