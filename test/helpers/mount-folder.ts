// The host half of the read-only file system, with the steps that the realm's half would take: whole paths in, one answer out.
import { makeReadOnlyFs, OP, type ReadOnlyFs, type ReadOnlyFsOptions } from "../../src/worker/rofs.ts";

export interface MountedFolder {
  rofs: ReadOnlyFs;
  /** What the last `stat` or `open` told. */
  numbers: BigInt64Array;
  stat(path: string): number | string;
  /** A file's number, or a negative error number. */
  open(path: string): number;
  enter(path: string): number;
  /** Entries with their types' letters, sorted; or a negative error number. */
  list(path: string): string[] | number;
  /** The first bytes as text, or a negative error number. */
  read(path: string): string | number;
}

export function mountFolder(vault: string, options: ReadOnlyFsOptions = {}): MountedFolder {
  const rofs = makeReadOnlyFs(vault, options);
  const numbers = new BigInt64Array(12);
  const parts = (path: string) => path.split("/").filter(Boolean);
  const folderOf = (names: readonly string[]): number => {
    let at = 0;
    for (const name of names) {
      const next = rofs.call(OP.DIR, at, name) as number;
      if (next < 0) return next;
      at = next;
    }
    return at;
  };
  const inFolder = (path: string, act: (directory: number, name: string) => number | string) => {
    const names = parts(path);
    const name = names.pop() ?? "";
    const directory = folderOf(names);
    return directory < 0 ? directory : act(directory, name);
  };
  const open = (path: string) =>
    inFolder(path, (directory, name) => rofs.call(OP.OPEN, directory, name, numbers)) as number;
  return {
    rofs,
    numbers,
    open,
    stat: (path) => inFolder(path, (directory, name) => rofs.call(OP.STAT, directory, name, numbers)),
    enter: (path) => folderOf(parts(path)),
    list(path) {
      const directory = folderOf(parts(path));
      const text = directory < 0 ? directory : rofs.call(OP.LIST, directory);
      return typeof text === "string" ? text.split("/").filter(Boolean).sort() : text;
    },
    read(path) {
      const file = open(path);
      if (file < 0) return file;
      const bytes = new Uint8Array(100);
      const count = rofs.call(OP.READ, file, bytes, 0, bytes.length, 0) as number;
      rofs.call(OP.CLOSE, file);
      return count < 0 ? count : Buffer.from(bytes.subarray(0, count)).toString();
    },
  };
}
