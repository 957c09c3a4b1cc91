// The playground in Chromium, from a disk.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";

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
  await page.emulateMedia({ colorScheme });
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
const keepPicture = async (page, name) => {
  mkdirSync(join(build, "screenshots"), { recursive: true });
  await page.evaluate(() => window.tenpin?.renderWell());
  await page.screenshot({ path: join(build, "screenshots", `${name}.png`), timeout: kPatience });
};

test("an example runs to its end, with the native program's bits, and is shown", async () => {
  const page = await open(`${file}#example=four-balls`);
  await waitForStatus(page, /State [0-9a-f]{16}/);
  const hash = /State ([0-9a-f]{16})/.exec(await status(page))[1];
  const native = spawnSync(process.env.TENPIN_PROGRAM, ["run", join(source, "scenes/four-balls.yaml"), "--json", "-q"], { encoding: "utf8" });
  assert.equal(hash, /"state_hash": *"([0-9a-f]{16})"/.exec(native.stdout)[1]);
  await page.waitForFunction(() => window.tenpin?.numBodies === 5);
  assert.match(await page.locator("#verdict").textContent(), /All steps certified/);
  await page.evaluate(() => tenpin.setTime(0.4));
  await keepPicture(page, "wide");
  assert.deepEqual(page.troubles, []);
  await page.close();
});
