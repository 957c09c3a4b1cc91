// One key, one action; the help lists them from this table.

import { byId, make } from "./dom";

export interface Key {
  keys: string[]; // values of KeyboardEvent.key; "Shift+" is told apart for arrows only
  shown: string;
  does: string;
  run: (key: string) => void;
}

const kTyping = ["INPUT", "SELECT", "TEXTAREA"];

export function listenToKeys(keys: Key[], signal: AbortSignal): void {
  const table = new Map(keys.flatMap((key) => key.keys.map((name) => [name, key] as const)));
  const listen = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isForControl(event)) return;
    const name = event.key.startsWith("Arrow") && event.shiftKey ? `Shift+${event.key}` : event.key;
    const plain = table.has(name) ? name : name.toLowerCase();
    const key = table.get(plain);
    if (!key) return;
    event.preventDefault();
    key.run(plain);
  };
  document.addEventListener("keydown", listen, { signal });
}

// Fields keep the keys they need; a focused button keeps the space bar.
function isForControl(event: KeyboardEvent): boolean {
  const target = event.target as HTMLElement;
  if (target.closest("dialog[open]")) return true;
  if (event.key === "Escape") return target.isContentEditable;
  if (target.tagName === "INPUT" && (target as HTMLInputElement).type === "range")
    return event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  if (kTyping.includes(target.tagName) || target.isContentEditable) return true;
  return (
    (target.tagName === "BUTTON" || target.tagName === "SUMMARY") &&
    (event.key === " " || event.key === "Enter")
  );
}

export function showKeys(keys: Key[]): void {
  byId("key-list").replaceChildren(
    ...keys.flatMap((key) => [
      make("dt", {}, ...key.shown.split(" ").map((cap) => make("kbd", {}, cap))),
      make("dd", {}, key.does),
    ]),
  );
}
