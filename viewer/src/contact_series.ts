// Curves that are made from contacts: the force on a body, and what happens between two bodies.

import { calcStepDuration } from "./arrow_scale";
import { splitImpulse } from "./contact_arrays";
import type { FrameBlock } from "./frames";
import type { Run } from "./run";

// Calls `visit` for the contacts of every frame that is here; other frames are NaN.
function overFrames(
  run: Run,
  read: (block: FrameBlock, range: [number, number], duration: number) => number,
): Float64Array {
  return Float64Array.from(run.frameTimes, (time, frame) => {
    const block = run.store.block(frame);
    const duration = calcStepDuration(run, time);
    return block && duration > 0 ? read(block, block.contactRange(frame), duration) : NaN;
  });
}

// N   component 0 to 2 of the force of all contacts on a body, or its size (3)
export function calcBodyForce(run: Run, body: number, component: number): Float64Array {
  return overFrames(run, (block, [begin, end], duration) => {
    const sum = [0, 0, 0];
    for (let c = begin; c < end; ++c) {
      const [a, b] = block.contactBody.subarray(2 * c, 2 * c + 2);
      const sign = (b === body ? 1 : 0) - (a === body ? 1 : 0);
      if (sign === 0 || block.contactKind[c] !== 0) continue;
      for (let i = 0; i < 3; ++i) sum[i] += (sign * block.contactImpulse[3 * c + i]) / duration;
    }
    return component < 3 ? sum[component] : Math.hypot(...sum);
  });
}

export type ReactionPart = "force" | "torque" | "drive" | "stop";

// N, N m   of the joint that a body hangs from, or of loop number -1 - `of`: component 0 to 2 of a
// vector, or its size (3)
export function calcReaction(
  run: Run,
  of: number,
  part: ReactionPart,
  component = 3,
): Float64Array {
  return Float64Array.from(run.frameTimes, (_, frame) => {
    const found = run.store.block(frame)?.reactions(frame).find((one) => one.of === of);
    if (!found) return NaN;
    const value = found[part];
    if (typeof value === "number") return value;
    return component < 3 ? value[component] : Math.hypot(...value);
  });
}

// N   summed over the contacts of two bodies
export function calcPairForce(
  run: Run,
  pair: [number, number],
  part: "normal" | "tangential",
): Float64Array {
  return overFrames(run, (block, [begin, end], duration) => {
    let sum = 0;
    for (let c = begin; c < end; ++c) {
      const [a, b] = block.contactBody.subarray(2 * c, 2 * c + 2);
      const isOfPair = (a === pair[0] && b === pair[1]) || (a === pair[1] && b === pair[0]);
      if (isOfPair && block.contactKind[c] === 0) sum += splitImpulse(block, c)[part] / duration;
    }
    return sum;
  });
}
