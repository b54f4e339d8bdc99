// The one command that writes: only its own files, whole, and search then ranks by them.
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wikiCli } from "../helpers/cli.ts";
import { gardenVault, tempFolder } from "../helpers/garden.ts";
import { picture } from "../helpers/untouched.ts";

const FOLDER = ".vault-meta/retrieval";

test("index writes its file and nothing else, and search ranks by it", async () => {
  using vault = gardenVault();
  const { ".": _root, ...before } = picture(vault.path);
  const { status, stdout, stderr } = await wikiCli(["index", "--vault", vault.path]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toMatch(/^Indexed \d+ pages, [\d,]+ words\. Written into \.vault-meta\/retrieval\/:\nindex\.bin/);
  expect(readdirSync(join(vault.path, FOLDER))).toEqual(["index.bin"]);
  expect(picture(vault.path)).toMatchObject(before);
  const search = await wikiCli(["search", "tomato", "--vault", vault.path, "--json"]);
  expect(JSON.parse(search.stdout).payload).toMatchObject({
    source: "index-file",
    freshness: "current-by-mtime",
    index: `${FOLDER}/index.bin`,
  });
});

test("--compat also writes the version-1 index, with the same answers", async () => {
  using vault = gardenVault();
  const live = JSON.parse((await wikiCli(["search", "tomato", "--vault", vault.path, "--json"])).stdout).payload;
  const { stdout } = await wikiCli(["index", "--compat", "--vault", vault.path, "--json"]);
  expect(JSON.parse(stdout).payload.published).toEqual([`${FOLDER}/bm25.json`, `${FOLDER}/index.bin`]);
  rmSync(join(vault.path, FOLDER, "index.bin"));
  const index = JSON.parse(readFileSync(join(vault.path, FOLDER, "bm25.json"), "utf8"));
  expect(index).toMatchObject({ version: 1, documents: expect.any(Number) });
  const { payload } = JSON.parse((await wikiCli(["search", "tomato", "--vault", vault.path, "--json"])).stdout);
  expect(payload).toMatchObject({ source: "index-file", index: `${FOLDER}/bm25.json` });
  expect(payload.results).toEqual(live.results);
});

test("nothing is written through a link, and the failure says what to remove", async () => {
  using vault = gardenVault();
  using outside = tempFolder();
  mkdirSync(join(vault.path, ".vault-meta"));
  symlinkSync(outside.path, join(vault.path, FOLDER));
  const { status, stderr } = await wikiCli(["index", "--vault", vault.path]);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^invalid-input: .*\.vault-meta\/retrieval/);
  expect(readdirSync(outside.path)).toEqual([]);
});

test("a vault that is not there, or has no wiki, is left alone", async () => {
  const missing = await wikiCli(["index", "--vault", "/nonexistent-vault"]);
  expect(missing).toMatchObject({ status: 1, stderr: expect.stringMatching(/^vault-missing: /) });
  using empty = tempFolder();
  const { status, stderr } = await wikiCli(["index", "--vault", empty.path]);
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^wiki-missing: /) });
  expect(readdirSync(empty.path)).toEqual([]);
});

test("--semantic without Ollama writes the index for words, and says how to get the rest", async () => {
  using vault = gardenVault();
  const env = { PI_WIKI_OLLAMA_URL: "http://127.0.0.1:1" }; // where nothing listens
  const { status, stdout } = await wikiCli(["index", "--semantic", "--vault", vault.path], { env });
  expect(status).toBe(0);
  expect(stdout).toMatch(/Meaning stopped: .*ollama/i);
  expect(readdirSync(join(vault.path, FOLDER))).toEqual(["index.bin"]);
});
