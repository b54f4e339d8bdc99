// Which files below a folder Git tracks, out of the bytes of its index (gitformat-index(5), versions 2 to 4). Pure. Only
// names are read: an index of fifty thousand files is looked through in a few milliseconds.

export interface Tracked {
  /** Paths below the folder, relative to the repository; a folder of a sparse index ends with `/`. */
  paths: string[];
  /** The name of the file that holds the rest of a split index, or null. */
  shared: string | null;
}

const HEADER_BYTES = 12;
const FIXED_BYTES = 40; // times, device, inode, mode, owner, size
const EXTENDED = 0x4000;

/** Throws an `Error` with a sentence for bytes that are no index. */
export function trackedBelow(index: Buffer, folder: string, hashBytes: number): Tracked {
  if (index.length < HEADER_BYTES + hashBytes || index.toString("latin1", 0, 4) !== "DIRC") {
    throw new Error("Git's index is damaged.");
  }
  const version = index.readUInt32BE(4);
  if (version < 2 || version > 4) throw new Error(`Git's index has the unknown version ${version}.`);
  const prefix = Buffer.from(folder === "" ? "" : `${folder}/`);
  const paths: string[] = [];
  let at = HEADER_BYTES;
  let name: Buffer = Buffer.alloc(0); // of the entry before: version 4 says how much of it to keep
  for (let count = index.readUInt32BE(8); count > 0; count--) {
    const start = at;
    const flags = index.readUInt16BE(start + FIXED_BYTES + hashBytes);
    at = start + FIXED_BYTES + hashBytes + (flags & EXTENDED ? 4 : 2);
    let kept = 0;
    if (version === 4) {
      const dropped = variableNumber(index, at);
      kept = Math.max(0, name.length - dropped.value);
      at = dropped.end;
    }
    const end = index.indexOf(0, at);
    if (end < 0) throw new Error("Git's index is damaged.");
    const rest = index.subarray(at, end);
    name = kept === 0 ? rest : Buffer.concat([name.subarray(0, kept), rest]);
    at = version === 4 ? end + 1 : start + (Math.floor((end - start) / 8) + 1) * 8;
    if (isBelow(name, prefix)) paths.push(name.toString("utf8"));
  }
  return { paths, shared: sharedIndex(index, at, hashBytes) };
}

/** True for what lies below the folder, and for a folder of a sparse index that holds it. */
function isBelow(name: Buffer, prefix: Buffer): boolean {
  const length = Math.min(name.length, prefix.length);
  if (name.compare(prefix, 0, length, 0, length) !== 0) return false;
  return name.length > prefix.length || (name.length > 0 && name[name.length - 1] === 0x2f);
}

/** Git's offset encoding: seven bits a byte, each further byte worth one more. */
function variableNumber(bytes: Buffer, start: number): { value: number; end: number } {
  let at = start;
  let value = bytes.readUInt8(at) & 127;
  while (bytes.readUInt8(at++) & 128) value = (value + 1) * 128 + (bytes.readUInt8(at) & 127);
  return { value, end: at };
}

function sharedIndex(index: Buffer, start: number, hashBytes: number): string | null {
  for (let at = start; at + 8 <= index.length - hashBytes; ) {
    const size = index.readUInt32BE(at + 4);
    if (index.toString("latin1", at, at + 4) === "link") {
      const name = index.toString("hex", at + 8, at + 8 + hashBytes);
      return /^0*$/.test(name) ? null : `sharedindex.${name}`;
    }
    at += 8 + size;
  }
  return null;
}
