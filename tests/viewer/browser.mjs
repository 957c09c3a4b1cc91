// Starts Chromium with software rendering on pages that test_viewer_pages has made.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
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

function need(name) {
  const value = process.env[name];
  if (!value || value.endsWith("-NOTFOUND")) throw new Error(`${name} is not set`);
  return value;
}

export class Browser {
  static async start() {
    const require = createRequire(join(need("TENPIN_VIEWER_BUILD"), "package.json"));
    const { chromium } = require("playwright-core");
    const browser = new Browser();
    browser.folder = mkdtempSync(join(tmpdir(), "tenpin-viewer-"));
    execFileSync(need("TENPIN_VIEWER_PAGES"), [browser.folder]);
    browser.context = await chromium.launchPersistentContext(join(browser.folder, "profile"), {
      executablePath: need("TENPIN_CHROMIUM"),
      headless: true,
      args: kFlags,
      viewport: { width: 960, height: 600 },
    });
    return browser;
  }

  // A page with what went wrong on it: console errors and requests that are not to its own file.
  async open(name, { width = 960, height = 600, colorScheme = "light" } = {}) {
    const page = await this.context.newPage();
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme });
    page.troubles = [];
    const url = pathToFileURL(join(this.folder, `${name}.html`)).href;
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) page.troubles.push(message.text());
    });
    page.on("pageerror", (error) => page.troubles.push(String(error)));
    page.on("request", (request) => {
      if (request.url() !== url && !/^(data|blob):/.test(request.url()))
        page.troubles.push(`asks for ${request.url()}`);
    });
    await page.goto(url);
    await page.waitForFunction(() => window.tenpin !== undefined);
    return page;
  }

  numbers(name) {
    return JSON.parse(readFileSync(join(this.folder, `${name}.json`), "utf8"));
  }

  async stop() {
    await this.context?.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
