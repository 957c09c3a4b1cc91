// The contacts of a frame as the graphics processor gets them: one item per contact, or one per pair of bodies
// with the resultant at the centre of pressure.

import type { FrameBlock } from "./frames";
import type { Run } from "./run";

export type ContactsAs = "points" | "pairs";

// Codes after those of the modes.
export const kStopSign = 5;
export const kJointFrictionSign = 6;
export const kPressureSign = 7;

export interface ContactItems {
  count: number;
  at: Float32Array; // 3   m
  impulse: Float32Array; // 3   N s, on b
  along: Int16Array; // 3   unit normal times 32767
  slip: Float32Array; // 3   m/s
  mode: Uint8Array; // a mode, or one of the signs above
  open: Uint8Array;
  residual: Float32Array;
  friction: Float32Array; // coefficient
}

export function collectContacts(
  run: Run,
  block: FrameBlock,
  [begin, end]: [number, number],
  as: ContactsAs,
  positionOf: (body: number) => Float32Array,
): ContactItems {
  const points = copyPoints(run, block, begin, end, positionOf);
  return as === "points" ? points : sumPairs(block, begin, points);
}

// Of a contact that slides, the coefficient is what its impulse shows; of others, that of its materials.
export function calcFriction(run: Run, block: FrameBlock, index: number): number {
  const { normal, tangential } = splitImpulse(block, index);
  if (block.contactMode[index] === 1 && normal > 0) return tangential / normal;
  const { bodies, friction } = run.header;
  const of = (body: number) => friction?.[bodies[body].material] ?? 0;
  return Math.sqrt(of(block.contactBody[2 * index]) * of(block.contactBody[2 * index + 1]));
}

export function splitImpulse(
  block: FrameBlock,
  index: number,
): { normal: number; tangential: number } {
  const p = block.contactImpulse.subarray(3 * index, 3 * index + 3);
  const n = Array.from(block.contactNormal.subarray(3 * index, 3 * index + 3), (c) => c / 32767);
  const normal = n[0] * p[0] + n[1] * p[1] + n[2] * p[2];
  const tangential = Math.hypot(...n.map((c, i) => p[i] - normal * c));
  return { normal, tangential };
}

function copyPoints(
  run: Run,
  block: FrameBlock,
  begin: number,
  end: number,
  positionOf: (body: number) => Float32Array,
): ContactItems {
  const items: ContactItems = {
    count: end - begin,
    at: block.contactPosition.slice(3 * begin, 3 * end),
    impulse: block.contactImpulse.slice(3 * begin, 3 * end),
    along: block.contactNormal.subarray(3 * begin, 3 * end),
    slip: block.contactSlip.slice(3 * begin, 3 * end),
    mode: block.contactMode.slice(begin, end),
    open: block.contactOpen.subarray(begin, end),
    residual: block.contactResidual.subarray(begin, end),
    friction: new Float32Array(end - begin),
  };
  for (let i = 0; i < items.count; ++i) {
    const kind = block.contactKind[begin + i];
    if (kind === 0) items.friction[i] = calcFriction(run, block, begin + i);
    else markJoint(items, i, kind, positionOf(block.contactBody[2 * (begin + i)]));
  }
  return items;
}

// A joint's stop or friction acts along its coordinate: it has a mark at the body, and no arrow.
function markJoint(items: ContactItems, i: number, kind: number, place: Float32Array): void {
  items.at.set(place.subarray(0, 3), 3 * i);
  items.impulse.fill(0, 3 * i, 3 * i + 3);
  items.slip.fill(0, 3 * i, 3 * i + 3);
  items.mode[i] = kind === 1 ? kStopSign : kJointFrictionSign;
}

// The centre of pressure is the mean of the points, weighted by their normal impulses.
function sumPairs(block: FrameBlock, begin: number, points: ContactItems): ContactItems {
  const pairOf = new Map<string, number>();
  const first: number[] = []; // of each pair's points
  const pairs = Array.from({ length: points.count }, (_, i) => {
    const c = begin + i;
    const key = `${block.contactBody[2 * c]} ${block.contactBody[2 * c + 1]} ${block.contactKind[c]}`;
    const known = pairOf.get(key);
    if (known !== undefined) return known;
    first.push(i);
    pairOf.set(key, first.length - 1);
    return first.length - 1;
  });
  const count = first.length;
  const sums: ContactItems = {
    count,
    at: new Float32Array(3 * count),
    impulse: new Float32Array(3 * count),
    along: new Int16Array(3 * count),
    slip: new Float32Array(3 * count),
    mode: Uint8Array.from(first, (i) => (points.mode[i] < kStopSign ? kPressureSign : points.mode[i])),
    open: new Uint8Array(count),
    residual: new Float32Array(count),
    friction: Float32Array.from(first, (i) => points.friction[i]),
  };
  const weights = new Float64Array(count);
  const weightOf = (i: number) => Math.max(splitImpulse(block, begin + i).normal, 1e-30);
  pairs.forEach((pair, i) => (weights[pair] += weightOf(i)));
  pairs.forEach((pair, i) => {
    const part = weightOf(i) / weights[pair];
    for (let k = 0; k < 3; ++k) {
      sums.at[3 * pair + k] += part * points.at[3 * i + k];
      sums.impulse[3 * pair + k] += points.impulse[3 * i + k];
      sums.along[3 * pair + k] += part * points.along[3 * i + k];
      sums.slip[3 * pair + k] += part * points.slip[3 * i + k];
    }
    sums.open[pair] = Math.max(sums.open[pair], points.open[i]);
    sums.residual[pair] = Math.max(sums.residual[pair], points.residual[i]);
  });
  return sums;
}
