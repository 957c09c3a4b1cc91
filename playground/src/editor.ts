// The scene's editor: YAML with completion, explanations and problems, all from the engine.

import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  startCompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics, type Diagnostic } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { EditorState, Prec } from "@codemirror/state";
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import type { Problem, Schema } from "./messages";
import { explain, findPlace, offer } from "./schema";

const kColours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--code-key)" },
  { tag: [tags.string, tags.content], color: "var(--code-text)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: tags.comment, color: "var(--soft)", fontStyle: "italic" },
]);

export class Editor {
  private readonly view: EditorView;

  constructor(
    parent: HTMLElement,
    private readonly schema: () => Schema,
    changed: () => void,
    run: () => void,
  ) {
    this.view = new EditorView({
      parent,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          highlightActiveLine(),
          highlightActiveLineGutter(),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          highlightSelectionMatches(),
          indentUnit.of("  "),
          EditorState.tabSize.of(2),
          yaml(),
          syntaxHighlighting(kColours),
          lintGutter(),
          autocompletion({ override: [(context) => this.complete(context)], icons: false }),
          hoverTooltip((view, at) => this.hover(view, at)),
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (run(), true) }])),
          keymap.of([
            ...closeBracketsKeymap,
            ...completionKeymap,
            ...historyKeymap,
            ...searchKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.contentAttributes.of({ "aria-label": "Scene in YAML", spellcheck: "false" }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed();
          }),
        ],
      }),
    });
  }

  // The engine takes a last line without an end for a file that was cut off.
  get text(): string {
    const text = this.view.state.doc.toString();
    return text.endsWith("\n") ? text : `${text}\n`;
  }
  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.view.scrollDOM.scrollTop = 0;
  }

  showProblems(problems: Problem[]): void {
    const diagnostics: Diagnostic[] = problems.map((problem) => {
      const from = this.find(problem);
      const word = /^[^\s,{}[\]]*/.exec(this.view.state.sliceDoc(from, from + 60))?.[0].length ?? 0;
      return {
        from,
        to: Math.min(this.view.state.doc.length, from + Math.max(1, word)),
        severity: "error",
        message: problem.path ? `${problem.path}: ${problem.text}` : problem.text,
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  goTo(problem: Problem): void {
    const at = this.find(problem);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: "center" }) });
    this.view.focus();
  }

  // Columns count bytes of UTF-8; the editor counts UTF-16.
  private find({ line, column }: Problem): number {
    const { doc } = this.view.state;
    if (line < 1) return 0;
    const { from, text, length } = doc.line(Math.min(line, doc.lines));
    let bytes = 0;
    let at = 0;
    for (const c of text) {
      if (bytes >= column - 1) break;
      bytes += new TextEncoder().encode(c).length;
      at += c.length;
    }
    return from + Math.min(at, length);
  }

  private complete(context: CompletionContext): CompletionResult | null {
    const place = findPlace(context.state.sliceDoc(0, context.pos));
    if (!context.explicit && place.word === "" && place.isKey) return null;
    const options = offer(this.schema(), place).map(
      (one): Completion => ({
        label: one.label,
        detail: one.detail,
        info: one.info || undefined,
        apply: (view, _completion, from, to) => {
          const after = view.state.sliceDoc(to, to + 2);
          const insert = one.isKey && /^\s*:/.test(after) ? one.label : one.insert;
          view.dispatch({ changes: { from, to, insert }, selection: { anchor: from + insert.length } });
          if (one.isKey) setTimeout(() => startCompletion(view), 0);
        },
      }),
    );
    if (options.length === 0) return null;
    return { from: context.pos - place.word.length, options, validFor: /^[\w-]*$/ };
  }

  private hover(view: EditorView, at: number) {
    const line = view.state.doc.lineAt(at);
    const before = /[\w-]*$/.exec(line.text.slice(0, at - line.from))?.[0] ?? "";
    const after = /^[\w-]*\s*:/.exec(line.text.slice(at - line.from))?.[0];
    if (after === undefined) return null;
    const start = at - before.length;
    const key = view.state.sliceDoc(start, at + after.length - 1).trim();
    const place = findPlace(view.state.sliceDoc(0, start));
    const text = explain(this.schema(), [...place.path, key]);
    if (!text) return null;
    return {
      pos: start,
      above: true,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "explanation";
        const head = document.createElement("b");
        head.textContent = `${key}  `;
        const detail = document.createElement("small");
        detail.textContent = text.detail;
        const info = document.createElement("p");
        info.textContent = text.info;
        dom.append(head, detail, info);
        return { dom };
      },
    };
  }
}
