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

export class Trails {
  mesh: Mesh<InstancedBufferGeometry, ShaderMaterial> | null = null;
  seconds: number; // length of a trail
  visible = false;
  private bodies: number[] = [];
  private readonly material = new ShaderMaterial({
    transparent: true,
    depthWrite: false,
    side: DoubleSide,
    uniforms: { now: { value: 0 }, span: { value: 1 }, size: { value: new Vector2(1, 1) } },
    vertexShader: kVertexShader,
    fragmentShader: kFragmentShader,
  });

  constructor(
    private readonly run: Run,
    private readonly shown: Bodies,
    private readonly renderer: WebGLRenderer,
  ) {
    this.seconds = Math.max(1e-9, (run.endTime - run.startTime) * 0.24);
  }

  // All moving bodies while that is affordable, else the selected one alone.
  rebuild(selected: number): void {
    const { run } = this;
    let bodies = Array.from(run.movers);
    if (bodies.length * run.numFrames > kMostSegments)
      bodies = run.slotOfBody[selected] >= 0 ? [selected] : [];
    if (this.mesh && bodies.join() === this.bodies.join()) return;
    this.bodies = bodies;
    this.mesh?.geometry.dispose();
    this.mesh = new Mesh(this.makeGeometry(), this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
  }

  update(frame: number): void {
    if (!this.mesh) return;
    this.mesh.visible = this.visible;
    this.mesh.geometry.instanceCount = frame * this.bodies.length;
    this.material.uniforms.now.value = this.run.frameTimes[frame] - this.run.startTime;
    this.material.uniforms.span.value = this.seconds;
    this.renderer.getSize(this.material.uniforms.size.value as Vector2);
  }

  private makeGeometry(): InstancedBufferGeometry {
    const { run, bodies } = this;
    const count = bodies.length * Math.max(0, run.numFrames - 1);
    const from = new Float32Array(3 * count);
    const to = new Float32Array(3 * count);
    const tint = new Float32Array(3 * count);
    const time = new Float32Array(count);
    const pose = new Float32Array(7);
    const shades = bodies.map((body) =>
      new Color().copy(this.shown.colours[body]).convertLinearToSRGB(),
    );
    for (let frame = 0, i = 0; frame + 1 < run.numFrames; ++frame) {
      bodies.forEach((body, b) => {
        run.calcPose(body, frame, 0, pose);
        from.set(pose.subarray(0, 3), 3 * i);
        run.calcPose(body, frame + 1, 0, pose);
        to.set(pose.subarray(0, 3), 3 * i);
        shades[b].toArray(tint, 3 * i);
        time[i++] = run.frameTimes[frame + 1] - run.startTime;
      });
    }
    const geometry = new InstancedBufferGeometry();
    geometry.setAttribute(
      "position",
      new Float32BufferAttribute([0, -1, 0, 1, -1, 0, 1, 1, 0, 0, 1, 0], 3),
    );
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    geometry.setAttribute("from", new InstancedBufferAttribute(from, 3));
    geometry.setAttribute("to", new InstancedBufferAttribute(to, 3));
    geometry.setAttribute("tint", new InstancedBufferAttribute(tint, 3));
    geometry.setAttribute("time", new InstancedBufferAttribute(time, 1));
    return geometry;
  }
}
