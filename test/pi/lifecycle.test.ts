// What of ours runs in a Pi process, and when it is gone.
import { join } from "node:path";
import { expect, test } from "vitest";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import { largeVault } from "../helpers/large-vault.ts";
import { modelServer } from "../helpers/model-server.ts";
import { EXTENSION, type PiSession, piSession } from "../helpers/pi.ts";

const PROBE = join(projectRoot, "test/pi/probe.mjs");

/** Threads of the Pi process now, as the probe counts them. */
async function threads(pi: PiSession): Promise<number> {
  const from = pi.events.length;
  pi.send({ type: "prompt", message: "/threads" });
  const told = await pi.until((event) => event.message?.startsWith?.("threads: "), from);
  return Number(told.message.slice("threads: ".length));
}

async function threadsReach(pi: PiSession, wanted: (count: number) => boolean): Promise<number> {
  let count = await threads(pi);
  while (!wanted(count)) count = await threads(pi); // each question is a round trip; the test's own deadline ends it
  return count;
}

async function ask(pi: PiSession): Promise<void> {
  const from = pi.events.length;
  pi.send({ type: "prompt", message: "Search." });
  await pi.until(({ type }) => type === "agent_settled", from);
}

const search = () => ({ name: "wiki_search", arguments: { query: "compost" } });

test("/reload and exit leave no worker behind", async () => {
  using vault = gardenVault();
  await using model = await modelServer([search, () => "One.", search, () => "Two."]);
  const env = { OBSIDIAN_VAULT_PATH: vault.path, PI_WIKI_WARM: "0" };
  await using pi = piSession({ baseUrl: model.baseUrl, env, extensions: [EXTENSION, PROBE] });

  expect(await threads(pi)).toBe(0);
  await ask(pi);
  const working = await threadsReach(pi, (count) => count > 0);

  const from = pi.events.length;
  pi.send({ type: "prompt", message: "/reload-all", id: "reload" });
  await pi.until(({ type, id }) => type === "response" && id === "reload", from);
  expect(await threads(pi)).toBe(0);

  await ask(pi); // the reloaded extension works as the first did
  expect(await threadsReach(pi, (count) => count > 0)).toBeLessThanOrEqual(working);
  const answers = pi.events.filter(({ type }) => type === "tool_execution_end");
  expect(answers.map(({ isError }) => isError)).toEqual([false, false]);

  expect(await pi.end()).toBe(0); // by itself, which it could not with a worker alive
});

test("a session whose vault is selected warms a sandbox, one without a vault starts nothing", async () => {
  using vault = gardenVault();
  await using model = await modelServer([]);
  const extensions = [EXTENSION, PROBE];
  {
    await using pi = piSession({ baseUrl: model.baseUrl, env: { OBSIDIAN_VAULT_PATH: vault.path }, extensions });
    expect(await threadsReach(pi, (count) => count > 0)).toBeGreaterThan(0);
    expect(await pi.end()).toBe(0);
  }
  await using pi = piSession({ baseUrl: model.baseUrl, extensions });
  expect(await threads(pi)).toBe(0);
  expect(await pi.end()).toBe(0);
});

test("a call under way when Pi ends does not hold it up", async () => {
  using vault = gardenVault();
  await using model = await modelServer([search]);
  const env = { OBSIDIAN_VAULT_PATH: vault.path };
  await using pi = piSession({ baseUrl: model.baseUrl, env, extensions: [EXTENSION, PROBE] });
  pi.send({ type: "prompt", message: "Search." });
  await pi.until(({ type }) => type === "tool_execution_start");
  expect(await pi.end()).toBe(0);
});

test("long work tells how far it has come, Escape ends it at once, and the next search works", async () => {
  using vault = largeVault(4_000);
  await using model = await modelServer([search, search, () => "Found."]);
  await using pi = piSession({ baseUrl: model.baseUrl, env: { OBSIDIAN_VAULT_PATH: vault.path } });
  pi.send({ type: "prompt", message: "Search." });
  const update = await pi.until(({ type }) => type === "tool_execution_update");
  expect(update.partialResult.details).toMatchObject({ operation: "search", progress: { total: 4_000 } });
  expect(update.partialResult.content[0].text).toMatch(/: [\d,]+ of 4,000$/);

  const pressed = performance.now();
  pi.send({ type: "abort" });
  const ended = await pi.until(({ type }) => type === "tool_execution_end");
  expect(performance.now() - pressed).toBeLessThan(1_000);
  expect(ended).toMatchObject({ isError: true, result: { structuredContent: { code: "cancelled" } } });
  await pi.until(({ type }) => type === "agent_settled");

  const from = pi.events.length;
  await ask(pi);
  const again = pi.events.slice(from).find(({ type }) => type === "tool_execution_end");
  expect(again.isError, JSON.stringify(again.result.structuredContent)).toBe(false);
  expect(await pi.end()).toBe(0);
});
