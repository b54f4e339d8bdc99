// A sandbox starts from compiled scripts: the cache that the build made is one that this V8 takes, and the first
// sandbox of a process shares its own where the build made none.
import { readFileSync } from "node:fs";
import vm from "node:vm";
import { expect, test } from "vitest";
import { type Assets, codeCacheName, loadAssets } from "../../src/assets/parts.ts";
import { Lane } from "../../src/host/lane.ts";
import { ask, requestText } from "../helpers/runtime.ts";

const packageRoot = new URL("../../", import.meta.url);

function rejected({ parts }: Assets): (boolean | undefined)[] {
  return parts.scripts.map(({ path }, at) => {
    const cachedData = parts.codeCache[at] ?? undefined;
    return new vm.Script(readFileSync(path, "utf8"), { ...(cachedData ? { cachedData } : {}) }).cachedDataRejected;
  });
}

test("V8 takes the cache of every script", async () => {
  expect(rejected(await loadAssets(packageRoot)), codeCacheName()).toEqual([false, false, false]);
});

test("where there is no cache, the first sandbox makes one for those that come after it", async () => {
  const assets = await loadAssets(packageRoot);
  assets.parts.codeCache = [];
  const lane = new Lane(async () => ({
    assets,
    root: null,
    wiki: "wiki",
    answer: async () => "{}",
    entry: new URL("dist/worker.js", packageRoot),
  }));
  await ask(lane, requestText("doctor", {}), { needsListing: false });
  await expect.poll(() => assets.parts.codeCache.length, { timeout: 60_000 }).toBe(3); // made when nobody waits
  await lane.close();
  expect(rejected(assets)).toEqual([false, false, false]);
});
