// The viewer in Chromium, against the numbers of the run files that its pages were made from.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";
import {
  countColours,
  findFaintText,
  findUnreachable,
  simulateColourBlindness,
} from "./page_checks.mjs";

// Positions are single precision: half a unit in the last place of a few metres. Quaternions have
// 16 bits a component, and are made unit again.
const kPositionTolerance = 5e-7; // m
const kQuaternionTolerance = 5e-5; // -
const kLeastColourDistance = 20; // CIE 1976 ΔE; about 2.3 is the least that is noticed side by side

let browser;
before(async () => (browser = await Browser.start()));
after(() => browser?.stop());

function near(actual, expected, tolerance, what) {
  expected.forEach((value, i) =>
    assert.ok(Math.abs(actual[i] - value) <= tolerance, `${what}[${i}]: ${actual[i]} not ${value}`),
  );
}

// Opens a page for a check, and closes it whatever the check says.
async function onPage(name, options, check) {
  const page = await browser.open(name, options);
  try {
    await check(page);
    assert.deepEqual(page.troubles, []);
  } finally {
    await page.close();
  }
}

test("the slider moves the bodies to where the run file has them", () =>
  onPage("shapes", {}, async (page) => {
    const frames = browser.numbers("shapes");
    assert.equal(await page.textContent("#scene-name"), "Shapes & hops");
    assert.match(await page.textContent("#verdict"), /All steps certified/);
    assert.equal(await page.evaluate(() => tenpin.numFrames), frames.length);
    for (const k of [0, 13, 40, frames.length - 1]) {
      await page.fill("#time", String(k));
      await page.waitForFunction((frame) => tenpin.frame === frame, k);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      const poses = await page.evaluate(() =>
        Array.from({ length: tenpin.numBodies }, (_, body) => tenpin.bodyPose(body)),
      );
      poses.forEach((pose, body) => {
        const q = frames[k].orientations[body];
        const sign = Math.sign(pose[3] * q[0] + pose[4] * q[1] + pose[5] * q[2] + pose[6] * q[3]);
        near(
          pose,
          frames[k].positions[body],
          kPositionTolerance,
          `frame ${k} body ${body} position`,
        );
        near(
          pose.slice(3).map((c) => sign * c),
          q,
          kQuaternionTolerance,
          `frame ${k} body ${body}`,
        );
      });
    }
    const middle = (frames[13].t + frames[14].t) / 2;
    await page.evaluate((t) => tenpin.setTime(t), middle);
    const between = await page.evaluate(() => tenpin.bodyPose(1));
    near(
      between,
      frames[13].positions[1].map((p, i) => (p + frames[14].positions[1][i]) / 2),
      kPositionTolerance,
      "between frames",
    );
  }));

test("arrows appear in contact, and only then", () =>
  onPage("shapes", {}, async (page) => {
    const frames = browser.numbers("shapes");
    const touching = frames.findIndex((frame) => frame.contacts.length > 0);
    const free = frames.findIndex((frame) => frame.contacts.length === 0);
    assert.ok(touching >= 0 && free >= 0);
    const arrowsAt = (k) => page.evaluate((frame) => (tenpin.setFrame(frame), tenpin.numArrows), k);
    assert.equal(await arrowsAt(touching), frames[touching].contacts.length);
    assert.equal(await arrowsAt(free), 0);
    await page.keyboard.press("c");
    assert.equal(await arrowsAt(touching), 0);
  }));

test("clicking shows the values of a body and of a contact", () =>
  onPage("shapes", {}, async (page) => {
    const frames = browser.numbers("shapes");
    const k = frames.findIndex((frame) => frame.contacts.length > 0);
    const contact = frames[k].contacts[0];
    const clickAt = async (point) => {
      const [x, y] = await page.evaluate((p) => tenpin.project(p), point);
      await page.click("#canvas", { position: { x, y } });
      await page.evaluate(() => new Promise(requestAnimationFrame));
    };
    await page.evaluate((frame) => tenpin.setFrame(frame), k);
    await clickAt(contact.position);
    assert.deepEqual(await page.evaluate(() => tenpin.selection.kind), "contact");
    const values = await page.textContent("#selection");
    assert.match(values, /Contact of table/);
    assert.match(values, new RegExp(`normal impulse${contact.impulse[2]} N s`));

    const free = frames.findIndex((frame) => frame.contacts.length === 0);
    await page.evaluate((frame) => tenpin.setFrame(frame), free);
    await clickAt(frames[free].positions[2]);
    assert.deepEqual(await page.evaluate(() => tenpin.selection), { kind: "body", body: 2 });
    assert.match(await page.textContent("#selection h3"), /^<b>brick<\/b>$/);
  }));

test("the picture shows something, and something else later", () =>
  onPage("shapes", {}, async (page) => {
    const shots = [];
    for (const k of [0, 31]) {
      await page.evaluate((frame) => tenpin.setFrame(frame), k);
      await page.evaluate(() => new Promise(requestAnimationFrame));
      shots.push((await page.locator("#canvas").screenshot()).toString("base64"));
    }
    assert.ok((await page.evaluate(countColours, shots[0])) > 500);
    assert.notEqual(shots[0], shots[1]);
  }));

