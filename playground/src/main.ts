// The playground: an editor, the engine in a worker, and the viewer, in one page.

import { App } from "../viewer/app";
import type { ViewPlace } from "../viewer/address";
import { byId, make } from "../viewer/dom";
import { LiveLink } from "../viewer/live";
import { loadStreamedRun } from "../viewer/stream";
import { Editor } from "./editor";
import { Engine } from "./engine";
import type { Problem, Summary } from "./messages";
import { loadParts, type Example, type Parts } from "./parts";
import { decodeScene, encodeScene, save } from "./share";

const kCheckDelay = 150; // ms   after the last key
const kFirstLook = 400; // ms   a run that is over sooner is shown whole, with the camera on all of it
const kLongLink = 30_000; // characters   beyond, some programs cut links
const kFirst = "ten-pins"; // example
const kDraft = "tenpin-playground-scene"; // in the browser's storage

// Keeps the view from run to run, but not the moment; links hold the scene.
class KeptView implements ViewPlace {
  private words = "";
  constructor(private readonly playground: () => string) {}
  read(): string {
    return this.words;
  }
  write(words: string): void {
    this.words = words.replace(/(^|&)t=[^&]*/, "");
  }
  link(): string {
    return this.playground();
  }
  onChange(): void {}
}

class Playground {
  private readonly editor: Editor;
  private readonly engine: Engine;
  private readonly view = new KeptView(() => location.href);
  private app: App | null = null;
  private checkTimer = 0;
  private isRunning = false;
  private hasRun = false; // that can be looked at
  private until = 0; // s
  private example = ""; // "" = the reader's own
  private untouched = ""; // text of the example

  constructor(private readonly parts: Parts) {
    this.editor = new Editor(byId("editor"), () => this.engine.schema, () => this.changed(), () => this.run());
    this.engine = new Engine(parts, () => this.ready(), (reason) => this.say(reason, true));
    this.setUpExamples();
    byId("run").addEventListener("click", () => (this.isRunning ? this.engine.stop() : this.run()));
    byId("share").addEventListener("click", () => void this.share());
    byId("save-scene").addEventListener("click", () =>
      save(new Blob([this.editor.text], { type: "application/yaml" }), `${this.fileName}.yaml`),
    );
    byId("save-run").addEventListener("click", () => void this.saveRun());
    const file = byId<HTMLInputElement>("open-file");
    byId("open-scene").addEventListener("click", () => file.click());
    file.addEventListener("change", () => void this.open(file.files?.[0]));
    for (const name of ["scene", "run"])
      byId(`show-${name}`).addEventListener("click", () => this.showPane(name));
    window.addEventListener("hashchange", () => void this.readLink());
    document.addEventListener("click", (event) => {
      const menu = byId<HTMLDetailsElement>("more");
      if (!menu.contains(event.target as Node) || (event.target as HTMLElement).closest("#more button"))
        menu.open = false;
    });
  }

  async start(): Promise<void> {
    if (!(await this.readLink())) {
      const draft = readDraft();
      if (draft) this.show(draft, "");
      else this.showExample(kFirst);
    }
  }

  // A link to a scene or an example; false if the address has none.
  private async readLink(): Promise<boolean> {
    const words = new URLSearchParams(location.hash.slice(1));
    const code = words.get("scene");
    const example = words.get("example") ?? "";
    if (code) {
      try {
        this.show(await decodeScene(code), "");
      } catch {
        this.showExample(kFirst);
        this.say("The scene of this link cannot be read: the link may have been cut.", true);
      }
    } else if (this.parts.examples.some(({ name }) => name === example)) this.showExample(example);
    else return false;
    if (this.engine.isReady) this.run();
    return true;
  }

