// A live run under the reader's hands: its pace, pulls and pushes at bodies, gravity, friction, restitution,
// another start. Commands go to the server that the page came from, by its secret address.

import { BufferGeometry, Line, LineBasicMaterial, Plane, Quaternion, Raycaster, Vector2, Vector3 } from "three";
import type { App } from "./app";
import { byId, make } from "./dom";
import type { News, Stream } from "./stream";

const kSpeeds = [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 0]; // 0: as fast as it can
const kPullInterval = 40; // ms   between two words about a pull
const kRestartInterval = 150; // ms   between two questions whether the run has begun again
const kAnswerTime = 1000; // ms   in which the run does what was asked
const kPush = 1.5; // of the speed that a body of this size gains by falling its size

interface Pull {
  body: number;
  local: Vector3; // m   in the body, from its origin
  plane: Plane; // the pointer moves in it
  to: Vector3; // m   world
}

export class LiveControls {
  private isPaused = false;
  private askedAt = -Infinity; // ms   when this page last paused the run or let it go on
  private pull: Pull | null = null;
  private sentAt = 0; // ms
  private due = 0; // timer of the next word about the pull, 0: none
  private isStale = false; // has the pointer moved since the last word, or was that not taken?
  private said: Promise<void> | null = null; // the word about the pull that is on its way
  private readonly line = new Line(
    new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]),
    new LineBasicMaterial({ color: "#d55e00", depthTest: false }),
  );

  constructor(
    private readonly app: App,
    private readonly stream: Stream,
  ) {
    byId("live-panel").hidden = false;
    this.line.visible = false;
    this.line.frustumCulled = false;
    this.line.renderOrder = 60;
    app.stage.signs.add(this.line);
    this.setUpPace();
    this.setUpSettings();
    this.setUpPulls();
  }

  // Another page may have paused the run; what was asked for here is waited for.
  takeNews({ paused }: News): void {
    if (performance.now() - this.askedAt > kAnswerTime) this.showPaused(paused);
  }

  // Once per picture: the line from the body to the pointer.
  tick(): void {
    if (!this.pull) return;
    const { position, turn } = this.placeOf(this.pull.body);
    const from = this.pull.local.clone().applyQuaternion(turn).add(position);
    this.line.geometry.setFromPoints([from, this.pull.to]);
    this.app.redraw();
  }

  private send(command: string, words: Record<string, string | number> = {}): void {
    this.stream.command(command, words).catch((error: unknown) => {
      byId("live-news").textContent = `Not done: ${error instanceof Error ? error.message : String(error)}`;
    });
  }

  private setUpPace(): void {
    const ask = (command: string, paused: boolean) => {
      this.askedAt = performance.now();
      this.showPaused(paused);
      this.send(command);
      this.app.playback.setLive(true);
    };
    byId("live-pause").addEventListener("click", () =>
      ask(this.isPaused ? "continue" : "pause", !this.isPaused),
    );
    byId("live-step").addEventListener("click", () => ask("step", true));
    byId("live-restart").addEventListener("click", () => this.restart(""));
    const speed = byId<HTMLSelectElement>("live-speed");
    speed.append(
      ...kSpeeds.map((s) => make("option", { value: String(s) }, s > 0 ? `${s} × real time` : "fastest")),
    );
    speed.value = "1";
    speed.addEventListener("change", () => this.send("speed", { numbers: speed.value }));
  }

  private showPaused(paused: boolean): void {
    this.isPaused = paused;
    byId("live-pause").textContent = paused ? "Continue" : "Pause";
  }

  private setUpSettings(): void {
    const { gravity, methods, method } = this.stream.run.header;
    const down = byId<HTMLInputElement>("live-gravity");
    down.value = String(Number((-gravity[2]).toPrecision(4)));
    down.addEventListener("change", () =>
      this.send("gravity", { numbers: `${gravity[0]},${gravity[1]},${-Number(down.value)}` }),
    );
    for (const name of ["friction", "restitution"]) {
      const field = byId<HTMLInputElement>(`live-${name}`);
      field.addEventListener("change", () => {
        if (field.value !== "" && field.checkValidity()) this.send(name, { numbers: field.value });
      });
    }
    const choice = byId<HTMLSelectElement>("live-method");
    choice.append(...(methods ?? []).map((name) => make("option", { value: name }, name)));
    choice.value = method;
    choice.addEventListener("change", () => this.restart(choice.value));
    byId("live-push").addEventListener("click", () => this.push());
  }

  // Away from the camera, along the ground.
  private push(): void {
    const { selection, stage, run } = this.app;
    const body = selection?.kind === "body" ? selection.body : (run.movers[0] ?? 0);
    const away = stage.controls.target.clone().sub(stage.camera.position).setZ(0).normalize();
    const gravity = Math.hypot(...run.header.gravity) || 9.81;
    const push = away.multiplyScalar(kPush * Math.sqrt(gravity * stage.bodySize));
    this.send("push", { body, numbers: push.toArray().join() });
  }

  // The page loads again when the run has begun again.
  private restart(method: string): void {
    byId("live-news").textContent = "Starting again …";
    this.send("restart", method ? { method } : {});
    const look = () => {
      this.stream.askForNews().then(
        () => setTimeout(look, kRestartInterval),
        () => setTimeout(look, kRestartInterval),
      );
    };
    setTimeout(look, kRestartInterval);
  }

  // A press on a body that moves pulls it; elsewhere it turns the camera, as always.
  private setUpPulls(): void {
    const { stage } = this.app;
    const canvas = stage.renderer.domElement;
    const end = () => {
      if (!this.pull) return;
      this.pull = null;
      this.line.visible = false;
      stage.controls.enabled = true;
      void Promise.resolve(this.said).then(() => this.send("release"));
      this.app.redraw();
    };
    canvas.parentElement?.addEventListener(
      "pointerdown",
      (event) => {
        if (event.target !== canvas || event.button !== 0 || !this.app.run.growing) return;
        if (this.begin(event)) stage.controls.enabled = false;
      },
      { capture: true },
    );
    const { ended: signal } = this.app;
    window.addEventListener("pointermove", (event) => this.move(event), { signal });
    window.addEventListener("pointerup", end, { signal });
    window.addEventListener("pointercancel", end, { signal });
  }

  private begin(event: PointerEvent): boolean {
    const { app } = this;
    const box = app.stage.renderer.domElement.getBoundingClientRect();
    const picked = app.picking.pick(event.clientX - box.left, event.clientY - box.top);
    const hit = app.picking.lastHit;
    if (picked?.kind !== "body" || hit?.body !== picked.body || app.run.slotOfBody[picked.body] < 0)
      return false;
    const { position, turn } = this.placeOf(hit.body);
    const local = hit.point.clone().sub(position).applyQuaternion(turn.invert());
    const towards = app.stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(towards, hit.point);
    this.pull = { body: hit.body, local, plane, to: hit.point.clone() };
    this.line.visible = true;
    app.playback.setLive(true);
    return true;
  }

  private move(event: PointerEvent): void {
    if (!this.pull) return;
    const { camera, renderer } = this.app.stage;
    const box = renderer.domElement.getBoundingClientRect();
    const point = new Vector2(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    const ray = new Raycaster();
    ray.setFromCamera(point, camera);
    if (!ray.ray.intersectPlane(this.pull.plane, this.pull.to)) return;
    this.isStale = true;
    this.schedulePull();
  }

  // One word at a time, so that none overtakes another. The latest place of the pointer is always
  // sent, also when it has stopped there, and again if the run was too busy to take it.
  private schedulePull(): void {
    if (!this.pull || !this.isStale || this.due || this.said) return;
    const wait = kPullInterval - (performance.now() - this.sentAt);
    this.due = window.setTimeout(() => this.sendPull(), Math.max(0, wait));
  }

  private sendPull(): void {
    this.due = 0;
    if (!this.pull) return;
    this.sentAt = performance.now();
    this.isStale = false;
    const numbers = [...this.pull.local.toArray(), ...this.pull.to.toArray()].join();
    this.said = this.stream.command("pull", { body: this.pull.body, numbers }).then(
      () => this.endWord(),
      () => {
        this.isStale = true;
        this.endWord();
      },
    );
  }

  private endWord(): void {
    this.said = null;
    this.schedulePull();
  }

  private placeOf(body: number): { position: Vector3; turn: Quaternion } {
    const [x, y, z, w, i, j, k] = this.app.bodies.pose(body);
    return { position: new Vector3(x, y, z), turn: new Quaternion(i, j, k, w) };
  }
}
