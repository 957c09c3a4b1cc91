// The viewer's packages without npm: what the lock file names is unpacked, anything else is refused.

import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const kScript = fileURLToPath(new URL("../../viewer/fetch_packages.mjs", import.meta.url));

function pack(folder) {
  mkdirSync(join(folder, "package"));
  writeFileSync(join(folder, "package", "index.js"), "export const answer = 42;\n");
  return execFileSync("tar", ["-czf", "-", "package"], { cwd: folder });
}

function makeLock(archive) {
  const integrity = `sha512-${createHash("sha512").update(archive).digest("base64")}`;
  const entry = { version: "1.2.3", integrity };
  return {
    packages: {
      "": { name: "page" },
      "node_modules/@scope/tool": entry,
      "node_modules/tests": { ...entry, dev: true },
      "node_modules/other-system": { ...entry, os: ["plan9"] },
    },
  };
}

// Runs the script in a folder whose registry gives `served`; resolves to its message, "" if all went well.
async function fetchPackages(folder, served, ...options) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    response.end(served);
  });
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const environment = { ...process.env, npm_config_registry: `http://127.0.0.1:${server.address().port}` };
  const message = await new Promise((done) =>
    execFile(process.execPath, [kScript, ...options], { cwd: folder, env: environment }, (error, _, err) =>
      done(error ? err : ""),
    ),
  );
  server.close();
  return { message, asked };
}

async function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), "tenpin-fetch-"));
  try {
    const archive = pack(folder);
    writeFileSync(join(folder, "package-lock.json"), JSON.stringify(makeLock(archive)));
    await use(folder, archive);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("packages of the lock file are unpacked, those of tests only where they are wanted", () =>
  inFolder(async (folder, archive) => {
    const short = await fetchPackages(folder, archive, "--omit=dev");
    assert.deepEqual(short, { message: "", asked: ["/@scope/tool/-/tool-1.2.3.tgz"] });
    assert.match(readFileSync(join(folder, "node_modules/@scope/tool/index.js"), "utf8"), /42/);
    const full = await fetchPackages(folder, archive);
    assert.deepEqual(full.asked.sort(), ["/@scope/tool/-/tool-1.2.3.tgz", "/tests/-/tests-1.2.3.tgz"]);
    assert.ok(existsSync(join(folder, "node_modules/tests/index.js")));
  }));

test("an archive with another hash is refused, and nothing is left", () =>
  inFolder(async (folder, archive) => {
    const { message } = await fetchPackages(folder, Buffer.concat([archive, Buffer.from("x")]), "--omit=dev");
    assert.match(message, /@scope\/tool 1\.2\.3: not the archive that package-lock\.json names/);
    assert.ok(!existsSync(join(folder, "node_modules")));
  }));
