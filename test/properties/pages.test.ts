// No page breaks what outline and read promise: own spans are the page, each character once; whole spans nest; the parts
// of every selection, joined, are the selection; the view `current` accounts for every character that it leaves out.
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { anyPage } from "../helpers/any-page.ts";
import { times } from "../helpers/chance.ts";
import { projectRoot, tempFolder } from "../helpers/garden.ts";
import { NATIVE_PYTHON } from "../helpers/native.ts";

const PAGES = 4_000;
const SECTIONS_A_PAGE = 4;
const SIZES = ["1", "2", "7", "60", "12000"]; // of the parts that a page is read in

test.skipIf(!NATIVE_PYTHON)("outline and read give every page back", () => {
  using vault = tempFolder("pages-");
  mkdirSync(join(vault.path, "wiki"));
  const pages = fc.sample(anyPage, times<Uint8Array>(PAGES));
  for (const [i, bytes] of pages.entries()) writeFileSync(join(vault.path, `wiki/${i}.md`), bytes);
  const script = join(projectRoot, "test/helpers/rejoin.py");
  const env = { ...process.env, PYTHONPATH: join(projectRoot, "py"), PYTHONDONTWRITEBYTECODE: "1", PYTHONUTF8: "1" };
  const given = [script, vault.path, `${SECTIONS_A_PAGE}`, ...SIZES];
  const counts = JSON.parse(execFileSync(NATIVE_PYTHON!, given, { env, encoding: "utf8" }));
  const failures = counts.failures.map((failure: string) => {
    const [name] = failure.split(": ");
    return `${failure}: ${JSON.stringify(readFileSync(join(vault.path, name!), "latin1"))}`;
  });
  expect(failures).toEqual([]);
  expect(counts).toMatchObject({ pages: PAGES, refused: {} });
  expect(counts.sections).toBeGreaterThan(PAGES);
  expect(counts.reads).toBeGreaterThan(10 * PAGES);
});
