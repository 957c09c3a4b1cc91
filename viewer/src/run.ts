// A run as the page sees it: bodies, frames, contacts and step curves, with no drawing in it.

import { FrameBlock, mixPoses } from "./frames";
import type { ArrayEntry, Arrays } from "./payload";

export type Shape =
  | { kind: "sphere"; radius: number }
  | { kind: "box"; half: [number, number, number]; radius?: number } // radius: of round edges
  | { kind: "ellipsoid"; semiaxes: [number, number, number] }
  | { kind: "capsule"; radius: number; halfLength: number }
  | { kind: "cylinder"; radius: number; halfLength: number }
  | { kind: "cone"; radius: number; halfLength: number }
  | { kind: "plane" }
  | { kind: "bowl"; radius: number }
  | { kind: "polyhedron"; vertices: number[]; triangles: number[] };

// What a shape is for: it touches and is drawn, it touches behind a visual shape, or is only drawn.
export type Role = "part" | "collision" | "visual";
const kRoles: Role[] = ["part", "collision", "visual"];

export interface Body {
  name: string;
  material: number;
  colour: string; // CSS, or "" = by material
  joint: "free" | "planar" | "fixed" | "prescribed" | "hinge" | "slider" | "ball";
  parent: number; // body, -1 = the world
  mass: number; // kg
}

export interface FailedStep {
  step: number;
  t: number; // s
  residual: number;
  penetration: number; // m
  message: string;
}

export interface StepColumn {
  key: string;
  label: string;
  unit: string;
}

export interface Verdict {
  status: string; // how the run ended
  message: string; // and why, if there is more to say
  complete: boolean; // it reached its end
  steps: number;
  certified: number; // steps whose certificate passed
  failed: FailedStep[]; // the first of those that did not
  worstResidual: number;
  worstPenetration: number; // m
}

export interface Header {
  format: number;
  scene: string;
  method: string;
  gravity: [number, number, number]; // m/s^2
  until: number; // s   where the run ends, if nothing stops it
  bodies: Body[];
  materials: string[];
  friction?: number[]; // coefficient of each material on itself
  loops: string[]; // names
  firedEvents?: string[]; // events of the scene that have happened, with their times
  startOverlaps?: string[]; // what overlapped at time 0, and what was done
  shapes: Shape[];
  partColours: string[]; // CSS, of shapes that are only drawn; "" = that of the body
  verdict: Verdict;
  stepColumns: StepColumn[];
  stepStride: number; // steps per point of the curves
  frameStride: number; // recorded frames per frame in the page
  contactStride: number; // frames in the page per frame with contacts
  arrays: ArrayEntry[];
  // From a server only:
  blockFrames?: number; // frames to ask for at a time
  trackStride?: number; // frames per point of a body's curves
  growing?: boolean; // the run is being computed
  restarts?: number; // how often it has begun again
  canControl?: boolean; // it listens to its pages
  methods?: string[]; // that it can be begun again with
}

// One body through the run.
export interface Track {
  body: number;
  times: Float64Array;
  position: Float32Array; // 3 per time
  quaternion: Int16Array; // 4 per time, w x y z
  twist: Float32Array | null; // 6 per time
  joint: Float32Array | null; // coordinate and rate per time, of a hinge or slider
}

// Where frames come from. What is not there is fetched; `arrived` then says so.
export interface FrameStore {
  readonly isWhole: boolean; // every frame is here
  readonly newest: number; // the latest frame that is here
  block(frame: number): FrameBlock | null;
  sample(): { block: FrameBlock; frames: number[] }; // some frames from all over the run
  track(body: number, done: (track: Track) => void): void;
}

const kPageFormat = 4;

