// A vault as somebody on Windows has one: a space and an é in its path, carriage returns, names longer than 260 characters.
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Windows } from "../helpers/wine.ts";

export const HOME = "C:\\People\\Ada";
export const VAULT = `${HOME}\\My Vault é`;
export const COFFEE = "wiki/topic/coffee.md";
export const ACCENTED = "wiki/naïve – 日本.md";
/** Each part may have 255 characters, and all together more than Windows' old limit of 260. */
const DEEP = [9, 18, 12].map((times) => "long name ".repeat(times).trimEnd()).join("/");
export const FAR_DOWN = `wiki/${DEEP}/page.md`;
export const DEEP_VAULT = `C:\\${DEEP.replaceAll("/", "\\")}`;

/** Where it lies on this machine, with an outsider beside it. */
export function makeVault(windows: Windows): string {
  const home = join(windows.driveC, "People/Ada");
  const vault = join(home, "My Vault é");
  write(
    join(vault, COFFEE),
    "---\r\ntitle: Coffee\r\n---\r\n# Coffee\r\n\r\nArabica grows high.\r\n\r\n## Roasting\r\n\r\nLight or dark.\r\n",
  );
  write(join(vault, ACCENTED), "# naïve – 日本\n\nÄrger mit Umlauten.\n");
  write(join(vault, FAR_DOWN), "# Far down\n\nThe xylophone is here.\n");
  write(join(home, "outside.md"), "# Outside\n\nA secret.\n");
  write(join(windows.driveC, DEEP, "wiki/page.md"), "# Deep\n\nA vault far down.\n");
  write(join(windows.driveC, "properties.json"), JSON.stringify({ vaultPath: VAULT }));
  windows.drive("v", vault);
  return vault;
}

export function hashOf(vault: string, page: string): string {
  return createHash("sha256")
    .update(readFileSync(join(vault, page)))
    .digest("hex");
}

function write(file: string, text: string): void {
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, text);
}
