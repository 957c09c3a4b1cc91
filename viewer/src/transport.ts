// Play, step, scrub and speed.

import { byId, make } from "./dom";
import { formatTime } from "./format";
import { kSpeeds, type Playback } from "./playback";
import type { Run } from "./run";

export class Transport {
  private readonly slider = byId<HTMLInputElement>("time");
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly speed = byId<HTMLSelectElement>("speed");
  private readonly live = byId<HTMLButtonElement>("live");

  constructor(
    private readonly run: Run,
    private readonly playback: Playback,
  ) {
    this.speed.append(...kSpeeds.map((s) => make("option", { value: String(s) }, `${s}×`)));
    this.slider.addEventListener("input", () => playback.setFrame(Number(this.slider.value)));
    this.speed.addEventListener("change", () => {
      playback.speed = Number(this.speed.value);
      this.update();
    });
    this.play.addEventListener("click", () => playback.toggle());
    this.live.addEventListener("click", () => playback.setLive(!playback.live));
    byId("back").addEventListener("click", () => playback.stepBy(-1));
    byId("forward").addEventListener("click", () => playback.stepBy(1));
  }

  update(): void {
    const { playback, run } = this;
    const frame = playback.frame;
    const span = run.endTime - run.startTime;
    const now = formatTime(playback.time, span);
    const moving = playback.playing || playback.live;
    this.slider.max = String(run.numFrames - 1);
    this.slider.value = String(frame);
    this.slider.setAttribute(
      "aria-valuetext",
      `${now} seconds, frame ${frame} of ${run.numFrames - 1}`,
    );
    this.play.setAttribute("aria-label", moving ? "Pause" : "Play");
    this.play.classList.toggle("playing", moving);
    this.speed.value = String(playback.speed);
    this.live.hidden = !run.growing;
    this.live.setAttribute("aria-pressed", String(playback.live));
    byId("clock").textContent = `${now} s`;
    byId("frame-number").textContent = `frame ${frame} / ${run.numFrames - 1}`;
  }
}
