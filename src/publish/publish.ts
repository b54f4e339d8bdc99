// Writes index files into a vault, for the index command only. They are written beside their names and put in place when
// all are whole, so that a reader sees the old file or the new one, and an end at any moment leaves nothing half-written.
import fs from "node:fs";
import { promisify } from "node:util";
import { WikiError } from "../shared/errors.ts";
import { FOLDER, type Folder, notWrittenThrough, openFolder } from "./folder.ts";
import { type Lock, takeLock } from "./lock.ts";

/** The only names there are: what the sandbox proposes beyond them is refused. */
const NAMES: ReadonlySet<string> = new Set(["index.bin", "bm25.json", "vectors.bin", "chunks.json"]);

const BYTES_MAX = 4 * 1024 ** 3; // in all; a version-1 index of 100,000 pages takes a third of it
const LEFTOVER_MS = 60 * 60_000; // a part that old belongs to a run that was killed
const BUSY_TRIES = 20; // Windows refuses to replace a file while a virus scanner reads it
const BUSY_WAIT_MS = 50;

export interface Published {
  path: string;
  bytes: number;
}

interface Part {
  name: string;
  partName: string;
  descriptor: number;
  bytes: number;
}

/** Takes the vault's lock. `vault` is its real path. Throws `invalid-input` with what is in the way. */
export function beginPublication(vault: string): Publication {
  let folder: Folder;
  try {
    folder = openFolder(vault);
  } catch (error) {
    throw asWikiError(error);
  }
  try {
    return new Publication(folder, takeLock(folder));
  } catch (error) {
    folder.close();
    throw asWikiError(error);
  }
}

export class Publication {
  readonly #folder: Folder;
  readonly #lock: Lock;
  readonly #parts = new Map<string, Part>();
  readonly #onExit = () => this.abort();
  #bytes = 0;
  #ended = false;

  constructor(folder: Folder, lock: Lock) {
    this.#folder = folder;
    this.#lock = lock;
    process.once("exit", this.#onExit);
    this.#removeLeftovers();
  }

  /**
   * Adds to the end of a file. Synchronous, so that bytes never pile up in memory faster than they are written. A
   * failure ends the publication.
   */
  append(name: string, bytes: Uint8Array): void {
    if (this.#ended) throw new WikiError("invalid-input", "The index is no longer being written.");
    try {
      this.#check(name, bytes);
      const part = this.#parts.get(name) ?? this.#begin(name);
      for (let at = 0; at < bytes.length; ) at += fs.writeSync(part.descriptor, bytes, at);
      part.bytes += bytes.length;
    } catch (error) {
      this.abort();
      throw asWikiError(error);
    }
  }

  /** Puts every file in its place: what was published, by name. After a failure nothing of this run is left. */
  async commit(): Promise<Published[]> {
    try {
      for (const { descriptor } of this.#parts.values()) await fsync(descriptor);
      for (const { name } of this.#parts.values()) this.#target(name);
      const published: Published[] = [];
      for (const part of this.#parts.values()) {
        fs.closeSync(part.descriptor);
        part.descriptor = -1;
        await this.#putInPlace(part);
        this.#parts.delete(part.name);
        published.push({ path: `${FOLDER}/${part.name}`, bytes: part.bytes });
      }
      this.#folder.sync();
      return published.sort((a, b) => (a.path < b.path ? -1 : 1));
    } catch (error) {
      throw asWikiError(error);
    } finally {
      this.abort();
    }
  }

  /** Ends the publication and takes away what is not in its place. Does nothing when it has ended. */
  abort(): void {
    if (this.#ended) return;
    this.#ended = true;
    process.removeListener("exit", this.#onExit);
    for (const { partName, descriptor } of this.#parts.values()) {
      if (descriptor >= 0) fs.closeSync(descriptor);
      fs.rmSync(this.#folder.at(partName), { force: true });
    }
    this.#parts.clear();
    this.#lock.release();
    this.#folder.close();
  }

  #check(name: string, bytes: Uint8Array): void {
    if (!NAMES.has(name)) throw new WikiError("invalid-input", "The sandbox proposed a file that is no index file.");
    this.#bytes += bytes.length;
    if (this.#bytes <= BYTES_MAX) return;
    const most = BYTES_MAX / 1024 ** 3;
    throw new WikiError("output-limit", `The index is larger than ${most} GiB. Index a smaller wiki folder.`);
  }

  #begin(name: string): Part {
    const old = this.#target(name);
    const partName = `.${name}.${process.pid}.part`;
    const { O_WRONLY, O_CREAT, O_EXCL, O_NOFOLLOW = 0 } = fs.constants;
    const descriptor = fs.openSync(this.#folder.at(partName), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0o666);
    const part = { name, partName, descriptor, bytes: 0 };
    this.#parts.set(name, part);
    if (old) keepOwnership(descriptor, old);
    return part;
  }

  /** What stands at a name now: a regular file or nothing. */
  #target(name: string): fs.Stats | null {
    const found = this.#folder.look(name);
    if (found && !found.isFile()) throw notWrittenThrough(`${FOLDER}/${name}`);
    return found;
  }

  async #putInPlace({ name, partName }: Part): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        fs.renameSync(this.#folder.at(partName), this.#folder.at(name));
        return;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        const busy = code === "EPERM" || code === "EACCES" || code === "EBUSY";
        if (!busy || process.platform !== "win32" || attempt === BUSY_TRIES) throw error;
        await new Promise((resolve) => setTimeout(resolve, BUSY_WAIT_MS));
      }
    }
  }

  #removeLeftovers(): void {
    for (const name of this.#folder.names()) {
      if (!/^\.[a-z0-9.]+\.\d+\.part$/.test(name)) continue;
      const found = this.#folder.look(name);
      if (found?.isFile() && Date.now() - found.mtimeMs > LEFTOVER_MS)
        fs.rmSync(this.#folder.at(name), { force: true });
    }
  }
}

const fsync = promisify(fs.fsync);

/** The new file may be read by whoever could read the old one, and by nobody else. */
function keepOwnership(descriptor: number, old: fs.Stats): void {
  fs.fchmodSync(descriptor, old.mode & 0o777);
  if (process.getuid === undefined || process.getuid() === old.uid) return;
  try {
    fs.fchownSync(descriptor, old.uid, old.gid);
  } catch {} // only an administrator can give files away
}

const REASONS: Record<string, string> = {
  ENOSPC: "there is no space left on the disk",
  EDQUOT: "the disk quota is used up",
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the vault lies on a read-only disk",
};

function asWikiError(error: unknown): WikiError {
  if (error instanceof WikiError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = (code && REASONS[code]) ?? message;
  return new WikiError("invalid-input", `The index could not be written: ${reason}. Nothing was changed.`, {
    cause: error,
  });
}
