// The folder that index files are written into, reached from the vault's root one name at a time and through no link.
// Everything inside is named relative to the folder that was found: on Linux by its descriptor, elsewhere by its path,
// which is looked at again.
import fs from "node:fs";
import path from "node:path";
import { WikiError } from "../shared/errors.ts";

export const FOLDER = ".vault-meta/retrieval";

const DIRECTORY_ONLY = fs.constants.O_RDONLY | (fs.constants.O_DIRECTORY ?? 0) | (fs.constants.O_NOFOLLOW ?? 0);
const HOLDS = process.platform === "linux" && fs.existsSync("/proc/self/fd");

export interface Folder {
  /** The path that opens an entry. */
  at(name: string): string;
  /** What an entry is, or null; a link is never followed. Throws `invalid-input` when the folder was replaced. */
  look(name: string): fs.Stats | null;
  names(): string[];
  /** Makes names that were just put in place last through a crash of the system, where it can. */
  sync(): void;
  close(): void;
}

/** Makes the folder where it is missing. Throws `invalid-input` for a link or a file in its place. */
export function openFolder(vault: string): Folder {
  let held = hold(vault, "");
  let shown = "";
  for (const part of FOLDER.split("/")) {
    shown = shown === "" ? part : `${shown}/${part}`;
    const next = held.at(part);
    try {
      try {
        fs.mkdirSync(next);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
      const found = held.look(part);
      if (!found?.isDirectory()) throw notWrittenThrough(shown);
      const inner = hold(next, shown);
      held.close();
      held = inner;
    } catch (error) {
      held.close();
      throw error;
    }
  }
  return held;
}

function hold(at: string, shown: string): Folder {
  let descriptor = -1;
  let base = at;
  const seen = fs.lstatSync(at);
  if (HOLDS) {
    try {
      descriptor = fs.openSync(at, DIRECTORY_ONLY);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      throw code === "ENOTDIR" || code === "ELOOP" ? notWrittenThrough(shown) : error;
    }
    base = `/proc/self/fd/${descriptor}`;
  }
  const check = () => {
    if (HOLDS) return;
    const now = fs.lstatSync(at, { throwIfNoEntry: false });
    if (!now?.isDirectory() || now.ino !== seen.ino || now.dev !== seen.dev) throw notWrittenThrough(shown);
  };
  const entry = (name: string) => (HOLDS ? `${base}/${name}` : path.join(base, name));
  return {
    at: entry,
    look(name) {
      check();
      return fs.lstatSync(entry(name), { throwIfNoEntry: false }) ?? null;
    },
    names() {
      check();
      return fs.readdirSync(base);
    },
    sync() {
      if (HOLDS) fs.fsyncSync(descriptor);
    },
    close() {
      if (HOLDS) fs.closeSync(descriptor);
    },
  };
}

export function notWrittenThrough(shown: string): WikiError {
  return new WikiError(
    "invalid-input",
    `"${shown}" in the vault is a link, or not what it should be, and nothing is written through it. Remove it.`,
  );
}
