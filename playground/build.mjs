// Puts the playground together: one page that needs nothing else, and a folder for a web server.
//   node build.mjs <engine folder> <scenes> <viewer page> <output folder>
// Writes playground.html and site/.

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { readSceneFiles } from "./scene_files.mjs";

const [engine, scenes, viewerPage, out] = process.argv.slice(2);

async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    format: "iife",
    target: ["chrome111", "firefox113", "safari16.4"],
    preserveSymlinks: true,
    logLevel: "warning",
    charset: "utf8",
    outdir: ".",
  });
  return result.outputFiles[0].text;
}

// The page carries other people's code, so it carries their licences.
const licences = ["three", "uplot", "@codemirror/view"]
  .map((name) => `/*! ${name}: ${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()} */\n`)
  .join("");

// Scenes by name and what they include, by the path under which they include it.
function readScenes() {
  const examples = [];
  for (const file of readdirSync(scenes).filter((name) => name.endsWith(".yaml")).sort()) {
    const text = readFileSync(join(scenes, file), "utf8");
    const title = /^name: *"?([^"\n]+)/m.exec(text)?.[1].trim() ?? file;
    examples.push({ name: basename(file, ".yaml"), title, text });
  }
  return JSON.stringify({ examples, files: readSceneFiles(scenes) });
}

const script = licences + (await bundle("src/main.ts"));
const style = (await bundle("uplot/dist/uPlot.min.css")) + (await bundle("viewer/page.css")) + (await bundle("src/page.css"));
const markup = readFileSync("viewer/page.html", "utf8");
// The viewer's elements, without the page around them.
const viewer = markup.slice(markup.indexOf('<div class="viewer">') + '<div class="viewer">'.length, markup.indexOf("</div>\n<script id=\"run-header\""));
const page = readFileSync("src/page.html", "utf8").replace("<!--VIEWER-->", () => viewer);
const parts = {
  "engine.js": readFileSync(join(engine, "tenpin.js"), "utf8") + "\n" + (await bundle("src/worker.ts")),
  "tenpin.wasm": readFileSync(join(engine, "tenpin.wasm")),
  "scenes.json": readScenes(),
  "viewer.html": readFileSync(viewerPage, "utf8"),
};

// A closing tag inside the script would end it early.
const inline = (text) => text.replaceAll("</script", "<\\/script");
const embedded = Object.entries(parts)
  .map(([name, data]) => `<script id="part-${name}" type="text/plain">${gzipSync(data, { level: 9 }).toString("base64")}</script>`)
  .join("\n");
const whole = page
  .replace("<!--STYLE-->", () => `<style>${style}</style>`)
  .replace("<!--PARTS-->", () => embedded)
  .replace("<!--SCRIPT-->", () => `<script>${inline(script)}</script>`);

mkdirSync(join(out, "site"), { recursive: true });
writeFileSync(join(out, "playground.html"), whole);
const beside = page
  .replace("<!--STYLE-->", () => '<link rel="stylesheet" href="playground.css">')
  .replace("<!--PARTS-->", () => "")
  .replace("<!--SCRIPT-->", () => '<script src="playground.js"></script>');
writeFileSync(join(out, "site", "index.html"), beside);
writeFileSync(join(out, "site", "playground.css"), style);
writeFileSync(join(out, "site", "playground.js"), script);
for (const [name, data] of Object.entries(parts)) writeFileSync(join(out, "site", name), data);
console.log(`playground.html: ${(whole.length / 1e6).toFixed(2)} MB`);
