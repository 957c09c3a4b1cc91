// Messages between the page and the worker that holds the engine.

export interface Problem {
  line: number; // from 1; 0 = of the whole scene
  column: number; // from 1, in bytes of UTF-8
  path: string;
  text: string;
}

export interface Summary {
  status: string; // how the run ended
  reachedEnd: boolean;
  message: string;
  t: number; // s
  steps: number;
  frames: number;
  passed: boolean; // every step is certified
  hash: string; // of the final state, as `tenpin run` prints it
  wall: number; // s   of computing
}

export type Schema = Record<string, unknown>;

export type ToWorker =
  | { kind: "start"; wasm: ArrayBuffer; files: Record<string, string> }
  | { kind: "check"; id: number; scene: string }
  | { kind: "run"; scene: string }
  | { kind: "stop" }
  | { kind: "page"; id: number }
  | { kind: "ask"; id: number; name: string; query: string };

export type FromWorker =
  | { kind: "started"; version: string; schema: Schema }
  | { kind: "checked"; id: number; problems: Problem[] }
  | { kind: "refused"; problems: Problem[] } // the scene cannot run
  | { kind: "begun"; until: number }
  | { kind: "progress"; t: number }
  | { kind: "over"; summary: Summary }
  | { kind: "cut"; problems: Problem[] } // the run cannot go on; what there is can be looked at
  | { kind: "stopped" }
  | { kind: "page"; id: number; text: string }
  | { kind: "answer"; id: number; status: number; body: Uint8Array<ArrayBuffer> };
