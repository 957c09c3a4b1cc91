// The viewer as an instrument: forces to scale, curves, markers, links and what can be taken away.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Browser } from "./browser.mjs";

const kStep = 0.01; // s   of the pages that test_viewer_pages makes
const kPacked = 1e-4; // relative   numbers on a page have 16 significant bits

let browser;
before(async () => (browser = await Browser.start()));
after(() => browser?.stop());

async function onPage(name, check, options = {}) {
  const page = await browser.open(name, { width: 900, height: 560, ...options });
  try {
    await check(page);
    assert.deepEqual(page.troubles, []);
  } finally {
    await page.close();
  }
}

const nextPicture = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const near = (actual, expected, tolerance, what) =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} not ${expected}`);
const choose = (page, id, value) => page.selectOption(`#${id}`, value);
const quantityValue = (page, pattern) =>
  page.evaluate(
    (text) =>
      [...document.getElementById("quantity").options].find((o) => new RegExp(text).test(o.text))?.value,
    pattern,
  );

test("arrows are as long as the legend says, in newtons and in newton seconds", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.setFrame(3));
    const check = async (unit, amounts) => {
      const scale = await page.evaluate(() => tenpin.arrowScale);
      assert.equal(scale.unit, unit);
      const legend = await page.textContent("#arrow-scale");
      assert.match(legend, new RegExp(` = ${String(scale.amount).replace(".", "\\.")} ${unit}$`));
      for (const [contact, amount] of amounts) {
        const length = await page.evaluate((c) => tenpin.arrowLength(c), contact);
        near(length, (amount / scale.amount) * scale.length, kPacked * length, `contact ${contact}`);
      }
    };
    await check("N", [[1, Math.hypot(0.5, 1) / kStep], [2, 2 / kStep]]);
    await choose(page, "arrows-show", "impulse");
    await nextPicture(page);
    await check("N s", [[1, Math.hypot(0.5, 1)], [2, 2]]);
  }));

test("a pair has one resultant at its centre of pressure; a stop has a mark and no arrow", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.setFrame(3));
    assert.equal(await page.evaluate(() => tenpin.numContacts), 3);
    assert.equal(await page.evaluate(() => tenpin.numArrows), 2);
    const legend = await page.textContent("#contact-legend");
    assert.match(legend, /joint stop/);
    assert.match(legend, /force not unique/);
    assert.doesNotMatch(legend, /joint friction/);
    await page.evaluate(() => tenpin.select({ kind: "contact", contact: 0 }));
    assert.match(await page.textContent("#selection"), /Stop of door/);
    await page.evaluate(() => tenpin.select({ kind: "contact", contact: 1 }));
    const values = await page.textContent("#selection");
    assert.match(values, /normal impulse1 N s · 100 N/);
    assert.match(values, /friction0\.5 N s · 50 N/);
    assert.match(values, /slip0\.25 m\/s/);
    await choose(page, "contacts-as", "pairs");
    await nextPicture(page);
    assert.equal(await page.evaluate(() => tenpin.numArrows), 1);
    const [sum] = await page.evaluate(() => tenpin.drawnContacts);
    near(sum.at[0], 0.2, kPacked * 0.3, "centre of pressure");
    near(sum.impulse[2], 3, 1e-3, "resultant");
    near(sum.impulse[0], 0.5, 1e-3, "resultant");
  }));

test("cones have the coefficient that a sliding contact shows, and that of the materials", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.setFrame(3));
    for (const key of ["k", "v", "n"]) await page.keyboard.press(key);
    await nextPicture(page);
    const drawn = await page.evaluate(() => tenpin.drawnContacts);
    near(drawn[1].friction, 0.5, 1e-4, "sliding");
    near(drawn[2].friction, 0.5, 1e-4, "resting");
    assert.match(await page.textContent("#arrow-scale"), /slip .* m\/s$/);
    await browser.keepPicture(page, "cones");
  }));

