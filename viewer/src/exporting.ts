// Exports of the page: a picture, a film, the curves as CSV, a link.

import type { App } from "./app";
import { byId } from "./dom";
import { currentTheme } from "./theme";

const kFilmRate = 30; // pictures per second
const kFilmTypes = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];

export function setUpExport(app: App): void {
  const say = (text: string) => (byId("export-news").textContent = text);
  byId("save-picture").addEventListener("click", () => {
    void makePicture(app).then((blob) => save(blob, nameFile(app, "png")));
  });
  byId("save-csv").addEventListener("click", () => {
    save(new Blob([app.plots.makeCsv()], { type: "text/csv" }), nameFile(app, "csv"));
  });
  byId("copy-link").addEventListener("click", () => {
    const link = app.address?.link ?? location.href;
    navigator.clipboard.writeText(link).then(
      () => say("The link is in the clipboard."),
      () => {
        location.replace(link); // differs after "#" alone
        say("The link is in the address bar.");
      },
    );
  });
  const film = byId<HTMLButtonElement>("save-film");
  film.disabled = typeof MediaRecorder === "undefined";
  film.addEventListener("click", () => {
    film.disabled = true;
    recordFilm(app, (part) => say(`Recording, ${Math.round(100 * part)} %`))
      .then(
        (blob) => {
          say("The film is saved.");
          save(blob, nameFile(app, blob.type.includes("mp4") ? "mp4" : "webm"));
        },
        (error: unknown) => say(`No film: ${error instanceof Error ? error.message : String(error)}`),
      )
      .finally(() => (film.disabled = false));
  });
}

function nameFile(app: App, ending: string): string {
  const name = (app.run.header.scene || "scene").replace(/[^\p{L}\p{N}]+/gu, "-").toLowerCase();
  return `${name || "scene"}-${app.playback.time.toFixed(3)}s.${ending}`;
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// The stage with its background, which is the page's and not the canvas's.
function paint(app: App, out: HTMLCanvasElement): void {
  const canvas = app.stage.renderer.domElement;
  [out.width, out.height] = [canvas.width, canvas.height];
  const context = out.getContext("2d");
  if (!context) return;
  const { stageTop, stageBottom } = currentTheme();
  const back = context.createLinearGradient(0, 0, 0, out.height);
  back.addColorStop(0, stageTop);
  back.addColorStop(1, stageBottom);
  context.fillStyle = back;
  context.fillRect(0, 0, out.width, out.height);
  context.drawImage(canvas, 0, 0);
}

function makePicture(app: App): Promise<Blob> {
  app.stage.renderWell();
  const out = document.createElement("canvas");
  paint(app, out);
  return new Promise((resolve, reject) =>
    out.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture"))), "image/png"),
  );
}

// Plays the run once, at the speed that is set, and records it.
async function recordFilm(app: App, progress: (part: number) => void): Promise<Blob> {
  const type = kFilmTypes.find((candidate) => MediaRecorder.isTypeSupported(candidate));
  if (!type) throw new Error("this browser records no video");
  const { playback, run } = app;
  const out = document.createElement("canvas");
  app.stage.renderWell();
  paint(app, out);
  const recorder = new MediaRecorder(out.captureStream(kFilmRate), {
    mimeType: type,
    videoBitsPerSecond: 8_000_000,
  });
  const pieces: Blob[] = [];
  recorder.addEventListener("dataavailable", (event) => pieces.push(event.data));
  const stopped = new Promise((resolve) => recorder.addEventListener("stop", resolve));
  const loops = playback.loop;
  playback.loop = false;
  playback.setTime(run.startTime);
  playback.playing = true;
  recorder.start(1000);
  try {
    while (playback.playing && playback.time < run.endTime) {
      await new Promise(requestAnimationFrame);
      app.stage.renderWell();
      paint(app, out);
      progress((playback.time - run.startTime) / (run.endTime - run.startTime));
    }
  } finally {
    playback.loop = loops;
    recorder.stop();
    await stopped;
  }
  return new Blob(pieces, { type });
}
