// Runs that a server sends, finished and growing, in Chromium.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, need } from "./browser.mjs";
import { Running, readFrames, tenpin } from "./program.mjs";

const kPositionTolerance = 1e-6; // m   single precision, as in the pages of scenes

let browser;
before(async () => (browser = await Browser.start({ pages: false })));
after(() => browser?.stop());

const poseOf = (page, body) => page.evaluate((b) => tenpin.bodyPose(b), body);
const near = (pose, position) =>
  position.forEach((x, i) =>
    assert.ok(Math.abs(pose[i] - x) <= kPositionTolerance, `${pose} not ${position}`),
  );

test("a run in many blocks is shown at any frame, with its curves, contacts and trails", async () => {
  execFileSync(need("TENPIN_VIEWER_PAGES"), [browser.folder, "60", "700"]);
  const file = join(browser.folder, "heap.h5");
  const frames = readFrames(file);
  const server = new Running("view", file, "--no-open");
  const page = await browser.visit(await server.address, { width: 480, height: 400 });
  assert.equal(await page.evaluate(() => tenpin.numFrames), 700);
  for (const k of [650, 3, 333]) {
    await page.fill("#time", String(k));
    await page.waitForFunction((frame) => tenpin.shownFrame === frame, k);
    for (const body of [1, 30, 60]) near(await poseOf(page, body), frames[k].bodies[body].position);
  }
  assert.ok((await page.evaluate(() => tenpin.numArrows)) > 0);
  await page.waitForFunction(() => tenpin.isWhole);
  await page.evaluate(() => tenpin.select({ kind: "body", body: 7 }));
  await page.waitForFunction(() =>
    /ball 6 z/.test(document.getElementById("chosen-plot").textContent),
  );
  await page.keyboard.press("t");
  await browser.keepPicture(page, "streamed");
  assert.deepEqual(page.troubles, []);
  await page.close();
  assert.equal(await server.interrupt(), 0);
});

test("a run is shown while it is computed, and its end is known", async () => {
  const scene = join(need("TENPIN_SCENES"), "mixed-shapes.yaml");
  const file = join(browser.folder, "live.h5");
  const run = new Running(
    "run",
    scene,
    "--set",
    "until=1000",
    "-q",
    "--live",
    "--no-open",
    "-o",
    file,
  );
  const page = await browser.visit(await run.address, { width: 480, height: 400 });
  assert.ok(await page.evaluate(() => tenpin.live && tenpin.growing));
  const before = await page.evaluate(() => tenpin.numFrames);
  await page.waitForFunction((n) => tenpin.numFrames > n + 20 && tenpin.shownFrame > n, before);
  assert.match(await page.textContent("#verdict"), /Computing, \d+ %/);
  await page.click("#back"); // steps out of the live view
  const held = await page.evaluate(() => tenpin.frame);
  await page.waitForFunction((n) => tenpin.numFrames > n + 60, held);
  assert.equal(await page.evaluate(() => tenpin.frame), held);
  await page.waitForFunction((frame) => tenpin.shownFrame === frame, held);
  const pose = await poseOf(page, 2);
  await page.click("#live");
  await page.waitForFunction((frame) => tenpin.shownFrame > frame, held);
  await browser.keepPicture(page, "live");
  assert.deepEqual(page.troubles, []);
  assert.equal(await run.interrupt(), 130);
  near(pose, readFrames(file)[held].bodies[2].position);
  await page.waitForFunction(() => !tenpin.growing);
  await page.waitForFunction(() => /ended/.test(document.getElementById("notes").textContent));
  await page.close();
});

test("browsers that are slow or dead neither slow a run nor change it", async () => {
  const scene = join(need("TENPIN_SCENES"), "mixed-shapes.yaml");
  const [alone, watched] = ["alone.h5", "watched.h5"].map((name) => join(browser.folder, name));
  const plain = JSON.parse(tenpin("run", scene, "--json", "-o", alone));
  const run = new Running("run", scene, "--json", "--live", "--no-open", "-o", watched);
  const { port, pathname } = new URL(await run.address);
  // They ask for all there is, and read none of it.
  const dead = Array.from({ length: 20 }, () => {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => {});
    const ask = (name) => `GET ${pathname}${name} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`;
    socket.pause();
    socket.write(ask("?page=1") + ask("run?page=1") + ask("frames?first=0&count=256&stride=1"));
    return socket;
  });
  await assert.doesNotReject(async () => {
    for (;;) {
      const summary = run.output.match(/^\{[^]*^\}/m);
      if (summary) return assert.equal(JSON.parse(summary[0]).state_hash, plain.state_hash);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  });
  assert.equal(await run.interrupt(), 0);
  for (const socket of dead) socket.destroy();
  assert.deepEqual(readFrames(watched), readFrames(alone));
});
