// The floor: planes as wide discs with a grid of round numbers, seen from their outer side only and fading
// out, so that walls never hide the scene; a bare grid under scenes without a plane; the axes of the world.

import {
  type Box3,
  BoxGeometry,
  CircleGeometry,
  Color,
  Group,
  Mesh,
  MeshBasicMaterial,
  MeshLambertMaterial,
  Quaternion,
  Sphere,
  Vector2,
  Vector3,
} from "three";
import { byId } from "./dom";
import { formatLength } from "./format";
import { kSolidLayer } from "./occlusion";
import type { Run } from "./run";
import type { Theme } from "./theme";

const kDiscRadii = 6; // disc radius over scene radius
const kAxisColours = ["#c8372d", "#2f7d32", "#2b62c4"]; // x, y, z

interface Disc {
  mesh: Mesh;
  material: MeshLambertMaterial | MeshBasicMaterial;
  isBare: boolean; // a grid without a floor
}

export class Ground {
  readonly group = new Group();
  readonly axes = new Group();
  private readonly discs: Disc[] = [];
  private readonly uniforms = { lineColour: { value: new Color() }, gridPart: { value: 1 } };
  private theme: Theme | null = null;

  constructor(private readonly run: Run) {}

  // Discs for a scene of that size.
  build(region: Box3): void {
    const { run } = this;
    const { center: centre, radius } = region.getBoundingSphere(new Sphere());
    for (const { mesh, material } of this.discs.splice(0)) {
      mesh.geometry.dispose();
      material.dispose();
    }
    this.group.clear();
    const spacing = calcSpacing(radius);
    byId("grid-scale").textContent = `Grid ${formatLength(spacing)}`;
    const pose = new Float32Array(7);
    run.partShape.forEach((shape, part) => {
      if (run.header.shapes[shape].kind !== "plane") return;
      const body = run.partBody[part];
      run.calcPose(body, 0, 0, pose);
      const local = run.partPose.subarray(7 * part, 7 * part + 7);
      this.addDisc(radius, spacing, placeDisc(pose, local, centre), false).userData = { body };
    });
    if (this.discs.length === 0) {
      const position = new Vector3(centre.x, centre.y, region.min.z - 0.1 * radius);
      const offset = new Vector2(centre.x, centre.y);
      this.addDisc(radius, spacing, { position, turn: new Quaternion(), offset }, true);
    }
    this.buildAxes(centre, radius, spacing);
    if (this.theme) this.applyTheme(this.theme);
  }

  // Floors to cast rays at.
  get targets(): Mesh[] {
    return this.discs.filter((disc) => !disc.isBare).map((disc) => disc.mesh);
  }

  applyTheme(theme: Theme): void {
    this.theme = theme;
    this.uniforms.lineColour.value.set(theme.gridLine);
    for (const { material } of this.discs) material.color.set(theme.ground);
  }

  setGrid(on: boolean): void {
    this.uniforms.gridPart.value = on ? 1 : 0;
    this.axes.visible = on;
    byId("grid-scale").hidden = !on;
  }

  private addDisc(radius: number, spacing: number, place: Place, isBare: boolean): Mesh {
    // A grid without a floor has neither light nor shadow.
    const material = new (isBare ? MeshBasicMaterial : MeshLambertMaterial)({
      transparent: true,
      polygonOffset: true, // a face that lies in the plane wins
      polygonOffsetFactor: 1,
      polygonOffsetUnits: 1,
      depthWrite: !isBare,
    });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms, { offset: { value: place.offset } });
      shader.vertexShader =
        "varying vec2 vFlat;\n" +
        shader.vertexShader.replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\nvFlat = position.xy;",
        );
      shader.fragmentShader =
        "varying vec2 vFlat;\nuniform vec3 lineColour;\nuniform float gridPart;\nuniform vec2 offset;\n" +
        kLineShader +
        shader.fragmentShader.replace(
          "#include <color_fragment>",
          makeGridShader(spacing, kDiscRadii * radius, isBare),
        );
    };
    material.customProgramCacheKey = () => `${spacing} ${radius} ${isBare}`;
    const mesh = new Mesh(new CircleGeometry(kDiscRadii * radius, 96), material);
    mesh.position.copy(place.position);
    mesh.quaternion.copy(place.turn);
    mesh.receiveShadow = true;
    if (!isBare) mesh.layers.enable(kSolidLayer);
    this.discs.push({ mesh, material, isBare });
    this.group.add(mesh);
    return mesh;
  }

  // At the origin, unless that is far from everything.
  private buildAxes(centre: Vector3, radius: number, spacing: number): void {
    this.axes.clear();
    if (centre.length() > 4 * radius) return;
    const length = Math.min(spacing, 0.12 * radius);
    const width = 0.05 * length;
    kAxisColours.forEach((colour, axis) => {
      const sides = [width, width, width];
      sides[axis] = length;
      const material = new MeshBasicMaterial({ color: colour, toneMapped: false });
      const arm = new Mesh(new BoxGeometry(...sides), material);
      arm.position.setComponent(axis, length / 2);
      this.axes.add(arm);
    });
  }
}

// How much of a pixel a line covers at multiples of 1. Narrow lines fade instead of flickering.
const kLineShader = `
  float calcLine(vec2 cell, float pixels) {
    vec2 width = max(fwidth(cell), vec2(1e-6));
    vec2 away = abs(fract(cell - 0.5) - 0.5) / width;
    vec2 cover = clamp(0.5 * pixels + 0.5 - away, 0.0, 1.0) * (1.0 - smoothstep(0.1, 0.4, width));
    return max(cover.x, cover.y);
  }
`;

function makeGridShader(spacing: number, radius: number, isBare: boolean): string {
  const fade = `1.0 - smoothstep(0.2, 0.92, length(vFlat) / float(${radius}))`;
  return `#include <color_fragment>
    vec2 cell = (vFlat + offset) / float(${spacing});
    float line = gridPart * max(0.6 * calcLine(cell, 1.0), calcLine(0.2 * cell, 1.6));
    diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, line);
    diffuseColor.a = (${fade}) * ${isBare ? "line" : "1.0"};`;
}

// 1, 2 or 5 times a power of ten, with about eight cells across the scene.
function calcSpacing(radius: number): number {
  const wanted = radius / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].find((s) => s * power >= wanted) ?? 10;
  return step * power;
}

interface Place {
  position: Vector3;
  turn: Quaternion;
  offset: Vector2; // of the disc's middle in the plane's own coordinates   m
}

// Puts a disc under the middle of the scene; its grid stays on round coordinates of the plane.
function placeDisc(body: Float32Array, part: Float32Array, centre: Vector3): Place {
  const turn = new Quaternion(body[4], body[5], body[6], body[3]);
  const origin = new Vector3(part[0], part[1], part[2])
    .applyQuaternion(turn)
    .add(new Vector3(body[0], body[1], body[2]));
  turn.multiply(new Quaternion(part[4], part[5], part[6], part[3]));
  const local = centre.clone().sub(origin).applyQuaternion(turn.clone().invert());
  const offset = new Vector2(local.x, local.y);
  const position = new Vector3(local.x, local.y, 0).applyQuaternion(turn).add(origin);
  return { position, turn, offset };
}
