// Runs the modules' unit tests that were compiled to WebAssembly, in node.
//   node unit.mjs FOLDER JOBS        FOLDER has unit_<module>.js and .wasm
//   node unit.mjs FILE.js ARGUMENT...     one program, with GoogleTest's arguments
// left_out.txt names the tests that cannot run there, with the reason.

import { spawn } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const kSelf = fileURLToPath(import.meta.url);
const [place, ...words] = process.argv.slice(2);

if (place.endsWith(".js")) await runProgram(resolve(place), words);
else process.exitCode = (await runModules(place, Number(words[0] ?? 1))) ? 0 : 1;

async function runProgram(file, args) {
  const create = createRequire(kSelf)(file);
  await create({ wasmBinary: readFileSync(file.replace(/js$/, "wasm")), arguments: args });
}

// Patterns of tests by module.
function readLeftOut() {
  const patterns = {};
  for (const line of readFileSync(join(kSelf, "..", "left_out.txt"), "utf8").split("\n")) {
    const [what, pattern] = line.split(/\s+/);
    if (!what || what.startsWith("#") || what.endsWith(".cpp")) continue;
    (patterns[what] ??= []).push(pattern);
  }
  return patterns;
}

async function runModules(folder, jobs) {
  const leftOut = readLeftOut();
  const waiting = readdirSync(folder).filter((name) => /^unit_\w+\.js$/.test(name));
  const modules = waiting.map((name) => basename(name, ".js").slice("unit_".length));
  for (const module of Object.keys(leftOut))
    if (!modules.includes(module)) throw new Error(`left_out.txt: there is no module ${module}`);
  if (waiting.length === 0) throw new Error(`${folder} has no tests`);
  let passed = 0;
  let good = true;
  const work = async () => {
    for (let name = waiting.shift(); name; name = waiting.shift()) {
      const result = await runModule(join(folder, name), leftOut[basename(name, ".js").slice("unit_".length)] ?? []);
      passed += result.passed;
      good &&= result.good;
    }
  };
  await Promise.all(Array.from({ length: jobs }, work));
  console.log(`${passed} unit tests of ${modules.length} modules pass in WebAssembly`);
  return good;
}

async function runModule(file, patterns) {
  const began = performance.now();
  for (const pattern of patterns) {
    const { output } = await start(file, "--gtest_list_tests", `--gtest_filter=${pattern}`);
    if (!/^ {2}\w/m.test(output)) throw new Error(`left_out.txt: ${pattern} fits no test of ${basename(file)}`);
  }
  const { code, output } = await start(file, "--gtest_brief=1", `--gtest_filter=-${patterns.join(":")}`);
  const passed = Number(/\[ {2}PASSED {2}\] (\d+) test/.exec(output)?.[1] ?? 0);
  const good = code === 0 && passed > 0;
  if (!good) console.log(output);
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${basename(file, ".js")}: ${passed} pass${good ? "" : `, FAILED with exit status ${code}`}, ${seconds} s`);
  return { passed, good };
}

function start(file, ...args) {
  return new Promise((done) => {
    const child = spawn(process.execPath, [kSelf, file, ...args]);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("close", (code) => done({ code, output }));
  });
}