export class Run {
  frameTimes: Float64Array;
  growing: boolean;
  isServerGone = false; // of a run that a server sends
  readonly partBody: Int32Array;
  readonly partShape: Int32Array;
  readonly partPose: Float32Array; // position (3), quaternion w x y z (4) in the body
  readonly movers: Int32Array; // bodies with a pose in every frame
  readonly slotOfBody: Int32Array; // their place among the movers, -1 for bodies at rest for good
  readonly axisOfBody: Int32Array; // place of their joint among those with one axis, else -1
  private readonly partRole: Uint8Array;
  private readonly startPose: Float32Array;
  private curves: Arrays;

  constructor(
    readonly header: Header,
    arrays: Arrays,
    readonly store: FrameStore,
  ) {
    if (header.format !== kPageFormat) throw new Error(`unknown page format ${header.format}`);
    this.growing = header.growing ?? false;
    this.frameTimes = arrays.take("frame_time");
    this.partBody = arrays.take("part_body");
    this.partShape = arrays.take("part_shape");
    this.partPose = arrays.take("part_pose");
    this.partRole = arrays.take("part_role");
    this.movers = arrays.take("movers");
    this.startPose = arrays.take("start_pose");
    this.curves = arrays;
    this.slotOfBody = new Int32Array(header.bodies.length).fill(-1);
    this.axisOfBody = new Int32Array(header.bodies.length).fill(-1);
    let numAxes = 0;
    this.movers.forEach((body, slot) => {
      this.slotOfBody[body] = slot;
      if (["hinge", "slider"].includes(header.bodies[body].joint)) this.axisOfBody[body] = numAxes++;
    });
  }

  roleOf(part: number): Role {
    return kRoles[this.partRole[part]];
  }
  // Are there shapes that touch and that visual shapes hide?
  get hasCollisionShapes(): boolean {
    return this.partRole.some((role) => kRoles[role] === "collision");
  }

  get numFrames(): number {
    return this.frameTimes.length;
  }
  get numBodies(): number {
    return this.header.bodies.length;
  }
  get startTime(): number {
    return this.frameTimes[0];
  }
  get endTime(): number {
    return this.frameTimes[this.numFrames - 1];
  }

  // More of a run that is being computed.
  addFrames(times: number[]): void {
    const longer = new Float64Array(this.numFrames + times.length);
    longer.set(this.frameTimes);
    longer.set(times, this.numFrames);
    this.frameTimes = longer;
  }
  setCurves(arrays: Arrays, stride: number): void {
    this.curves = arrays;
    this.header.stepStride = stride;
  }

  // The last frame that is not after t.
  frameAt(t: number): number {
    let low = 0;
    let high = this.numFrames - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.frameTimes[middle] <= t) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  // Pose of a body between two frames that are here: position (3) and quaternion w x y z (4) into
  // out at place o. Without the next frame, that of the frame itself.
  calcPose(body: number, frame: number, fraction: number, out: Float32Array, o = 0): void {
    const slot = this.slotOfBody[body];
    const from = slot < 0 ? null : this.store.block(frame);
    if (!from) {
      for (let i = 0; i < 7; ++i) out[o + i] = this.startPose[7 * body + i];
      return;
    }
    const next = Math.min(frame + 1, this.numFrames - 1);
    const to = fraction > 0 ? this.store.block(next) : null;
    const a = from.place(frame, slot);
    if (to) mixPoses(from, a, to, to.place(next, slot), fraction, out, o);
    else mixPoses(from, a, from, a, 0, out, o);
  }

  // Velocity (3, m/s) and angular velocity (3, rad/s) of a body in a frame, or null when they are
  // not here.
  twist(body: number, frame: number): Float32Array | null {
    const slot = this.slotOfBody[body];
    if (slot < 0) return new Float32Array(6);
    const block = this.store.block(frame);
    if (!block?.twist) return null;
    const begin = 6 * block.place(frame, slot);
    return block.twist.subarray(begin, begin + 6);
  }

  get stepTimes(): Float64Array {
    return this.curves.take("step_time");
  }
  stepCurve(key: string): Float32Array {
    return this.curves.take("step_" + key);
  }
}
