// The host's walk and the native one make the same bytes: over a folder of everything odd, and over the real vaults.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { walk } from "../../src/worker/walk.ts";
import { projectRoot, tempFolder } from "../helpers/garden.ts";
import { NATIVE_PYTHON } from "../helpers/native.ts";
import { makeOddFolder, removeOddFolder } from "../helpers/odd-folder.ts";
import { REAL_VAULTS, realVault } from "../helpers/vaults.ts";

const PROGRAM = `
import sys
from wiki.context import Vault
from wiki.scan import scan
sys.stdout.buffer.write(scan(Vault(sys.argv[1], sys.argv[1], sys.argv[2])))
`;

function natively(vault: string, wiki: string): string {
  const env = { ...process.env, PYTHONPATH: join(projectRoot, "py"), PYTHONDONTWRITEBYTECODE: "1" };
  return execFileSync(NATIVE_PYTHON!, ["-c", PROGRAM, vault, wiki], { env, maxBuffer: 1 << 28, encoding: "utf8" });
}

async function here(vault: string, wiki: string): Promise<string> {
  return Buffer.from(await walk(vault, wiki)).toString("utf8");
}

/** Readable where they differ. */
const lines = (listing: string) => listing.split("\0");

describe.skipIf(!NATIVE_PYTHON)("both walks", () => {
  test("list the same odd entries in the same order", async () => {
    const folder = tempFolder("odd-"); // short: the longest path in it is near what a system takes
    const odd = makeOddFolder(folder.path);
    try {
      for (const wiki of ["wiki", ".", "wiki/up", "wiki/plain/inner", "wiki/a.md", "nowhere"]) {
        expect(lines(await here(folder.path, wiki)), wiki).toEqual(lines(natively(folder.path, wiki)));
      }
    } finally {
      odd.close();
      removeOddFolder(folder.path);
    }
  });

  for (const name of REAL_VAULTS) {
    const vault = realVault(name);
    test.skipIf(!vault)(`list the vault ${name} alike`, async () => {
      const listing = await here(vault!, ".");
      expect(lines(listing).length).toBeGreaterThan(50);
      expect(listing).toBe(natively(vault!, "."));
    });
  }
});
