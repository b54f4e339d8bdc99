// `--isolated`: the same answers from a Node that may read this package and the vault, and nothing else.
import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { wikiCli } from "../helpers/cli.ts";
import { gardenVault, projectRoot, tempFolder } from "../helpers/garden.ts";
import { picture } from "../helpers/untouched.ts";

const NODES = new Set([process.execPath, realpathSync(join(projectRoot, "node_modules/.bin/node"))]);

test.each([...NODES])("the same answer as without it, from %s", async (node) => {
  using vault = gardenVault();
  const before = picture(vault.path);
  const search = ["search", "tomato blight", "--vault", vault.path, "--json"];
  const [open, isolated, doctor] = await Promise.all([
    wikiCli(search, { node }),
    wikiCli(["search", "--isolated", ...search.slice(1)], { node }),
    wikiCli(["doctor", "--isolated", "--vault", vault.path], { node }),
  ]);
  expect(isolated).toEqual(open);
  expect(open.status).toBe(0);
  expect(doctor.status, doctor.stderr).toBe(0);
  expect(picture(vault.path)).toEqual(before);
});

test("status and messages of failures stay, and so does the vault of a configuration", async () => {
  using vault = gardenVault();
  using folder = tempFolder();
  const file = join(folder.path, "properties.json");
  writeFileSync(file, JSON.stringify({ vaultPath: vault.path }));
  const [found, missing] = await Promise.all([
    wikiCli(["search", "--isolated", "--config", file, "--", "garlic"]),
    wikiCli(["outline", "wiki/none.md", "--vault", vault.path, "--isolated"]),
  ]);
  expect(found.status, found.stderr).toBe(0);
  expect(found.stdout).toContain("wiki/plants/garlic.md");
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/^page-not-found: /);
});

test("code that gets to run there reads nothing outside, writes nothing and starts nothing", async () => {
  using vault = gardenVault();
  using elsewhere = tempFolder();
  writeFileSync(join(elsewhere.path, "secret.txt"), "A SECRET");
  mkdirSync(join(vault.path, ".attempt"));
  const attempt = join(vault.path, ".attempt/attempt.cjs"); // where that Node may read it
  writeFileSync(attempt, ATTEMPT);
  const shipped = join(projectRoot, "dist");
  const pictures = () => [vault.path, elsewhere.path, shipped].map(picture);
  const before = pictures();
  const env = { NODE_OPTIONS: `--require ${attempt}`, VAULT: vault.path, ELSEWHERE: elsewhere.path, PACKAGE: shipped };
  const search = ["search", "--isolated", "garlic", "--vault", vault.path];
  const { status, stdout, stderr } = await wikiCli(search, { env });
  expect(status, stderr).toBe(0);
  expect(stdout).toContain("wiki/plants/garlic.md");
  expect(pictures()).toEqual(before);

  // First the Node that the user starts, which shows that each attempt can succeed; then the one that it starts.
  const [open, isolated, ...more] = stderr
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(more).toEqual([]);
  const allowed = { "read a page": "done", "read the package": "done" };
  const names = Object.keys(open.attempts);
  expect(names.length).toBeGreaterThan(8);
  const all = (outcome: string) => Object.fromEntries(names.map((name) => [name, outcome]));
  expect(open).toEqual({ permissions: false, attempts: all("done") });
  expect(isolated).toEqual({ permissions: true, attempts: { ...all("ERR_ACCESS_DENIED"), ...allowed } });
});

const ATTEMPT = `
const { execFileSync } = require("node:child_process");
const { closeSync, openSync, readFileSync, readdirSync, statSync } = require("node:fs");
const { basename } = require("node:path");
const { VAULT, ELSEWHERE, PACKAGE } = process.env;
const opened = (path) => closeSync(openSync(path, "r+"));
const attempts = {
  "read a page": () => readFileSync(VAULT + "/wiki/plants/garlic.md"),
  "read the package": () => readFileSync(PACKAGE + "/cli.js"),
  "read a file": () => readFileSync(ELSEWHERE + "/secret.txt"),
  "read a file by way of the vault": () => readFileSync(VAULT + "/../" + basename(ELSEWHERE) + "/secret.txt"),
  "look at a file": () => statSync(ELSEWHERE + "/secret.txt"),
  "list a folder": () => readdirSync(ELSEWHERE),
  "list the root": () => readdirSync("/"),
  "write a file": () => opened(ELSEWHERE + "/secret.txt"),
  "write a page": () => opened(VAULT + "/wiki/plants/garlic.md"),
  "write the package": () => opened(PACKAGE + "/cli.js"),
  "start a process": () => execFileSync(process.execPath, ["--version"], { env: {} }),
};
for (const [name, act] of Object.entries(attempts)) {
  try {
    act();
    attempts[name] = "done";
  } catch (error) {
    attempts[name] = error.code;
  }
}
console.error(JSON.stringify({ permissions: process.permission !== undefined, attempts }));
`;
