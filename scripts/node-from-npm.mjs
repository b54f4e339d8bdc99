// A Node of another version or system, from the npm registry: the packages that the package `node` itself is made of.
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);
const CACHE = fileURLToPath(new URL("../node_modules/.cache/pi-wiki/", import.meta.url));

/** The path of the executable, fetched at the first time. Rejects, with a sentence, where it cannot be had. */
export async function nodeFromNpm(version, platform = process.platform, arch = process.arch) {
  const windows = platform === "win32";
  const name = `node-${windows ? "win" : platform}-${arch}@${version}`;
  const inside = `package/bin/node${windows ? ".exe" : ""}`;
  const node = join(CACHE, name, inside);
  if (existsSync(node)) return node;
  mkdirSync(CACHE, { recursive: true });
  const fresh = mkdtempSync(join(CACHE, "fetching-")); // moved to its place whole, so that a half is never taken for one
  try {
    const packed = await run("npm", ["pack", name, "--silent", "--pack-destination", fresh]);
    await run("tar", ["-xzf", join(fresh, packed.stdout.trim().split("\n").at(-1)), "-C", fresh, inside]);
    mkdirSync(dirname(node), { recursive: true });
    renameSync(join(fresh, inside), node);
    return node;
  } catch (error) {
    const why = String(error.stderr || error.message)
      .trim()
      .split("\n")[0];
    throw new Error(`${name} cannot be had from the npm registry: ${why}`, { cause: error });
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
