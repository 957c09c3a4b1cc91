// Contacts: a mark where bodies touch, whose shape tells the mode; an arrow for the force on the second body;
// and, if wanted, the normal, the friction cone and the slip. All of it is placed by the graphics processor,
// so that ten thousand contacts cost no more than ten.

import {
  Color,
  DoubleSide,
  Float32BufferAttribute,
  GreaterDepth,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  LessEqualDepth,
  Mesh,
  ShaderMaterial,
  Vector2,
  Vector3,
  type Camera,
} from "three";
import {
  calcStepDuration,
  calcTypical,
  hasEvenSteps,
  makeScale,
  type ArrowScale,
  type ArrowsShow,
} from "./arrow_scale";
import { collectContacts, kPressureSign, type ContactItems, type ContactsAs } from "./contact_arrays";
import {
  kArrowFragmentShader,
  kArrowShader,
  kConeFragmentShader,
  kConeShader,
  kMarkFragmentShader,
  kMarkShader,
} from "./contact_shaders";
import type { Contact, FrameBlock, Reaction } from "./frames";
import { kRampColours, signColours } from "./palette";
import { currentTheme } from "./theme";
import type { Run } from "./run";

export type ContactColour = "mode" | "residual";

const kMany = 300; // contacts in a frame: from here on those that bodies hide are not drawn at all
const kPickRadius = 12; // px

type Signs = Mesh<InstancedBufferGeometry, ShaderMaterial>;

// The contacts of the frame shown.
// A contact, or the resultant of a pair, as it is drawn.
export interface DrawnContact {
  at: number[]; // m
  impulse: number[]; // N s
  friction: number; // -   of its cone
  slip: number; // m   length of the arrow of its slip; 0 where none is drawn
  isPale: boolean; // its force is not unique
}

interface Shown {
  block: FrameBlock;
  frame: number;
  begin: number;
  end: number;
  at: Float32Array; // m   where the marks of the contacts are
  duration: number; // s   of the step that ended with the frame; 0 = unknown
}

export class Contacts {
  readonly group = new Group();
  showNormals = false;
  showCones = false;
  showSlip = false;
  as: ContactsAs = "points";
  arrowsShow: ArrowsShow;
  scale: ArrowScale = { length: 1, amount: 1, most: 1 };
  slipScale: ArrowScale = { length: 1, amount: 1, most: 1 };
  private shown: Shown | null = null;
  private items!: ContactItems; // of the frame shown
  private capacity = 0;
  private seeThrough = false;
  private readonly signs: Record<"normals" | "cones" | "arrows" | "slips" | "marks", Signs[]>;
  private readonly uniforms = {
    forceLength: { value: 1 }, // m per N s
    slipLength: { value: 1 }, // m per m/s
    mostLength: { value: 1 }, // m
    bodySize: { value: 1 }, // m
    byResidual: { value: 0 },
    modeColours: { value: signColours().map(toSrgb) },
    paleColour: { value: toSrgb(currentTheme().pale) },
    ramp: { value: kRampColours.map((rgb) => new Vector3(...rgb)) },
    size: { value: new Vector2(1, 1) },
    markSize: { value: 11 },
  };
  private stretch = 1;

  constructor(
    private readonly run: Run,
    private radius: number,
    private readonly bodySize: number,
    private readonly positionOf: (body: number) => Float32Array,
  ) {
    this.arrowsShow = hasEvenSteps(run) ? "force" : "impulse";
    this.uniforms.bodySize.value = bodySize;
    const arrow = (kind: string) =>
      this.makeSigns(makeArrow, `#define ${kind}\n${kArrowShader}`, kArrowFragmentShader);
    this.signs = {
      normals: arrow("NORMAL"),
      cones: this.makeSigns(makeCone, kConeShader, kConeFragmentShader).slice(0, 1),
      arrows: arrow("FORCE"),
      slips: arrow("SLIP"),
      marks: this.makeSigns(makeQuad, kMarkShader, kMarkFragmentShader),
    };
    Object.values(this.signs).forEach(([solid, ghost], i) => {
      solid.renderOrder = 20 + i;
      if (ghost) ghost.renderOrder = 10 + i;
    });
    for (const mesh of [this.signs.arrows[0], this.signs.slips[0]]) mesh.material.depthWrite = true;
    for (const mesh of this.signs.cones) mesh.material.side = DoubleSide;
    this.group.add(...this.all);
    this.reserve(1);
    this.measure();
  }

