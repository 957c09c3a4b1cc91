// The playground in Chromium, from a disk.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { findFaintText, findUnreachable } from "../viewer/page_checks.mjs";

const kPatience = 180_000; // ms   without a graphics processor, on a machine with other work
const kFlags = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync"];
const build = process.env.TENPIN_PLAYGROUND_BUILD;
const out = process.env.TENPIN_PLAYGROUND;
const source = process.env.TENPIN_SOURCE;
const { chromium } = createRequire(join(build, "package.json"))("playwright-core");
const file = pathToFileURL(join(out, "playground.html")).href;

let folder;
let context;
before(async () => {
  folder = mkdtempSync(join(tmpdir(), "tenpin-playground-"));
  context = await chromium.launchPersistentContext(join(folder, "profile"), {
    executablePath: process.env.TENPIN_CHROMIUM,
    headless: true,
    args: kFlags,
    acceptDownloads: true,
  });
});
after(async () => {
  await context?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function open(url, { width = 1400, height = 900, colorScheme = "light" } = {}) {
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" }); // shown at rest: less to draw
  page.troubles = [];
  page.on("console", (message) => {
    if (message.type() === "error") page.troubles.push(message.text());
  });
  page.on("pageerror", (error) => page.troubles.push(String(error)));
  await page.goto(url);
  return page;
}

const status = (page) => page.locator("#status").textContent();
const waitForStatus = (page, pattern) =>
  page.waitForFunction((text) => new RegExp(text).test(document.getElementById("status").textContent), pattern.source);
const waitForProblems = (page, text) =>
  page.waitForFunction((want) => document.getElementById("problem-count").textContent === want, text);
const keepPicture = async (page, name) => {
  mkdirSync(join(build, "screenshots"), { recursive: true });
  await page.evaluate(() => window.tenpin?.renderWell());
  await page.screenshot({ path: join(build, "screenshots", `${name}.png`), timeout: kPatience });
};
const sceneText = (name) => readFileSync(join(source, "scenes", `${name}.yaml`), "utf8");

function runNatively(name) {
  const words = ["run", join(source, "scenes", `${name}.yaml`), "--json", "-q"];
  const { stdout } = spawnSync(process.env.TENPIN_PROGRAM, words, { encoding: "utf8" });
  return /"state_hash": *"([0-9a-f]{16})"/.exec(stdout)[1];
}

async function waitForHash(page) {
  await waitForStatus(page, /State [0-9a-f]{16}/);
  return /State ([0-9a-f]{16})/.exec(await status(page))[1];
}

// The text in the editor, which draws only the lines in sight.
async function readEditor(page) {
  const [download] = await Promise.all([page.waitForEvent("download"), chooseFile(page, "save-scene")]);
  return readFileSync(await download.path(), "utf8");
}

async function chooseFile(page, id) {
  await page.locator("#more summary").click();
  await page.locator(`#${id}`).click();
}

// Another scene in place of the one in the editor, as if it were pasted.
async function paste(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(text);
}

async function typeAtEnd(page, text) {
  await page.locator(".cm-content").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.type(text);
}

test("an example runs to its end, with the native program's bits, and is shown", async () => {
  const page = await open(`${file}#example=four-balls`);
  assert.equal(await waitForHash(page), runNatively("four-balls"));
  await page.waitForFunction(() => window.tenpin?.numBodies === 5);
  assert.match(await page.locator("#verdict").textContent(), /All steps certified/);
  await page.evaluate(() => tenpin.setTime(0.4));
  await keepPicture(page, "wide");
  assert.deepEqual(await page.evaluate(findUnreachable), []);
  assert.deepEqual(await page.evaluate(findFaintText), []);
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("examples that include a mesh, a scene file or a table run with the native bits", async () => {
  const page = await open(`${file}#example=mixed-shapes`);
  assert.equal(await waitForHash(page), runNatively("mixed-shapes"));
  for (const name of ["timed-lift", "stools"]) {
    await page.locator("#examples").selectOption(name);
    const hash = runNatively(name);
    await waitForStatus(page, new RegExp(`State ${hash}`));
  }
  assert.match(page.url(), /#example=stools$/);
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("a typing error appears with line and column, is marked, and leaves with the correction", async () => {
  const page = await open(`${file}#example=falling-rod`);
  await waitForHash(page);
  await waitForProblems(page, "No problems");
  await typeAtEnd(page, "untill: 2");
  await waitForProblems(page, "1 problem");
  const lines = sceneText("falling-rod").split("\n").length;
  assert.match(await page.locator("#problems").textContent(), new RegExp(`^${lines}:1.*untill`));
  assert.equal(await page.locator(".cm-lintRange-error").textContent(), "untill:");
  assert.equal(await page.locator(".cm-lint-marker-error").count(), 1);
  assert.equal(await page.locator("#examples").inputValue(), "", "it is the reader's own scene now");
  await keepPicture(page, "error");
  await page.keyboard.press("Control+Home");
  await page.locator("#problems button").click();
  assert.match(await page.locator(".cm-activeLine").textContent(), /untill/);
  // A run of it is refused, and what was shown stays.
  await page.locator("#run").click();
  await waitForStatus(page, /^Line \d+: /);
  assert.equal(await page.locator("#canvas").count(), 1);
  await paste(page, sceneText("falling-rod"));
  await waitForProblems(page, "No problems");
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("a problem behind letters of several bytes is marked at its place", async () => {
  const page = await open(`${file}#example=falling-rod`);
  await waitForHash(page);
  await paste(page, 'tenpin: 1\nmaterials: {"Öl für 🎳": {frction: 1}}\nbodies: []\nuntil: 1\n');
  await page.waitForFunction(() => document.querySelector(".cm-lintRange-error")?.textContent === "frction:");
  await page.close();
});

test("keys are completed and explained", async () => {
  const page = await open(`${file}#example=timed-lift`);
  await waitForHash(page);
  await typeAtEnd(page, "meth");
  const offer = page.locator(".cm-tooltip-autocomplete li[aria-selected]");
  await offer.filter({ hasText: "method" }).waitFor();
  await keepPicture(page, "completion");
  await page.keyboard.press("Enter");
  assert.match(await page.locator(".cm-activeLine").textContent(), /^method: $/);
  await page.keyboard.type("{impu");
  await offer.filter({ hasText: "impulse" }).waitFor();
  await page.keyboard.press("Escape");
  await page.locator(".cm-line", { hasText: /^method/ }).locator("span").first().hover();
  await page.locator(".explanation").waitFor();
  assert.match(await page.locator(".explanation").textContent(), /^method .*\w/);
  assert.deepEqual(page.troubles, []);
  await page.close();
});

test("a shared link opens the scene, and saved files hold scene and run", async () => {
  const page = await open(`${file}#example=falling-rod`);
  const before = await waitForHash(page);
  const text = sceneText("falling-rod").replace("name: Falling rod", "name: Stäbchen 🎳").replace("until: 1.0", "until: 0.7");
  await paste(page, text);
  await waitForProblems(page, "No problems");
  await page.keyboard.press("Control+Enter");
  await waitForStatus(page, new RegExp(`^(?!.*${before})`));
  const hash = await waitForHash(page);
  assert.equal(await readEditor(page), text);
  await page.locator("#share").click();
  await page.waitForURL(/#scene=/);
  const second = await open("about:blank");
  await second.goto(page.url());
  assert.equal(await waitForHash(second), hash);
  assert.equal(await readEditor(second), text);
  const [download] = await Promise.all([second.waitForEvent("download"), chooseFile(second, "save-run")]);
  assert.match(download.suggestedFilename(), /^stäbchen-run\.html$/);
  const saved = join(folder, "run.html");
  await download.saveAs(saved);
  const run = await open(pathToFileURL(saved).href);
  await run.waitForFunction(() => window.tenpin?.numBodies === 2);
  assert.equal(await run.locator("#scene-name").textContent(), "Stäbchen 🎳");
  for (const one of [page, second, run]) {
    assert.deepEqual(one.troubles, []);
    await one.close();
  }
});

test("a link that was cut opens an example and says so", async () => {
  const page = await open(`${file}#scene=eJwLyy`);
  await waitForStatus(page, /link may have been cut|State/);
  assert.notEqual(await page.locator("#examples").inputValue(), "");
  await page.close();
});

test("a long run can be stopped and looked at, and another one started", async () => {
  const page = await open(`${file}#example=dominoes`);
  await waitForStatus(page, /^Computing: 0\.0[1-9]/);
  assert.equal(await page.locator("#run").textContent(), "Stop");
  await page.locator("#run").click();
  await waitForStatus(page, /^Stopped/);
  await page.waitForFunction(() => window.tenpin?.numFrames > 0);
  assert.equal(await page.locator("#run").textContent(), "Run");
  await page.locator("#examples").selectOption("four-balls");
  assert.equal(await waitForHash(page), runNatively("four-balls"));
  assert.deepEqual(page.troubles, []);
  await page.close();
});

const makeBalls = (repeat, position, rest) =>
  `tenpin: 1\nmaterials: {m: {friction: 0.3, restitution: 0}}\nbodies:\n  - name: ball\n    material: m\n    mass: 1\n` +
  `    position: ${position}\n    shapes: [{sphere: {radius: 0.1}}]\n    repeat: ${repeat}\n${rest}\n`;

// The page can still run an example, with the right bits.
async function checkUsable(page) {
  await page.locator("#examples").selectOption("falling-rod");
  assert.equal(await waitForHash(page), runNatively("falling-rod"));
  assert.deepEqual(page.troubles, []);
  await page.close();
}

test("a scene beyond a limit is refused with a message, and the page stays usable", async () => {
  const page = await open(`${file}#example=four-balls`);
  await waitForHash(page);
  await paste(page, makeBalls("{stack: 20001, spacing: 1}", "[0, 0, 0]", "until: 0.01"));
  await waitForProblems(page, "1 problem");
  const problem = await page.locator("#problems").textContent();
  assert.match(problem, /^4:5.*too many bodies.*20.?000 in a page; the program on your machine/);
  await page.locator("#run").click();
  await waitForStatus(page, /too many bodies/);
  await paste(page, sceneText("four-balls").replace("until: 1.0", "until: 1e7"));
  await page.waitForFunction(() => /too many steps/.test(document.getElementById("problems").textContent));
  await checkUsable(page);
});

test("a scene with files that the page has not is refused with a message", async () => {
  const page = await open(`${file}#example=mixed-shapes`);
  await waitForHash(page);
  await paste(page, sceneText("mixed-shapes").replace("meshes/octahedron.obj", "mine.obj"));
  await page.locator("#run").click();
  await waitForStatus(page, /only the files of the examples/);
  await paste(page, sceneText("timed-lift").replace("tables/lift.csv", "mine.csv"));
  await page.locator("#run").click();
  await waitForStatus(page, /only the files of the examples/);
  assert.match(await page.locator("#problems").textContent(), /mine\.csv/);
  await checkUsable(page);
});

test("a phone shows scene or run, and dark mode is legible", async () => {
  for (const [name, options] of [
    ["phone", { width: 390, height: 844 }],
    ["phone-dark", { width: 390, height: 844, colorScheme: "dark" }],
    ["phone-landscape", { width: 844, height: 390 }],
    ["dark", { colorScheme: "dark" }],
  ]) {
    const page = await open(`${file}#example=ten-pins`, options);
    await waitForHash(page);
    await page.waitForFunction(() => window.tenpin?.numBodies > 10);
    await page.evaluate(() => tenpin.setTime(0.6));
    await keepPicture(page, name);
    const check = async () => {
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, name);
      assert.deepEqual(await page.evaluate(findUnreachable), [], name);
      assert.deepEqual(await page.evaluate(findFaintText), [], name);
    };
    await check();
    if (name !== "dark") {
      assert.equal(await page.locator("#editor").isVisible(), false);
      await page.locator("#show-scene").click();
      assert.equal(await page.locator("#editor").isVisible(), true);
      assert.equal(await page.locator("#canvas").isVisible(), false);
      await keepPicture(page, `${name}-scene`);
      await check();
    }
    assert.deepEqual(page.troubles, []);
    await page.close();
  }
});
