// A run as the page sees it: bodies, frames, contacts and step curves, with no drawing in it.

import { decodeArrays, type Arrays, type NumberArray } from "./payload";

export type Shape =
  | { kind: "sphere"; radius: number }
  | { kind: "box"; half: [number, number, number] }
  | { kind: "capsule"; radius: number; halfLength: number }
  | { kind: "cylinder"; radius: number; halfLength: number }
  | { kind: "plane" }
  | { kind: "polyhedron"; vertices: number[]; triangles: number[] };

export interface Body {
  name: string;
  material: number;
  colour: string; // CSS, or "" = by material
  joint: "free" | "planar" | "fixed" | "prescribed";
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

export interface Header {
  format: number;
  scene: string;
  method: string;
  gravity: [number, number, number]; // m/s^2
  bodies: Body[];
  materials: string[];
  shapes: Shape[];
  verdict: {
    status: string; // how the run ended
    message: string; // and why, if there is more to say
    complete: boolean; // it reached its end
    steps: number;
    certified: number; // steps whose certificate passed
    failed: FailedStep[]; // the first of those that did not
    worstResidual: number;
    worstPenetration: number; // m
  };
  stepColumns: StepColumn[];
  stepStride: number; // steps per point of the curves
  frameStride: number; // recorded frames per frame in the page
  contactStride: number; // frames in the page per frame with contacts
  arrays: Parameters<typeof decodeArrays>[1];
}

export const kModes = ["separating", "sliding", "sticking", "resting"] as const;
export type Mode = (typeof kModes)[number];

export interface Contact {
  index: number;
  bodyA: number;
  bodyB: number;
  position: Float32Array; // m
  normal: number[]; // from a to b
  impulse: Float32Array; // N s, on b
  gap: number; // m
  slip: number; // m/s
  mode: Mode;
  residual: number;
  normalWork: number; // J
  frictionWork: number; // J
}

const kQuatScale = 1 / 32767;

export class Run {
  readonly frameTimes: Float64Array;
  readonly stepTimes: Float64Array;
  readonly partBody: Int32Array;
  readonly partShape: Int32Array;
  readonly partPose: Float32Array; // position (3), quaternion w x y z (4) in the body
  readonly movers: Int32Array; // bodies with a pose in every frame
  readonly slotOfBody: Int32Array; // their place among the movers, -1 for bodies at rest for good
  readonly contactBegin: Int32Array;
  readonly contactBody: Int32Array;
  readonly contactPosition: Float32Array;
  readonly contactImpulse: Float32Array;
  readonly contactMode: Uint8Array;
  readonly contactResidual: Float32Array;

  private readonly startPose: Float32Array;
  private readonly framePosition: Float32Array;
  private readonly frameQuat: Int16Array;
  private readonly frameTwist: Float32Array | null;

  static async load(header: Header, base64: string): Promise<Run> {
    if (header.format !== 1) throw new Error(`unknown page format ${header.format}`);
    return new Run(header, await decodeArrays(base64, header.arrays));
  }

