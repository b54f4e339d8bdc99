// Hybrid search in the real Pi: a page that shares no word with the query is found by what it means.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type FakeOllama, startFakeOllama } from "../helpers/fake-ollama.ts";
import { gardenVault, projectRoot } from "../helpers/garden.ts";
import { modelServer } from "../helpers/model-server.ts";
import { runPi } from "../helpers/pi.ts";

const vault = gardenVault();
let ollama: FakeOllama;

beforeAll(async () => {
  ollama = await startFakeOllama();
  const command = [join(projectRoot, "dist/cli.js"), "index", "--semantic", "--vault", vault.path];
  await promisify(execFile)(process.execPath, command, { env: { ...process.env, PI_WIKI_OLLAMA_URL: ollama.url } });
});

afterAll(async () => {
  await ollama.close();
  vault[Symbol.dispose]();
});

test("a conversation finds a page by its meaning alone, and reads it", async () => {
  await using model = await modelServer([
    () => ({ name: "wiki_search", arguments: { query: "automatic sprinkler with a computer", hybrid: true } }),
    ([search]) => ({
      name: "wiki_read",
      arguments: search.payload.results.find(({ match }: { match: string }) => match === "semantic").read,
    }),
    ([, read]) => read.payload.text,
  ]);
  const env = { OBSIDIAN_VAULT_PATH: vault.path, PI_WIKI_OLLAMA_URL: ollama.url };
  const run = await runPi("What waters the beds?", { baseUrl: model.baseUrl, env });
  expect(run.exitCode, run.stderr).toBe(0);
  const [search, read] = run.events.filter(({ type }) => type === "tool_execution_end").map(({ result }) => result);
  expect(search.structuredContent.payload).toMatchObject({ fallback: "hybrid" });
  expect(search.structuredContent.payload.results).toContainEqual(
    expect.objectContaining({ path: "wiki/projects/irrigation-controller.md", match: "semantic" }),
  );
  expect(read.structuredContent).toMatchObject({ ok: true });
});
