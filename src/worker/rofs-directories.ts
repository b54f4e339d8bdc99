// The directories that the sandbox has entered in this request, by number. Each is the very directory that was seen
// when it was entered: on Linux a descriptor holds it, elsewhere the chain of directories above is looked at again.
import fs from "node:fs";
import path from "node:path";
import { ERRNO, heldPath, isDirectory, isLink, isSame, MOUNT_LIMITS, OPEN } from "./rofs-facts.ts";
import { fitsListing, isPlainName, isVisible, type Place, placeBelow } from "./rofs-names.ts";

/** `descriptors` closes every race (Linux); `paths` is for systems that cannot name a file relative to a directory. */
export type MountMode = "descriptors" | "paths";

export interface Directory {
  readonly id: number;
  readonly parent: Directory | null;
  readonly name: string;
  readonly place: Place;
  readonly depth: number;
  readonly descriptor: number; // -1 in the mode `paths`
  readonly path: string; // opens this directory: by its descriptor, or its real path
  readonly seen: fs.BigIntStats;
  names: Set<string> | null; // what it lists, kept for one request
  children: number;
}

const ROOT = 0;
const UNREADABLE_CHARACTER = "\ufffd";

export class Directories {
  readonly #root: string;
  readonly #mode: MountMode;
  readonly #windows: boolean;
  readonly #limit: number;
  #byId = new Map<number, Directory>();
  #byName = new Map<string, number>();
  #nextId = 1;

  constructor(root: string, mode: MountMode, windows: boolean, limit?: number) {
    this.#root = root;
    this.#mode = mode;
    this.#windows = windows;
    this.#limit = limit ?? (mode === "descriptors" ? MOUNT_LIMITS.directoryDescriptors : MOUNT_LIMITS.directoriesKnown);
  }

  get size(): number {
    return this.#byId.size;
  }

  get(id: unknown): Directory | undefined {
    return this.#byId.get(id as number);
  }

