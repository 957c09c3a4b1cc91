// What may be written where in a scene: keys and values from the engine's JSON Schema, for the place of
// the cursor. Scenes are YAML in block and flow style; an unfinished scene is the usual case.

import type { Schema } from "./messages";

// Where the cursor is: the keys and list indices down to the map or value that is being written.
export interface Place {
  path: string[]; // "[]" for an item of a list
  isKey: boolean; // a key of the map at `path`; otherwise the value at `path`
  word: string; // already written
  present: string[]; // keys of that map before the cursor
}

export interface Offer {
  label: string;
  detail: string; // type and default
  info: string;
  insert: string;
  isKey: boolean;
}

interface Level {
  indent: number; // of block style; -1 = flow
  kind: "map" | "list";
  key: string; // of a map: the key whose value follows; "" = none yet
  keys: string[]; // of a map
}

const kKey = /^("[^"]*"|'[^']*'|[^\s"'#{}[\],&*!|>%@`-][^#{}[\],:]*|-?[A-Za-z_][^#{}[\],:]*?)\s*:(?=\s|$)/;

export function findPlace(text: string): Place {
  const levels: Level[] = [{ indent: 0, kind: "map", key: "", keys: [] }];
  const lines = text.split("\n");
  let word = "";
  for (const [number, line] of lines.entries()) {
    const isLast = number === lines.length - 1;
    const top = levels[levels.length - 1];
    let rest = line;
    if (top.indent >= 0) {
      // Block style: the indentation says what the line belongs to.
      rest = line.trimStart();
      let indent = line.length - rest.length;
      if (!isLast && (rest === "" || rest.startsWith("#"))) continue;
      const dash = /^(-\s+|-$)/;
      unwind(levels, indent, dash.test(rest));
      for (let match = dash.exec(rest); match; match = dash.exec(rest)) {
        openList(levels, indent);
        indent += match[0].length;
        rest = rest.slice(match[0].length);
        if (!/^[[{-]/.test(rest)) levels.push({ indent, kind: "map", key: "", keys: [] });
      }
      const key = kKey.exec(rest);
      if (key) {
        const map = levels[levels.length - 1].kind === "map" && levels[levels.length - 1].indent === indent
          ? levels[levels.length - 1]
          : pushMap(levels, indent);
        map.key = unquote(key[1]);
        map.keys.push(map.key);
        rest = rest.slice(key[0].length);
        word = readFlow(levels, rest);
        if (isLast) return finish(levels, word, levels[levels.length - 1].indent < 0 ? null : false);
        continue;
      }
      if (isLast && !/[[{]/.test(rest)) {
        // A key that is being written; deeper than the map above it means that key's value.
        const map = levels[levels.length - 1];
        if (!(map.kind === "map" && map.indent === indent)) pushMap(levels, indent);
        levels[levels.length - 1].key = "";
        return finish(levels, rest, true);
      }
    }
    word = readFlow(levels, rest);
  }
  return finish(levels, word, null);
}

function unquote(key: string): string {
  return /^["']/.test(key) ? key.slice(1, -1) : key.trim();
}

function pushMap(levels: Level[], indent: number): Level {
  const map: Level = { indent, kind: "map", key: "", keys: [] };
  levels.push(map);
  return map;
}

// Leaves the levels that a line with this indentation is not part of. A list may be as far left as
// the key that it is the value of.
function unwind(levels: Level[], indent: number, isItem: boolean): void {
  while (levels.length > 1) {
    const top = levels[levels.length - 1];
    if (top.indent < indent || (top.indent === indent && (top.kind === "map") !== isItem)) return;
    if (top.indent === indent && isItem && top.kind === "map" && levels[levels.length - 2].kind !== "list") return;
    levels.pop();
  }
}

function openList(levels: Level[], indent: number): void {
  const top = levels[levels.length - 1];
  if (top.kind === "list" && top.indent === indent) return;
  levels.push({ indent, kind: "list", key: "", keys: [] });
}

// Reads the rest of a line that may open and close flow maps and lists; returns the unfinished word.
function readFlow(levels: Level[], text: string): string {
  let word = "";
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    const top = levels[levels.length - 1];
    const inFlow = top.indent < 0;
    if (c === "#" && (i === 0 || /\s/.test(text[i - 1]))) return "";
    if (c === '"' || c === "'") {
      const end = text.indexOf(c, i + 1);
      if (end < 0) return text.slice(i);
      word = text.slice(i, end + 1);
      i = end;
    } else if (c === "{" || c === "[") {
      if (c === "{" && text[i - 1] === "$") {
        const end = text.indexOf("}", i);
        if (end < 0) return text.slice(i - 1);
        i = end;
        continue;
      }
      levels.push({ indent: -1, kind: c === "{" ? "map" : "list", key: "", keys: [] });
      word = "";
    } else if ((c === "}" || c === "]") && inFlow) {
      levels.pop();
      word = "";
    } else if (c === "," && inFlow) {
      top.key = "";
      word = "";
    } else if (c === ":" && inFlow && top.kind === "map" && !top.key && /^(\s|$)/.test(text.slice(i + 1))) {
      top.key = unquote(word.trim());
      top.keys.push(top.key);
      word = "";
    } else word += c;
  }
  return word;
}

function finish(levels: Level[], word: string, isKey: boolean | null): Place {
  const top = levels[levels.length - 1];
  const key = isKey ?? (top.kind === "map" && !top.key);
  const path: string[] = [];
  for (const [i, level] of levels.entries()) {
    const isTop = i === levels.length - 1;
    if (level.kind === "list") path.push("[]");
    else if (!isTop || !key) path.push(level.key);
  }
  return { path, isKey: key, word: word.trimStart(), present: key ? top.keys : [] };
}

type Node = Record<string, unknown>;

// All forms that the value at a path may have.
function resolve(root: Schema, path: string[]): Node[] {
  let nodes = expand(root, [root]);
  for (const step of path) {
    const next: Node[] = [];
    for (const node of nodes) {
      if (step === "[]") {
        if (node.items) next.push(node.items as Node);
        continue;
      }
      const properties = (node.properties ?? {}) as Record<string, Node>;
      if (properties[step]) next.push(properties[step]);
      else if (typeof node.additionalProperties === "object")
        next.push(node.additionalProperties as Node);
    }
    nodes = expand(root, next);
  }
  return nodes;
}

function expand(root: Schema, nodes: Node[]): Node[] {
  const all: Node[] = [];
  const visit = (node: Node, depth: number) => {
    if (depth > 12) return;
    all.push(node);
    const reference = node.$ref;
    if (typeof reference === "string" && !reference.endsWith("/expression")) {
      const name = reference.replace("#/$defs/", "");
      visit((root.$defs as Record<string, Node>)[name], depth + 1);
    }
    for (const word of ["anyOf", "oneOf", "allOf"])
      for (const part of (node[word] ?? []) as Node[]) visit(part, depth + 1);
  };
  for (const node of nodes) visit(node, 0);
  return all;
}

function describe(forms: Node[]): string {
  const types = new Set<string>();
  let suffix = "";
  for (const form of forms) {
    if (form.enum) types.add("word");
    else if (typeof form.type === "string") types.add(form.type === "object" ? "map" : form.type === "array" ? "list" : form.type);
    if (form.default !== undefined && !suffix) suffix = ` = ${JSON.stringify(form.default)}`;
  }
  return [...types].join(" or ") + suffix;
}

const describedBy = (forms: Node[]) =>
  (forms.find((form) => typeof form.description === "string")?.description as string) ?? "";

export function offer(root: Schema, place: Place): Offer[] {
  const forms = resolve(root, place.path);
  return place.isKey ? offerKeys(root, forms, place) : offerValues(forms);
}

function offerKeys(root: Schema, forms: Node[], place: Place): Offer[] {
  const offers = new Map<string, Offer>();
  for (const form of forms)
    for (const [key, node] of Object.entries((form.properties ?? {}) as Record<string, Node>)) {
      if (offers.has(key) || place.present.includes(key)) continue;
      const inner = expand(root, [node]);
      const detail = describe(inner);
      const needed = ((form.required ?? []) as string[]).includes(key);
      offers.set(key, {
        label: key,
        detail: needed ? `${detail}, needed` : detail,
        info: describedBy(inner),
        insert: `${key}: `,
        isKey: true,
      });
    }
  return [...offers.values()];
}

function offerValues(forms: Node[]): Offer[] {
  const words = new Set<string>();
  for (const form of forms) {
    for (const word of (form.enum ?? []) as unknown[]) words.add(String(word));
    if (form.const !== undefined) words.add(String(form.const));
    if (form.type === "boolean") ["true", "false"].forEach((word) => words.add(word));
  }
  return [...words].map((word) => ({ label: word, detail: "", info: "", insert: word, isKey: false }));
}

// What the key at a place means, for the hover text.
export function explain(root: Schema, path: string[]): { detail: string; info: string } | null {
  const forms = resolve(root, path);
  const info = describedBy(forms);
  return info ? { detail: describe(forms), info } : null;
}
