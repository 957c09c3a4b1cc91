// The clock of the page: what time is shown, and how it moves on.

import type { Run } from "./run";

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const kShortestShow = 3; // s   a run that is over sooner starts in slow motion

export class Playback {
  time: number;
  playing = false;
  loop = true;
  interpolate = true;
  speed: number;

  constructor(
    private readonly run: Run,
    private readonly changed: () => void,
  ) {
    this.time = run.startTime;
    const duration = run.endTime - run.startTime;
    this.speed = kSpeeds.filter((s) => s <= 1 && s <= duration / kShortestShow).pop() ?? kSpeeds[0];
  }

  get frame(): number {
    return this.run.frameAt(this.time);
  }

  // How far the time shown is past its frame, as a part of the way to the next.
  get fraction(): number {
    const frame = this.frame;
    if (!this.interpolate || frame + 1 >= this.run.numFrames) return 0;
    const times = this.run.frameTimes;
    return (this.time - times[frame]) / (times[frame + 1] - times[frame]);
  }

  tick(seconds: number): void {
    if (!this.playing) return;
    const { startTime, endTime } = this.run;
    let time = this.time + seconds * this.speed;
    if (time >= endTime) {
      if (this.loop && endTime > startTime) time = startTime;
      else {
        time = endTime;
        this.playing = false;
      }
    }
    this.setTime(time);
  }

  toggle(): void {
    this.playing = !this.playing;
    if (this.playing && this.time >= this.run.endTime) this.time = this.run.startTime;
    this.changed();
  }

  setTime(time: number): void {
    this.time = Math.min(this.run.endTime, Math.max(this.run.startTime, time));
    this.changed();
  }

  setFrame(frame: number): void {
    const last = this.run.numFrames - 1;
    this.setTime(this.run.frameTimes[Math.min(last, Math.max(0, Math.round(frame)))]);
  }

  stepBy(frames: number): void {
    this.playing = false;
    this.setFrame(this.frame + frames);
  }

  changeSpeed(notches: number): void {
    const index = kSpeeds.indexOf(this.speed) + notches;
    this.speed = kSpeeds[Math.min(kSpeeds.length - 1, Math.max(0, index))];
    this.changed();
  }
}
