// The files that the sandbox has open, by number. Only a regular file with one name is ever opened, and what was
// opened is the file that was looked at.
import fs from "node:fs";
import type { Directories, Directory, MountMode } from "./rofs-directories.ts";
import { blocksOf, ERRNO, heldPath, isLink, isRegular, isSame, MOUNT_LIMITS, OPEN } from "./rofs-facts.ts";
import { mayOpen } from "./rofs-names.ts";

interface OpenFile {
  readonly descriptor: number;
  readonly seen: fs.BigIntStats;
}

export class Files {
  readonly #directories: Directories;
  readonly #mode: MountMode;
  readonly #windows: boolean;
  #byId = new Map<number, OpenFile>();
  #nextId = 1;

  constructor(directories: Directories, mode: MountMode, windows: boolean) {
    this.#directories = directories;
    this.#mode = mode;
    this.#windows = windows;
  }

  get size(): number {
    return this.#byId.size;
  }

  closeAll(): void {
    for (const file of this.#byId.values()) fs.closeSync(file.descriptor);
    this.#byId = new Map();
  }

  /** The file's number, with what it is in `tell`; or a negative error number. */
  open(directory: Directory, name: string, tell: (stat: fs.BigIntStats) => void): number {
    if (this.#byId.size >= MOUNT_LIMITS.filesOpen) return -ERRNO.EMFILE;
    if (!mayOpen(directory.place, name)) return -ERRNO.ENOENT;
    const at = this.#directories.pathOf(directory, name);
    const opened = this.#mode === "descriptors" ? this.#openHeld(at) : this.#openByPath(directory, at);
    if (typeof opened === "number") return opened;
    tell(opened.seen);
    const id = this.#nextId++;
    this.#byId.set(id, opened);
    return id;
  }

  stat(id: unknown, tell: (stat: fs.BigIntStats) => void): number {
    const file = this.#byId.get(id as number);
    if (!file) return -ERRNO.EBADF;
    tell(fs.fstatSync(file.descriptor, { bigint: true }));
    return 0;
  }

  /** Reads into `bytes` from a position in the file: how many bytes came, 0 at its end. */
  read(id: unknown, bytes: Uint8Array, position: number): number {
    const file = this.#byId.get(id as number);
    if (!file) return -ERRNO.EBADF;
    return bytes.length === 0 ? 0 : fs.readSync(file.descriptor, bytes, 0, bytes.length, position);
  }

  close(id: unknown): number {
    const file = this.#byId.get(id as number);
    if (!file) return -ERRNO.EBADF;
    this.#byId.delete(id as number);
    fs.closeSync(file.descriptor);
    return 0;
  }

  /** Linux: hold the file without opening it, look at what is held, then open exactly that. */
  #openHeld(at: string): OpenFile | number {
    const held = fs.openSync(at, OPEN.pathOnly | OPEN.noFollow);
    try {
      const seen = fs.fstatSync(held, { bigint: true });
      const refused = this.#refusal(seen);
      if (refused < 0) return refused;
      return { descriptor: fs.openSync(heldPath(held), OPEN.read), seen };
    } finally {
      fs.closeSync(held);
    }
  }

  /** Elsewhere: look, open, and look again at the file and at every directory above it. */
  #openByPath(directory: Directory, at: string): OpenFile | number {
    const before = lookAt(at);
    if (!before) return -ERRNO.ENOENT;
    const refused = this.#refusal(before);
    if (refused < 0) return refused;
    if (!this.#directories.isUnmoved(directory)) return -ERRNO.ESTALE;
    const descriptor = fs.openSync(at, OPEN.read | OPEN.noFollow | OPEN.noFollowAny);
    let keep = false;
    try {
      const seen = fs.fstatSync(descriptor, { bigint: true });
      if (!isSame(before, seen) || this.#refusal(seen) < 0) return -ERRNO.ESTALE;
      if (seen.size !== before.size || seen.mtimeNs !== before.mtimeNs) return -ERRNO.ESTALE;
      if (!this.#directories.isUnmoved(directory)) return -ERRNO.ESTALE;
      const after = lookAt(at);
      if (!after || !isSame(after, seen) || !this.#directories.isUnmoved(directory)) return -ERRNO.ESTALE;
      if (process.platform === "linux" && !isOpenUnder(descriptor, at)) return -ERRNO.ESTALE;
      keep = true;
      return { descriptor, seen };
    } finally {
      if (!keep) fs.closeSync(descriptor);
    }
  }

  /** 0, or the negative error number that says why a file of this kind is left alone. */
  #refusal(stat: fs.BigIntStats): number {
    if (isLink(stat)) return -ERRNO.ELOOP;
    if (!isRegular(stat) || stat.nlink !== 1n) return -ERRNO.EPERM;
    if (stat.size > BigInt(MOUNT_LIMITS.fileMaxBytes)) return -ERRNO.EFBIG;
    // A size without blocks: the content is in a cloud, and reading it would fetch it or hang.
    return stat.size > 0n && blocksOf(stat, this.#windows) === 0n ? -ERRNO.EPERM : 0;
  }
}

function lookAt(at: string): fs.BigIntStats | undefined {
  return fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
}

/** False when the system says that the descriptor was reached by another path; true when it says nothing. */
function isOpenUnder(descriptor: number, at: string): boolean {
  try {
    return fs.readlinkSync(heldPath(descriptor)) === at;
  } catch {
    return true;
  }
}
