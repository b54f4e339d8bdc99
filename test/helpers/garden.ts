// The demo vault in a folder of its own, which a test may change and which is gone afterwards.
import { cpSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = fileURLToPath(new URL("../..", import.meta.url));

export interface TempFolder extends Disposable {
  path: string;
}

export function tempFolder(name = "pi-wiki-"): TempFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), name)));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

export function gardenVault(): TempFolder {
  const folder = tempFolder("garden-");
  cpSync(join(projectRoot, "fixtures/vaults/garden"), folder.path, { recursive: true, preserveTimestamps: true });
  return folder;
}
