// One folder during a walk: held so that it stays the folder that was found, and listed in the order of its names.
import fs from "node:fs";
import path from "node:path";
import { canHoldDirectories, heldPath, isDirectory, isLink, isSame, OPEN } from "./rofs-facts.ts";

export interface HeldFolder {
  /** Opens the folder; with a separator and a name, an entry of it. */
  readonly at: string;
  readonly separator: string;
  /** False when another folder has taken its place; always true where a descriptor holds it. */
  isUnmoved(): boolean;
  close(): void;
}

/** Why a folder cannot be listed, as the letter of its record. */
export type Trouble = "v" | "l" | "d";

export function holdFolder(at: string, descriptors = canHoldDirectories()): HeldFolder | Trouble {
  try {
    return descriptors ? holdByDescriptor(at) : holdByPath(at);
  } catch (error) {
    return troubleOf(error);
  }
}

function holdByDescriptor(at: string): HeldFolder | Trouble {
  let descriptor: number;
  try {
    descriptor = fs.openSync(at, OPEN.pathOnly | OPEN.directory | OPEN.noFollow);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") throw error;
    return fs.lstatSync(at).isSymbolicLink() ? "l" : "d";
  }
  return {
    at: heldPath(descriptor),
    separator: "/",
    isUnmoved: () => true,
    close: () => fs.closeSync(descriptor),
  };
}

function holdByPath(at: string): HeldFolder | Trouble {
  const look = () => fs.lstatSync(at, { bigint: true, throwIfNoEntry: false });
  const found = look();
  if (!found) return "v";
  if (isLink(found)) return "l";
  if (!isDirectory(found)) return "d";
  const isUnmoved = () => {
    const now = look();
    return now !== undefined && isSame(now, found);
  };
  return { at, separator: path.sep, isUnmoved, close() {} };
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
    return folder.isUnmoved() ? entries : "v";
  } catch (error) {
    return troubleOf(error);
  }
}

/** The usual way; null when a name may not be UTF-8, which a text cannot tell from a name with U+FFFD in it. */
function listNames(folder: HeldFolder): Entry[] | null {
  const names: string[] = [];
  const special = new Map<string, Entry>();
  for (const dirent of fs.readdirSync(folder.at, { withFileTypes: true })) {
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
  const dirents = fs.readdirSync(folder.at, { withFileTypes: true, encoding: "buffer" });
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
