// Small facts the read-only file system is made of: error numbers, limits, what makes two looks at a file the same.
import type { BigIntStats } from "node:fs";
import fs, { constants } from "node:fs";

/** Error numbers as Emscripten (WASI) counts them: what Python's `errno` says inside the sandbox. */
export const ERRNO = {
  EACCES: 2,
  EBADF: 8,
  EFBIG: 22,
  EINVAL: 28,
  EIO: 29,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENOENT: 44,
  ENOTDIR: 54,
  EPERM: 63,
  ESTALE: 72,
} as const;

export const MOUNT_LIMITS = {
  filesOpen: 64, // Python reads one page at a time; an index file or two beside it
  directoryDescriptors: 256, // a quarter of the 1,024 that many systems allow a process
  directoriesKnown: 20_000, // without descriptors a directory is a small record
  depth: 64, // the same as `FOLDER_MAX_DEPTH` in py/wiki/limits.py
  fileMaxBytes: 2 ** 31 - 1, // positions stay exact; what a page may weigh is Python's rule
  smallFileMaxBytes: 4_096, // NTFS keeps such files inside its own table, with no blocks
} as const satisfies Record<string, number>;

/** Open flags; those that Node does not name are Linux's and Darwin's own. */
export const OPEN = {
  pathOnly: 0x200000, // O_PATH, Linux: a descriptor that names a file without opening it
  directory: constants.O_DIRECTORY ?? 0,
  noFollow: constants.O_NOFOLLOW ?? 0,
  noFollowAny: process.platform === "darwin" ? 0x20000000 : 0, // O_NOFOLLOW_ANY: no link in any part of the path
  read: constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0),
} as const;

/** True on Linux with /proc, where a directory's descriptor can stand at the head of a path. */
export function canHoldDirectories(): boolean {
  return process.platform === "linux" && fs.existsSync("/proc/self/fd");
}

let ownDescriptors: string | undefined;

/** The path of what a descriptor holds. The link /proc/self is read once: it costs a look-up in every path. */
export function heldPath(descriptor: number): string {
  ownDescriptors ??= `/proc/${fs.readlinkSync("/proc/self")}/fd/`;
  return ownDescriptors + descriptor;
}

const TYPE_MASK = 0o170000n;

export const isRegular = (stat: BigIntStats): boolean => (stat.mode & TYPE_MASK) === 0o100000n;
export const isDirectory = (stat: BigIntStats): boolean => (stat.mode & TYPE_MASK) === 0o040000n;
export const isLink = (stat: BigIntStats): boolean => (stat.mode & TYPE_MASK) === 0o120000n;

/**
 * True when both looks saw the same file. Devices are compared in their low 32 bits, because some builds of Node
 * on Windows report 64 bits by path and 32 by descriptor (libuv pull request 4698).
 */
export function isSame(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ino === b.ino &&
    BigInt.asUintN(32, a.dev) === BigInt.asUintN(32, b.dev) &&
    (a.mode & TYPE_MASK) === (b.mode & TYPE_MASK)
  );
}

/**
 * Blocks of 512 bytes, the sign of a file whose content is elsewhere: a size but no blocks. Small files on Windows
 * have none even when they are all there, so they are given what their size would take.
 */
export function blocksOf(stat: BigIntStats, windows: boolean): bigint {
  const small = windows && stat.size <= BigInt(MOUNT_LIMITS.smallFileMaxBytes);
  return small ? (stat.size + 511n) / 512n : stat.blocks;
}

/** The negative error number for whatever a file operation threw. */
export function errnoOf(thrown: unknown): number {
  switch ((thrown as NodeJS.ErrnoException | null)?.code) {
    case "ENOENT":
      return -ERRNO.ENOENT;
    case "ENOTDIR":
      return -ERRNO.ENOTDIR;
    case "ELOOP":
      return -ERRNO.ELOOP;
    case "EACCES":
    case "EPERM":
      return -ERRNO.EACCES;
    case "EMFILE":
    case "ENFILE":
      return -ERRNO.EMFILE;
    case "EISDIR":
      return -ERRNO.EISDIR;
    case "ENAMETOOLONG":
      return -ERRNO.ENAMETOOLONG;
    default:
      return -ERRNO.EIO;
  }
}
