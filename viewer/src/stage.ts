// Renderer, lights and camera. Draws only when something has changed.

import {
  Box3,
  DirectionalLight,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Scene,
  Sphere,
  Vector3,
  WebGLRenderer,
} from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import { Gizmo } from "./gizmo";
import { Occlusion } from "./occlusion";
import { onThemeChange } from "./theme";

const kFieldOfView = 32; // deg
const kFew = 150; // bodies: up to here edges are smoothed without a graphics processor, too
const kEdge = 54; // px   of the picture's upper and lower edge with buttons and legend
const kOcclusionReach = 0.7; // of ambient occlusion, in sizes of bodies
const kSettle = 200; // ms   without a graphics processor: a picture that has stood still so long is drawn well

export class Stage {
  readonly scene = new Scene(); // lit things
  readonly signs = new Scene(); // contacts, trails and axes, drawn over the lit things
  readonly camera = new PerspectiveCamera(kFieldOfView, 1, 0.01, 100);
  readonly renderer: WebGLRenderer;
  readonly controls: OrbitControls;
  readonly centre = new Vector3();
  radius = 1;
  bodySize = 1; // m   of a typical body: creases up to this size are dark
  isSolid = true; // no body is seen through
  private readonly region = new Box3();
  private readonly sky = new HemisphereLight("#ffffff", "#b9b4a8", 1.7);
  private readonly sun = new DirectionalLight("#fffdf8", 2.4);
  private readonly software: boolean; // no graphics processor: keep the picture cheap
  private moved = false; // the reader has chosen a view
  private stale = true;
  private shadowsStale = true; // something has moved, not the camera alone
  private drawnAt = 0; // ms   when the picture last changed
  private isDrawnWell = false; // with ambient occlusion
  private readonly occlusion = new Occlusion();
  private readonly gizmo = new Gizmo((from) => this.lookFrom(from));

  constructor(
    private readonly canvas: HTMLCanvasElement,
    region: Box3,
    numBodies: number,
    private readonly ended: AbortSignal,
  ) {
    const fast = getContext(canvas, true, true);
    this.software = !fast;
    const context = fast ?? getContext(canvas, false, numBodies <= kFew);
    if (!context) throw new Error("this browser has no WebGL 2");
    this.renderer = new WebGLRenderer({ canvas, context, alpha: true });
    this.renderer.debug.checkShaderErrors = false; // asking would wait for the compiler
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.autoClear = false;
    this.renderer.toneMapping = NeutralToneMapping;
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.addEventListener("change", () => (this.stale = true));
    this.controls.addEventListener("start", () => (this.moved = true));
    this.controls.zoomToCursor = true;
    this.addLights();
    const sizes = new ResizeObserver(() => this.resize());
    sizes.observe(canvas.parentElement ?? canvas);
    // Browsers allow few pictures of this kind at a time: the next one needs the place.
    ended.addEventListener("abort", () => {
      sizes.disconnect();
      this.controls.dispose();
      this.renderer.dispose();
      this.renderer.forceContextLoss();
    });
    this.resize();
    this.setRegion(region);
  }

  get width(): number {
    return this.renderer.domElement.clientWidth;
  }
  get height(): number {
    return this.renderer.domElement.clientHeight;
  }

  // What there is to see. The camera follows unless the reader has moved it.
  setRegion(region: Box3): void {
    this.region.copy(region);
    const sphere = region.getBoundingSphere(new Sphere());
    this.centre.copy(sphere.center);
    this.radius = Math.max(sphere.radius, 1e-6);
    this.placeSun();
    this.camera.near = 0.01 * this.radius;
    this.camera.far = 60 * this.radius;
    this.camera.updateProjectionMatrix();
    if (!this.moved) this.frameAll();
    this.touch();
  }
  get shownRegion(): Box3 {
    return this.region;
  }

  // Asks for a new picture.
  touch(): void {
    this.stale = true;
    this.shadowsStale = true;
  }

