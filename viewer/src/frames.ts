// Frames and their contacts, in blocks of consecutive frames: a page in a file has one block with
// all of them, a page from a server asks for blocks as it needs them.

import type { Arrays } from "./payload";

export const kModes = ["separating", "sliding", "sticking", "resting", "touching"] as const;
export type Mode = (typeof kModes)[number];

// What meets: two surfaces, a joint and its stop, or the halves of a joint with dry friction.
export const kContactKinds = ["surface", "joint stop", "joint friction"] as const;
export type ContactKind = (typeof kContactKinds)[number];

const kUnitScale = 1 / 32767; // components of unit vectors and quaternions are 16-bit integers

export interface Contact {
  bodyA: number;
  bodyB: number;
  position: Float32Array; // m
  normal: number[]; // from a to b
  impulse: Float32Array; // N s, on b
  duration: number; // s   for which it acted; 0: an impact
  gap: number; // m
  slip: number; // m/s
  kind: ContactKind;
  mode: Mode;
  isOpen: boolean; // other forces give the same motion
  residual: number;
  normalWork: number; // J
  frictionWork: number; // J
}

// The reaction of a joint or loop.
export interface Reaction {
  of: number; // body that hangs from the joint, or -1 - loop
  force: Float32Array; // N, on the body from its parent
  torque: Float32Array; // N m
  impulse: Float32Array; // N s, of the force
  drive: number; // N m, N   along the joint's axis, by motor, spring, damping and friction
  stop: number; // N m, N   by a stop
}

export class FrameBlock {
  readonly times: Float64Array;
  readonly position: Float32Array; // 3 per frame and mover
  readonly quaternion: Int16Array; // 4 per frame and mover, w x y z
  readonly twist: Float32Array | null; // 6 per frame and mover
  readonly contactBody: Int32Array;
  readonly contactPosition: Float32Array;
  readonly contactImpulse: Float32Array;
  readonly contactNormal: Int16Array;
  readonly contactSlip: Float32Array;
  readonly contactMode: Uint8Array;
  readonly contactKind: Uint8Array;
  readonly joint: Float32Array; // coordinate and rate per frame and joint with one axis
  readonly contactOpen: Uint8Array;
  readonly contactResidual: Float32Array;
  readonly numBytes: number;
  private readonly contactBegin: Int32Array;
  private readonly reactionBegin: Int32Array;
  private readonly reactionOf: Int32Array;

  constructor(
    readonly first: number, // frame of the run
    private readonly contactStride: number, // frames per frame with contacts
    private readonly numMovers: number,
    private readonly arrays: Arrays,
  ) {
    this.times = arrays.take("frame_time");
    this.position = arrays.take("frame_position");
    this.quaternion = arrays.take("frame_quaternion");
    this.twist = arrays.has("frame_twist") ? arrays.take("frame_twist") : null;
    this.contactBegin = arrays.take("contact_begin");
    this.contactBody = arrays.take("contact_body");
    this.contactPosition = arrays.take("contact_position");
    this.contactImpulse = arrays.take("contact_impulse");
    this.contactNormal = arrays.take("contact_normal");
    this.contactSlip = arrays.take("contact_slip");
    this.contactKind = arrays.take("contact_kind");
    this.joint = arrays.take("frame_joint");
    this.contactMode = arrays.take("contact_mode");
    this.contactOpen = arrays.take("contact_open");
    this.contactResidual = arrays.take("contact_residual");
    this.reactionBegin = arrays.take("reaction_begin");
    this.reactionOf = arrays.take("reaction_of");
    this.numBytes = arrays.numBytes;
  }

  get count(): number {
    return this.times.length;
  }

  has(frame: number): boolean {
    return frame >= this.first && frame < this.first + this.count;
  }

  // Place of a mover's pose in a frame of this block; times 3, 4 or 6 in the arrays.
  place(frame: number, slot: number): number {
    return (frame - this.first) * this.numMovers + slot;
  }

  // The contacts drawn with a frame are [begin, end); those of the last frame that has any stored.
  contactRange(frame: number): [number, number] {
    const row = Math.floor((frame - this.first) / this.contactStride);
    return [this.contactBegin[row] ?? 0, this.contactBegin[row + 1] ?? 0];
  }

  // Those of the last frame that has any stored.
  reactions(frame: number): Reaction[] {
    const row = Math.floor((frame - this.first) / this.contactStride);
    const force = this.arrays.take<Float32Array>("reaction_force");
    const torque = this.arrays.take<Float32Array>("reaction_torque");
    const impulse = this.arrays.take<Float32Array>("reaction_impulse");
    const axis = this.arrays.take<Float32Array>("reaction_axis");
    const found: Reaction[] = [];
    for (let r = this.reactionBegin[row] ?? 0; r < (this.reactionBegin[row + 1] ?? 0); ++r) {
      found.push({
        of: this.reactionOf[r],
        force: force.subarray(3 * r, 3 * r + 3),
        torque: torque.subarray(3 * r, 3 * r + 3),
        impulse: impulse.subarray(3 * r, 3 * r + 3),
        drive: axis[2 * r],
        stop: axis[2 * r + 1],
      });
    }
    return found;
  }

  contact(index: number): Contact {
    const work = this.arrays.take<Float32Array>("contact_work");
    return {
      bodyA: this.contactBody[2 * index],
      bodyB: this.contactBody[2 * index + 1],
      position: this.contactPosition.subarray(3 * index, 3 * index + 3),
      normal: Array.from(
        this.contactNormal.subarray(3 * index, 3 * index + 3),
        (c) => c * kUnitScale,
      ),
      impulse: this.contactImpulse.subarray(3 * index, 3 * index + 3),
      duration: this.arrays.take<Float32Array>("contact_duration")[index],
      gap: this.arrays.take<Float32Array>("contact_gap")[index],
      slip: Math.hypot(...this.contactSlip.subarray(3 * index, 3 * index + 3)),
      kind: kContactKinds[this.contactKind[index]],
      mode: kModes[this.contactMode[index]],
      isOpen: this.contactOpen[index] !== 0,
      residual: this.contactResidual[index],
      normalWork: work[2 * index],
      frictionWork: work[2 * index + 1],
    };
  }
}

// Pose between two frames, place a of block from and place b of block to: position (3) and unit
// quaternion w x y z (4) into out. Quaternions are mixed along the chord, on the same half of the
// sphere; at the angles between frames this is indistinguishable from the great arc.
export function mixPoses(
  from: FrameBlock,
  a: number,
  to: FrameBlock,
  b: number,
  fraction: number,
  out: Float32Array,
  o: number,
): void {
  for (let i = 0; i < 3; ++i) {
    const start = from.position[3 * a + i];
    out[o + i] = start + fraction * (to.position[3 * b + i] - start);
  }
  const p = from.quaternion;
  const q = to.quaternion;
  const i = 4 * a;
  const j = 4 * b;
  const dot = p[i] * q[j] + p[i + 1] * q[j + 1] + p[i + 2] * q[j + 2] + p[i + 3] * q[j + 3];
  const fq = dot < 0 ? -fraction : fraction;
  const fp = 1 - fraction;
  const w = fp * p[i] + fq * q[j];
  const x = fp * p[i + 1] + fq * q[j + 1];
  const y = fp * p[i + 2] + fq * q[j + 2];
  const z = fp * p[i + 3] + fq * q[j + 3];
  const scale = 1 / Math.sqrt(w * w + x * x + y * y + z * z);
  out[o + 3] = w * scale;
  out[o + 4] = x * scale;
  out[o + 5] = y * scale;
  out[o + 6] = z * scale;
}
