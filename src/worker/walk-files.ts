// The records of regular files in a listing, which is where a walk's time goes: fifty thousand files take as many
// questions to the operating system, and everything else is kept small beside them.
import fs from "node:fs";
import { blocksOf, isLink, isRegular } from "./rofs-facts.ts";

/** Files of one folder, in order: nothing stands between them in the listing. */
export interface FileChunk {
  /** The path to put before a name to reach the file, separator included. */
  readonly at: string;
  /** The path to put before a name to show it, as `wiki/topic/`. */
  readonly path: string;
  readonly names: readonly string[];
}

const WINDOWS = process.platform === "win32";
const QUESTION = { bigint: true, throwIfNoEntry: false } as const;

/** Their records. Texts are short on purpose: joining one of megabytes costs five times as much. */
export function recordFiles({ at, path, names }: FileChunk): Uint8Array {
  let text = "";
  for (const name of names) text += recordFile(at + name, path + name);
  return Buffer.from(text, "utf8");
}

function recordFile(at: string, path: string): string {
  let stat: fs.BigIntStats | undefined;
  try {
    stat = fs.lstatSync(at, QUESTION);
  } catch {
    return record("d", path);
  }
  if (!stat) return record("v", path);
  if (!isRegular(stat)) return record(isLink(stat) ? "l" : "o", path);
  const size = Number(stat.size);
  const local = size === 0 || blocksOf(stat, WINDOWS) !== 0n ? " 1 " : " 0 ";
  const links = stat.nlink === 1n ? " 1" : ` ${stat.nlink}`;
  return `f ${size} ${stat.mtimeNs}${links}${local}${path}\0`;
}

/** A record of anything but a regular file. */
export function record(kind: "h" | "l" | "o" | "d" | "n" | "t" | "v", path: string): string {
  return `${kind} 0 0 0 0 ${path}\0`;
}
