// Fetches the packages of package-lock.json into node_modules, for machines without npm: Debian's brings 330
// packages of its own. Archives must have the hashes of the lock file, and nothing in them is run.
//   node fetch_packages.mjs [--omit=dev]
// npm_config_registry names another registry, as for npm.

import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, rmSync } from "node:fs";

const kTries = 3;
const registry = (process.env.npm_config_registry ?? "https://registry.npmjs.org").replace(/\/*$/, "/");
const omitsDev = process.argv.includes("--omit=dev");

// Of an esbuild for each system, only the one for this system.
function isWanted(entry) {
  const fits = (list, own) => !list || list.includes(own);
  return !(omitsDev && entry.dev) && fits(entry.os, process.platform) && fits(entry.cpu, process.arch);
}

async function download(url) {
  for (let tries = 1; ; ++tries) {
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`answer ${response.status}`);
      return Buffer.from(await response.arrayBuffer());
    } catch (error) {
      if (tries === kTries) throw new Error(`${url}: ${error.cause?.message ?? error.message}`);
    }
  }
}

async function install(place, entry) {
  const name = place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
  const archive = await download(`${registry}${name}/-/${name.split("/").at(-1)}-${entry.version}.tgz`);
  const [algorithm, hash] = entry.integrity.split("-", 2);
  if (createHash(algorithm).update(archive).digest("base64") !== hash)
    throw new Error(`${name} ${entry.version}: not the archive that package-lock.json names`);
  mkdirSync(place, { recursive: true });
  execFileSync("tar", ["-xzf", "-", "--strip-components=1", "--no-same-owner", "-C", place], { input: archive });
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8"));
const wanted = Object.entries(packages).filter(([place, entry]) => place !== "" && isWanted(entry));
rmSync("node_modules", { recursive: true, force: true });
try {
  await Promise.all(wanted.map(([place, entry]) => install(place, entry)));
} catch (error) {
  rmSync("node_modules", { recursive: true, force: true });
  console.error(`the viewer's packages cannot be fetched: ${error.message}`);
  process.exit(1);
}
