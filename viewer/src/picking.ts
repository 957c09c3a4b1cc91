// From a point of the picture to the contact or body under it.

import { Raycaster, Vector2, type Vector3 } from "three";
import type { Bodies } from "./bodies";
import type { Contacts } from "./contacts";
import type { Ground } from "./ground";
import type { Stage } from "./stage";

// A contact is counted from 0 in the frame shown.
export type Selection =
  { kind: "body"; body: number } | { kind: "contact"; contact: number } | null;

const kClickSlack = 5; // px   a press that moves further is a turn of the camera

export class Picking {
  lastHit: { body: number; point: Vector3 } | null = null; // of a body, when the bodies were as shown then
  private readonly ray = new Raycaster();

  constructor(
    private readonly stage: Stage,
    private readonly bodies: Bodies,
    private readonly contacts: Contacts,
    private readonly ground: Ground,
  ) {}

  // Contacts come first: they are drawn over the bodies.   x, y: CSS pixels from the canvas's
  // corner
  pick(x: number, y: number): Selection {
    const box = this.stage.renderer.domElement.getBoundingClientRect();
    const point = new Vector2((2 * x) / box.width - 1, 1 - (2 * y) / box.height);
    this.ray.setFromCamera(point, this.stage.camera);
    const contact = this.contacts.pick(x, y, this.stage.camera);
    if (contact >= 0) return { kind: "contact", contact };
    const hit = this.ray.intersectObjects([...this.bodies.targets, ...this.ground.targets])[0];
    if (!hit) return null;
    const body =
      hit.instanceId === undefined
        ? (hit.object.userData.body as number)
        : this.bodies.bodyOf(hit.object, hit.instanceId);
    this.lastHit = { body, point: hit.point };
    return { kind: "body", body };
  }

  onClick(selected: (selection: Selection) => void): void {
    const canvas = this.stage.renderer.domElement;
    let from = { x: 0, y: 0 };
    canvas.addEventListener(
      "pointerdown",
      (event) => (from = { x: event.clientX, y: event.clientY }),
    );
    canvas.addEventListener("pointerup", (event) => {
      if (Math.hypot(event.clientX - from.x, event.clientY - from.y) > kClickSlack) return;
      const box = canvas.getBoundingClientRect();
      selected(this.pick(event.clientX - box.left, event.clientY - box.top));
    });
  }
}
