// Contacts: a mark where bodies touch, whose shape tells the mode; a thin line along the normal; and
// an arrow for the impulse on the second body. All of it is placed by the graphics processor from
// the run's own arrays, so that ten thousand contacts cost no more than ten.

import {
  Color,
  Float32BufferAttribute,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
  type Camera,
} from "three";
import {
  kArrowShader,
  kFlatColourShader,
  kMarkFragmentShader,
  kMarkShader,
} from "./contact_shaders";
import type { Contact, FrameBlock, Reaction } from "./frames";
import { kModes } from "./frames";
import { kModeColours, kRampColours } from "./palette";
import type { Run } from "./run";

export type ContactColour = "mode" | "residual";

const kMany = 300; // contacts in a frame: from here on bodies hide those behind them
const kPickRadius = 12; // px
const kLengthOfTypical = 0.35; // arrow of a typical impulse, in scene radii
const kMostLength = 0.8; // of any arrow, in scene radii

// The contacts of the frame shown.
interface Shown {
  block: FrameBlock;
  frame: number;
  begin: number;
  end: number;
}

export class Contacts {
  readonly group = new Group();
  showNormals = false;
  private shown: Shown | null = null;
  private capacity = 0;
  private readonly arrows: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly normals: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly marks: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  private readonly uniforms = {
    typicalLength: { value: 1 }, // m per N s
    mostLength: { value: 1 }, // m
    byResidual: { value: 0 },
    modeColours: { value: kModes.map((mode) => toSrgb(kModeColours[mode])) },
    ramp: { value: kRampColours.map((rgb) => new Vector3(...rgb)) },
    size: { value: new Vector2(1, 1) },
    markSize: { value: 11 },
  };
  private arrowScale = 1;
  private typical = 0; // N s
  private radius: number;

  constructor(
    private readonly run: Run,
    radius: number,
  ) {
    this.radius = radius;
    this.arrows = this.makeMesh(makeArrow(), kArrowShader, kFlatColourShader);
    this.normals = this.makeMesh(makeArrow(), `#define NORMAL\n${kArrowShader}`, kFlatColourShader);
    this.marks = this.makeMesh(makeQuad(), kMarkShader, kMarkFragmentShader);
    [this.normals, this.arrows, this.marks].forEach((mesh, i) => (mesh.renderOrder = 10 + i));
    this.group.add(this.normals, this.arrows, this.marks);
    this.reserve(1);
    this.measure();
  }

  // Impulses are linear in length, up to a limit; a growing run may change what is typical.
  measure(radius = this.radius): void {
    this.radius = radius;
    this.typical = calcTypicalImpulse(this.shown?.block ?? this.run.store.sample().block);
    this.setArrowScale(this.arrowScale);
  }

  setArrowScale(scale: number): void {
    this.arrowScale = scale;
    const typical = this.typical > 0 ? this.typical : 1;
    this.uniforms.typicalLength.value = (scale * kLengthOfTypical * this.radius) / typical;
    this.uniforms.mostLength.value = scale * kMostLength * this.radius;
  }

  set colourBy(by: ContactColour) {
    this.uniforms.byResidual.value = by === "residual" ? 1 : 0;
  }

  // The block holds the frame.
  update(frame: number, block: FrameBlock, width: number, height: number): void {
    const [begin, end] = block.contactRange(frame);
    this.shown = { block, frame, begin, end };
    if (this.typical === 0 && end > begin) this.measure();
    const count = end - begin;
    this.reserve(count);
    this.fill("at", block.contactPosition.subarray(3 * begin, 3 * end));
    this.fill("impulse", block.contactImpulse.subarray(3 * begin, 3 * end));
    this.fill("along", block.contactNormal.subarray(3 * begin, 3 * end));
    this.fill("mode", block.contactMode.subarray(begin, end));
    this.fill("open", block.contactOpen.subarray(begin, end));
    this.fill("residual", block.contactResidual.subarray(begin, end));
    for (const mesh of [this.arrows, this.normals, this.marks]) mesh.geometry.instanceCount = count;
    this.normals.visible = this.showNormals;
    this.uniforms.size.value.set(width, height);
    this.uniforms.markSize.value = count > 1000 ? 5 : count > 100 ? 7 : 10;
  }

  // In a heap only what is in sight is drawn, unless the bodies are seen through.
  setDepth(seeThrough: boolean): void {
    const hide = !seeThrough && this.numContacts >= kMany;
    for (const mesh of [this.arrows, this.normals, this.marks]) mesh.material.depthTest = hide;
  }

  // Of the frame shown.
  get reactions(): Reaction[] {
    return this.shown ? this.shown.block.reactions(this.shown.frame) : [];
  }
  get numContacts(): number {
    return this.shown ? this.shown.end - this.shown.begin : 0;
  }
  get numArrows(): number {
    let count = 0;
    for (let c = 0; c < this.numContacts; ++c) {
      const [x, y, z] = this.contact(c).impulse;
      if (x !== 0 || y !== 0 || z !== 0) ++count;
    }
    return count;
  }

