// Where the action is: the region the camera should show, with infinite planes left out.

import { Box3, Vector3 } from "three";
import { mixPoses } from "./frames";
import { calcHalfExtents } from "./geometry";
import type { Run } from "./run";

const kSampledParts = 3000;
const kMostSpread = 1.8; // bodies that fly further than this many times the core's size are let go

// Everything that moves, over the whole run. Bodies that fly away for good must not shrink the rest
// to dots: then the region holds the start and the middle 80 % of all sampled extents along each
// axis.
export function calcRegion(run: Run): Box3 {
  const { block, frames } = run.store.sample();
  const stride = Math.max(1, Math.ceil(run.partShape.length / kSampledParts));
  const whole = new Box3();
  const start = new Box3();
  const bounds: number[][] = [[], [], [], [], [], []]; // lowest x, y, z, highest x, y, z
  const pose = new Float32Array(7);
  const box = new Box3();
  for (let part = 0; part < run.partShape.length; part += stride) {
    const slot = run.slotOfBody[run.partBody[part]];
    if (slot < 0 || run.header.shapes[run.partShape[part]].kind === "plane") continue;
    for (const frame of frames) {
      const at = block.place(frame, slot);
      mixPoses(block, at, block, at, 0, pose, 0);
      calcPartBox(run, part, pose, box);
      whole.union(box);
      if (frame === frames[0]) start.union(box);
      box.min.toArray().forEach((x, i) => bounds[i].push(x));
      box.max.toArray().forEach((x, i) => bounds[3 + i].push(x));
    }
  }
  const region = whole.clone();
  if (bounds[0].length > 0) {
    const core = new Box3(
      new Vector3(...bounds.slice(0, 3).map((b) => quantile(b, 0.1))),
      new Vector3(...bounds.slice(3).map((b) => quantile(b, 0.9))),
    ).union(start);
    const size = (b: Box3) => b.getSize(new Vector3()).length();
    if (size(whole) > kMostSpread * size(core)) region.copy(core);
  }
  addFurniture(run, region);
  if (region.isEmpty()) region.setFromCenterAndSize(new Vector3(), new Vector3(2, 2, 2));
  return region;
}

// Half the diagonal of the middle one of all parts that move.   m
export function calcBodySize(run: Run): number {
  const sizes: number[] = [];
  const stride = Math.max(1, Math.ceil(run.partShape.length / kSampledParts));
  for (let part = 0; part < run.partShape.length; part += stride) {
    const shape = run.header.shapes[run.partShape[part]];
    if (shape.kind === "plane" || run.slotOfBody[run.partBody[part]] < 0) continue;
    sizes.push(Math.hypot(...calcHalfExtents(shape, [1, 0, 0, 0])));
  }
  return sizes.length > 0 ? quantile(sizes, 0.5) : 1;
}

// What moves, in a frame that is here.
export function calcFrameBox(run: Run, frame: number): Box3 {
  const all = new Box3();
  const box = new Box3();
  const pose = new Float32Array(7);
  const stride = Math.max(1, Math.ceil(run.partShape.length / kSampledParts));
  for (let part = 0; part < run.partShape.length; part += stride) {
    const body = run.partBody[part];
    if (run.slotOfBody[body] < 0 || run.header.shapes[run.partShape[part]].kind === "plane")
      continue;
    run.calcPose(body, frame, 0, pose);
    all.union(calcPartBox(run, part, pose, box));
  }
  return all;
}

// Fixed bodies count unless they dwarf what moves: a table top yes, a landscape no.
function addFurniture(run: Run, region: Box3): void {
  const size = region.isEmpty() ? Infinity : 1.5 * region.getSize(new Vector3()).length();
  const pose = new Float32Array(7);
  const box = new Box3();
  run.partShape.forEach((shape, part) => {
    const body = run.partBody[part];
    if (run.slotOfBody[body] >= 0 || run.header.shapes[shape].kind === "plane") return;
    run.calcPose(body, 0, 0, pose);
    calcPartBox(run, part, pose, box);
    if (box.getSize(new Vector3()).length() <= size) region.union(box);
  });
}

// The axis-aligned box around a part of a body in a pose.
function calcPartBox(run: Run, part: number, pose: Float32Array, out: Box3): Box3 {
  const shape = run.header.shapes[run.partShape[part]];
  if (shape.kind === "plane") return out.makeEmpty();
  const local = run.partPose.subarray(7 * part, 7 * part + 7);
  const turn = multiply(pose, local);
  const centre = rotate(pose, local);
  const half = calcHalfExtents(shape, turn);
  out.min.set(
    pose[0] + centre[0] - half[0],
    pose[1] + centre[1] - half[1],
    pose[2] + centre[2] - half[2],
  );
  out.max.copy(out.min);
  out.max.x += 2 * half[0];
  out.max.y += 2 * half[1];
  out.max.z += 2 * half[2];
  return out;
}

// Quaternions w x y z are elements 3 to 6 of a pose.
function multiply(a: Float32Array, b: Float32Array): [number, number, number, number] {
  const [aw, ax, ay, az] = a.subarray(3);
  const [bw, bx, by, bz] = b.subarray(3);
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

function rotate(a: Float32Array, p: Float32Array): [number, number, number] {
  const [w, x, y, z] = a.subarray(3);
  const tx = 2 * (y * p[2] - z * p[1]);
  const ty = 2 * (z * p[0] - x * p[2]);
  const tz = 2 * (x * p[1] - y * p[0]);
  return [
    p[0] + w * tx + y * tz - z * ty,
    p[1] + w * ty + z * tx - x * tz,
    p[2] + w * tz + x * ty - y * tx,
  ];
}

function quantile(values: number[], fraction: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.round(fraction * (sorted.length - 1))];
}
