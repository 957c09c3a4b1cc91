// Contacts: a dot where bodies touch, a thin line along the normal, and an arrow for the impulse on
// the second body. Drawn over the bodies, because the arrows start inside them.

import {
  Color,
  ConeGeometry,
  CylinderGeometry,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  Quaternion,
  SphereGeometry,
  Vector3,
  type BufferGeometry,
  type Camera,
} from "three";
import { kModeColours, rampColour, residualShade } from "./palette";
import { kModes, type Run } from "./run";

export type ContactColour = "mode" | "residual";

const kDotSize = 0.007; // of the distance to the camera
const kShaftSize = 0.0028;
const kHeadLength = 0.022;
const kZ = new Vector3(0, 0, 1);

export class Contacts {
  readonly group = new Group();
  colourBy: ContactColour = "mode";
  showNormals = false;
  arrowScale = 1;
  numArrows = 0; // drawn now
  numDots = 0;

  private readonly dots: InstancedMesh;
  private readonly shafts: InstancedMesh;
  private readonly heads: InstancedMesh;
  private readonly normals: InstancedMesh;
  private readonly fullLength: number; // m per N s
  private first = 0; // contact shown by dot 0

  constructor(
    private readonly run: Run,
    private readonly radius: number,
  ) {
    const capacity = Math.max(1, calcMostContacts(run));
    const make = (geometry: BufferGeometry) => makeOverlay(geometry, capacity);
    this.dots = make(new SphereGeometry(1, 12, 8));
    this.shafts = make(turned(new CylinderGeometry(1, 1, 1, 8).translate(0, 0.5, 0)));
    this.heads = make(turned(new ConeGeometry(1, 1, 12).translate(0, -0.5, 0)));
    this.normals = make(turned(new CylinderGeometry(1, 1, 1, 6).translate(0, 0.5, 0)));
    this.group.add(this.normals, this.shafts, this.heads, this.dots);
    this.fullLength = (0.35 * radius) / calcTypicalImpulse(run);
  }

  // Arrow lengths are linear in the impulse, up to three times the typical one.
  update(frame: number, camera: Camera): void {
    const [begin, end] = this.run.contactRange(frame);
    this.first = begin;
    this.numDots = end - begin;
    this.numArrows = 0;
    for (let c = begin; c < end; ++c) this.place(c, c - begin, camera);
    this.dots.count = this.numDots;
    this.normals.count = this.showNormals ? this.numDots : 0;
    this.shafts.count = this.heads.count = this.numArrows;
    for (const mesh of [this.dots, this.normals, this.shafts, this.heads]) {
      mesh.instanceMatrix.needsUpdate = true;
      if (mesh.instanceColor) mesh.instanceColor.needsUpdate = true;
      mesh.boundingSphere = null;
    }
  }

  get target(): InstancedMesh {
    return this.dots;
  }
  contactOf(instance: number): number {
    return this.first + instance;
  }

  private place(contact: number, instance: number, camera: Camera): void {
    const { run } = this;
    const at = new Vector3().fromArray(run.contactPosition, 3 * contact);
    const size = camera.position.distanceTo(at);
    const colour = this.calcColour(contact);
    setInstance(this.dots, instance, at, kNoTurn, new Vector3().setScalar(kDotSize * size), colour);
    if (this.showNormals) this.placeNormal(contact, instance, at, size);
    const impulse = new Vector3().fromArray(run.contactImpulse, 3 * contact);
    const length =
      Math.min(this.fullLength * impulse.length(), 1.05 * this.radius) * this.arrowScale;
    if (length > 0) this.placeArrow(at, impulse.normalize(), length, size, colour);
  }

  private placeArrow(
    at: Vector3,
    along: Vector3,
    length: number,
    size: number,
    colour: Color,
  ): void {
    const turn = new Quaternion().setFromUnitVectors(kZ, along);
    const head = Math.min(kHeadLength * size, 0.5 * length);
    const shaft = kShaftSize * size;
    const tip = at.clone().addScaledVector(along, length);
    setInstance(
      this.shafts,
      this.numArrows,
      at,
      turn,
      new Vector3(shaft, shaft, length - head),
      colour,
    );
    setInstance(
      this.heads,
      this.numArrows,
      tip,
      turn,
      new Vector3(0.36 * head, 0.36 * head, head),
      colour,
    );
    ++this.numArrows;
  }

  private placeNormal(contact: number, instance: number, at: Vector3, size: number): void {
    const along = new Vector3().fromArray(this.run.contact(contact).normal);
    const width = 0.4 * kShaftSize * size;
    setInstance(
      this.normals,
      instance,
      at,
      new Quaternion().setFromUnitVectors(kZ, along.normalize()),
      new Vector3(width, width, 0.05 * size),
      kNormalColour,
    );
  }

  private calcColour(contact: number): Color {
    if (this.colourBy === "mode") return kModeShades[this.run.contactMode[contact]];
    return new Color().setRGB(
      ...rampColour(residualShade(this.run.contactResidual[contact])),
      "srgb",
    );
  }
}

const kNoTurn = new Quaternion();
const kNormalColour = new Color("#7b848c");
const kModeShades = kModes.map((mode) => new Color(kModeColours[mode]));

const matrix = new Matrix4();
function setInstance(
  mesh: InstancedMesh,
  instance: number,
  at: Vector3,
  turn: Quaternion,
  scale: Vector3,
  colour: Color,
): void {
  mesh.setMatrixAt(instance, matrix.compose(at, turn, scale));
  mesh.setColorAt(instance, colour);
}

function makeOverlay(geometry: BufferGeometry, capacity: number): InstancedMesh {
  const material = new MeshBasicMaterial({
    depthTest: false,
    transparent: true,
    toneMapped: false,
  });
  const mesh = new InstancedMesh(geometry, material, capacity);
  mesh.frustumCulled = false;
  mesh.renderOrder = 10;
  mesh.count = 0;
  return mesh;
}

function turned(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function calcMostContacts(run: Run): number {
  let most = 0;
  for (let row = 0; row + 1 < run.contactBegin.length; ++row)
    most = Math.max(most, run.contactBegin[row + 1] - run.contactBegin[row]);
  return most;
}

// The nine-tenths quantile of the nonzero impulses, so that one blow does not hide the rest.
function calcTypicalImpulse(run: Run): number {
  const sizes: number[] = [];
  const count = run.contactImpulse.length / 3;
  const stride = Math.max(1, Math.floor(count / 20000));
  for (let c = 0; c < count; c += stride) {
    const size = Math.hypot(...run.contactImpulse.subarray(3 * c, 3 * c + 3));
    if (size > 0) sizes.push(size);
  }
  if (sizes.length === 0) return 1;
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(0.9 * (sizes.length - 1))];
}
