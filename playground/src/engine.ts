// The page's side of the engine: one worker, replaced when it fails or does not stop.

import type { Ask } from "../viewer/stream";
import type { FromWorker, Problem, Schema, Summary, ToWorker } from "./messages";

const kStopPatience = 1500; // ms   a step that takes longer than that is ended with its worker

export interface EngineParts {
  script: Blob; // of the worker
  wasm: ArrayBuffer;
  files: Record<string, string>; // by path: what scenes of the gallery include
}

// What a run tells while it goes on.
export interface RunListener {
  begun(until: number): void;
  progress(t: number): void;
  over(summary: Summary): void;
  cut(problems: Problem[]): void; // ended early, but can be looked at
  refused(problems: Problem[]): void;
  stopped(): void;
  lost(reason: string): void; // with the worker: nothing more can be asked for
}

type Reply = Extract<FromWorker, { id: number }>;

export class Engine {
  schema: Schema = {};
  version = "";
  isReady = false;
  private worker: Worker | null = null;
  private listener: RunListener | null = null;
  private readonly waiting = new Map<
    number,
    { resolve: (reply: Reply) => void; reject: (reason: Error) => void }
  >();
  private lastId = 0;
  private stopTimer = 0;
  private runNumber = 0;
  private started = 0; // ms   when the worker was made

  constructor(
    private readonly parts: EngineParts,
    private readonly ready: () => void,
    private readonly failed: (reason: string) => void,
  ) {
    this.start();
  }

  // The times of starts and checks are measures of the page, for tests/playground/measure.mjs and for developers.
  async check(scene: string): Promise<Problem[]> {
    const start = performance.now();
    const reply = await this.request((id) => ({ kind: "check", id, scene }));
    performance.measure("tenpin check", { start });
    return reply.kind === "checked" ? reply.problems : [];
  }

  run(scene: string, listener: RunListener): void {
    clearTimeout(this.stopTimer);
    ++this.runNumber;
    this.listener = listener;
    this.post({ kind: "run", scene });
  }

  // Between two steps if the engine gets there soon, otherwise by force.
  stop(): void {
    this.post({ kind: "stop" });
    clearTimeout(this.stopTimer);
    this.stopTimer = window.setTimeout(() => {
      this.restart("One step took too long to be stopped. The engine was started again; the run is lost.");
    }, kStopPatience);
  }

  // Asks about the run that was begun last; once there is another, questions about this one fail.
  makeAsk(): Ask {
    const run = this.runNumber;
    return async (name, query = {}) => {
      if (run !== this.runNumber) throw new Error("another run has begun");
      const words = Object.entries(query).map(([key, value]) => `${key}=${value}`);
      const reply = await this.request((id) => ({ kind: "ask", id, name, query: words.join("&") }));
      if (reply.kind !== "answer") throw new Error("no answer");
      return new Response(reply.body, { status: reply.status });
    };
  }

  // Header and arrays of a page of the run (docs/viewer.md), or null if there is none.
  async makePage(): Promise<[header: string, arrays: string] | null> {
    const reply = await this.request((id) => ({ kind: "page", id }));
    const text = reply.kind === "page" ? reply.text : "";
    const end = text.indexOf("\n");
    return end < 0 ? null : [text.slice(0, end), text.slice(end + 1)];
  }

  private start(): void {
    this.started = performance.now();
    const url = URL.createObjectURL(this.parts.script);
    const worker = new Worker(url);
    this.worker = worker;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      URL.revokeObjectURL(url);
      this.take(data);
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.restart(describeFailure(event.message));
    };
    this.post({ kind: "start", wasm: this.parts.wasm, files: this.parts.files });
  }

  private restart(reason: string): void {
    clearTimeout(this.stopTimer);
    this.worker?.terminate();
    const { listener } = this;
    this.listener = null;
    for (const { reject } of this.waiting.values()) reject(new Error(reason));
    this.waiting.clear();
    if (!this.isReady) return this.failed(reason); // it would fail again
    this.isReady = false;
    this.start();
    listener?.lost(reason);
  }

  private take(message: FromWorker): void {
    const { listener } = this;
    switch (message.kind) {
      case "started":
        this.schema = message.schema;
        this.version = message.version;
        this.isReady = true;
        performance.measure("tenpin start", { start: this.started });
        return this.ready();
      case "begun":
        return listener?.begun(message.until);
      case "progress":
        return listener?.progress(message.t);
      case "over":
        return listener?.over(message.summary);
      case "cut":
        return listener?.cut(message.problems);
      case "refused":
        return listener?.refused(message.problems);
      case "stopped":
        clearTimeout(this.stopTimer);
        return listener?.stopped();
      default:
        this.waiting.get(message.id)?.resolve(message);
        this.waiting.delete(message.id);
    }
  }

  private request(make: (id: number) => ToWorker): Promise<Reply> {
    const id = ++this.lastId;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.post(make(id));
    });
  }

  private post(message: ToWorker): void {
    this.worker?.postMessage(message);
  }
}

function describeFailure(message: string): string {
  const memory = /memory|allocation|OOM/i.test(message);
  return memory
    ? "The scene needs more memory than this page has. The engine was started again; use the program on your machine for scenes of this size."
    : `The engine failed (${message}) and was started again. Please report the scene.`;
}
