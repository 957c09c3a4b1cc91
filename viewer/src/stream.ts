// A run that the page gets piece by piece, from the server it came from or from an engine in the page;
// see "The server" in docs/viewer.md. Blocks that have not been looked at for long are forgotten and
// asked for again.

import { FrameBlock } from "./frames";
import { Arrays, decodeArrays, type ArrayEntry } from "./payload";
import { Run, type FrameStore, type Header, type Track, type Verdict } from "./run";

const kMostBytes = 256 << 20; // of blocks
const kMostAtOnce = 3; // requests under way
const kSampledFrames = 24;
const kRetry = 1000; // ms   after a request that failed
const kWait = 200; // ms   for a run that has not begun
const kNotYet = 202; // the answer to questions about a run that has not begun

class NotYet extends Error {}

interface Piece {
  json: { arrays: ArrayEntry[] };
  arrays: Arrays;
}

// Asks the other side: a name and its query, as in docs/viewer.md.
export type Ask = (name: string, query?: Record<string, number | string>) => Promise<Response>;

const kPage = Math.floor(Math.random() * 2 ** 50); // tells this page from others

export const askServer: Ask = (name, query = {}) => {
  const words = Object.entries({ ...query, page: kPage }).map(([key, value]) => `${key}=${value}`);
  return fetch(`${name}?${words.join("&")}`, { cache: "no-store" });
};

async function askForPiece(ask: Ask, name: string, query: Record<string, number> = {}): Promise<Piece> {
  const response = await ask(name, query);
  if (response.status === kNotYet) throw new NotYet(await response.text());
  if (!response.ok) throw new Error(await response.text());
  const blob = await response.blob();
  const length = new DataView(await blob.slice(0, 4).arrayBuffer()).getUint32(0, true);
  const json = JSON.parse(await blob.slice(4, 4 + length).text()) as Piece["json"];
  return { json, arrays: await decodeArrays(blob.slice(4 + length), json.arrays) };
}

class StreamStore implements FrameStore {
  arrived: () => void = () => {};
  failed: (reason: string) => void = () => {};
  numFrames = 0;
  newest = 0;
  private readonly blocks = new Map<number, FrameBlock>(); // by number; latest used last
  private readonly pending = new Set<number>();
  private lastTrack: Track | null = null; // one is looked at at a time
  private numBytes = 0;
  private waitUntil = 0; // ms

  constructor(
    private readonly ask: Ask,
    private readonly blockFrames: number,
    private readonly trackStride: number,
    private readonly numMovers: number,
    private readonly sampled: FrameBlock,
  ) {}

  get isWhole(): boolean {
    return this.blocks.size * this.blockFrames >= this.numFrames && this.pending.size === 0;
  }

  block(frame: number): FrameBlock | null {
    const index = Math.floor(frame / this.blockFrames);
    const block = this.blocks.get(index);
    if (block?.has(frame)) return block;
    this.request(index);
    return null;
  }

  // Asks for the blocks that will be looked at next; marks the one looked at now as the latest.
  prefetch(frame: number): void {
    const index = Math.floor(frame / this.blockFrames);
    const block = this.blocks.get(index);
    if (block) {
      this.blocks.delete(index);
      this.blocks.set(index, block);
    }
    if (performance.now() < this.waitUntil) return;
    const last = Math.floor((this.numFrames - 1) / this.blockFrames);
    for (let ahead = 1; ahead <= last && this.pending.size < kMostAtOnce; ++ahead) {
      const next = (index + ahead) % (last + 1);
      if (this.blocks.has(next)) continue;
      if (this.numBytes > 0.8 * kMostBytes && ahead > 2) break;
      this.request(next);
    }
  }

  sample(): { block: FrameBlock; frames: number[] } {
    const frames = Array.from({ length: this.sampled.count }, (_, k) => this.sampled.first + k);
    return { block: this.sampled, frames };
  }

  // Of a growing run, what is new is added to what was known.
  track(body: number, done: (track: Track) => void): void {
    const known = this.lastTrack?.body === body ? this.lastTrack : null;
    const stride = this.trackStride;
    const first = known ? known.times.length * stride : 0;
    if (known && first >= this.numFrames) return done(known);
    askForPiece(this.ask, "track", { body, first, stride }).then(
      ({ arrays }) => {
        this.lastTrack = {
          body,
          times: join(known?.times, arrays.take<Float64Array>("frame_time")),
          position: join(known?.position, arrays.take<Float32Array>("frame_position")),
          quaternion: join(known?.quaternion, arrays.take<Int16Array>("frame_quaternion")),
          twist: join(known?.twist, arrays.take<Float32Array>("frame_twist")),
          joint: join(known?.joint, arrays.take<Float32Array>("frame_joint")),
        };
        done(this.lastTrack);
      },
      (error: unknown) => this.failed(String(error)),
    );
  }