  // Without a graphics processor ambient occlusion waits until the picture stands still.
  render(): void {
    const now = performance.now();
    if (this.stale) {
      this.drawnAt = now;
      this.draw(!this.software);
    } else if (!this.isDrawnWell && now - this.drawnAt > kSettle) this.draw(true);
  }

  // The picture at its best, now.
  renderWell(): void {
    this.draw(true);
  }

  private draw(well: boolean): void {
    const { renderer } = this;
    this.stale = false;
    this.isDrawnWell = well;
    if (this.software) this.setShadowSize(well ? 1024 : 512);
    renderer.shadowMap.needsUpdate = this.shadowsStale;
    this.shadowsStale = false;
    renderer.clear();
    renderer.render(this.scene, this.camera);
    if (well && this.isSolid)
      this.occlusion.apply(renderer, this.scene, this.camera, kOcclusionReach * this.bodySize);
    renderer.render(this.signs, this.camera);
    this.gizmo.update(this.camera);
  }

  // Where the camera is and what it looks at, if the reader has chosen that.   m
  get view(): number[] | null {
    return this.moved ? [...this.camera.position.toArray(), ...this.controls.target.toArray()] : null;
  }
  set view(numbers: number[] | null) {
    if (!numbers) {
      this.frameAll();
      return;
    }
    this.camera.position.fromArray(numbers);
    this.controls.target.fromArray(numbers, 3);
    this.controls.update();
    this.moved = true;
    this.stale = true;
  }

  // Looks at the same place from the direction of an axis.
  lookFrom(axis: Vector3): void {
    this.moved = true;
    const distance = this.camera.position.distanceTo(this.controls.target);
    const direction = axis.clone();
    if (axis.z !== 0) direction.y = -1e-4; // x to the right
    this.camera.position
      .copy(this.controls.target)
      .addScaledVector(direction.normalize(), distance);
    this.controls.update();
    this.stale = true;
  }

  // Looks at everything, along the thin side of flat scenes.
  frameAll(): void {
    const size = this.region.getSize(new Vector3());
    const direction = new Vector3(0.55, -1, 0.42);
    if (Math.max(size.y, size.z) < 0.2 * size.x) direction.set(0.75, -1, 0.5);
    else if (size.y < 0.3 * Math.max(size.x, size.z)) direction.set(0.22, -1, 0.2);
    else if (size.x < 0.3 * Math.max(size.y, size.z)) direction.set(1, 0.22, 0.2);
    else if (size.z < 0.3 * Math.min(size.x, size.y)) direction.set(0.4, -0.9, 0.75);
    this.fit(direction.normalize());
    this.controls.update();
    this.moved = false;
    this.stale = true;
  }

  // Moves the camera sideways and up, in parts of its distance.
  pan(right: number, up: number): void {
    this.moved = true;
    const distance = this.camera.position.distanceTo(this.controls.target);
    const side = new Vector3().setFromMatrixColumn(this.camera.matrix, 0);
    const above = new Vector3().setFromMatrixColumn(this.camera.matrix, 1);
    this.shift(side.multiplyScalar(right * distance).addScaledVector(above, up * distance));
    this.touch();
  }

  // Keeps what is followed in the same place of the picture.
  shift(by: Vector3): void {
    this.camera.position.add(by);
    this.controls.target.add(by);
    this.controls.update();
  }

  // Turn and zoom for the keyboard, in radians and as a factor of the distance.
  orbit(azimuth: number, polar: number, zoom: number): void {
    this.moved = true;
    const arm = this.camera.position.clone().sub(this.controls.target);
    const flat = Math.hypot(arm.x, arm.y);
    const elevation = Math.min(1.5, Math.max(-1.5, Math.atan2(arm.z, flat) + polar));
    const heading = Math.atan2(arm.y, arm.x) + azimuth;
    const distance = arm.length() * zoom;
    arm
      .set(
        Math.cos(heading) * Math.cos(elevation),
        Math.sin(heading) * Math.cos(elevation),
        Math.sin(elevation),
      )
      .multiplyScalar(distance);
    this.camera.position.copy(this.controls.target).add(arm);
    this.controls.update();
    this.touch();
  }

