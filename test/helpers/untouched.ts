// A folder's files as they are: bytes and modification times, to be compared before and after.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";

export type Picture = Record<string, string>;

/** One line an entry, links and folders included: a folder's time changes when something is added or taken away. */
export function picture(folder: string): Picture {
  const seen: Picture = {};
  const visit = (path: string, name: string) => {
    const facts = lstatSync(path, { bigint: true });
    seen[name] = `${facts.mode.toString(8)} ${facts.mtimeNs} ${content(path, facts.isFile(), facts.isSymbolicLink())}`;
    if (facts.isDirectory()) for (const inner of readdirSync(path).sort()) visit(join(path, inner), `${name}/${inner}`);
  };
  visit(folder, ".");
  return seen;
}

function content(path: string, isFile: boolean, isLink: boolean): string {
  if (isLink) return `-> ${readlinkSync(path)}`;
  return isFile ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
}
