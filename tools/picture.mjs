#!/usr/bin/env node
// Takes a picture of a page:  picture.mjs page.html out.png [--time seconds] [--size 1280x720] [--select css]
// A viewer's page is shown at a moment of its run; with --select, only the first such element is taken. Needs Chromium and
// the packages that the build put into TENPIN_VIEWER_BUILD (default build/release/viewer).
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    time: { type: "string" },
    size: { type: "string", default: "1280x720" },
    select: { type: "string" },
  },
});
const [page, out] = positionals;
if (!out) throw new Error("usage: picture.mjs page.html out.png [--time s] [--size WxH] [--select css]");
const [width, height] = options.size.split("x").map(Number);
const build = resolve(process.env.TENPIN_VIEWER_BUILD ?? "build/release/viewer");
const { chromium } = createRequire(join(build, "package.json"))("playwright-core");
const profile = mkdtempSync(join(tmpdir(), "tenpin-picture-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.TENPIN_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
  viewport: { width, height },
  colorScheme: "light",
});
try {
  const tab = await context.newPage();
  tab.setDefaultTimeout(180_000); // busy machines
  await tab.goto(pathToFileURL(resolve(page)).href);
  if (options.time !== undefined) {
    await tab.waitForFunction(() => window.tenpin !== undefined);
    await tab.evaluate((t) => window.tenpin.setTime(t), Number(options.time));
    await tab.waitForTimeout(500);
  }
  const clip = options.select && (await tab.locator(options.select).first().boundingBox());
  await tab.screenshot({ path: out, ...(clip && { clip, fullPage: true }) });
} finally {
  await context.close();
  rmSync(profile, { recursive: true });
}
