// A vault that takes a while to index: many pages of words that repeat.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TempFolder, tempFolder } from "./garden.ts";

export function largeVault(pages: number): TempFolder {
  const folder = tempFolder("large-");
  mkdirSync(join(folder.path, "wiki"));
  for (let page = 0; page < pages; page++) {
    const words = Array.from({ length: 400 }, (_, at) => `word${(page * 31 + at * 7) % 5_000}`);
    writeFileSync(join(folder.path, `wiki/page-${page}.md`), `# Page ${page}\n\n${words.join(" ")}\n`);
  }
  return folder;
}

/** A page just under the size limit, all headings: its outline takes Python many seconds on any machine. */
export function pageThatTakesLong(vault: string): string {
  const page = "wiki/takes-long.md";
  const section = "## A heading with *words* in it\n\nSome text, `code` and more.\n";
  writeFileSync(join(vault, page), section.repeat(Math.floor((15 * 1024 * 1024) / section.length)));
  return page;
}
