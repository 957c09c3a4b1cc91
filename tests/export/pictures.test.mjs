// Pictures and films of a run, taken by the program with a browser.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { Place, need, scene } from "./place.mjs";

const place = new Place();
before(() => place.tenpin("run", scene("four-balls"), "-q", "-o", "run.h5"));
after(() => place.remove());

// Pixels of a PNG that are neither grey nor nearly so: bodies, not floor or sky.
function countBright(file) {
  const raw = execFileSync("ffmpeg", [
    ...["-v", "error", "-i", place.file(file), "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
  ]);
  let count = 0;
  for (let i = 0; i < raw.length; i += 3) {
    const rgb = [raw[i], raw[i + 1], raw[i + 2]];
    if (Math.max(...rgb) - Math.min(...rgb) > 80) ++count;
  }
  return count;
}

function probe(file) {
  const text = execFileSync("ffprobe", [
    ...["-v", "error", "-count_frames", "-select_streams", "v:0", "-show_entries"],
    ...["stream=width,height,nb_read_frames,codec_name", "-of", "json", place.file(file)],
  ]);
  return JSON.parse(text).streams[0];
}

test("a picture has its size and shows something", () => {
  const size = ["--width", "320", "--height", "200"];
  place.tenpin("export", "run.h5", "--png", "a.png", "--time", "0.5", ...size);
  const png = readFileSync(place.file("a.png"));
  assert.equal(png.toString("latin1", 1, 4), "PNG");
  assert.deepEqual([png.readUInt32BE(16), png.readUInt32BE(20)], [320, 200]);
  const bright = countBright("a.png");
  assert.ok(bright > 100 && bright < 20000, `${bright} bright pixels`);
  place.tenpin("export", "run.h5", "--png", "b.png", "--time", "0", ...size);
  assert.notDeepEqual(readFileSync(place.file("b.png")), png);
});

test("films have as many pictures as speed and rate say", () => {
  const size = ["--width", "161", "--height", "101", "--rate", "3", "--speed", "0.5"];
  place.tenpin("export", "run.h5", "--mp4", "a.mp4", "--gif", "a.gif", ...size);
  // 1 s at half speed is 2 s of film: both ends are shown.
  assert.deepEqual(probe("a.mp4"), {
    codec_name: "h264",
    width: 160,
    height: 100,
    nb_read_frames: "7",
  });
  assert.equal(probe("a.gif").nb_read_frames, "7");
});

test("a time outside the run is refused", () => {
  const { status, stderr } = spawnSync(
    need("TENPIN"),
    ["export", "run.h5", "--png", "c.png", "--time", "9"],
    { cwd: place.folder, encoding: "utf8" },
  );
  assert.equal(status, 2);
  assert.match(stderr, /--time: outside the run, got 9, want 0 to 1 s/);
  assert.ok(!existsSync(place.file("c.png")));
});
