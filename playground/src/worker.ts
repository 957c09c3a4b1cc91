// The engine in a worker: checks scenes, runs one in slices, and answers the viewer between the slices
// as the program's server does. Comes after emscripten's tenpin.js, which defines createTenpin.

import type { FromWorker, ToWorker, Summary, Problem } from "./messages";

interface Engine {
  ccall(name: string, result: null, types: string[], values: (string | number)[]): void;
  _tenpin_reply(): number;
  _tenpin_reply_size(): number;
  _tenpin_reply_status(): number;
  HEAPU8: Uint8Array;
  FS: { mkdirTree(path: string): void; writeFile(path: string, text: string): void };
}
declare const createTenpin: (options: { wasmBinary: ArrayBuffer }) => Promise<Engine>;

const kSlice = 0.03; // s   of computing between two looks at the messages

let engine: Engine;
let runNumber = 0; // a slice of an older run does nothing

const scope = self as unknown as {
  postMessage(message: FromWorker, transfer?: Transferable[]): void;
  onmessage: ((event: MessageEvent<ToWorker>) => void) | null;
};

function bytes(): Uint8Array<ArrayBuffer> {
  const at = engine._tenpin_reply();
  return new Uint8Array(engine.HEAPU8.slice(at, at + engine._tenpin_reply_size()));
}

function call(name: string, ...values: (string | number)[]): void {
  engine.ccall(name, null, values.map((value) => typeof value), values);
}

function callForText(name: string, ...values: (string | number)[]): string {
  call(name, ...values);
  return new TextDecoder().decode(bytes());
}

function callForJson<T>(name: string, ...values: (string | number)[]): T {
  return JSON.parse(callForText(name, ...values)) as T;
}

async function start(wasm: ArrayBuffer, files: Record<string, string>): Promise<void> {
  engine = await createTenpin({ wasmBinary: wasm });
  for (const [path, text] of Object.entries(files)) {
    const folder = path.replace(/[^/]*$/, "");
    if (folder) engine.FS.mkdirTree(folder);
    engine.FS.writeFile(path, text);
  }
  const version = callForText("tenpin_version");
  scope.postMessage({ kind: "started", version, schema: callForJson("tenpin_schema") });
}

function run(scene: string): void {
  const number = ++runNumber;
  const begun = callForJson<{ problems?: Problem[]; until?: number }>("tenpin_begin", scene);
  if (begun.problems) return scope.postMessage({ kind: "refused", problems: begun.problems });
  scope.postMessage({ kind: "begun", until: begun.until ?? 0 });
  const goOn = () => {
    if (number !== runNumber) return;
    const news = callForJson<Partial<Summary> & { more?: boolean; problems?: Problem[] }>(
      "tenpin_advance",
      kSlice,
    );
    if (news.problems) {
      ++runNumber;
      scope.postMessage({ kind: "cut", problems: news.problems });
    } else if (news.more) {
      scope.postMessage({ kind: "progress", t: news.t ?? 0 });
      setTimeout(goOn, 0);
    } else scope.postMessage({ kind: "over", summary: news as Summary });
  };
  setTimeout(goOn, 0);
}

function stop(): void {
  ++runNumber;
  call("tenpin_stop");
  scope.postMessage({ kind: "stopped" });
}

function answer(id: number, name: string, query: string): void {
  call("tenpin_answer", name, query);
  const body = bytes();
  const status = engine._tenpin_reply_status();
  scope.postMessage({ kind: "answer", id, status, body }, [body.buffer]);
}

scope.onmessage = ({ data }) => {
  if (data.kind === "start") {
    // What goes wrong is the worker's failure, which the page hears of.
    start(data.wasm, data.files).catch((error: unknown) => setTimeout(() => { throw error; }, 0));
  }
  else if (data.kind === "check") {
    const { problems } = callForJson<{ problems: Problem[] }>("tenpin_check", data.scene);
    scope.postMessage({ kind: "checked", id: data.id, problems });
  } else if (data.kind === "run") run(data.scene);
  else if (data.kind === "stop") stop();
  else if (data.kind === "page") {
    const text = callForText("tenpin_page");
    scope.postMessage({ kind: "page", id: data.id, text });
  } else answer(data.id, data.name, data.query);
};
