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
    const { times, position, twist, count } = this.only;
    const collect = (from: Float32Array, width: number) => {
      const out = new Float32Array(width * count);
      for (let k = 0; k < count; ++k) {
        const at = width * this.only.place(k, slot);
        out.set(from.subarray(at, at + width), width * k);
      }
      return out;
    };
    done({ body, times, position: collect(position, 3), twist: twist && collect(twist, 6) });
  }
}

export async function loadWholeRun(header: Header, base64: string): Promise<Run> {
  const arrays = await decodeArrays(decodeBase64(base64), header.arrays);
  const movers = arrays.take<Int32Array>("movers");
  const block = new FrameBlock(0, header.contactStride, movers.length, arrays);
  const run: Run = new Run(header, arrays, new WholeStore(block, (body) => run.slotOfBody[body]));
  return run;
}
