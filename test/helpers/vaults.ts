// Real vaults to measure against, where the machine has them beside the project; nothing of them is part of it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const dataFolder = fileURLToPath(new URL("../../../shared/data/", import.meta.url));

export const REAL_VAULTS = ["help14", "garden-zh", "wiki-ko", "kepano"] as const;
export const JUDGED_COLLECTIONS = ["cranfield", "cisi", "cmrc", "jsquad"] as const;

/** The vault (the folder that holds `wiki/`) `name` or `judged/name`, unpacked once on a machine; null, and why, without it. */
export function realVault(name: string): string | null {
  const archive = join(dataFolder, name.startsWith("judged/") ? `${name}/wiki.tar.xz` : `${name}.tar.xz`);
  if (!existsSync(archive)) {
    console.error(`Not tried on the vault "${name}": there is no ${archive}.`);
    return null;
  }
  const { size, mtimeMs } = statSync(archive);
  const version = createHash("sha256").update(`${archive} ${size} ${mtimeMs}`).digest("hex").slice(0, 12);
  const vault = join(tmpdir(), `pi-wiki-vaults-${version}`, name.replace("/", "-"));
  if (!existsSync(vault)) unpack(archive, vault);
  return vault;
}

/** Beside its place first, then moved there whole: another test process may be doing the same. */
function unpack(archive: string, vault: string): void {
  mkdirSync(join(vault, ".."), { recursive: true });
  const fresh = mkdtempSync(`${vault}-`);
  execFileSync("tar", ["-xJf", archive, "-C", fresh]);
  try {
    renameSync(fresh, vault);
  } catch (error) {
    rmSync(fresh, { recursive: true });
    if (!existsSync(vault)) throw error;
  }
}
