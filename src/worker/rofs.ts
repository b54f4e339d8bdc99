// The host half of the read-only file system that the sandbox sees at /vault. It runs in the worker's main realm and
// is called from Python's realm with numbers, strings and arrays only. It has no operation that writes.
//
// `call` never throws: an error object would carry this realm's constructors into the other. A failure is a negative
// error number. Names are resolved one part at a time; no link is ever followed below the root.
import fs from "node:fs";
import { WikiError } from "../shared/errors.ts";
import { Directories, type MountMode } from "./rofs-directories.ts";
import { blocksOf, canHoldDirectories, ERRNO, errnoOf } from "./rofs-facts.ts";
import { Files } from "./rofs-files.ts";

/** What the sandbox may ask for. The same numbers stand in `realm/rofs-realm.js`. */
export const OP = { RESET: 0, STAT: 1, DIR: 2, LIST: 3, OPEN: 4, FSTAT: 5, READ: 6, CLOSE: 7 } as const;

export interface ReadOnlyFs {
  /**
   * RESET()                                  a new request: everything open is closed, the root is looked at again
   * STAT(directory, name, numbers)           what an entry is, the directory itself for the name ""
   * DIR(directory, name)                     the number of a directory in it; the root is 0
   * LIST(directory)                          its entries as text, each `type name /`
   * OPEN(directory, name, numbers)           the number of a regular file, opened for reading
   * FSTAT(file, numbers)                     what it is now
   * READ(file, bytes, offset, length, from)  how many bytes were put at the offset
   * CLOSE(file)
   */
  readonly call: (op: unknown, a?: unknown, b?: unknown, c?: unknown, d?: unknown, e?: unknown) => number | string;
  /** The real path that is mounted. */
  readonly root: string;
  readonly mode: MountMode;
  openCounts(): { directories: number; files: number };
  close(): void;
}

export interface ReadOnlyFsOptions {
  mode?: MountMode;
  /** Most directories remembered at once; a test's way to see them forgotten. */
  directoryLimit?: number;
}

/** Throws `vault-missing` when the root is not a folder; after that nothing throws. */
export function makeReadOnlyFs(vault: string, options: ReadOnlyFsOptions = {}): ReadOnlyFs {
  const root = realFolder(vault);
  const mode = options.mode ?? (canHoldDirectories() ? "descriptors" : "paths");
  const windows = process.platform === "win32";
  const directories = new Directories(root, mode, windows, options.directoryLimit);
  const files = new Files(directories, mode, windows);
  const reset = () => {
    files.closeAll();
    directories.reset();
  };
  reset();

  const table: ((a: unknown, b: unknown, c: unknown, d: unknown, e: unknown) => number | string)[] = [
    () => {
      reset();
      return 0;
    },
    (id, name, numbers) => {
      const directory = directories.get(id);
      if (!directory) return id === 0 ? -ERRNO.ENOENT : -ERRNO.ESTALE;
      if (name === "") {
        const stat = directories.stat(directory);
        return typeof stat === "number" ? stat : put(numbers, stat, windows);
      }
      const refused = directories.check(directory, name);
      if (refused < 0) return refused;
      const at = directories.pathOf(directory, name as string);
      const stat = fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
      if (!stat) return -ERRNO.ENOENT;
      return directories.isUnmoved(directory) ? put(numbers, stat, windows) : -ERRNO.ESTALE;
    },
    (id, name) => directories.enter(id, name),
    (id) => directories.list(id),
    (id, name, numbers) => {
      const directory = directories.get(id);
      if (!directory) return -ERRNO.ESTALE;
      const refused = directories.check(directory, name);
      if (refused < 0) return refused;
      return files.open(directory, name as string, (stat) => put(numbers, stat, windows));
    },
    (id, numbers) => files.stat(id, (stat) => put(numbers, stat, windows)),
    (id, bytes, offset, length, from) => {
      const room = bytesAt(bytes, offset, length);
      return room && isPosition(from) ? files.read(id, room, from) : -ERRNO.EINVAL;
    },
    (id) => files.close(id),
  ];

  return {
    call(op, a, b, c, d, e) {
      try {
        const operation = typeof op === "number" ? table[op] : undefined;
        return operation ? operation(a, b, c, d, e) : -ERRNO.EINVAL;
      } catch (error) {
        return errnoOf(error);
      }
    },
    root,
    mode,
    openCounts: () => ({ directories: directories.size, files: files.size }),
    close() {
      files.closeAll();
      directories.close();
    },
  };
}

/** The user's own path is resolved once, links included: what it names is what they chose. */
export function realFolder(vault: string): string {
  let real: string;
  try {
    real = fs.realpathSync.native(vault);
  } catch {
    // Some drives on Windows (memory disks, mapped ones) refuse the native question and answer this one.
    try {
      real = fs.realpathSync(vault);
    } catch {
      throw new WikiError("vault-missing", `There is no folder at ${vault}. Check the vault's path.`);
    }
  }
  if (!fs.statSync(real).isDirectory()) {
    throw new WikiError("vault-missing", `${vault} is not a folder. Name the folder that holds the wiki.`);
  }
  return real;
}

// The other realm's arrays are read by this realm's own getters, which see the array and not what it claims to be,
// and are then written through arrays of this realm.
const typedArray = Object.getPrototypeOf(Uint8Array.prototype) as object;
const ask = (property: string | symbol) => Object.getOwnPropertyDescriptor(typedArray, property)!.get!;
const [bufferOf, offsetOf, bytesOf] = [ask("buffer"), ask("byteOffset"), ask("byteLength")];
const nameOf = ask(Symbol.toStringTag);

function put(numbers: unknown, stat: fs.BigIntStats, windows: boolean): number {
  if (Reflect.apply(nameOf, numbers, []) !== "BigInt64Array") return -ERRNO.EINVAL;
  const out = new BigInt64Array(Reflect.apply(bufferOf, numbers, []), Reflect.apply(offsetOf, numbers, []), 12);
  out[0] = stat.mode;
  out[1] = stat.dev;
  out[2] = stat.ino;
  out[3] = stat.nlink;
  out[4] = stat.size;
  out[5] = stat.mtimeNs;
  out[6] = stat.ctimeNs;
  out[7] = stat.atimeNs;
  out[8] = stat.uid;
  out[9] = stat.gid;
  out[10] = stat.rdev;
  out[11] = blocksOf(stat, windows);
  return 0;
}

function bytesAt(view: unknown, offset: unknown, length: unknown): Uint8Array | null {
  if (!ArrayBuffer.isView(view) || !isPosition(offset) || !isPosition(length)) return null;
  const all: number = Reflect.apply(bytesOf, view, []);
  if (offset + length > all) return null;
  return new Uint8Array(Reflect.apply(bufferOf, view, []), Reflect.apply(offsetOf, view, []) + offset, length);
}

function isPosition(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}
