// Compares final states of the engine in node with those of the native program, bit by bit.
//   node hashes.mjs ENGINE PROGRAM SCENE.yaml...
// Each scene runs under its own method and, where they take it, under the others for a short while.

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { loadEngine, runScene } from "./node_engine.mjs";

const kOthers = ["analytic", "impulse", "penalty"];
const kShort = 0.3; // s   of the scene, under methods that are not its own

const [engineFolder, program, ...scenes] = process.argv.slice(2);
const engine = await loadEngine(engineFolder, new Set(scenes.map((scene) => dirname(scene))));

// Without a limit on the time of a step, which a busy machine would meet.
function runNatively(file) {
  const result = spawnSync(program, ["run", file, "--json", "-q", "--step-limit", "100000"], { encoding: "utf8", maxBuffer: 1 << 28 });
  return /"state_hash": *"([0-9a-f]{16})"/.exec(result.stdout)?.[1] ?? null;
}

// A scene under another method, with the defaults of that one.
function change(text, method) {
  const without = text.replace(/^method:.*\n(?:[ \t]+.*\n)*/m, "").replace(/^until:.*$/m, "");
  return `${without.trimEnd()}\nmethod: {${method}: {}}\nuntil: ${kShort}\n`;
}

const counts = { same: 0, different: 0, refused: 0 };
for (const scene of scenes) {
  const text = readFileSync(scene, "utf8");
  const folder = dirname(scene);
  for (const method of ["", ...kOthers]) {
    const own = method === "";
    const name = `${basename(scene)}${own ? "" : ` (${method})`}`;
    const changed = own ? text : change(text, method);
    const file = own ? scene : join(folder, `.hashes-${process.pid}.yaml`); // beside its files
    if (!own) writeFileSync(file, changed);
    const native = runNatively(file);
    if (!own) rmSync(file);
    const ours = runScene(engine, changed);
    const hash = ours.problems ? null : ours.hash;
    const verdict = native !== hash ? "different" : native === null ? "refused" : "same";
    ++counts[verdict];
    if (verdict === "different" || (own && verdict !== "same"))
      console.log(`${verdict.toUpperCase()} ${name}: native ${native}, wasm ${hash} ${JSON.stringify(ours.problems ?? ours.message).slice(0, 300)}`);
    if (own && verdict === "refused") ++counts.different; // every scene must run
  }
}
console.log(`${counts.same} runs have the same bits, ${counts.different} differ; ${counts.refused} are refused by both sides`);
process.exit(counts.different > 0 || counts.same === 0 ? 1 : 0);
