// The page of `tenpin compare` in a real browser, against the run files it was made from.

import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { Place, need, requirePackage, scene } from "./place.mjs";

const place = new Place();
let context;
let page;
const troubles = [];

before(async () => {
  place.tenpin(
    ...["compare", scene("four-balls"), "-q", "--html", "page.html", "-o", "runs", "--methods"],
    "time-stepping,time-stepping:formulation=velocity:step=0.01,time-stepping:order=2:lever=printed",
  );
  const { chromium } = requirePackage("playwright-core");
  context = await chromium.launchPersistentContext(place.file("profile"), {
    executablePath: need("TENPIN_CHROMIUM"),
    headless: true,
    args: ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
    viewport: { width: 1200, height: 900 },
  });
  page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) troubles.push(message.text());
  });
  page.on("pageerror", (error) => troubles.push(String(error)));
  await page.goto(pathToFileURL(place.file("page.html")).href);
  await page.waitForFunction(() => window.tenpin !== undefined);
});

after(async () => {
  await context?.close();
  place.remove();
});

// The position of a body in a run file at a time that is one of its frames'.
function position(run, body, t) {
  const lines = place
    .tenpin("export", run, "--csv", "-", "--quantity", `bodies.${body}.position`)
    .split("\r\n")
    .slice(1)
    .filter(Boolean)
    .map((line) => line.split(",").map(Number));
  const row = lines.find((cells) => Math.abs(cells[0] - t) < 1e-9);
  return row.slice(1);
}

test("ghosts are where their own run has them", async () => {
  const times = [0.1, 0.43, 1];
  for (const t of times) {
    await page.evaluate((time) => window.tenpin.setTime(time), t);
    for (const [body, run, name] of [
      [1, "runs/1.h5", "thrown"],
      [5, "runs/2.h5", "thrown"],
      [8, "runs/2.h5", "third"],
    ]) {
      const shown = await page.evaluate((b) => window.tenpin.bodyPose(b), body);
      const expected = position(run, name, t);
      for (let i = 0; i < 3; ++i)
        assert.ok(Math.abs(shown[i] - expected[i]) < 1e-5, `${name} in ${run} at ${t}`);
    }
  }
});

test("the panel names methods, where they part and who refused", async () => {
  const text = await page.locator(".compare").innerText();
  assert.match(text, /formulation=velocity, step=0\.01/);
  assert.match(text, /Diverges at 0\.11 s: thrown/);
  assert.match(text, /step error of first order/);
  assert.match(text, /refused the scene: .*printed lever/);
  await page.locator(".compare button.link").first().click();
  assert.ok(Math.abs((await page.evaluate(() => window.tenpin.time)) - 0.11) < 1e-6);
});

test("a run can be hidden, and what is seen changes", async () => {
  await page.evaluate(() => window.tenpin.setTime(1));
  const stage = page.locator("#canvas");
  const both = await stage.screenshot();
  await page.locator(".layer .key").nth(1).click();
  await page.waitForTimeout(300);
  const one = await stage.screenshot();
  assert.notDeepEqual(both, one);
  await page.locator(".layer .key").nth(1).click();
  if (process.env.TENPIN_ARTEFACTS) {
    mkdirSync(process.env.TENPIN_ARTEFACTS, { recursive: true });
    writeFileSync(join(process.env.TENPIN_ARTEFACTS, "compare.png"), await page.screenshot());
  }
});

test("nothing went wrong on the way", () => assert.deepEqual(troubles, []));
