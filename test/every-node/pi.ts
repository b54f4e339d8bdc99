// Pi's face: the real Pi on this Node loads the extension, and a model that follows a script finds and reads a page.
import assert from "node:assert/strict";
import { gardenVault } from "../helpers/garden.ts";
import { modelServer } from "../helpers/model-server.ts";
import { type PiEvent, runPi } from "../helpers/pi.ts";
import { picture } from "../helpers/untouched.ts";

export function checks(node: string): Record<string, () => Promise<void>> {
  return { "a conversation searches, reads and ends by itself": () => conversation(node) };
}

async function conversation(node: string): Promise<void> {
  using vault = gardenVault();
  const before = picture(vault.path);
  await using model = await modelServer([
    () => ({ name: "wiki_search", arguments: { query: "late frost tomatoes 2026-05" } }),
    ([{ payload }]) => {
      const { page, expectedHash } = payload.results[0].read;
      return { name: "wiki_read", arguments: { page, expectedHash, section: "2026-05-13 Late frost" } };
    },
    ([, read]) => read.payload.text,
  ]);
  const env = { OBSIDIAN_VAULT_PATH: vault.path };
  const run = await runPi("What does my wiki say?", { baseUrl: model.baseUrl, env, node });
  assert.equal(run.exitCode, 0, run.stderr);
  const ends = run.events.filter(({ type }: PiEvent) => type === "tool_execution_end");
  assert.deepEqual(
    ends.map(({ toolName, isError }) => [toolName, isError]),
    [
      ["wiki_search", false],
      ["wiki_read", false],
    ],
  );
  assert.equal(ends[0].result.structuredContent.payload.results[0].path, "wiki/weather-diary.md");
  assert.match(ends[1].result.structuredContent.payload.text, /Minus 2\.5 °C on the stream side/);
  assert.deepEqual(picture(vault.path), before);
}
