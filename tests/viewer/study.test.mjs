// The page of a study while it is computed, in Chromium.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";
import { findFaintText } from "./page_checks.mjs";
import { Running } from "./program.mjs";

const kScene = `tenpin: 1
bodies:
  - {name: floor, fixed: true, shapes: [plane: {}]}
  - {name: ball, mass: 1, position: [0, 0, 1], velocity: [1, 0, 0], shapes: [{sphere: {radius: 0.1}}]}
method: {time-stepping: {step: 0.002}}
until: 1
`;
const study = (trials) => `tenpin_study: 1
name: How far a ball <rolls> & lands
scene: scene.yaml
trials: ${trials}
vary:
  height: {path: bodies.ball.position.2, from: 0.2, to: 1}
measures:
  x: {final: bodies.ball.position.x}
  landed: {first: {quantity: bodies.ball.position.z, below: 0.11}}
`;

let browser;
before(async () => (browser = await Browser.start({ pages: false })));
after(() => browser?.stop());

const start = (trials) => {
  writeFileSync(join(browser.folder, "scene.yaml"), kScene);
  const file = join(browser.folder, `study-${trials}.yaml`);
  writeFileSync(file, study(trials));
  const table = join(browser.folder, `study-${trials}.sqlite`);
  return new Running("sweep", file, "-o", table, "--live", "--no-open", "-q", "--threads", "1");
};
const overflow = () => document.documentElement.scrollWidth - document.documentElement.clientWidth;

test("a study is shown while it is computed: progress, rate, share of each process, plots, rows", async () => {
  const sweep = start(1000000);
  const page = await browser.visit(await sweep.address, { width: 960, height: 800 });
  await page.waitForFunction(() =>
    /^\d+ of 1000000 trials, .* per second, .* left$/.test(
      document.getElementById("line").textContent,
    ),
  );
  await page.waitForFunction(() => document.querySelectorAll("#results svg").length === 2);
  assert.match(await page.textContent("#ranks"), /rank 0: \d+ rows, busy \d+ %/);
  assert.equal(await page.textContent("h1"), "How far a ball <rolls> & lands");
  const count = () => Number(document.getElementById("line").textContent.split(" ")[0]);
  const before = await page.evaluate(count);
  await page.waitForFunction(
    (n) => Number(document.getElementById("line").textContent.split(" ")[0]) > n,
    before,
  );
  await browser.keepPicture(page, "study-live");
  assert.deepEqual(page.troubles, []);
  await page.close();
  assert.equal(await sweep.interrupt(), 130);
});

test("the page knows the end, fits a narrow screen and a dark one, and its closing ends the server", async () => {
  const sweep = start(40);
  const address = await sweep.address;
  const page = await browser.visit(address, { width: 360, height: 700, colorScheme: "dark" });
  await page.waitForFunction(() => tenpin.stage === "done");
  await page.waitForFunction(() => document.querySelectorAll("#results svg").length === 2);
  assert.match(await page.textContent("#line"), /^40 of 40 trials, done in/);
  const cells = await page.$$eval("#results td", (all) => all.map((cell) => cell.textContent));
  assert.ok(cells.includes("39"), cells.join(" ")); // the last trial
  assert.equal(await page.evaluate(overflow), 0);
  assert.deepEqual(await page.evaluate(findFaintText), []);
  await browser.keepPicture(page, "study-narrow-dark");
  assert.deepEqual(page.troubles, []);
  await page.close();
  assert.equal(await sweep.ended, 0);
  await assert.rejects(fetch(address));
});

test("other sites, other addresses and other methods get nothing", async () => {
  const sweep = start(1000000);
  const address = await sweep.address;
  const status = async (url, options) => (await fetch(url, options)).status;
  assert.equal(await status(`${address}progress`), 200);
  assert.equal(await status(`${address}progress`, { headers: { Origin: "http://evil.example" } }), 403);
  assert.equal(await status(`${address}progress`, { headers: { "Sec-Fetch-Site": "cross-site" } }), 403);
  assert.equal(await status(`${address}nothing`), 404);
  assert.equal(await status(new URL("/progress", address).href), 404);
  assert.equal(await status(`${address}progress`, { method: "DELETE" }), 405);
  assert.equal(await sweep.interrupt(), 130);
});
