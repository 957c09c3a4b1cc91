#!/usr/bin/env node
// Measures a page, and prints:  measure.mjs page.html [times]
// Its size; the time until it can be used; the script's time per frame; the time until the picture
// is there, which without a graphics processor is that of the software renderer. Medians. Needs the
// environment that the tests get from ctest: TENPIN_VIEWER_BUILD and TENPIN_CHROMIUM.

import { statSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { Browser } from "./browser.mjs";

const [path, times = "5"] = process.argv.slice(2);
if (!path) throw new Error("usage: measure.mjs page.html [times]");
const median = (values) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

// Inside the page: one frame after the other, from all over the run.
async function stepThrough() {
  const script = [];
  const whole = [];
  for (let k = 0; k < 20; ++k) {
    const start = performance.now();
    tenpin.setFrame(Math.floor((k / 20) * tenpin.numFrames));
    script.push(performance.now() - start);
    await new Promise(requestAnimationFrame);
    whole.push(performance.now() - start);
  }
  return { script, whole };
}

const browser = await Browser.start({ pages: false });
const opened = [];
let frames;
for (let i = 0; i < Number(times); ++i) {
  const start = performance.now();
  const page = await browser.visit(pathToFileURL(resolve(path)).href, { width: 1280, height: 760 });
  opened.push(performance.now() - start);
  frames = await page.evaluate(stepThrough);
  await page.close();
}
await browser.stop();
console.log(`size                 ${(statSync(path).size / 1e6).toFixed(2)} MB`);
console.log(`opens in             ${median(opened).toFixed(0)} ms`);
console.log(`script per frame     ${median(frames.script).toFixed(1)} ms`);
console.log(`picture per frame    ${median(frames.whole).toFixed(0)} ms`);
