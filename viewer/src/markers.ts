// Markers: points that the reader has fixed to bodies, with the paths they draw.

import { Group, Mesh, MeshBasicMaterial, Quaternion, SphereGeometry, Vector3 } from "three";
import type { Bodies } from "./bodies";
import type { Run, Track } from "./run";
import type { Trails } from "./trails";

interface Marker {
  body: number;
  local: Vector3; // m   in the body
  dot: Mesh;
  track: Track | null; // of its body, once it is here
}

export class Markers {
  readonly group = new Group();
  private readonly markers: Marker[] = [];

  constructor(
    private readonly run: Run,
    private readonly bodies: Bodies,
    private readonly trails: Trails,
    private readonly size: number, // m   of a dot
    private readonly changed: () => void,
  ) {}

  get count(): number {
    return this.markers.length;
  }

  // At a point of the world, on a body that is where it is shown now.
  add(body: number, point: Vector3): void {
    const { position, turn } = this.placeOf(body);
    const local = point.clone().sub(position).applyQuaternion(turn.invert());
    const material = new MeshBasicMaterial({ color: "#f0e442", toneMapped: false });
    const dot = new Mesh(new SphereGeometry(this.size, 16, 12), material);
    const marker: Marker = { body, local, dot, track: null };
    this.markers.push(marker);
    this.group.add(dot);
    this.run.store.track(body, (track) => {
      marker.track = track;
      this.draw();
    });
  }

  clear(): void {
    this.markers.length = 0;
    this.group.clear();
    this.draw();
  }

  // Where the bodies are now.
  update(time: number): void {
    for (const { body, local, dot } of this.markers) {
      const { position, turn } = this.placeOf(body);
      dot.position.copy(local).applyQuaternion(turn).add(position);
    }
    if (this.trails.mesh.visible) this.trails.update(time);
  }

  private placeOf(body: number): { position: Vector3; turn: Quaternion } {
    const [x, y, z, w, i, j, k] = this.bodies.pose(body);
    return { position: new Vector3(x, y, z), turn: new Quaternion(i, j, k, w) };
  }

  private draw(): void {
    const ready = this.markers.filter((marker) => marker.track);
    const times = ready[0]?.track?.times ?? this.run.frameTimes;
    this.trails.mesh.visible = ready.length > 0;
    const p = new Vector3();
    const turn = new Quaternion();
    this.trails.draw({
      bodies: ready.map((marker) => marker.body),
      times,
      read: (at, which, out, place) => {
        const { local, track } = ready[which];
        if (!track) return;
        const [w, i, j, k] = track.quaternion.subarray(4 * at, 4 * at + 4);
        p.copy(local).applyQuaternion(turn.set(i, j, k, w).normalize());
        for (let c = 0; c < 3; ++c) out[place + c] = track.position[3 * at + c] + p.getComponent(c);
      },
    });
    this.changed();
  }
}