  // Arrows are linear in what they show, up to a limit; a growing run may change what is typical.
  measure(radius = this.radius): void {
    this.radius = radius;
    const block = this.shown?.block ?? this.run.store.sample().block;
    const duration = this.shown?.duration || calcStepDuration(this.run, this.run.endTime);
    const impulse = calcTypical(block.contactImpulse);
    const typical = this.arrowsShow === "force" && duration > 0 ? impulse / duration : impulse;
    this.scale = makeScale(typical, this.bodySize, radius, this.stretch);
    this.slipScale = makeScale(calcTypical(block.contactSlip), this.bodySize, radius, 1.5);
    this.uniforms.mostLength.value = this.scale.most;
    this.uniforms.slipLength.value = this.slipScale.length / this.slipScale.amount;
    this.scaleArrows();
  }

  setStretch(stretch: number): void {
    this.stretch = stretch;
    this.measure();
  }

  // Unit of the arrows: newtons, or impulses where step lengths vary.
  get unit(): "N" | "N s" {
    return this.arrowsShow === "force" ? "N" : "N s";
  }

  // For a light or a dark page.
  paint(): void {
    this.uniforms.paleColour.value = toSrgb(currentTheme().pale);
    this.uniforms.modeColours.value = signColours().map(toSrgb);
  }

  get colourBy(): ContactColour {
    return this.uniforms.byResidual.value > 0 ? "residual" : "mode";
  }
  set colourBy(by: ContactColour) {
    this.uniforms.byResidual.value = by === "residual" ? 1 : 0;
  }

  // True if the frames loaded so far have contacts whose force is not unique.
  get hasOpen(): boolean {
    return this.run.store.sample().block.contactOpen.some((open) => open > 0);
  }
  get joints(): ("joint stop" | "joint friction")[] {
    const kinds = new Set(this.run.store.sample().block.contactKind);
    return (["joint stop", "joint friction"] as const).filter((_, i) => kinds.has(i + 1));
  }

  // The block holds the frame.
  update(frame: number, block: FrameBlock, width: number, height: number): void {
    const [begin, end] = block.contactRange(frame);
    const items = collectContacts(this.run, block, [begin, end], this.as, this.positionOf);
    const isFirst = this.numContacts === 0 && end > begin;
    const duration =
      end > begin ? block.contact(begin).duration : calcStepDuration(this.run, this.run.frameTimes[frame]);
    const at = this.as === "points" ? items.at : block.contactPosition.subarray(3 * begin, 3 * end);
    this.shown = { block, frame, begin, end, at, duration };
    if (isFirst && this.run.growing) this.measure();
    else this.scaleArrows();
    this.items = items;
    this.fill(items);
    this.uniforms.size.value.set(width, height);
    const usual = items.count > 1000 ? 4 : items.count > 100 ? 6 : 9;
    this.uniforms.markSize.value = usual * Math.min(1, Math.max(0.6, Math.min(width, height) / 600));
    this.setVisible();
  }

  // Marks hidden by bodies are faint, and invisible in a heap; with see-through, all are drawn.
  setSeeThrough(seeThrough: boolean): void {
    this.seeThrough = seeThrough;
    this.setVisible();
  }

  // Of the frame shown.
  get reactions(): Reaction[] {
    return this.shown ? this.shown.block.reactions(this.shown.frame) : [];
  }
  get numContacts(): number {
    return this.shown ? this.shown.end - this.shown.begin : 0;
  }
  get numArrows(): number {
    return this.signs.arrows[0].userData.numArrows as number;
  }
  // s   of the step whose impulses are shown; 0 = unknown
  get duration(): number {
    return this.shown?.duration ?? 0;
  }

  // As they are drawn: contacts, or the resultants of pairs.
  get drawn(): DrawnContact[] {
    const { at, impulse, slip, friction, mode, open, count } = this.items;
    const slipLength = this.showSlip ? this.uniforms.slipLength.value : 0;
    const all = Array.from({ length: count }, (_, i) => ({
      at: Array.from(at.subarray(3 * i, 3 * i + 3)),
      impulse: Array.from(impulse.subarray(3 * i, 3 * i + 3)),
      friction: friction[i],
      slip: slipLength * Math.hypot(...slip.subarray(3 * i, 3 * i + 3)),
      isPale: open[i] > 0,
    }));
    return this.as === "points" ? all : all.filter((_, i) => mode[i] === kPressureSign);
  }

