// What the build makes depends on the sources alone: not on the machine's vaults, its environment or the moment.
import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { codeCacheName, type Manifest } from "../../src/assets/parts.ts";
import { projectRoot, type TempFolder, tempFolder } from "../helpers/garden.ts";

const CANARY = "xq-canary-7f3a91c5";
const SOURCES = ["src", "py", "scripts", "package.json", "tsconfig.json", "tsconfig.types.json"];

let plain: TempFolder;
let beside: TempFolder;

/** The project's sources in a folder of their own, which may hold a vault beside them. */
function sources(): TempFolder {
  const folder = tempFolder("build-");
  for (const part of SOURCES) cpSync(join(projectRoot, part), join(folder.path, part), { recursive: true });
  mkdirSync(join(folder.path, "wasm-assets"));
  cpSync(join(projectRoot, "wasm-assets/origin.json"), join(folder.path, "wasm-assets/origin.json"));
  symlinkSync(join(projectRoot, "node_modules"), join(folder.path, "node_modules"));
  return folder;
}

async function build({ path }: TempFolder, env: Record<string, string>): Promise<void> {
  const options = { cwd: path, env: { PATH: process.env.PATH!, ...env } };
  await promisify(execFile)(process.execPath, ["scripts/build.mjs"], options);
}

/** A vault, a home with a configuration, and an environment, all with the canary in every name and text. */
function surroundings(folder: string): Record<string, string> {
  const vault = join(folder, `vault-${CANARY}`);
  const home = join(folder, `home-${CANARY}`);
  const config = join(home, ".config/obsidian-second-brain/properties.json");
  for (const part of [join(vault, "wiki"), join(vault, ".vault-meta/retrieval"), join(config, "..")]) {
    mkdirSync(part, { recursive: true });
  }
  writeFileSync(join(vault, `wiki/${CANARY}.md`), `# ${CANARY}\n\n${CANARY} ${CANARY}\n`);
  writeFileSync(
    join(vault, ".vault-meta/retrieval/bm25.json"),
    JSON.stringify({ version: 1, terms: { [CANARY]: {} } }),
  );
  writeFileSync(config, JSON.stringify({ vaultPath: vault, synonyms: [[CANARY, "word"]] }));
  return { HOME: home, OBSIDIAN_VAULT_PATH: vault, OBSIDIAN_AGENT_CONFIG: config, PI_WIKI_PATH: CANARY, CANARY };
}

const made = ({ path }: TempFolder) =>
  ["dist", "wasm-assets"].flatMap((folder) =>
    readdirSync(join(path, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1)),
  );

beforeAll(async () => {
  [plain, beside] = [sources(), sources()];
  await Promise.all([build(plain, { HOME: "/nonexistent-home" }), build(beside, surroundings(beside.path))]);
});
afterAll(() => {
  plain[Symbol.dispose]();
  beside[Symbol.dispose]();
});

test("two builds are the same to the byte, whatever vault, home and environment they are made beside", () => {
  // V8 decides by itself how much of each function its cache keeps; what it is a cache of is the same.
  const cache = `wasm-assets/${codeCacheName()}`;
  const files = made(plain);
  expect(files).toEqual(made(beside));
  expect(files).toContain(cache);
  expect(files).toContain("wasm-assets/snapshot.bin");
  const differing = files.filter((name) => !read(plain, name).equals(read(beside, name)));
  expect([cache, "wasm-assets/manifest.json"]).toEqual(expect.arrayContaining(differing));
  const [ours, theirs] = [plain, beside].map((folder) => {
    const { files: listed, ...rest } = JSON.parse(`${read(folder, "wasm-assets/manifest.json")}`) as Manifest;
    delete listed[codeCacheName()];
    return { listed, ...rest };
  });
  expect(ours).toEqual(theirs);
});

test("no word of a vault, a configuration or the environment is in what was built", () => {
  // A text that is in Python's memory would be seen: this one is.
  expect(read(beside, "wasm-assets/snapshot.bin").includes("No page matches.")).toBe(true);
  // Python keeps a text in one, two or four bytes a letter.
  const wide = (size: number) => Buffer.concat([...CANARY].map((letter) => Buffer.from(letter.padEnd(size, "\0"))));
  for (const name of made(beside)) {
    const bytes = read(beside, name);
    for (const size of [1, 2, 4]) expect(bytes.includes(wide(size)), `${name}, ${size} bytes a letter`).toBe(false);
  }
});

function read({ path }: TempFolder, name: string): Buffer {
  return readFileSync(join(path, name));
}