  constructor(
    readonly header: Header,
    private readonly arrays: Arrays,
  ) {
    this.frameTimes = this.take("frame_time");
    this.stepTimes = this.take("step_time");
    this.partBody = this.take("part_body");
    this.partShape = this.take("part_shape");
    this.partPose = this.take("part_pose");
    this.movers = this.take("movers");
    this.startPose = this.take("start_pose");
    this.framePosition = this.take("frame_position");
    this.frameQuat = this.take("frame_quaternion");
    this.frameTwist = arrays.has("frame_twist") ? this.take("frame_twist") : null;
    this.contactBegin = this.take("contact_begin");
    this.contactBody = this.take("contact_body");
    this.contactPosition = this.take("contact_position");
    this.contactImpulse = this.take("contact_impulse");
    this.contactMode = this.take("contact_mode");
    this.contactResidual = this.take("contact_residual");
    this.slotOfBody = new Int32Array(header.bodies.length).fill(-1);
    this.movers.forEach((body, slot) => (this.slotOfBody[body] = slot));
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
  get hasTwists(): boolean {
    return this.frameTwist !== null;
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

  // Pose of a body between two frames: position (3) and quaternion w x y z (4) into out.
  calcPose(body: number, frame: number, fraction: number, out: Float32Array): void {
    const slot = this.slotOfBody[body];
    if (slot < 0) {
      out.set(this.startPose.subarray(7 * body, 7 * body + 7));
      return;
    }
    const size = this.movers.length;
    const next = Math.min(frame + 1, this.numFrames - 1);
    const a = frame * size + slot;
    const b = next * size + slot;
    const p = this.framePosition;
    for (let i = 0; i < 3; ++i) {
      const from = p[3 * a + i];
      out[i] = from + fraction * (p[3 * b + i] - from);
    }
    this.mixQuaternions(4 * a, 4 * b, fraction, out);
  }

  // Straight mixing of two quaternions on the same half of the sphere, then unit length. At the
  // angles between frames this is indistinguishable from the great arc.
  private mixQuaternions(a: number, b: number, fraction: number, out: Float32Array): void {
    const q = this.frameQuat;
    const dot = q[a] * q[b] + q[a + 1] * q[b + 1] + q[a + 2] * q[b + 2] + q[a + 3] * q[b + 3];
    const fb = (dot < 0 ? -fraction : fraction) * kQuatScale;
    const fa = (1 - fraction) * kQuatScale;
    const w = fa * q[a] + fb * q[b];
    const x = fa * q[a + 1] + fb * q[b + 1];
    const y = fa * q[a + 2] + fb * q[b + 2];
    const z = fa * q[a + 3] + fb * q[b + 3];
    const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
    out[3] = w * scale;
    out[4] = x * scale;
    out[5] = y * scale;
    out[6] = z * scale;
  }

  // A coordinate of a body's centre of mass in every frame.   m
  positionCurve(body: number, axis: number): Float64Array {
    const pose = new Float32Array(7);
    return Float64Array.from(this.frameTimes, (_, frame) => {
      this.calcPose(body, frame, 0, pose);
      return pose[axis];
    });
  }

  // Velocity (3, m/s) and angular velocity (3, rad/s) of a body in a frame, or null when the page
  // was made without them.
  twist(body: number, frame: number): Float32Array | null {
    const slot = this.slotOfBody[body];
    if (slot < 0) return new Float32Array(6);
    if (!this.frameTwist) return null;
    const begin = 6 * (frame * this.movers.length + slot);
    return this.frameTwist.subarray(begin, begin + 6);
  }

  // The contacts drawn with a frame are [begin, end); those of the last frame that has any stored.
  contactRange(frame: number): [number, number] {
    const row = Math.floor(frame / this.header.contactStride);
    return [this.contactBegin[row] ?? 0, this.contactBegin[row + 1] ?? 0];
  }

  contact(index: number): Contact {
    const normal = this.take<Int16Array>("contact_normal");
    const work = this.take<Float32Array>("contact_work");
    return {
      index,
      bodyA: this.contactBody[2 * index],
      bodyB: this.contactBody[2 * index + 1],
      position: this.contactPosition.subarray(3 * index, 3 * index + 3),
      normal: Array.from(normal.subarray(3 * index, 3 * index + 3), (c) => c * kQuatScale),
      impulse: this.contactImpulse.subarray(3 * index, 3 * index + 3),
      gap: this.take<Float32Array>("contact_gap")[index],
      slip: this.take<Float32Array>("contact_slip")[index],
      mode: kModes[this.contactMode[index]],
      residual: this.contactResidual[index],
      normalWork: work[2 * index],
      frictionWork: work[2 * index + 1],
    };
  }

  stepCurve(key: string): Float32Array {
    return this.take("step_" + key);
  }

  private take<T extends NumberArray>(name: string): T {
    const array = this.arrays.get(name);
    if (!array) throw new Error(`the page has no array ${name}`);
    return array as T;
  }
}
