// Bundles src/ into one page with places for a run's header and arrays, and writes it twice: as
// viewer.html, and as a C++ source that the program embeds.
//   node build.mjs <output folder>

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const out = process.argv[2] ?? "dist";
const kPiece = 8000; // characters per string literal; compilers need not accept more than 65536

async function bundle(entry, loader) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    legalComments: "none",
    format: "iife",
    target: ["chrome109", "firefox113", "safari16.4"],
    preserveSymlinks: true,
    logLevel: "warning",
    charset: "utf8",
    outdir: ".",
    ...loader,
  });
  return result.outputFiles[0].text;
}

// The page carries other people's code, so it carries their licences.
const licences = ["three", "uplot"]
  .map((name) => `/*! ${name}: ${readFileSync(`node_modules/${name}/LICENSE`, "utf8").trim()} */\n`)
  .join("");

// A closing tag inside the script would end it early.
const script = licences + (await bundle("src/main.ts", {})).replaceAll("</script", "<\\/script");
const uplotStyle = await bundle("uplot/dist/uPlot.min.css", {});
const pageStyle = await bundle("src/page.css", {});

// Replacement by function: the bundle is full of `$`, which a replacement string would interpret.
const page = readFileSync("src/page.html", "utf8")
  .replace("/*STYLE*/", () => uplotStyle + pageStyle)
  .replace("/*SCRIPT*/", () => script);

// Escapes never run on from one piece into the next: each piece is escaped by itself, in UTF-8.
function literal(bytes) {
  let text = "";
  for (const byte of bytes) {
    const plain = byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c && byte !== 0x3f;
    text += plain ? String.fromCharCode(byte) : "\\" + byte.toString(8).padStart(3, "0");
  }
  return `    "${text}",\n`;
}

function makeSource(bytes) {
  let pieces = "";
  for (let i = 0; i < bytes.length; i += kPiece) pieces += literal(bytes.subarray(i, i + kPiece));
  return `// Made by viewer/build.mjs.
#include "lab/viewer_template.h"

namespace tenpin::lab {
namespace {
constexpr std::string_view kPieces[] = {
${pieces}};
}  // namespace

std::span<const std::string_view> viewer_template() { return kPieces; }

}  // namespace tenpin::lab
`;
}

mkdirSync(out, { recursive: true });
writeFileSync(join(out, "viewer.html"), page);
writeFileSync(join(out, "viewer_template.cpp"), makeSource(Buffer.from(page, "utf8")));
