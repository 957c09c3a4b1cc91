// Starts Chromium with software rendering on pages that test_viewer_pages has made.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const kFlags = [
  "--headless=new",
  "--no-sandbox",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

// Without a graphics processor a picture takes seconds, and far longer on a machine that has other
// work: only a page that never gets there should fail.
const kPatience = 300_000; // ms

export function need(name) {
  const value = process.env[name];
  if (!value || value.endsWith("-NOTFOUND")) throw new Error(`${name} is not set`);
  return value;
}

export class Browser {
  // With `pages`, the ones that test_viewer_pages makes are in the folder.
  static async start({ pages = true } = {}) {
    const require = createRequire(join(need("TENPIN_VIEWER_BUILD"), "package.json"));
    const { chromium } = require("playwright-core");
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "tenpin-viewer-"));
    if (pages) execFileSync(need("TENPIN_VIEWER_PAGES"), [browser.folder]);
    browser.context = await chromium.launchPersistentContext(join(browser.folder, "profile"), {
      executablePath: need("TENPIN_CHROMIUM"),
      headless: true,
      args: kFlags,
      viewport: { width: 960, height: 600 },
    });
    return browser;
  }

  // A page with what went wrong on it: console errors and requests that are not to its own file.
  async open(name, options = {}) {
    return this.visit(pathToFileURL(join(this.folder, `${name}.html`)).href, options);
  }

  // Also pages of a server; those may ask for what is below their own address.
  async visit(url, { width = 960, height = 600, colorScheme = "light" } = {}) {
    const page = await this.context.newPage();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    page.troubles = [];
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) page.troubles.push(message.text());
    });
    page.on("pageerror", (error) => page.troubles.push(String(error)));
    page.on("request", (request) => {
      const own = url.startsWith("http:") ? request.url().startsWith(url) : request.url() === url;
      if (!own && !/^(data|blob):/.test(request.url()))
        page.troubles.push(`asks for ${request.url()}`);
    });
    page.setDefaultTimeout(kPatience);
    await page.goto(url);
    await page.waitForFunction(() => window.tenpin !== undefined);
    return page;
  }

  // Kept in the build folder for people to look at.
  async keepPicture(page, name) {
    const folder = join(need("TENPIN_VIEWER_BUILD"), "screenshots");
    mkdirSync(folder, { recursive: true });
    await page.evaluate(() => new Promise(requestAnimationFrame));
    return page.screenshot({ path: join(folder, `${name}.png`), timeout: kPatience });
  }

  numbers(name) {
    return JSON.parse(readFileSync(join(this.folder, `${name}.json`), "utf8"));
  }

  async stop() {
    await this.context?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