  // Of the frame shown, counted from 0.
  contact(index: number): Contact {
    if (!this.shown) throw new Error("no contacts are shown");
    return this.shown.block.contact(this.shown.begin + index);
  }

  // The contact nearest to a point of the picture, or -1.
  pick(x: number, y: number, camera: Camera): number {
    if (!this.group.visible || !this.shown) return -1;
    const { width, height } = this.uniforms.size.value;
    const p = new Vector3();
    let best = -1;
    let least = kPickRadius;
    for (let c = 0; c < this.numContacts; ++c) {
      p.fromArray(this.shown.block.contactPosition, 3 * (this.shown.begin + c)).project(camera);
      if (p.z < -1 || p.z > 1) continue;
      const away = Math.hypot(((p.x + 1) / 2) * width - x, ((1 - p.y) / 2) * height - y);
      if (away < least) [best, least] = [c, away];
    }
    return best;
  }

  private fill(name: string, values: ArrayLike<number>): void {
    const attribute = this.marks.geometry.getAttribute(name) as InstancedBufferAttribute;
    attribute.array.set(values);
    attribute.clearUpdateRanges();
    attribute.addUpdateRange(0, values.length);
    attribute.needsUpdate = true;
  }

  // Three meshes share the attributes.
  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.max(64, 2 * this.capacity, count);
    const n = this.capacity;
    const attributes: Record<string, InstancedBufferAttribute> = {
      at: new InstancedBufferAttribute(new Float32Array(3 * n), 3),
      impulse: new InstancedBufferAttribute(new Float32Array(3 * n), 3),
      along: new InstancedBufferAttribute(new Int16Array(3 * n), 3, true),
      mode: new InstancedBufferAttribute(new Uint8Array(n), 1),
      open: new InstancedBufferAttribute(new Uint8Array(n), 1),
      residual: new InstancedBufferAttribute(new Float32Array(n), 1),
    };
    for (const { geometry } of [this.arrows, this.normals, this.marks]) {
      geometry.dispose();
      for (const [name, attribute] of Object.entries(attributes))
        geometry.setAttribute(name, attribute);
    }
  }

  private makeMesh(
    geometry: InstancedBufferGeometry,
    vertexShader: string,
    fragmentShader: string,
  ): Mesh<InstancedBufferGeometry, ShaderMaterial> {
    const material = new ShaderMaterial({
      depthTest: false,
      depthWrite: false,
      transparent: true,
      uniforms: this.uniforms,
      vertexShader,
      fragmentShader,
    });
    geometry.instanceCount = 0;
    const mesh = new Mesh(geometry, material);
    mesh.frustumCulled = false;
    return mesh;
  }
}

function toSrgb(colour: string): Vector3 {
  const { r, g, b } = new Color(colour).convertLinearToSRGB();
  return new Vector3(r, g, b);
}

function makeQuad(): InstancedBufferGeometry {
  const geometry = new InstancedBufferGeometry();
  const corners = [-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0];
  geometry.setAttribute("position", new Float32BufferAttribute(corners, 3));
  geometry.setIndex([0, 1, 2, 0, 2, 3]);
  return geometry;
}

// A shaft and a head about z: x and y on the unit circle (or the tip at 0), z from 0 to 1 along each
// of the two; `head` tells which.
function makeArrow(): InstancedBufferGeometry {
  const kSides = 10;
  const position: number[] = [];
  const head: number[] = [];
  const index: number[] = [];
  const addRing = (radius: number, z: number, isHead: number) => {
    for (let k = 0; k < kSides; ++k) {
      const angle = (2 * Math.PI * k) / kSides;
      position.push(radius * Math.cos(angle), radius * Math.sin(angle), z);
      head.push(isHead);
    }
  };
  addRing(1, 0, 0);
  addRing(1, 1, 0);
  addRing(0, 0, 1); // the head's flat back
  addRing(1, 0, 1);
  addRing(0, 1, 1);
  for (const ring of [0, 2, 3]) {
    for (let k = 0; k < kSides; ++k) {
      const a = ring * kSides + k;
      const b = ring * kSides + ((k + 1) % kSides);
      index.push(a, b, a + kSides, b, b + kSides, a + kSides);
    }
  }
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("head", new Float32BufferAttribute(head, 1));
  geometry.setIndex(index);
  return geometry;
}

// The nine-tenths quantile of the nonzero impulses, so that one blow does not hide the rest.
function calcTypicalImpulse(block: FrameBlock): number {
  const sizes: number[] = [];
  const p = block.contactImpulse;
  const stride = 3 * Math.max(1, Math.floor(p.length / 30000));
  for (let i = 0; i + 2 < p.length; i += stride) {
    const size = Math.hypot(p[i], p[i + 1], p[i + 2]);
    if (size > 0) sizes.push(size);
  }
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))] ?? 0;
}
