// The program, from outside.

import { execFileSync, spawn } from "node:child_process";
import { after } from "node:test";
import { need } from "./browser.mjs";

export function tenpin(...args) {
  return execFileSync(need("TENPIN_PROGRAM"), args, { encoding: "utf8", maxBuffer: 1 << 28 });
}

// The frames of a run file as its own table has them: frame, body -> position and quaternion.
export function readFrames(file) {
  const frames = [];
  for (const line of tenpin("info", file, "--csv", "frames").trim().split("\n").slice(1)) {
    const cells = line.match(/("([^"]|"")*"|[^,]*)(,|$)/g).map((cell) => cell.replace(/,$/, ""));
    const numbers = cells.slice(3, 10).map(Number);
    const t = Number(cells[0]);
    if (frames.at(-1)?.t !== t) frames.push({ t, bodies: [] });
    frames.at(-1).bodies.push({ position: numbers.slice(0, 3), quaternion: numbers.slice(3, 7) });
  }
  return frames;
}

// A program that a failed test leaves behind would keep the tests from ending.
const running = new Set();
after(() => running.forEach((child) => child.kill("SIGKILL")));

// A command that goes on by itself. `address` is what it serves at, `ended` its exit code.
export class Running {
  constructor(...args) {
    this.text = ""; // all that it says
    this.output = ""; // standard output alone
    // What computes here must not keep the browser from drawing: it has no graphics processor.
    const command = ["-n", "10", need("TENPIN_PROGRAM"), ...args];
    this.child = spawn("nice", command, { stdio: ["ignore", "pipe", "pipe"] });
    running.add(this.child);
    this.ended = new Promise((resolve) =>
      this.child.on("exit", (code, signal) => {
        running.delete(this.child);
        resolve(code ?? signal);
      }),
    );
    this.address = new Promise((resolve, reject) => {
      const take = (bytes) => {
        this.text += bytes;
        const found = this.text.match(/http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/(?=\s)/);
        if (found) resolve(found[0]);
      };
      this.child.stdout.on("data", (bytes) => {
        this.output += bytes;
        take(bytes);
      });
      this.child.stderr.on("data", take);
      void this.ended.then((code) => reject(new Error(`ended with ${code}: ${this.text}`)));
    });
    this.address.catch(() => {});
  }

  // Resolves when the program has said it; an error if the program ends without saying it.
  async hasSaid(pattern) {
    let isOver = false;
    void this.ended.then(() => (isOver = true));
    while (!pattern.test(this.text)) {
      if (isOver) throw new Error(`ended without ${pattern}: ${this.text}`);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  }

  interrupt() {
    this.child.kill("SIGINT");
    return this.ended;
  }
}
