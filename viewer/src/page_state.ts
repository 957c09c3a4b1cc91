// What a script or a test may ask of the page, as window.tenpin.

import { Vector3 } from "three";
import type { App } from "./app";
import type { DrawnContact } from "./contacts";
import type { Selection } from "./picking";

export class PageState {
  constructor(private readonly app: App) {}
  get frame(): number {
    return this.app.playback.frame;
  }
  get time(): number {
    return this.app.playback.time;
  }
  get playing(): boolean {
    return this.app.playback.playing;
  }
  get numFrames(): number {
    return this.app.run.numFrames;
  }
  get numBodies(): number {
    return this.app.run.numBodies;
  }
  get numArrows(): number {
    return this.app.contacts.group.visible ? this.app.contacts.numArrows : 0;
  }
  get numContacts(): number {
    return this.app.contacts.numContacts;
  }
  get selection(): Selection {
    return this.app.selection;
  }
  // The frame whose bodies are on the stage: with a server behind the page it may lag behind.
  get shownFrame(): number {
    return this.app.shownFrame;
  }
  get growing(): boolean {
    return this.app.run.growing;
  }
  get live(): boolean {
    return this.app.playback.live;
  }
  get isWhole(): boolean {
    return this.app.run.store.isWhole;
  }
  get numMarkers(): number {
    return this.app.markers.count;
  }
  // Where the camera is and what it looks at (3 and 3 numbers, m), if the reader has chosen that.
  get view(): number[] | null {
    return this.app.stage.view;
  }
  // Arrow legend: a length (m) and the force or impulse that it shows.
  get arrowScale(): { length: number; amount: number; unit: string } {
    const { scale, unit } = this.app.contacts;
    return { length: scale.length, amount: scale.amount, unit };
  }
  // One mark per contact, or per pair of bodies.
  get drawnContacts(): DrawnContact[] {
    return this.app.contacts.drawn;
  }
  // m   of the arrow of a contact of the frame shown
  arrowLength(contact: number): number {
    return this.app.contacts.arrowLength(contact);
  }
  // Draws the picture at its best, now: without a graphics processor it waits until it stands still.
  renderWell(): void {
    this.app.refresh();
    this.app.stage.renderWell();
  }
  setFrame(frame: number): void {
    this.app.playback.playing = false;
    this.app.playback.setFrame(frame);
    this.app.refresh();
  }
  setTime(time: number): void {
    this.app.playback.setTime(time);
    this.app.refresh();
  }
  bodyPose(body: number): number[] {
    return Array.from(this.app.bodies.pose(body));
  }
  pick(x: number, y: number): Selection {
    return this.app.picking.pick(x, y);
  }
  select(selection: Selection): void {
    this.app.select(selection);
    this.app.refresh();
  }
  // Where a point of the world is in the picture, in CSS pixels from the canvas's corner.
  project(point: [number, number, number]): [number, number] {
    const p = new Vector3(...point).project(this.app.stage.camera);
    const box = this.app.stage.renderer.domElement.getBoundingClientRect();
    return [((p.x + 1) / 2) * box.width, ((1 - p.y) / 2) * box.height];
  }
}

declare global {
  interface Window {
    tenpin: PageState;
  }
}
