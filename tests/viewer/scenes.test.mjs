// Pages of real scenes in Chromium, against the numbers of their run files.

import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser, need } from "./browser.mjs";
import { countColours } from "./page_checks.mjs";
import { readFrames, tenpin } from "./program.mjs";

// One unit in the last place of a single-precision number below 16 m.
const kPositionTolerance = 1e-6; // m

let browser;
before(async () => (browser = await Browser.start({ pages: false })));
after(() => browser?.stop());

// Mechanisms with hinges and loops, frictional contact, every shape; `touches` where contacts bear
// load at some time.
const kScenes = [
  { name: "four-balls", touches: true },
  { name: "mixed-shapes", touches: true },
  { name: "dice-and-pebbles", touches: true },
  { name: "falling-rod", touches: true },
  { name: "double-pendulum", touches: false },
  { name: "four-bar", touches: false },
  { name: "chain", touches: false },
  { name: "ramp-slide", touches: true },
];

for (const { name, touches } of kScenes) {
  test(`the page of ${name} shows its run`, async () => {
    const stem = join(browser.folder, name);
    const scene = join(need("TENPIN_SCENES"), `${name}.yaml`);
    tenpin("run", scene, "-q", "-o", `${stem}.h5`, "--html", `${stem}.html`);
    const frames = readFrames(`${stem}.h5`);
    const page = await browser.open(name, { width: 1280, height: 760 });
    assert.equal(await page.evaluate(() => tenpin.numFrames), frames.length);
    assert.equal(await page.evaluate(() => tenpin.numBodies), frames[0].bodies.length);
    for (const k of [0, Math.floor(frames.length / 3), frames.length - 1]) {
      await page.fill("#time", String(k));
      await page.waitForFunction((frame) => tenpin.shownFrame === frame, k);
      const poses = await page.evaluate(() =>
        Array.from({ length: tenpin.numBodies }, (_, body) => tenpin.bodyPose(body)),
      );
      frames[k].bodies.forEach(({ position }, body) =>
        position.forEach((x, i) => {
          const away = Math.abs(poses[body][i] - x);
          assert.ok(
            away <= kPositionTolerance,
            `${name}, frame ${k}, body ${body}: ${away} m away`,
          );
        }),
      );
    }
    if (touches) {
      const most = await page.evaluate(() => {
        let count = 0;
        for (let k = 0; k < tenpin.numFrames; k += Math.ceil(tenpin.numFrames / 10)) {
          tenpin.setFrame(k);
          count = Math.max(count, tenpin.numArrows);
        }
        return count;
      });
      assert.ok(most > 0, "no arrow at any time");
    }
    await page.evaluate((t) => tenpin.setTime(t), frames[Math.floor(frames.length / 2)].t);
    const picture = (await browser.keepPicture(page, name)).toString("base64");
    assert.ok((await page.evaluate(countColours, picture)) > 500, "the picture is blank");
    assert.deepEqual(page.troubles, []);
    await page.close();
  });
}

test("a thousand balls for a thousand frames fit into a page of 30 MB", async () => {
  const { execFileSync } = await import("node:child_process");
  execFileSync(need("TENPIN_VIEWER_PAGES"), [browser.folder, "1000", "1000"]);
  assert.ok(statSync(join(browser.folder, "heap.html")).size < 30e6);
  const page = await browser.open("heap", { width: 640, height: 400 });
  assert.equal(await page.evaluate(() => tenpin.numBodies), 1001);
  assert.equal(await page.evaluate(() => (tenpin.setFrame(999), tenpin.shownFrame)), 999);
  assert.deepEqual(page.troubles, []);
  await page.close();
});
