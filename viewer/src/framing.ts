// Where the action is: the region the camera should show, with infinite planes left out.

import { Box3, Vector3 } from "three";
import { calcReach } from "./geometry";
import type { Run } from "./run";

const kSampledFrames = 60;
const kSampledBodies = 2000;

// Bodies that fly away for good must not shrink the rest to dots, so the region holds the start and
// the middle 96 % of all sampled positions along each axis.
export function calcRegion(run: Run): Box3 {
  const reach = calcBodyReach(run);
  const movers = thin(Array.from(run.movers), kSampledBodies);
  const frames = thin(
    Array.from({ length: run.numFrames }, (_, i) => i),
    kSampledFrames,
  );
  const region = new Box3();
  const samples: number[][] = [[], [], []];
  const pose = new Float32Array(7);
  let margin = 0;
  for (const body of movers) {
    margin = Math.max(margin, reach[body]);
    for (const frame of frames) {
      run.calcPose(body, frame, 0, pose);
      for (let axis = 0; axis < 3; ++axis) samples[axis].push(pose[axis]);
      if (frame === 0) region.expandByPoint(new Vector3(pose[0], pose[1], pose[2]));
    }
  }
  if (samples[0].length > 0) {
    const low = samples.map((s) => quantile(s, 0.02));
    const high = samples.map((s) => quantile(s, 0.98));
    region.expandByPoint(new Vector3(...low)).expandByPoint(new Vector3(...high));
    region.expandByScalar(margin);
  }
  addFurniture(run, reach, region);
  if (region.isEmpty()) region.setFromCenterAndSize(new Vector3(), new Vector3(2, 2, 2));
  return region;
}

// Fixed bodies count unless they dwarf what moves: a table top yes, a landscape no.
function addFurniture(run: Run, reach: Float64Array, region: Box3): void {
  const size = region.isEmpty() ? Infinity : 1.5 * region.getSize(new Vector3()).length();
  const pose = new Float32Array(7);
  for (let body = 0; body < run.numBodies; ++body) {
    if (run.slotOfBody[body] >= 0 || reach[body] === 0 || reach[body] > size) continue;
    run.calcPose(body, 0, 0, pose);
    const centre = new Vector3(pose[0], pose[1], pose[2]);
    const half = new Vector3().setScalar(reach[body] / Math.sqrt(3));
    region.union(new Box3(centre.clone().sub(half), centre.clone().add(half)));
  }
}

function calcBodyReach(run: Run): Float64Array {
  const reach = new Float64Array(run.numBodies);
  run.partShape.forEach((index, part) => {
    const shape = run.header.shapes[index];
    if (shape.kind === "plane") return;
    const offset = Math.hypot(...run.partPose.subarray(7 * part, 7 * part + 3));
    const body = run.partBody[part];
    reach[body] = Math.max(reach[body], offset + calcReach(shape));
  });
  return reach;
}

function thin<T>(items: T[], most: number): T[] {
  const stride = Math.ceil(items.length / most);
  return stride <= 1 ? items : items.filter((_, i) => i % stride === 0);
}

function quantile(values: number[], fraction: number): number {
  values.sort((a, b) => a - b);
  return values[Math.round(fraction * (values.length - 1))];
}
