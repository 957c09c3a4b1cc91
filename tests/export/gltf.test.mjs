// glTF files before Khronos' own judge: no error, no warning, no hint.

import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { Place, requirePackage, scene } from "./place.mjs";

const validator = requirePackage("gltf-validator");
const place = new Place();
after(() => place.remove());

async function check(run, bodies) {
  place.tenpin("export", run, "--gltf", `${run}.glb`);
  const report = await validator.validateBytes(
    new Uint8Array(readFileSync(place.file(`${run}.glb`))),
  );
  // A body without a shape is an empty node, on purpose.
  const messages = report.issues.messages.filter(({ code }) => code !== "NODE_EMPTY");
  assert.deepEqual(messages, []);
  assert.equal(report.info.animationCount, 1);
  assert.ok(report.info.drawCallCount >= bodies);
}

// Between them, every kind of shape, joints, a prescribed motion, compounds and meshes.
for (const [name, bodies] of [
  ["mixed-shapes", 8],
  ["four-bar", 3],
  ["platter", 2],
  ["falling-rod", 2],
]) {
  test(`${name} is valid`, async () => {
    place.tenpin("run", scene(name), "-q", "--set", "until=0.2", "-o", `${name}.h5`);
    await check(`${name}.h5`, bodies);
  });
}

test("odd names and bodies without a shape do no harm", async () => {
  writeFileSync(
    place.file("odd.yaml"),
    `tenpin: 1
name: "<b>\\"odd\\" ☃"
materials: {m: {friction: 0.1, restitution: 0}}
bodies:
  - {name: "<script> é", material: m, mass: 1, colour: "#abc", shapes: [{sphere: {radius: 0.1}}]}
  - {name: shapeless, material: m, mass: 1, inertia: [1, 1, 1], position: [0, 0, 3]}
method: {time-stepping: {step: 0.01}}
until: 0.01
record: {every: 0.005}
`,
  );
  place.tenpin("run", "odd.yaml", "-q", "-o", "odd.h5");
  await check("odd.h5", 1);
});
