// One folder during a walk: held so that it stays the folder that was found, and listed in the order of its names.
import fs from "node:fs";
import path from "node:path";
import { canHoldDirectories, heldPath, isDirectory, isLink, isSame, OPEN } from "./rofs-facts.ts";

export interface HeldFolder {
  /** Put before a name, reaches an entry of this very folder; for descriptors, whatever became of its path. */
  readonly held: string;
  /** Put before a name, reaches the same entry by its whole path, while the folder is there. */
  readonly byPath: string;
  /** False when another folder has taken its place on its path. */
  isUnmoved(): boolean;
  close(): void;
}

/** Why a folder cannot be listed, as the letter of its record. */
export type Trouble = "v" | "l" | "d";

/**
 * Holds a folder that is reached by `held`, below a folder that is held, and lies at the path `plain`. A link is not followed.
 */
export function holdFolder(held: string, plain: string, descriptors = canHoldDirectories()): HeldFolder | Trouble {
  try {
    return descriptors ? holdByDescriptor(held, plain) : holdByPath(plain);
  } catch (error) {
    return troubleOf(error);
  }
}

function holdByDescriptor(held: string, plain: string): HeldFolder | Trouble {
  let descriptor: number;
  try {
    descriptor = fs.openSync(held, OPEN.pathOnly | OPEN.directory | OPEN.noFollow);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    return fs.lstatSync(held).isSymbolicLink() ? "l" : "d";
  }
  return {
    held: `${heldPath(descriptor)}/`,
    byPath: `${plain}/`,
    isUnmoved: () => isStill(plain, fs.fstatSync(descriptor, { bigint: true })),
    close: () => fs.closeSync(descriptor),
  };
}

function holdByPath(plain: string): HeldFolder | Trouble {
  const found = lookAt(plain);
  if (!found) return "v";
  if (isLink(found)) return "l";
  if (!isDirectory(found)) return "d";
  const byPath = plain.endsWith(path.sep) ? plain : plain + path.sep;
  return { held: byPath, byPath, isUnmoved: () => isStill(plain, found), close() {} };
}

function isStill(plain: string, folder: fs.BigIntStats): boolean {
  const now = lookAt(plain);
  return now !== undefined && isSame(now, folder);
}

function lookAt(at: string): fs.BigIntStats | undefined {
  return fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
}

function troubleOf(error: unknown): Trouble {
  return (error as NodeJS.ErrnoException).code === "ENOENT" ? "v" : "d";
}

/** An entry: a regular file that ends in .md as its bare name, anything else that matters with its kind. */
export type Entry = string | { readonly kind: "folder" | "h" | "l" | "o" | "n"; readonly name: string };

/** A folder's entries in the order of their names' UTF-8 bytes, or why there are none to see. */
export function listFolder(folder: HeldFolder): Entry[] | Trouble {
  try {
    const entries = listNames(folder) ?? listBytes(folder);
    const wasHeld = folder.held !== folder.byPath || folder.isUnmoved();
    return wasHeld ? entries : "v";
  } catch (error) {
    return troubleOf(error);
  }
}

/** The usual way; null when a name may not be UTF-8, which a text cannot tell from a name with U+FFFD in it. */
function listNames(folder: HeldFolder): Entry[] | null {
  const names: string[] = [];
  const special = new Map<string, Entry>();
  for (const dirent of fs.readdirSync(folder.held, { withFileTypes: true })) {
    const entry = entryOf(dirent.name, dirent);
    if (entry === null) continue;
    names.push(dirent.name);
    if (typeof entry !== "string") special.set(dirent.name, entry);
  }
  const all = names.join("");
  if (UNSURE.test(all)) return null;
  // JavaScript sorts by UTF-16 code units, which is another order only where there are surrogates.
  names.sort(SURROGATE.test(all) ? byCodePoints : undefined);
  return special.size === 0 ? names : names.map((name) => special.get(name) ?? name);
}

function listBytes(folder: HeldFolder): Entry[] {
  const dirents = fs.readdirSync(folder.held, { withFileTypes: true, encoding: "buffer" });
  dirents.sort((a, b) => Buffer.compare(a.name, b.name));
  return dirents.flatMap((dirent): Entry | Entry[] => {
    const name = dirent.name.toString("utf8");
    if (!Buffer.from(name, "utf8").equals(dirent.name)) return { kind: "n", name };
    return entryOf(name, dirent) ?? [];
  });
}

const UNSURE = /[\ufffd\p{Surrogate}]/u;
const SURROGATE = /[\ud800-\udfff]/;
const PAGE_NAME = /\.md$/i;

function entryOf(name: string, type: fs.Dirent<string> | fs.Dirent<Buffer>): Entry | null {
  if (name[0] === ".") return { kind: "h", name };
  if (type.isFile()) return PAGE_NAME.test(name) ? name : null;
  if (type.isDirectory()) return { kind: "folder", name };
  if (type.isSymbolicLink()) return { kind: "l", name };
  return PAGE_NAME.test(name) ? { kind: "o", name } : null;
}

function byCodePoints(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length);
  for (let i = 0; i < shorter; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    // A surrogate stands for a code point above all others, although its unit is below U+E000.
    if (x !== y) return x - y + (isSurrogate(x) ? 0x3000 : 0) - (isSurrogate(y) ? 0x3000 : 0);
  }
  return a.length - b.length;
}

function isSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff;
}