  /** Forgets every directory, and holds on to what the root's path names now: folders are replaced by their users. */
  reset(): void {
    for (const directory of this.#byId.values()) this.#release(directory);
    this.#byId = new Map();
    this.#byName = new Map();
    const root = this.#hold(this.#root);
    if (typeof root === "number") return; // the vault is gone: nothing is found until the next request
    this.#byId.set(ROOT, {
      ...root,
      id: ROOT,
      parent: null,
      name: "",
      place: "root",
      depth: 0,
      names: null,
      children: 0,
    });
  }

  close(): void {
    for (const directory of this.#byId.values()) this.#release(directory);
    this.#byId = new Map();
    this.#byName = new Map();
  }

  /** The path that opens an entry of this directory, following no link above it (in the mode `descriptors`). */
  pathOf(directory: Directory, name: string): string {
    return `${directory.path}${this.#mode === "descriptors" ? "/" : path.sep}${name}`;
  }

  /** 0 when the directory lists exactly this name and the sandbox may know it, else a negative error number. */
  check(directory: Directory, name: unknown): number {
    if (typeof name !== "string" || !isPlainName(name, this.#windows)) return -ERRNO.ENOENT;
    if (!isVisible(directory.place, name)) return -ERRNO.ENOENT;
    directory.names ??= new Set(fs.readdirSync(directory.path));
    if (!directory.names.has(name)) return -ERRNO.ENOENT;
    return this.isUnmoved(directory) ? 0 : -ERRNO.ESTALE;
  }

  /** Enters a directory by name: its number, or a negative error number. */
  enter(id: unknown, name: unknown): number {
    const parent = this.get(id);
    if (!parent) return -ERRNO.ESTALE;
    if (typeof name !== "string") return -ERRNO.EINVAL;
    const known = this.#byName.get(`${parent.id}/${name}`);
    if (known !== undefined) return known;
    const refused = this.check(parent, name);
    if (refused < 0) return refused;
    const place = placeBelow(parent.place, name);
    if (!place) return -ERRNO.ENOENT;
    if (parent.depth >= MOUNT_LIMITS.depth) return -ERRNO.ENAMETOOLONG;
    if (this.#byId.size >= this.#limit) this.#makeRoom(parent);
    const held = this.#hold(this.pathOf(parent, name));
    if (typeof held === "number") return held;
    if (!this.isUnmoved(parent)) return -ERRNO.ESTALE;
    const child = { ...held, id: this.#nextId++, parent, name, place, depth: parent.depth + 1 };
    this.#byId.set(child.id, { ...child, names: null, children: 0 });
    this.#byName.set(`${parent.id}/${child.name}`, child.id);
    parent.children++;
    return child.id;
  }

  /** Each visible entry as its type's character (see `typeOf`), its name and a slash; or a negative error number. */
  list(id: unknown): string | number {
    const directory = this.get(id);
    if (!directory) return -ERRNO.ESTALE;
    const names = new Set<string>();
    let text = "";
    for (const entry of fs.readdirSync(directory.path, { withFileTypes: true })) {
      const { name } = entry;
      if (!isPlainName(name, this.#windows) || !isVisible(directory.place, name) || names.has(name)) continue;
      // A name that is not UTF-8 arrives with U+FFFD in it, and no file answers to that.
      if (name.includes(UNREADABLE_CHARACTER) && !exists(this.pathOf(directory, name))) continue;
      names.add(name);
      if (fitsListing(name)) text += `${typeOf(entry)}${name}/`;
    }
    if (!this.isUnmoved(directory)) return -ERRNO.ESTALE;
    directory.names = names;
    return text;
  }

  /** In the mode `paths`: true while every directory from here up to the root is still the one that was entered. */
  isUnmoved(directory: Directory): boolean {
    if (this.#mode === "descriptors") return true;
    for (let at: Directory | null = directory; at; at = at.parent) {
      const now = fs.lstatSync(at.path, { bigint: true, throwIfNoEntry: false });
      if (!now || !isSame(now, at.seen)) return false;
    }
    return true;
  }

  /** What the directory is now; a negative error number when it is another one. */
  stat(directory: Directory): fs.BigIntStats | number {
    const now =
      this.#mode === "descriptors"
        ? fs.fstatSync(directory.descriptor, { bigint: true })
        : fs.lstatSync(directory.path, { bigint: true });
    return isSame(now, directory.seen) ? now : -ERRNO.ESTALE;
  }

  #hold(at: string): Pick<Directory, "descriptor" | "path" | "seen"> | number {
    if (this.#mode === "paths") {
      const seen = fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
      if (!seen) return -ERRNO.ENOENT;
      if (isLink(seen)) return -ERRNO.ELOOP;
      return isDirectory(seen) ? { descriptor: -1, path: at, seen } : -ERRNO.ENOTDIR;
    }
    let descriptor: number;
    try {
      descriptor = fs.openSync(at, OPEN.pathOnly | OPEN.directory | OPEN.noFollow);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      if (code === "ENOENT") return -ERRNO.ENOENT;
      if (code === "ENOTDIR") return -ERRNO.ENOTDIR; // a link counts as one
      throw error;
    }
    return { descriptor, path: heldPath(descriptor), seen: fs.fstatSync(descriptor, { bigint: true }) };
  }

  #release(directory: Directory): void {
    if (directory.descriptor >= 0) fs.closeSync(directory.descriptor);
  }

  /** Forgets the oldest directories that hold no other; the sandbox enters them again by name when it needs them. */
  #makeRoom(keep: Directory): void {
    const aim = Math.floor(this.#limit * 0.75);
    for (const directory of this.#byId.values()) {
      if (this.#byId.size <= aim) return;
      if (directory.id === ROOT || directory.children > 0 || directory === keep) continue;
      this.#release(directory);
      this.#byId.delete(directory.id);
      this.#byName.delete(`${directory.parent!.id}/${directory.name}`);
      directory.parent!.children--;
    }
  }
}

function exists(at: string): boolean {
  return fs.lstatSync(at, { throwIfNoEntry: false }) !== undefined;
}

/** `f` a regular file, `d` a directory, `l` a link, `o` anything else. */
function typeOf(entry: fs.Dirent): string {
  if (entry.isFile()) return "f";
  if (entry.isDirectory()) return "d";
  return entry.isSymbolicLink() ? "l" : "o";
}
