// Puts the parts of the page together.

import { App } from "./app";
import { byId } from "./dom";
import { Run, type Header } from "./run";

async function start(): Promise<void> {
  const header = JSON.parse(byId("run-header").textContent ?? "") as Header;
  const arrays = byId("run-arrays");
  const run = await Run.load(header, arrays.textContent ?? "");
  arrays.remove(); // the text is as large as the numbers
  new App(run).start();
}

start().catch((error: unknown) => {
  const reason = error instanceof Error ? error.message : String(error);
  byId("failure").textContent = `This page cannot show its run: ${reason}`;
  byId("failure").hidden = false;
  console.error(error);
});
