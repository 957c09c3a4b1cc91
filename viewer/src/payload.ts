// The numbers inside the page: one zlib stream of arrays, in the layout of docs/viewer.md.
// Each array is stored as differences along `delta` elements, then byte by byte of significance,
// because that is what makes motions compress.

export type NumberArray = Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array;

interface ArrayEntry {
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

export type Arrays = Map<string, NumberArray>;

export async function decodeArrays(base64: string, entries: ArrayEntry[]): Promise<Arrays> {
  const bytes = await inflate(decodeBase64(base64));
  const arrays: Arrays = new Map();
  let offset = 0;
  for (const entry of entries) {
    const array = new kTypes[entry.type](entry.length);
    joinPlanes(bytes, offset, array);
    if (entry.delta > 0) sumDifferences(array, entry.delta);
    arrays.set(entry.name, array);
    offset += array.byteLength;
  }
  if (offset !== bytes.length) throw new Error("the page's run is incomplete");
  return arrays;
}

function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Undoes the grouping by significance: plane b holds byte b of every element, least significant
// first.
function joinPlanes(bytes: Uint8Array, offset: number, array: NumberArray): void {
  const out = new Uint8Array(array.buffer);
  const width = array.BYTES_PER_ELEMENT;
  for (let b = 0; b < width; ++b) {
    const plane = offset + b * array.length;
    for (let i = 0, to = b; i < array.length; ++i, to += width) out[to] = bytes[plane + i];
  }
}

// Differences are of the bit patterns as integers, so they lose nothing, floating point included.
function sumDifferences(array: NumberArray, delta: number): void {
  const bits =
    array.BYTES_PER_ELEMENT === 2 ? new Uint16Array(array.buffer) : new Uint32Array(array.buffer);
  for (let i = delta; i < bits.length; ++i) bits[i] += bits[i - delta];
}
