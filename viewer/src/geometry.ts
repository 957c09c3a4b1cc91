// Shapes as meshes. Spheres, ellipsoids, sharp boxes, cylinders and cones of all sizes share one unit mesh
// each, so that any number of them is one draw call; other shapes share one per distinct shape.

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  SphereGeometry,
  Vector3,
} from "three";
import { RoundedBoxGeometry } from "three/examples/jsm/geometries/RoundedBoxGeometry.js";
import type { Shape } from "./run";
import type { Pattern } from "./surfaces";

// How finely round shapes are drawn: a few, many, or very many of them.
export type Detail = 0 | 1 | 2;
const kBall = [
  [48, 32],
  [20, 14],
  [10, 7],
];
const kAround = [64, 24, 12];
const kRounds = [6, 3, 2]; // facets across a quarter turn of a round edge
const kSmooth = Math.cos((28 * Math.PI) / 180); // faces that meet at less than 28 degrees are one surface

export interface MeshPlan {
  key: string; // parts with the same key share a mesh
  pattern: Pattern;
  scale: [number, number, number];
  make: (detail: Detail) => BufferGeometry;
}

export function planMesh(shape: Exclude<Shape, { kind: "plane" }>, index: number): MeshPlan {
  switch (shape.kind) {
    case "sphere":
      return {
        key: "sphere",
        pattern: "ball",
        scale: [shape.radius, shape.radius, shape.radius],
        make: (detail) => turnToZ(new SphereGeometry(1, kBall[detail][0], kBall[detail][1])),
      };
    case "ellipsoid":
      return {
        key: "sphere",
        pattern: "ball",
        scale: shape.semiaxes,
        make: (detail) => turnToZ(new SphereGeometry(1, kBall[detail][0], kBall[detail][1])),
      };
    case "box":
      if (shape.radius) return planRoundedBox(shape.half, shape.radius);
      return {
        key: "box",
        pattern: "box",
        scale: shape.half,
        make: () => new BoxGeometry(2, 2, 2),
      };
    case "cylinder":
      return {
        key: "cylinder",
        pattern: "roller",
        scale: [shape.radius, shape.radius, shape.halfLength],
        make: (detail) => turnToZ(new CylinderGeometry(1, 1, 2, kAround[detail])),
      };
    case "cone":
      return {
        key: "cone",
        pattern: "roller",
        scale: [shape.radius, shape.radius, shape.halfLength],
        make: (detail) => turnToZ(new CylinderGeometry(0, 1, 2, kAround[detail])),
      };
    case "capsule":
      return {
        key: `capsule ${shape.radius} ${shape.halfLength}`,
        pattern: "roller",
        scale: [1, 1, 1],
        make: (detail) => {
          const around = kAround[detail];
          const capRings = Math.max(3, around / 4);
          return turnToZ(new CapsuleGeometry(shape.radius, 2 * shape.halfLength, capRings, around));
        },
      };
    case "bowl":
      return {
        key: "bowl",
        pattern: "hollow",
        scale: [shape.radius, shape.radius, shape.radius],
        make: () => makeBowl(),
      };
    case "polyhedron":
      return {
        key: `polyhedron ${index}`,
        pattern: "plain",
        scale: [1, 1, 1],
        make: () => makePolyhedron(shape.vertices, shape.triangles),
      };
  }
}

function planRoundedBox(half: [number, number, number], radius: number): MeshPlan {
  const [x, y, z] = half;
  return {
    key: `box ${x} ${y} ${z} ${radius}`,
    pattern: "plain",
    scale: [1, 1, 1],
    make: (detail) => new RoundedBoxGeometry(2 * x, 2 * y, 2 * z, kRounds[detail], radius),
  };
}

// Half the sides of the axis-aligned box around a shape that is turned by a quaternion w x y z.   m
export function calcHalfExtents(
  shape: Exclude<Shape, { kind: "plane" }>,
  [w, x, y, z]: [number, number, number, number],
): [number, number, number] {
  if (shape.kind === "sphere" || shape.kind === "bowl") return [shape.radius, shape.radius, shape.radius];
  const rows = [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
  const reach = ([a, b, c]: number[]) => {
    switch (shape.kind) {
      case "box":
        return (
          Math.abs(a) * shape.half[0] + Math.abs(b) * shape.half[1] + Math.abs(c) * shape.half[2]
        );
      case "ellipsoid":
        return Math.hypot(a * shape.semiaxes[0], b * shape.semiaxes[1], c * shape.semiaxes[2]);
      case "capsule":
        return shape.radius + Math.abs(c) * shape.halfLength;
      case "cylinder":
      case "cone":
        return shape.radius * Math.hypot(a, b) + Math.abs(c) * shape.halfLength;
      case "polyhedron": {
        let most = 0;
        const v = shape.vertices;
        for (let i = 0; i < v.length; i += 3)
          most = Math.max(most, Math.abs(a * v[i] + b * v[i + 1] + c * v[i + 2]));
        return most;
      }
    }
  };
  return [reach(rows[0]), reach(rows[1]), reach(rows[2])];
}

// three.js builds solids of revolution about y; Tenpin's axis is z.
function turnToZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

// The lower half of a sphere, seen from inside.
function makeBowl(): BufferGeometry {
  const quarter = Math.PI / 2;
  const bowl = new SphereGeometry(1, kBall[0][0], kBall[0][1], 0, 4 * quarter, quarter, quarter);
  const index = bowl.getIndex()!.array;
  for (let i = 0; i < index.length; i += 3) [index[i], index[i + 1]] = [index[i + 1], index[i]];
  const normals = bowl.getAttribute("normal").array;
  for (let i = 0; i < normals.length; ++i) normals[i] = -normals[i];
  return turnToZ(bowl);
}

// Faces that meet at a small angle look like one smooth surface; edges stay sharp.
function makePolyhedron(vertices: number[], triangles: number[]): BufferGeometry {
  const corner = (i: number) => new Vector3().fromArray(vertices, 3 * i);
  const normals: Vector3[] = []; // of each triangle, as long as it is large
  const around = new Map<number, number[]>(); // triangles at each vertex
  for (let t = 0; 3 * t < triangles.length; ++t) {
    const [a, b, c] = triangles.slice(3 * t, 3 * t + 3);
    normals.push(corner(b).sub(corner(a)).cross(corner(c).sub(corner(a))));
    for (const v of [a, b, c]) around.set(v, [...(around.get(v) ?? []), t]);
  }
  const positions: number[] = [];
  const smooth: number[] = [];
  const sum = new Vector3();
  triangles.forEach((v, i) => {
    const own = normals[Math.floor(i / 3)];
    sum.set(0, 0, 0);
    for (const t of around.get(v) ?? [])
      if (own.dot(normals[t]) > kSmooth * own.length() * normals[t].length()) sum.add(normals[t]);
    positions.push(...corner(v).toArray());
    smooth.push(...sum.normalize().toArray());
  });
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("normal", new Float32BufferAttribute(smooth, 3));
  return geometry;
}