  private request(index: number): void {
    if (this.pending.has(index) || performance.now() < this.waitUntil) return;
    this.pending.add(index);
    const first = index * this.blockFrames;
    askForPiece(this.ask, "frames", { first, count: this.blockFrames, stride: 1 })
      .then(
        ({ arrays }) => this.keep(index, new FrameBlock(first, 1, this.numMovers, arrays)),
        (error: unknown) => {
          this.waitUntil = performance.now() + kRetry;
          this.failed(error instanceof Error ? error.message : String(error));
        },
      )
      .finally(() => {
        this.pending.delete(index);
        this.arrived();
      });
  }

  private keep(index: number, block: FrameBlock): void {
    this.forget(index);
    this.blocks.set(index, block);
    this.newest = Math.max(this.newest, block.first + block.count - 1);
    this.numBytes += block.numBytes;
    for (const old of this.blocks.keys()) {
      if (this.numBytes <= kMostBytes || old === index) break;
      this.forget(old);
    }
  }

  private forget(index: number): void {
    this.numBytes -= this.blocks.get(index)?.numBytes ?? 0;
    this.blocks.delete(index);
  }
}

function join<T extends Float32Array | Float64Array | Int16Array>(a: T | null | undefined, b: T): T {
  if (!a) return b;
  const whole = new (b.constructor as new (length: number) => T)(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}

export interface News {
  restarts: number;
  paused: boolean; // the run stands still
  growing: boolean;
  times: number[];
  verdict: Verdict;
}

// The other side of a run.
export class Stream {
  constructor(
    readonly run: Run,
    private readonly store: StreamStore,
    private readonly ask: Ask,
  ) {
    store.numFrames = run.numFrames;
  }

  // A server that ends with its last page is told when this one is closed, and that it is still open.
  keepServer(): void {
    const { ask } = this;
    window.addEventListener("pagehide", () => void ask("bye").catch(() => {}));
    setInterval(() => void ask("news", { frames: this.run.numFrames }).catch(() => {}), 20_000);
  }

  onArrival(arrived: () => void, failed: (reason: string) => void): void {
    this.store.arrived = arrived;
    this.store.failed = failed;
  }
  prefetch(frame: number): void {
    this.store.prefetch(frame);
  }

  // Asks something of the run; see live_controls.ts.
  async command(name: string, words: Record<string, string | number>): Promise<void> {
    const response = await this.ask("control", { do: name, ...words });
    if (!response.ok) throw new Error(await response.text());
  }

  // The page has frames of a run that is no more: it loads again, with the same view.
  private restarted(): void {
    history.replaceState(null, "", location.hash.replace(/([#&])t=[^&]*&?/, "$1") || "#");
    location.reload();
  }

  // What has happened since; the run grows by it.
  async askForNews(): Promise<News> {
    const response = await this.ask("news", { frames: this.run.numFrames });
    if (response.status !== 200) throw new Error(await response.text());
    const news = (await response.json()) as News;
    if (news.restarts !== (this.run.header.restarts ?? 0)) this.restarted();
    if (news.times.length > 0) {
      this.run.addFrames(news.times);
      this.store.numFrames = this.run.numFrames;
    }
    this.run.growing = news.growing;
    this.run.header.verdict = news.verdict;
    return news;
  }

  async askForCurves(): Promise<void> {
    const { json, arrays } = await askForPiece(this.ask, "curves");
    this.run.setCurves(arrays, (json as unknown as { stepStride: number }).stepStride);
  }
}

export async function loadStreamedRun(ask: Ask, waiting: (why: string) => void): Promise<Stream> {
  const { json, arrays } = await waitForRun(ask, waiting);
  const header = json as Header;
  const numMovers = arrays.take<Int32Array>("movers").length;
  const numFrames = arrays.take<Float64Array>("frame_time").length;
  const stride = Math.max(1, Math.ceil(numFrames / kSampledFrames));
  const sampled = await askForPiece(ask, "frames", { first: 0, count: kSampledFrames, stride });
  const store = new StreamStore(
    ask,
    header.blockFrames ?? 1,
    header.trackStride ?? 1,
    numMovers,
    new FrameBlock(0, 1, numMovers, sampled.arrays),
  );
  return new Stream(new Run(header, arrays, store), store, ask);
}

async function waitForRun(ask: Ask, waiting: (why: string) => void): Promise<Piece> {
  for (;;) {
    try {
      return await askForPiece(ask, "run");
    } catch (error) {
      if (!(error instanceof NotYet)) throw error;
      waiting("Waiting for the run to start …");
      await new Promise((resolve) => setTimeout(resolve, kWait));
    }
  }
}
