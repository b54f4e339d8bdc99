// Reading the package's own files, each checked against the SHA-256 that the manifest gives. The bytes that are checked
// are the very bytes that are used.
import { createHash, webcrypto } from "node:crypto";
import fs from "node:fs";
import { readFile } from "node:fs/promises";
import { readLayout, type SnapshotLayout } from "./snapshot-file.ts";

export interface AssetFile {
  /** As the manifest names it, for messages. */
  name: string;
  path: string;
  sha256: string;
  bytes: number;
}

/** A file of the package is missing or is not what was published. */
export class AssetError extends Error {
  override readonly name = "AssetError";
}

/** Fills `target`, which has the file's length. Throws when the file is not what was published. */
export function readAsset(file: AssetFile, target: Uint8Array): void {
  const fd = open(file);
  try {
    const bytes = viewOf(target);
    const length = fs.readSync(fd, bytes, 0, bytes.length, 0);
    const whole = length === file.bytes && fs.fstatSync(fd).size === length;
    if (!whole || sha256(bytes) !== file.sha256) throw notPublished(file);
  } finally {
    fs.closeSync(fd);
  }
}

/** The same without making the caller's thread wait. */
export async function readAssetSoon(file: AssetFile): Promise<Uint8Array<ArrayBuffer>> {
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await readFile(file.path);
  } catch {
    throw missing(file);
  }
  const digest = await webcrypto.subtle.digest("SHA-256", bytes);
  if (Buffer.from(digest).toString("hex") !== file.sha256) throw notPublished(file);
  return bytes;
}

export interface OpenSnapshot {
  readonly head: Uint8Array;
  readonly snapshotBytes: number;
  /** Reads the pages straight into Python's memory; false when they are not what was published. */
  restore(memory: Uint8Array): boolean;
  close(): void;
}

const VIEWS_A_READ = 512; // the system takes at most 1,024

export function openSnapshot(file: AssetFile): OpenSnapshot {
  const fd = open(file);
  const hash = createHash("sha256");
  let position = 0;
  const read = (length: number): Buffer => {
    if (length > file.bytes) throw notPublished(file);
    const bytes = Buffer.alloc(length);
    position += fs.readSync(fd, bytes, 0, length, position);
    hash.update(bytes);
    return bytes;
  };
  let layout: SnapshotLayout;
  let head: Buffer;
  try {
    layout = readLayout(read);
    head = read(layout.headBytes);
  } catch {
    fs.closeSync(fd);
    throw notPublished(file);
  }
  return {
    head,
    snapshotBytes: layout.snapshotBytes,
    restore(memory) {
      const whole = viewOf(memory);
      const runs = layout.runs.map(([offset, length]) => whole.subarray(offset, offset + length));
      for (let first = 0; first < runs.length; first += VIEWS_A_READ) {
        const some = runs.slice(first, first + VIEWS_A_READ);
        const length = some.reduce((sum, run) => sum + run.length, 0);
        if (fs.readvSync(fd, some, position) !== length) return false;
        position += length;
        for (const run of some) hash.update(run);
      }
      return position === file.bytes && hash.digest("hex") === file.sha256;
    },
    close: () => fs.closeSync(fd),
  };
}

export function sha256(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function open(file: AssetFile): number {
  try {
    return fs.openSync(file.path, "r");
  } catch {
    throw missing(file);
  }
}

function missing(file: AssetFile): AssetError {
  return new AssetError(`${file.name} of pi-wiki-wasm cannot be read; install the package again`);
}

export function notPublished(file: AssetFile): AssetError {
  return new AssetError(
    `${file.name} of pi-wiki-wasm is not the file that was published (its SHA-256 differs); install the package again`,
  );
}

const bufferOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "buffer")!.get!;
const offsetOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "byteOffset")!.get!;
const lengthOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), "byteLength")!.get!;

/** The same memory as an array of this realm, so that nothing of the other one is called. */
function viewOf(array: Uint8Array): Uint8Array {
  return new Uint8Array(
    bufferOf.call(array) as ArrayBuffer,
    offsetOf.call(array) as number,
    lengthOf.call(array) as number,
  );
}
