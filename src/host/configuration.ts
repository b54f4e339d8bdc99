// The configuration file: what it says, and what is wrong with it in one sentence. The same rules and the same words as
// `py/wiki/config.py`; both are held to fixtures/selection.json.
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { WikiError } from "../shared/errors.ts";
import { filled } from "../shared/filled.ts";
import { isNestedDeeper, jsonFault } from "./json-fault.ts";
import { absolute, type Place } from "./locations.ts";
import { quoted } from "./shown-name.ts";
import { synonymGroups } from "./synonyms.ts";

export const DEFAULT_FILE = "~/.config/obsidian-second-brain/properties.json";
const FILE_MAX_BYTES = 1024 * 1024;
const JSON_MAX_DEPTH = 100;
const FLAGS = ["guard", "toc", "autoCommit", "retrievalRefresh"];

/** The bytes of a file, or null when there is none. Throws when it is there and cannot be read. */
export type ReadFile = (path: string) => Promise<Uint8Array | null>;

export interface Configuration {
  path: string;
  exists: boolean;
  /** A sentence when the file is malformed; then nothing of it counts. */
  error: string | null;
  vaultPath: string | null;
  wikiPath: string | null;
  /** Words that stand for each other in this vault, as groups; what is neither a group nor a word is ignored. */
  synonyms: string[][];
}

/** The part of doctor's payload. */
export interface ConfigReport {
  path: string | null;
  exists: boolean;
  valid: boolean;
  error: string | null;
}

export function reportOf({ path, exists, error }: Configuration): ConfigReport {
  return { path, exists, valid: error === null, error };
}

/** The one file that counts as the configuration, absolute. Throws `invalid-input` for what is no path. */
export function configurationPath(named: string | undefined, place: Place): string {
  const path = absolute(named ?? DEFAULT_FILE, place);
  if (typeof path === "string") return path;
  throw new WikiError("invalid-input", `The configuration path ${quoted(named!)} ${path.problem}.`);
}

/** The configuration at a path. Never rejects: what is wrong becomes `error`. */
export async function readConfiguration(path: string, readFile: ReadFile, place: Place): Promise<Configuration> {
  const nothing = { path, exists: true, error: null, vaultPath: null, wikiPath: null, synonyms: [] };
  let problem: string;
  try {
    const bytes = await readFile(path);
    if (bytes === null) return { ...nothing, exists: false };
    return { ...nothing, ...settingsIn(parsed(bytes), place) };
  } catch (error) {
    problem = error instanceof Malformed || error instanceof WikiError ? error.message : unreadable(error);
  }
  const message = `The configuration ${quoted(path)} is malformed. ${problem} Correct or remove it.`;
  return { ...nothing, error: message };
}

class Malformed extends Error {}

function parsed(bytes: Uint8Array): unknown {
  if (bytes.length > FILE_MAX_BYTES) throw new Malformed("The JSON text is larger than 1,048,576 bytes.");
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes); // takes off a byte order mark
  } catch {
    throw new Malformed("The JSON text is not UTF-8.");
  }
  if (isNestedDeeper(text, JSON_MAX_DEPTH)) {
    throw new Malformed(`The JSON text is nested deeper than ${JSON_MAX_DEPTH} levels or never closed.`);
  }
  const fault = jsonFault(text);
  if (fault !== null) throw new Malformed(`Not JSON: ${fault}.`);
  return JSON.parse(text);
}

function settingsIn(value: unknown, place: Place): Pick<Configuration, "vaultPath" | "wikiPath" | "synonyms"> {
  if (!isObject(value)) throw new Malformed("It must be a JSON object.");
  const { vaultPath, wikiPath, features } = value;
  const textOrNull = (key: string, given: unknown): string | null => {
    if (typeof given === "string") return filled(given) ?? null;
    if (given === null || given === undefined) return null;
    throw new Malformed(`"${key}" must be a text or null.`);
  };
  const vault = textOrNull("vaultPath", vaultPath);
  const wiki = textOrNull("wikiPath", wikiPath);
  if (features !== null && features !== undefined) {
    if (!isObject(features)) throw new Malformed('"features" must be an object or null.');
    for (const name of FLAGS) {
      const flag = features[name];
      if (typeof flag === "boolean" || flag === null || flag === undefined) continue;
      throw new Malformed(`"features.${name}" must be true, false or null.`);
    }
  }
  if (vault !== null) {
    const path = absolute(vault, place);
    if (typeof path !== "string") throw new Malformed(`"vaultPath" ${path.problem}.`);
  }
  const folder = wiki === null ? null : wikiFolder(wiki, "wikiPath", place);
  return { vaultPath: vault, wikiPath: folder, synonyms: synonymGroups(value.synonyms) };
}

/** A wiki folder's path in its one form, with `/`. Throws `invalid-input`. */
export function wikiFolder(value: string, namedBy: string, { windows }: Place): string {
  const path = windows ? value.replaceAll("\\", "/") : value;
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (path.startsWith("/") || parts.includes("..") || path.includes("\0") || (windows && path.includes(":"))) {
    throw new WikiError("invalid-input", `${namedBy} must name a folder inside the vault, not ${quoted(value)}.`);
  }
  if (parts.some((part) => part.startsWith("."))) {
    throw new WikiError(
      "invalid-input",
      `${namedBy} names a hidden folder, ${quoted(value)}; hidden files are never pages.`,
    );
  }
  return parts.join("/") || ".";
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const REASONS: Record<string, string> = {
  EACCES: "permission denied",
  EPERM: "operation not permitted",
  EISDIR: "not a regular file",
  ELOOP: "too many levels of symbolic links",
  EIO: "input/output error",
};

function unreadable(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `It cannot be read: ${(code && REASONS[code]) || (message ?? "unknown error").split(/[:,]/)[0]}.`;
}

/** From the disk, bounded, and never a pipe or a device, which might not answer. */
export const readFromDisk: ReadFile = async (path) => {
  let file: Awaited<ReturnType<typeof open>>;
  try {
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw error;
  }
  try {
    if (!(await file.stat()).isFile()) throw new Error("not a regular file");
    const bytes = new Uint8Array(FILE_MAX_BYTES + 1);
    let length = 0;
    for (;;) {
      const { bytesRead } = await file.read(bytes, length, bytes.length - length, length);
      length += bytesRead;
      if (bytesRead === 0 || length === bytes.length) return bytes.subarray(0, length);
    }
  } finally {
    await file.close();
  }
};
