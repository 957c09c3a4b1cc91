// What the page brings along in addition to its script: inside a single file, or beside the page on a server.

import type { EngineParts } from "./engine";

export interface Example {
  name: string; // of the file
  title: string;
  text: string;
}

export interface Parts extends EngineParts {
  examples: Example[];
  viewerPage(): Promise<string>; // with places for a run
}

// One of the page's parts: gzip in base64 in a script element, or a file of that name.
async function load(name: string): Promise<Blob> {
  const element = document.getElementById(`part-${name}`);
  if (!element) {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response.blob();
  }
  const binary = atob(element.textContent ?? "");
  const bytes = Uint8Array.from(binary, (c) => c.charCodeAt(0));
  element.remove();
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).blob();
}

export async function loadParts(): Promise<Parts> {
  const [script, wasm, scenes] = await Promise.all(["engine.js", "tenpin.wasm", "scenes.json"].map(load));
  const { examples, files } = JSON.parse(await scenes.text()) as {
    examples: Example[];
    files: Record<string, string>;
  };
  let viewer: Promise<Blob> | null = null;
  return {
    script: new Blob([script], { type: "text/javascript" }),
    wasm: await wasm.arrayBuffer(),
    examples,
    files,
    viewerPage: async () => (await (viewer ??= load("viewer.html"))).text(),
  };
}
