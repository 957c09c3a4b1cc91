// Play, step, scrub and speed.

import { byId, make } from "./dom";
import { formatTime } from "./format";
import { kSpeeds, type Playback } from "./playback";
import type { Run } from "./run";

export class Transport {
  private readonly slider = byId<HTMLInputElement>("time");
  private readonly play = byId<HTMLButtonElement>("play");
  private readonly speed = byId<HTMLSelectElement>("speed");

  constructor(
    private readonly run: Run,
    private readonly playback: Playback,
  ) {
    this.slider.max = String(run.numFrames - 1);
    this.speed.append(...kSpeeds.map((s) => make("option", { value: String(s) }, `${s}×`)));
    this.slider.addEventListener("input", () => playback.setFrame(Number(this.slider.value)));
    this.speed.addEventListener("change", () => {
      playback.speed = Number(this.speed.value);
      this.update();
    });
    this.play.addEventListener("click", () => playback.toggle());
    byId("back").addEventListener("click", () => playback.stepBy(-1));
    byId("forward").addEventListener("click", () => playback.stepBy(1));
  }

  update(): void {
    const { playback, run } = this;
    const frame = playback.frame;
    const span = run.endTime - run.startTime;
    const now = formatTime(playback.time, span);
    this.slider.value = String(frame);
    this.slider.setAttribute(
      "aria-valuetext",
      `${now} seconds, frame ${frame} of ${run.numFrames - 1}`,
    );
    this.slider.style.setProperty("--done", `${(100 * frame) / Math.max(1, run.numFrames - 1)}%`);
    this.play.setAttribute("aria-label", playback.playing ? "Pause" : "Play");
    this.play.classList.toggle("playing", playback.playing);
    this.speed.value = String(playback.speed);
    byId("clock").textContent = `${now} s`;
    byId("frame-number").textContent = `frame ${frame} / ${run.numFrames - 1}`;
  }
}
