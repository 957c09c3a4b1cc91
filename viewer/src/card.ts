// The certificate's card: what was checked in every step, and the worst of it.

import { byId, make } from "./dom";
import { formatNumber } from "./format";
import type { Run } from "./run";

// Of each check: its curve, and what it says.
const kChecks: [string, string][] = [
  ["residual", "How far the answer is from solving the contact problem, over the problem's scale"],
  ["penetration", "Deepest overlap of two bodies, measured from their shapes"],
  ["cone_violation", "Friction beyond its cone"],
  ["dissipation_gap", "How far friction is from the choice that dissipates most"],
  ["closure", "Energy that the ledger of a step does not explain"],
];

export function setUpCard(run: Run, seek: (time: number) => void): void {
  const dialog = byId<HTMLDialogElement>("card-dialog");
  byId("verdict").addEventListener("click", () => {
    showCard(run, (time) => {
      dialog.close();
      seek(time);
    });
    dialog.showModal();
  });
}

function showCard(run: Run, seek: (time: number) => void): void {
  const { verdict, method } = run.header;
  byId("card-steps").textContent =
    `${verdict.certified.toLocaleString("en")} of ${verdict.steps.toLocaleString("en")} steps of ` +
    `${method} passed. Each check is computed from the answer by code that no solver shares.`;
  const rows = kChecks.flatMap(([key, meaning]) => {
    const column = run.header.stepColumns.find((candidate) => candidate.key === key);
    if (!column) return [];
    const worst = findWorst(run.stepCurve(key));
    const value = worst < 0 ? "–" : `${formatNumber(run.stepCurve(key)[worst], 3)} ${column.unit}`;
    const when = worst < 0 ? 0 : run.stepTimes[worst];
    const link = make("button", { type: "button", class: "link" }, `t = ${formatNumber(when, 4)} s`);
    link.addEventListener("click", () => seek(when));
    return [
      make(
        "tr",
        {},
        make("th", { scope: "row" }, column.label, make("small", {}, meaning)),
        make("td", {}, value),
        make("td", {}, worst < 0 ? "" : link),
      ),
    ];
  });
  byId("card-rows").replaceChildren(...rows);
}

// Where the largest number is; -1 when all are zero or there is none.
function findWorst(values: ArrayLike<number>): number {
  let worst = -1;
  for (let i = 0; i < values.length; ++i)
    if (values[i] > (worst < 0 ? 0 : values[worst])) worst = i;
  return worst;
}
