// What the editor offers at a place of a scene, from the published schema.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createRequire } from "node:module";
import { test } from "node:test";

const build = process.env.TENPIN_PLAYGROUND_BUILD;
const require = createRequire(join(build, "package.json"));
const { buildSync } = require("esbuild");
const bundled = buildSync({
  entryPoints: [join(build, "src/schema.ts")],
  bundle: true,
  format: "cjs",
  write: false,
  preserveSymlinks: true,
}).outputFiles[0].text;
const module = { exports: {} };
new Function("module", "exports", bundled)(module, module.exports);
const { findPlace, offer, explain } = module.exports;
const schema = JSON.parse(readFileSync(join(process.env.TENPIN_SOURCE, "docs/scene.schema.json"), "utf8"));

const offered = (text) => offer(schema, findPlace(text)).map(({ label }) => label);
const has = (text, ...labels) => {
  const all = offered(text);
  for (const label of labels) assert.ok(all.includes(label), `${JSON.stringify(text)} offers ${all}`);
};
const lacks = (text, ...labels) => {
  const all = offered(text);
  for (const label of labels) assert.ok(!all.includes(label), `${JSON.stringify(text)} offers ${all}`);
};

test("keys of the scene, but not those that are there", () => {
  has("ti", "until", "bodies", "materials");
  lacks("tenpin: 1\nname: A\nb", "tenpin", "name");
  has("tenpin: 1\nname: A\nb", "bodies", "method");
});

test("keys of a body in a block list, on its first and on later lines", () => {
  has("bodies:\n  - na", "name", "mass", "shapes");
  has("bodies:\n  - name: ball\n    ma", "mass", "shapes", "velocity");
  lacks("bodies:\n  - name: ball\n    ma", "name", "until");
  has("bodies:\n- name: ball\n  ma", "mass");
  has("bodies:\n  - name: a\n    mass: 1\n  - ", "name", "mass");
  lacks("bodies:\n  - name: a\nun", "mass");
  has("bodies:\n  - name: a\nun", "until");
});

test("keys inside of flow maps and lists, also over several lines", () => {
  has("bodies:\n  - {name: floor, fi", "fixed", "shapes");
  lacks("bodies:\n  - {name: floor, fi", "name");
  has("bodies:\n  - {name: floor, shapes: [{", "plane", "box", "sphere");
  has("bodies:\n  - {name: ball,\n     shapes: [{sphere: {ra", "radius");
  has("bodies:\n  - name: ball\n    shapes: [{box: {half: [1, 1, 1]}, ", "position");
  has("bodies:\n  - {name: a, shapes: [{sphere: {radius: 1}}], ma", "mass", "material");
});

test("keys below a key, and after its map has ended", () => {
  has("method:\n  ", "time-stepping", "impulse", "analytic");
  has("method:\n  time-stepping:\n    st", "step");
  has("method: {time-stepping: {", "step");
  has("materials:\n  ivory: {fr", "friction", "restitution");
  has("materials:\n  ivory:\n    friction: 0.4\nre", "record");
});

test("words and truth values", () => {
  has("record: {contacts: ", "frames", "steps", "none");
  has("bodies:\n  - {name: floor, fixed: ", "true", "false");
  has("start:\n  overlaps: ", "resolve", "keep", "refuse");
});

test("comments, quotes and expressions do not confuse it", () => {
  has("# bodies: [{\ntenpin: 1\nna", "name");
  has('name: "a {b: [c"\nun', "until");
  has("parameters: {r: 1}\nbodies:\n  - {name: a, mass: ${2 * r}, ve", "velocity");
});

test("a key is explained with its type and default", () => {
  const gravity = explain(schema, ["gravity"]);
  assert.match(gravity.info, /free fall/);
  assert.match(gravity.detail, /list.*-9\.81/);
  assert.equal(explain(schema, ["nothing"]), null);
});
