// A folder for a test's files, and the program in it.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";

export function need(name) {
  const value = process.env[name];
  if (!value || value.endsWith("-NOTFOUND")) throw new Error(`${name} is not set`);
  return value;
}

// Packages come from the folder where the viewer was bundled.
export function requirePackage(name) {
  return createRequire(join(need("TENPIN_VIEWER_BUILD"), "package.json"))(name);
}

export const scene = (name) => join(need("TENPIN_SOURCE"), "scenes", `${name}.yaml`);

export class Place {
  folder = mkdtempSync(join(tmpdir(), "tenpin-export-"));

  file(name) {
    return join(this.folder, name);
  }
  tenpin(...args) {
    return execFileSync(need("TENPIN"), args, { cwd: this.folder, encoding: "utf8" });
  }
  remove() {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
