// A run that is in the page from its first frame to its last.

import { FrameBlock } from "./frames";
import { decodeArrays, decodeBase64 } from "./payload";
import { Run, type FrameStore, type Header, type Track } from "./run";

const kSampledFrames = 32;

class WholeStore implements FrameStore {
  readonly isWhole = true;

  constructor(
    private readonly only: FrameBlock,
    private readonly slotOfBody: (body: number) => number,
    private readonly axisOfBody: (body: number) => number,
  ) {}

  get newest(): number {
    return this.only.count - 1;
  }

  block(): FrameBlock {
    return this.only;
  }

  sample(): { block: FrameBlock; frames: number[] } {
    const stride = Math.max(1, Math.ceil(this.only.count / kSampledFrames));
    const frames = [];
    for (let frame = 0; frame < this.only.count; frame += stride) frames.push(frame);
    return { block: this.only, frames };
  }

  track(body: number, done: (track: Track) => void): void {
    const slot = this.slotOfBody(body);
    if (slot < 0) return;
    const { times, position, quaternion, twist, joint, count } = this.only;
    const axis = this.axisOfBody(body);
    const collect = <T extends Float32Array | Int16Array>(from: T, width: number): T => {
      const out = new (from.constructor as new (length: number) => T)(width * count);
      for (let k = 0; k < count; ++k) {
        const at = width * this.only.place(k, slot);
        out.set(from.subarray(at, at + width), width * k);
      }
      return out;
    };
    const numAxes = joint.length / Math.max(1, 2 * count);
    done({
      body,
      times,
      position: collect(position, 3),
      quaternion: collect(quaternion, 4),
      twist: twist && collect(twist, 6),
      joint: axis < 0 ? null : Float32Array.from({ length: 2 * count }, (_, i) => joint[2 * ((i >> 1) * numAxes + axis) + (i & 1)]),
    });
  }
}

export async function loadWholeRun(header: Header, base64: string): Promise<Run> {
  const arrays = await decodeArrays(decodeBase64(base64), header.arrays);
  const movers = arrays.take<Int32Array>("movers");
  const block = new FrameBlock(0, header.contactStride, movers.length, arrays);
  const run: Run = new Run(header, arrays, new WholeStore(
    block,
    (body) => run.slotOfBody[body],
    (body) => run.axisOfBody[body],
  ));
  return run;
}
