// A live run under the reader's hands: pace, pulls, settings and restarts, and no one else's.

import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";
import { Running } from "./program.mjs";

const kScene = `tenpin: 1
name: One ball
materials: {ivory: {friction: 0.5, restitution: 0}}
bodies:
  - {name: floor, fixed: true, material: ivory, shapes: [{plane: {}}]}
  - {name: ball, material: ivory, mass: 2, position: [0, 0, 0.2], shapes: [{sphere: {radius: 0.2}}]}
method: {time-stepping: {step: 0.005}}
record: {every: 0.01}
until: 100000
`;

let browser, scene;
before(async () => {
  browser = await Browser.start({ pages: false });
  scene = join(browser.folder, "ball.yaml");
  writeFileSync(scene, kScene);
});
after(() => browser?.stop());

const start = (...more) => new Running("run", scene, "-q", "--live", "--no-open", ...more);
// A run that has just begun, or begun again, has no frames to tell of yet.
const news = async (address) => {
  for (;;) {
    const answer = await fetch(`${address}news?frames=0`);
    if (answer.status === 200) return answer.json();
    assert.equal(answer.status, 202);
    await answer.text();
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};
// Sends a command as the page would; resolves to the HTTP status.
const command = (address, query, headers = {}) =>
  new Promise((resolve, reject) =>
    request(`${address}control?${query}`, { headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    })
      .on("error", reject)
      .end(),
  );
const waitFor = async (what, check) => {
  for (;;) {
    const value = await check();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
};
const numFrames = async (address) => (await news(address)).times.length;
// Frames of a run that stands still. Those that were computed before the pause appear when the run
// writes its file the next time, which it does every half second.
const kSettling = 1500; // ms
const settled = async (address) => {
  let last = { count: -1, since: 0 };
  return waitFor("the pause", async () => {
    const { paused, times } = await news(address);
    const now = performance.now();
    if (!paused || times.length !== last.count) last = { count: times.length, since: now };
    return paused && now - last.since > kSettling ? times.length : 0;
  });
};

test("a run keeps to real time, pauses, steps by one frame, goes on and begins again", async () => {
  const begun = performance.now();
  const run = start();
  const address = await run.address;
  await news(address);
  await waitFor("half a second", async () => (await news(address)).times.at(-1) > 0.5);
  const time = (await news(address)).times.at(-1);
  assert.ok(time <= (performance.now() - begun) / 1000, `at ${time} s too early`);
  assert.equal(await command(address, "do=pause"), 200);
  const held = await settled(address);
  assert.equal(await command(address, "do=step"), 200);
  await waitFor("a step", async () => (await numFrames(address)) > held);
  assert.equal(await settled(address), held + 1);
  await command(address, "do=continue");
  await waitFor("more", async () => (await numFrames(address)) > held + 10);
  await command(address, "do=restart");
  await waitFor("the restart", async () => (await news(address)).restarts === 1);
  assert.ok((await news(address)).growing);
  assert.equal(await run.interrupt(), 130);
});

test("only who has the secret address can touch a run, and only with numbers that make sense", async () => {
  const run = start();
  const address = await run.address;
  const { origin, port } = new URL(address);
  await news(address);
  const push = "do=push&body=1&numbers=5,0,0";
  assert.equal(await command(`${origin}/`, push), 404);
  assert.equal(await command(`${origin}/${"0".repeat(32)}/`, push), 404);
  assert.equal(await command(address, push, { Origin: "http://evil.example" }), 403);
  assert.equal(await command(address, push, { Host: `evil.example:${port}` }), 403);
  assert.equal(await command(address, push, { "Sec-Fetch-Site": "cross-site" }), 403);
  for (const bad of [
    "",
    "do=explode",
    "do=push&body=1&numbers=5,0",
    "do=push&body=x&numbers=5,0,0",
    "do=push&body=1&numbers=1e9,0,0",
    "do=gravity&numbers=nan,0,0",
    "do=friction&numbers=-1",
    "do=restitution&numbers=2",
    `do=restart&method=${"x".repeat(99)}`,
  ])
    assert.equal(await command(address, bad), 400, bad);
  // Bodies that are not there are none.
  for (const body of [-1, 2, 2147483647])
    assert.equal(await command(address, `do=push&body=${body}&numbers=5,0,0`), 200);
  assert.equal(await command(address, "do=restart&method=magic"), 200);
  await run.hasSaid(/magic/);
  await waitFor("the run", async () => (await news(address)).growing);
  assert.equal(await run.interrupt(), 130);
  assert.doesNotMatch(run.text, /by hand, first at t = [1-9]/);
});

test("a flood of commands neither ends a run nor fills its memory", async () => {
  const run = start();
  const address = await run.address;
  await news(address);
  assert.equal(await command(address, "do=pause"), 200);
  await settled(address);
  const answers = new Map();
  const flood = async (count) => {
    for (let i = 0; i < count; ++i) {
      const query = i % 2 ? "do=push&body=1&numbers=0,0,1e-9" : "do=friction&numbers=0.5";
      const status = await command(address, query);
      answers.set(status, (answers.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: 16 }, () => flood(250)));
  // 503: the run has not taken the earlier ones yet.
  assert.deepEqual([...answers.keys()].filter((status) => status !== 200 && status !== 503), []);
  assert.ok(answers.get(200) > 0);
  const held = await numFrames(address);
  await waitFor("the way on", async () => (await command(address, "do=continue")) === 200);
  await waitFor("more frames", async () => (await numFrames(address)) > held + 10);
  assert.equal(await run.interrupt(), 130);
});

test("the mouse pulls a body, gravity is changed, and a restart shows the start again", async () => {
  const run = start();
  const page = await browser.visit(await run.address, { width: 700, height: 500 });
  assert.ok(await page.isVisible("#live-panel"));
  await page.waitForFunction(() => tenpin.shownFrame > 10);
  const z = () => page.evaluate(() => tenpin.bodyPose(1)[2]);
  assert.ok(Math.abs((await z()) - 0.2) < 1e-3);
  const box = await page.locator("#canvas").boundingBox();
  const grip = await page.evaluate(() => tenpin.project([0, 0, 0.2]));
  const high = await page.evaluate(() => tenpin.project([0, 0, 0.4]));
  await page.mouse.move(box.x + grip[0], box.y + grip[1]);
  await page.mouse.down();
  await page.mouse.move(box.x + high[0], box.y + high[1] - 60, { steps: 8 });
  await page.waitForFunction(() => tenpin.bodyPose(1)[2] > 0.4);
  await browser.keepPicture(page, "pulled");
  await page.mouse.up();
  await page.waitForFunction(() => tenpin.bodyPose(1)[2] < 0.205);
  await page.fill("#live-gravity", "-3");
  await page.press("#live-gravity", "Enter");
  await page.waitForFunction(() => tenpin.bodyPose(1)[2] > 0.5);
  await page.click("#live-pause");
  await page.waitForFunction(() => document.getElementById("live-pause").textContent === "Continue");
  page.troubles = [];
  await page.click("#live-restart");
  await page.waitForFunction(
    () => window.tenpin !== undefined && tenpin.time < 60 && tenpin.bodyPose(1)[2] < 0.205,
  );
  assert.equal(await run.interrupt(), 130);
  await page.close();
});
