// Measures the playground: size, start, a check while typing, and speed against the native program.
//   node tests/playground/measure.mjs build/playground out/playground build/tenpin scenes "$(command -v chromium)"
// Prints one line for each; times are the best of several, since other work on the machine only adds to them.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { loadEngine, runScene } from "./node_engine.mjs";

if (process.argv[2] === "--run") {
  const [engine, scene] = process.argv.slice(3);
  runScene(await loadEngine(engine, [dirname(scene)]), readFileSync(scene, "utf8"));
  process.exit(0);
}
const [build, out, program, scenes, executablePath] = process.argv.slice(2);
const kScenes = ["four-balls", "stack", "double-pendulum", "ten-pins", "pile-of-balls", "dominoes"];
const kTurns = 3;
const best = (values) => Math.min(...values);

function measureSize() {
  const size = (file) => (statSync(join(out, file)).size / 1e6).toFixed(2);
  const wasm = gzipSync(readFileSync(join(out, "site/tenpin.wasm")), { level: 9 }).length;
  console.log(`size: playground.html ${size("playground.html")} MB; tenpin.wasm ${size("site/tenpin.wasm")} MB, ${(wasm / 1e6).toFixed(2)} MB packed`);
}

async function measurePage() {
  const { chromium } = createRequire(resolve(build, "page/package.json"))("playwright-core");
  const folder = mkdtempSync(join(tmpdir(), "tenpin-measure-"));
  const context = await chromium.launchPersistentContext(folder, {
    executablePath, headless: true, args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"] });
  const starts = [];
  const checks = [];
  for (let turn = 0; turn < kTurns; ++turn) {
    const page = await context.newPage();
    page.setDefaultTimeout(180_000);
    await page.goto(`${pathToFileURL(resolve(out, "playground.html")).href}#example=four-balls`);
    await page.waitForFunction(() => /State/.test(document.getElementById("status").textContent));
    await page.locator(".cm-content").focus();
    await page.keyboard.press("Control+End");
    for (const letter of "# some words") {
      await page.keyboard.type(letter);
      await page.waitForTimeout(400);
    }
    const read = (name) => page.evaluate((n) => performance.getEntriesByName(n).map((one) => one.duration), name);
    starts.push(...(await read("tenpin start")));
    checks.push(...(await read("tenpin check")));
    await page.close();
  }
  await context.close();
  rmSync(folder, { recursive: true, force: true });
  console.log(`start of the engine in Chromium: ${best(starts).toFixed(0)} ms; check while typing: ${best(checks).toFixed(0)} ms (best of ${checks.length})`);
}

// s   of processor time
function time(...command) {
  const result = spawnSync("bash", ["-c", 'TIMEFORMAT=%U; time "$@" > /dev/null', "bash", ...command], { encoding: "utf8" });
  if (result.status !== 0) throw new Error(result.stderr);
  return Number(result.stderr.trim().split("\n").at(-1));
}

function measureSpeed() {
  const engine = join(build, "apps/playground");
  for (const name of kScenes) {
    const scene = join(scenes, `${name}.yaml`);
    const times = { native: [], wasm: [] };
    for (let turn = 0; turn < kTurns; ++turn) {
      times.native.push(time(program, "run", scene, "-q", "--threads", "1"));
      times.wasm.push(time(process.execPath, fileURLToPath(import.meta.url), "--run", engine, scene));
    }
    const [native, wasm] = [best(times.native), best(times.wasm)];
    console.log(`${name}: native ${native.toFixed(2)} s, WebAssembly in node ${wasm.toFixed(2)} s, ratio ${(wasm / native).toFixed(2)}`);
  }
}

measureSize();
await measurePage();
measureSpeed();
