// The playground's engine in node.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { readSceneFiles } from "../../playground/scene_files.mjs";

// The engine of a build, with the files that the scenes of the folders include.
export async function loadEngine(build, folders) {
  const create = createRequire(import.meta.url)(resolve(build, "tenpin.js"));
  const engine = await create({ wasmBinary: readFileSync(join(build, "tenpin.wasm")) });
  for (const folder of folders)
    for (const [path, text] of Object.entries(readSceneFiles(folder))) {
      engine.FS.mkdirTree(dirname(path));
      engine.FS.writeFile(path, text);
    }
  return engine;
}

// The whole run of a scene: its summary, or {problems}.
export function runScene(engine, text) {
  engine.ccall("tenpin_run", null, ["string"], [text]);
  const at = engine._tenpin_reply();
  return JSON.parse(new TextDecoder().decode(engine.HEAPU8.slice(at, at + engine._tenpin_reply_size())));
}
