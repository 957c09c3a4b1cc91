// The head of the page: what was run, and whether its answers can be trusted.

import { byId, make } from "./dom";
import { formatNumber, plural } from "./format";
import type { FailedStep, Run } from "./run";

export function showSummary(run: Run, seek: (time: number) => void): void {
  const { header } = run;
  const name = header.scene || "Untitled scene";
  document.title = `${name} – Tenpin`;
  byId("scene-name").textContent = name;
  byId("summary").replaceChildren(...summaryItems(run).map((text) => make("span", {}, text)));
  showVerdict(run);
  showNotes(run);
  showStartOverlaps(run.header.startOverlaps ?? []);
  showFailures(header.verdict.failed, seek);
}

function summaryItems(run: Run): string[] {
  const { header } = run;
  const bodies = header.bodies.length;
  return [
    header.method,
    bodies === 1 ? "1 body" : `${bodies.toLocaleString("en")} bodies`,
    plural(header.verdict.steps, "step"),
    `${formatNumber(run.endTime - run.startTime, 4)} s`,
    `worst residual ${formatNumber(header.verdict.worstResidual, 2)}`,
    `deepest overlap ${formatNumber(header.verdict.worstPenetration, 2)} m`,
  ];
}

function showVerdict(run: Run): void {
  const { verdict, until } = run.header;
  const failed = verdict.steps - verdict.certified;
  const good = failed === 0 && (verdict.complete || run.growing);
  const done = Math.floor((100 * (run.endTime - run.startTime)) / Math.max(until, 1e-300));
  const text =
    failed > 0
      ? `${plural(failed, "step")} of ${verdict.steps.toLocaleString("en")} not certified`
      : run.growing
        ? `Computing, ${done} %`
        : verdict.complete
          ? "All steps certified"
          : `Stopped early: ${verdict.status}`;
  const element = byId("verdict");
  if (element.textContent?.endsWith(text)) return; // it is read out when it changes
  element.setAttribute("aria-haspopup", "dialog");
  element.className = run.growing && good ? "busy" : good ? "good" : "bad";
  const sign = run.growing && good ? "…" : good ? "✓" : "✕";
  element.replaceChildren(make("span", { "aria-hidden": "true" }, sign), text);
}

// Why the run ended early, and what the page leaves out of the run file.
function showNotes(run: Run): void {
  const { frameStride, contactStride, stepStride, verdict } = run.header;
  const notes: string[] = [];
  const events = run.header.firedEvents ?? [];
  if (events.length > 0) notes.push(`Events: ${events.join("; ")}.`);
  if (!run.growing && !verdict.complete)
    notes.push(`The run ended early: ${verdict.message || verdict.status}.`);
  if (run.isServerGone)
    notes.push(
      "The server has ended; the page keeps what it has loaded. `tenpin view` shows the run file.",
    );
  if (frameStride > 1) notes.push(`Shows one frame in ${frameStride}.`);
  if (contactStride > 1) notes.push(`Contacts are those of one shown frame in ${contactStride}.`);
  if (stepStride > 1)
    notes.push(
      `Each point of a step curve represents ${stepStride} steps; ` +
        "residual and overlap are the worst of them.",
    );
  if (run.header.trackStride && run.header.trackStride > 1)
    notes.push(`A body's curves and trail have one point per ${run.header.trackStride} frames.`);
  if (!run.header.blockFrames && !run.header.arrays.some(({ name }) => name === "frame_twist"))
    notes.push("Velocities are left out to keep the page small.");
  byId("notes").textContent = notes.join(" ");
  byId("notes").hidden = notes.length === 0;
}

// All bodies that overlapped at time 0, and what was done. Long lists open with a click.
function showStartOverlaps(overlaps: string[]): void {
  const kMostAtOnce = 5;
  const list = byId<HTMLDetailsElement>("start-overlaps");
  list.hidden = overlaps.length === 0;
  list.open = overlaps.length <= kMostAtOnce;
  byId("start-overlaps-head").textContent = `${plural(overlaps.length, "overlap")} at time 0`;
  byId("start-overlap-list").replaceChildren(...overlaps.map((text) => make("li", {}, text)));
}

function showFailures(failed: FailedStep[], seek: (time: number) => void): void {
  byId("failures").hidden = failed.length === 0;
  byId("failure-list").replaceChildren(
    ...failed.map((one) => {
      const jump = make(
        "button",
        { type: "button", class: "link" },
        `Step ${one.step}, t = ${formatNumber(one.t, 5)} s`,
      );
      jump.addEventListener("click", () => seek(one.t));
      const why =
        one.message ||
        `residual ${formatNumber(one.residual, 3)}, overlap ` +
          `${formatNumber(one.penetration, 3)} m`;
      return make("li", {}, jump, make("span", {}, why));
    }),
  );
}
