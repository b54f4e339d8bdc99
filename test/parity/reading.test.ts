// Reading gives every page back: on every page of the real vaults, the parts of each selection joined are its text.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { NATIVE_PYTHON } from "../helpers/native.ts";
import { REAL_VAULTS, realVault } from "../helpers/vaults.ts";

const packageRoot = fileURLToPath(new URL("../../", import.meta.url));

// Most pages have fewer sections; of longer ones this many are tried, spread evenly, and their own spans all are.
const SECTIONS_A_PAGE = 5;

interface Counts {
  pages: number;
  sections: number;
  reads: number;
  refused: Record<string, number>;
  failures: string[];
}

describe.skipIf(!NATIVE_PYTHON)("outline and read", () => {
  for (const name of REAL_VAULTS) {
    const vault = realVault(name);
    test.skipIf(!vault)(`give back every page, section and own span of ${name}`, { timeout: 600_000 }, () => {
      const script = join(packageRoot, "test/helpers/rejoin.py");
      const env = {
        ...process.env,
        PYTHONPATH: join(packageRoot, "py"),
        PYTHONDONTWRITEBYTECODE: "1",
        PYTHONUTF8: "1",
      };
      const output = execFileSync(NATIVE_PYTHON!, [script, vault!, String(SECTIONS_A_PAGE)], { env, encoding: "utf8" });
      const counts = JSON.parse(output) as Counts;
      expect(counts.failures).toEqual([]);
      expect(counts.pages).toBeGreaterThan(90);
      expect(counts.reads).toBeGreaterThan(counts.pages + 2 * counts.sections);
      expect(Object.keys(counts.refused).filter((refusal) => !["reserved", "hidden"].includes(refusal))).toEqual([]);
    });
  }
});
