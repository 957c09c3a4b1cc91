// Planes: a wide disc with a grid of round numbers, seen from its outer side only and fading out,
// so that walls never hide the scene.

import {
  CircleGeometry,
  Color,
  Group,
  Mesh,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from "three";
import type { Run } from "./run";
import type { Theme } from "./theme";

const kDiscRadii = 7; // disc radius over scene radius

export class Ground {
  readonly group = new Group();
  readonly discs: Mesh[] = [];
  private readonly uniforms = { lineColour: { value: new Color() } };
  private readonly materials: MeshStandardMaterial[] = [];
  private theme: Theme | null = null;

  constructor(private readonly run: Run) {}

  // Discs for a scene of that size.
  build(centre: Vector3, radius: number): void {
    const { run } = this;
    for (const disc of this.discs.splice(0)) disc.geometry.dispose();
    this.materials.splice(0).forEach((material) => material.dispose());
    this.group.clear();
    const pose = new Float32Array(7);
    run.partShape.forEach((shape, part) => {
      if (run.header.shapes[shape].kind !== "plane") return;
      const body = run.partBody[part];
      run.calcPose(body, 0, 0, pose);
      const mesh = this.makeDisc(radius);
      placeDisc(mesh, pose, run.partPose.subarray(7 * part, 7 * part + 7), centre);
      mesh.userData = { body };
      this.discs.push(mesh);
      this.group.add(mesh);
    });
    if (this.theme) this.applyTheme(this.theme);
  }

  applyTheme(theme: Theme): void {
    this.theme = theme;
    this.uniforms.lineColour.value.set(theme.gridLine);
    for (const material of this.materials) material.color.set(theme.ground);
  }

  private makeDisc(radius: number): Mesh {
    const material = new MeshStandardMaterial({ roughness: 1, transparent: true });
    const spacing = calcSpacing(radius);
    material.onBeforeCompile = (shader) => {
      shader.uniforms.lineColour = this.uniforms.lineColour;
      shader.vertexShader =
        "varying vec2 vFlat;\n" +
        shader.vertexShader.replace(
          "#include <begin_vertex>",
          "#include <begin_vertex>\nvFlat = position.xy;",
        );
      shader.fragmentShader =
        "varying vec2 vFlat;\nuniform vec3 lineColour;\n" +
        shader.fragmentShader.replace(
          "#include <color_fragment>",
          makeGridShader(spacing, kDiscRadii * radius),
        );
    };
    this.materials.push(material);
    const mesh = new Mesh(new CircleGeometry(kDiscRadii * radius, 96), material);
    mesh.receiveShadow = true;
    return mesh;
  }
}

// Lines are two pixels wide at most and vanish before they would flicker.
function makeGridShader(spacing: number, radius: number): string {
  return `#include <color_fragment>
    vec2 cell = vFlat / float(${spacing});
    vec2 cellWidth = max(fwidth(cell), vec2(1e-6));
    vec2 away = abs(fract(cell - 0.5) - 0.5) / cellWidth;
    float line = (1.0 - min(min(away.x, away.y), 1.0)) *
                 (1.0 - smoothstep(0.12, 0.45, max(cellWidth.x, cellWidth.y)));
    diffuseColor.rgb = mix(diffuseColor.rgb, lineColour, line);
    diffuseColor.a = 1.0 - smoothstep(0.25, 0.95, length(vFlat) / float(${radius}));`;
}

// 1, 2 or 5 times a power of ten, with about eight cells across the scene.
function calcSpacing(radius: number): number {
  const wanted = radius / 4;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const step = [1, 2, 5, 10].find((s) => s * power >= wanted) ?? 10;
  return step * power;
}

// Centres the disc under the scene without sliding the grid off round coordinates of the plane.
function placeDisc(mesh: Mesh, body: Float32Array, part: Float32Array, centre: Vector3): void {
  const turn = new Quaternion(body[4], body[5], body[6], body[3]);
  const origin = new Vector3(part[0], part[1], part[2])
    .applyQuaternion(turn)
    .add(new Vector3(body[0], body[1], body[2]));
  turn.multiply(new Quaternion(part[4], part[5], part[6], part[3]));
  const local = centre.clone().sub(origin).applyQuaternion(turn.clone().invert());
  const shift = new Vector3(local.x, local.y, 0);
  mesh.quaternion.copy(turn);
  mesh.position.copy(shift.applyQuaternion(turn).add(origin));
}