test("slip is drawn to its scale, and a force that is not unique is pale", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.setFrame(3));
    const drawn = () => page.evaluate(() => tenpin.drawnContacts);
    assert.deepEqual((await drawn()).map((contact) => contact.slip), [0, 0, 0]);
    await page.keyboard.press("v");
    await nextPicture(page);
    const [, left, right] = await drawn();
    const [, length, lengthUnit, speed] = /slip ([\d.e-]+) (m|cm|mm) = ([\d.e-]+) m\/s/.exec(
      await page.textContent("#arrow-scale"),
    );
    const metres = Number(length) * { m: 1, cm: 0.01, mm: 0.001 }[lengthUnit];
    near(left.slip, (0.25 / Number(speed)) * metres, 0.02 * left.slip, "slip of 0.25 m/s");
    assert.ok(left.slip > 0);
    assert.deepEqual([left.isPale, right.isPale], [false, true]);
    await page.keyboard.press("v");
    await page.evaluate(() => tenpin.renderWell());
    await browser.keepPicture(page, "pale");
  }));

test("several curves share a chart, are magnified together, and leave as CSV", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.select({ kind: "body", body: 2 }));
    await choose(page, "quantity", await quantityValue(page, "hinge angle"));
    await page.click("#keep-curve");
    await page.evaluate(() => tenpin.select({ kind: "contact", contact: 1 }));
    await choose(page, "quantity", await quantityValue(page, "^normal force"));
    await page.click("#keep-curve");
    await choose(page, "quantity", await quantityValue(page, "^friction force"));
    assert.equal(await page.locator("#chosen-plot .plot").count(), 2);
    const text = await page.textContent("#chosen-plot");
    assert.match(text, /door hinge angle/);
    assert.match(text, /table and plate normal force/);
    assert.match(text, /table and plate friction force/);
    const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-csv")]);
    const [head, ...rows] = readFileSync(await download.path(), "utf8").trim().split("\n");
    assert.match(head, /^"time \(s\)","door hinge angle \(rad\)","time \(s\)","table and plate normal force \(N\)"/);
    assert.equal(rows.length, 11);
    const cells = rows[5].split(",").map(Number);
    near(cells[0], 0.05, 1e-12, "time");
    near(cells[1], 0.5, 1e-6, "angle");
    near(cells[3], 300, 0.1, "normal force");
    near(cells[4], 50, 0.05, "friction force");
    await page.evaluate(() => tenpin.setFrame(5));
    await page.click("#zoom-in");
    assert.ok(await page.isEnabled("#zoom-all"));
    const box = await page.locator("#chosen-plot .u-over").first().boundingBox();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    assert.match(await page.textContent("#chosen-plot .hover-time"), /^at 0\.05 s$/);
    await page.mouse.dblclick(box.x + box.width / 2, box.y + box.height / 2);
    assert.ok(await page.isDisabled("#zoom-all"));
  }));

test("the reactions of a joint and a loop are shown with force and impulse, and as curves", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.setFrame(3));
    const loops = await page.textContent("#selection");
    assert.match(loops, /loop rod\(?5, 0, 0\)? N · \(?0\.05, 0, 0\)? N s/);
    await page.evaluate(() => tenpin.select({ kind: "body", body: 2 }));
    const values = await page.textContent("#selection");
    assert.match(values, /joint force\(?0, 0, 3\)? N/);
    assert.match(values, /joint impulse\(?0, 0, 0\.03\)? N s/);
    assert.match(values, /joint torque\(?0\.5, 0, 0\)? N m/);
    assert.match(values, /drive4 N m/);
    assert.match(values, /stop[-−]4 N m/);
    const cases = [
      ["^joint force \\(", 3],
      ["^joint force z", 3],
      ["^joint torque x", 0.5],
      ["^joint drive", 4],
      ["^joint stop", -4],
      ["^loop rod force x", 5],
    ];
    for (const [pattern, value] of cases) {
      await choose(page, "quantity", await quantityValue(page, pattern));
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.click("#save-csv"),
      ]);
      const rows = readFileSync(await download.path(), "utf8").trim().split("\n");
      assert.equal(rows.length, 12, pattern);
      near(Number(rows[5].split(",")[1]), value, 1e-3 * Math.abs(value), pattern);
    }
    await page.evaluate(() => tenpin.select({ kind: "body", body: 1 }));  // loose
    assert.equal(await quantityValue(page, "^joint force"), undefined);
  }));

