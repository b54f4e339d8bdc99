// Ctrl-C, readers that leave early, and a Node that may only read.
import { once } from "node:events";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finished, startCli, wikiCli } from "../helpers/cli.ts";
import { gardenVault, projectRoot, tempFolder } from "../helpers/garden.ts";
import { largeVault } from "../helpers/large-vault.ts";
import { picture } from "../helpers/untouched.ts";

test.each(["SIGINT", "SIGTERM"] as const)("%s ends a command within a second, and says so", async (signal) => {
  using vault = largeVault(3_000);
  const child = startCli(["search", "word1", "--vault", vault.path, "--json"]);
  const run = finished(child);
  await new Promise((started) => setTimeout(started, 500)); // anywhere between start and answer
  const sent = performance.now();
  child.kill(signal);
  const { status, stdout } = await run;
  expect(performance.now() - sent).toBeLessThan(1_000);
  if (stdout !== "") expect(JSON.parse(stdout)).toMatchObject({ ok: false, code: "cancelled" });
  expect(status === 1 || child.signalCode !== null).toBe(true);
});

test("an interrupted index leaves nothing half-written", async () => {
  using vault = largeVault(3_000);
  const child = startCli(["index", "--vault", vault.path]);
  const run = finished(child);
  await new Promise((started) => setTimeout(started, 1_000));
  child.kill("SIGINT");
  await run;
  const retrieval = join(vault.path, ".vault-meta/retrieval");
  expect(existsSync(retrieval) ? readdirSync(retrieval) : []).toEqual([]);
});

test("a reader that has seen enough is no failure", async () => {
  using vault = gardenVault();
  const child = startCli(["doctor", "--vault", vault.path]);
  child.stdout.destroy();
  const stderr = child.stderr.setEncoding("utf8").toArray();
  await once(child, "exit");
  expect((await stderr).join("")).toBe("");
  expect(child.exitCode).toBe(0);
});

test.each([
  ["this Node", process.execPath],
  ["a current Node", join(projectRoot, "node_modules/.bin/node")],
])("--isolated gives the same answer from %s that may read nothing else", async (_which, node) => {
  using vault = gardenVault();
  const before = picture(vault.path);
  const search = ["search", "tomato blight", "--vault", vault.path, "--json"];
  const open = await wikiCli(search, { node });
  const isolated = await wikiCli(["search", "--isolated", ...search.slice(1)], { node });
  expect(isolated).toEqual(open);
  expect(open.status).toBe(0);
  const doctor = await wikiCli(["doctor", "--isolated", "--vault", vault.path], { node });
  expect(doctor.status, doctor.stderr).toBe(0);
  expect(picture(vault.path)).toEqual(before);
});

test("--isolated keeps status and messages of failures, and the vault of a configuration", async () => {
  using vault = gardenVault();
  using folder = tempFolder();
  const file = join(folder.path, "properties.json");
  writeFileSync(file, JSON.stringify({ vaultPath: vault.path }));
  const found = await wikiCli(["search", "--isolated", "--config", file, "--", "garlic"]);
  expect(found.status, found.stderr).toBe(0);
  expect(found.stdout).toContain("wiki/plants/garlic.md");
  const missing = await wikiCli(["outline", "wiki/none.md", "--vault", vault.path, "--isolated"]);
  expect(missing.status).toBe(1);
  expect(missing.stderr).toMatch(/^page-not-found: /);
});