  private setUpExamples(): void {
    const select = byId<HTMLSelectElement>("examples");
    select.append(
      make("option", { value: "" }, "Your scene"),
      ...this.parts.examples.map(({ name, title }) => make("option", { value: name }, title)),
    );
    select.addEventListener("change", () => {
      if (!select.value) return;
      history.replaceState(null, "", `#example=${select.value}`);
      this.showExample(select.value);
      this.run();
    });
  }

  private showExample(name: string): void {
    const example = this.parts.examples.find((one) => one.name === name) as Example;
    this.show(example.text, name);
  }

  private show(text: string, example: string): void {
    this.example = example;
    this.untouched = text;
    this.editor.text = text;
    byId<HTMLSelectElement>("examples").value = example;
  }

  private ready(): void {
    byId("version").textContent = this.engine.version;
    if (!this.isRunning && !this.hasRun) this.run();
    this.check();
  }

  private changed(): void {
    const { text } = this.editor;
    if (this.example && text !== this.untouched) {
      this.example = "";
      byId<HTMLSelectElement>("examples").value = "";
      history.replaceState(null, "", location.pathname + location.search);
    }
    if (!this.example) keepDraft(text);
    clearTimeout(this.checkTimer);
    this.checkTimer = window.setTimeout(() => this.check(), kCheckDelay);
  }

  private check(): void {
    if (!this.engine.isReady) return; // it will, once it is
    const { text } = this.editor;
    void this.engine.check(text).then(
      (problems) => {
        if (text === this.editor.text) this.showProblems(problems);
      },
      () => {}, // the engine was started again; what it lost is told by the run
    );
  }

  private showProblems(problems: Problem[]): void {
    this.editor.showProblems(problems);
    byId("problems").replaceChildren(
      ...problems.map((problem) => {
        const place = problem.line > 0 ? `${problem.line}:${problem.column}` : "scene";
        const text = problem.path ? `${problem.path}: ${problem.text}` : problem.text;
        const button = make("button", { type: "button", class: "row-button" }, make("span", { class: "place" }, place), make("span", {}, text));
        button.addEventListener("click", () => {
          this.showPane("scene");
          this.editor.goTo(problem);
        });
        return make("li", {}, button);
      }),
    );
    byId("problem-count").textContent =
      problems.length === 0 ? "No problems" : problems.length === 1 ? "1 problem" : `${problems.length} problems`;
    byId("problem-bar").classList.toggle("bad", problems.length > 0);
  }

  private run(): void {
    if (!this.engine.isReady) return;
    const scene = this.editor.text;
    this.setRunning(true);
    this.say("Reading the scene …");
    let shown = false;
    const show = () => {
      if (!shown) void this.showRun();
      shown = true;
    };
    let timer = 0;
    const end = (text: string, bad: boolean) => {
      clearTimeout(timer);
      this.setRunning(false);
      this.say(text, bad);
    };
    this.engine.run(scene, {
      begun: (until) => {
        this.until = until;
        this.hasRun = true;
        this.showProblems([]);
        timer = window.setTimeout(show, kFirstLook);
      },
      progress: (t) => this.say(`Computing: ${t.toPrecision(3)} of ${this.until} s`),
      over: (summary) => {
        end(describe(summary), !summary.passed || !summary.reachedEnd);
        show();
      },
      cut: (problems) => {
        end(problems[0]?.text ?? "The run was cut short.", true);
        show();
      },
      refused: (problems) => {
        this.showProblems(problems);
        end(describeRefusal(problems), true);
        this.showPane("scene");
      },
      stopped: () => {
        end("Stopped.", false);
        show();
      },
      lost: (reason) => end(reason, true),
    });
  }

  // Another run in place of the one that is shown.
  private async showRun(): Promise<void> {
    const template = byId<HTMLTemplateElement>("viewer-template");
    const stream = await loadStreamedRun(this.engine.makeAsk(), () => {});
    this.app?.stop();
    byId("viewer").replaceChildren(template.content.cloneNode(true));
    const app = new App(stream.run, this.view);
    this.app = app;
    app.start(new LiveLink(app, stream, false));
    app.playback.playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
    document.title = `${stream.run.header.scene || "Scene"} – Tenpin playground`;
    byId<HTMLButtonElement>("save-run").disabled = false;
  }

