// The corner gizmo: the world's axes as the camera sees them. Each end is a button that looks along its axis.

import { Matrix4, Vector3, type PerspectiveCamera } from "three";
import { byId, make } from "./dom";

const kArm = 30; // px   from the middle to an end
const kEnds: { name: string; axis: Vector3; view: string }[] = [
  { name: "x", axis: new Vector3(1, 0, 0), view: "from the right, along −x" },
  { name: "y", axis: new Vector3(0, 1, 0), view: "from behind, along −y" },
  { name: "z", axis: new Vector3(0, 0, 1), view: "from above, along −z" },
  { name: "−x", axis: new Vector3(-1, 0, 0), view: "from the left, along x" },
  { name: "−y", axis: new Vector3(0, -1, 0), view: "from the front, along y" },
  { name: "−z", axis: new Vector3(0, 0, -1), view: "from below, along z" },
];

export class Gizmo {
  private readonly ends: { button: HTMLElement; axis: Vector3 }[] = [];
  private readonly lines: SVGLineElement[] = [];
  private readonly turn = new Matrix4();

  constructor(look: (from: Vector3) => void) {
    const element = byId("gizmo");
    const kSpace = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(kSpace, "svg");
    svg.setAttribute("viewBox", "-45 -45 90 90");
    svg.setAttribute("aria-hidden", "true");
    element.append(svg);
    for (const { name, axis, view } of kEnds) {
      const positive = name.length === 1;
      if (positive) {
        const line = document.createElementNS(kSpace, "line");
        line.setAttribute("class", `axis-${name}`);
        svg.append(line);
        this.lines.push(line);
      }
      const button = make(
        "button",
        {
          type: "button",
          class: `axis axis-${name.slice(-1)}${positive ? "" : " far"}`,
          "aria-label": `Look ${view}`,
          title: `Look ${view}`,
        },
        positive ? name : "",
      );
      button.addEventListener("click", () => look(axis));
      element.append(button);
      this.ends.push({ button, axis });
    }
  }

  update(camera: PerspectiveCamera): void {
    this.turn.extractRotation(camera.matrixWorldInverse);
    const p = new Vector3();
    this.ends.forEach(({ button, axis }, i) => {
      p.copy(axis).applyMatrix4(this.turn).multiplyScalar(kArm);
      button.style.transform = `translate(${p.x.toFixed(1)}px, ${(-p.y).toFixed(1)}px)`;
      button.style.zIndex = String(Math.round(50 + p.z));
      if (i >= this.lines.length) return;
      this.lines[i].setAttribute("x2", p.x.toFixed(1));
      this.lines[i].setAttribute("y2", (-p.y).toFixed(1));
    });
  }
}
