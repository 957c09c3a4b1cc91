#!/usr/bin/env node
// Takes a picture of a viewer page at a moment of its run:  picture.mjs page.html seconds out.png [width height]
// Needs Chromium and the packages that the build put into TENPIN_VIEWER_BUILD (default build/release/viewer).
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [page, seconds, out, width = "1280", height = "720"] = process.argv.slice(2);
if (!out) throw new Error("usage: picture.mjs page.html seconds out.png [width height]");
const build = resolve(process.env.TENPIN_VIEWER_BUILD ?? "build/release/viewer");
const { chromium } = createRequire(join(build, "package.json"))("playwright-core");
const profile = mkdtempSync(join(tmpdir(), "tenpin-picture-"));
const context = await chromium.launchPersistentContext(profile, {
  executablePath: process.env.TENPIN_CHROMIUM ?? "/usr/bin/chromium",
  headless: true,
  args: ["--headless=new", "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
    "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync"],
  viewport: { width: Number(width), height: Number(height) },
});
const tab = await context.newPage();
await tab.goto(pathToFileURL(resolve(page)).href);
await tab.waitForFunction(() => window.tenpin !== undefined);
await tab.evaluate((t) => window.tenpin.setTime(t), Number(seconds));
await tab.waitForTimeout(500);
await tab.screenshot({ path: out });
await context.close();
rmSync(profile, { recursive: true });
