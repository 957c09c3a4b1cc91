// The page's keys: one table, which the help shows.

import type { App } from "./app";
import { byId } from "./dom";
import { listenToKeys, showKeys, type Key } from "./keyboard";

function key(keys: string[], shown: string, does: string, run: Key["run"]): Key {
  return { keys, shown, does, run };
}

export function setUpKeys(app: App): void {
  const { playback, switches, stage } = app;
  const help = byId<HTMLDialogElement>("help-dialog");
  const toEnd = () =>
    app.run.growing ? playback.setLive(true) : playback.setFrame(app.run.numFrames);
  const keys: Key[] = [
    key([" "], "Space", "play or pause", () => playback.toggle()),
    key(["ArrowLeft"], "←", "one frame back", () => playback.stepBy(-1)),
    key(["ArrowRight"], "→", "one frame forward", () => playback.stepBy(1)),
    key(["Shift+ArrowLeft"], "Shift ←", "ten frames back", () => playback.stepBy(-10)),
    key(["Shift+ArrowRight"], "Shift →", "ten frames forward", () => playback.stepBy(10)),
    key(["Home"], "Home", "to the start", () => playback.setFrame(0)),
    key(["End"], "End", "to the end; live", toEnd),
    key(["+", "="], "+", "faster", () => playback.changeSpeed(1)),
    key(["-"], "−", "slower", () => playback.changeSpeed(-1)),
    key(["l"], "L", "loop", () => switches.flip("loop")),
    key(["c"], "C", "contacts", () => switches.flip("contacts")),
    key(["n"], "N", "contact normals", () => switches.flip("normals")),
    key(["k"], "K", "friction cones", () => switches.flip("cones")),
    key(["v"], "V", "slip velocities", () => switches.flip("slip")),
    key(["t"], "T", "trails", () => switches.flip("trails")),
    key(["x"], "X", "see through bodies", () => switches.flip("see-through")),
    key(["h"], "H", "collision shapes of bodies that have visual ones", () =>
      switches.flip("collision"),
    ),
    key(["f"], "F", "follow the selected body", () => switches.flip("follow")),
    key(["]"], "]", "select the next body", () => app.selectBodyBy(1)),
    key(["["], "[", "select the previous body", () => app.selectBodyBy(-1)),
    key(["}"], "}", "select the next contact", () => app.selectContactBy(1)),
    key(["{"], "{", "select the previous contact", () => app.selectContactBy(-1)),
    key(["a", "d"], "A D", "rotate the camera", (name) =>
      stage.orbit(name === "a" ? -0.1 : 0.1, 0, 1),
    ),
    key(["w", "s"], "W S", "raise or lower it", (name) =>
      stage.orbit(0, name === "w" ? 0.08 : -0.08, 1),
    ),
    key(["q", "e"], "Q E", "zoom in or out", (name) =>
      stage.orbit(0, 0, name === "q" ? 0.9 : 1 / 0.9),
    ),
    key(["A", "D"], "Shift A D", "pan sideways", (name) =>
      stage.pan(name === "A" ? -0.04 : 0.04, 0),
    ),
    key(["W", "S"], "Shift W S", "pan up or down", (name) =>
      stage.pan(0, name === "W" ? 0.04 : -0.04),
    ),
    key(["0"], "0", "see everything", () => stage.frameAll()),
    key(["Escape"], "Esc", "clear the selection", () => app.select(null)),
    key(["?"], "?", "this help", () => help.showModal()),
  ];
  showKeys(keys);
  listenToKeys(keys, app.ended);
}