test("all overlaps at time 0 are listed", () =>
  onPage("joints", async (page) => {
    assert.match(await page.textContent("#start-overlaps-head"), /^7 overlaps at time 0$/);
    assert.equal(await page.locator("#start-overlap-list li").count(), 7);
    assert.equal(await page.isVisible("#start-overlap-list li >> nth=6"), false);
    await page.click("#start-overlaps-head");
    assert.equal(
      await page.textContent("#start-overlap-list li >> nth=6"),
      "plate and door overlap by 0.007 m: moved apart",
    );
    assert.equal(await page.isVisible("#start-overlap-list li >> nth=6"), true);
  }));

test("rounding reads 0, and the badge opens the card with the worst step", () =>
  onPage("joints", async (page) => {
    await page.evaluate(() => tenpin.setFrame(3));
    assert.match(await page.textContent("#plots"), /kinetic0J.*potential1J/);
    await page.click("#verdict");
    const card = await page.textContent("#card-dialog");
    assert.match(card, /10 of 10 steps/);
    assert.match(card, /residual[^0-9]*3e−9/);
    await page.click("#card-rows button >> nth=0");
    assert.ok(!(await page.isVisible("#card-dialog")));
    assert.equal(await page.evaluate(() => tenpin.frame), 7);
  }));

test("the tree shows what hangs from what, and selects", () =>
  onPage("joints", async (page) => {
    await page.click("#tree summary");
    await page.click("#tree-list button:has-text('door')");
    assert.deepEqual(await page.evaluate(() => tenpin.selection), { kind: "body", body: 2 });
    assert.match(await page.textContent("#tree-list [aria-pressed=true]"), /doorhinge/);
  }));

test("moment, view, selection and switches are in the address, and a link brings them back", () =>
  onPage("shapes", async (page) => {
    await page.evaluate(() => tenpin.setFrame(13));
    await page.click("#gizmo button[aria-label*='from above']");
    await page.evaluate(() => tenpin.select({ kind: "body", body: 2 }));
    await page.keyboard.press("t");
    await page.waitForFunction(() => /t=0\.13&view=.*&body=.*&flip=trails/.test(location.hash));
    const view = await page.evaluate(() => tenpin.view);
    near(view[0], view[3], 1e-3, "x of a camera above its target");
    assert.ok(view[2] > view[5] + 0.5);
    const url = await page.evaluate(() => location.href);
    await page.goto("about:blank");
    await page.goto(url);
    await page.waitForFunction(() => window.tenpin !== undefined && tenpin.frame === 13);
    assert.deepEqual(await page.evaluate(() => tenpin.selection), { kind: "body", body: 2 });
    assert.equal(await page.getAttribute("#switch-trails", "aria-pressed"), "true");
    const again = await page.evaluate(() => tenpin.view);
    again.forEach((x, i) => near(x, view[i], 1e-3, `view[${i}]`));
    page.troubles = page.troubles.filter((text) => !text.startsWith(`asks for ${url.split("#")[0]}`));
  }));

test("a marker keeps to its body, and pictures and films can be saved", () =>
  onPage("still", async (page) => {
    await page.evaluate(() => tenpin.select({ kind: "body", body: 1 }));
    await page.click("text=Mark the clicked point");
    assert.equal(await page.evaluate(() => tenpin.numMarkers), 1);
    const [picture] = await Promise.all([page.waitForEvent("download"), page.click("#save-picture")]);
    assert.match(picture.suggestedFilename(), /^one-frame-.*\.png$/);
    const bytes = readFileSync(await picture.path());
    assert.equal(bytes.toString("latin1", 1, 4), "PNG");
    assert.ok(bytes.length > 10_000, "the picture is blank");
    const [film] = await Promise.all([page.waitForEvent("download"), page.click("#save-film")]);
    assert.match(film.suggestedFilename(), /\.(webm|mp4)$/);
  }));

test("a phone on its side shows the stage and all controls", () =>
  onPage(
    "shapes",
    async (page) => {
      const overflow = await page.evaluate(() => [
        document.documentElement.scrollWidth - innerWidth,
        document.documentElement.scrollHeight - innerHeight,
      ]);
      assert.ok(overflow.every((px) => px <= 0), `the page is ${overflow} px too large`);
      const stage = await page.locator(".stage").boundingBox();
      assert.ok(stage.height > 0.6 * 390 && stage.width > 0.55 * 844, JSON.stringify(stage));
      assert.ok(await page.isVisible("#play"));
      await browser.keepPicture(page, "phone-landscape");
    },
    { width: 844, height: 390 },
  ));
