// Arrays of numbers as the program packs them: one zlib stream, in the layout of docs/viewer.md.
// Each array is stored as differences along `delta` elements, then byte by byte of significance,
// because that is what makes motions compress.

export type NumberArray = Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array;

export interface ArrayEntry {
  name: string;
  type: keyof typeof kTypes;
  length: number;
  delta: number; // elements between a number and the one it was subtracted from; 0 = not at all
}

const kTypes = {
  u8: Uint8Array,
  i16: Int16Array,
  i32: Int32Array,
  f32: Float32Array,
  f64: Float64Array,
};

export class Arrays {
  constructor(private readonly byName: Map<string, NumberArray>) {}

  has(name: string): boolean {
    return this.byName.has(name);
  }

  take<T extends NumberArray>(name: string): T {
    const array = this.byName.get(name);
    if (!array) throw new Error(`the run has no array ${name}`);
    return array as T;
  }

  get numBytes(): number {
    let sum = 0;
    for (const array of this.byName.values()) sum += array.byteLength;
    return sum;
  }
}

export async function decodeArrays(packed: Blob, entries: ArrayEntry[]): Promise<Arrays> {
  const bytes = await inflate(packed);
  const byName = new Map<string, NumberArray>();
  let offset = 0;
  for (const entry of entries) {
    const array = new kTypes[entry.type](entry.length);
    unpack(bytes.subarray(offset, offset + array.byteLength), array, entry.delta);
    byName.set(entry.name, array);
    offset += array.byteLength;
  }
  if (offset !== bytes.length) throw new Error("the run is incomplete");
  return new Arrays(byName);
}

export function decodeBase64(text: string): Blob {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return new Blob([bytes]);
}

async function inflate(packed: Blob): Promise<Uint8Array> {
  const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Plane b of the bytes holds byte b of every element, least significant first; element i is what
// they make up plus element i - delta, as integers, so nothing is lost, floating point included.
function unpack(bytes: Uint8Array, array: NumberArray, delta: number): void {
  const n = array.length;
  if (array.BYTES_PER_ELEMENT === 4) {
    const bits = new Int32Array(array.buffer);
    const word = (i: number) =>
      bytes[i] | (bytes[n + i] << 8) | (bytes[2 * n + i] << 16) | (bytes[3 * n + i] << 24);
    const head = delta > 0 ? Math.min(delta, n) : n;
    for (let i = 0; i < head; ++i) bits[i] = word(i);
    for (let i = head; i < n; ++i) bits[i] = word(i) + bits[i - delta];
  } else if (array.BYTES_PER_ELEMENT === 2) {
    const bits = new Int16Array(array.buffer);
    const head = delta > 0 ? Math.min(delta, n) : n;
    for (let i = 0; i < head; ++i) bits[i] = bytes[i] | (bytes[n + i] << 8);
    for (let i = head; i < n; ++i) bits[i] = (bytes[i] | (bytes[n + i] << 8)) + bits[i - delta];
  } else {
    const out = new Uint8Array(array.buffer);
    const width = array.BYTES_PER_ELEMENT;
    for (let b = 0; b < width; ++b)
      for (let i = 0, to = b; i < n; ++i, to += width) out[to] = bytes[b * n + i];
  }
}
