// The start-up snapshot on disk: Python's memory without its empty pages. Half of the memory is zeros, and a page that is
// never written is a page that the operating system never has to find.
//
//   8 bytes   "PIWIKI01"
//   4 bytes   length of the JSON text, little-endian
//   JSON      { memoryBytes, headBytes, runs: [[offset, length], …] }, padded with spaces to a multiple of 8
//   head      Pyodide's own description of the snapshot
//   pages     the runs' bytes, one after another
const MAGIC = "PIWIKI01";
const PAGE_BYTES = 4096;
const PREFIX_BYTES = MAGIC.length + 4;

export interface SnapshotLayout {
  /** Length of the whole snapshot as Pyodide makes it, its head included. */
  snapshotBytes: number;
  headBytes: number;
  /** Offset in memory and length of each run of pages, in order. */
  runs: [offset: number, length: number][];
}

/** What Pyodide made, as the bytes of a file. */
export function packSnapshot(snapshot: Uint8Array): Uint8Array {
  const headBytes = new Uint32Array(snapshot.buffer, snapshot.byteOffset, 2)[1]!;
  const memory = Buffer.from(snapshot.buffer, snapshot.byteOffset + headBytes, snapshot.length - headBytes);
  const runs = runsOf(memory);
  const layout: SnapshotLayout = { snapshotBytes: snapshot.length, headBytes, runs };
  const json = JSON.stringify(layout);
  const text = Buffer.from(json.padEnd(Math.ceil((PREFIX_BYTES + json.length) / 8) * 8 - PREFIX_BYTES));
  const length = Buffer.alloc(4);
  length.writeUInt32LE(text.length);
  return Buffer.concat([
    Buffer.from(MAGIC),
    length,
    text,
    snapshot.subarray(0, headBytes),
    ...runs.map(([offset, size]) => memory.subarray(offset, offset + size)),
  ]);
}

function runsOf(memory: Buffer): [number, number][] {
  const empty = Buffer.alloc(PAGE_BYTES);
  const runs: [number, number][] = [];
  for (let offset = 0; offset < memory.length; offset += PAGE_BYTES) {
    const page = memory.subarray(offset, offset + PAGE_BYTES);
    if (page.equals(empty.subarray(0, page.length))) continue;
    const last = runs.at(-1);
    if (last && last[0] + last[1] === offset) last[1] += page.length;
    else runs.push([offset, page.length]);
  }
  return runs;
}

/** Reads from `read(length)`, front to back; what is left to read are the head and the runs. */
export function readLayout(read: (length: number) => Buffer): SnapshotLayout {
  const prefix = read(PREFIX_BYTES);
  if (prefix.toString("latin1", 0, MAGIC.length) !== MAGIC) throw new Error("this is not a snapshot");
  return JSON.parse(read(prefix.readUInt32LE(MAGIC.length)).toString("utf8")) as SnapshotLayout;
}