  // m
  arrowLength(index: number): number {
    const size = Math.hypot(...this.contact(index).impulse);
    return Math.min(this.uniforms.forceLength.value * size, this.scale.most);
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
      p.fromArray(this.shown.at, 3 * c).project(camera);
      if (p.z < -1 || p.z > 1) continue;
      const away = Math.hypot(((p.x + 1) / 2) * width - x, ((1 - p.y) / 2) * height - y);
      if (away < least) [best, least] = [c, away];
    }
    return best;
  }

  private get all(): Signs[] {
    return Object.values(this.signs).flat();
  }

  private scaleArrows(): void {
    const perSecond = this.arrowsShow === "force" && this.duration > 0 ? 1 / this.duration : 1;
    this.uniforms.forceLength.value = (perSecond * this.scale.length) / this.scale.amount;
  }

  private setVisible(): void {
    const isHeap = this.numContacts >= kMany;
    const wanted = { normals: this.showNormals, cones: this.showCones, slips: this.showSlip };
    for (const [name, meshes] of Object.entries(this.signs)) {
      const on = wanted[name as keyof typeof wanted] ?? true;
      meshes.forEach((mesh, i) => {
        const isGhost = i === 1;
        mesh.visible = on && !(isGhost && (isHeap || this.seeThrough));
        if (!isGhost) mesh.material.depthTest = !this.seeThrough;
      });
    }
  }

  private fill(items: ContactItems): void {
    this.reserve(items.count);
    const { geometry } = this.signs.marks[0];
    for (const name of kAttributes) {
      const attribute = geometry.getAttribute(name) as InstancedBufferAttribute;
      attribute.array.set(items[name]);
      attribute.clearUpdateRanges();
      attribute.addUpdateRange(0, items[name].length);
      attribute.needsUpdate = true;
    }
    for (const mesh of this.all) mesh.geometry.instanceCount = items.count;
    let numArrows = 0;
    for (let i = 0; i < 3 * items.count; i += 3)
      if (items.impulse[i] || items.impulse[i + 1] || items.impulse[i + 2]) ++numArrows;
    this.signs.arrows[0].userData.numArrows = numArrows;
  }

  // All meshes share the attributes.
  private reserve(count: number): void {
    if (count <= this.capacity) return;
    this.capacity = Math.max(64, 2 * this.capacity, count);
    const n = this.capacity;
    const attributes: Record<(typeof kAttributes)[number], InstancedBufferAttribute> = {
      at: new InstancedBufferAttribute(new Float32Array(3 * n), 3),
      impulse: new InstancedBufferAttribute(new Float32Array(3 * n), 3),
      along: new InstancedBufferAttribute(new Int16Array(3 * n), 3, true),
      slip: new InstancedBufferAttribute(new Float32Array(3 * n), 3),
      mode: new InstancedBufferAttribute(new Uint8Array(n), 1),
      open: new InstancedBufferAttribute(new Uint8Array(n), 1),
      residual: new InstancedBufferAttribute(new Float32Array(n), 1),
      friction: new InstancedBufferAttribute(new Float32Array(n), 1),
    };
    for (const { geometry } of this.all) {
      geometry.dispose();
      for (const [name, attribute] of Object.entries(attributes))
        geometry.setAttribute(name, attribute);
    }
  }

  // Draws visible marks, and a faint copy of hidden ones.
  private makeSigns(
    make: () => InstancedBufferGeometry,
    vertexShader: string,
    fragmentShader: string,
  ): Signs[] {
    return [false, true].map((isGhost) => {
      const material = new ShaderMaterial({
        depthFunc: isGhost ? GreaterDepth : LessEqualDepth,
        depthWrite: false,
        transparent: true,
        uniforms: this.uniforms,
        vertexShader,
        fragmentShader: isGhost ? `#define GHOST\n${fragmentShader}` : fragmentShader,
      });
      const geometry = make();
      geometry.instanceCount = 0;
      const mesh = new Mesh(geometry, material);
      mesh.frustumCulled = false;
      return mesh;
    });
  }
}

const kAttributes = [
  "at",
  "impulse",
  "along",
  "slip",
  "mode",
  "open",
  "residual",
  "friction",
] as const;

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

// Apex at z = 0, a unit circle at z = 1, and a narrow band below it for the rim.
function makeCone(): InstancedBufferGeometry {
  const kSides = 32;
  const position: number[] = [];
  const index: number[] = [];
  for (const z of [0, 0.965, 1])
    for (let k = 0; k < kSides; ++k) {
      const angle = (2 * Math.PI * k) / kSides;
      position.push(Math.cos(angle), Math.sin(angle), z);
    }
  for (const ring of [0, 1]) addBand(index, ring, kSides);
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setIndex(index);
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
  for (const ring of [0, 2, 3]) addBand(index, ring, kSides);
  const geometry = new InstancedBufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(position, 3));
  geometry.setAttribute("head", new Float32BufferAttribute(head, 1));
  geometry.setIndex(index);
  return geometry;
}

// Triangles between a ring of vertices and the next.
function addBand(index: number[], ring: number, sides: number): void {
  for (let k = 0; k < sides; ++k) {
    const a = ring * sides + k;
    const b = ring * sides + ((k + 1) % sides);
    index.push(a, b, a + sides, b, b + sides, a + sides);
  }
}
