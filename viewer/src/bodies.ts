// The bodies on the stage: one instanced mesh per kind of shape, moved by writing instance
// matrices.

import {
  BackSide,
  Color,
  DoubleSide,
  Group,
  InstancedMesh,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  type Object3D,
} from "three";
import { layersOfBodies, setOpacity } from "./compare";
import { planMesh, type Detail } from "./geometry";
import { kBodyColours, kFixedColour, kVeilColour } from "./palette";
import type { Role, Run } from "./run";
import { makeSurface } from "./surfaces";

export type ColourBy = "material" | "body";

interface Batch {
  mesh: InstancedMesh;
  layer: number; // of a comparison; 0 on a page of one run
  role: Role;
  parts: number[]; // the part that each instance shows
  scale: Float32Array; // (3 per instance)
}

const kMany = [40, 800]; // instances: from here on meshes are coarse, and coarser

export class Bodies {
  readonly group = new Group();
  colours: Color[] = []; // of each body
  private readonly batches: Batch[] = [];
  private readonly poses: Float32Array; // 7 per body, as shown now
  private readonly halo = new Group();

  constructor(private readonly run: Run) {
    this.poses = new Float32Array(7 * run.numBodies);
    this.makeBatches();
    this.group.add(this.halo);
    this.paint(this.defaultColouring());
    this.setSeeThrough(false);
    this.update(0, 0, true);
  }

  // A scene of one material and few bodies is easier to read when each body has its own colour.
  defaultColouring(): ColourBy {
    const { run } = this;
    const materials = new Set(Array.from(run.movers, (b) => run.header.bodies[b].material));
    return materials.size <= 1 && run.movers.length <= kBodyColours.length ? "body" : "material";
  }

  // Bodies where they are `fraction` of the way from a frame to the next.
  update(frame: number, fraction: number, all = false): void {
    const bodies = all ? this.run.numBodies : this.run.movers.length;
    for (let i = 0; i < bodies; ++i) {
      const body = all ? i : this.run.movers[i];
      this.run.calcPose(body, frame, fraction, this.poses, 7 * body);
    }
    for (const batch of this.batches) this.writeMatrices(batch, all);
    this.placeHalo();
  }

  pose(body: number): Float32Array {
    return this.poses.subarray(7 * body, 7 * body + 7);
  }

  paint(by: ColourBy): void {
    const { partBody, header } = this.run;
    const colours = header.bodies.map((_, body) => this.calcColour(body, by));
    for (const { mesh, role, parts } of this.batches) {
      if (role === "collision") continue;
      parts.forEach((part, i) => {
        const own = parseColour(header.partColours[part]);
        mesh.setColorAt(i, own ?? colours[partBody[part]]);
      });
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
    }
    this.colours = colours;
  }

  select(body: number): void {
    this.halo.clear();
    for (const { mesh, role, parts } of this.batches) {
      if (role === "collision") continue;
      parts.forEach((part, i) => {
        if (this.run.partBody[part] === body) this.halo.add(makeHalo(mesh, i));
      });
    }
    this.placeHalo();
  }

  setSeeThrough(on: boolean): void {
    for (const { mesh, role, layer } of this.batches)
      if (role !== "collision") setOpacity(mesh, layer, on);
  }

  // The shapes that touch, over the visual ones that stand for them.
  setCollisionVisible(on: boolean): void {
    for (const { mesh, role } of this.batches) if (role === "collision") mesh.visible = on;
  }

  setLayerVisible(layer: number, visible: boolean): void {
    for (const batch of this.batches)
      if (batch.layer === layer && batch.role !== "collision") batch.mesh.visible = visible;
  }

  // Meshes to cast rays at, and which body an instance of one belongs to.
  get targets(): InstancedMesh[] {
    return this.batches.filter(({ role }) => role !== "collision").map(({ mesh }) => mesh);
  }
  bodyOf(mesh: Object3D, instance: number): number {
    const batch = this.batches.find((candidate) => candidate.mesh === mesh);
    return batch ? this.run.partBody[batch.parts[instance]] : -1;
  }

  private makeBatches(): void {
    const { run } = this;
    const groups = new Map<
      string,
      {
        plan: ReturnType<typeof planMesh>;
        layer: number;
        role: Role;
        parts: number[];
        scale: number[];
      }
    >();
    const layers = layersOfBodies(run);
    run.partShape.forEach((shapeIndex, part) => {
      const shape = run.header.shapes[shapeIndex];
      if (shape.kind === "plane") return;
      const plan = planMesh(shape, shapeIndex);
      const layer = layers[run.partBody[part]];
      const role = run.roleOf(part);
      const key = `${layer} ${role} ${plan.key}`;
      const group = groups.get(key) ?? { plan, layer, role, parts: [], scale: [] };
      group.parts.push(part);
      group.scale.push(...plan.scale);
      groups.set(key, group);
    });
    for (const { plan, layer, role, parts, scale } of groups.values()) {
      const detail = kMany.filter((count) => parts.length > count).length as Detail;
      const geometry = plan.make(detail);
      const pattern = role === "visual" ? "plain" : plan.pattern; // as its author wants it
      const surface = role === "collision" ? makeVeil() : makeSurface(pattern);
      if (role === "visual") surface.side = DoubleSide; // such meshes may be open
      const mesh = new InstancedMesh(geometry, surface, parts.length);
      mesh.frustumCulled = false;
      mesh.visible = role !== "collision";
      mesh.castShadow = role !== "collision";
      mesh.receiveShadow = role !== "collision";
      this.group.add(mesh);
      this.batches.push({ mesh, layer, role, parts, scale: Float32Array.from(scale) });
    }
  }

