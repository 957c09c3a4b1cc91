// Shapes as meshes. Spheres, boxes and cylinders of all sizes share one unit mesh each, so that any
// number of them is one draw call; capsules and polyhedra share one per distinct shape.

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  SphereGeometry,
} from "three";
import type { Shape } from "./run";
import type { Pattern } from "./surfaces";

export interface MeshPlan {
  key: string; // parts with the same key share a mesh
  pattern: Pattern;
  scale: [number, number, number];
  make: (many: boolean) => BufferGeometry; // many: keep it coarse
}

export function planMesh(shape: Exclude<Shape, { kind: "plane" }>, index: number): MeshPlan {
  switch (shape.kind) {
    case "sphere":
      return {
        key: "sphere",
        pattern: "ball",
        scale: [shape.radius, shape.radius, shape.radius],
        make: (many) => turnToZ(new SphereGeometry(1, many ? 20 : 48, many ? 14 : 32)),
      };
    case "box":
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
        make: (many) => turnToZ(new CylinderGeometry(1, 1, 2, many ? 24 : 64)),
      };
    case "capsule":
      return {
        key: `capsule ${shape.radius} ${shape.halfLength}`,
        pattern: "roller",
        scale: [1, 1, 1],
        make: (many) =>
          turnToZ(
            new CapsuleGeometry(shape.radius, 2 * shape.halfLength, many ? 6 : 16, many ? 16 : 40),
          ),
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

// How far a shape reaches from its own origin.   m
export function calcReach(shape: Exclude<Shape, { kind: "plane" }>): number {
  switch (shape.kind) {
    case "sphere":
      return shape.radius;
    case "box":
      return Math.hypot(...shape.half);
    case "cylinder":
      return Math.hypot(shape.radius, shape.halfLength);
    case "capsule":
      return shape.radius + shape.halfLength;
    case "polyhedron": {
      let reach = 0;
      for (let i = 0; i < shape.vertices.length; i += 3) {
        const [x, y, z] = shape.vertices.slice(i, i + 3);
        reach = Math.max(reach, Math.hypot(x, y, z));
      }
      return reach;
    }
  }
}

// three.js builds solids of revolution about y; Tenpin's axis is z.
function turnToZ(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function makePolyhedron(vertices: number[], triangles: number[]): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(vertices, 3));
  geometry.setIndex(triangles);
  const faceted = geometry.toNonIndexed();
  faceted.computeVertexNormals();
  return faceted;
}
