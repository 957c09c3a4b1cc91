// Puts the parts of the page together.

import { App } from "./app";
import { byId } from "./dom";
import { LiveLink } from "./live";
import type { Header } from "./run";
import { askServer, loadStreamedRun } from "./stream";
import { loadWholeRun } from "./whole";

// A page in a file holds its run; one from a server has `null` in its place, and asks for it.
async function start(): Promise<void> {
  const header = JSON.parse(byId("run-header").textContent ?? "") as Header | null;
  if (!header) return startStreamed();
  const arrays = byId("run-arrays");
  const run = await loadWholeRun(header, arrays.textContent ?? "");
  arrays.remove(); // the text is as large as the numbers
  new App(run).start();
}

async function startStreamed(): Promise<void> {
  const stream = await loadStreamedRun(askServer, (why) => {
    byId("loading").textContent = why;
    byId("loading").hidden = false;
  });
  byId("loading").hidden = true;
  stream.keepServer();
  const app = new App(stream.run);
  app.start(new LiveLink(app, stream));
}

start().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  byId("loading").hidden = true;
  byId("failure").textContent = `This page cannot show its run: ${reason}`;
  byId("failure").hidden = false;
  console.error(error);
});
