// Which requests `tenpin view` answers: only those of its page, only on this machine's loopback, and nothing
// that others send can stop it.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { need } from "./browser.mjs";
import { Running, tenpin } from "./program.mjs";

const folder = mkdtempSync(join(tmpdir(), "tenpin-server-"));
const file = join(folder, "run.h5");
let server, address, port;

before(async () => {
  tenpin("run", join(need("TENPIN_SCENES"), "four-balls.yaml"), "-q", "-o", file);
  server = new Running("view", file, "--no-open");
  address = await server.address;
  port = Number(new URL(address).port);
});
after(async () => {
  await server?.interrupt();
  rmSync(folder, { recursive: true, force: true });
});

// Sends bytes as they are; resolves to what comes back until the other side closes or falls silent.
function exchange(bytes, { host = "127.0.0.1", wait = 2000 } = {}) {
  return new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, host, () => socket.write(bytes));
    socket.setTimeout(wait, () => socket.destroy());
    socket.on("data", (part) => (answer += part.toString("latin1")));
    socket.on("error", (error) => (error.code === "ECONNREFUSED" ? reject(error) : undefined));
    socket.on("close", () => resolve(answer));
  });
}

const path = () => new URL(address).pathname;
const request = (target, headers = {}, method = "GET") => {
  const all = { Host: `127.0.0.1:${port}`, Connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`;
};
const statusOf = async (bytes) =>
  Number((await exchange(bytes)).match(/^HTTP\/1\.1 (\d+)/)?.[1] ?? 0);
const isAlive = async () => assert.equal(await statusOf(request(path())), 200);

test("the page comes with the headers that keep it to itself", async () => {
  const answer = await exchange(request(path()));
  assert.match(answer, /^HTTP\/1\.1 200/);
  assert.match(answer, /Content-Security-Policy: default-src 'none'/);
  assert.match(answer, /X-Content-Type-Options: nosniff/);
  assert.match(answer, /Cache-Control: no-store/);
  assert.match(answer, /<!doctype html>/);
  assert.doesNotMatch(answer, /Access-Control-Allow/);
});

test("nothing is answered without the secret, or beside the page's own names", async () => {
  const outside = [
    "/",
    "/index.html",
    "/favicon.ico",
    "/../../etc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
  ];
  const inside = ["nothing", "../../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "run/", "run.h5"];
  const wrong = path().replace(/[0-9a-f]/, (digit) => (digit === "0" ? "1" : "0"));
  for (const target of [...outside, ...inside.map((name) => path() + name), wrong])
    assert.equal(await statusOf(request(target)), 404, target);
});

test("other names for this machine and other sites' pages are refused", async () => {
  for (const Host of [
    "evil.example",
    `evil.example:${port}`,
    "127.0.0.1",
    `127.0.0.1:${port + 1}`,
    "",
    `[::1]:${port}`,
  ])
    assert.equal(await statusOf(request(path(), { Host })), 403, `Host: ${Host}`);
  for (const Origin of [
    "http://evil.example",
    `http://evil.example:${port}`,
    "null",
    `https://127.0.0.1:${port}`,
  ])
    assert.equal(await statusOf(request(path(), { Origin })), 403, `Origin: ${Origin}`);
  assert.equal(await statusOf(request(path(), { "Sec-Fetch-Site": "cross-site" })), 403);
  assert.equal(await statusOf(`GET ${path()} HTTP/1.1\r\n\r\n`), 400, "no Host");
  assert.equal(await statusOf(request(path(), { Origin: `http://127.0.0.1:${port}` })), 200);
  assert.equal(await statusOf(request(path(), { Host: `localhost:${port}` })), 200);
});

test("requests that are not the page's are refused", async () => {
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "CONNECT", "TRACE"])
    assert.equal(await statusOf(request(path(), {}, method)), 405, method);
  const bad = [
    "frames",
    "frames?first=0&count=1",
    "frames?first=x&count=1&stride=1",
    "track?body=5&first=0&stride=1",
    "frames?first=99999999999999999999&count=1&stride=1",
    "frames?first=101&count=1&stride=1",
    "frames?first=0&count=1&stride=9223372036854775807",
    "track?body=-1&first=0&stride=1",
    "track?body=1&first=0&stride=0",
    "news?frames=102",
  ];
  for (const query of bad) assert.equal(await statusOf(request(path() + query)), 400, query);
});

test("it listens on the loopback alone", async () => {
  const others = Object.values(networkInterfaces()).flat();
  for (const { address: host } of others.filter((a) => a.family === "IPv4" && !a.internal))
    await assert.rejects(exchange(request(path()), { host }), { code: "ECONNREFUSED" });
});

test("endless headers, bodies and web sockets end the connection, not the server", async () => {
  const long = `GET ${path()} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX: ${"a".repeat(1 << 20)}`;
  assert.match(await exchange(long), /^(HTTP\/1\.1 431|$)/);
  const body = request(path(), { "Content-Length": "4611686018427387904" }, "POST");
  assert.match(await exchange(body + "x".repeat(100000)), /^HTTP\/1\.1 413/);
  const socket = request(path(), {
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  });
  const frame = Buffer.from([
    0x82, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4,
  ]);
  const answer = await exchange(Buffer.concat([Buffer.from(socket), frame]));
  assert.doesNotMatch(answer, /^HTTP\/1\.1 101/);
  await exchange(Buffer.from("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "latin1"));
  await exchange("[".repeat(50000));
  await isAlive();
});

test("ten thousand idle or crawling connections do not keep the page out", async () => {
  const idle = [];
  for (let wave = 0; wave < 20; ++wave) {
    const opened = Array.from({ length: 500 }, (_, i) => {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      if (i % 2) socket.write("GET / HT"); // and never the rest
      return socket;
    });
    await Promise.all(
      opened.map((s) => new Promise((done) => s.once("connect", done).once("close", done))),
    );
    idle.push(...opened);
    await isAlive();
    // Some machines give a process no more than 1024 open files.
    for (const socket of idle.splice(0, Math.max(0, idle.length - 500))) socket.destroy();
  }
  for (const socket of idle) socket.destroy();
  await isAlive();
});

test("a port in use, a file that is no run, and the end by a signal", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const second = new Running("view", file, "--no-open", "--port", String(taken.address().port));
  assert.equal(await second.ended, 4);
  assert.match(
    second.text,
    new RegExp(`127\\.0\\.0\\.1:${taken.address().port}: Address already in use`),
  );
  taken.close();
  assert.equal(
    await new Running("view", join(need("TENPIN_SCENES"), "chain.yaml"), "--no-open").ended,
    2,
  );
  for (const signal of ["SIGINT", "SIGTERM"]) {
    const short = new Running("view", file, "--no-open");
    await short.address;
    short.child.kill(signal);
    assert.equal(await short.ended, 0);
  }
});
