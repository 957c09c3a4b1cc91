// Where bodies have been: ribbons a few pixels wide, one instance per body and frame, in the order
// of time, so that the past is always a leading part of the buffer.

import {
  Color,
  DoubleSide,
  Float32BufferAttribute,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  Vector2,
  type WebGLRenderer,
} from "three";
import type { Bodies } from "./bodies";
import type { Run } from "./run";
import { indexAt } from "./series";

const kMostSegments = 1_000_000;

// Stretches each segment's unit strip along its two ends, in the plane of the picture. Segments
// that are too old shrink to nothing.
const kVertexShader = `
  attribute vec3 from; attribute vec3 to; attribute float time; attribute vec3 tint;
  uniform float now; uniform float span; uniform vec2 size;
  varying vec4 vTint;
  void main() {
    vec4 a = projectionMatrix * modelViewMatrix * vec4(from, 1.0);
    vec4 b = projectionMatrix * modelViewMatrix * vec4(to, 1.0);
    vec2 along = (b.xy / b.w - a.xy / a.w) * size;
    vec2 across = length(along) > 1e-4 ? normalize(vec2(-along.y, along.x)) : vec2(0.0, 1.0);
    float age = (now - time) / span;
    float width = 1.6 * step(age, 1.0);
    gl_Position = mix(a, b, position.x);
    gl_Position.xy += across * position.y * width * 2.0 / size * gl_Position.w;
    vTint = vec4(tint, 0.85 * clamp(1.0 - age, 0.0, 1.0));
  }`;
const kFragmentShader = `
  varying vec4 vTint;
  void main() { gl_FragColor = vTint; }`;

// Positions of some bodies at some times.
export interface Paths {
  bodies: number[];
  times: Float64Array;
  read: (at: number, body: number, out: Float32Array, place: number) => void; // body: of `bodies`
}

export class Trails {
  readonly mesh: Mesh<InstancedBufferGeometry, ShaderMaterial>;
  part = 0.24; // length of a trail over that of the run
  private times: Float64Array = new Float64Array(1);
  private numBodies = 0;
  private asked = 0; // counts calls of rebuild: an answer to an old one is ignored

  constructor(
    private readonly run: Run,
    private readonly shown: Bodies,
    private readonly renderer: WebGLRenderer,
    private readonly changed: () => void,
  ) {
    const material = new ShaderMaterial({
      transparent: true,
      depthWrite: false,
      side: DoubleSide,
      uniforms: { now: { value: 0 }, span: { value: 1 }, size: { value: new Vector2(1, 1) } },
      vertexShader: kVertexShader,
      fragmentShader: kFragmentShader,
    });
    this.mesh = new Mesh(new InstancedBufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.mesh.visible = false;
  }

  // All moving bodies while that is affordable, else the selected one alone.
  rebuild(selected: number): void {
    const { run } = this;
    const asked = ++this.asked;
    if (run.store.isWhole && run.movers.length * run.numFrames <= kMostSegments)
      return this.draw(this.readAll());
    this.draw({ bodies: [], times: run.frameTimes, read: () => {} });
    if (run.slotOfBody[selected] < 0 || selected < 0) return;
    run.store.track(selected, ({ times, position }) => {
      if (asked !== this.asked) return;
      this.draw({
        bodies: [selected],
        times,
        read: (at, _, out, place) => out.set(position.subarray(3 * at, 3 * at + 3), place),
      });
      this.changed();
    });
  }

  update(time: number): void {
    const uniforms = this.mesh.material.uniforms;
    const span = this.run.endTime - this.run.startTime;
    const done = time < this.times[0] ? 0 : indexAt(this.times, time);
    this.mesh.geometry.instanceCount = Math.max(0, done) * this.numBodies;
    uniforms.now.value = this.times[Math.max(0, done)] - this.run.startTime;
    uniforms.span.value = Math.max(1e-9, span * this.part);
    this.renderer.getSize(uniforms.size.value as Vector2);
  }

  private readAll(): Paths {
    const { run } = this;
    const bodies = Array.from(run.movers);
    return {
      bodies,
      times: run.frameTimes,
      read: (at, slot, out, place) => {
        const block = run.store.block(at);
        if (!block) return;
        const from = 3 * block.place(at, slot);
        for (let i = 0; i < 3; ++i) out[place + i] = block.position[from + i];
      },
    };
  }

  draw({ bodies, times, read }: Paths): void {
    const count = bodies.length * Math.max(0, times.length - 1);
    const from = new Float32Array(3 * count);
    const to = new Float32Array(3 * count);
    const tint = new Float32Array(3 * count);
    const time = new Float32Array(count);
    const shades = bodies.map((body) =>
      new Color().copy(this.shown.colours[body]).convertLinearToSRGB().toArray(),
    );
    for (let k = 0, i = 0; k + 1 < times.length; ++k) {
      for (let b = 0; b < bodies.length; ++b, ++i) {
        read(k, b, from, 3 * i);
        read(k + 1, b, to, 3 * i);
        tint.set(shades[b], 3 * i);
        time[i] = times[k + 1] - this.run.startTime;
      }
    }
    const geometry = new InstancedBufferGeometry();
    const strip = [0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0];
    geometry.setAttribute("position", new Float32BufferAttribute(strip, 3));
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("from", new InstancedBufferAttribute(from, 3));
    geometry.setAttribute("to", new InstancedBufferAttribute(to, 3));
    geometry.setAttribute("tint", new InstancedBufferAttribute(tint, 3));
    geometry.setAttribute("time", new InstancedBufferAttribute(time, 1));
    this.mesh.geometry.dispose();
    this.mesh.geometry = geometry;
    this.numBodies = bodies.length;
    this.times = times;
  }
}