test("the keyboard does everything", () =>
  onPage("shapes", {}, async (page) => {
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    assert.equal(await page.evaluate(() => tenpin.frame), 11);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => tenpin.playing && tenpin.frame > 12);
    await page.keyboard.press("Space");
    assert.equal(await page.evaluate(() => tenpin.playing), false);
    await page.keyboard.press("?");
    assert.ok(await page.isVisible("#help-dialog"));
    await page.keyboard.press("Escape");
    assert.ok(!(await page.isVisible("#help-dialog")));
    for (const key of ["t", "n", "x", "f", "w", "d", "q", "+", "]", "End"])
      await page.keyboard.press(key);
    assert.equal(await page.evaluate(() => tenpin.frame), 80);
    const reached = await page.evaluate(
      () =>
        [...document.querySelectorAll("button:not(dialog *), select, input, #canvas")].filter(
          (control) => control.checkVisibility() && !control.disabled,
        ).length,
    );
    const seen = new Set();
    for (let i = 0; i < 2 * reached && seen.size < reached; ++i) {
      await page.keyboard.press("Tab");
      seen.add(
        await page.evaluate(() =>
          [...document.querySelectorAll("*")].indexOf(document.activeElement),
        ),
      );
    }
    assert.ok(seen.size >= reached, `Tab reaches ${seen.size} of ${reached} controls`);
  }));

for (const colorScheme of ["light", "dark"]) {
  test(`every control has a name and every text contrast, ${colorScheme}`, () =>
    onPage("hostile", { colorScheme, width: 390, height: 844 }, async (page) => {
      await page.evaluate(() => tenpin.select({ kind: "body", body: 1 }));
      assert.deepEqual(await page.evaluate(findUnreachable), []);
      assert.deepEqual(await page.evaluate(findFaintText), []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} px wider than the phone`);
    }));
}

for (const colorScheme of ["light", "dark"])
  test(`modes are told apart by shape, and by colour with any colour vision, on ${colorScheme} pages`, () =>
  onPage("shapes", {}, async (page) => {
    await page.emulateMedia({ colorScheme });
    const signs = await page.evaluate(() =>
      [...document.querySelectorAll("#contact-legend svg")].map((svg) => ({
        mode: svg.dataset.mode,
        shape: svg.firstChild.getAttribute("d"),
        colour: svg.firstChild.getAttribute("fill"),
      })),
    );
    assert.deepEqual(
      signs.map(({ mode }) => mode),
      ["separating", "sliding", "sticking", "resting", "touching"],
    );
    assert.equal(new Set(signs.map(({ shape }) => shape)).size, 5);
    for (const kind of ["none", "protanopia", "deuteranopia", "tritanopia"]) {
      const seen = signs.map(({ colour }) => simulateColourBlindness(colour, kind));
      seen.forEach((a, i) =>
        seen.slice(0, i).forEach((b, j) => {
          const apart = Math.hypot(...a.map((c, k) => c - b[k]));
          assert.ok(
            apart >= kLeastColourDistance,
            `${signs[i].mode}, ${signs[j].mode}, ${kind}: ${apart}`,
          );
        }),
      );
    }
  }));

test("names are text, whatever is in them, and failed steps are named", () =>
  onPage("hostile", {}, async (page) => {
    const name = "</script><img src=x onerror=\"document.title='owned'\">";
    assert.equal(await page.textContent("#scene-name"), name);
    assert.equal(await page.title(), `${name} – Tenpin`);
    assert.equal(await page.locator("img").count(), 0);
    assert.match(await page.textContent("#verdict"), /1 step of 20 not certified/);
    assert.match(await page.textContent("#failure-list"), /<i>table<\/i>: ray termination/);
    await page.click("#failure-list button");
    assert.equal(await page.evaluate(() => tenpin.frame), 7);
  }));

test("a page that leaves frames out says so and shows the right ones", () =>
  onPage("thinned", {}, async (page) => {
    const frames = browser.numbers("thinned");
    assert.match(
      await page.textContent("#notes"),
      /one frame in 2\. Contacts .* one shown frame in [2-9]\. .*represents 4 steps/,
    );
    assert.equal(await page.evaluate(() => tenpin.numFrames), 41);
    await page.evaluate(() => tenpin.setFrame(20));
    near(
      await page.evaluate(() => tenpin.bodyPose(3)),
      frames[40].positions[3],
      kPositionTolerance,
      "position",
    );
  }));

test("a run of a single frame is shown", () =>
  onPage("still", {}, async (page) => {
    await page.keyboard.press("Space");
    await page.evaluate(() => new Promise(requestAnimationFrame));
    assert.equal(await page.evaluate(() => tenpin.frame), 0);
  }));
