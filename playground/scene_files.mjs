// The files that scenes include: everything in the folders below a folder of scenes, by the path under which a
// scene beside these folders names it. The page, its build and its tests carry what this function returns.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

export function readSceneFiles(scenes) {
  const files = {};
  const visit = (folder) => {
    for (const entry of readdirSync(join(scenes, folder), { withFileTypes: true })) {
      const path = folder ? `${folder}/${entry.name}` : entry.name;
      if (entry.isDirectory()) visit(path);
      else if (folder) files[path] = decode(path, readFileSync(join(scenes, path)));
    }
  };
  visit("");
  return files;
}

// The page carries them as text.
function decode(path, bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Error(`${path} is no text in UTF-8: the playground cannot carry it`);
  }
}
