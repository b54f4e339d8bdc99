// Every file that a sandbox is made of is the one that was published, to the byte, or is refused by its name.
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import { readAsset } from "../../src/assets/files.ts";
import { codeCacheName, loadAssets } from "../../src/assets/parts.ts";
import type { Envelope } from "../../src/index.ts";
import { gardenVault } from "../helpers/garden.ts";
import { damaged, flipped, packageCopy } from "../helpers/package-copy.ts";
import { seeded } from "../helpers/random.ts";

const copy = packageCopy();
const vault = gardenVault();
const PAGE = "wiki/soil/compost-bays.md";
const chance = seeded(20_261_201);
afterAll(() => {
  copy[Symbol.dispose]();
  vault[Symbol.dispose]();
});

/** A first search in a process that has loaded nothing yet of the copy's assets. */
async function search(): Promise<Envelope> {
  const { openWiki } = await copy.library();
  const wiki = openWiki({ vault: vault.path, env: {} });
  const answer = await wiki.call("search", { query: "compost" });
  await wiki.close();
  return answer;
}

const refused = (name: string, what: string) => ({
  ok: false,
  code: "sandbox-failed",
  message: expect.stringMatching(
    new RegExp(`${name.replaceAll(".", "\\.")} of pi-wiki-wasm ${what}.*install the package again`),
  ),
});

const ANOTHER = "is not the file that was published";
const { parts } = await loadAssets(copy.url);
const assets = [...parts.scripts, ...parts.files, parts.snapshot!].map(({ name }) => name);
assets.push("pyodide.asm.wasm", codeCacheName());

test("what a sandbox starts from is looked at here", () => {
  expect(assets).toHaveLength(8);
  expect(parts.sources.length).toBeGreaterThan(70);
});

describe.each(assets)("%s", (name) => {
  const file = join(copy.path, "wasm-assets", name);

  test("is refused with one bit changed anywhere", async () => {
    const change = (bytes: Buffer) => flipped(bytes, Math.floor(chance() * bytes.length));
    expect(await damaged(file, change, search)).toMatchObject(refused(name, ANOTHER));
  });

  test("is refused with its last byte missing", async () => {
    const change = (bytes: Buffer) => bytes.subarray(0, -1);
    expect(await damaged(file, change, search)).toMatchObject(refused(name, ANOTHER));
  });
});

test("a file of Python with one bit changed is refused, each by its name", async () => {
  for (const source of parts.sources) {
    const change = (bytes: Buffer) => flipped(bytes, Math.floor(chance() * bytes.length));
    const read = () => readAsset(source, Buffer.alloc(source.bytes));
    expect(read).not.toThrow();
    await damaged(source.path, change, () => expect(read).toThrow(`${source.name} of pi-wiki-wasm ${ANOTHER}`));
  }
});

test("a start without the snapshot reads Python's files, and refuses a changed one", async () => {
  vi.stubEnv("PI_WIKI_COLD_START", "1");
  const bridge = join(copy.path, "py/wiki/bridge.py");
  const answer = await damaged(bridge, (bytes) => flipped(bytes, 100), search);
  vi.unstubAllEnvs();
  expect(answer).toMatchObject(refused("wiki/bridge.py", ANOTHER));
});

test.each([
  ["cut", (bytes: Buffer) => bytes.subarray(0, 1_000), "manifest.json of pi-wiki-wasm is missing or damaged"],
  [
    "without an asset",
    (bytes: Buffer) => Buffer.from(`${bytes}`.replace('"realm.js"', '"other.js"')),
    "realm.js is not in",
  ],
])("a list of files that is %s is refused", async (_how, change, sentence) => {
  const answer = await damaged(join(copy.path, "wasm-assets/manifest.json"), change, search);
  expect(answer).toMatchObject({ ok: false, code: "sandbox-failed", message: expect.stringContaining(sentence) });
});

test("with everything as it was published the package works", async () => {
  const { ok, payload } = await search();
  expect(ok).toBe(true);
  expect(payload).toMatchObject({ results: expect.arrayContaining([expect.objectContaining({ path: PAGE })]) });
});