  private writeMatrices(batch: Batch, all: boolean): void {
    const { run, poses } = this;
    const matrices = batch.mesh.instanceMatrix.array as Float32Array;
    batch.parts.forEach((part, i) => {
      const body = run.partBody[part];
      if (!all && run.slotOfBody[body] < 0) return;
      writeMatrix(matrices, 16 * i, poses, 7 * body, run.partPose, 7 * part, batch.scale, 3 * i);
    });
    batch.mesh.instanceMatrix.needsUpdate = true;
    batch.mesh.boundingSphere = null; // recomputed for rays
  }

  private placeHalo(): void {
    for (const copy of this.halo.children) {
      const { mesh, instance } = copy.userData as { mesh: InstancedMesh; instance: number };
      mesh.getMatrixAt(instance, copy.matrix);
    }
  }

  private calcColour(index: number, by: ColourBy): Color {
    const body = this.run.header.bodies[index];
    const wanted = parseColour(body.colour);
    if (wanted) return wanted;
    if (this.run.slotOfBody[index] < 0) return new Color(kFixedColour);
    const slot = by === "body" ? this.run.slotOfBody[index] : body.material;
    return new Color(kBodyColours[slot % kBodyColours.length]);
  }
}

// The browser's own parser decides what a colour is; anything else counts as none.
function parseColour(text: string): Color | null {
  return text && CSS.supports("color", text) ? new Color().setStyle(toRgb(text)) : null;
}

function toRgb(text: string): string {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return text;
  context.fillStyle = text;
  return context.fillStyle.toString();
}

// What lies over the picture of a body, and lets it through.
function makeVeil(): MeshStandardMaterial {
  return new MeshStandardMaterial({
    color: kVeilColour,
    opacity: 0.4,
    transparent: true,
    depthWrite: false,
    flatShading: true,
    polygonOffset: true,
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });
}

// A slightly larger copy seen from inside makes a rim around the selected body.
function makeHalo(mesh: InstancedMesh, instance: number): Mesh {
  const material = new MeshBasicMaterial({ color: "#f0e442", side: BackSide });
  material.onBeforeCompile = (shader) => {
    shader.vertexShader = shader.vertexShader.replace(
      "#include <project_vertex>",
      `#include <project_vertex>
       vec4 rim = modelViewMatrix * vec4(transformed, 1.0);
       vec3 centre = (modelViewMatrix * vec4(0.0, 0.0, 0.0, 1.0)).xyz;
       rim.xyz += normalize(rim.xyz - centre) * 0.006 * -centre.z;
       gl_Position = projectionMatrix * rim;`,
    );
  };
  const copy = new Mesh(mesh.geometry, material);
  copy.matrixAutoUpdate = false;
  copy.frustumCulled = false;
  copy.userData = { mesh, instance };
  return copy;
}

// out = (pose of the body) * (pose of the part) * scale, column by column.
function writeMatrix(
  out: Float32Array,
  o: number,
  body: Float32Array,
  b: number,
  part: Float32Array,
  p: number,
  scale: Float32Array,
  s: number,
): void {
  const bw = body[b + 3],
    bx = body[b + 4],
    by = body[b + 5],
    bz = body[b + 6];
  const pw = part[p + 3],
    px = part[p + 4],
    py = part[p + 5],
    pz = part[p + 6];
  const w = bw * pw - bx * px - by * py - bz * pz;
  const x = bw * px + bx * pw + by * pz - bz * py;
  const y = bw * py - bx * pz + by * pw + bz * px;
  const z = bw * pz + bx * py - by * px + bz * pw;
  const sx = scale[s],
    sy = scale[s + 1],
    sz = scale[s + 2];
  out[o] = (1 - 2 * (y * y + z * z)) * sx;
  out[o + 1] = 2 * (x * y + w * z) * sx;
  out[o + 2] = 2 * (x * z - w * y) * sx;
  out[o + 3] = 0;
  out[o + 4] = 2 * (x * y - w * z) * sy;
  out[o + 5] = (1 - 2 * (x * x + z * z)) * sy;
  out[o + 6] = 2 * (y * z + w * x) * sy;
  out[o + 7] = 0;
  out[o + 8] = 2 * (x * z + w * y) * sz;
  out[o + 9] = 2 * (y * z - w * x) * sz;
  out[o + 10] = (1 - 2 * (x * x + y * y)) * sz;
  out[o + 11] = 0;
  // Rotate the part's offset by the body's quaternion: t = 2 u x p, p' = p + w t + u x t.
  const ox = part[p],
    oy = part[p + 1],
    oz = part[p + 2];
  const tx = 2 * (by * oz - bz * oy),
    ty = 2 * (bz * ox - bx * oz),
    tz = 2 * (bx * oy - by * ox);
  out[o + 12] = body[b] + ox + bw * tx + by * tz - bz * ty;
  out[o + 13] = body[b + 1] + oy + bw * ty + bz * tx - bx * tz;
  out[o + 14] = body[b + 2] + oz + bw * tz + bx * ty - by * tx;
  out[o + 15] = 1;
}
