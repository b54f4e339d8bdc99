// Ctrl-C, and readers that leave early.
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { finished, startCli } from "../helpers/cli.ts";
import { gardenVault } from "../helpers/garden.ts";
import { largeVault } from "../helpers/large-vault.ts";

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
