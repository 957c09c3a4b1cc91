// The clock of the page: what time is shown, and how it moves on.

import type { Run } from "./run";

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8];
const kShortestShow = 3; // s   a run that is over sooner starts in slow motion
const kCatchUp = 0.15; // s   in which the clock of a live view comes near the end of the run

export class Playback {
  time: number;
  playing = false;
  live = false; // stays with the end of a run that is being computed; frames between are skipped
  loop = true;
  interpolate = true;
  speed: number;

  constructor(
    private readonly run: Run,
    private readonly changed: () => void,
  ) {
    this.time = run.startTime;
    const duration = (run.growing ? run.header.until : run.endTime) - run.startTime;
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

  // A time whose frame is not here yet is waited for; a live view takes what is here.
  tick(seconds: number): void {
    if (this.live) return this.tickLive(seconds);
    if (!this.playing) return;
    const time = this.calcNextTime(seconds);
    if (time !== this.time && this.run.store.block(this.run.frameAt(time))) this.moveTo(time);
  }

  toggle(): void {
    this.playing = !this.playing && !this.live;
    this.live = false;
    if (this.playing && this.time >= this.run.endTime) this.time = this.run.startTime;
    this.changed();
  }

  setLive(on: boolean): void {
    this.live = on && this.run.growing;
    if (this.live) this.playing = false;
    this.changed();
  }

  setTime(time: number): void {
    this.live = false;
    this.moveTo(time);
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

  private moveTo(time: number): void {
    this.time = Math.min(this.run.endTime, Math.max(this.run.startTime, time));
    this.changed();
  }

  // Runs up to the newest frame that is here, or jumps where frames between are not.
  private tickLive(seconds: number): void {
    const { store, frameTimes, numFrames } = this.run;
    store.block(numFrames - 1); // asks for it
    const newest = Math.min(store.newest, numFrames - 1);
    const behind = frameTimes[newest] - this.time;
    if (behind <= 0) return;
    const next = this.time + behind * Math.min(1, seconds / kCatchUp);
    const frame = this.run.frameAt(next);
    const near = frame >= newest - 1 || !store.block(frame);
    this.moveTo(near ? frameTimes[newest] : next);
  }

  private calcNextTime(seconds: number): number {
    const { startTime, endTime, growing } = this.run;
    const time = this.time + seconds * this.speed;
    if (time < endTime) return time;
    if (growing) return endTime;
    if (this.loop && endTime > startTime) return startTime;
    this.playing = false;
    this.changed();
    return endTime;
  }
}