  // Puts the camera where the region fills the view along a direction, clear of what lies over the edges.
  private fit(direction: Vector3): void {
    const { camera, controls } = this;
    const side = new Vector3().crossVectors(camera.up, direction).normalize();
    const above = new Vector3().crossVectors(direction, side);
    const hasOverlay = this.canvas.parentElement?.querySelector(".switches")?.checkVisibility();
    const tan = Math.tan((kFieldOfView / 2) * (Math.PI / 180));
    const tanV = tan * (hasOverlay ? Math.max(0.5, 1 - (2 * kEdge) / this.height) : 0.94);
    const tanH = tan * camera.aspect * 0.94;
    const target = this.centre.clone();
    let distance = 4 * this.radius;
    // Each round centres what is seen and scales the distance; a few come within a pixel.
    for (let round = 0; round < 6; ++round) {
      const bounds = new Box3();
      for (let corner = 0; corner < 8; ++corner) {
        const p = new Vector3(
          corner & 1 ? this.region.max.x : this.region.min.x,
          corner & 2 ? this.region.max.y : this.region.min.y,
          corner & 4 ? this.region.max.z : this.region.min.z,
        ).sub(target);
        const depth = Math.max(distance - p.dot(direction), 0.05 * distance);
        bounds.expandByPoint(
          new Vector3(p.dot(side) / (depth * tanH), p.dot(above) / (depth * tanV), 0),
        );
      }
      const middle = bounds.getCenter(new Vector3());
      target.addScaledVector(side, middle.x * tanH * distance);
      target.addScaledVector(above, middle.y * tanV * distance);
      const size = bounds.getSize(new Vector3());
      distance *= Math.max(size.x, size.y, 1e-3) / 2;
    }
    camera.position.copy(target).addScaledVector(direction, distance);
    controls.target.copy(target);
  }

  private addLights(): void {
    this.sky.position.set(0, 0, 1);
    this.sun.castShadow = true;
    this.setShadowSize(this.software ? 512 : 2048);
    this.scene.add(this.sky, this.sun, this.sun.target);
    onThemeChange((theme) => {
      this.sky.color.set(theme.sky);
      this.sky.groundColor.set(theme.earth);
      this.touch();
    }, this.ended);
  }

  private setShadowSize(pixels: number): void {
    const { shadow } = this.sun;
    shadow.radius = (3 * pixels) / 1024; // as soft at any size
    if (shadow.mapSize.x === pixels) return;
    shadow.mapSize.setScalar(pixels);
    shadow.map?.dispose();
    shadow.map = null;
    this.shadowsStale = true;
  }

  private placeSun(): void {
    const { sun, radius: r } = this;
    sun.position.copy(this.centre).add(new Vector3(-0.45, -0.5, 1.1).multiplyScalar(3 * r));
    sun.target.position.copy(this.centre);
    sun.target.updateMatrixWorld();
    Object.assign(sun.shadow.camera, {
      left: -1.6 * r,
      right: 1.6 * r,
      top: 1.6 * r,
      bottom: -1.6 * r,
      near: 0.1 * r,
      far: 9 * r,
    });
    sun.shadow.camera.updateProjectionMatrix();
    sun.shadow.normalBias = 0.004 * r;
  }

  private resize(): void {
    const box = (this.canvas.parentElement ?? this.canvas).getBoundingClientRect();
    const width = Math.max(1, Math.floor(box.width));
    const height = Math.max(1, Math.floor(box.height));
    this.renderer.setPixelRatio(this.software ? 1 : Math.min(window.devicePixelRatio, 2));
    this.renderer.setSize(width, height, false);
    this.camera.aspect = width / height;
    this.camera.updateProjectionMatrix();
    this.stale = true;
  }
}

// With `fast`, only if there is a graphics processor behind it.
function getContext(
  canvas: HTMLCanvasElement,
  fast: boolean,
  antialias: boolean,
): WebGL2RenderingContext | null {
  return canvas.getContext("webgl2", {
    alpha: true,
    antialias,
    failIfMajorPerformanceCaveat: fast,
    powerPreference: "high-performance",
  });
}
