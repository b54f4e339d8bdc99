// The read-only file system against a process that swaps folders and files for links as fast as it can.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OP } from "../../src/worker/rofs.ts";
import { tempFolder } from "../helpers/garden.ts";
import { mountFolder } from "../helpers/mount-folder.ts";
import { startSwapping } from "../helpers/swapper.ts";

const READS = 15_000;
const SWAPS = 100_000;
const LINUX = process.platform === "linux";
if (!LINUX) console.error("Races are not tried: the promise about them is kept on Linux.");

const FOLDER = ["a folder", "wiki/d", "folder-link", "wiki/d/f.md"] as const;
const FILE = ["a file", "wiki/f.md", "file-link", "wiki/f.md"] as const;

test.runIf(LINUX).each([
  ["descriptors", ...FOLDER],
  ["descriptors", ...FILE],
  ["paths", ...FOLDER],
  ["paths", ...FILE],
] as const)(
  "in the mode %s, %s that is now and then a link never yields a byte from outside",
  async (mode, _what, swapped, link, page) => {
    using folder = tempFolder("pi-wiki-race-");
    const vault = join(folder.path, "vault");
    const outside = join(folder.path, "outside");
    mkdirSync(join(vault, "wiki/d"), { recursive: true });
    mkdirSync(outside);
    for (const name of ["wiki/d/f.md", "wiki/f.md"]) writeFileSync(join(vault, name), "INSIDE");
    for (const name of ["f.md", "secret.md"]) writeFileSync(join(outside, name), "SECRET");
    symlinkSync(outside, join(folder.path, "folder-link"));
    symlinkSync(join(outside, "f.md"), join(folder.path, "file-link"));

    const { read, list, rofs } = mountFolder(vault, { mode });
    const outcomes = new Map<string | number, number>();
    const names = new Set<string>();
    const swapper = await startSwapping(join(vault, swapped), join(folder.path, link));
    for (let i = 0; i < READS || swapper.swaps < SWAPS; i++) {
      if (i % 3 === 0) rofs.call(OP.RESET);
      const outcome = read(page);
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      if (i % 500 === 0) await new Promise((resolve) => setImmediate(resolve)); // to hear of the swaps
      if (i % 10 > 0) continue;
      const listed = list("wiki/d");
      if (typeof listed === "object") for (const name of listed) names.add(name);
    }
    const swaps = await swapper.stop();
    rofs.close();
    expect(outcomes.has("SECRET"), JSON.stringify([...outcomes])).toBe(false);
    // Without descriptors a list can be another folder's for a moment; what it names is still not opened.
    if (mode === "descriptors") expect(names).not.toContain("fsecret.md");
    expect(outcomes.get("INSIDE")).toBeGreaterThan(100);
    expect(outcomes.size).toBeGreaterThan(1); // the swapping was met with
    expect(swaps).toBeGreaterThanOrEqual(SWAPS);
  },
);
