// What search must find on collections with known answers, where the machine has them beside the project: measured by
// the bench's own script, so that the table it prints and what is held here are the same figures.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { NATIVE_PYTHON } from "../helpers/native.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const data = join(root, "../shared/data");

interface Figures {
  reached: Record<string, boolean>;
}

test.skipIf(!NATIVE_PYTHON || !existsSync(data))(
  "search finds what is known to be right, in every language, also when a word is misspelled",
  { timeout: 900_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), "pi-wiki-quality-"));
    try {
      const file = join(folder, "figures.json");
      const script = join(root, "scripts/bench/quality.mjs");
      execFileSync(process.execPath, [script, "--data", data, "--json", file, "--python", NATIVE_PYTHON!], {
        stdio: "pipe",
      });
      const { reached } = JSON.parse(readFileSync(file, "utf8")) as Figures;
      expect(Object.entries(reached).filter(([, is]) => !is)).toEqual([]);
      expect(Object.keys(reached)).toHaveLength(5);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