  private setRunning(on: boolean): void {
    this.isRunning = on;
    byId("run").textContent = on ? "Stop" : "Run";
    byId("run").classList.toggle("stop", on);
  }

  private say(text: string, bad = false): void {
    byId("status").textContent = text;
    byId("status").title = text;
    byId("status").classList.toggle("bad", bad);
  }

  private async share(): Promise<void> {
    const words = this.example ? `example=${this.example}` : `scene=${await encodeScene(this.editor.text)}`;
    const link = `${location.href.replace(/#.*/, "")}#${words}`;
    history.replaceState(null, "", link);
    const long = link.length > kLongLink ? " It is long: some programs will cut it. Save the scene instead." : "";
    const where = location.protocol === "file:" ? " It works where this file is." : "";
    await navigator.clipboard.writeText(link).then(
      () => this.say(`The link is in the clipboard.${where}${long}`),
      () => this.say(`The link is in the address bar.${where}${long}`),
    );
  }

  // The run as a page of its own, which `tenpin run --html` would write.
  private async saveRun(): Promise<void> {
    this.say("Packing the run …");
    try {
      const contents = await this.engine.makePage();
      if (!contents) throw new Error("there is no run yet");
      const page = (await this.parts.viewerPage())
        .replace("<!--HEADER-->", () => contents[0])
        .replace("<!--ARRAYS-->", () => contents[1]);
      save(new Blob([page], { type: "text/html" }), `${this.fileName}-run.html`);
      this.say("The run is saved as a page.");
    } catch (error) {
      this.say(`The run cannot be saved: ${error instanceof Error ? error.message : String(error)}`, true);
    }
  }

  private async open(file: File | undefined): Promise<void> {
    if (!file) return;
    this.show(await file.text(), "");
    history.replaceState(null, "", location.pathname + location.search);
    this.run();
  }

  private get fileName(): string {
    const name = /^name:\s*["']?([^"'#\n]+)/m.exec(this.editor.text)?.[1] ?? "scene";
    const words = name.match(/[\p{L}\p{N}]+/gu) ?? ["scene"];
    return words.join("-").toLowerCase();
  }

  // Of a phone, which has place for one of them.
  private showPane(name: string): void {
    document.body.dataset.pane = name;
    for (const pane of ["scene", "run"])
      byId(`show-${pane}`).setAttribute("aria-pressed", String(pane === name));
  }
}

function describe({ status, reachedEnd, message, t, steps, passed, hash, wall }: Summary): string {
  if (!reachedEnd) return `Ended at ${t.toPrecision(4)} s: ${message || status}`;
  const verdict = passed ? "all certified" : "not all certified";
  return `${steps.toLocaleString("en")} steps in ${wall.toFixed(2)} s, ${verdict}. State ${hash}`;
}

function describeRefusal(problems: Problem[]): string {
  if (problems.some(({ path }) => /\.(file|csv)$/.test(path)))
    return "This page has only the files of the examples. Run scenes with other files with the program.";
  if (problems.length > 1) return `The scene has ${problems.length} problems.`;
  const { line, text } = problems[0];
  return line > 0 ? `Line ${line}: ${text}` : text;
}

// Private windows and pages from a disk may have no storage.
function readDraft(): string {
  try {
    return localStorage.getItem(kDraft) ?? "";
  } catch {
    return "";
  }
}
function keepDraft(text: string): void {
  try {
    localStorage.setItem(kDraft, text);
  } catch {
    // The scene is still in the editor.
  }
}

loadParts().then(
  (parts) => new Playground(parts).start(),
  (error: unknown) => {
    byId("status").textContent = `The page cannot start: ${error instanceof Error ? error.message : String(error)}`;
    byId("status").classList.add("bad");
  },
);
